//===- Budget.h - What one kernel may cost ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processor time and memory of the analysis of one kernel. Whoever works for
// long asks isSpent() on the way, and ends at once where it is: what it has
// found out by then is of no use any more, and the run tells a gap. Findings
// made before stay.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_BUDGET_H
#define CPASYNC_LIB_SUPPORT_BUDGET_H

#include <cstdint>
#include <string>

namespace cpasync {

/// 0: any number of.
struct CostLimits {
  unsigned Seconds = 60;     ///< of processor time
  unsigned Megabytes = 4096; ///< 2^20 bytes that the process has grown by
};

class Budget {
public:
  /// Begins now, for what this thread does.
  explicit Budget(CostLimits Limits);
  /// One of so many equal parts of the time that is left, which begins now. All
  /// of them have the same memory: what one took and gave back, others may
  /// have.
  Budget part(unsigned Parts) const;

  /// Cheap: it looks at the clock only now and then.
  bool isSpent() { return !Reason.empty() || (--CallsToLook == 0 && look()); }
  /// Looks at the clock.
  bool isSpentNow() { return !Reason.empty() || look(); }
  /// "time budget of 60 seconds"; empty if it is not spent, as far as
  /// isSpent() has said.
  const std::string &reason() const { return Reason; }

private:
  Budget(CostLimits Limits, int64_t StartPages);
  bool look();

  const CostLimits Limits;
  const double Start; ///< seconds of this thread
  const int64_t StartPages;
  double NextMemory = 0; ///< when to look at the memory again
  unsigned CallsToLook = 1;
  std::string Reason;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_BUDGET_H
