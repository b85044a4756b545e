//===- StuckPhases.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/StuckPhases.h"
#include "lib/inference/DivergentExits.h"
#include "lib/report/PathNotes.h"
#include "lib/state/MemoizedCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Of a number that differs by thread it was not asked which of them go
// together; below a bound all may be, or none. Where both sides are run they
// have no part in phases.
bool StuckPhases::isCertain(const State &S) {
  for (const TraceNode *N = S.Trace ? S.Trace->Decided : nullptr; N;
       N = N->Prev ? N->Prev->Decided : nullptr)
    if (!N->May && (N->OnlyIn || N->isDivergent()) &&
        (!N->Condition || !DivergentExits::isBound(N->Condition)))
      return false;
  return S.May.empty() && isWhole();
}

bool StuckPhases::isWhole() const {
  return Run.Report->Gaps.empty() && !Run.CutShort;
}

bool StuckPhases::allWait(const State &S) {
  const PerThread *Waiting = L.none();
  for (const Context &C : S.Stopped)
    Waiting = L.either(Waiting, C.Active);
  return PerThreadContext::isEmpty(L.except(
      L.except(L.all(), L.anyAmong(Waiting, WarpThreads)), threadsGone(S)));
}

/// Nothing but which threads they are has decided that they came to \p N.
static bool isByThreadAlone(const TraceNode *N) {
  for (N = N->Decided; N; N = N->Prev ? N->Prev->Decided : nullptr)
    if (!N->OnlyIn)
      return false;
  return true;
}

const PerThread *StuckPhases::threadsGone(const State &S) {
  const PerThread *Gone = L.none();
  const PerThread *Living = Run.livingThreads(S);
  // At a condition that nobody knows, those who leave have another path.
  if (const TraceNode *N = S.parting())
    for (const PerThread *Side : {N->OnlyIn, L.except(L.all(), N->OnlyIn)})
      if (PerThreadContext::isEmpty(L.both(Side, Living)))
        Gone = Side;
  // Else they are on this one up to where they left.
  for (const TraceNode *N = S.Trace; N; N = N->Prev)
    if (N->K == TraceStep::Kind::Left && N->N == LeftKernel &&
        isByThreadAlone(N))
      Gone = L.either(Gone, N->Mask);
  return L.except(Gone, Living);
}

/// What a condition compares, with constants: the path knows all that follows
/// from comparisons of one number, and not how several hang together.
static void addCompared(const Int *Condition,
                        llvm::SmallPtrSetImpl<const void *> &Numbers) {
  for (const Int::Term &T : Condition->terms())
    switch (T.A->Kind) {
    case Atom::Op::Eq:
    case Atom::Op::Lt:
      addCompared(T.A->A, Numbers);
      break;
    case Atom::Op::LAnd:
    case Atom::Op::LOr:
      addCompared(T.A->A, Numbers);
      addCompared(T.A->B, Numbers);
      break;
    default:
      Numbers.insert(TermOrigins::numberOf(T.A));
    }
}

/// Roles that run ahead of each other miss phases, and wait for ever in the
/// end.
static bool explainsStanding(const Finding &F) {
  return F.Kind == FindingKind::ReadInFlight ||
         (F.Kind == FindingKind::Overwrite &&
          F.Overwritten == OverwriteCause::InFlight);
}

// Numbers that nobody knows have decided the path at several places. Where it
// is one number they agree, and where those who come later ask for each, too.
bool StuckPhases::mayBeDecidedApart(const State &S) {
  llvm::SmallPtrSet<const CFGBlock *, 4> Places;
  llvm::SmallPtrSet<const void *, 4> Numbers;
  bool KnowsAll = true;
  for (const TraceNode *N = S.Trace ? S.Trace->Decided : nullptr; N;
       N = N->Prev ? N->Prev->Decided : nullptr) {
    Places.insert(N->Branch);
    KnowsAll &= N->Condition != nullptr;
    if (N->Condition)
      addCompared(N->Condition, Numbers);
  }
  const bool AreAskedAgain = llvm::all_of(Numbers, [&](const void *X) {
    return Run.Shared.Origins.isAskedTwice(X);
  });
  return Places.size() > 1 &&
         (!KnowsAll || (Numbers.size() > 1 && !AreAskedAgain) ||
          llvm::any_of(*Findings.To, explainsStanding));
}

