//===- SharedAccesses.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/SharedAccesses.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void SharedAccesses::sharedRead(State &S, const void *Op, SourceLocation At,
                                Value P, int64_t Size, LoadedParts *To,
                                bool Whole) {
  if (Reads.isWatching())
    Run.Effects.note();
  if (!P.isPtr() || Size <= 0 || stopsBeyond(S, At, P))
    return;
  if (!Pointers.forEachChosen(S, P, [&](Value From) {
        sharedRead(S, Run.siteOf(S, Op, At), From, Size, To, Whole);
      }))
    Run.gap(S, At, "which array is read is not known");
}

bool SharedAccesses::stopsBeyond(State &S, SourceLocation At, Value P) {
  ++Bounds.TimesAsked;
  if (!Bounds.isNoRound(S, Run.simplify(S, P), At))
    return false;
  Run.Effects.note(); // who calls has a say in it
  Asked.stopAt(At);
  return true;
}

bool SharedAccesses::isBlind(State &S, const Footprint *Read) {
  if (!Read->Obj->isShared() || !S.May.empty())
    return false;
  const bool IsWritten = S.Copies.history().mayBeWritten(Run.Written, Read);
  if (IsWritten && !S.Copies.history().wroteAnywhere())
    Interp.Met.need(S, Read);
  return !IsWritten && !S.ChoseNotToCopy;
}

void SharedAccesses::sharedRead(State &S, const Site &Where, Value P,
                                int64_t Size, LoadedParts *To, bool Whole) {
  const EventId Id = beginRead(S, Where, P, Size, To, Whole);
  S.Copies.unordered().add(L, Events, Id, 0, Events[Id].Bytes);
  if (Detect.Omitted.isFollowing())
    Detect.Omitted.check(S, Id, Whole, To);
  else
    Detect.Unwritten.check(S, Id, Whole);
}

bool SharedAccesses::meetsCopyInFlight(State &S, EventId Read, Value P,
                                       SourceLocation At) {
  const Footprint *Bytes = Events[Read].Bytes;
  // With an unknown address, a claim must hold for every byte of the object.
  bool WholeObject = P.Obj->K == Object::Kind::Shared &&
                     !S.Copies.history().isFilled(P.Obj) &&
                     !S.Copies.history().wroteAnywhere();

  bool Reported = false;
  RowsInFlight::Meeting InRow{Read};
  auto Check = [&](const BlockCopies::ThreadClass &C, EventId Copy,
                   int GroupIndex) {
    const Event &Issued = Events[Copy];
    if (Issued.Bytes->Obj != P.Obj ||
        (Reported && S.Copies.notes().isBlamed(Copy)) ||
        Detect.Exclusive.areExclusive(S, Copy, Read))
      return;
    const Footprint *InFlight = Footprints.restrict(Issued.Bytes, C.Mask);
    Overlap Clash = Detect.Exclusive.overlapOnPath(S, Bytes, InFlight);
    if (Clash.K == Overlap::Kind::Unknown && P.I)
      Clash = Detect.Rows.clash(S, InRow, InFlight);
    if (Clash.K == Overlap::Kind::Unknown && !(WholeObject && !P.I)) {
      Run.gap(S, At,
              "address of a read of '" + Run.nameOf(P.Obj).str() +
                  "' is not known while copies into it are in flight");
      return;
    }
    if (Clash.K == Overlap::Kind::Unknown) {
      Clash.K = Overlap::Kind::Clash;
      Clash.Thread = L.first(S.Active);
      Clash.Other = L.first(InFlight->Mask);
    }
    if (Clash.K != Overlap::Kind::Clash)
      return;
    if (!Reported)
      Detect.Witnesses.reportReadInFlight(S, Copy, Read, Clash, C, GroupIndex);
    Reads.blame(S, Copy, Read);
    Reported = true;
  };
  if (S.Copies.mayBeInFlight(Bytes))
    for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
      int Index = 0;
      for (const Group &G : C.Queue.groups()) {
        for (EventId Copy : G.Copies)
          Check(C, Copy, Index);
        ++Index;
      }
      for (EventId Copy : C.Queue.open())
        Check(C, Copy, -1);
    }
  return Reported;
}

