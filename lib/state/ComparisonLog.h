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

  /// As long as this lives nothing is decided: counts the differences that
  /// would.
  class Pause {
  public:
    explicit Pause(ComparisonLog &Log) : Log(Log) { Log.Paused = this; }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;
    ~Pause() { Log.Paused = nullptr; }
    unsigned differences() const { return Count; }

  private:
    friend class ComparisonLog;
    ComparisonLog &Log;
    unsigned Count = 0;
  };

private:
  Pause *Paused = nullptr;
  SideEffects::Mark ComparedSince;
  std::vector<const Int *> Compared; ///< without an effect since
  llvm::SpecificBumpPtrAllocator<Comparison> Nodes;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_COMPARISONLOG_H
