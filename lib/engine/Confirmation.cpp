//===- Confirmation.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Confirmation.h"
#include "lib/engine/Execution.h"
#include "lib/solve/PathQuestions.h"
#include "lib/solve/Solver.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace cpasync;

/// Of a run that ends paths, questions to the solver.
static constexpr unsigned MaxQuestions = 256;
/// Of one function, runs with numbers decided.
static constexpr size_t MaxRuns = 12;
/// What parameters are at least, where the least that they can be shows
/// nothing.
static constexpr int64_t LargerNumbers[] = {2, 16, 128};
/// The last of these is so many times as large as any of them, at least.
static constexpr int64_t TimesLarger = 4;
/// What all of them are, in the end: the path that was found first may be one
/// of odd rests, and others to the same finding are not kept.
static constexpr int64_t UsualNumbers[] = {128, 1024, 4096};
/// Steps of such a run: it has fewer paths than the one before.
static constexpr unsigned MaxSteps = 25000;

Confirmation::Confirmation(Program &P, const AnalysisOptions &Options,
                           const RunAssumptions &Known, Budget &Cost,
                           const FunctionDecl *F, SharedValues &Values)
    : Confirmation(P, Options, Known, Cost, F, Values, makeSolver()) {}

Confirmation::Confirmation(Program &P, const AnalysisOptions &Options,
                           const RunAssumptions &Known, Budget &Cost,
                           const FunctionDecl *F, SharedValues &Values,
                           const llvm::SMTSolverRef &Solver)
    : P(P), Options(silent(Options)), Known(Known.forLastRun()), Cost(Cost),
      F(F), Values(Values), Solver(Solver), Paths(P.context(), Values, Solver) {
}

static llvm::SmallVector<int, 3> witnesses(const Finding &X) {
  return {X.Thread, X.Reader, X.Other};
}

Feasibility::Answer Confirmation::answerTo(const Finding &X, int64_t Least) {
  Answer R = Paths.solve(X.Path.Decided, witnesses(X), Least);
  // What has to be 1 is told already.
  if (X.Kind == FindingKind::Misaligned)
    llvm::erase_if(R.Numbers,
                   [&](const GivenNumber &N) { return N.Name == X.Text; });
  return R;
}

std::vector<Feasibility::Answer>
Confirmation::answersTo(llvm::ArrayRef<Finding> Findings) {
  std::vector<Answer> Answers;
  for (const Finding &X : Findings)
    Answers.push_back(X.Kernel.IsTold ? Answer() : answerTo(X));
  return Answers;
}

/// Somebody waits for ever as others, who decided apart from it, have gone.
static bool needsAgreement(const Finding &X) {
  return X.Kind == FindingKind::StuckPhase ||
         X.Kind == FindingKind::StuckStage ||
         X.Kind == FindingKind::StuckBarrier;
}

void Confirmation::confirm(RunResult &R) {
  if (!Solver)
    return;
  std::vector<Answer> Answers = answersTo(R.Findings);
  if (llvm::any_of(
          Answers,
          [](const Answer &A) { return A.K == Answer::Kind::Impossible; }) &&
      dropRefuted(R, Answers))
    Answers = answersTo(R.Findings);
  std::vector<Finding> Shown;
  for (auto [X, Found] : llvm::zip_equal(R.Findings, Answers)) {
    bool MayBeShown = true;
    if (X.Path.Decided && !X.OnEveryPath && !X.Kernel.IsTold) {
      // With numbers that were chosen, a path that nobody can show is a guess
      // upon a guess.
      if (Found.K != Answer::Kind::Possible &&
          (needsAgreement(X) || !Known.Numbers.empty()))
        MayBeShown = false;
      else if (Found.K != Answer::Kind::Possible)
        X.Trace.insert(X.Trace.begin(),
                       {TraceStep::Kind::WithNumbers, F->getLocation()});
      else if (!Found.Numbers.empty())
        MayBeShown = tellNumbers(X, Found) &&
                     (Known.Numbers.empty() || X.Trace.front().Flag);
    }
    if (MayBeShown) {
      Shown.push_back(std::move(X));
      continue;
    }
    const AnalysisGap Gap = {X.place(), NotShown.str()};
    if (!llvm::is_contained(R.Report.Gaps, Gap))
      R.Report.Gaps.push_back(Gap);
  }
  R.Findings = std::move(Shown);
}

