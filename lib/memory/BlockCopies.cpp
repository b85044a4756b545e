//===- BlockCopies.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/BlockCopies.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/values/PathCondition.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

/// The class of \p Mask, some of the threads of \p C: open copies that are none
/// of theirs stay with the others.
static BlockCopies::ThreadClass partOf(const BlockCopies::ThreadClass &C,
                                       const PerThread *Mask,
                                       PerThreadContext &L,
                                       const EventTable &E) {
  BlockCopies::ThreadClass Part = {Mask, C.Queue, C.Bulk, C.Wgmma};
  if (Mask == C.Mask)
    return Part;
  auto IsTheirs = [&](EventId Id) {
    return !PerThreadContext::isEmpty(L.both(E[Id].Bytes->Mask, Mask));
  };
  Part.Queue.keepOpen(IsTheirs);
  Part.Bulk.keepOpen(IsTheirs);
  Part.Wgmma.keepOpen(IsTheirs);
  return Part;
}

template <typename Fn>
void BlockCopies::split(PerThreadContext &L, const EventTable &E,
                        const PerThread *Mask, Fn Step) {
  llvm::SmallVector<ThreadClass, 1> Result;
  for (ThreadClass &C : Classes) {
    const PerThread *In = L.both(C.Mask, Mask);
    const PerThread *Out = L.except(C.Mask, Mask);
    if (!PerThreadContext::isEmpty(Out))
      Result.push_back(partOf(C, Out, L, E));
    if (PerThreadContext::isEmpty(In))
      continue;
    Result.push_back(partOf(C, In, L, E));
    Step(Result.back());
  }
  Classes = std::move(Result);
  normalise(L);
}

void BlockCopies::forgetOldestEmpty(PerThreadContext &L) {
  for (ThreadClass &C : Classes)
    for (GroupQueue *Q : {&C.Queue, &C.Bulk, &C.Wgmma})
      Q->forgetOldestEmpty();
  normalise(L);
}

void BlockCopies::normalise(PerThreadContext &L) {
  if (Classes.size() == 1)
    return;
  llvm::SmallVector<ThreadClass, 1> Merged;
  for (ThreadClass &C : Classes) {
    auto Same = llvm::find_if(Merged, [&](const ThreadClass &M) {
      return M.Queue == C.Queue && M.Bulk == C.Bulk && M.Wgmma == C.Wgmma;
    });
    if (Same != Merged.end())
      Same->Mask = L.either(Same->Mask, C.Mask);
    else
      Merged.push_back(std::move(C));
  }
  llvm::sort(Merged, [&](const ThreadClass &A, const ThreadClass &B) {
    return L.first(A.Mask) < L.first(B.Mask);
  });
  Classes = std::move(Merged);
}

void BlockCopies::complete(FootprintTable &F, const EventTable &E,
                           llvm::ArrayRef<EventId> Copies, EventId Wait,
                           const PerThread *Mask, const BarrierSet &Before) {
  for (EventId C : Copies) {
    History.fill(E[C].Bytes->Obj);
    Unordered.add(F.lanes(), E, C, Wait, F.restrict(E[C].Bytes, Mask), Before);
  }
}

void BlockCopies::findInFlight(const EventTable &E) {
  InFlight.clear();
  for (const ThreadClass &C : Classes) {
    for (const Group &G : C.Queue.groups())
      for (EventId Copy : G.Copies)
        InFlight.insert(E[Copy].Bytes);
    for (EventId Copy : C.Queue.open())
      InFlight.insert(E[Copy].Bytes);
  }
}

void BlockCopies::copy(PerThreadContext &L, WrittenBytesTable &W,
                       const EventTable &E, EventId Copy) {
  const Footprint *F = E[Copy].Bytes;
  History.issue(W, F);
  const bool IsFirst = InFlight.insert(F);
  // A copy needs no split: its footprint says which threads issued it.
  // The same copy issued again into the same group adds nothing.
  for (ThreadClass &C : Classes)
    if (!PerThreadContext::isEmpty(L.both(C.Mask, F->Mask)) &&
        (IsFirst || !llvm::is_contained(C.Queue.open(), Copy)))
      C.Queue.copy(Copy);
}

