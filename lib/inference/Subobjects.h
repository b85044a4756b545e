//===- Subobjects.h - What shared memory is divided into --------*- C++ -*-===//
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

#ifndef CPASYNC_LIB_INFERENCE_SUBOBJECTS_H
#define CPASYNC_LIB_INFERENCE_SUBOBJECTS_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace cpasync {

struct Object;

/// Bytes [Begin, End) of an object.
struct Subobject {
  int64_t Begin, End;
  bool contains(int64_t Byte) const { return Byte >= Begin && Byte < End; }
};

class Subobjects {
public:
  /// The variable \p By, at its byte \p At, points to \p Begin in \p Obj. One
  /// that has pointed elsewhere moves, and divides nothing.
  void point(const void *By, int64_t At, const Object *Obj, int64_t Begin);
  /// It points to no place that is the same for all threads.
  void pointElsewhere(const void *By, int64_t At);
  /// The part that bytes [Lo, Hi] lie in; none if there is no end to it.
  std::optional<Subobject> around(const Object *Obj, int64_t Lo,
                                  int64_t Hi) const;
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

#endif // CPASYNC_LIB_INFERENCE_SUBOBJECTS_H
