//===- SizedRuns.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/SizedRuns.h"
#include "lib/engine/Confirmation.h"
#include "lib/engine/Execution.h"
#include "lib/engine/SizeChoice.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

namespace {
struct SizedRun {
  std::vector<NamedNumber> Numbers;
  RunResult Result;
  bool IsWhole;
  bool MayOverlap = false; ///< nothing says that its rows have room
  bool HasAll = false;     ///< as SizeChoice::HasAll

  bool comesToAllOf(const SizedRun &Other) const {
    return llvm::all_of(Other.Result.Reached, [&](const CFGBlock *B) {
      return Result.Reached.contains(B);
    });
  }
};
} // namespace

/// A row of a usual model in several rounds of a usual block, and a ring that
/// is not too short; less where that takes too long.
/// Each of them has this part of a run's steps, and of the time that is left.
static constexpr unsigned StepsOfRun = 4, TimeOfRun = 4;

static void tellNumbers(Finding &X, llvm::ArrayRef<NamedNumber> Numbers,
                        const FunctionDecl *F) {
  using Kind = TraceStep::Kind;
  auto Step = llvm::find_if(X.Trace, [](const TraceStep &S) {
    return S.K == Kind::WithNumbers && !S.Numbers.empty();
  });
  if (Step == X.Trace.end())
    Step = X.Trace.insert(X.Trace.begin(), {Kind::WithNumbers, F->getLocation(),
                                            "", 0, /*Flag=*/true});
  Step->Numbers.insert(Step->Numbers.begin(), Numbers.begin(), Numbers.end());
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
    std::optional<SizeChoice> Fits;
    size_t Base = 0;
    const std::vector<SizeChoice> ToTry = choicesFor(Sizes);
    for (const SizeChoice &C : ToTry) {
      if (!Tried.empty() && Cost.isSpent())
        break;
      const bool IsWhole = attempt(C);
      if (Misfit)
        return *std::move(Misfit);
      if (!IsWhole || (Fits && hasGaps(Tried.back())))
        continue;
      Fits = C;
      Base = Tried.size() - 1;
      if (!hasGaps(Tried.back()))
        break;
    }
    if (!Fits && !ToTry.empty() && attemptRoomy(ToTry.front())) {
      Fits = ToTry.front().roomy();
      Base = Tried.size() - 1;
    }
    if (!Fits)
      return Misfit ? *std::move(Misfit) : together(nullptr);
    attempt(Fits->ragged());
    // It may be right for these numbers alone.
    if (Fits->Rounds && !First.IsCutShort && !Tried.back().IsWhole &&
        Tried[Base].Result.Findings.empty())
      return together(nullptr);
    if (Fits->Rounds && Tried[Base].Result.Findings.empty() &&
        !Tried.back().Result.Findings.empty())
      attempt(Fits->moreRagged());
    if (!Tried[Base].Result.Findings.empty() && !Tried.back().IsWhole)
      attempt(Fits->twice());
    // Longer rows of fewer, and one that is no multiple.
    if (Fits->HasAll && Tried[Base].Result.Findings.empty() &&
        attempt(Fits->with(Fits->Size, 1)) &&
        !Tried.back().Result.Findings.empty())
      attempt(Fits->ragged().with(Fits->Size, 1));
    if (!Roomy &&
        llvm::any_of(Tried, [](auto &R) { return !R.Result.Findings.empty(); }))
      attemptRoomy(*Fits);
    if (readsTooMuch() &&
        llvm::any_of(Sizes, [](auto &S) { return S.Filling.has_value(); })) {
      Filling = Tried.size();
      attempt(Fits->filling());
    }
    if (Tried[Base].Result.Findings.empty())
      reachAll(*Fits);
    if (choosesSizes() &&
        llvm::all_of(Tried,
                     [](auto &R) { return R.Result.Findings.empty(); }) &&
        speaksLongerAgainst(*Fits))
      return *std::move(Misfit);
    return together(&Tried[Base]);
  }