void BlockCopies::commit(PerThreadContext &L, const EventTable &E,
                         EventId Commit, const PerThread *Mask, bool Alone) {
  split(L, E, Mask, [&](ThreadClass &C) { C.Queue.commit(Commit, Alone); });
}

void BlockCopies::wait(FootprintTable &F, const EventTable &E, uint32_t N,
                       EventId Wait, const PerThread *Mask) {
  split(F.lanes(), E, Mask, [&](ThreadClass &C) {
    complete(F, E, C.Queue.waitGroup(N, Wait), Wait, C.Mask);
  });
  findInFlight(E);
}

void BlockCopies::waitAll(FootprintTable &F, const EventTable &E, EventId Wait,
                          const PerThread *Mask) {
  split(F.lanes(), E, Mask, [&](ThreadClass &C) {
    complete(F, E, C.Queue.waitAll(), Wait, C.Mask);
  });
  findInFlight(E);
}

static auto groupOf(const GroupQueue &Q, EventId Commit) {
  return llvm::find_if(Q.groups(),
                       [&](const Group &G) { return G.Commit == Commit; });
}

void BlockCopies::completeUpTo(FootprintTable &F, const EventTable &E,
                               EventId Commit, EventId Wait,
                               const PerThread *Threads,
                               const BarrierSet &Before, bool Alone) {
  split(F.lanes(), E, Threads, [&](ThreadClass &C) {
    if (Alone) {
      complete(F, E, C.Queue.complete(Commit), Wait, C.Mask, Before);
      for (EventId Read : C.Bulk.complete(Commit))
        Unordered.add(F.lanes(), E, Read, Wait,
                      F.restrict(E[Read].Bytes, C.Mask), Before);
      return;
    }
    auto Last = groupOf(C.Queue, Commit), End = C.Queue.groups().end();
    if (Last != End)
      complete(
          F, E,
          C.Queue.waitGroup(
              C.Queue.countedBehind(Last - C.Queue.groups().begin()), Wait),
          Wait, C.Mask, Before);
  });
  findInFlight(E);
}

void BlockCopies::load(PerThreadContext &L, WrittenBytesTable &W,
                       const EventTable &E, EventId Copy, EventId Close,
                       const PerThread *Mask, llvm::ArrayRef<EventId> Reads) {
  History.issue(W, E[Copy].Bytes);
  InFlight.insert(E[Copy].Bytes);
  split(L, E, Mask, [&](ThreadClass &C) {
    C.Queue.load(Copy, Close);
    if (!Reads.empty())
      C.Bulk.load(Reads, Close);
  });
}

void BlockCopies::part(PerThreadContext &L, const EventTable &E, EventId Close,
                       const PerThread *Mask) {
  split(L, E, Mask, [&](ThreadClass &C) { C.Queue.part(Close); });
}

void BlockCopies::completeAll(FootprintTable &F, const EventTable &E) {
  for (ThreadClass &C : Classes) {
    for (const Group &G : C.Queue.groups())
      complete(F, E, G.Copies, 0, C.Mask);
    complete(F, E, C.Queue.open(), 0, C.Mask);
    C.Queue = GroupQueue();
    C.Bulk.forgetAlone();
  }
  normalise(F.lanes());
  findInFlight(E);
}

std::optional<size_t> BlockCopies::groupsAfter(PerThreadContext &L,
                                               EventId Commit,
                                               const PerThread *Threads) const {
  std::optional<size_t> Most;
  for (const ThreadClass &C : Classes) {
    auto Last = groupOf(C.Queue, Commit), End = C.Queue.groups().end();
    if (Last != End && !PerThreadContext::isEmpty(L.both(C.Mask, Threads)))
      Most = std::max<size_t>(
          Most.value_or(0),
          C.Queue.countedBehind(Last - C.Queue.groups().begin()));
  }
  return Most;
}

