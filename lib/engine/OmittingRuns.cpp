//===- OmittingRuns.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/OmittingRuns.h"
#include "lib/engine/Execution.h"
#include "lib/inference/Divisors.h"
#include "lib/solve/Solver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace clang;
using namespace cpasync;

/// Of one function.
static constexpr size_t MaxOmittingRuns = 3;
/// Steps of such a run: of whatever the kernel computes, with few rounds.
static constexpr unsigned MaxOmittingSteps = 50000;
/// All of them have this part of the time that the function has left.
static constexpr unsigned PartForOmitting = 4;

OmittingRuns::OmittingRuns(Program &P, const AnalysisOptions &Options,
                           const RunAssumptions &Found, const Budget &Cost,
                           const FunctionDecl *F, SharedValues &Values)
    : P(P), Options(silent(Options)), Known(Found.forLastRun()),
      Cost(Cost.part(PartForOmitting)), F(F), Values(Values),
      Paths(P.context(), Values, makeSolver()) {
  this->Options.StepBudget = std::min(Options.StepBudget, MaxOmittingSteps);
}

// Who asks for `N / 4` pieces has whole pieces: N is a multiple.
void OmittingRuns::takeWhole(unsigned Decided, Numbers &Given) const {
  Divisors Units;
  for (const PastDecision *D : Values.History.upTo(Decided))
    if (D->Condition)
      Units.note(D->Condition, Divisors::Of::Alone);
  for (GivenNumber &N : Given)
    if (const int64_t By = Units.of(N.Symbol); By > 1)
      N.Value = llvm::divideCeilSigned(N.Value, By) * By;
}

// Nothing to copy at all is nothing to do: there is something.
std::vector<Finding> OmittingRuns::run(const OmittedCopies::Found &Noted) {
  std::vector<Finding> All;
  std::set<std::vector<std::pair<const Atom *, int64_t>>> Done;
  for (const OmittedCopies::Omitted &Copy : Noted.Copies) {
    if (Done.size() >= MaxOmittingRuns || !AreWhole || Cost.isSpent())
      break;
    Feasibility::Answer Answer =
        Paths.solve(Copy.Decided, {Copy.Thread}, /*Least=*/1);
    if (Answer.K != Feasibility::Answer::Kind::Possible)
      continue;
    takeWhole(Copy.Decided, Answer.Numbers);
    std::vector<std::pair<const Atom *, int64_t>> Key;
    for (const GivenNumber &N : Answer.Numbers)
      Key.emplace_back(N.Symbol, N.Value);
    if (Done.insert(std::move(Key)).second)
      runWith(Answer.Numbers, Noted, All);
  }
  return All;
}

void OmittingRuns::runWith(const Numbers &Given,
                           const OmittedCopies::Found &Noted,
                           std::vector<Finding> &To) {
  RunAssumptions With = Known;
  TraceStep Told{TraceStep::Kind::WithNumbers, F->getLocation()};
  Told.Flag = true;
  for (const GivenNumber &N : Given)
    if (N.Symbol->Stable && !Known.decides(N.Symbol, Values.V)) {
      With.Numbers.emplace_back(N.Symbol, N.Value);
      Told.Numbers.push_back({N.Name, N.Value});
    }
  KernelReport Report;
  std::vector<Finding> Findings;
  P.watchBesides(Program::Matters::Everything);
  {
    Execution Run(P, Options, Values, With, Cost);
    Run.Interp.Detect.Omitted.follow(Noted);
    AreWhole = Run.Paths.run(F, Report, Findings) && !Run.Paths.isCutShort() &&
               Report.Gaps.empty();
    if (!AreWhole)
      Findings.clear();
  }
  P.unwatch();
  for (Finding &X : Findings) {
    TraceStep Step = Told;
    if (X.Cause != InFlightCause::LeftOut || FindingList::contains(To, X))
      continue;
    if (X.Path.Decided) {
      const Feasibility::Answer Rest =
          Paths.solve(X.Path.Decided, {X.Reader}, /*Least=*/1);
      if (Rest.K != Feasibility::Answer::Kind::Possible)
        continue;
      for (const GivenNumber &N : Rest.Numbers)
        Step.Numbers.push_back({N.Name, N.Value});
    }
    X.Path.Decided = 0; // its history goes with its values
    X.OnEveryPath = true;
    if (!Step.Numbers.empty())
      X.Trace.insert(X.Trace.begin(), std::move(Step));
    To.push_back(std::move(X));
  }
}
