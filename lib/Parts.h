//===- Parts.h - What shared memory is divided into -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels divide one piece of shared memory, the dynamic one above all: a
// variable points to the beginning of each part. Where a part ends only the
// beginning of the next one tells.
//
// A kernel that stores to `Bias[i]` for all i below a count it was given relies
// on the count: Bias does not end in the tile behind it, as no array ends in
// another. So where it is not known which threads or rounds come by, what they
// would touch beyond the part is taken for bytes of their own, far away: the
// part's room.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PARTS_H
#define CPASYNC_LIB_PARTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace cpasync {

class Lanes;
struct Object;

/// Bytes [Begin, End) of an object.
struct Part {
  int64_t Begin, End;
  bool contains(int64_t Byte) const { return Byte >= Begin && Byte < End; }
};

/// A place in an object that an index leads to, beyond parts where it stays
/// within.
class IndexedPlace {
public:
  explicit IndexedPlace(int64_t Byte) : Byte(Byte), Within(Byte) {}
  /// The byte, had it not gone beyond the parts that it left.
  int64_t within() const { return Within; }
  bool hasLeft() const { return !Left.empty(); }
  /// It goes beyond the part that begins at \p Begin, which is no part of
  /// those that it left before.
  void leave(int64_t Begin) {
    Left.push_back(Begin);
    Within = Begin;
  }
  /// Where it is, counted from the object's beginning: in the room of the last
  /// part, the part before in that room, and so on.
  int64_t inRooms() const;
  /// The byte that \p InRooms was made of.
  static int64_t byteAt(int64_t InRooms) {
    return InRooms < 0 ? InRooms : InRooms & ((int64_t(1) << RoomBits) - 1);
  }

  /// Whether it is as many bytes in all threads, from room to room.
  static bool areOneStep(const Lanes &Between, unsigned Threads);

private:
  static constexpr unsigned RoomBits = 24; // no block has that many bytes
  static constexpr unsigned MaxRooms = 2;  // in each other, that have a number
  int64_t Byte, Within;
  llvm::SmallVector<int64_t, 2> Left;
};

class Parts {
public:
  /// The variable \p By, at its byte \p At, points to \p Begin in \p Obj. One
  /// that has pointed elsewhere moves, and divides nothing.
  void point(const void *By, int64_t At, const Object *Obj, int64_t Begin);
  /// It points to no place that is the same for all threads.
  void pointElsewhere(const void *By, int64_t At);
  /// The part that bytes [Lo, Hi] lie in; none if there is no end to it.
  std::optional<Part> around(const Object *Obj, int64_t Lo, int64_t Hi) const;
  /// Equal for equal divisions; 0: there is none.
  uint64_t hash() const { return Hash; }

private:
  using Variable = std::pair<const void *, int64_t>;
  struct Beginning {
    const Object *Obj; ///< null: the variable moves
    int64_t Begin;
    bool operator==(const Beginning &) const = default;
  };

  void update();

  llvm::DenseMap<Variable, Beginning> Pointers;
  llvm::DenseMap<const Object *, std::vector<int64_t>> Beginnings; // sorted
  uint64_t Hash = 0;
};

} // namespace cpasync

#endif // CPASYNC_LIB_PARTS_H
