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

#include "lib/state/State.h"
#include <tuple>

namespace cpasync {

/// A step of the story, the place on the path that it tells of (null: where
/// the path has got to), and the iteration around it.
struct ToldStep {
  TraceStep Step;
  const TraceNode *InLoop = nullptr;
  const TraceNode *At = nullptr;
};

/// What tells one clash from another: the places, and what its cause hangs on
/// if all threads commit and wait alike.
struct ClashKind {
  clang::SourceLocation First, Second, Commit = {}, Wait = {};
  std::pair<FindingKind, unsigned> What;
  bool SameThread = false;
  bool operator<(const ClashKind &K) const {
    auto Tie = [](const ClashKind &X) {
      return std::tie(X.First, X.Second, X.Commit, X.Wait, X.What,
                      X.SameThread);
    };
    return Tie(*this) < Tie(K);
  }
};

/// The path of a copy that is in flight when it is read.
struct FlightPath {
  const TraceNode *Issue = nullptr;
  llvm::SmallVector<const TraceNode *, 16> Steps; ///< since then, in order
  /// A commit, wait or branch that came out differently for other issuers.
  const TraceNode *Excluding = nullptr;
  /// A commit or wait for the other kind of group in the place of the right
  /// one.
  const TraceNode *OtherKind = nullptr;
  EventId Commit = 0, Wait = 0;
};

/// \p Thread was there.
inline bool has(const TraceNode *X, int Thread) {
  return X->Mask && (*X->Mask)[Thread] != 0;
}

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

/// Decisions that any of \p Steps hangs on, or is.
Decisions decisionsAround(llvm::ArrayRef<const TraceNode *> Steps);

/// At most \p Max decisions that brought a path to \p End, one for each place.
Decisions newestDecisions(const TraceNode *End, unsigned Max);

/// The threads of \p Mask: "0-31, 64".
std::string threadRanges(const PerThread *Mask, unsigned Count);

void addDecision(std::vector<ToldStep> &Steps, const TraceNode *Decision);

/// Tells \p Steps in the order of the path that ends with \p End, each after
/// the iteration it is in; only of loops that do something of \p LoopEffects.
void tell(Finding &F, std::vector<ToldStep> Steps, const TraceNode *End,
          unsigned LoopEffects);

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_PATHNOTES_H
