//===- BlockBarriers.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/BlockBarriers.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void BlockBarriers::barrier(State &S, SourceLocation At, Value Id, Value Count,
                            bool ArriveOnly) {
  const Value Number = Run.simplify(S, Id);
  if (Number.isInt() && Number.I->isKnown()) {
    const PerThread *Ids = Number.I->base();
    const PerThread *Exist =
        L.except(L.apply(LaneOp::Lt, Ids, L.uniform(BarrierId::Numbered)),
                 L.apply(LaneOp::Lt, Ids, L.uniform(0)));
    if (!PerThreadContext::isEmpty(L.except(S.Active, Exist))) {
      if (!S.Copies.isIdle())
        Run.gap(S, At, "barrier number is not one of 0 to 15");
      unknownOrder(S);
      return;
    }
  }
  meetAt(S, At, Number, Count, ArriveOnly);
}

void BlockBarriers::meetAt(State &S, SourceLocation At, Value Id, Value Count,
                           bool ArriveOnly) {
  SourceLocation Loc = Run.userLoc(S, At);
  TraceNode N{TraceStep::Kind::Barrier, Loc, 0, S.Active};
  N.Flag = Count.isUnknown();
  Run.trace(S, N);
  Count = Run.simplify(S, Count);
  if (!Id.isInt() || !Id.I->isKnown() ||
      (Count.isInt() && !Count.I->isConstant())) {
    if (!S.Copies.isIdle())
      Run.gap(S, At, "id or thread count of the barrier is not known");
    unknownOrder(S);
    return;
  }
  const int64_t Needed = Count.isInt() ? Count.I->constant() : 0;
  if (Shape.Open)
    checkShape(Loc, *Id.I->base(), L.first(S.Active), Needed);
  // Each group of warps may have a barrier of its own, as each block has.
  const PerThread *Left = S.Active;
  while (!PerThreadContext::isEmpty(Left)) {
    const unsigned First = L.first(Left), Block = Run.Blocks.blockOf(First);
    const int64_t Number = (*Id.I->base())[First];
    const BarrierId Which = barrierOf(S, At, Number, Block);
    const PerThread *OfBlock = Run.Blocks.threadsOf(Block);
    const PerThread *Here =
        L.both(L.both(Left, OfBlock),
               L.apply(LaneOp::Eq, Id.I->base(), L.uniform(Number)));
    Left = L.except(Left, Here);
    auto A = llvm::find_if(
        S.Arrivals, [&](const Arrival &X) { return X.Barrier == Which; });
    if (A == S.Arrivals.end()) {
      S.Arrivals.push_back({Which, L.none(), L.none(), Needed, Loc});
      A = S.Arrivals.end() - 1;
    }
    A->Times = L.apply(LaneOp::Add, A->Times, Here);
    A->At = Loc;
    if (Needed)
      Detect.Stuck.checkExtra(S, *A);
    if (!ArriveOnly)
      A->Waiting = L.either(A->Waiting, Here);
    // It waits until those who never come have left: they are done by then.
    const PerThread *Living = L.both(OfBlock, Run.livingThreads(S));
    const PerThread *Left = Needed ? L.none() : L.except(OfBlock, Living);
    S.Copies.unordered().arrive(L, Footprints, Which, L.either(Here, Left));
    const bool Complete =
        Needed ? A->threads(Shape.threads()) >= Needed
               : PerThreadContext::isEmpty(L.except(Living, A->arrived(L)));
    if (Complete) {
      release(S, Which);
      S.MayMeet = true; // much that was different is ordered now
    } else if (!ArriveOnly) {
      S.StoppedAt = Which;
    }
  }
  Printer.printState(S, "barrier", Loc);
}

// A group of threads that has its own is as large as that says.
void BlockBarriers::checkShape(SourceLocation At, const PerThread &Ids,
                               unsigned Thread, int64_t Needed) {
  int64_t There = 0;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    There += Ids[T] == Ids[Thread] &&
             Run.Blocks.blockOf(T) == Run.Blocks.blockOf(Thread);
  if (Needed <= There)
    return;
  if (Needed > Shape.threadsOfBlock())
    Run.Clues.addTotal(ShapeClues::Compared, Needed);
  Run.Clues.contradict(
      At, "a barrier waits for " + std::to_string(Needed) + " threads",
      /*MayBeDefect=*/true);
}

BarrierId BlockBarriers::barrierOf(const State &S, SourceLocation At,
                                   int64_t Number, unsigned Block) {
  if (!Shape.RunsCluster)
    return BarrierId::numbered(Number);
  const auto [I, New] =
      OfBlocks.try_emplace({Block, Number}, int64_t(OfBlocks.size()));
  if (New && I->second >= BarrierId::FirstPhase)
    Run.gap(S, At,
            "blocks of the cluster have more than " +
                std::to_string(BarrierId::FirstPhase) + " barriers");
  return BarrierId::numbered(I->second % BarrierId::FirstPhase);
}

