//===- Runs.cpp -----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Runs.h"
#include "lib/engine/Confirmation.h"
#include "lib/engine/Execution.h"
#include "lib/engine/OmittingRuns.h"
#include "lib/engine/SizeChoice.h"
#include "lib/engine/SizedRuns.h"
#include "lib/solve/Feasibility.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Behind what has cut the second run short.
static constexpr llvm::StringLiteral UseNotKnown =
    " exceeded while looking for uses of what is read here";

/// In a run with short tiles, of those of another: there is a state for each
/// way that the tiles in flight may be short.
static constexpr unsigned PathsWithShortTiles = 4;
/// In a run with names, where most end at once: in a state that is known.
static constexpr unsigned PathsWithNames = 4;
/// Has this part of the steps of another.
static constexpr unsigned StepsWithShortTiles = 2;
/// Runs with a number of rounds have this part of the time that is left.
static constexpr unsigned PartForRounds = 2;

bool cpasync::hasOtherGaps(const KernelReport &Run, const KernelReport &Other) {
  return llvm::any_of(Run.Gaps, [&](const AnalysisGap &G) {
    return !llvm::is_contained(Other.Gaps, G);
  });
}

void cpasync::dropUnusedReads(Program &P, const AnalysisOptions &Options,
                              const RunAssumptions &Known, Budget &Cost,
                              const FunctionDecl *F,
                              std::optional<Execution> &First,
                              KernelReport &Report,
                              std::vector<Finding> &Findings) {
  const ReadPlaces Reads = First->Paths.reads().followed();
  auto IsOfRead = [&](const Finding &X) {
    const bool HasRead = X.Kind != FindingKind::Overwrite ||
                         X.Overwritten != OverwriteCause::AfterStore;
    return !X.Kernel.IsTold && HasRead && X.At.Read.isValid() &&
           Reads.count(X.At.Read);
  };
  std::vector<Finding> Doubtful, Used;
  llvm::copy_if(Findings, std::back_inserter(Doubtful), IsOfRead);
  if (Doubtful.empty())
    return;
  const AnalysisOptions Silent = silent(Options);
  KernelReport Again;
  std::optional<SharedValues> Values;
  std::optional<Execution> Whole;
  auto HasNewGap = [&] { return hasOtherGaps(Again, Report); };
  if (!First->Paths.confirm(F, Doubtful, Again, Used) || HasNewGap()) {
    First.reset();
    Again = KernelReport();
    Used.clear();
    Whole.emplace(P, Silent, Values.emplace(Known.Shape), Known.forLastRun(),
                  Cost);
    // A finding that is dropped may have hidden one of another read.
    Whole->Paths.reads().watchReads(F, Reads, Doubtful);
    Whole->Paths.run(F, Again, Used);
    for (Finding &X : Used)
      X.Path.Decided = 0; // its history goes with its values
  }
  Executor &E = Whole ? Whole->Paths : First->Paths;
  P.unwatch();
  // Whatever else cut it short has cut the first run short, too.
  if (!Cost.reason().empty())
    Report.Gaps.push_back(
        {Doubtful.front().At.Read, Cost.reason() + UseNotKnown.str()});
  if (E.isCutShort() || HasNewGap())
    return;
  auto In = [](std::vector<Finding> &List, const Finding &X) {
    return llvm::find_if(
        List, [&](const Finding &Y) { return FindingList::areSame(X, Y); });
  };
  llvm::erase_if(Findings, [&](Finding &X) {
    if (!IsOfRead(X) || E.findings().isConfirmed(X))
      return false;
    const auto Y = In(Used, X);
    if (Y != Used.end())
      X = *Y; // of those that clash there, this one is used
    return Y == Used.end();
  });
  // What a dropped finding had hidden.
  for (const Finding &Y : Used)
    if (IsOfRead(Y) && In(Findings, Y) == Findings.end())
      Findings.push_back(Y);
}