// Where it was decided what cannot be together.
static std::string reasonFor(llvm::ArrayRef<SourceLocation> Places,
                             bool TakesUnusual, const SourceManager &SM) {
  std::vector<std::string> Lines;
  for (const SourceLocation At : Places)
    if (const PresumedLoc There = SM.getPresumedLoc(SM.getExpansionLoc(At));
        There.isValid())
      Lines.push_back(std::to_string(There.getLine()));
  Lines.erase(llvm::unique(Lines), Lines.end());
  const std::string What =
      TakesUnusual ? "left out: only negative or huge numbers lead there, by"
                   : "refuted: no run decides what its path does in";
  return "finding " + What + " line" +
         std::string(Lines.size() == 1 ? " " : "s ") + llvm::join(Lines, ", ");
}

bool Confirmation::dropRefuted(RunResult &R, llvm::ArrayRef<Answer> Answers) {
  RunResult Again{R.Report, {}, {}, false};
  Again.Report.Gaps.clear();
  PathQuestions Asked(P.context(), Values, *Solver);
  unsigned Questions = 0;
  const llvm::SaveAndRestore Asking(
      Values.History.IsPossible, std::function([&](unsigned Decided) {
        return ++Questions > MaxQuestions || !Asked.isImpossible(Decided);
      }));
  std::optional<Execution> Run(std::in_place, P, Options, Values, Known, Cost);
  if (!Run->Paths.run(F, Again.Report, Again.Findings))
    return false;
  const bool IsCutShort = Run->Paths.isCutShort();
  dropUnusedReads(P, Options, Known, Cost, F, Run, Again.Report,
                  Again.Findings);
  for (Finding &Y : Again.Findings)
    Y.Kernel.IsTold = llvm::any_of(R.Findings, [&](const Finding &X) {
      return X.Kernel.IsTold && FindingList::areSame(X, Y);
    });
  // What it did not come to may be so all the same, unless its path is none; of
  // that the gaps speak.
  const bool SawAll = !IsCutShort && !hasOtherGaps(Again.Report, R.Report);
  for (const auto &[X, Found] : llvm::zip_equal(R.Findings, Answers)) {
    if (llvm::any_of(Again.Findings, [&](const Finding &Y) {
          return FindingList::areSame(X, Y);
        }))
      continue;
    if (SawAll || Found.K == Answer::Kind::Impossible)
      R.Report.Refuted.push_back(
          {X.place(),
           reasonFor(Paths.contradiction(X.Path.Decided, witnesses(X)),
                     Paths.takesUnusual(X.Path.Decided, witnesses(X)),
                     P.context().getSourceManager())});
    else
      Again.Findings.push_back(X);
  }
  for (AnalysisGap &G : Again.Report.Gaps)
    if (!llvm::is_contained(R.Report.Gaps, G))
      R.Report.Gaps.push_back(std::move(G));
  R.Findings = std::move(Again.Findings);
  return true;
}

namespace {
/// The iterations that a trace tells of.
struct ToldRounds {
  explicit ToldRounds(const Finding &X) {
    for (const TraceStep &Step : X.Trace)
      if (Step.K == TraceStep::Kind::Iteration) {
        ++Count;
        Named += !Step.Name.empty();
        Late += std::max<int64_t>(Step.N, 0);
      }
  }
  unsigned Count = 0;
  unsigned Named = 0; ///< by a variable
  int64_t Late = 0;   ///< all their numbers
};
} // namespace

// A path that goes by names may tell of rounds that a run with those numbers
// does not have: it is told as that run was, where that is clearer.
static void tellAsShown(Finding &X, const Finding &Run) {
  const ToldRounds Told(X), Shown(Run);
  const bool IsClearer = Shown.Named > Told.Named ||
                         (Shown.Named == Told.Named && Shown.Late < Told.Late);
  if (!IsClearer || Shown.Count < Told.Count || Run.At.Copy != X.At.Copy)
    return;
  std::vector<SourceLocation> OtherReads = std::move(X.At.OtherReads);
  X.At = Run.At;
  X.At.OtherReads = std::move(OtherReads);
  X.Thread = Run.Thread;
  X.Reader = Run.Reader;
  X.Other = Run.Other;
  X.Byte = Run.Byte;
  X.Element = Run.Element;
  const unsigned Length = X.Path.Length;
  X.Path = Run.Path;
  X.Path.Length = Length; // of several instances, the one with least is told
  X.Trace = Run.Trace;
}

