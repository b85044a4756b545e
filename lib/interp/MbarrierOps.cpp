//===- MbarrierOps.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuda::barrier, and cuda::pipeline where threads share it: two barriers for
// each stage, one that producers arrive at when they commit and consumers wait
// for, one that consumers arrive at when they release and producers wait for.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/MbarrierOps.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// PTX ISA, "mbarrier: Contents of the mbarrier object".
static constexpr int64_t MbarrierBytes = 8;

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

MbarrierIndex MbarrierOps::phaseBarrier(State &S, const Object *O,
                                        int64_t Offset, unsigned Part) {
  PhaseBarriers &All = S.Copies.phases();
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I].Obj == O && All[I].Offset == Offset && All[I].Part == Part)
      return MbarrierIndex(I);
  if (All.size() == MaxMbarriers)
    Run.gap(S, S.frame().CallLoc,
            "block has more than " + std::to_string(MaxMbarriers) +
                " mbarriers");
  PhaseBarrier New{O, Offset, Part};
  New.Came = L.none();
  if (O)
    Interp.Known.Tiles.limit(O, Run.Blocks.byteOf(Offset));
  All.push_back(std::move(New));
  return MbarrierIndex(All.size() - 1);
}

void MbarrierOps::arrive(State &S, MbarrierIndex Barrier,
                         const PerThread *Threads, int64_t Count, bool Orders) {
  completeIfReady(S, Barrier, /*Knows=*/false);
  PhaseBarrier &B = S.Copies.phase(Barrier);
  B.Arrived += Count;
  B.Came = L.either(B.Came, Threads);
  noteForeign(B, B.Obj ? Threads : L.none());
  B.Joined = L.blend(Threads, L.uniform(B.Parity),
                     B.Joined ? B.Joined : L.uniform(-1));
  // Threads that run in step are ordered: one arrives for all.
  if (Orders)
    S.Copies.unordered().arrive(L, Footprints, BarrierId::openPhase(Barrier),
                                L.inStepWith(Threads));
  if (!B.Bytes ? hasArrived(S, B)
               : !B.Waiting.empty() && isReady(S, B, /*Knows=*/true))
    completePhase(S, Barrier, /*Forced=*/false);
}

void MbarrierOps::waitForPhase(State &S, MbarrierIndex Barrier,
                               const PhaseBarrier::Waiter &W, bool Parity) {
  if (S.Copies.phase(Barrier).Parity == Parity)
    completeIfReady(S, Barrier, /*Knows=*/false, &W);
  PhaseBarrier &B = S.Copies.phase(Barrier);
  if (B.Parity != Parity) {
    passPhase(S, Barrier, W, /*Forced=*/false);
    HasPassed = true;
    return;
  }
  Run.trace(S, {TraceStep::Kind::PhaseAwaited, W.Loc, 0, W.Threads});
  B.Waiting.push_back(W);
  S.StoppedAt = Awaited(Barrier);
}

void MbarrierOps::completePhase(State &S, MbarrierIndex Barrier, bool Forced) {
  PhaseBarrier &B = S.Copies.phase(Barrier);
  // Those of the last phase come last.
  llvm::erase_if(B.Done, [&](const PhaseBarrier::Bound &X) {
    return llvm::is_contained(B.Binds, X);
  });
  B.Done.append(B.Binds.begin(), B.Binds.end());
  B.Newest = B.Binds.size();
  B.WasForced |= Forced;
  B.Binds.clear();
  if (!Forced)
    tellTiles(S, B);
  B.begin(L.none());
  B.Parity = !B.Parity;
  S.Copies.unordered().complete(Barrier);
  for (const PhaseBarrier::Waiter &W : std::exchange(B.Waiting, {}))
    passPhase(S, Barrier, W, Forced);
  if (S.StoppedAt == Awaited(Barrier))
    S.StoppedAt.reset();
  for (Context &C : S.Stopped)
    if (C.StoppedAt == Awaited(Barrier))
      C.StoppedAt.reset();
}

