//===- ShapeSearch.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/ShapeSearch.h"
#include "lib/inference/ShapeCandidates.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace clang;
using namespace cpasync;

namespace {
/// Threads in a row where nothing says another number.
constexpr unsigned UsualThreads = 128;
/// Shapes that are tried, and those that fit of them.
constexpr unsigned MaxTried = 12, MaxFits = 3;
/// Blocks of launches that a kernel is run for.
constexpr unsigned MaxLaunches = 4;
/// Blocks of a cluster where nothing says how many.
constexpr std::array<unsigned, 4> AssumedClusters = {1, 2, 4, 8};
/// With more, what waits in vain may be a kernel for a number between these,
/// unless it does nothing with fewer.
constexpr unsigned MostWaitedFor = 2;

struct Fit {
  BlockShape Shape;
  bool IsStated;
  RunResult Result;
};

/// What does not hang on how many threads there are, or how they lie.
bool holdsForAnyShape(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::BadOperand:
  case FindingKind::WaitCountRange:
  case FindingKind::UncommittedAtEnd:
  case FindingKind::WrongSpace:
  case FindingKind::MapSpace:
  case FindingKind::MissingBlock:
    return true;
  case FindingKind::ReadInFlight:
    return F.Thread == F.Reader && F.Cause != InFlightCause::Divergent &&
           F.Cause != InFlightCause::Entangled;
  case FindingKind::ReadBeforeCopy:
  case FindingKind::UnwrittenRead:
  case FindingKind::Misaligned:
  case FindingKind::UnsynchronizedRead:
  case FindingKind::Overwrite:
  case FindingKind::OverWait:
  case FindingKind::StuckPhase:
  case FindingKind::StuckStage:
  case FindingKind::StuckBarrier:
  case FindingKind::ExtraArrivals:
  case FindingKind::UnorderedInit:
  case FindingKind::EndedBlock:
  case FindingKind::MissingFence:
  case FindingKind::UnorderedSource:
  case FindingKind::PartialGroup:
    return false;
  }
  llvm_unreachable("all kinds are listed");
}

/// A run, and what it was for: "blocks of 32x4 threads".
struct RunFor {
  std::string What;
  const RunResult *Result;
};

/// Leaves of what \p R, which was for \p What, has found what all of \p Others
/// have, too. The rest is a gap; and what others have found, if it is silent.
void keepWhatAllFind(RunResult &R, const std::string &What,
                     llvm::ArrayRef<RunFor> Others) {
  const auto Doubt = [&](const Finding &X, llvm::StringRef With,
                         llvm::StringRef Not) {
    const AnalysisGap Gap = {X.place(), ("wrong with " + With + ", not with " +
                                         Not + ", and nothing tells which")
                                            .str()};
    if (!llvm::is_contained(R.Report.Gaps, Gap))
      R.Report.Gaps.push_back(Gap);
  };
  const bool IsSilent = R.Findings.empty();
  llvm::erase_if(R.Findings, [&](const Finding &X) {
    const auto *Other = llvm::find_if(Others, [&](const RunFor &Y) {
      return !FindingList::contains(Y.Result->Findings, X);
    });
    if (Other == Others.end())
      return false;
    Doubt(X, What, Other->What);
    return true;
  });
  if (!IsSilent)
    return;
  for (const RunFor &Other : Others)
    for (const Finding &X : Other.Result->Findings)
      Doubt(X, Other.What, What);
}

/// What \p R hangs on that nothing tells.
void sayAssumed(RunResult &R, BlockShape Shape, ClusterShape Cluster) {
  Shape.Cluster = Cluster;
  if ((Shape.Assumed && R.UsesThreads && R.Report.Copies) || Cluster.Assumed)
    R.Report.AssumedBlock = Shape.text();
}

/// Before the first run of \p F.
RunAssumptions premises(Program &P, const FunctionDecl *F,
                        const BlockShape &Shape,
                        const KernelLaunches &Launches) {
  RunAssumptions Known{Shape};
  // Warps are of one block.
  const unsigned Threads = Shape.threadsOfBlock();
  const ClusterShape Cluster = Launches.Cluster;
  Known.Shape.Cluster = Cluster;
  Known.Shape.RunsCluster = Cluster.blocks() > 1 &&
                            Threads % WarpThreads == 0 &&
                            Threads * Cluster.blocks() <= Cluster.MaxThreads &&
                            P.effects(F) & EffectOtherBlocks;
  for (const TensorBox &X : Launches.Boxes)
    Known.Tiles.tell({F->getParamDecl(X.Parameter), X.Offset}, X.Bytes, X.Loc);
  return Known;
}

