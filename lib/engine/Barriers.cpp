//===- Barriers.cpp - Who waits for whom ----------------------------------===//
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

#include "lib/engine/Executor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace cpasync;

static int64_t threadsOfWarps(const PerThread *Mask, unsigned Threads) {
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
  const Value Number = simplify(S, Id);
  if (Number.isInt() && Number.I->isKnown()) {
    const PerThread *Ids = Number.I->base();
    const PerThread *Exist =
        L.except(L.apply(LaneOp::Lt, Ids, L.uniform(NumberedBarriers)),
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

void Executor::meetAt(State &S, SourceLocation At, Value Id, Value Count,
                      bool ArriveOnly) {
  SourceLocation Loc = Run.userLoc(S, At);
  TraceNode N{TraceStep::Kind::Barrier, Loc, 0, S.Active};
  N.Flag = Count.isUnknown();
  Run.trace(S, N);
  Count = simplify(S, Count);
  if (!Id.isInt() || !Id.I->isKnown() ||
      (Count.isInt() && !Count.I->isConstant())) {
    if (!S.Copies.isIdle())
      Run.gap(S, At, "id or thread count of the barrier is not known");
    unknownOrder(S);
    return;
  }
  const int64_t Needed = Count.isInt() ? Count.I->constant() : 0;
  // Each group of warps may have a barrier of its own.
  const PerThread *Left = S.Active;
  while (!PerThreadContext::isEmpty(Left)) {
    const int64_t Which = (*Id.I->base())[L.first(Left)];
    const PerThread *Here =
        L.both(Left, L.apply(LaneOp::Eq, Id.I->base(), L.uniform(Which)));
    Left = L.except(Left, Here);
    auto A = llvm::find_if(
        S.Arrivals, [&](const Arrival &X) { return X.Barrier == Which; });
    if (A == S.Arrivals.end()) {
      S.Arrivals.push_back({Which, L.none(), L.none(), Needed == 0});
      A = S.Arrivals.end() - 1;
    }
    A->Arrived = L.either(A->Arrived, Here);
    if (!ArriveOnly)
      A->Waiting = L.either(A->Waiting, Here);
    // It waits until those who never come have left: they are done by then.
    const PerThread *Left =
        Needed ? L.none() : L.except(L.all(), livingThreads(S));
    S.Copies.unordered().arrive(L, Footprints, Which, L.either(Here, Left));
    const bool Complete =
        Needed
            ? threadsOfWarps(A->Arrived, Shape.threads()) >= Needed
            : PerThreadContext::isEmpty(L.except(livingThreads(S), A->Arrived));
    if (Complete) {
      release(S, Which);
      S.MayMeet = true; // much that was different is ordered now
    } else if (!ArriveOnly) {
      S.StoppedAt = Which;
    }
  }
  printState(S, "barrier", Loc);
}

// The barriers of tiles have ids of their own, above those with a number.
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
  if (Threads <= WarpThreads || !llvm::isPowerOf2_64(Threads))
    return;
  std::vector<int64_t> Ids(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T)
    Ids[T] = NumberedBarriers + T / Threads;
  meetAt(S, E->getBeginLoc(), Value::integer(V.known(L.perThread(Ids))),
         Value::integer(V.constant(Threads)));
}

void Executor::release(State &S, int64_t Barrier) {
  BarrierIsDone = true;
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

static void setRole(const State &S, Context &New) {
  while (llvm::any_of(S.Stopped,
                      [&](const Context &C) { return C.Role == New.Role; }))
    ++New.Role;
}

Step Executor::runOthers(State &S) {
  ++Run.Impure;
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
    S.Stopped.push_back(static_cast<const Context &>(S));
    setRole(S, Side);
    static_cast<Context &>(S) = std::move(Side);
    return enter(S, Start);
  }
  S.Stopped.push_back(static_cast<const Context &>(S));
  const CFGBlock *Next = resume(S);
  return Next ? enter(S, Next) : Step::Continue;
}

const CFGBlock *Executor::resume(State &S) {
  ++Run.Impure;
  S.Splits.clear();
  S.Active = L.none();
  auto CanRun = [](const Context &C) { return !C.StoppedAt; };
  auto Next = llvm::find_if(S.Stopped, CanRun);
  if (Next == S.Stopped.end()) {
    if (const CFGBlock *Home = sendHome(S))
      return Home;
    // Nobody will ever come: the barrier orders those that did, and those that
    // left are done.
    const int64_t Barrier = *S.Stopped.front().StoppedAt;
    if (llvm::any_of(S.Arrivals, [&](const Arrival &A) {
          return A.Barrier == Barrier && A.OfAll;
        }))
      S.Copies.unordered().arrive(L, Footprints, Barrier,
                                  L.except(L.all(), livingThreads(S)));
    release(S, Barrier);
    Next = llvm::find_if(S.Stopped, CanRun);
  }
  Context Going = std::move(*Next);
  S.Stopped.erase(Next);
  static_cast<Context &>(S) = std::move(Going);
  return nullptr;
}

// Threads that wait where the sides of a branch meet need not: they go on to
// the end of the kernel, if no barrier is on their way.
const CFGBlock *Executor::sendHome(State &S) {
  auto SharesSplit = [](const Context &A, const Context &B, size_t I) {
    return I < B.Splits.size() && A.Splits[I].Join == B.Splits[I].Join &&
           A.Splits[I].JoinMask == B.Splits[I].JoinMask &&
           A.Splits[I].Depth == B.Splits[I].Depth;
  };
  if (llvm::none_of(S.Arrivals, [](const Arrival &A) { return A.OfAll; }))
    return nullptr;
  for (const Context &C : S.Stopped)
    for (size_t I = C.Splits.size(); I-- > 0;) {
      const Split &Sp = C.Splits[I];
      if (Sp.MayCondition)
        return nullptr;
      const PerThread *Wait = Sp.JoinMask;
      if (Sp.Other)
        Wait = L.except(Wait, Sp.OtherMask);
      for (const Context &D : S.Stopped)
        if (SharesSplit(C, D, I))
          Wait =
              L.except(Wait, I + 1 < D.Splits.size() ? D.Splits[I + 1].JoinMask
                                                     : D.Active);
      const CFGBlock *Join = Sp.Join;
      Context Home;
      Home.Frames.assign(C.Frames.begin(), C.Frames.begin() + Sp.Depth + 1);
      const bool Left =
          Sp.Depth == 0 && Join == &Home.frame().Fn->cfg()->getExit();
      if (Left || PerThreadContext::isEmpty(Wait) ||
          (Leaving.effectsToEnd(Home, Join) & EffectBarrier))
        continue;
      Home.frame().Temps.clear();
      Home.Active = Wait;
      Home.Within = C.Within;
      // What they leave behind is still in use.
      for (const Frame &F : Home.Frames) {
        Split New;
        New.Depth = &F - Home.Frames.data();
        New.Join = &F.Fn->cfg()->getExit();
        New.JoinMask = Wait;
        Home.Splits.push_back(std::move(New));
      }
      llvm::copy_if(
          C.Loops, std::back_inserter(Home.Loops), [&](const LoopVisit &V) {
            return V.Depth < Home.depth() ||
                   (V.Depth == Home.depth() &&
                    Home.frame().Fn->loop(V.Head)->test(Join->getBlockID()));
          });
      setRole(S, Home);
      for (Context &D : S.Stopped)
        for (Split &X : D.Splits)
          X.JoinMask = L.except(X.JoinMask, Wait);
      static_cast<Context &>(S) = std::move(Home);
      return Join;
    }
  return nullptr;
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
