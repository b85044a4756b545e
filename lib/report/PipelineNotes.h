//===- PipelineNotes.h - All that a path did with its slots -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a trace are those that made the difference. A picture of them
// needs the others as well: what else was in flight, which group a wait
// completed, which slot was read meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_PIPELINENOTES_H
#define CPASYNC_LIB_REPORT_PIPELINENOTES_H

#include "lib/state/KernelRun.h"

namespace cpasync {

/// Fills in Finding::WitnessPath::Around.
class PipelineNotes : RunPart {
public:
  explicit PipelineNotes(KernelRun &Run) : RunPart(Run) {}

  /// The accesses that clash.
  struct Clash {
    const TraceNode *First = nullptr; ///< null: it has no place on the path
    EventId Second = 0;               ///< that the path makes now; 0: none
    /// CopyIssued: it is the newest step of the path.
    TraceStep::Kind As = TraceStep::Kind::Read;
  };
  /// What the path of \p S did up to now, with the groups of \p Owner; below 0:
  /// nobody's.
  void record(Finding &F, const State &S, int Owner, const Clash &C);

private:
  /// Whether the copy \p First of the owner is in flight, and how.
  static void findFlight(Pipeline &To, const State &S, const TraceNode *First);
  int roundOf(Pipeline &To, const TraceNode *Iteration);
  Pipeline::Step stepOf(Pipeline &To, const TraceNode *N);
  void nameSlot(Pipeline::Step &Step, const Footprint *Bytes,
                const PerThread *Mask);

  llvm::DenseMap<const TraceNode *, int> Rounds;
  /// The names and bytes of accesses, by who makes them.
  llvm::DenseMap<std::pair<const Footprint *, const PerThread *>,
                 std::tuple<std::string, int64_t, int64_t>>
      Slots;
};

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_PIPELINENOTES_H