void StuckPhases::Story::add(const State &S, TraceStep Step) {
  using Kind = TraceStep::Kind;
  if (Step.Loc.isInvalid())
    return;
  // Who comes to a barrier does not know yet that others do not.
  const Kind Done = Step.K == Kind::BarrierSkipped ? Kind::Barrier : Step.K;
  const TraceNode *N = S.Trace;
  while (N && (N->K != Done || N->Loc != Step.Loc))
    N = N->Prev;
  Steps.push_back({std::move(Step), N ? N->InLoop : nullptr, N});
}

void StuckPhases::Story::addUse(const State &S, const PhaseBarrier &B,
                                const std::string &Name) {
  using Kind = TraceStep::Kind;
  add(S, {Kind::MbarrierInit, B.At.Init, Name, B.Expects});
  add(S, {Kind::BytesAnnounced, B.At.Announcement, Name});
  add(S, {Kind::CopyIssued, B.At.Copy, Name});
  if (B.At.Arrival != B.At.Announcement)
    add(S, {Kind::MbarrierArrived, B.At.Arrival, Name});
}

void StuckPhases::Story::addDecisions(const State &S) {
  Decisions Told = newestDecisions(S.Trace, /*Max=*/2);
  if (const TraceNode *N = S.parting(); N && !llvm::is_contained(Told, N))
    Told.insert(Told.begin(), N);
  for (const TraceNode *N : Told)
    addDecision(Steps, N);
}

void StuckPhases::Story::tell(const State &S, Finding &F,
                              const CallChain *Now) {
  cpasync::tell(F, std::move(Steps), S.Trace,
                EffectGroup | EffectCopy | EffectBarrier, Now);
}

// Where a role has come to its end and another waits for more, the host may
// have given both numbers that agree: the path decided them apart.
std::optional<Finding> StuckPhases::findStuck(State &S, const PhaseBarrier &B,
                                              const Arrival *Others) {
  // A pipeline's are told by what is read too early, but for stages that nobody
  // gives back.
  if ((!B.At.Init.isValid() && !B.GivesBack) || B.Waiting.empty() ||
      B.isBelieved() || !isWhole())
    return std::nullopt;
  const Int *Left =
      B.Bytes ? Run.simplify(S, Value::integer(B.Bytes)).I : V.constant(0);
  const Interval Of = S.Condition.bounds(V, Left);
  const bool LacksArrivals = B.Arrived < B.Expects,
             MayHaveBytes = Of.Lo <= 0 && Of.Hi >= 0;
  if ((MayHaveBytes && (!LacksArrivals || !Left->isConstant())) ||
      !isCertain(S))
    return std::nullopt;
  // Who announces bytes copies them, too: that is taken to be decided once.
  if (LacksArrivals && !allWait(S) && mayBeDecidedApart(S))
    return std::nullopt;
  const PhaseBarrier::Waiter &W = B.Waiting.front();
  Finding F;
  F.Kind = B.GivesBack ? FindingKind::StuckStage : FindingKind::StuckPhase;
  F.Object = Run.nameOf(B.Obj).str();
  F.At.Wait = W.Loc;
  F.Value = B.Arrived;
  F.Limit = B.Expects;
  F.Copied = Of.Lo > 0 ? Of.Lo : Of.Hi;
  F.Path.LeavesOpen = !Left->isConstant();
  F.OnEveryPath = isUnconditional(S.Trace);
  Story Way;
  Way.addUse(S, B, F.Object);
  Way.addDecisions(S);
  if (Others)
    Way.add(S, {TraceStep::Kind::BarrierSkipped, Others->At,
                threadRanges(Others->arrived(L), Shape)});
  Way.add(S, {TraceStep::Kind::PhaseAwaited, W.Loc, F.Object});
  Way.tell(S, F);
  return F;
}

bool StuckPhases::checkStuck(State &S, const PhaseBarrier &B,
                             const Arrival *Others) {
  std::optional<Finding> F = findStuck(S, B, Others);
  if (!F)
    return false;
  if (Shape.Open)
    Run.Clues.contradict(F->At.Wait, "a phase never completes",
                         /*MayBeDefect=*/true);
  Findings.add(S, std::move(*F));
  return true;
}

// Threads that have left do not count. Those who wait for a phase may come once
// it is complete: that is what is wrong then.
bool StuckPhases::checkStuck(State &S, const Arrival &A) {
  const auto IsForPhase = [&](const Context &C) {
    return std::holds_alternative<MbarrierIndex>(*C.StoppedAt) &&
           !PerThreadContext::isEmpty(L.except(C.Active, A.arrived(L)));
  };
  if (!isAsked(S, A) || !isCertain(S) || llvm::any_of(S.Stopped, IsForPhase) ||
      (!allWait(S) && mayBeDecidedApart(S)))
    return false;
  if (Shape.Open)
    Run.Clues.contradict(A.At, "a barrier is never complete",
                         /*MayBeDefect=*/true);
  tellBarrier(S, A);
  return true;
}