void BlockCopies::missWait(PerThreadContext &L, const EventTable &E,
                           EventId Wait, const PerThread *Threads) {
  split(L, E, Threads,
        [&](ThreadClass &C) { C.Queue.waitGroup(MaxWaitGroupCount, Wait); });
}

void BlockCopies::startRead(ReadQueue Of, PerThreadContext &L,
                            const EventTable &E, EventId Read,
                            const PerThread *Mask) {
  split(L, E, Mask, [&](ThreadClass &C) {
    if (!llvm::is_contained((C.*Of).open(), Read))
      (C.*Of).copy(Read);
  });
}

void BlockCopies::commitReads(ReadQueue Of, PerThreadContext &L,
                              const EventTable &E, EventId Commit,
                              const PerThread *Mask) {
  const bool MayBeOthers = UnknownBulk && Of == &ThreadClass::Bulk;
  split(L, E, Mask, [&](ThreadClass &C) {
    // An empty group counts too (seen on an H200), but not behind nothing.
    if (MayBeOthers || (C.*Of).isWaitable())
      (C.*Of).commit(Commit);
  });
}

void BlockCopies::waitForReads(ReadQueue Of, FootprintTable &F,
                               const EventTable &E, uint32_t N, EventId Wait,
                               const PerThread *Mask) {
  split(F.lanes(), E, Mask, [&](ThreadClass &C) {
    for (EventId Done : (C.*Of).waitGroup(N, Wait))
      Unordered.add(F.lanes(), E, Done, Wait,
                    F.restrict(E[Done].Bytes, C.Mask));
  });
}

bool BlockCopies::mayRead(ReadQueue Of, PerThreadContext &L,
                          const PerThread *Mask) const {
  return (UnknownBulk && Of == &ThreadClass::Bulk) ||
         llvm::any_of(Classes, [&](const ThreadClass &C) {
           return !PerThreadContext::isEmpty(L.both(C.Mask, Mask)) &&
                  (C.*Of).isWaitable();
         });
}

void BlockCopies::store(WrittenBytesTable &W, const Footprint *F) {
  History.fill(F->Obj);
  History.issue(W, F);
}

void BlockCopies::unite(PerThreadContext &L, WrittenBytesTable &W,
                        const EventTable &E, const BlockCopies &Other) {
  History.unite(W, Other.History);
  for (const Footprint *F : Other.InFlight)
    InFlight.insert(F);
  UnknownBulk |= Other.UnknownBulk;
  Unordered.unite(Other.Unordered);
  Notes.unite(Other.Notes);
  uniteCopying(L, Phases, Other.Phases);
  // No commit or wait ran on either side: the groups agree, the open copies
  // need not, and nor need the classes that they part.
  auto AddOpen = [](GroupQueue &To, const GroupQueue &From) {
    for (EventId C : From.open())
      if (!llvm::is_contained(To.open(), C))
        To.copy(C);
  };
  llvm::SmallVector<ThreadClass, 1> United;
  for (const ThreadClass &C : Classes)
    for (const ThreadClass &D : Other.Classes) {
      const PerThread *Both = L.both(C.Mask, D.Mask);
      if (PerThreadContext::isEmpty(Both))
        continue;
      const ThreadClass Also = partOf(D, Both, L, E);
      ThreadClass &All = United.emplace_back(partOf(C, Both, L, E));
      AddOpen(All.Queue, Also.Queue);
      AddOpen(All.Bulk, Also.Bulk);
      AddOpen(All.Wgmma, Also.Wgmma);
    }
  Classes = std::move(United);
  normalise(L);
}

