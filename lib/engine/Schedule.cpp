//===- Schedule.cpp - Who waits for whom ----------------------------------===//
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

#include "lib/engine/Schedule.h"
#include "lib/engine/Executor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace cpasync;

std::vector<Context>::iterator Schedule::firstToRun(State &S) {
  auto CanRun = [](const Context &C) { return !C.StoppedAt; };
  auto Next = llvm::find_if(S.Stopped, CanRun);
  if (Next == S.Stopped.end()) {
    Barriers.completeReady(S);
    Next = llvm::find_if(S.Stopped, CanRun);
  }
  return Next;
}

static void setRole(const State &S, Context &New) {
  while (llvm::any_of(S.Stopped,
                      [&](const Context &C) { return C.Role == New.Role; }))
    ++New.Role;
}

// The other side of the innermost branch of \p C whose other side has not
// started yet; null: there is none. \p C is one of those that are stopped.
const CFGBlock *Schedule::startOtherSide(State &S, size_t Stopped) {
  const Context &C = S.Stopped[Stopped];
  for (size_t I = C.Splits.size(); I-- > 0;) {
    const Split &Sp = C.Splits[I];
    if (Sp.MayCondition)
      return nullptr;
    if (!Sp.hasSideToRun())
      continue;
    const CFGBlock *Start = Sp.Other;
    Context Side;
    Side.Frames = *Sp.Frames;
    Side.Splits.assign(C.Splits.begin(), C.Splits.begin() + I + 1);
    Side.Active = Sp.OtherMask;
    llvm::copy_if(C.Loops, std::back_inserter(Side.Loops),
                  [&](const LoopVisit &V) {
                    return V.Depth < Side.depth() ||
                           (V.Depth == Side.depth() &&
                            Side.frame().Fn->loop(V.Head)->test(
                                Side.frame().Block->getBlockID()));
                  });
    // Others that branched there with them must not start it again.
    const auto Started = [&](Context &X) {
      if (I < X.Splits.size() && X.Splits[I].Other == Start &&
          X.Splits[I].Depth == Side.Splits[I].Depth &&
          X.Splits[I].OtherMask == Side.Active)
        X.Splits[I].Other = nullptr;
    };
    llvm::for_each(S.Stopped, Started);
    Started(Side);
    setRole(S, Side);
    static_cast<Context &>(S) = std::move(Side);
    return Start;
  }
  return nullptr;
}

Step Schedule::runOthers(State &S) {
  Run.Effects.note();
  S.Stopped.push_back(static_cast<const Context &>(S));
  const CFGBlock *Next = startOtherSide(S, S.Stopped.size() - 1);
  if (!Next)
    Next = resume(S);
  return Next ? Paths.enter(S, Next) : Step::Continue;
}

/// What a loop that settles by itself takes at most, mostly.
static constexpr unsigned VisitsBeforeCatchingUp = 16;

void Schedule::letOthersCatchUp(State &S) {
  const bool IsLong = llvm::any_of(S.Loops, [](const LoopVisit &X) {
    return X.OpenEnd && X.Visits - X.Counted > VisitsBeforeCatchingUp;
  });
  if (!IsLong && !S.hangsOnTables())
    return;
  const auto Next = firstToRun(S);
  if (Next == S.Stopped.end())
    return;
  Run.Effects.note();
  Context Going = std::move(*Next);
  S.Stopped.erase(Next);
  S.Stopped.push_back(static_cast<const Context &>(S));
  static_cast<Context &>(S) = std::move(Going);
}

bool Schedule::othersShouldStart(const State &S) {
  return S.Loops.back().Visits > 1 &&
         llvm::any_of(S.Splits,
                      [](const Split &X) { return X.hasSideToRun(); }) &&
         llvm::none_of(S.Splits,
                       [](const Split &X) { return X.MayCondition; }) &&
         S.hangsOnTables();
}

void Schedule::giveUp(State &S, const PathRequest::Try &Tried) {
  Run.Effects.note();
  State Other = S;
  Other.GaveUpOn = Tried.Barrier;
  TraceNode N{TraceStep::Kind::TriedOnce,
              Run.userLoc(S, Tried.Wait->getBeginLoc()), 0, S.Active};
  N.Flag = true;
  Run.trace(Other, N);
  Paths.Work.push_back(std::move(Other));
  S.InTime = Tried.Wait;
}

const CFGBlock *Schedule::resume(State &S) {
  Run.Effects.note();
  S.Active = L.none();
  auto Next = firstToRun(S);
  // Those who could have started it are at the join already.
  if (Next == S.Stopped.end())
    for (size_t I = S.Stopped.size(); I-- > 0;)
      if (const CFGBlock *Side = startOtherSide(S, I))
        return Side;
  if (Next == S.Stopped.end()) {
    if (const CFGBlock *Home = sendHome(S))
      return Home;
    Next = letSomeGoOn(S);
  }
  while (Next == S.Stopped.end()) {
    Barriers.giveUp(S, *S.Stopped.front().StoppedAt);
    Next = firstToRun(S);
    if (Next == S.Stopped.end()) // some of them wait for another one
      Next = letSomeGoOn(S);
  }
  Context Going = std::move(*Next);
  S.Stopped.erase(Next);
  static_cast<Context &>(S) = std::move(Going);
  return nullptr;
}

// Threads that do the same run together, those too whose phase is complete
// where others still wait for theirs. What those wait for, these may do.
std::vector<Context>::iterator Schedule::letSomeGoOn(State &S) {
  for (Context &C : S.Stopped) {
    if (Shape.RunsCluster && C.StoppedAt &&
        std::holds_alternative<MbarrierIndex>(*C.StoppedAt))
      continue;
    const PerThread *Free = Barriers.heldBack(S, C);
    if (PerThreadContext::isEmpty(Free))
      continue;
    Context Going = C;
    Going.Active = Free;
    Going.StoppedAt.reset();
    C.Active = L.except(C.Active, Free);
    setRole(S, Going);
    S.Stopped.push_back(std::move(Going));
    return std::prev(S.Stopped.end());
  }
  return S.Stopped.end();
}

// Threads that wait where the sides of a branch meet need not: they go on to
// the end of the kernel, if no barrier is on their way, or if the others wait
// for a phase, which they may be the ones to complete.
const CFGBlock *Schedule::sendHome(State &S) {
  auto SharesSplit = [](const Context &A, const Context &B, size_t I) {
    return I < B.Splits.size() && A.Splits[I].Join == B.Splits[I].Join &&
           A.Splits[I].JoinMask == B.Splits[I].JoinMask &&
           A.Splits[I].Depth == B.Splits[I].Depth;
  };
  const bool ForPhase = llvm::any_of(S.Stopped, [](const Context &C) {
    return C.StoppedAt && std::holds_alternative<MbarrierIndex>(*C.StoppedAt);
  });
  if (!ForPhase &&
      llvm::none_of(S.Arrivals, [](const Arrival &A) { return !A.Needed; }))
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
          (!ForPhase &&
           (Interp.Leaving.effectsToEnd(Home, Join) & EffectBarrier)))
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

bool Schedule::othersAreComing(const State &S, const Split &Sp) {
  const size_t I = &Sp - S.Splits.data();
  return llvm::any_of(S.Stopped, [&](const Context &C) {
    return I < C.Splits.size() && C.Splits[I].Join == Sp.Join &&
           C.Splits[I].JoinMask == Sp.JoinMask && C.Splits[I].Depth == Sp.Depth;
  });
}