// Threads that have arrived in a phase and wait with the parity of the one
// before may come by while the others have not arrived yet: of that phase
// nothing is complete for them.
void MbarrierOps::passEarly(State &S, MbarrierIndex Barrier,
                            const PhaseBarrier::Waiter &W, bool Parity) {
  PhaseBarrier &B = S.Copies.phase(Barrier);
  const size_t Older = B.Done.size() - B.Newest;
  const llvm::SmallVector<PhaseBarrier::Bound, 2> Left(B.Done.begin() + Older,
                                                       B.Done.end());
  B.Done.truncate(Older);
  passPhase(S, Barrier, W, /*Forced=*/false, /*Early=*/true);
  PhaseBarrier &Now = S.Copies.phase(Barrier);
  Now.Done = Left;
  Now.Newest = Left.size();
  Run.trace(S, {TraceStep::Kind::WaitedEarly, W.Loc, 0, W.Threads, Parity});
}

// The lanes of a warp of which one waits go on without it, as an H200 shows; of
// those that do nothing more before they meet it nothing needs to be kept.
const PerThread *MbarrierOps::heldBack(const State &S,
                                       const PerThread *Waiting) {
  const PerThread *Mates = L.except(L.anyAmong(Waiting, WarpThreads), Waiting);
  if (PerThreadContext::isEmpty(Mates))
    return Waiting;
  const PerThread *Early = nullptr;
  // Who runs the same wait waits by itself.
  const auto AskIn = [&](const Context &C) {
    if (PerThreadContext::isEmpty(L.both(C.Active, Waiting)))
      return false;
    Early = Ahead.among(C, L.except(Mates, C.Active));
    return true;
  };
  if (AskIn(S) || llvm::any_of(S.Stopped, AskIn))
    return L.except(L.either(Waiting, Mates), Early);
  return Waiting;
}

void MbarrierOps::passPhase(State &S, MbarrierIndex Barrier,
                            const PhaseBarrier::Waiter &W, bool Forced,
                            bool Early) {
  S.Copies.phase(Barrier).Newest = 0;
  settleForeign(S, Barrier, W.Threads);
  const auto Done = std::exchange(S.Copies.phase(Barrier).Done, {});
  Event E{Event::Kind::Wait, W.Site, W.Loc};
  E.Mask = W.Threads;
  E.OfPhase = S.Copies.phase(Barrier).At.Init.isValid(); // not of a pipeline
  bool Completes = false;
  for (const PhaseBarrier::Bound &X : Done)
    if (auto Left = S.Copies.groupsAfter(L, X.Commit, X.Threads)) {
      Completes = true;
      E.Mask = L.either(E.Mask, X.Threads);
      if (!X.Alone)
        E.N = std::max(E.N, int64_t(*Left));
    }
  const bool Misses = Forced && W.Consumes && !Completes;
  if (Completes || Misses) {
    const PerThread *Mask = E.Mask;
    const int64_t N = E.N;
    const EventId Id = Events.intern(std::move(E));
    const BarrierSet Before =
        BarrierSet::of(Early ? BarrierId::olderPhases(Barrier)
                             : BarrierId::newestPhase(Barrier));
    for (const PhaseBarrier::Bound &X : Done)
      S.Copies.completeUpTo(Footprints, Events, X.Commit, Id, X.Threads, Before,
                            X.Alone);
    if (Misses)
      S.Copies.missWait(L, Events, Id, L.all());
    Run.trace(S, {TraceStep::Kind::Waited, W.Loc, Id, Mask, N, /*Flag=*/true});
  }
  BarrierSet Passed = BarrierSet::of(BarrierId::olderPhases(Barrier));
  if (!Early)
    Passed.insert(BarrierId::newestPhase(Barrier));
  S.Copies.unordered().pass(L, Passed, heldBack(S, W.Threads),
                            Run.livingThreads(S));
  bindCopies(S, Barrier, W.Threads, W.Site, W.Loc);
  Printer.printState(S, "wait", W.Loc);
}