// Any of them go on, and the rest waits for others.
void StuckPhases::checkExtra(State &S, const Arrival &A) {
  if (A.threads(Shape.threads()) <= A.Needed || !isAsked(S, A) || !isWhole() ||
      !Mixed.mayAllBeHere(S))
    return;
  if (Shape.Open)
    Run.Clues.contradict(A.At, "more threads come to a barrier than it is of",
                         /*MayBeDefect=*/true);
  tellBarrier(S, A);
}

bool StuckPhases::isAsked(const State &S, const Arrival &A) {
  return !Shape.RunsCluster && A.Barrier.index() < BarrierId::Numbered &&
         S.Frames[0].Fn->decl()->hasAttr<CUDAGlobalAttr>();
}

void StuckPhases::tellBarrier(State &S, const Arrival &A) {
  Finding F;
  F.Kind = FindingKind::StuckBarrier;
  F.Text = std::to_string(A.Barrier.index());
  F.At.Wait = A.At;
  F.Value = A.threads(Shape.threads());
  F.Limit = A.Needed;
  F.OnEveryPath = isUnconditional(S.Trace);
  Story Way;
  Way.addDecisions(S);
  Way.add(S, {TraceStep::Kind::BarrierSkipped, A.At,
              threadRanges(A.arrived(L), Shape), 0,
              /*AreTooMany=*/F.Value > F.Limit});
  Way.tell(S, F);
  Findings.add(S, std::move(F));
}

void StuckPhases::checkExtra(State &S, const PhaseBarrier &B,
                             const PerThread *Threads, int64_t Count,
                             SourceLocation At) {
  if (!B.At.Init.isValid() || Count <= B.Expects - B.Arrived || !isCertain(S) ||
      !Mixed.mayAllBeHere(S))
    return;
  Finding F;
  F.Kind = FindingKind::ExtraArrivals;
  F.Object = Run.nameOf(B.Obj).str();
  F.At.Operand = At;
  F.Value = Count;
  F.Limit = B.Expects - B.Arrived;
  F.Thread = L.first(Threads);
  F.OnEveryPath = isUnconditional(S.Trace);
  Story Way;
  Way.add(S, {TraceStep::Kind::MbarrierInit, B.At.Init, F.Object, B.Expects});
  Way.Steps.push_back({{TraceStep::Kind::MbarrierArrived, At, F.Object},
                       Run.loopAround(S),
                       nullptr});
  Way.tell(S, F, Run.callsAround(S));
  Findings.add(S, std::move(F));
}

// PTX ISA, "mbarrier.init": before it, no other operation is defined.
void StuckPhases::checkInit(State &S, const Footprint *Use, SourceLocation At) {
  for (const Access *A : S.Copies.unordered().rivals(Footprints, Use,
                                                     /*OnlyCopies=*/false)) {
    const Event &Init = Events[A->Event];
    const auto Of =
        llvm::find_if(S.Copies.phases(), [&](const PhaseBarrier &B) {
          return B.Obj == Use->Obj && B.At.Init == Init.Loc;
        });
    const Overlap Clash = Footprints.overlapAcrossWarps(
        Footprints.restrict(Use, L.except(Use->Mask, A->After)), A->Bytes);
    if (Init.K != Event::Kind::Store || Of == S.Copies.phases().end() ||
        Clash.K != Overlap::Kind::Clash || !Init.May.empty())
      continue;
    Finding F;
    F.Kind = FindingKind::UnorderedInit;
    F.Object = Run.nameOf(Use->Obj).str();
    F.At.Operand = At;
    F.At.Write = Init.Loc;
    F.Thread = Clash.Thread;
    F.Other = Clash.Other;
    F.OnEveryPath = isUnconditional(S.Trace) && S.May.empty();
    F.Trace.push_back(
        {TraceStep::Kind::MbarrierInit, Init.Loc, F.Object, Of->Expects});
    F.Trace.push_back({TraceStep::Kind::MbarrierUsed, At, F.Object,
                       F.Thread % int(Shape.threadsOfBlock())});
    Findings.add(S, std::move(F));
    S.Copies.unordered().erase(A->Event); // told once
    return;
  }
}
