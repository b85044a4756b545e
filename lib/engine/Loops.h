//===- Loops.h - Visits of a loop head --------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_LOOPS_H
#define CPASYNC_LIB_ENGINE_LOOPS_H

#include "lib/engine/EnginePart.h"
#include "lib/source/LoopVariables.h"
#include "lib/state/RoleRounds.h"

namespace cpasync {

/// Visits a loop head until the loop settles.
class Loops : EnginePart {
public:
  using EnginePart::EnginePart;

  Step visitLoopHead(State &S, const clang::CFGBlock *B);
  /// A loop of those that \p S is in is why the run does not come to its end.
  void noteUnsettled(const State &S);

private:
  /// Ends the path where the loop has settled, or goes on with the rounds that
  /// bring something new.
  Step skipRounds(State &S, const clang::CFGBlock *B);
  /// The round that begins now is a step of the path.
  void beginRound(State &S, const clang::CFGBlock *B);
  const Int *numberOfAll(const State &S, Value Of);
  /// Is the state at this head what it was one and two periods ago, but for
  /// numbers that grow steadily? Then how many periods can be skipped before a
  /// comparison changes its outcome (-1: none ever does)?
  std::optional<int64_t> periodsToSkip(const LoopVisit &L, const State &S,
                                       unsigned Period);
  /// In this period and the one before nothing but accesses was added; false
  /// also if too few visits are remembered to say that they were in all.
  bool addsAccesses(const LoopVisit &L, const State &S, unsigned Period);
  bool alwaysGrew(const LoopVisit &Loop, unsigned Period);
  bool countsForLater(const State &S, const LoopVisit::Snapshot &Once,
                      const clang::CFGBlock *Head);
  /// Numbers grow as from \p Before on, for \p N more periods.
  void skipPeriods(State &S, const LoopVisit::Snapshot &Before, const Int *N);

  LoopVariables Variables;
  RoleRounds Rounds{Run, Names};
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_LOOPS_H
