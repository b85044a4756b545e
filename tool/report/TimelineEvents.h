//===- TimelineEvents.h - What a timeline is drawn from ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations on the way to a finding in their order, with the words of each
// and the iteration that it is in. They are those of ReportedFinding::Around,
// or where that is empty those that its path tells.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_TIMELINEEVENTS_H
#define CPASYNC_TOOL_REPORT_TIMELINEEVENTS_H

#include "checks/FrontEnd.h"

namespace cpasync {

struct TimelineEvent {
  ReportedPipeline::Step S;
  std::string Column; ///< "Tile = 0"; empty: there is no loop
  unsigned Told = 0;  ///< the step of the path that tells it, from 1; 0: none
  std::string Lane;   ///< "threads 0-31"; empty: the slots that it touches
};

struct TimelineEvents {
  explicit TimelineEvents(const ReportedFinding &F);

  std::vector<TimelineEvent> List;
  unsigned Before = 0; ///< steps that came before and are not known
  std::string Owner;   ///< as in ReportedPipeline
  bool IsInFlight = false, IsAlone = false; ///< the same

private:
  void takeAround(const ReportedFinding &F);
  void takePath(const ReportedFinding &F);
};

/// It touches bytes of a slot.
bool isAccess(const ReportedPipeline::Step &S);
bool isCopy(const ReportedPipeline::Step &S);
bool isCommit(const ReportedPipeline::Step &S);
/// It waits for groups.
bool isGroupWait(const ReportedPipeline::Step &S);
/// "copy", "wait 1".
std::string markText(const ReportedPipeline::Step &S);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_TIMELINEEVENTS_H
