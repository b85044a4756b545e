//===- Exclusion.h - What no run does both of -------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_EXCLUSION_H
#define CPASYNC_LIB_STATE_EXCLUSION_H

#include "lib/state/KernelRun.h"

namespace cpasync {

/// What is in flight may hang on conditions; so may what it clashes with.
class Exclusion : RunPart {
public:
  explicit Exclusion(KernelRun &Run) : RunPart(Run) {}

  /// Threads of \p E that may have done it, by what the path has \p Decided.
  const PerThread *mayHaveDone(const PathCondition &Decided, EventId E);
  /// No run does both: each is on its own side of one condition, or on a side
  /// that this path has not taken.
  bool areExclusive(const State &S, EventId A, EventId B);
  /// By what the path has decided, too.
  Overlap overlapOnPath(const State &S, const Footprint *A, const Footprint *B,
                        Pairs Of = Pairs::All);
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_EXCLUSION_H
