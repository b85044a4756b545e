//===- CopiedData.h - Whether copies bring the same bytes -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_COPIEDDATA_H
#define CPASYNC_LIB_DETECT_COPIEDDATA_H

#include "lib/state/KernelRun.h"

namespace cpasync {

/// Threads may copy to one place if they bring the same data there.
class CopiedData : RunPart {
public:
  explicit CopiedData(KernelRun &Run) : RunPart(Run) {}

  enum class Same : uint8_t { Yes, No, NotKnown };
  /// What threads \p X and \p Y bring to one place; \p From and \p To: how far
  /// their copies carry the bytes.
  Same compareData(const State &S, const Int *From, unsigned X, const Int *To,
                   unsigned Y);
  /// What \p Other copied at \p Then is what \p Thread copies now.
  bool copiesSameData(const State &S, const TraceNode &Then, unsigned Other,
                      EventId New, unsigned Thread, Value Source,
                      const PerThread *Part);
  /// A copy that a thread made, or is about to make.
  struct Carried {
    EventId Copy;
    unsigned Thread;
    Value Source;
    const PerThread *Part;
    const TraceNode *Issue; ///< null: now
  };
  /// \p Reader finds at the bytes of \p Read that \p Theirs goes to what that
  /// brings: its own warp has completed a copy of the same data to there.
  bool isWhatOwnWarpCopied(const State &S, const Footprint *Read,
                           unsigned Reader, const Carried &Theirs);
  /// A symbol that \p A and \p B are computed from stands for something else
  /// since \p Then.
  static bool isRenewedSince(const State &S, const TraceNode *Then,
                             const Int *A, const Int *B);
  /// The newest time on the path that \p Copy was issued; null if it was not.
  const TraceNode *issueOf(const State &S, EventId Copy);

private:
  /// As copiesSameData(), and whether that is known.
  Same compareCopies(const State &S, const TraceNode &Then, unsigned Other,
                     const Carried &New);
  /// What issueOf() says up to there.
  const TraceNode *NewestIssue = nullptr;
  llvm::DenseMap<EventId, const TraceNode *> Issues;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_COPIEDDATA_H
