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

using namespace clang;
using namespace cpasync;

namespace {
struct InstanceRun {
  const MadeUpInstance *Of;
  RunResult Result;
};
} // namespace

static bool shows(const InstanceRun &R, const Finding &F) {
  return llvm::any_of(R.Result.Findings, [&](const Finding &Other) {
    return FindingList::areSame(F, Other);
  });
}

/// Says more of the arguments than of the kernel, if others do not show it.
static bool speaksOfArguments(const Finding &F) {
  return F.Kind == FindingKind::BadOperand ||
         F.Kind == FindingKind::WaitCountRange ||
         F.Kind == FindingKind::Misaligned;
}

/// Leaves those of \p Runs that are not \p Unmeant, if there are any.
static void
dropUnmeant(std::vector<InstanceRun> &Runs,
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

RunResult cpasync::runForInstances(AnalysedProgram &P,
                                   const AnalysisOptions &Options,
                                   const LaunchTable &Launches, Budget &Cost,
                                   const UninstantiatedTemplate &Of,
                                   const KernelReport &Empty) {
  std::vector<InstanceRun> Runs;
  for (const MadeUpInstance &X : Of.Instances)
    Runs.push_back({&X, runForItsShapes(P, Options, Launches.blocksOf(X.F),
                                        Cost, X.F, Empty)});
  dropUnmeant(Runs, [](const InstanceRun &X) { return X.Result.FitsNoShape; });
  dropUnmeant(Runs, [&](const InstanceRun &X) {
    return llvm::any_of(X.Result.Findings, [&](const Finding &F) {
      return speaksOfArguments(F) &&
             !llvm::all_of(Runs, [&](const InstanceRun &Other) {
               return shows(Other, F);
             });
    });
  });
  RunResult R = std::move(Runs.front().Result);
  const std::string &With = Runs.front().Of->Arguments;
  const SourceLocation Loc = Of.Pattern->getLocation();
  R.Report.MadeUp = With.empty() ? "its defaults" : With;
  llvm::erase_if(R.Findings, [&](const Finding &F) {
    const auto Other = llvm::find_if(
        llvm::drop_begin(Runs),
        [&](const InstanceRun &X) { return !shows(X, F); });
    if (Other == Runs.end())
      return false;
    R.Report.Gaps.push_back({F.place(), "wrong with " + With + ", not with " +
                                            Other->Of->Arguments +
                                            ", and nothing tells which"});
    return true;
  });
  for (Finding &F : R.Findings)
    F.Trace.insert(F.Trace.begin(),
                   {TraceStep::Kind::MadeUpArguments, Loc, R.Report.MadeUp});
  return R;
}
