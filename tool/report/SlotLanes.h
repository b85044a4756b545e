//===- SlotLanes.h - The slots that accesses touch --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot is what copies fill: copies that share bytes have the same one. Other
// accesses are of every slot that they touch, and of one of their own if there
// is none.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_SLOTLANES_H
#define CPASYNC_TOOL_REPORT_SLOTLANES_H

#include "tool/report/TimelineEvents.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cpasync {

class SlotLanes {
public:
  struct Lane {
    std::string Name;
    llvm::StringRef Object;
    int64_t Begin = -1, End = 0; ///< bytes; below 0: somewhere in it
    int64_t Widest = 0;          ///< bytes of what it is named by
    bool Clashes = false;
    bool holds(const ReportedPipeline::Step &S) const;
  };
  explicit SlotLanes(llvm::ArrayRef<TimelineEvent> Events);

  llvm::ArrayRef<Lane> lanes() const { return Lanes; }
  /// Which of lanes(); none of those that are left out.
  std::vector<size_t> of(const ReportedPipeline::Step &S) const;
  /// How many were left out.
  unsigned others() const { return Others; }

private:
  void add(const ReportedPipeline::Step &S);

  std::vector<Lane> Lanes;
  unsigned Others = 0;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_SLOTLANES_H