/// PTX ISA, "elect.sync": which thread of a warp is elected is not said;
/// hardware elects the first, and code that relies on it is common. What is
/// found holds for the last, too; what is not known of that one is no gap.
static void keepForAnyElected(Program &P, const AnalysisOptions &Options,
                              const RunAssumptions &Known, Budget &Cost,
                              const FunctionDecl *F, const KernelReport &Report,
                              std::vector<Finding> &Findings) {
  KernelReport OfLast;
  std::vector<Finding> Again;
  const AnalysisOptions Silent = silent(Options);
  SharedValues Values(Known.Shape);
  Execution Last(P, Silent, Values, Known.forLastRun(), Cost,
                 /*ElectLast=*/true);
  const bool Done = Last.Paths.run(F, OfLast, Again);
  auto Same = [](const Finding &A, const Finding &B) {
    return A.Kind == B.Kind && A.Cause == B.Cause && A.Rule == B.Rule &&
           A.Overwritten == B.Overwritten && A.At.Copy == B.At.Copy;
  };
  if (Done && !Last.Paths.isCutShort() && !hasOtherGaps(OfLast, Report))
    llvm::erase_if(Findings, [&](const Finding &A) {
      return llvm::none_of(Again, [&](const Finding &B) { return Same(A, B); });
    });
}

void cpasync::addWhatIsLeftOut(KernelReport &To, const KernelReport &Of) {
  for (const AnalysisGap &Gap : Of.Gaps)
    if (!llvm::is_contained(To.Gaps, Gap))
      To.Gaps.push_back(Gap);
  for (const AnalysisGap &Gap : Of.Refuted)
    if (!llvm::is_contained(To.Refuted, Gap))
      To.Refuted.push_back(Gap);
  if (To.AssumedSizes.empty())
    To.AssumedSizes = Of.AssumedSizes;
  To.OrderIsGuessed |= Of.OrderIsGuessed;
  To.LoadsInBulk |= Of.LoadsInBulk;
}

/// Adds what another run has not found.
static void addOthers(std::vector<Finding> &To,
                      llvm::ArrayRef<Finding> Findings) {
  for (const Finding &X : Findings)
    if (!FindingList::contains(To, X))
      To.push_back(X);
}

/// Counters of loops that did not settle go by names. Counts only if it comes
/// to its end and asks nothing else: names know less than numbers.
static std::optional<RunResult>
runWithNames(AnalysedProgram &P, const AnalysisOptions &Options,
             const RunAssumptions &Found, Budget &Cost, const FunctionDecl *F,
             const RunResult &First, const KernelReport &Empty) {
  if (Found.FoundUnsettled.empty() || !Found.Unsettled.empty() ||
      Cost.isSpent())
    return std::nullopt;
  AnalysisOptions Short = Options;
  Short.StepBudget /= 4;
  Short.PathBudget *= PathsWithNames;
  RunAssumptions Named = Found.forLastRun();
  Named.Unsettled = Found.FoundUnsettled;
  RunResult R = runFunction(P, Short, Named, Cost, F, Empty);
  // What threads do by numbers of their own hangs on what these were in rounds
  // that are forgotten.
  const bool IsDoubtful = llvm::any_of(R.Findings, [&](const Finding &X) {
    return X.Path.HangsOnThreads && !FindingList::contains(First.Findings, X);
  });
  return R.IsCutShort || IsDoubtful || hasOtherGaps(R.Report, First.Report)
             ? std::nullopt
             : std::optional(std::move(R));
}

/// Nothing tells where something lies, or whether something is wrong. How large
/// something is does not hang on rounds.
static bool wantsNumbers(const AnalysisGap &G) {
  return llvm::StringRef(G.Reason).starts_with("address of ") ||
         G.Reason == NotShown;
}

/// Where loops do not settle, no run shows what was found or nothing tells
/// where something lies, loops have as many rounds as is chosen. Counts if it
/// is followed to its end and knows more, or finds something; what is found
/// else is enough.
static std::optional<RunResult>
runWithRounds(AnalysedProgram &P, const AnalysisOptions &Options,
              const RunAssumptions &Known, const RunAssumptions &Found,
              const Budget &Cost, const FunctionDecl *F, const RunResult &First,
              const KernelReport &Empty) {
  const bool HasRounds = llvm::any_of(First.Sizes, saysRounds);
  Budget Part = Cost.part(PartForRounds);
  if (!HasRounds || !First.Findings.empty() || !Known.isPlain() ||
      Part.isSpentNow())
    return std::nullopt;
  RunResult R = runWithSizes(P, Options, Found, Part, F, Empty, First);
  const bool KnowsMore =
      !R.Findings.empty() ||
      (!R.IsCutShort && R.Report.Gaps.size() < First.Report.Gaps.size());
  return KnowsMore ? std::optional(std::move(R)) : std::nullopt;
}

