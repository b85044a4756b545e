//===- mismatched-phase.cpp - Phases that do not add up -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A phase of an mbarrier is complete when as many arrivals came as it was
// initialised with, and as many bytes were copied as were announced. With
// fewer, whoever waits hangs; with more, it is over too soon. PTX ISA,
// "mbarrier: Phase completion".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool MismatchedPhase::owns(const Finding &F) {
  return F.Kind == FindingKind::StuckPhase ||
         F.Kind == FindingKind::StuckBarrier ||
         F.Kind == FindingKind::ExtraArrivals ||
         F.Kind == FindingKind::UnorderedInit;
}

static std::string barrierName(const Finding &F) {
  return F.Object.empty() ? "an mbarrier" : objectName(F);
}

Primary MismatchedPhase::describe(const Finding &F) {
  if (F.Kind == FindingKind::UnorderedInit)
    return {F.At.Operand, barrierName(F) + " may be used by " +
                              threadName(F, F.Thread) + " before " +
                              threadName(F, F.Other) + " has initialised it"};
  if (F.Kind == FindingKind::ExtraArrivals)
    return {F.At.Operand, counted(F.Value, "arrival") +
                              " at once in a phase of " + barrierName(F) +
                              " that waits for " + std::to_string(F.Limit)};
  const std::string Never =
      F.OnEveryPath ? "never completes: " : "may never complete: ";
  if (F.Kind == FindingKind::StuckBarrier && F.Value > F.Limit)
    return {F.At.Wait, counted(F.Value, "thread") + " at once at barrier " +
                           F.Text + " that waits for " +
                           std::to_string(F.Limit)};
  if (F.Kind == FindingKind::StuckBarrier)
    return {F.At.Wait, "barrier " + F.Text + " waited for here " + Never +
                           std::to_string(F.Value) + " of " +
                           counted(F.Limit, "thread") + " came"};
  const std::string AtLeast = F.Path.LeavesOpen ? "at least " : "";
  std::string Text = "phase of " + barrierName(F) + " waited for here " + Never;
  if (F.Value < F.Limit)
    Text += std::to_string(F.Value) + " of " + counted(F.Limit, "arrival") +
            " came";
  else if (F.Copied > 0)
    Text += AtLeast + counted(F.Copied, "byte") + " more announced than copied";
  else
    Text +=
        AtLeast + counted(-F.Copied, "byte") + " more copied than announced";
  return {F.At.Wait, std::move(Text)};
}