/// The runs of one kernel.
class ShapeSearch {
public:
  ShapeSearch(AnalysedProgram &P, const AnalysisOptions &Options,
              BlockShape First, const KernelLaunches &Launches, Budget &Cost,
              const FunctionDecl *F, const KernelReport &Empty)
      : P(P), Options(Options), Cost(Cost), F(F), Empty(Empty), First(First),
        Launches(Launches) {}

  RunResult run() {
    for (std::optional<ShapeCandidate> Next = ShapeCandidate{First, false};
         Next && !isTold() && Tried.size() < MaxTried &&
         Fits.size() < MaxFits && Cost.reason().empty();
         Next = next())
      attempt(*Next);
    return Fits.empty() ? whatHoldsAnyway() : whatHoldsForAll();
  }

private:
  /// __launch_bounds__ tells how many, and so many in a row fit.
  bool isTold() const {
    return !First.Assumed && !Fits.empty() && Fits.front().Shape == First;
  }
  void attempt(ShapeCandidate C) {
    Tried.push_back(C.Shape);
    RunResult R = runFunction(P, Options, premises(P.P, F, C.Shape, Launches),
                              Cost, F, Empty);
    Clues.unite(R.Clues);
    // So many are told, and all lie in a row: it is the kernel that is wrong.
    if (R.Clues.Against && !First.Assumed && C.Shape == First && !Clues.AsksY &&
        !Clues.AsksZ) {
      R = insist(First);
      R.Clues.Against.reset();
    }
    if (!R.Clues.Against) {
      Fits.push_back({C.Shape, C.IsStated, std::move(R)});
      return;
    }
    const bool MayBeDefect = R.Clues.Against->MayBeDefect;
    if (!Misfit || (MayBeDefect && Doubtful.empty()))
      Misfit = {C.Shape, *R.Clues.Against};
    if (MayBeDefect && Doubtful.size() < MaxFits)
      Doubtful.push_back(C.Shape);
  }

  /// The next shape to try; none if what is known is enough.
  std::optional<ShapeCandidate> next() {
    const std::vector<ShapeCandidate> All = shapeCandidates(Clues, First);
    // What is stated is known only after a run or two.
    for (Fit &Old : Fits)
      for (const ShapeCandidate &C : All)
        Old.IsStated |= C.IsStated && C.Shape.liesAs(Old.Shape);
    if (llvm::any_of(Fits, [](const Fit &X) { return X.IsStated; }))
      llvm::erase_if(Fits, [](const Fit &X) { return !X.IsStated; });
    const bool IsStated = !Fits.empty() && Fits.front().IsStated;
    const bool IsSilent = llvm::any_of(
        Fits, [](const Fit &X) { return X.Result.Findings.empty(); });
    for (const ShapeCandidate &C : All)
      if (isNew(C.Shape) && (C.IsStated || (!IsStated && !IsSilent)) &&
          (Fits.empty() || !C.IsUsual) && !isOutnumbered(C))
        return C;
    return std::nullopt;
  }
  /// __launch_bounds__ says the most there may be, and mostly what there is.
  bool isOutnumbered(const ShapeCandidate &C) const {
    return !First.Assumed && !C.IsStated &&
           C.Shape.threads() != First.threads() &&
           llvm::any_of(Fits, [&](const Fit &X) {
             return X.Shape.threads() == First.threads();
           });
  }
  bool isNew(const BlockShape &Shape) const {
    return llvm::none_of(
        Tried, [&](const BlockShape &Old) { return Old.liesAs(Shape); });
  }

  /// A run to the end, whether \p Shape fits or not.
  RunResult insist(BlockShape Shape) {
    RunAssumptions Known = premises(P.P, F, Shape, Launches);
    Known.IsLast = true;
    Known.Shape.Open = false;
    return runFunction(P, Options, Known, Cost, F, Empty);
  }

  /// No shape fits. The kernel may be wrong for its own: what is found for all
  /// those that only that speaks against. Else what is found whatever the
  /// shape.
  RunResult whatHoldsAnyway() {
    for (const BlockShape &Shape : Doubtful)
      Fits.push_back({Shape, false, insist(Shape)});
    RunResult R = Fits.empty() ? insist(First) : whatHoldsForAll();
    if (Fits.empty())
      llvm::erase_if(R.Findings,
                     [](const Finding &X) { return !holdsForAnyShape(X); });
    R.FitsNoShape = Misfit.has_value();
    if (Misfit)
      R.Report.Gaps.push_back(
          {Misfit->second.Loc, "no block that was tried fits: of " +
                                   Misfit->first.text() + ", " +
                                   Misfit->second.Why});
    return R;
  }

