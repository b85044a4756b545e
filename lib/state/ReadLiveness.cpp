//===- ReadLiveness.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is what a read loaded ever used (UnusedReads.h)? Wherever it is not known
// what an expression or a call does with a value, it uses it.
//
//===----------------------------------------------------------------------===//

#include "lib/state/ReadLiveness.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

bool ReadLiveness::isFollowed(Value Place) {
  return Place.isPtr() && Place.Obj->K == Object::Kind::Local && Place.I &&
         Place.I->isConstant();
}

void ReadLiveness::watch(State &S, EventId Read, int64_t Size,
                         LoadedParts &To) {
  if (Sums)
    return;
  const SourceLocation Loc = Events[Read].Loc;
  Followed[Loc];
  if (S.OnlyUses)
    return; // of those before
  if (!Watched.count(Loc)) {
    if (Watched.empty()) // where it goes is to be noted
      To.push_back({Read, 0, Size, S.Active});
    return;
  }
  const bool Before =
      llvm::any_of(S.Copies.unordered().inOrder(),
                   [&](const Access &A) { return A.Event == Read; }) ||
      S.Copies.history().isBlind(Read);
  S.Mem.unused().begin(Read, Before);
  To.push_back({Read, 0, Size, S.Active});
}

/// The last byte of the read that it has, and one more.
static int64_t endOf(const LoadedPart &Part) {
  return Part.From + Part.End - Part.Begin;
}

void ReadLiveness::place(State &S, Value To, llvm::ArrayRef<LoadedPart> Parts) {
  if (Sums) {
    for (const LoadedPart &Part : Parts)
      if (isFollowed(To))
        S.Mem.unused().place(To.Obj, To.I->constant(), Part);
    return;
  }
  if (Watched.empty()) {
    for (const LoadedPart &Part : Parts)
      if (isFollowed(To))
        Followed[Events[Part.Read].Loc].insert(To.Obj->Origin);
    return;
  }
  // What has no name is used up where it is made.
  const bool IsSeen = isFollowed(To) && (To.Obj->Name.empty() ||
                                         P.watched()->contains(To.Obj->Origin));
  for (const LoadedPart &Part : Parts)
    S.Mem.unused().settle(Part.Read);
  for (const LoadedPart &Part : Parts)
    if (IsSeen)
      S.Mem.unused().place(To.Obj, To.I->constant(), Part);
    else
      use(S, Part.Read, endOf(Part));
}

void ReadLiveness::followOn(const Object *From, Value To) {
  if (Sums || !Watched.empty() || !From->Name.empty() || !isFollowed(To))
    return;
  for (auto &[Loc, Targets] : Followed)
    if (Targets.count(From->Origin))
      Targets.insert(To.Obj->Origin);
}

void ReadLiveness::loadUnused(State &S, Value From, int64_t Size,
                              LoadedParts *To) {
  if (!S.Mem.unused().any())
    return;
  const bool IsKnown = From.I && From.I->isConstant();
  const int64_t Begin = IsKnown ? From.I->constant() : INT64_MIN / 2;
  const int64_t End = IsKnown ? Begin + Size : INT64_MAX / 2;
  // A loop that moves on in an array may come to them later.
  if (IsKnown && !Sums)
    S.Mem.unused().forEach(From.Obj, [&](int64_t HeldFrom, int64_t HeldTo) {
      Comparisons.note(S, V.constant(Begin - HeldTo));
      Comparisons.note(S, V.constant(End - HeldFrom));
    });
  for (const LoadedPart &Part :
       S.Mem.unused().at(L, From.Obj, Begin, End, S.Active))
    if (To && IsKnown)
      To->push_back(Part);
    else
      use(S, Part.Read, endOf(Part));
}

void ReadLiveness::moveUnused(State &S, const Object *From, const Expr *Call) {
  UnusedReads &Unused = S.Mem.unused();
  if (!Unused.any())
    return;
  const Object *To = Run.local(S, Call, "", From->Size);
  Unused.erase([&](const Object *O) { return O == To; });
  for (const LoadedPart &Part : Unused.at(L, From, 0, INT64_MAX / 2, S.Active))
    Unused.place(To, 0, Part);
}

void ReadLiveness::useResult(State &S) {
  const FunctionDecl *F = S.frame().Fn->decl();
  const Object *Result = Run.local(S, F, "", P.sizeOf(F->getReturnType()));
  useReached(S, Value::pointer(Result, V.constant(0)));
}

