//===- SizedRuns.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/SizedRuns.h"
#include "lib/engine/Execution.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Rows that are cut in pieces have more of them than a ring has slots.
static constexpr int64_t LongRows = 16;
/// A ring comes round in so many rounds, and in as many more; these are odd.
static constexpr int64_t FewRounds = 8, MoreRounds = 3, StillMoreRounds = 5;
/// If so few are not one, as a loop counts elements.
static constexpr int64_t ManyRounds = 1024;

namespace {
/// What sizes are chosen.
struct Choice {
  int64_t Size, Count;
  bool CountsIfEither = false; ///< what may be a size or a count is a count
  /// What no address hangs on is chosen, too.
  bool HasExtents = false;
  int64_t PitchOfSize = 1; ///< rows lie so many sizes apart
  bool Fills = false;      ///< copies fill what they go to
  /// Of loops; 0: as many as they may have. Those that divide what they are
  /// given have few.
  int64_t Rounds = 0, WholeUnits = FewRounds;
  struct Exception {
    DecidedNumber Number;
    int64_t Is;
  };
  std::optional<Exception> But = std::nullopt;

  bool isCount(const OpenSize &S) const {
    return S.Of == SharedSize::Kind::Count ||
           (S.Of == SharedSize::Kind::Either && CountsIfEither);
  }
  /// None: it stays open.
  std::optional<int64_t> of(const OpenSize &S) const {
    if (But && But->Number.isSame(S.Number))
      return But->Is;
    if (S.In == SharedSize::Use::Rounds)
      return !Rounds       ? std::nullopt
             : S.Unit == 1 ? std::optional(Rounds)
                           : std::optional(WholeUnits * S.Unit);
    if (!S.IsChosen && !HasExtents)
      return std::nullopt;
    if (Fills && S.Filling)
      return S.Filling;
    return isCount(S) ? Count : S.IsExtent ? Size : Size * PitchOfSize;
  }

  Choice with(int64_t NewSize, int64_t NewCount) const {
    Choice C = *this;
    C.Size = NewSize;
    C.Count = NewCount;
    return C;
  }
  /// Not a multiple of as much.
  Choice ragged() const {
    return with(Size + 16, Count + 1).inMoreRounds(MoreRounds);
  }
  Choice twice() const {
    return with(2 * Size, 2 * Count).inRounds(2 * Rounds, 2 * WholeUnits);
  }
  Choice inMoreRounds(int64_t N) const {
    return Rounds ? inRounds(Rounds + N, WholeUnits + N) : *this;
  }
  bool hasOddRounds() const { return Rounds % 2; }
  Choice inRounds(int64_t N, int64_t Units = FewRounds) const {
    Choice C = *this;
    C.Rounds = N;
    C.WholeUnits = Units;
    return C;
  }
  /// Once more round the ring, where all of it is cut in pieces.
  Choice longer() const { return with(LongRows * Size, Count); }
  /// Rows are not too long for where they lie, whatever is counted in what.
  Choice roomy() const {
    Choice C = with(4 * Size, Count);
    C.HasExtents = true;
    C.PitchOfSize = 16;
    return C;
  }
  Choice filling() const {
    Choice C = *this;
    C.Fills = true;
    return C;
  }
  Choice but(const OpenSize &S, int64_t Is) const {
    Choice C = *this;
    C.But = {S.Number, Is};
    return C;
  }
};

struct SizedRun {
  std::vector<NamedNumber> Numbers;
  RunResult Result;
  bool IsWhole;
  bool MayOverlap = false; ///< nothing says that its rows have room

  bool comesToAllOf(const SizedRun &Other) const {
    return llvm::all_of(Other.Result.Reached, [&](const CFGBlock *B) {
      return Result.Reached.contains(B);
    });
  }
};
} // namespace

/// A row of a usual model in several rounds of a usual block, and a ring that
/// is not too short; less where that takes too long.
static constexpr std::array Choices = {Choice{1024, 4}, Choice{128, 3},
                                       Choice{1024, 4, true}};