  RunResult whatHoldsForAll() {
    RunResult R = std::move(Fits.front().Result);
    R.Clues.unite(Clues);
    const BlockShape Shape = Fits.front().Shape;
    // What speaks against it may lie beyond, unless the kernel has told it.
    const bool MayNotFit =
        Shape.Assumed && !Fits.front().IsStated && R.IsCutShort;
    llvm::erase_if(R.Findings, [&](const Finding &X) {
      if (MayNotFit && !holdsForAnyShape(X)) {
        R.Report.Gaps.push_back(
            {X.place(), "wrong with blocks of " + Shape.text() +
                            ", which were not followed to the end, and nothing "
                            "tells whether they fit"});
        return true;
      }
      return false;
    });
    std::vector<RunFor> Others;
    for (const Fit &Y : llvm::drop_begin(Fits))
      Others.push_back({"blocks of " + Y.Shape.text(), &Y.Result});
    keepWhatAllFind(R, "blocks of " + Shape.text(), Others);
    sayAssumed(R, Shape, Launches.Cluster);
    return R;
  }

  AnalysedProgram &P;
  const AnalysisOptions &Options;
  Budget &Cost;
  const FunctionDecl *F;
  const KernelReport &Empty;
  const BlockShape First;
  const KernelLaunches &Launches;
  ShapeClues Clues;
  std::vector<BlockShape> Tried;
  std::vector<Fit> Fits;
  std::vector<BlockShape> Doubtful; ///< do not fit, or the kernel is wrong
  /// The first, of one that the kernel may be wrong for if there is one.
  std::optional<std::pair<BlockShape, ShapeClues::Misfit>> Misfit;
};
} // namespace

static void sayLaunch(Finding &X, const LaunchedBlock &With,
                      const FunctionDecl *F) {
  X.Trace.insert(X.Trace.begin(),
                 {TraceStep::Kind::LaunchedWith,
                  With.Loc.isValid() ? With.Loc : F->getLocation(),
                  With.Shape.text(), 0,
                  /*Flag=*/With.Loc.isValid()});
}

/// One run for each launch.
static RunResult runForLaunches(AnalysedProgram &P,
                                const AnalysisOptions &Options,
                                const KernelLaunches &Launches, Budget &Cost,
                                const FunctionDecl *F,
                                const KernelReport &Empty) {
  const llvm::ArrayRef<LaunchedBlock> Told = Launches.Blocks;
  const llvm::ArrayRef<LaunchedBlock> Run = Told.take_front(MaxLaunches);
  std::vector<RunResult> Runs;
  for (const LaunchedBlock &X : Run)
    Runs.push_back(runFunction(P, Options, premises(P.P, F, X.Shape, Launches),
                               Cost, F, Empty));
  RunResult All{Runs.front().Report, {}, {}};
  for (const auto &[X, Of] : llvm::zip(Run, Runs)) {
    for (Finding &Found : Of.Findings) {
      const bool IsInAll = llvm::all_of(Runs, [&](const RunResult &Other) {
        return FindingList::contains(Other.Findings, Found);
      });
      if (!IsInAll)
        sayLaunch(Found, X, F);
      if (llvm::none_of(All.Findings, [&](const Finding &Old) {
            return FindingList::areSame(Old, Found);
          }))
        All.Findings.push_back(Found);
    }
    All.Clues.unite(Of.Clues);
    addWhatIsLeftOut(All.Report, Of.Report);
  }
  if (Told.size() > MaxLaunches)
    All.Report.Gaps.push_back(
        {Told[MaxLaunches].Loc,
         std::to_string(Told.size()) + " different blocks are launched, and " +
             Told[MaxLaunches].Shape.text() + " and later ones not looked at"});
  return All;
}

static RunResult runForBlocks(AnalysedProgram &P,
                              const AnalysisOptions &Options,
                              const KernelLaunches &Launches, Budget &Cost,
                              const FunctionDecl *F,
                              const KernelReport &Empty) {
  const llvm::ArrayRef<LaunchedBlock> Told = Launches.Blocks;
  if (Told.size() > 1)
    return runForLaunches(P, Options, Launches, Cost, F, Empty);
  const auto [X, Y, Z] = Options.AssumedBlock;
  const BlockShape Asked{X, Y, Z, /*Assumed=*/true, /*Open=*/false};
  // __launch_bounds__ does not tell how its threads lie.
  const bool IsAsked =
      X && (Told.empty() || (Told.front().Shape.Open &&
                             Told.front().Shape.threads() == Asked.threads()));
  const BlockShape Shape =
      IsAsked ? Asked
      : !Told.empty()
          ? Told.front().Shape
          : BlockShape{UsualThreads, 1, 1, /*Assumed=*/true, /*Open=*/true};
  if (Shape.Open)
    return ShapeSearch(P, Options, Shape, Launches, Cost, F, Empty).run();
  RunResult R = runFunction(P, Options, premises(P.P, F, Shape, Launches), Cost,
                            F, Empty);
  // What is told by option is known to whoever gave it.
  if (!IsAsked && !Told.empty() &&
      (Told.front().Loc.isValid() || Options.ToldBlocks.empty()))
    for (Finding &X : R.Findings)
      if (X.Thread >= 0 || X.Reader >= 0)
        sayLaunch(X, Told.front(), F);
  sayAssumed(R, Shape, Launches.Cluster);
  return R;
}

