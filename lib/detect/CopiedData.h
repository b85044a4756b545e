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
  /// The newest time on the path that \p Copy was issued; null if it was not.
  const TraceNode *issueOf(const State &S, EventId Copy);

private:
  /// What issueOf() says up to there.
  const TraceNode *NewestIssue = nullptr;
  llvm::DenseMap<EventId, const TraceNode *> Issues;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_COPIEDDATA_H
