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
  switch (F.Kind) {
  case FindingKind::StuckPhase:
  case FindingKind::StuckStage:
  case FindingKind::StuckBarrier:
  case FindingKind::ExtraArrivals:
  case FindingKind::UnorderedInit:
    return true;
  default:
    return false;
  }
}

static std::string barrierName(const Finding &F) {
  return F.Object.empty() ? "an mbarrier" : objectName(F);
}

static std::string onPhase(const Finding &F, llvm::StringRef Never) {
  const std::string AtLeast = F.Path.LeavesOpen ? "at least " : "";
  std::string Text =
      "phase of " + barrierName(F) + " waited for here " + Never.str();
  if (F.Value < F.Limit)
    return Text + std::to_string(F.Value) + " of " +
           counted(F.Limit, "arrival") + " came";
  if (F.Copied > 0)
    return Text + AtLeast + counted(F.Copied, "byte") +
           " more announced than copied";
  return Text + AtLeast + counted(-F.Copied, "byte") +
         " more copied than announced";
}

Primary MismatchedPhase::describe(const Finding &F) {
  const std::string Value = std::to_string(F.Value),
                    Limit = std::to_string(F.Limit);
  const llvm::StringRef Never =
      F.OnEveryPath ? "never completes: " : "may never complete: ";
  switch (F.Kind) {
  case FindingKind::UnorderedInit:
    return {F.At.Operand, barrierName(F) + " may be used by " +
                              threadName(F, F.Thread) + " before " +
                              threadName(F, F.Other) + " has initialised it"};
  case FindingKind::ExtraArrivals:
    return {F.At.Operand, counted(F.Value, "arrival") +
                              " at once in a phase of " + barrierName(F) +
                              " that waits for " + Limit};
  case FindingKind::StuckBarrier:
    if (F.Value > F.Limit)
      return {F.At.Wait, counted(F.Value, "thread") + " at once at barrier " +
                             F.Text + " that waits for " + Limit};
    return {F.At.Wait, "barrier " + F.Text + " waited for here " + Never.str() +
                           Value + " of " + counted(F.Limit, "thread") +
                           " came"};
  case FindingKind::StuckStage:
    return {F.At.Wait, "stage of " + objectName(F) + " acquired here " +
                           (F.OnEveryPath ? "is never" : "may never be") +
                           " free: " + Value + " of " +
                           counted(F.Limit, "thread") + " released it"};
  default:
    return {F.At.Wait, onPhase(F, Never)};
  }
}