//===----------------------------------------------------------------------===//
// cuda::barrier
//===----------------------------------------------------------------------===//

static int64_t sumOver(const PerThread *Mask, const PerThread *N,
                       unsigned Threads) {
  int64_t Sum = 0;
  for (unsigned T = 0; T < Threads; ++T)
    Sum += (*Mask)[T] ? (*N)[T] : 0;
  return Sum;
}

const PerThread *MbarrierOps::expected(State &S, const PhaseBarrier &B,
                                       const PerThread *Here,
                                       const PerThread *Each) {
  const int64_t Missing = B.Expects - B.Arrived;
  if (!B.Expects || Missing <= 0 ||
      sumOver(Here, Each, Shape.threads()) <= Missing ||
      !Detect.Mixed.mayAllBeHere(S))
    return nullptr;
  int64_t Sum = 0;
  std::vector<int64_t> First(Shape.threads());
  for (unsigned T = 0; T < Shape.threads() && Sum < Missing; ++T)
    if ((*Here)[T]) {
      First[T] = 1;
      Sum += (*Each)[T];
    }
  return Sum == Missing ? L.perThread(First) : nullptr;
}

llvm::SmallVector<PhaseBarrier::Bound, 2>
MbarrierOps::takeLate(State &S, PhaseBarrier &B, const PerThread *Late,
                      SourceLocation Arrival) {
  auto IsOrdered = [&](EventId Commit) {
    for (const TraceNode *N = S.Trace; N; N = N->Prev) {
      if (N->K == TraceStep::Kind::Barrier && N->Loc != Arrival)
        return true;
      if (N->Event == Commit ||
          (N->K == TraceStep::Kind::CopyIssued && N->Loc == Events[Commit].Loc))
        return false;
    }
    return true;
  };
  llvm::SmallVector<PhaseBarrier::Bound, 2> Taken;
  for (PhaseBarrier::Bound &X : B.Binds) {
    const PerThread *Of = L.both(X.Threads, Late);
    if (PerThreadContext::isEmpty(Of) || IsOrdered(X.Commit))
      continue;
    Taken.push_back({Of, X.Commit, X.Alone});
    X.Threads = L.except(X.Threads, Of);
  }
  llvm::erase_if(B.Binds, [](const PhaseBarrier::Bound &X) {
    return PerThreadContext::isEmpty(X.Threads);
  });
  return Taken;
}

SourceLocation MbarrierOps::placeOf(const State &S, SourceLocation At) {
  constexpr unsigned Helps = EffectGroup | EffectBarrier | EffectReferred |
                             EffectOtherBlocks | EffectStop;
  SourceLocation Loc = Run.userLoc(S, At);
  for (size_t I = S.depth();
       I > 0 && !(P.effects(S.Frames[I].Fn->decl()) & ~Helps); --I)
    Loc = Ctx.getSourceManager().getExpansionLoc(S.Frames[I].CallLoc);
  return Loc;
}

bool MbarrierOps::operate(State &S, const PhaseRequest &R, Value Place,
                          std::vector<int64_t> &Token) {
  Place = Run.simplify(S, Place);
  if (!Place.isPtr() || Place.Obj->K == Object::Kind::Choice)
    return false;
  const bool Waits = R.Kind == ApiKind::PhaseWait ||
                     R.Kind == ApiKind::PhaseWaitParity ||
                     R.Kind == ApiKind::PhaseSync;
  if (Waits && S.GaveUpOn == Place)
    Asked.endPath();
  noteUse(S, R.Site, R.At, Place, R.Kind == ApiKind::PhaseInit);
  return V.forEachValue(Run.Blocks.placeOf(Place).I, S.Active,
                        [&](int64_t Offset, const PerThread *Here) {
                          operate(S, R, Place.Obj, Offset, Here, Token);
                        });
}

