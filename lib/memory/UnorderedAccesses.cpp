//===- UnorderedAccesses.cpp ----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/UnorderedAccesses.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

// A list of so many is searched as fast as an index.
static constexpr size_t MaxRecent = 64;

void UnorderedAccesses::append(const Access &A) {
  Recent.push_back(A);
  if (Recent.size() < MaxRecent)
    return;
  Older.append(Recent);
  Recent.clear();
}

void UnorderedAccesses::insert(const Access &A) {
  if (!llvm::is_contained(Recent, A) && !Older.contains(A))
    append(A);
}

UnorderedAccesses::List UnorderedAccesses::inOrder() const {
  List All;
  Older.addTo(All);
  llvm::append_range(All, Recent);
  return All;
}

UnorderedAccesses::List UnorderedAccesses::take() {
  List All = inOrder();
  Older.clear();
  Recent.clear();
  return All;
}

void UnorderedAccesses::add(PerThreadContext &L, const EventTable &E,
                            EventId Event, EventId Wait, const Footprint *Bytes,
                            const BarrierSet &Before) {
  if (!mayRace(L) || PerThreadContext::isEmpty(Bytes->Mask))
    return;
  const cpasync::Event &Of = E[Event];
  // Whoever is expected comes to a barrier that this access is behind.
  insert({Event, Wait, Bytes, L.none(), Before, Of.K == Event::Kind::Copy,
          Of.hasUnknowns(), Expected});
}

void UnorderedAccesses::repeat(PerThreadContext &L, const EventTable &E,
                               const Access &Old, EventId Event,
                               const Footprint *Bytes) {
  const cpasync::Event &Of = E[Event];
  insert({Event,
          Old.Wait,
          Bytes,
          L.none(),
          {},
          Of.K == Event::Kind::Copy,
          Of.hasUnknowns(),
          Old.Lanes});
}

void UnorderedAccesses::arrive(PerThreadContext &L, FootprintTable &F,
                               BarrierId Barrier, const PerThread *Threads) {
  for (Access &A : take()) {
    const PerThread *Came = L.both(A.Bytes->Mask, Threads);
    if (!PerThreadContext::isEmpty(L.both(A.After, Threads)))
      Came = A.Bytes->Mask; // through a thread that comes after all of it
    const PerThread *Missed = L.except(A.Bytes->Mask, Came);
    // What was told apart before stays so.
    if (!PerThreadContext::isEmpty(Missed)) {
      Access Rest = A;
      Rest.Bytes = F.restrict(A.Bytes, Missed);
      append(Rest);
    }
    if (!PerThreadContext::isEmpty(Came)) {
      A.Bytes = F.restrict(A.Bytes, Came);
      A.Before.insert(Barrier);
      append(A);
    }
  }
}

void UnorderedAccesses::release(PerThreadContext &L, BarrierId Barrier,
                                const PerThread *Threads,
                                const PerThread *Living) {
  if (Expected)
    Expected = L.except(Expected, Threads);
  for (Access &A : take()) {
    if (A.Before.has(Barrier)) {
      A.After = L.either(A.After, Threads);
      A.Before.erase(Barrier);
    }
    if (!PerThreadContext::isEmpty(L.except(Living, A.After)))
      insert(A);
  }
}

void UnorderedAccesses::complete(BarrierId Open, BarrierId Done) {
  for (Access &A : take()) {
    if (A.Before.has(Open)) {
      A.Before.erase(Open);
      A.Before.insert(Done);
    }
    insert(A);
  }
}

void UnorderedAccesses::pass(PerThreadContext &L, BarrierId Barrier,
                             const PerThread *Threads,
                             const PerThread *Living) {
  for (Access &A : take()) {
    if (A.Before.has(Barrier))
      A.After = L.either(A.After, Threads);
    if (!PerThreadContext::isEmpty(L.except(Living, A.After)))
      insert(A);
  }
}

