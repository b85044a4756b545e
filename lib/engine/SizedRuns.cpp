//===- SizedRuns.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/SizedRuns.h"
#include "lib/engine/Execution.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

namespace {
struct Choice {
  int64_t Size, Count;
  bool CountsIfEither; ///< what may be a size or a count is a count

  int64_t of(SharedSize::Kind K) const {
    const bool IsCount = K == SharedSize::Kind::Count ||
                         (K == SharedSize::Kind::Either && CountsIfEither);
    return IsCount ? Count : Size;
  }
  /// Not a multiple of as much.
  Choice ragged() const { return {Size + 16, Count + 1, CountsIfEither}; }
  Choice twice() const { return {2 * Size, 2 * Count, CountsIfEither}; }
};

struct SizedRun {
  std::string Numbers; ///< "hidden = 1024, stages = 4"
  RunResult Result;
  bool IsWhole;
};
} // namespace

/// A row of a usual model in several rounds of a usual block, and a ring that
/// is not too short; less where that takes too long.
static constexpr Choice Choices[] = {
    {1024, 4, false}, {128, 3, false}, {1024, 4, true}};
/// All of them have this part of a run's steps.
static constexpr unsigned StepsOfRun = 4;

static bool isFoundBy(const RunResult &R, const Finding &X) {
  return llvm::any_of(R.Findings, [&](const Finding &Y) {
    return FindingList::haveSameCause(X, Y);
  });
}

static void tellNumbers(Finding &X, llvm::StringRef Numbers,
                        const FunctionDecl *F) {
  using Kind = TraceStep::Kind;
  const auto Step = llvm::find_if(X.Trace, [](const TraceStep &S) {
    return S.K == Kind::WithNumbers && !S.Name.empty();
  });
  if (Step != X.Trace.end())
    Step->Name = (Numbers + ", " + Step->Name).str();
  else
    X.Trace.insert(X.Trace.begin(), {Kind::WithNumbers, F->getLocation(),
                                     Numbers.str(), 0, /*Flag=*/true});
}

namespace {
class SizedRuns {
public:
  SizedRuns(AnalysedProgram &P, const AnalysisOptions &Options,
            const RunAssumptions &Found, Budget &Cost, const FunctionDecl *F,
            const KernelReport &Empty, RunResult First)
      : P(P), Short(silent(Options)), Found(Found), Cost(Cost), F(F),
        Empty(Empty), First(std::move(First)), Sizes(this->First.Sizes) {
    Short.StepBudget /= StepsOfRun;
  }

  RunResult run() {
    std::optional<Choice> Fits;
    for (const Choice &C : Choices) {
      if (Fits || (C.CountsIfEither && !hasEither()) ||
          (!Tried.empty() && Cost.isSpent()))
        break;
      if (attempt(C))
        Fits = C;
      if (Misfit)
        return *std::move(Misfit);
    }
    if (!Fits)
      return together(nullptr);
    const size_t Base = Tried.size() - 1;
    attempt(Fits->ragged());
    if (!Tried[Base].Result.Findings.empty() && !Tried.back().IsWhole)
      attempt(Fits->twice());
    return together(&Tried[Base]);
  }

private:
  bool hasEither() const {
    return llvm::any_of(Sizes, [](const OpenSize &S) {
      return S.Of == SharedSize::Kind::Either;
    });
  }

  /// True: it was followed to its end, and came to whatever the first did.
  bool attempt(const Choice &C) {
    SizedRun New;
    do {
      New = runFor(C);
      // What was a product of two is seen when one is known.
      llvm::append_range(Sizes, New.Result.Sizes);
    } while (!New.IsWhole && !New.Result.Sizes.empty() && !Cost.isSpent());
    // Of several shapes, this is not the one.
    if (New.Result.Clues.Against && !Found.IsLast)
      Misfit = std::move(New.Result);
    else
      Tried.push_back(std::move(New));
    return !Misfit && Tried.back().IsWhole;
  }
  SizedRun runFor(const Choice &C) {
    RunAssumptions Known =
        Found.IsLast ? Found.forLastRun() : Found.forNextRun();
    SizedRun New;
    for (const OpenSize &S : Sizes) {
      Known.Numbers.push_back(S.Number);
      Known.Numbers.back().Is = C.of(S.Of);
      New.Numbers += (New.Numbers.empty() ? "" : ", ") +
                     (S.Name.empty() ? "a number without a name" : S.Name) +
                     " = " + std::to_string(C.of(S.Of));
    }
    New.Result = runFunction(P, Short, Known, Cost, F, Empty);
    New.IsWhole = !New.Result.IsCutShort &&
                  !hasOtherGaps(New.Result.Report, First.Report) &&
                  New.Result.Report.Copies >= First.Report.Copies;
    return New;
  }

  /// \p Whole: what else there is to say of the function; null: that is what
  /// the first run says.
  RunResult together(const SizedRun *Whole) {
    RunResult All{Whole ? Whole->Result.Report : First.Report, {}, First.Clues};
    All.UsesThreads = First.UsesThreads;
    All.IsCutShort = !Whole;
    if (Whole)
      All.Report.AssumedSizes = Whole->Numbers;
    for (SizedRun &R : Tried)
      for (Finding &X : R.Result.Findings) {
        if (isFoundBy(All, X))
          continue;
        const bool IsFoundTwice =
            isFoundBy(First, X) || llvm::any_of(Tried, [&](const SizedRun &Y) {
              return &Y != &R && isFoundBy(Y.Result, X);
            });
        if (!IsFoundTwice) {
          leaveOut(All.Report.Gaps, X,
                   "wrong with " + R.Numbers +
                       ", not with others, and nothing tells which");
          continue;
        }
        All.Findings.push_back(X);
        tellNumbers(All.Findings.back(), R.Numbers, F);
      }
    for (const Finding &X : First.Findings)
      if (!isFoundBy(All, X))
        leaveOut(Whole ? All.Report.Refuted : All.Report.Gaps, X,
                 Whole ? "finding left out: it is none with " + Whole->Numbers
                       : "a finding is not told: no run that was tried shows "
                         "it");
    return All;
  }
  static void leaveOut(std::vector<AnalysisGap> &From, const Finding &X,
                       std::string Why) {
    const AnalysisGap Gap = {X.place(), std::move(Why)};
    if (!llvm::is_contained(From, Gap))
      From.push_back(Gap);
  }

  AnalysedProgram &P;
  AnalysisOptions Short;
  const RunAssumptions &Found;
  Budget &Cost;
  const FunctionDecl *F;
  const KernelReport &Empty;
  RunResult First;
  std::vector<OpenSize> Sizes;
  std::vector<SizedRun> Tried;
  std::optional<RunResult> Misfit; ///< with what speaks against the shape
};
} // namespace

RunResult cpasync::runWithSizes(AnalysedProgram &P,
                                const AnalysisOptions &Options,
                                const RunAssumptions &Found, Budget &Cost,
                                const FunctionDecl *F,
                                const KernelReport &Empty, RunResult First) {
  return SizedRuns(P, Options, Found, Cost, F, Empty, std::move(First)).run();
}
