//===- ComparisonLog.h - What comparisons were decided on -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_COMPARISONLOG_H
#define CPASYNC_LIB_STATE_COMPARISONLOG_H

#include "lib/state/KernelRun.h"

namespace cpasync {

/// A loop that skips rounds must know which differences decided something.
class ComparisonLog : RunPart {
public:
  explicit ComparisonLog(KernelRun &Run) : RunPart(Run) {}

  /// The sign of \p Difference decided something.
  void note(State &S, const Int *Difference);
  /// What comparisons decided on since something else happened.
  std::vector<const Int *> &compared();

  /// Set while nothing is decided: counts the differences that would.
  unsigned *NotDeciding = nullptr;

private:
  uint64_t ComparedSince = 0;
  std::vector<const Int *> Compared; ///< while Run.Impure was ComparedSince
  llvm::SpecificBumpPtrAllocator<Comparison> Nodes;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_COMPARISONLOG_H
