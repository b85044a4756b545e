//===- StuckPhases.h - Phases that do not add up ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_STUCKPHASES_H
#define CPASYNC_LIB_DETECT_STUCKPHASES_H

#include "lib/detect/MixedCopies.h"
#include "lib/report/PathNotes.h"
#include "lib/state/FindingList.h"

namespace cpasync {

/// Finds phases of mbarriers that never complete, or too soon: arrivals and
/// bytes that are not as many as were announced. PTX ISA, "mbarrier: Phase
/// completion". Barriers with a number, of more threads than come. And uses
/// that may come before the initialisation.
class StuckPhases : RunPart {
public:
  StuckPhases(KernelRun &Run, FindingList &Findings, MixedCopies &Mixed)
      : RunPart(Run), Findings(Findings), Mixed(Mixed) {}

  /// Nobody can run any more, and \p B is waited for. True if that is a
  /// finding. \p Others: where others wait for those who do; null: nowhere.
  bool checkStuck(State &S, const PhaseBarrier &B,
                  const Arrival *Others = nullptr);
  /// The same, if that is a finding, which is not told yet.
  std::optional<Finding> findStuck(State &S, const PhaseBarrier &B,
                                   const Arrival *Others = nullptr);
  /// The same of a barrier of so many threads. PTX ISA, "bar, barrier".
  bool checkStuck(State &S, const Arrival &A);
  /// \p Threads are about to arrive at once, \p Count times, where \p B expects
  /// fewer.
  void checkExtra(State &S, const PhaseBarrier &B, const PerThread *Threads,
                  int64_t Count, clang::SourceLocation At);
  /// Threads have come to \p A at once.
  void checkExtra(State &S, const Arrival &A);

  /// \p Use, of an mbarrier, comes after its initialisation.
  void checkInit(State &S, const Footprint *Use, clang::SourceLocation At);

private:
  /// Other threads may have gone another way than the path says.
  bool isCertain(const State &S);
  /// Nothing was left out so far.
  bool isWhole() const;
  /// All warps have a thread that waits for something.
  bool allWait(const State &S);
  /// Those who have left where some did and others stayed; or because they are
  /// who they are.
  const PerThread *threadsGone(const State &S);
  bool mayBeDecidedApart(const State &S);
  /// A barrier with a number.
  bool isAsked(const State &S, const Arrival &A);
  void tellBarrier(State &S, const Arrival &A);
  /// How it came to that.
  struct Story {
    std::vector<ToldStep> Steps;
    /// Where the path did it last.
    void add(const State &S, TraceStep Step);
    void addUse(const State &S, const PhaseBarrier &B, const std::string &Name);
    void addDecisions(const State &S);
    /// \p Now: the calls around a step that is done just now.
    void tell(const State &S, Finding &F, const CallChain *Now = nullptr);
  };

  FindingList &Findings;
  MixedCopies &Mixed;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_STUCKPHASES_H