EventId SharedAccesses::beginRead(State &S, const Site &Where, Value P,
                                  int64_t Size, LoadedParts *To, bool Whole) {
  TapeStep Taped{TapeStep::Kind::Read, Where};
  Taped.P = P;
  Taped.N = Size;
  Taped.Followed = To != nullptr;
  Taped.Whole = Whole;
  Memo.noteStep(S, Taped);
  const unsigned Asked = S.Condition.timesAsked();
  const SourceLocation At = Where.At;
  P = Run.simplify(S, P);
  Event E{Event::Kind::Read, Where.Op, Where.Loc};
  E.Bytes = Store.footprint(S, P, Size);
  E.May = S.May;
  EventId Id = Events.intern(std::move(E));
  const Footprint *Read = Events[Id].Bytes;
  Registers.Uses.read(S, Read, Events[Id].Loc);
  Detect.Absent.checkReach(S, Read, Events[Id].Loc);
  if (To)
    Reads.watch(S, Id, Size, *To);
  const bool Reported = meetsCopyInFlight(S, Id, P, At);
  if (!Reported && !Detect.Mixed.checkMixedCopies(S, Id))
    Detect.Order.checkOrderOfRead(S, Id);
  const bool Blind = !Reported && P.I && isBlind(S, Read);
  if (Blind || L.threads() > L.inStep())
    Run.trace(S, {TraceStep::Kind::Read, Events[Id].Loc, Id, S.Active});
  if (Blind)
    S.Copies.history().addBlindRead(Id);
  S.Condition.timesAsked() = Asked;
  return Id;
}

void SharedAccesses::sharedWrite(State &S, const void *Op, SourceLocation At,
                                 Value P, int64_t Size) {
  if (Reads.isWatching())
    Run.Effects.note();
  if (!P.isPtr() || Size <= 0 || stopsBeyond(S, At, P))
    return;
  if (!Pointers.forEachChosen(S, P, [&](Value To) {
        sharedWrite(S, Run.siteOf(S, Op, At), To, Size);
      })) {
    Run.gap(S, At, "which array is written is not known");
    S.Copies.history().storeAnywhere(Run.Written);
  }
}

void SharedAccesses::sharedWrite(State &S, const Site &Where, Value P,
                                 int64_t Size) {
  TapeStep Taped{TapeStep::Kind::Store, Where};
  Taped.P = P;
  Taped.N = Size;
  Memo.noteStep(S, Taped);
  const unsigned Asked = S.Condition.timesAsked();
  P = Run.simplify(S, P);
  Event E{Event::Kind::Store, Where.Op, Where.Loc};
  E.Bytes = Store.footprint(S, P, Size);
  E.May = S.May;
  EventId Id = Events.intern(std::move(E));
  Registers.Uses.access(S, Events[Id].Bytes, Events[Id].Loc);
  Detect.Absent.checkReach(S, Events[Id].Bytes, Events[Id].Loc);
  Detect.Order.checkOverwrite(S, Id, Value::unknown(), nullptr);
  Detect.Order.checkReadsBefore(S, Id);
  if (L.threads() > L.inStep())
    Run.trace(S, {TraceStep::Kind::Stored, Events[Id].Loc, Id, S.Active});
  S.Copies.notes().dropMixed(Footprints, Events[Id].Bytes);
  S.Copies.store(Run.Written, Events[Id].Bytes);
  S.Copies.unordered().add(L, Events, Id, 0, Events[Id].Bytes);
  if (Interp.Known.Proxies)
    S.Copies.notes().addUnfenced({Id, Events[Id].Bytes});
  S.Condition.timesAsked() = Asked;
}

void SharedAccesses::sharedAtomic(State &S, const void *Op, SourceLocation At,
                                  Value P, int64_t Size) {
  sharedRead(S, Op, At, P, Size);
  if (!P.isPtr() || Size <= 0)
    return;
  if (!Pointers.forEachChosen(S, P, [&](Value To) {
        atomicStore(S, Run.siteOf(S, Op, At), To, Size);
      }))
    S.Copies.history().storeAnywhere(Run.Written);
}

void SharedAccesses::atomicStore(State &S, const Site &Where, Value P,
                                 int64_t Size) {
  TapeStep Taped{TapeStep::Kind::AtomicStore, Where};
  Taped.P = P;
  Taped.N = Size;
  Memo.noteStep(S, Taped);
  const unsigned Asked = S.Condition.timesAsked();
  P = Run.simplify(S, P);
  Event E{Event::Kind::Store, Where.Op, Where.Loc};
  E.Bytes = Store.footprint(S, P, Size);
  E.May = S.May;
  const EventId Id = Events.intern(std::move(E));
  const Footprint *Bytes = Events[Id].Bytes;
  Detect.Order.checkReadsBefore(S, Id);
  S.Copies.notes().dropMixed(Footprints, Bytes);
  S.Copies.store(Run.Written, Bytes);
  // Of a histogram it is not known which.
  if (Interp.Known.Proxies && P.isPtr() && P.I && P.I->isKnown()) {
    if (L.threads() > L.inStep())
      Run.trace(S, {TraceStep::Kind::Stored, Where.Loc, Id, S.Active});
    S.Copies.unordered().add(L, Events, Id, 0, Bytes);
    S.Copies.notes().addUnfenced({Id, Bytes});
  }
  S.Condition.timesAsked() = Asked;
}