private:
  /// Else rounds alone.
  bool choosesSizes() const {
    return llvm::any_of(Sizes, [](const OpenSize &S) { return S.IsChosen; });
  }
  /// What is not known with it, nor without.
  static bool hasGaps(const SizedRun &R) {
    return !R.Result.Report.Gaps.empty();
  }
  /// Of a copy that is shorter than where it goes to, more is read.
  static bool isOfShortCopy(const Finding &X) {
    return X.Kind == FindingKind::UnwrittenRead;
  }
  bool readsTooMuch() const {
    return llvm::any_of(Tried, [](const SizedRun &R) {
      return llvm::any_of(R.Result.Findings, isOfShortCopy);
    });
  }
  /// One number says how far apart rows lie, and another how long they are:
  /// they may have been chosen so that rows overlap.
  bool mayOverlap(const SizeChoice &C) const {
    return C.PitchOfSize == 1 &&
           llvm::any_of(Sizes,
                        [&](auto &S) {
                          return S.IsChosen && !S.IsExtent && !C.isCount(S);
                        }) &&
           llvm::any_of(Sizes, [](auto &S) { return S.IsExtent; });
  }
  bool attemptRoomy(const SizeChoice &Fits) {
    if (!mayOverlap(Fits))
      return false;
    Roomy = Tried.size();
    return attempt(Fits.roomy());
  }

  /// Longer rows are tried; true: they speak against the shape of the block.
  /// Where they are too long for what they go to, that says nothing.
  bool speaksLongerAgainst(const SizeChoice &Fits) {
    for (const SizeChoice &C : {Fits.longer(), Fits.longer().ragged()}) {
      if (Cost.isSpent())
        return false;
      SizedRun New = runFor(C);
      const auto &Against = New.Result.Clues.Against;
      if (Against && Against->MayBeDefect && !Found.IsLast) {
        Misfit = std::move(New.Result);
        return true;
      }
      if (!New.IsWhole || New.Result.Findings.empty())
        return false;
      Tried.push_back(std::move(New));
    }
    return false;
  }

  /// With other numbers, what is not come to with those that fit.
  void reachAll(const SizeChoice &Fits) {
    for (const SizeChoice &C : othersThan(Fits, Sizes)) {
      if (Cost.isSpent() || unreached().isInvalid())
        return;
      attempt(C);
    }
  }
  /// Of what the first run has come to and no other.
  SourceLocation unreached() {
    SourceLocation Loc;
    for (const CFGBlock *B : First.Reached)
      if (llvm::none_of(Tried, [&](const SizedRun &R) {
            return R.IsWhole && R.Result.Reached.contains(B);
          }))
        for (const CFGElement &E : *B)
          if (const auto S = E.getAs<CFGStmt>();
              S && (P.P.effects(S->getStmt()) & ~EffectStop)) {
            const SourceLocation At = S->getStmt()->getBeginLoc();
            if (Loc.isInvalid() ||
                P.P.context().getSourceManager().isBeforeInTranslationUnit(At,
                                                                           Loc))
              Loc = At;
          }
    return Loc;
  }

  /// True: it was followed to its end, and came to whatever the first did.
  bool attempt(const SizeChoice &C) {
    SizedRun New = runFor(C);
    // What was a product of two is seen when one is known.
    while (addNew(New.Result.Sizes) && !New.IsWhole && !Cost.isSpent())
      New = runFor(C);
    // Of several shapes, this is not the one.
    const auto &Against = New.Result.Clues.Against;
    if (Against && !Found.IsLast && !(Against->MayBeDefect && mayOverlap(C)))
      Misfit = New.Result;
    Tried.push_back(std::move(New));
    return !Misfit && Tried.back().IsWhole;
  }
  /// True: one of them is to be chosen.
  bool addNew(llvm::ArrayRef<OpenSize> Shown) {
    bool IsAny = false;
    for (const OpenSize &S : Shown) {
      const auto Old = llvm::find_if(
          Sizes, [&](const OpenSize &X) { return X.Number.isSame(S.Number); });
      if (Old == Sizes.end())
        Sizes.push_back(S);
      else if (S.IsChosen && !Old->IsChosen)
        *Old = S;
      else
        continue;
      IsAny |= S.IsChosen;
    }
    return IsAny;
  }
  SizedRun runFor(const SizeChoice &C) {
    RunAssumptions Known =
        Found.IsLast ? Found.forLastRun() : Found.forNextRun();
    SizedRun New;
    for (const OpenSize &S : Sizes) {
      const std::optional<int64_t> Is = C.of(S);
      if (!Is)
        continue;
      Known.Numbers.push_back(S.Number);
      Known.Numbers.back().Is = *Is;
      New.Numbers.push_back(
          {S.Name.empty() ? "a number without a name" : S.Name, *Is});
    }
    Budget Part = Cost.part(TimeOfRun);
    New.Result = runFunction(P, Short, Known, Part, F, Empty);
    const auto IsOfPitch = [](const Finding &X) {
      return X.Kind == FindingKind::Misaligned ||
             X.Kind == FindingKind::BadOperand;
    };
    const bool IsAnyOfPitch =
        C.isNoPitch() && llvm::any_of(New.Result.Findings, IsOfPitch);
    if (IsAnyOfPitch)
      llvm::erase_if(New.Result.Findings, IsOfPitch);
    New.IsWhole = !New.Result.IsCutShort && !IsAnyOfPitch &&
                  (Found.IsLast || !New.Result.Clues.Against) &&
                  !hasOtherGaps(New.Result.Report, First.Report) &&
                  New.Result.Report.Copies >= First.Report.Copies;
    New.MayOverlap = mayOverlap(C);
    New.HasAll = C.HasAll;
    return New;
  }

  /// \p Whole: what else there is to say of the function; null: that is what
  /// the first run says.
  RunResult together(const SizedRun *Whole) {
    RunResult All{Whole ? Whole->Result.Report : First.Report, {}, First.Clues};
    All.UsesThreads = First.UsesThreads;
    All.IsCutShort = !Whole;
    if (Whole)
      All.Report.assumeSizes(textOfNumbers(Whole->Numbers));
    // Where a run was not followed to its end, less is sure of what it shows.
    for (const bool AreWhole : {true, false})
      for (const SizedRun &R : Tried)
        if (R.IsWhole == AreWhole)
          addFindings(R, Whole, All);
    const SourceLocation Loc = Whole && Whole->Result.Findings.empty()
                                   ? unreached()
                                   : SourceLocation();
    if (Loc.isValid())
      All.Report.Gaps.push_back(
          {Loc, "not come to with " + textOfNumbers(Whole->Numbers)});
    const bool IsRefuted = Whole && !Whole->HasAll;
    for (const Finding &X : First.Findings)
      if (!FindingList::contains(All.Findings, X))
        leaveOut(IsRefuted ? All.Report.Refuted : All.Report.Gaps, X,
                 IsRefuted ? "finding left out: it is none with " +
                                 textOfNumbers(Whole->Numbers)
                           : NotShown.str());
    return All;
  }
  /// What \p R shows, if others show it, too.
  void addFindings(const SizedRun &R, const SizedRun *Whole, RunResult &To) {
    for (const Finding &X : R.Result.Findings) {
      if (FindingList::contains(To.Findings, X))
        continue;
      const bool IsFoundTwice =
          FindingList::contains(First.Findings, X) ||
          llvm::any_of(Tried, [&](const SizedRun &Y) {
            return &Y != &R && FindingList::contains(Y.Result.Findings, X);
          });
      const SizedRun *Room = Roomy && R.MayOverlap ? &Tried[*Roomy] : nullptr;
      const bool NeedsOverlap =
          Room && !FindingList::contains(Room->Result.Findings, X);
      if (NeedsOverlap && Whole && Room->IsWhole && Room->comesToAllOf(R)) {
        leaveOut(To.Report.Refuted, X,
                 "finding left out: it is none with " +
                     textOfNumbers(Room->Numbers));
        continue;
      }
      const bool NeedsShort =
          Filling && isOfShortCopy(X) &&
          !FindingList::contains(Tried[*Filling].Result.Findings, X);
      const bool IsGuess = Whole && X.Path.OrderIsGuessed;
      if (!IsFoundTwice || NeedsOverlap || NeedsShort || IsGuess) {
        leaveOut(To.Report.Gaps, X,
                 "wrong with " + textOfNumbers(R.Numbers) +
                     ", not with others, and nothing tells which");
        continue;
      }
      To.Findings.push_back(X);
      tellNumbers(To.Findings.back(), R.Numbers, F);
    }
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
  std::optional<size_t> Roomy;     ///< of those, the one with room for all rows
  std::optional<size_t> Filling;   ///< the one with copies that are not short
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