/// Items of a list end in whole tiles and in those of one row. Counts only if
/// it comes to its end.
static std::optional<RunResult>
runWithShortTiles(AnalysedProgram &P, const AnalysisOptions &Options,
                  const RunAssumptions &Found, Budget &Cost,
                  const FunctionDecl *F, const KernelReport &First,
                  const KernelReport &Empty) {
  if (!Found.FoundTiles || Found.ShortTiles || !Found.Unsettled.empty() ||
      Cost.isSpent())
    return std::nullopt;
  AnalysisOptions Longer = Options;
  Longer.PathBudget *= PathsWithShortTiles;
  Longer.StepBudget /= StepsWithShortTiles;
  RunAssumptions Short = Found.forLastRun();
  Short.ShortTiles = true;
  RunResult R = runFunction(P, Longer, Short, Cost, F, Empty);
  if (R.IsCutShort || hasOtherGaps(R.Report, First))
    return std::nullopt;
  R.Report.assumeSizes("rows of a short tile = 1");
  return R;
}

/// Loops that seem to end where an array does may have rounds behind it: those
/// of a slot that begins again one too late. Another run looks for them.
static std::optional<RunResult>
runBehindEnds(AnalysedProgram &P, const AnalysisOptions &Options,
              const RunAssumptions &Found, Budget &Cost, const FunctionDecl *F,
              const KernelReport &Empty) {
  if (Found.FoundEnds.empty() || !Found.Endless.empty() || Cost.isSpent())
    return std::nullopt;
  RunAssumptions Longer = Found.forLastRun();
  Longer.Endless = Found.FoundEnds;
  RunResult R = runFunction(P, Options, Longer, Cost, F, Empty);
  if (R.Rings.empty())
    return std::nullopt;
  if (R.Rings.size() == Longer.Endless.size())
    return R;
  Longer.Endless = R.Rings;
  return runFunction(P, Options, Longer, Cost, F, Empty);
}

static std::vector<OpenSize> openSizes(const KernelRun &Run,
                                       const RunAssumptions &Known,
                                       const FunctionDecl *F) {
  std::vector<OpenSize> Open;
  for (const SharedSize &S : sharedSizes(Run, F)) {
    if (Known.decides(S.Number, Run.V))
      continue;
    Open.push_back({DecidedNumber(S.Number, 0), S.Of, S.IsExtent, S.In, S.Unit,
                    nameOfNumber(Run.Ctx, Run.Shared.Origins, S.Number),
                    std::nullopt});
    if (const auto I = Run.CopySizes.Filling.find(S.Number);
        I != Run.CopySizes.Filling.end())
      Open.back().Filling = I->second;
  }
  return Open;
}

static bool areAllTold(llvm::ArrayRef<Finding> Findings) {
  return llvm::all_of(Findings,
                      [](const Finding &X) { return X.Kernel.IsTold; });
}

/// It is right as far as bulk copies are followed.
static bool knowsPiecesOnly(const RunResult &R) {
  return R.KnowsPieces && !R.IsCutShort && R.Findings.empty() &&
         R.Report.Gaps.empty();
}

bool AnalysedProgram::mayOmit(const FunctionDecl *F) {
  constexpr unsigned MaxInstances = 2;
  Instances &Of = Omitting[F->getLocation()];
  if (!Of.IsInVain && Of.Run.size() < MaxInstances)
    Of.Run.insert(F);
  return !Of.IsInVain && Of.Run.contains(F);
}

/// Other ways through it that leave copies out.
static OmittedCopies::Found omittedIn(const Execution &Run) {
  OmittedCopies::Found Omitted = Run.Interp.Detect.Omitted.found();
  for (const unsigned Decided : Run.Interp.Met.wroteLess())
    Omitted.Copies.push_back({0, Decided});
  return Omitted;
}

/// What the first run of \p F showed.
static void takeFacts(const Execution &First, const RunAssumptions &Known,
                      const FunctionDecl *F, RunResult &R) {
  R.Clues = First.Paths.clues();
  R.UsesThreads = First.Run.ThreadUses.Index > 0;
  R.IsCutShort = First.Paths.isCutShort();
  R.KnowsPieces = !First.Run.CopySizes.Open.empty();
  if (R.KnowsPieces)
    R.Report.assumeSizes("bytes of bulk copies = 16");
  R.Sizes = openSizes(First.Run, Known, F);
  R.Reached = First.Paths.Reached;
  R.Rings = First.Paths.premises().FoundRings;
}

