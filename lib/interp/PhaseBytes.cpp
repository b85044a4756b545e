//===- PhaseBytes.cpp - Copies that complete with a phase -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of a phase: announced by expect_tx, taken off by the bulk copies
// that complete on its mbarrier; and copies whose threads arrive with them. PTX
// ISA, "mbarrier: Tracking asynchronous operations".
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"
#include "lib/interp/MbarrierOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void MbarrierOps::announce(State &S, PhaseBarrier &B, const PerThread *Threads,
                           const Int *Bytes, bool IsCopied) {
  const Int *All = nullptr;
  if (Bytes)
    Bytes = asIn(V, Bytes, Threads);
  if (Bytes && !IsCopied) // PTX ISA, "expect-tx operation"
    Math.assumeNotNegative(S, Bytes);
  const unsigned Count = L.count(Threads);
  if (Bytes && (Bytes->isUniform() || Count == 1))
    All = V.mul(Bytes, V.constant(Count));
  else if (Bytes && Bytes->isKnown()) {
    int64_t Sum = 0;
    for (unsigned T = 0; T < Shape.threads(); ++T)
      Sum += (*Threads)[T] ? (*Bytes->base())[T] : 0;
    All = V.constant(Sum);
  }
  const Int *Old = B.Bytes ? B.Bytes : V.constant(0);
  B.IsBelieved |= !All;
  B.Bytes = !All ? Old : IsCopied ? V.sub(Old, All) : V.add(Old, All);
}

bool MbarrierOps::hasArrived(const State &S, const PhaseBarrier &B) {
  if (B.Expects)
    return B.Arrived >= B.Expects;
  // A barrier of bytes has an arrival from whoever announces them.
  if (B.Bytes)
    return B.Arrived > 0;
  const PerThread *All =
      B.Obj ? L.both(Run.livingThreads(S), Run.Blocks.threadsAt(B.Offset))
            : Run.livingThreads(S);
  return PerThreadContext::isEmpty(L.except(All, B.Came));
}

bool MbarrierOps::isReady(State &S, const PhaseBarrier &B, bool Knows) {
  if (!B.Bytes || !hasArrived(S, B))
    return false;
  if (B.isBelieved())
    return !Knows;
  const Int *Left = Run.simplify(S, Value::integer(B.Bytes)).I;
  // However much it is, some are missing, or too many.
  const Interval Of = S.Condition.bounds(V, Left);
  if (Of.Lo > 0 || Of.Hi < 0)
    return false;
  return Left->isConstant(0) || (!Knows && !Left->isKnown());
}

void MbarrierOps::completeIfReady(State &S, MbarrierIndex Barrier, bool Knows,
                                  const PhaseBarrier::Waiter *New) {
  const PhaseBarrier &B = S.Copies.phase(Barrier);
  if (!isReady(S, B, Knows))
    return;
  if (New || !B.Waiting.empty())
    Detect.Bytes.check(S, B, New ? *New : B.Waiting.front());
  completePhase(S, Barrier, /*Forced=*/false);
}

void MbarrierOps::completeReady(State &S) {
  for (size_t I = 0; I < S.Copies.phases().size(); ++I)
    if (!S.Copies.phases()[I].Waiting.empty())
      completeIfReady(S, MbarrierIndex(I), /*Knows=*/false);
}

// Groups in flight that one statement closed are told apart: by the barrier,
// and by number where it closed several for this one. Rounds of a loop that
// load for one phase do not need a group each.
EventId MbarrierOps::closing(State &S, const void *Site, SourceLocation Loc,
                             MbarrierIndex Barrier, const PerThread *Threads,
                             bool IsLoad) {
  for (const PhaseBarrier::Bound &X : S.Copies.phase(Barrier).Binds)
    if (const Event &Old = Events[X.Commit];
        IsLoad && X.Alone && X.Threads == Threads && Old.Site == Site &&
        Old.Loc == Loc && S.Copies.groupsAfter(L, X.Commit, Threads))
      return X.Commit;
  Event Close{Event::Kind::Commit, Site, Loc};
  Close.Mask = Threads;
  Close.N = int64_t(Barrier) << 8;
  EventId Id = Events.intern(Close);
  while (S.Copies.groupsAfter(L, Id, Threads)) {
    ++Close.N;
    Id = Events.intern(Close);
  }
  return Id;
}

bool MbarrierOps::issueLoad(State &S, const CopyRequest &R, EventId Copy) {
  Run.Report->LoadsInBulk = true;
  const Value Place = Run.simplify(S, *R.Mbarrier);
  const SourceLocation Loc = Events[Copy].Loc;
  if (!Place.isPtr() || Place.Obj->K == Object::Kind::Choice)
    return false;
  noteUse(S, R.Site, R.Loc, Place, /*IsInit=*/false);
  return V.forEachValue(
      Run.Blocks.placeOf(Place).I, S.Active,
      [&](int64_t At, const PerThread *Here) {
        const MbarrierIndex B = phaseBarrier(S, Place.Obj, At);
        completeIfReady(S, B, /*Knows=*/true);
        const EventId Close = closing(S, R.Site, Loc, B, Here, /*IsLoad=*/true);
        S.Copies.load(L, Run.Written, Events, Copy, Close, Here, R.Reads);
        S.Copies.phase(B).bind({Here, Close, /*Alone=*/true});
        S.Copies.phase(B).At.Copy = Loc;
        // Another block that sees what has come knows what was done before it
        // was sent.
        if (Shape.RunsCluster)
          S.Copies.unordered().arrive(L, Footprints, BarrierId::openPhase(B),
                                      L.inStepWith(Here));
        const bool HasSize = R.Size.isInt();
        if (!HasSize && R.Tensor)
          S.Copies.phase(B).believe(Interp.Known.Tiles.number(R.Tile),
                                    L.count(Here));
        announce(S, S.Copies.phase(B), Here,
                 HasSize    ? R.Size.I
                 : R.Tensor ? V.constant(0)
                            : nullptr,
                 /*IsCopied=*/true);
        if (!S.Copies.phase(B).Waiting.empty())
          completeIfReady(S, B, /*Knows=*/true);
      });
}

bool MbarrierOps::arriveWithCopies(State &S, const void *Site,
                                   SourceLocation At, Value Place,
                                   bool Counts) {
  Place = Run.simplify(S, Place);
  const SourceLocation Loc = Run.userLoc(S, At);
  if (!Place.isPtr() || Place.Obj->K == Object::Kind::Choice)
    return false;
  noteUse(S, Site, At, Place, /*IsInit=*/false);
  return V.forEachValue(
      Run.Blocks.placeOf(Place).I, S.Active,
      [&](int64_t Offset, const PerThread *Here) {
        const MbarrierIndex B = phaseBarrier(S, Place.Obj, Offset);
        const EventId Close = closing(S, Site, Loc, B, Here);
        S.Copies.part(L, Events, Close, Here);
        Run.trace(S, {TraceStep::Kind::Committed, Loc, Close, Here});
        S.Copies.phase(B).bind({Here, Close, /*Alone=*/true});
        if (!Counts)
          return;
        S.Copies.phase(B).At.Arrival = Loc;
        Run.trace(S, {TraceStep::Kind::MbarrierArrived, Loc, 0, Here});
        Detect.Stuck.checkExtra(S, S.Copies.phase(B), Here, L.count(Here), Loc);
        arrive(S, B, Here, L.count(Here));
      });
}