ResultUse MbarrierOps::useOf(const State &S, const Stmt *Try) {
  for (size_t I = S.depth(); Try; --I) {
    const ResultUse Use = P.results().of(S.Frames[I].Fn->decl(), Try);
    if (Use != ResultUse::Returned)
      return Use;
    Try = I ? S.Frames[I].Call : nullptr;
  }
  return ResultUse::Some;
}

// PTX ISA, "mbarrier.try_wait": it may return before the phase is complete. A
// loop tries until it is. What else is done about it is looked at in the first
// rounds of a loop.
MbarrierOps::WaitOutcome MbarrierOps::outcomeOf(State &S, const PhaseRequest &R,
                                                Value Place) {
  constexpr unsigned RoundsOfTries = 3;
  if (!isDecided(S, R.Bytes))
    return WaitOutcome::Undecided;
  if (!R.Try || std::exchange(S.InTime, nullptr) == R.Try)
    return WaitOutcome::Complete;
  const ResultUse Use = useOf(S, R.Try);
  Place = Run.simplify(S, Place);
  if (!Place.isPtr())
    return WaitOutcome::Complete;
  if (S.GaveUpOn == Place && Use != ResultUse::Repeats)
    return WaitOutcome::GaveUp;
  if (Use == ResultUse::None || Use == ResultUse::Repeats ||
      S.GaveUpOn.isPtr() || S.OnlyUses ||
      (!S.Loops.empty() && S.Loops.back().Visits > RoundsOfTries))
    return WaitOutcome::Complete;
  Asked.tryFirst(R.Try, Place);
  return WaitOutcome::Undecided;
}

void MbarrierOps::noteUse(State &S, const void *Site, SourceLocation At,
                          Value Place, bool IsInit) {
  if (!Place.Obj->isShared())
    return;
  const Footprint *Bytes = Store.footprint(S, Place, MbarrierBytes);
  Detect.Absent.checkReach(S, Bytes, placeOf(S, At));
  if (!IsInit) {
    Detect.Stuck.checkInit(S, Bytes, placeOf(S, At));
    return;
  }
  Event E{Event::Kind::Store, Site, placeOf(S, At)};
  E.Bytes = Bytes;
  E.May = S.May;
  const EventId Id = Events.intern(std::move(E));
  S.Copies.unordered().add(L, Events, Id, 0, Bytes);
}

// More threads arrive than the phase expects: it does not wait for some.
bool MbarrierOps::arriveInTurn(State &S, const PhaseRequest &R, const Object *O,
                               int64_t Offset, const PerThread *Here,
                               std::vector<int64_t> &Token) {
  const MbarrierIndex Index = phaseBarrier(S, O, Offset);
  auto B = [&]() -> PhaseBarrier & { return S.Copies.phase(Index); };
  const SourceLocation Loc = placeOf(S, R.At);
  const PerThread *Each =
      R.Kind == ApiKind::PhaseArrive ? R.Given->base() : L.uniform(1);
  B().At.Arrival = Loc;
  completeIfReady(S, Index, /*Knows=*/false);
  if (B().Bytes)
    Detect.Stuck.checkExtra(S, B(), Here, sumOver(Here, Each, Shape.threads()),
                            Loc);
  const PerThread *First = expected(S, B(), Here, Each);
  if (!First) {
    Run.trace(S, {TraceStep::Kind::MbarrierArrived, Loc, 0, Here});
    return false;
  }
  if (Shape.Open)
    Run.Clues.contradict(Loc, "more threads arrive than a barrier expects",
                         /*MayBeDefect=*/true);
  const PerThread *Late = L.except(Here, First);
  const auto Copies = takeLate(S, B(), Late, Loc);
  PhaseRequest Again = R;
  Again.Announces = false;
  for (const PerThread *Part : {First, Late}) {
    TraceNode N{TraceStep::Kind::Barrier, Loc, 0, Part};
    N.Flag = true;
    Run.trace(S, N);
    operate(S, Again, O, Offset, Part, Token);
    if (Part == First)
      for (const PhaseBarrier::Bound &X : Copies)
        B().bind(X);
  }
  return true;
}

