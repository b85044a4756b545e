//===- Switches.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Branches.h"
#include "lib/engine/Executor.h"

using namespace clang;
using namespace cpasync;

namespace {
struct CaseBlock {
  const CFGBlock *Block;
  int64_t First, Last; ///< values of its label
};
} // namespace

static bool coversAll(Interval Values, llvm::ArrayRef<CaseBlock> Cases) {
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

Step Branches::switchOn(State &S, const CFGBlock *B) {
  const auto *Sw = cast<SwitchStmt>(B->getTerminatorStmt());
  Value On = Run.simplify(S, Eval.eval(S, Sw->getCond()));
  if (On.isInt())
    if (const auto First = S.Condition.undecidedSelection(V, On.I))
      return forkOn(S, *First, Sw->getBeginLoc());
  S.frame().Temps.clear();
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
  if (On.isInt() && On.I->isConstant()) {
    const int64_t Value = On.I->constant();
    for (const CaseBlock &Case : Cases)
      if (Case.First <= Value && Value <= Case.Last)
        return Paths.enter(S, Case.Block);
    return Default ? Paths.enter(S, Default) : Step::PathEnds;
  }
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
