//===- wrong-wait-group.cpp - Waits that leave too much in flight ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `wait_group N` returns as soon as at most the N newest groups are in flight.
// If the data read next is in one of those, or its group is committed only
// after the wait, the wait did not cover it. PTX ISA, "cp.async.wait_group".
// The hardware encodes N in six bits and takes every other N for 63;
// __pipeline_wait_prior clamps its argument to 8.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"
#include "lib/memory/GroupQueue.h"

using namespace cpasync;

bool WrongWaitGroup::owns(const Finding &F) {
  return F.Kind == FindingKind::WaitCountRange ||
         (F.Kind == FindingKind::ReadInFlight &&
          (F.Cause == InFlightCause::WaitBeforeCommit ||
           F.Cause == InFlightCause::WaitTooWeak));
}

/// What __pipeline_wait_prior makes of every larger argument.
static constexpr int PipelineWaitPriorClamp = 8;

static std::string countOutOfRange(const Finding &F) {
  const int Taken = F.Text == "__pipeline_wait_prior" ? PipelineWaitPriorClamp
                                                      : int(MaxWaitGroupCount);
  return "'" + F.Text + "' takes the count " + std::to_string(F.Value) +
         " for " + std::to_string(Taken);
}

static std::string tooWeak(const Finding &F) {
  std::string Text = "wait leaves " +
                     counted(effectiveWaitCount(F.Value), "group") +
                     " in flight, but ";
  if (F.NewerGroups == 0)
    return Text + objectName(F) +
           (F.OnEveryPath ? " was copied in the newest one"
                          : " may be in the newest one");
  return Text + "only " + std::to_string(F.NewerGroups) +
         (F.OnEveryPath ? (F.NewerGroups == 1 ? " is" : " are") : " may be") +
         " newer than the copy into " + objectName(F);
}

Primary WrongWaitGroup::describe(const Finding &F) {
  if (F.Kind == FindingKind::WaitCountRange)
    return {F.At.Wait, countOutOfRange(F)};
  if (F.Cause == InFlightCause::WaitTooWeak)
    return {F.At.Wait, tooWeak(F)};
  return {F.At.Wait, std::string(F.OnEveryPath ? "wait runs" : "wait may run") +
                         " before the copy into " + objectName(F) +
                         " is committed"};
}
