//===- MadeUpRuns.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/MadeUpRuns.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;
using namespace cpasync;

namespace {
struct InstanceRun {
  const MadeUpInstance *Of;
  RunResult Result;
};
} // namespace

static bool shows(const InstanceRun &R, const Finding &F) {
  return FindingList::contains(R.Result.Findings, F);
}

/// Says more of the arguments than of the kernel, if others do not show it.
static bool speaksOfArguments(const Finding &F) {
  return (F.Kind == FindingKind::BadOperand && !F.IsLiteral) ||
         F.Kind == FindingKind::WaitCountRange ||
         F.Kind == FindingKind::Misaligned;
}

/// Leaves those of \p Runs that are not \p Unmeant, if there are any.
static void dropUnmeant(std::vector<InstanceRun> &Runs,
                        llvm::function_ref<bool(const InstanceRun &)> Unmeant) {
  std::vector<bool> Drop;
  for (const InstanceRun &X : Runs)
    Drop.push_back(Unmeant(X));
  if (llvm::all_of(Drop, [](bool B) { return B; }))
    return;
  std::vector<InstanceRun> Left;
  for (const auto &[X, IsUnmeant] : llvm::zip(Runs, Drop))
    if (!IsUnmeant)
      Left.push_back(std::move(X));
  Runs = std::move(Left);
}

MadeUpRuns cpasync::runForInstances(AnalysedProgram &P,
                                    const AnalysisOptions &Options,
                                    const LaunchTable &Launches, Budget &Cost,
                                    const UninstantiatedTemplate &Of,
                                    const KernelReport &Empty) {
  std::vector<InstanceRun> Runs;
  AnalysisOptions Each = Options;
  Each.StepBudget =
      std::max<unsigned>(Options.StepBudget / Of.Instances.size(), 1);
  for (const auto &[I, X] : llvm::enumerate(Of.Instances)) {
    Budget Own = Cost.part(Of.Instances.size() - I);
    Runs.push_back({&X, runForItsShapes(P, Each, Launches.launchesOf(X.F), Own,
                                        X.F, Empty)});
  }
  // Without copies there is nothing that could go wrong.
  dropUnmeant(Runs, [](const InstanceRun &X) {
    return X.Result.Report.Copies == 0 && X.Result.Report.Gaps.empty();
  });
  dropUnmeant(Runs, [](const InstanceRun &X) { return X.Result.FitsNoShape; });
  dropUnmeant(Runs, [&](const InstanceRun &X) {
    return llvm::any_of(X.Result.Findings, [&](const Finding &F) {
      return speaksOfArguments(F) &&
             !llvm::all_of(Runs, [&](const InstanceRun &Other) {
               return shows(Other, F);
             });
    });
  });
  MadeUpRuns Found{{Runs.front().Result.Report, {}, {}}, {}};
  RunResult &All = Found.Together;
  const SourceLocation Loc = Of.Pattern->getLocation();
  All.Report.MadeUp = true;
  All.Report.Gaps.clear();
  const bool IsWhole = llvm::any_of(
      Runs, [](const InstanceRun &X) { return X.Result.Report.Gaps.empty(); });
  const bool CopiesNothing = llvm::all_of(
      Runs, [](const InstanceRun &X) { return X.Result.Report.Copies == 0; });
  if (Of.Copies && CopiesNothing && IsWhole)
    All.Report.Gaps.push_back({Loc, "template is never instantiated: nothing "
                                    "is copied with " +
                                        Runs.front().Of->Arguments});
  for (InstanceRun &X : Runs) {
    Found.Meant.push_back(X.Of->F);
    if (!IsWhole)
      addWhatIsLeftOut(All.Report, X.Result.Report);
    for (Finding &F : X.Result.Findings) {
      if (llvm::any_of(All.Findings, [&](const Finding &Old) {
            return FindingList::areSame(Old, F);
          }))
        continue;
      F.Trace.insert(F.Trace.begin(),
                     {TraceStep::Kind::MadeUpArguments, Loc, X.Of->Arguments});
      All.Findings.push_back(std::move(F));
    }
  }
  return Found;
}
