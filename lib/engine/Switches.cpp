//===- Switches.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Branches.h"
#include "lib/engine/Executor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

struct Branches::CaseBlock {
  const CFGBlock *Block;
  int64_t First, Last; ///< values of its label
};

bool Branches::coversAll(Interval Values, llvm::ArrayRef<CaseBlock> Cases) {
  std::vector<CaseBlock> Sorted(Cases);
  llvm::sort(Sorted, [](const CaseBlock &A, const CaseBlock &B) {
    return A.First < B.First;
  });
  for (const CaseBlock &Case : Sorted) {
    if (Case.First > Values.Lo)
      return false;
    if (Case.Last >= Values.Hi)
      return true;
    Values.Lo = std::max(Values.Lo, Case.Last + 1);
  }
  return false;
}

void Branches::setAside(State &S, const CFGBlock *B, const PerThread *Others,
                        const CFGBlock *Side) {
  const CFGBlock *Join = S.frame().Fn->join(B);
  const Split *Top = S.Splits.empty() ? nullptr : &S.Splits.back();
  bool Waits = Side == Join;
  bool AlreadyWaiting = Waits && Top && Top->Depth == S.depth() &&
                        Top->Join == Join && !Top->Other && !Top->MayCondition;
  if (!AlreadyWaiting) {
    Split New;
    New.Depth = S.depth();
    New.Join = Join;
    New.JoinMask = S.Active;
    if (!Waits) {
      New.Other = Side;
      New.OtherMask = Others;
      if (S.frame().Fn->region(B).Effects & EffectBarrier)
        New.Frames = std::make_shared<const std::vector<Frame>>(S.Frames);
    }
    New.Role = S.Role;
    S.Splits.push_back(std::move(New));
  }
  S.Active = L.except(S.Active, Others);
}

// Each thread takes its own case: as in a chain of branches, the threads of one
// run first, and those of each other are set aside.
Step Branches::splitByCase(State &S, const CFGBlock *B, const PerThread *On,
                           llvm::ArrayRef<CaseBlock> Cases,
                           const CFGBlock *Default) {
  llvm::MapVector<const CFGBlock *, const PerThread *> Sides;
  const PerThread *Left = S.Active;
  const auto Take = [&](const CFGBlock *Side, const PerThread *Threads) {
    if (PerThreadContext::isEmpty(Threads))
      return;
    const PerThread *&Of = Sides.try_emplace(Side, L.none()).first->second;
    Of = L.either(Of, Threads);
    Left = L.except(Left, Threads);
  };
  for (const CaseBlock &Case : Cases) {
    const PerThread *Less = L.apply(LaneOp::Lt, On, L.uniform(Case.First)),
                    *More = L.apply(LaneOp::Lt, L.uniform(Case.Last), On);
    Take(Case.Block, L.except(Left, L.either(Less, More)));
  }
  Take(Default, Left);
  if (Sides.contains(nullptr)) // it stops the kernel
    return Step::PathEnds;
  // Who goes to where the sides meet has nothing to run.
  const CFGBlock *First = Sides.front().first;
  if (Sides.size() > 1 && First == S.frame().Fn->join(B))
    First = Sides.back().first;
  for (const auto &[Side, Threads] : llvm::reverse(Sides))
    if (Side != First)
      setAside(S, B, Threads, Side);
  return Paths.enter(S, First);
}

Step Branches::switchOn(State &S, const CFGBlock *B) {
  const auto *Sw = cast<SwitchStmt>(B->getTerminatorStmt());
  Value On = Run.simplify(S, Eval.eval(S, Sw->getCond()));
  if (On.isInt())
    if (const auto First = S.Condition.undecidedSelection(V, On.I))
      return forkOn(S, *First, Sw->getBeginLoc());
  S.frame().Temps.clear();
  V.Uses.note(On.I);
  Comparisons.note(S, On.I); // its growth alone would change the case
  // The default is the last successor; a case's label says its values.
  const CFGBlock *Default = nullptr;
  llvm::SmallVector<CaseBlock, 8> Cases;
  for (auto I = B->succ_begin(); I != B->succ_end(); ++I) {
    const CFGBlock *N =
        *I ? I->getReachableBlock() : I->getPossiblyUnreachableBlock();
    if (!N || S.frame().Fn->stopsKernel(N))
      continue;
    const auto *Case = dyn_cast_if_present<CaseStmt>(N->getLabel());
    const auto Low = Case ? P.layouts().integer(Case->getLHS()) : std::nullopt;
    const auto High = Case && Case->getRHS()
                          ? P.layouts().integer(Case->getRHS())
                          : Low; // GNU: case 0 ... 3
    // Measured with nvcc 13.0; Clang takes them all.
    if (Case && Case->getRHS())
      Run.gap(S, Case->getBeginLoc(),
              "nvcc takes only the first value of a range of cases");
    if (Low && High)
      Cases.push_back({N, int64Of(*Low), int64Of(*High)});
    else
      Default = N;
  }
  if (On.isInt() && On.I->isKnown())
    return splitByCase(S, B, On.I->base(), Cases, Default);
  // Threads of a warp go one way; other warps are taken to go with them.
  if (!On.isInt() || On.I->sharing() < Uniformity::Warp) {
    Run.gap(Sw->getBeginLoc(), "switch on a value that differs by thread");
    return Default ? Paths.enter(S, Default) : Step::PathEnds;
  }
  auto Take = [&](State &Path, const CFGBlock *N, bool IsCase) {
    const Stmt *Label = N->getLabel();
    TraceNode Node{TraceStep::Kind::CaseTaken,
                   Run.userLoc(Path, (Label ? Label : Sw)->getBeginLoc())};
    Node.Flag = IsCase || Label;
    Node.Effects = Path.frame().Fn->region(B).Effects;
    traceDecision(Path, B, Node);
    return Paths.enter(Path, N);
  };
  // One path for each case; no default where the cases are all there can be.
  if (coversAll(S.Condition.bounds(V, On.I), Cases))
    Default = nullptr;
  const auto MayHold = [&](State &Path, const Int *Condition) {
    const Truth Known = Path.Condition.decide(V, Condition);
    return !Known.False->isUniform(1) &&
           (Known.True->isUniform(1) ||
            (Path.Condition.assume(V, Condition, true, S.Active) &&
             Run.decided(Path, Condition, true, S.Active, Sw->getBeginLoc())));
  };
  for (const CaseBlock &Case : Cases) {
    fork(S);
    State Path = S;
    const Int *FromFirst = V.sub(On.I, V.constant(Case.First));
    const Int *FromLast = V.sub(V.constant(Case.Last), On.I);
    if (Case.First == Case.Last
            ? !MayHold(Path, V.isZero(FromFirst))
            : !MayHold(Path, V.isZero(V.isNegative(FromFirst))) ||
                  !MayHold(Path, V.isZero(V.isNegative(FromLast))))
      continue;
    if (Take(Path, Case.Block, /*IsCase=*/true) == Step::Continue)
      Paths.Work.push_back(std::move(Path));
  }
  return Default ? Take(S, Default, /*IsCase=*/false) : Step::PathEnds;
}
