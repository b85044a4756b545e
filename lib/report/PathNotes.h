//===- PathNotes.h - What a finding tells of its path -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path has hundreds of steps; a reader wants the few that made the
// difference, in the order in which they ran: what happened to the copy, the
// decisions that could have changed that, and the iteration of each.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_PATHNOTES_H
#define CPASYNC_LIB_REPORT_PATHNOTES_H

#include "lib/report/FlightPaths.h"

namespace cpasync {

/// A step of the story, the place on the path that it tells of (null: where
/// the path has got to), and the iteration around it.
struct ToldStep {
  TraceStep Step;
  const TraceNode *InLoop = nullptr;
  const TraceNode *At = nullptr;
};

/// Nothing was decided on the way: every run gets here.
bool isUnconditional(const TraceNode *End);

using Decisions = llvm::SmallVector<const TraceNode *, 8>;

/// Decisions from \p Copy on, up to \p Cutoff, between whose sides something of
/// \p Effects (a commit, a wait) could have run, and those that \p Copy itself
/// hangs on. Of several at one place the first or the last counts.
Decisions decisionsFor(const TraceNode *Copy,
                       llvm::ArrayRef<const TraceNode *> SinceCopy,
                       const TraceNode *Cutoff, bool First,
                       unsigned Effects = EffectGroup);

/// The newest copy to \p To on the path that ends with \p End; null: none.
const TraceNode *newestCopyTo(const TraceNode *End, const EventTable &Events,
                              const Object *To);

/// Decisions that any of \p Steps hangs on, or is.
Decisions decisionsAround(llvm::ArrayRef<const TraceNode *> Steps);

/// At most \p Max decisions that brought a path to \p End, one for each place.
Decisions newestDecisions(const TraceNode *End, unsigned Max);

/// The threads of \p Mask: "0-31, 64", of a cluster "0-31 of block 1".
std::string threadRanges(const PerThread *Mask, const BlockShape &Shape);

void addDecision(std::vector<ToldStep> &Steps, const TraceNode *Decision);

/// Tells \p Steps in the order of the path that ends with \p End, inside the
/// calls \p Now. Each comes after the calls and iterations that it is in; only
/// of loops that do something of \p LoopEffects.
void tell(Finding &F, std::vector<ToldStep> Steps, const TraceNode *End,
          unsigned LoopEffects, const CallChain *Now = nullptr);

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_PATHNOTES_H
