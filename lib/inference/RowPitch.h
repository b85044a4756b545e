//===- RowPitch.h - Rows that an array is divided into ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `Ring[Slot * 64 + I]` says that Ring has rows of 64. Where I stays below a
// count that the kernel was given, a row is the part that it stays in
// (Subobjects.h): a slot, a line of a tile, what one warp has. A row that is
// written without its number, as the first slot often is, ends where the others
// end.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_ROWPITCH_H
#define CPASYNC_LIB_INFERENCE_ROWPITCH_H

#include "lib/values/Value.h"
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace cpasync {

/// The rows that a kernel is known to have in its arrays. All numbers are
/// bytes, and places are counted from the beginning of the array.
class RowPitches {
public:
  using Places = std::vector<int64_t>; ///< sorted, each once; not none
  /// An array, and the number that says how much of each row is used: rows that
  /// it says nothing of are others.
  struct Array {
    const Object *Obj;
    const void *Limit; ///< its declaration
    /// The array is this member of the object; null: it is all of it.
    const void *Member = nullptr;
  };
  /// \p Of has rows at \p Begins and at every multiple of \p Pitch from
  /// there. Nothing if these are not multiples of it apart.
  void add(Array Of, const Places &Begins, int64_t Pitch);
  /// How long the rows are that begin at \p Begins and have elements of \p
  /// Unit; 0: there are none, for all that is known. The furthest that one goes
  /// is \p Far.
  int64_t lengthAt(Array Of, const Places &Begins, int64_t Unit, int64_t Far);
  /// An index went beyond the end of a row that was not known to be one then.
  /// The kernel has to be run again.
  bool cameLate() const { return Late; }
  /// What is known for another run.
  RowPitches forNextRun() const;

private:
  // The same in all runs.
  using Key =
      std::tuple<Object::Kind, const void *, const void *, const void *>;
  static Key keyOf(Array A) {
    return {A.Obj->K, A.Obj->Origin, A.Limit, A.Member};
  }
  struct Row {            // of those that all lie so
    int64_t Pitch, Begin; ///< of the first that begins at 0 or later
    auto operator<=>(const Row &) const = default;
    bool contains(const Places &Begins) const;
  };
  struct Open {
    Places Begins;
    int64_t Unit, Far;
  };

  std::map<Key, std::set<Row>> Known;     // the shortest first
  std::map<Key, std::vector<Open>> Asked; // where no row was known
  bool Late = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_ROWPITCH_H
