//===- Witness.h - Findings, with what led to them --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_WITNESS_H
#define CPASYNC_LIB_REPORT_WITNESS_H

#include "lib/report/FlightPaths.h"
#include "lib/report/Repairs.h"
#include "lib/state/Exclusion.h"
#include "lib/state/ReadLiveness.h"

namespace cpasync {

/// Tells how a path came to a clash.
class Witness : RunPart {
public:
  Witness(KernelRun &Run, FindingList &Findings, ReadLiveness &Reads,
          FlightPaths &Flights, Repairs &Fixes, Exclusion &Exclusive)
      : RunPart(Run), Findings(Findings), Reads(Reads), Flights(Flights),
        Fixes(Fixes), Exclusive(Exclusive) {}

  void reportReadInFlight(State &S, EventId Copy, EventId Read,
                          const Overlap &Clash,
                          const BlockCopies::ThreadClass &Class,
                          int GroupIndex);
  void reportReadBeforeCopy(State &S, EventId Read, EventId Copy,
                            const Overlap &Clash);
  /// \p S is where the kernel ends.
  void reportUncommitted(State &S);
  /// \p Now: it is told once more now.
  bool isToldOften(const State &S, const ClashKind &This, bool Now);
  /// The decisions and iterations that led to a copy with a wrong address.
  void tellWayToCopy(Finding &F, const State &S);
  /// The calls from the kernel to where the copy is reported.
  void tellCalls(Finding &F, const State &S);
  /// The innermost place that chose the value of an operand.
  clang::SourceLocation operandLoc(const State &S, const clang::Expr *Operand,
                                   clang::SourceLocation Fallback);

private:
  /// What the copy missed: the group it was in, if any, and its wait.
  void findCause(Finding &F, FlightPath &Path, const GroupQueue &Queue,
                 int GroupIndex);
  /// A commit or wait of the other kind of group in the place of the right one.
  void findOtherKind(Finding &F, FlightPath &Path);
  void tellFlight(Finding &F, const State &S, const FlightPath &P);

  FindingList &Findings;
  ReadLiveness &Reads;
  FlightPaths &Flights;
  Repairs &Fixes;
  Exclusion &Exclusive;
  /// Reads in flight that were told, with what the queue looked like and the
  /// newest decision of the path: the same again is a longer path to the same.
  std::set<std::tuple<EventId, EventId, EventId, EventId, const TraceNode *>>
      Told;
};

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_WITNESS_H