/// How often a row is in whatever has many.
static constexpr int64_t RowsOfAll = 64;
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
    std::optional<Choice> Fits;
    for (const Choice &C : choicesToTry()) {
      if (Fits || (!Tried.empty() && Cost.isSpent()))
        break;
      if (attempt(C))
        Fits = C;
      if (Misfit)
        return *std::move(Misfit);
    }
    if (!Fits && attemptRoomy(Choices[0]))
      Fits = Choices[0].roomy();
    if (!Fits)
      return Misfit ? *std::move(Misfit) : together(nullptr);
    const size_t Base = Tried.size() - 1;
    attempt(Fits->ragged());
    if (Fits->Rounds && Tried[Base].Result.Findings.empty() &&
        !Tried.back().Result.Findings.empty())
      attempt(Fits->ragged().inMoreRounds(StillMoreRounds - MoreRounds));
    if (!Tried[Base].Result.Findings.empty() && !Tried.back().IsWhole)
      attempt(Fits->twice());
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
  std::vector<Choice> choicesToTry() const {
    std::vector<Choice> Those;
    if (choosesSizes())
      llvm::copy_if(Choices, std::back_inserter(Those), [&](const Choice &C) {
        return !C.CountsIfEither || hasEither();
      });
    if (llvm::any_of(Sizes, [](const OpenSize &S) {
          return S.In == SharedSize::Use::Rounds;
        }))
      for (const int64_t N : {FewRounds, ManyRounds})
        Those.push_back(Choices[1].inRounds(N));
    return Those;
  }
  /// Else rounds alone.
  bool choosesSizes() const {
    return llvm::any_of(Sizes, [](const OpenSize &S) { return S.IsChosen; });
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
  bool mayOverlap(const Choice &C) const {
    return C.PitchOfSize == 1 &&
           llvm::any_of(Sizes,
                        [&](auto &S) {
                          return S.IsChosen && !S.IsExtent && !C.isCount(S);
                        }) &&
           llvm::any_of(Sizes, [](auto &S) { return S.IsExtent; });
  }
  bool attemptRoomy(const Choice &Fits) {
    if (!mayOverlap(Fits))
      return false;
    Roomy = Tried.size();
    return attempt(Fits.roomy());
  }

  /// Longer rows are tried; true: they speak against the shape of the block.
  /// Where they are too long for what they go to, that says nothing.
  bool speaksLongerAgainst(const Choice &Fits) {
    for (const Choice &C : {Fits.longer(), Fits.longer().ragged()}) {
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
  void reachAll(const Choice &Fits) {
    std::vector<Choice> Others;
    for (int64_t Fewer : {2, 3})
      Others.push_back(Fits.Rounds
                           ? Fits.with(Fits.Size, Fewer).inRounds(Fewer, Fewer)
                           : Fits.with(Fits.Size, Fewer));
    for (const OpenSize &S : Sizes)
      if (S.IsChosen && !Fits.isCount(S))
        Others.push_back(Fits.but(S, RowsOfAll * Fits.Size));
    for (const Choice &C : Others) {
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

  bool hasEither() const {
    return llvm::any_of(Sizes, [](const OpenSize &S) {
      return S.Of == SharedSize::Kind::Either;
    });
  }

  /// True: it was followed to its end, and came to whatever the first did.
  bool attempt(const Choice &C) {
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
  SizedRun runFor(const Choice &C) {
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
    if (C.hasOddRounds()) // a pitch may be one that nobody has
      llvm::erase_if(New.Result.Findings, [](const Finding &X) {
        return X.Kind == FindingKind::Misaligned ||
               X.Kind == FindingKind::BadOperand;
      });
    New.IsWhole = !New.Result.IsCutShort &&
                  (Found.IsLast || !New.Result.Clues.Against) &&
                  !hasOtherGaps(New.Result.Report, First.Report) &&
                  New.Result.Report.Copies >= First.Report.Copies;
    New.MayOverlap = mayOverlap(C);
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
    for (SizedRun &R : Tried)
      for (Finding &X : R.Result.Findings) {
        if (FindingList::contains(All.Findings, X))
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
          leaveOut(All.Report.Refuted, X,
                   "finding left out: it is none with " +
                       textOfNumbers(Room->Numbers));
          continue;
        }
        const bool NeedsShort =
            Filling && isOfShortCopy(X) &&
            !FindingList::contains(Tried[*Filling].Result.Findings, X);
        if (!IsFoundTwice || NeedsOverlap || NeedsShort) {
          leaveOut(All.Report.Gaps, X,
                   "wrong with " + textOfNumbers(R.Numbers) +
                       ", not with others, and nothing tells which");
          continue;
        }
        All.Findings.push_back(X);
        tellNumbers(All.Findings.back(), R.Numbers, F);
      }
    const SourceLocation Loc = Whole && Whole->Result.Findings.empty()
                                   ? unreached()
                                   : SourceLocation();
    if (Loc.isValid())
      All.Report.Gaps.push_back(
          {Loc, "not come to with " + textOfNumbers(Whole->Numbers)});
    for (const Finding &X : First.Findings)
      if (!FindingList::contains(All.Findings, X))
        leaveOut(Whole ? All.Report.Refuted : All.Report.Gaps, X,
                 Whole ? "finding left out: it is none with " +
                             textOfNumbers(Whole->Numbers)
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
