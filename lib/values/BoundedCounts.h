//===- BoundedCounts.h - Counts that stop at an end -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each warp has a row of its own length, whether it has an item left is
// not decided for all threads: `if (At < End) { copy(At); ++At; }` leaves At,
// or one more. Written as one selection in the other, nothing is known of the
// third. But at most K steps were made, and as many as there were items:
// max(0, min(K, End - At)); and whether one more is made is whether K items
// were not all.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_BOUNDEDCOUNTS_H
#define CPASYNC_LIB_VALUES_BOUNDEDCOUNTS_H

#include "lib/values/Value.h"
#include <optional>

namespace cpasync {

/// How many steps were made, of Most that were tried: as long as Step times
/// that is less than Left.
struct BoundedCount {
  const Int *Left;
  int64_t Step, Most; ///< above 0
  /// Left may be negative, and no step is made then; else a path has decided
  /// that it is not.
  bool MayHaveNone = true;
  const Int *value(ValueContext &V) const;
};

/// None: \p A is no such count.
std::optional<BoundedCount> asBoundedCount(ValueContext &V, const Atom *A);

/// \p I as if no count in it had stopped.
const Int *withoutEnds(ValueContext &V, const Int *I);

/// \p Condition ? \p A : \p B, where that is a step or none, in some threads.
/// Null: it is something else.
const Int *stepIf(ValueContext &V, const Int *Condition, const Int *A,
                  const Int *B);

/// Whether \p I, in which a count is compared with what it stops at, is
/// negative. Null: it is something else.
const Int *isNegativeByCount(ValueContext &V, const Int *I);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_BOUNDEDCOUNTS_H
