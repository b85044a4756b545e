//===- IndexedPlace.h - A place beyond the end of a subobject ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_INDEXEDPLACE_H
#define CPASYNC_LIB_MEMORY_INDEXEDPLACE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace cpasync {

class PerThread;

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
  static bool areOneStep(const PerThread &Between, unsigned Threads);

private:
  static constexpr unsigned RoomBits = 24; // no block has that many bytes
  static constexpr unsigned MaxRooms = 2;  // in each other, that have a number
  int64_t Byte, Within;
  llvm::SmallVector<int64_t, 2> Left;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_INDEXEDPLACE_H