void ReadLiveness::use(State &S, EventId Read, int64_t End) {
  if (Sums)
    return; // it goes on
  // Which bytes nobody wrote, each thread knows for itself.
  const UnusedReads::Used Now =
      S.Mem.unused().use(Read, [&](const UnusedReads::Held &H) {
        return H.Kind == FindingKind::UnwrittenRead &&
               (End <= H.FirstByte || !(*S.Active)[H.F->Reader]);
      });
  for (const UnusedReads::Held &H : Now.Findings) {
    Findings.ReadInFlight |= H.Kind == FindingKind::ReadInFlight;
    ++*H.Tellings;
    Findings.add(S, *H.F);
  }
  for (EventId Copy : Now.Blamed)
    S.Copies.notes().blame(Copy);
}

void ReadLiveness::useAll(State &S) {
  for (EventId Read : S.Mem.unused().reads())
    use(S, Read);
}

void ReadLiveness::useReached(State &S, Value From, int64_t Size) {
  if (!S.Mem.unused().any() || !From.isPtr())
    return;
  llvm::SmallVector<const Object *, 8> Work;
  llvm::DenseSet<const Object *> Seen;
  if (Size > 0 && isFollowed(From))
    loadUnused(S, From, Size, nullptr);
  else
    loadUnused(S, Value::pointer(From.Obj, nullptr), 0, nullptr);
  const Object *O = From.Obj;
  while (true) {
    if (const Contents *Bytes = S.Mem.find(O))
      for (const Cell &C : *Bytes)
        if (C.V.isPtr() && Seen.insert(C.V.Obj).second)
          Work.push_back(C.V.Obj);
    if (Work.empty())
      return;
    O = Work.pop_back_val();
    loadUnused(S, Value::pointer(O, nullptr), 0, nullptr);
  }
}

void ReadLiveness::uniteUnused(State &S, const Split &May) {
  if (Sums) {
    S.Mem.unused().unite(May.First->Mem.unused());
    return;
  }
  // What was used on one side only is used.
  const UnusedReads &First = May.First->Mem.unused();
  UnusedReads &Second = S.Mem.unused();
  llvm::SmallVector<EventId, 2> UsedOnce;
  for (EventId Read : May.Start->Mem.unused().reads())
    if (!First.contains(Read) || !Second.contains(Read))
      UsedOnce.push_back(Read);
  Second.unite(First);
  for (EventId Read : UsedOnce)
    use(S, Read);
}

void ReadLiveness::forgetLost(State &S) {
  if (!S.May.empty())
    return; // they may be there on the other side
  UnusedReads &Unused = S.Mem.unused();
  auto IsOver = [&](EventId Read) {
    return !S.Copies.history().isBlind(Read) &&
           llvm::none_of(S.Copies.unordered().inOrder(),
                         [&](const Access &A) { return A.Event == Read; });
  };
  auto Somewhere = [&](EventId Id) {
    Event E = Events[Id];
    E.Bytes = Footprints.get(E.Bytes->Obj, nullptr, E.Bytes->Size, L.all());
    E.May.clear();
    return Events.intern(std::move(E));
  };
  for (EventId Read : Unused.reads()) {
    // Where all threads come after it, nothing more can be found about it, and
    // it does not matter any more which bytes it read.
    if (IsOver(Read) && !Unused.hasFindings(Read))
      Unused.use(Read);
    else if (IsOver(Read))
      Unused.forgetBytes(Read, Somewhere);
    if (!Unused.contains(Read) || !Unused.isLost(Read))
      continue;
    if (Unused.containsAll(Read))
      S.Copies.history().forgetRead(Read);
    S.Copies.unordered().erase(Read);
    Unused.use(Read);
  }
}

void ReadLiveness::blame(State &S, EventId Copy, EventId Read) {
  HangsOnReads |= isDoubtful(Read);
  if (S.Mem.unused().contains(Read))
    S.Mem.unused().blame(Read, Copy);
  else
    S.Copies.notes().blame(Copy);
}

bool ReadLiveness::isHeldBack(const State &S, EventId Read, bool AtRead) {
  return AtRead ? S.Mem.unused().contains(Read)
                : S.Mem.unused().containsAll(Read);
}

void ReadLiveness::reportOfRead(State &S, Finding F, EventId Read,
                                EventId Other, bool AtRead, int64_t FirstByte) {
  if (Run.Replay.fail())
    return;
  if (F.Kind == FindingKind::ReadBeforeCopy)
    HangsOnReads |= isDoubtful(Read);
  if (!isHeldBack(S, Read, AtRead)) {
    Findings.add(S, std::move(F));
    return;
  }
  F.Path.Length = S.Length;
  const FindingKind Kind = F.Kind;
  ClashKind This = {Events[Other].Loc, Events[Read].Loc};
  This.What = {Kind, 0};
  unsigned &Count = Findings.Tellings[This];
  S.Mem.unused().hold({Read, Other, Kind,
                       std::make_shared<const Finding>(std::move(F)), &Count,
                       /*OfBefore=*/false, FirstByte});
}