static void initialise(PhaseBarrier &B, int64_t Expects, SourceLocation At,
                       const PerThread *Nobody) {
  B.Expects = Expects;
  B.At.Init = At;
  B.begin(Nobody);
  B.Parity = false;
  B.Joined = nullptr;
}

void MbarrierOps::operate(State &S, const PhaseRequest &R, const Object *O,
                          int64_t Offset, const PerThread *Here,
                          std::vector<int64_t> &Token) {
  const ApiKind K = R.Kind;
  const Int *Given = R.Given;
  const MbarrierIndex Index = phaseBarrier(S, O, Offset);
  auto B = [&]() -> PhaseBarrier & { return S.Copies.phase(Index); };
  const SourceLocation Loc = placeOf(S, R.At);
  if (R.Announces) {
    completeIfReady(S, Index, /*Knows=*/false);
    announce(S, B(), Here, R.Bytes, /*IsCopied=*/R.Completes);
    (R.Completes ? B().At.Copy : B().At.Announcement) = Loc;
    if (!R.Completes)
      Run.trace(S, {TraceStep::Kind::BytesAnnounced, Loc, 0, Here});
    if (R.Completes && !B().Waiting.empty())
      completeIfReady(S, Index, /*Knows=*/true);
  }
  const bool Arrives = K == ApiKind::PhaseArrive || K == ApiKind::PhaseSync;
  if ((Arrives || K == ApiKind::PhaseDrop) && B().Copying) {
    completeIfReady(S, Index, /*Knows=*/false);
    bindCopies(S, Index, L.all(), R.Site, Loc);
  }
  if (Arrives && arriveInTurn(S, R, O, Offset, Here, Token))
    return;
  const bool Parity = B().Parity;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    Token[T] = (*Here)[T] ? Parity : Token[T];
  const int64_t Count = sumOver(Here, Given->base(), Shape.threads());
  PhaseBarrier::Waiter W{S.Active, R.Site, Loc, /*Consumes=*/false};
  switch (K) {
  case ApiKind::PhaseInit:
    Run.trace(S, {TraceStep::Kind::MbarrierInit, Loc, 0, Here});
    initialise(B(), (*Given->base())[L.first(Here)], Loc, L.none());
    S.Copies.notes().fenceInits(false);
    if (Shape.Open && Run.Clues.addTotal(ShapeClues::Compared, B().Expects))
      Run.Effects.note();
    break;
  case ApiKind::PhaseExpect:
    break;
  case ApiKind::PhaseDrop:
    arrive(S, Index, Here, Count);
    // The phase that it arrived in, if that goes on, has one less to wait for.
    if (B().Parity == Parity)
      B().Arrived -= Count;
    if (B().Expects)
      B().Expects = std::max<int64_t>(1, B().Expects - Count);
    break;
  case ApiKind::PhaseArrive:
    arrive(S, Index, Here, Count);
    break;
  case ApiKind::PhaseSync:
    arrive(S, Index, Here, Count);
    W.Threads = Here;
    waitForPhase(S, Index, W, Parity);
    break;
  default:
    if (R.Try && useOf(S, R.Try) == ResultUse::None) {
      Run.trace(S, {TraceStep::Kind::TriedOnce, Loc, 0, Here});
      break;
    }
    V.forEachValue(Given, Here, [&](int64_t Phase, const PerThread *Threads) {
      const bool Wanted = Phase & 1;
      const PerThread *Early =
          B().Joined ? L.both(Threads, L.apply(LaneOp::Eq, B().Joined,
                                               L.uniform(!Wanted)))
                     : L.none();
      W.Threads = Early;
      if (!PerThreadContext::isEmpty(Early))
        passEarly(S, Index, W, Wanted);
      W.Threads = L.except(Threads, Early);
      if (PerThreadContext::isEmpty(W.Threads))
        return;
      // Once they go on, they know that it is complete.
      if (B().Joined)
        B().Joined = L.blend(W.Threads, L.uniform(-1), B().Joined);
      waitForPhase(S, Index, W, Wanted);
    });
  }
}