std::optional<bool>
Confirmation::isFoundWith(const std::vector<GivenNumber> &Numbers, Finding &X) {
  RunAssumptions With = Known;
  std::string Key;
  for (const GivenNumber &N : Numbers)
    if (N.Symbol->Stable && !Known.decides(N.Symbol, Values.V)) {
      With.Numbers.emplace_back(N.Symbol, N.Value);
      Key += N.Name + "=" + std::to_string(N.Value) + ";";
    }
  auto [Of, IsNew] = Trials.try_emplace(Key);
  Trial &Run = Of->second;
  if (IsNew && Trials.size() <= MaxRuns) {
    AnalysisOptions Short = Options;
    Short.StepBudget = std::min(Short.StepBudget, MaxSteps);
    KernelReport Report;
    Execution Again(P, Short, Values, With, Cost);
    Run.IsWhole = Again.Paths.run(F, Report, Run.Findings) &&
                  !Again.Paths.isCutShort() && Report.Gaps.empty();
  }
  const auto Found = llvm::find_if(Run.Findings, [&](const Finding &Y) {
    return FindingList::areSame(X, Y);
  });
  if (Found == Run.Findings.end())
    return Run.IsWhole ? std::optional(false) : std::nullopt;
  tellAsShown(X, *Found);
  return true;
}

/// Hosts that have nothing to do launch nothing, mostly: a run has to show what
/// is wrong then.
static bool isOfNothing(const GivenNumber &N) {
  return N.Value == 0 && N.Symbol->Kind == Atom::Op::Symbol &&
         N.Symbol->Stable && !Symbols::isInGrid(N.Symbol);
}

bool Confirmation::tellNumbers(Finding &X, const Answer &First) {
  const std::vector<GivenNumber> *Told = &First.Numbers;
  std::optional<bool> IsFound = isFoundWith(First.Numbers, X);
  Answer Other;
  llvm::SmallVector<int64_t, 4> Larger(std::begin(LargerNumbers),
                                       std::end(LargerNumbers));
  // Several times as much work as that.
  for (const GivenNumber &N : First.Numbers)
    if (!Symbols::isInGrid(N.Symbol))
      Larger.back() = std::max(Larger.back(), TimesLarger * N.Value);
  for (const int64_t Least : Larger) {
    if (IsFound != std::optional(false))
      break;
    Other = answerTo(X, Least);
    if (Other.K != Answer::Kind::Possible || Other.Numbers.empty())
      continue;
    IsFound = isFoundWith(Other.Numbers, X);
    if (IsFound == std::optional(true))
      Told = &Other.Numbers;
  }
  std::vector<GivenNumber> Usual = First.Numbers;
  for (const int64_t Size : UsualNumbers) {
    if (IsFound != std::optional(false))
      break;
    for (GivenNumber &N : Usual)
      if (Values.Origins.isParameter(N.Symbol))
        N.Value = Size;
    if (isFoundWith(Usual, X).value_or(false)) {
      IsFound = true;
      Told = &Usual;
      X.Path.Length = UINT_MAX; // other instances go first
    }
  }
  // Where an address lies hangs on no other step of the path.
  if (IsFound == std::optional(false) && X.Kind != FindingKind::Misaligned)
    return false;
  if (!IsFound && llvm::any_of(*Told, isOfNothing)) {
    Other = answerTo(X, /*Least=*/1);
    if (Other.K != Answer::Kind::Possible || Other.Numbers.empty())
      return false;
    Told = &Other.Numbers;
    IsFound = isFoundWith(Other.Numbers, X);
    if (IsFound == std::optional(false))
      return false;
  }
  TraceStep Step{TraceStep::Kind::WithNumbers, F->getLocation()};
  for (const GivenNumber &N : *Told)
    Step.Numbers.push_back({N.Name, N.Value});
  Step.Flag = IsFound.value_or(false);
  X.Trace.insert(X.Trace.begin(), Step);
  return true;
}
