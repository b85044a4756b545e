//===- Limits.cpp - When a run is given up --------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Executor.h"
#include "lib/inference/SharedSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Of its steps, a run that has shown what is wrong has this part, and as many
/// at least: what a run that confirms one has.
static constexpr unsigned PartIfShown = 16, LeastIfShown = 20000;

// Something is wrong or not known, if only as addresses hang on numbers that
// nobody knows: runs with such numbers tell more.
bool Executor::leavesMuchToSizes(const State &S) const {
  return (!Findings.To->empty() || !Run.Report->Gaps.empty()) &&
         Interp.Known.Numbers.empty() &&
         llvm::any_of(sharedSizes(Run, S.Frames.front().Fn->decl()),
                      [](const SharedSize &X) { return X.isInAddress(); });
}

std::string Executor::exceeded(const State &Path) {
  // Where copies are not waited for, they pile up and no loop settles: what is
  // wrong is known by then.
  const unsigned Part =
      std::max(Run.Options.StepBudget / PartIfShown, LeastIfShown);
  if (Findings.ReadInFlight || (Run.Steps == Part && leavesMuchToSizes(Path)))
    Run.MaxSteps = std::min(Run.MaxSteps, std::max(Part, Run.Steps));
  if (++Run.Steps > Run.MaxSteps)
    return "step budget of " + std::to_string(Run.MaxSteps);
  if (Branching.Forks > Run.Options.PathBudget)
    return "path budget of " + std::to_string(Run.Options.PathBudget);
  if (Cost.isSpent())
    return Cost.reason();
  if (!TimeForOpen || !TimeForOpen->isSpent())
    return "";
  if (leavesMuchToSizes(Path))
    return TimeForOpen->reason();
  TimeForOpen.reset();
  return "";
}
