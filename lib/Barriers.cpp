//===- Barriers.cpp
//--------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sides of a branch that differ by thread run one after the other, unless
// one stops at a barrier that needs threads of the other: then the other runs
// until it comes to the barrier as well. The order in which they run is one
// that the hardware may choose, so that whatever clashes in it without being
// ordered is a race. PTX ISA, "bar, barrier": arrivals count whole warps.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

static int64_t threadsOfWarps(const Lanes *Mask, unsigned Threads) {
  int64_t R = 0;
  for (unsigned W = 0; W < Threads; W += WarpThreads)
    for (unsigned T = W; T < std::min(W + WarpThreads, Threads); ++T)
      if ((*Mask)[T]) {
        R += WarpThreads;
        break;
      }
  return R;
}

void Executor::barrier(State &S, SourceLocation At, Value Id, Value Count,
                       bool ArriveOnly) {
  SourceLocation Loc = userLoc(S, At);
  TraceNode N{TraceStep::Kind::Barrier, Loc, 0, S.Active};
  N.Flag = Count.isUnknown();
  trace(S, N);
  Id = simplify(S, Id);
  Count = simplify(S, Count);
  if (!Id.isInt() || !Id.I->isKnown() ||
      (Count.isInt() && !Count.I->isConstant())) {
    if (!S.Copies.isIdle())
      gap(At, "id or thread count of the barrier is not known");
    unknownOrder(S);
    return;
  }
  const int64_t Needed = Count.isInt() ? Count.I->constant() : 0;
  // Each group of warps may have a barrier of its own.
  const Lanes *Left = S.Active;
  while (!LanesContext::isEmpty(Left)) {
    const int64_t Which = (*Id.I->base())[L.first(Left)];
    const Lanes *Here =
        L.both(Left, L.apply(LaneOp::Eq, Id.I->base(), L.uniform(Which)));
    Left = L.except(Left, Here);
    auto A = llvm::find_if(
        S.Arrivals, [&](const Arrival &X) { return X.Barrier == Which; });
    if (A == S.Arrivals.end()) {
      S.Arrivals.push_back({Which, L.none(), L.none()});
      A = S.Arrivals.end() - 1;
    }
    A->Arrived = L.either(A->Arrived, Here);
    if (!ArriveOnly)
      A->Waiting = L.either(A->Waiting, Here);
    // It waits until those who never come have left: they are done by then.
    const Lanes *Left = Needed ? L.none() : L.except(L.all(), livingThreads(S));
    S.Copies.unordered().arrive(L, Footprints, Which, L.either(Here, Left));
    const bool Complete =
        Needed ? threadsOfWarps(A->Arrived, Shape.threads()) >= Needed
               : LanesContext::isEmpty(L.except(livingThreads(S), A->Arrived));
    if (Complete)
      release(S, Which);
    else if (!ArriveOnly)
      S.StoppedAt = Which;
  }
  printState(S, "barrier", Loc);
}

// The barriers of tiles have ids of their own, above those of the hardware.
void Executor::tileBarrier(State &S, const CallExpr *E) {
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(E->getDirectCallee());
  const auto *Tile =
      M ? dyn_cast<ClassTemplateSpecializationDecl>(M->getParent()) : nullptr;
  const TemplateArgument *Size = Tile && Tile->getTemplateArgs().size()
                                     ? &Tile->getTemplateArgs()[0]
                                     : nullptr;
  if (!Size || Size->getKind() != TemplateArgument::Integral)
    return;
  const int64_t Threads = Size->getAsIntegral().getExtValue();
  if (Threads <= WarpThreads)
    return;
  constexpr int64_t FirstTile = 16;
  std::vector<int64_t> Ids(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T)
    Ids[T] = FirstTile + T / Threads;
  barrier(S, E->getBeginLoc(), Value::integer(V.known(L.perThread(Ids))),
          Value::integer(V.constant(Threads)));
}

void Executor::release(State &S, int64_t Barrier) {
  if (Barrier >= FirstPhaseId) {
    completePhase(S, Barrier - FirstPhaseId, /*Forced=*/true);
    return;
  }
  auto A = llvm::find_if(
      S.Arrivals, [&](const Arrival &X) { return X.Barrier == Barrier; });
  if (A == S.Arrivals.end())
    return;
  S.Copies.unordered().release(L, Barrier, A->Waiting, livingThreads(S));
  S.Arrivals.erase(A);
  if (S.StoppedAt == Barrier)
    S.StoppedAt.reset();
  for (Context &C : S.Stopped)
    if (C.StoppedAt == Barrier)
      C.StoppedAt.reset();
}

Executor::Step Executor::runOthers(State &S) {
  ++Noise;
  // The other side of the innermost branch that has not started yet.
  for (size_t I = S.Splits.size(); I-- > 0;) {
    Split &Sp = S.Splits[I];
    if (Sp.MayCondition)
      break;
    if (!Sp.Other || !Sp.Frames)
      continue;
    const CFGBlock *Start = std::exchange(Sp.Other, nullptr);
    Context Side;
    Side.Frames = *Sp.Frames;
    Side.Splits.assign(S.Splits.begin(), S.Splits.begin() + I + 1);
    Side.Active = Sp.OtherMask;
    llvm::copy_if(S.Loops, std::back_inserter(Side.Loops),
                  [&](const LoopVisit &V) {
                    return V.Depth < Side.depth() ||
                           (V.Depth == Side.depth() &&
                            Side.frame().Fn->loop(V.Head)->test(
                                Side.frame().Block->getBlockID()));
                  });
    while (Side.Role == S.Role || llvm::any_of(S.Stopped, [&](Context &C) {
             return C.Role == Side.Role;
           }))
      ++Side.Role;
    S.Stopped.push_back(static_cast<const Context &>(S));
    static_cast<Context &>(S) = std::move(Side);
    return enter(S, Start);
  }
  S.Stopped.push_back(static_cast<const Context &>(S));
  resume(S);
  return Step::Continue;
}

void Executor::resume(State &S) {
  ++Noise;
  auto CanRun = [](const Context &C) { return !C.StoppedAt; };
  auto Next = llvm::find_if(S.Stopped, CanRun);
  if (Next == S.Stopped.end()) {
    // Nobody will ever come: the barrier orders those that did.
    release(S, *S.Stopped.front().StoppedAt);
    Next = llvm::find_if(S.Stopped, CanRun);
  }
  Context Run = std::move(*Next);
  S.Stopped.erase(Next);
  static_cast<Context &>(S) = std::move(Run);
}

bool Executor::othersAreComing(const State &S, const Split &Sp) {
  const size_t I = &Sp - S.Splits.data();
  return llvm::any_of(S.Stopped, [&](const Context &C) {
    return I < C.Splits.size() && C.Splits[I].Join == Sp.Join &&
           C.Splits[I].JoinMask == Sp.JoinMask && C.Splits[I].Depth == Sp.Depth;
  });
}

void Executor::unknownOrder(State &S) {
  S.Copies.waitAll(Footprints, Events, 0, L.all());
  S.Copies.unordered().clear();
}
