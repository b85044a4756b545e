//===- FlightPaths.h - A copy, from its issue to its read -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_FLIGHTPATHS_H
#define CPASYNC_LIB_REPORT_FLIGHTPATHS_H

#include "lib/state/KernelRun.h"

namespace cpasync {

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

/// The newest step of its wait; null: it has none.
const TraceNode *newestWait(const FlightPath &P);

/// \p Step is in an iteration of the loop at \p Loop.
bool isInLoop(const TraceNode *Step, clang::SourceLocation Loop);

/// \p Thread was there.
inline bool has(const TraceNode *X, int Thread) {
  return X->Mask && (*X->Mask)[Thread] != 0;
}

/// Looks back on a path: who committed and waited, who did not, and why.
class FlightPaths : RunPart {
public:
  explicit FlightPaths(KernelRun &Run) : RunPart(Run) {}

  FlightPath flightPath(const State &S, EventId Copy, int Issuer,
                        bool Committed);
  /// Why \p Thread does not come to \p Skipped: between \p Begin and \p End it
  /// left early; null if not.
  static const TraceNode *leavingBefore(const TraceNode *Skipped,
                                        const TraceNode *Begin,
                                        const TraceNode *End, int Thread);
  Divergence divergenceAt(const TraceNode *Excluding, int Thread);
  /// Lanes of its warp that ran the wait with \p Thread and copied with it
  /// committed the copy.
  bool isCommittedByWarp(const FlightPath &P, int Thread);
  /// A commit or wait of the other kind stands where one of \p Bulk's own
  /// kind should; null if none.
  static const TraceNode *commitOfOtherKind(llvm::ArrayRef<const TraceNode *>,
                                            int Thread, bool Bulk);
  static const TraceNode *waitOfOtherKind(llvm::ArrayRef<const TraceNode *>,
                                          int Thread, bool Bulk);
  /// The last wait for bulk copies that \p Thread ran; null: it ran none.
  static const TraceNode *
  newestBulkWait(llvm::ArrayRef<const TraceNode *> NewestFirst, int Thread);
};

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_FLIGHTPATHS_H