/// \p OfOmitted: what is found where copies are left out.
static RunResult runThrough(AnalysedProgram &P, const AnalysisOptions &Options,
                            const RunAssumptions &Known, Budget &Cost,
                            const FunctionDecl *F, const KernelReport &Empty,
                            std::vector<Finding> &OfOmitted) {
  RunResult R{Empty, {}, {}};
  SharedValues &Values = P.valuesFor(Known.Shape);
  // What it knows of paths takes room: it goes before another run begins.
  std::optional<Execution> First(std::in_place, P.P, Options, Values, Known,
                                 Cost);
  const bool Done = First->Paths.run(F, R.Report, R.Findings);
  const RunAssumptions Found = First->Paths.premises();
  const bool Elected = First->Paths.usedElection();
  takeFacts(*First, Known, F, R);
  for (Finding &X : R.Findings)
    X.Kernel.IsTold =
        X.Path.Decided && !X.OnEveryPath && // else there is nothing to prove
        llvm::any_of(P.Told,
                     [&](auto &Y) { return FindingList::areSame(X, Y); });
  const OmittedCopies::Found Omitted = omittedIn(*First);
  if (Done && !R.IsCutShort)
    dropUnusedReads(P.P, Options, Found, Cost, F, First, R.Report, R.Findings);
  First.reset();
  // Something is open, if not by addresses that hang on them.
  const bool OfCopies =
      knowsPiecesOnly(R) || (!R.IsCutShort && !R.Report.Gaps.empty());
  for (OpenSize &S : R.Sizes)
    S.IsChosen = S.In == SharedSize::Use::Address ||
                 (S.In == SharedSize::Use::Copy && OfCopies);
  auto ChoosesSizes = [&] {
    return Known.Numbers.empty() &&
           llvm::any_of(R.Sizes, [](auto &S) { return S.IsChosen; }) &&
           (!R.Report.Gaps.empty() || knowsPiecesOnly(R)) && !Cost.isSpent();
  };
  if (Done && !ChoosesSizes() && !areAllTold(R.Findings) &&
      (!R.Clues.Against || Known.IsLast))
    Confirmation(P.P, Options, Found, Cost, F, Values).confirm(R);
  if (Done && Known.isPlain() && !Omitted.Copies.empty() &&
      (!R.Clues.Against || Known.IsLast) && P.mayOmit(F)) {
    OmittingRuns Others(P.P, Options, Found, Cost, F, Values);
    OfOmitted = Others.run(Omitted);
    if (!Others.areWhole())
      P.neverOmit(F);
  }
  P.trim();
  if (R.Clues.Against && !Known.IsLast)
    return R;
  if (!Done)
    return runFunction(P, Options,
                       Known.IsLast ? Found.forLastRun() : Found.forNextRun(),
                       Cost, F, Empty);
  if (ChoosesSizes()) {
    const std::optional<RunResult> Whole =
        knowsPiecesOnly(R) ? std::optional(R) : std::nullopt;
    RunResult Sized =
        runWithSizes(P, Options, Found, Cost, F, Empty, std::move(R));
    // It was followed to its end before.
    const bool TellsLess = Sized.Findings.empty() && !Sized.Report.Gaps.empty();
    return Whole && TellsLess ? *Whole : Sized;
  }
  std::optional<RunResult> Short;
  if (R.IsCutShort)
    Short = runWithShortTiles(P, Options, Found, Cost, F, R.Report, Empty);
  if (R.IsCutShort && !Short)
    if (auto Whole = runWithNames(P, Options, Found, Cost, F, R, Empty))
      return *std::move(Whole);
  if (!Short && (R.IsCutShort || llvm::any_of(R.Report.Gaps, wantsNumbers)))
    if (auto Some = runWithRounds(P, Options, Known, Found, Cost, F, R, Empty))
      return *std::move(Some);
  if (const auto Longer = runBehindEnds(P, Options, Found, Cost, F, Empty)) {
    addOthers(R.Findings, Longer->Findings);
    addWhatIsLeftOut(R.Report, Longer->Report);
  }
  if (Elected && !R.Findings.empty())
    keepForAnyElected(P.P, Options, Found, Cost, F, R.Report, R.Findings);
  if (!Short)
    return R;
  addOthers(Short->Findings, R.Findings);
  return *std::move(Short);
}

RunResult cpasync::runFunction(AnalysedProgram &P,
                               const AnalysisOptions &Options,
                               const RunAssumptions &Known, Budget &Cost,
                               const FunctionDecl *F,
                               const KernelReport &Empty) {
  std::vector<Finding> OfOmitted;
  RunResult R = runThrough(P, Options, Known, Cost, F, Empty, OfOmitted);
  addOthers(R.Findings, OfOmitted);
  return R;
}