/// It waits for what may come from a block that is not there.
static bool mayLackBlock(const RunResult &R) {
  return R.FitsNoShape || llvm::any_of(R.Findings, [](const Finding &X) {
           return X.Kind == FindingKind::StuckPhase ||
                  X.Kind == FindingKind::StuckStage ||
                  X.Kind == FindingKind::StuckBarrier;
         });
}

/// For as few blocks as do, and if that many do so many that they reach each
/// other: none is missing, nobody waits in vain. If somebody does whatever
/// their number, that is told; a block alone does not count, unless blocks
/// neither meet nor ask how many they are. None where this tells nothing.
static std::optional<RunResult>
runForAssumedClusters(AnalysedProgram &P, const AnalysisOptions &Options,
                      const KernelLaunches &Launches, Budget &Cost,
                      const FunctionDecl *F, const KernelReport &Empty) {
  std::optional<RunResult> Apart;
  std::vector<std::pair<std::string, RunResult>> Waiting;
  unsigned FirstWaiting = 0;
  const bool Meets = P.P.effects(F) & EffectMeetsBlocks;
  for (unsigned Blocks : AssumedClusters) {
    if (!Launches.Blocks.empty() &&
        Launches.Blocks.front().Shape.threads() * Blocks >
            ClusterShape::MaxThreads)
      break;
    KernelLaunches Assumed = Launches;
    Assumed.Cluster = {Blocks, 1, 1, /*Assumed=*/true};
    RunResult R = runForBlocks(P, Options, Assumed, Cost, F, Empty);
    if (llvm::any_of(R.Findings, [](const Finding &X) {
          return X.Kind == FindingKind::MissingBlock;
        }))
      continue;
    // A block that reaches others asks first whether they have begun, and one
    // that is told how many there are may forget that.
    if (Blocks == 1 && !Meets && !R.Clues.AsksBlocks)
      return R;
    if (mayLackBlock(R)) {
      if (!FirstWaiting)
        FirstWaiting = Blocks;
      if (Blocks <= MostWaitedFor || Apart || !Waiting.empty())
        Waiting.emplace_back(
            Blocks == 1 ? "one block alone"
                        : "clusters of " + std::to_string(Blocks) + " blocks",
            std::move(R));
    } else if (R.Clues.ReachesBlocks) {
      // With gaps, it may be that nobody knows that somebody waits in vain.
      if (Waiting.empty() || R.Report.Gaps.empty())
        return R;
    } else if (Blocks <= MostWaitedFor) {
      Apart = std::move(R);
    }
  }
  if (Waiting.empty())
    return Apart;
  std::vector<RunFor> Others;
  for (const auto &[What, Result] : llvm::drop_begin(Waiting))
    Others.push_back({What, &Result});
  auto &[What, R] = Waiting.front();
  keepWhatAllFind(R, What, Others);
  if (!R.Findings.empty())
    return std::move(R);
  if (Apart)
    Apart->Report.Gaps.push_back(
        {F->getLocation(), "with clusters of " + std::to_string(FirstWaiting) +
                               " blocks somebody waits in vain, and nothing "
                               "tells how many there are"});
  return Apart;
}

/// A kernel that reaches other blocks is run for a small cluster in which none
/// is missing, where nothing tells how many there are.
RunResult cpasync::runForItsShapes(AnalysedProgram &P,
                                   const AnalysisOptions &Options,
                                   const KernelLaunches &Launches, Budget &Cost,
                                   const FunctionDecl *F,
                                   const KernelReport &Empty) {
  const bool IsOpen = F->hasAttr<CUDAGlobalAttr>() &&
                      !Launches.Cluster.blocks() &&
                      P.P.effects(F) & EffectOtherBlocks;
  if (IsOpen)
    if (auto R = runForAssumedClusters(P, Options, Launches, Cost, F, Empty))
      return std::move(*R);
  return runForBlocks(P, Options, Launches, Cost, F, Empty);
}