// What the access of some threads is in parts that each come before all of one
// group of lanes, and a rest. \p Groups: as in orderLanes(), of those that
// come.
static UnorderedAccesses::List partsOf(PerThreadContext &L, FootprintTable &F,
                                       const Access &A,
                                       const PerThread *Groups) {
  const unsigned Threads = L.threads();
  std::vector<unsigned> Mates(Threads), OfWarp(Threads / WarpThreads + 1);
  std::vector<bool> IsAfter(Threads);
  for (unsigned T = 0; T < Threads; ++T) {
    const bool Has = (*A.Bytes->Mask)[T];
    OfWarp[T / WarpThreads] += Has;
    if (const int64_t G = (*Groups)[T]; G >= 0) {
      Mates[G] += Has;
      IsAfter[G] = IsAfter[G] || (*A.After)[T] || (*A.Lanes)[T];
    }
  }
  // Groups of one warp that the access has to be parted for are numbered.
  std::vector<int> Part(Threads, -1);
  std::vector<unsigned> InWarp(OfWarp.size());
  std::vector<int64_t> Ordered(Threads);
  for (unsigned T = 0; T < Threads; ++T) {
    const int64_t G = (*Groups)[T];
    if (G < 0)
      continue;
    const unsigned Warp = T / WarpThreads;
    Ordered[T] = IsAfter[G] || Mates[G] == OfWarp[Warp];
    if (!Ordered[T] && Mates[G])
      Part[T] = Part[G] = Part[G] < 0 ? int(InWarp[Warp]++) : Part[G];
  }
  UnorderedAccesses::List Parts;
  auto Add = [&](const PerThread *Members, const PerThread *Lanes) {
    Access &New = Parts.emplace_back(A);
    New.Bytes = F.restrict(A.Bytes, Members);
    New.Lanes = Lanes;
    if (PerThreadContext::isEmpty(New.Bytes->Mask))
      Parts.pop_back();
  };
  const PerThread *Lanes = L.either(A.Lanes, L.perThread(Ordered));
  const PerThread *Rest = A.Bytes->Mask;
  for (int I = 0, N = *llvm::max_element(InWarp); I < N; ++I) {
    std::vector<int64_t> Members(Threads);
    for (unsigned T = 0; T < Threads; ++T)
      Members[T] = Part[T] == I;
    const PerThread *Group = L.perThread(Members);
    Add(Group, L.either(Lanes, Group));
    Rest = L.except(Rest, Group);
  }
  Add(Rest, Lanes);
  return Parts;
}

void UnorderedAccesses::orderLanes(PerThreadContext &L, FootprintTable &F,
                                   const PerThread *Groups,
                                   const PerThread *Here,
                                   const PerThread *Living) {
  if (!Expected)
    return;
  const unsigned Threads = L.threads();
  // A group of which nobody comes that was not expected is at the barrier that
  // the others have been at before.
  std::vector<bool> Comes(Threads), IsFirst(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    if (const int64_t G = (*Groups)[T]; G >= 0 && (*Here)[T]) {
      Comes[G] = true;
      IsFirst[G] = IsFirst[G] || !(*Expected)[T];
    }
  std::vector<int64_t> Coming(Threads, -1), Named(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    if (const int64_t G = (*Groups)[T]; G >= 0 && Comes[G]) {
      Coming[T] = G;
      Named[T] = IsFirst[G];
    }
  Expected =
      L.except(L.both(L.either(Expected, L.perThread(Named)), Living), Here);
  const PerThread *Of = L.perThread(Coming);
  for (const Access &A : take())
    for (const Access &Part : partsOf(L, F, A, Of)) {
      // In a block of one warp nobody else can race with it.
      const bool IsOver = Threads <= WarpThreads &&
                          PerThreadContext::isEmpty(L.except(
                              Living, L.either(Part.After, Part.Lanes)));
      if (!IsOver)
        insert(Part);
    }
}

void UnorderedAccesses::erase(EventId Event) {
  for (const Access &A : take())
    if (A.Event != Event)
      append(A);
}

llvm::SmallVector<const Access *, 4>
UnorderedAccesses::rivals(FootprintTable &F, const Footprint *Bytes,
                          bool OnlyCopies, Pairs Of) const {
  llvm::SmallVector<const Access *, 4> Found;
  Older.findRivals(F, Bytes, OnlyCopies, Of, Found);
  // Reads do no harm to each other, and there are many of them.
  for (const Access &A : Recent)
    if ((A.IsCopy || !OnlyCopies) &&
        F.overlap(Bytes, A.Bytes).K != Overlap::Kind::Disjoint)
      Found.push_back(&A);
  return Found;
}

bool UnorderedAccesses::any(
    llvm::function_ref<bool(const Access &)> Counts) const {
  return llvm::any_of(Recent, Counts) || Older.any(Counts);
}

bool UnorderedAccesses::anyWithUnknowns(
    llvm::function_ref<bool(const Access &)> Counts) const {
  return Older.anyWithUnknowns(Counts) ||
         llvm::any_of(Recent, [&](const Access &A) {
           return A.HasUnknowns && Counts(A);
         });
}

void UnorderedAccesses::unite(PerThreadContext &L,
                              const UnorderedAccesses &Other) {
  if (Expected)
    Expected = L.either(Expected, Other.Expected);
  for (const Access &A : Other.inOrder())
    insert(A);
}

void UnorderedAccesses::forEach(llvm::function_ref<void(Access &)> Change) {
  for (Access &A : take()) {
    Change(A);
    insert(A); // what differed in the address alone is one now
  }
}

void UnorderedAccesses::addTo(Fingerprint &F) const {
  Older.addTo(F);
  F.addList(Recent, [&](const Access &A) {
    F.add(uint64_t(A.Event) << 32 | A.Wait);
    F.add(A.Bytes);
    F.add(A.After);
    for (const uint64_t Word : A.Before.words())
      F.add(Word);
    if (A.Lanes)
      F.add(A.Lanes);
  });
  if (Expected)
    F.add(Expected);
}