void BlockBarriers::release(State &S, BarrierId Barrier) {
  BarrierIsDone = true;
  auto A = llvm::find_if(
      S.Arrivals, [&](const Arrival &X) { return X.Barrier == Barrier; });
  if (A == S.Arrivals.end())
    return;
  S.Copies.unordered().release(L, Barrier, A->Waiting, Run.livingThreads(S));
  S.Arrivals.erase(A);
  // Others that run with them may wait for another one.
  auto GoOn = [&](Context &C) {
    if (C.StoppedAt != Awaited(Barrier))
      return;
    const auto Next = llvm::find_if(S.Arrivals, [&](const Arrival &X) {
      return !PerThreadContext::isEmpty(L.both(X.Waiting, C.Active));
    });
    C.StoppedAt.reset();
    if (Next != S.Arrivals.end())
      C.StoppedAt = Next->Barrier;
  };
  GoOn(S);
  llvm::for_each(S.Stopped, GoOn);
}

void BlockBarriers::completeReady(State &S) {
  BarrierIsDone = true;
  Phases.completeReady(S);
}

const PerThread *BlockBarriers::heldBack(const State &S, const Context &C) {
  if (!C.StoppedAt)
    return L.none();
  const PerThread *Waiting = L.none();
  if (std::holds_alternative<BarrierId>(*C.StoppedAt)) {
    for (const Arrival &A : S.Arrivals)
      Waiting = L.either(Waiting, A.Waiting);
    return L.except(C.Active, Waiting);
  }
  for (const PhaseBarrier &B : S.Copies.phases()) {
    if (B.WasForced) // that is why some could go on
      return L.none();
    for (const PhaseBarrier::Waiter &W : B.Waiting)
      Waiting = L.either(Waiting, W.Threads);
  }
  return L.except(C.Active, Waiting);
}

// It orders those that did come, and those that left are done.
void BlockBarriers::giveUp(State &S, Awaited Barrier) {
  if (const auto *M = std::get_if<MbarrierIndex>(&Barrier)) {
    BarrierIsDone = true;
    if (llvm::any_of(S.Stopped, [&](const Context &C) {
          return !PerThreadContext::isEmpty(heldBack(S, C));
        })) {
      Run.gap(S, S.Copies.phase(*M).Waiting.front().Loc,
              "some of the blocks that wait here could go on before the "
              "others");
      Run.guessOrder(S);
    }
    const bool IsStuck = Detect.Stuck.checkStuck(S, S.Copies.phase(*M));
    // Of a pipeline, what is read too early tells of the wait.
    const PhaseBarrier &Phase = S.Copies.phase(*M);
    // Later phases would be out of step with what is copied.
    if (IsStuck && Phase.GivesBack)
      S.GaveUpOn = Value::pointer(Phase.Obj, V.constant(Phase.Offset));
    const bool IsOfPipeline = !Phase.Bytes && !Phase.At.Init.isValid();
    Phases.completePhase(S, *M, /*Forced=*/true);
    // What comes then is a consequence, or a guess.
    if (IsStuck || !IsOfPipeline || Run.Report->OrderIsGuessed)
      forgetOrder(S);
    return;
  }
  const BarrierId Id = std::get<BarrierId>(Barrier);
  const auto A = llvm::find_if(
      S.Arrivals, [&](const Arrival &X) { return X.Barrier == Id; });
  const bool IsStuck =
      A != S.Arrivals.end() && A->Needed && Detect.Stuck.checkStuck(S, *A);
  // Who does not come waits for what these would do: nothing comes after that.
  if (A != S.Arrivals.end() && !A->Needed)
    for (const PhaseBarrier &B : S.Copies.phases())
      if (Detect.Stuck.checkStuck(S, B, &*A))
        Asked.endPath();
  if (A != S.Arrivals.end() && !A->Needed)
    S.Copies.unordered().arrive(L, Footprints, Id,
                                L.except(L.all(), Run.livingThreads(S)));
  release(S, Id);
  if (IsStuck)
    forgetOrder(S);
}

// The barriers of tiles have ids of their own, above those with a number.
void BlockBarriers::tileBarrier(State &S, const CallExpr *E) {
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(E->getDirectCallee());
  const auto *Tile =
      M ? dyn_cast<ClassTemplateSpecializationDecl>(M->getParent()) : nullptr;
  const TemplateArgument *Size = Tile && Tile->getTemplateArgs().size()
                                     ? &Tile->getTemplateArgs()[0]
                                     : nullptr;
  const int64_t Threads = Size && Size->getKind() == TemplateArgument::Integral
                              ? int64Of(Size->getAsIntegral())
                              : 0;
  if (Threads <= WarpThreads || !llvm::isPowerOf2_64(Threads))
    return warpBarrier(S);
  std::vector<int64_t> Ids(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T)
    Ids[T] = BarrierId::Numbered + T / Threads;
  meetAt(S, E->getBeginLoc(), Value::integer(V.known(L.perThread(Ids))),
         Value::integer(V.constant(Threads)));
}

void BlockBarriers::warpBarrier(State &S) {
  S.Copies.unordered().meetInWarps(L, Footprints, S.Active,
                                   Run.livingThreads(S));
}

void BlockBarriers::unknownOrder(State &S) {
  if (!S.Copies.isIdle())
    Run.guessOrder(S);
  forgetOrder(S);
}

void BlockBarriers::forgetOrder(State &S) {
  S.Copies.completeAll(Footprints, Events);
  S.Copies.unordered().clear();
  S.Copies.history().loseOrder();
  for (PhaseBarrier &B : S.Copies.phases())
    B.Foreign = nullptr;
}
