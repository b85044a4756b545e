//===- OpenConditions.h - What was asked in vain ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most conditions that a path is asked for are open, and most of those are
// asked for again before anything else is decided, as at the head of a loop
// inside a loop. Nothing hangs on such an answer: fewer facts would give it,
// too.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_OPENCONDITIONS_H
#define CPASYNC_LIB_VALUES_OPENCONDITIONS_H

#include "lib/values/Value.h"
#include <vector>

namespace cpasync {

/// What is known of a path, until more is or less; of paths that began as one,
/// both have it until then. 0: nothing.
using Knowledge = uint64_t;

/// Forgets some when there are many.
class OpenConditions {
public:
  Knowledge next() { return ++Newest; }
  /// No thread was known in which \p Condition holds, or does not.
  bool contains(Knowledge By, const Int *Condition) const {
    return Entries[placeOf(By, Condition)] == Entry{By, Condition};
  }
  void add(Knowledge By, const Int *Condition) {
    Entries[placeOf(By, Condition)] = {By, Condition};
  }

private:
  struct Entry {
    Knowledge By = 0;
    const Int *Condition = nullptr;
    bool operator==(const Entry &) const = default;
  };
  static constexpr size_t Size = size_t(1) << 12;
  static size_t placeOf(Knowledge By, const Int *Condition) {
    return (By * 31 + Condition->id()) % Size;
  }
  std::vector<Entry> Entries = std::vector<Entry>(Size);
  Knowledge Newest = 0;
};

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_OPENCONDITIONS_H