bool BlockCopies::equalButUnordered(const BlockCopies &O) const {
  return Classes == O.Classes && History == O.History &&
         UnknownBulk == O.UnknownBulk && Notes == O.Notes && Phases == O.Phases;
}

void BlockCopies::forgetUndone(llvm::function_ref<bool(EventId)> IsUndone) {
  for (ThreadClass &C : Classes)
    for (GroupQueue *Q : {&C.Queue, &C.Bulk, &C.Wgmma})
      Q->update([&](EventId &Id) { return !IsUndone(Id); });
  llvm::SmallVector<EventId, 4> Undone;
  Unordered.anyWithUnknowns([&](const Access &A) {
    if (IsUndone(A.Event))
      Undone.push_back(A.Event);
    return false;
  });
  for (EventId Id : Undone)
    Unordered.erase(Id);
}

void BlockCopies::forget(FootprintTable &F, WrittenBytesTable &W, EventTable &E,
                         const Atom *A, const Int *Forgotten,
                         llvm::function_ref<const PerThread *(EventId)> Did) {
  auto Depends = [&](const Footprint *Bytes) {
    return dependsOn(Bytes->Offset, A);
  };
  auto Somewhere = [&](const Footprint *Bytes) { return F.forget(Bytes, A); };
  auto HangsOn = [&](const MayCondition &C) { return dependsOn(C.first, A); };
  // False if nobody has done it.
  auto Forget = [&](EventId &Id) {
    const bool IsDoubtful = llvm::any_of(E[Id].May, HangsOn);
    if (!Depends(E[Id].Bytes) && !IsDoubtful)
      return true;
    Event Unknown = E[Id];
    if (IsDoubtful) {
      Unknown.Bytes = F.restrict(Unknown.Bytes, Did(Id));
      if (PerThreadContext::isEmpty(Unknown.Bytes->Mask))
        return false;
    }
    if (Depends(Unknown.Bytes))
      Unknown.Bytes = Somewhere(Unknown.Bytes);
    const MayCondition Once = {Forgotten, true};
    std::replace_if(Unknown.May.begin(), Unknown.May.end(), HangsOn, Once);
    const EventId Was = std::exchange(Id, E.intern(std::move(Unknown)));
    Notes.rename(Was, Id);
    return true;
  };
  for (ThreadClass &C : Classes) {
    C.Queue.update(Forget);
    C.Bulk.update(Forget);
    C.Wgmma.update(Forget);
  }
  if (Unordered.anyWithUnknowns([&](const Access &Old) {
        return Depends(Old.Bytes) || llvm::any_of(E[Old.Event].May, HangsOn);
      }))
    Unordered.forEach([&](Access &Old) {
      const PerThread *Threads =
          Forget(Old.Event) ? E[Old.Event].Bytes->Mask : F.lanes().none();
      Old.Bytes = F.restrict(Old.Bytes, Threads);
      if (Depends(Old.Bytes))
        Old.Bytes = Somewhere(Old.Bytes);
      Old.HasUnknowns = E[Old.Event].hasUnknowns();
    });
  History.forget(W, E, A, Depends);
  if (llvm::any_of(InFlight, Depends))
    InFlight.replace(
        [&](const Footprint *C) { return Depends(C) ? Somewhere(C) : C; });
  Notes.forget(Depends, [&](EventId &Id) { Forget(Id); }, Somewhere);
}

void BlockCopies::addTo(Fingerprint &F, bool WithBlanks,
                        bool WithUnordered) const {
  if (WithBlanks)
    History.addBlanksTo(F);
  F.addList(Classes, [&](const ThreadClass &C) {
    F.add(C.Mask);
    C.Queue.addTo(F);
    C.Bulk.addTo(F);
    C.Wgmma.addTo(F);
  });
  History.addMostTo(F);
  F.add(UnknownBulk);
  Notes.addTo(F);
  if (WithUnordered)
    Unordered.addTo(F);
  F.addList(Phases, [&](const PhaseBarrier &B) { B.addTo(F); });
}
