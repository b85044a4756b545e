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
  BlockCopies::ThreadClass Part = {Mask, C.Queue, C.Bulk};
  if (Mask == C.Mask)
    return Part;
  auto IsTheirs = [&](EventId Id) {
    return !PerThreadContext::isEmpty(L.both(E[Id].Bytes->Mask, Mask));
  };
  Part.Queue.keepOpen(IsTheirs);
  Part.Bulk.keepOpen(IsTheirs);
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

void BlockCopies::normalise(PerThreadContext &L) {
  if (Classes.size() == 1)
    return;
  llvm::SmallVector<ThreadClass, 1> Merged;
  for (ThreadClass &C : Classes) {
    auto Same = llvm::find_if(Merged, [&](const ThreadClass &M) {
      return M.Queue == C.Queue && M.Bulk == C.Bulk;
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
                         EventId Commit, const PerThread *Mask) {
  split(L, E, Mask, [&](ThreadClass &C) { C.Queue.commit(Commit); });
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
                               const BarrierSet &Before) {
  split(F.lanes(), E, Threads, [&](ThreadClass &C) {
    auto Last = groupOf(C.Queue, Commit), End = C.Queue.groups().end();
    if (Last != End)
      complete(F, E, C.Queue.waitGroup(End - Last - 1, Wait), Wait, C.Mask,
               Before);
  });
  findInFlight(E);
}

std::optional<size_t> BlockCopies::groupsAfter(PerThreadContext &L,
                                               EventId Commit,
                                               const PerThread *Threads) const {
  std::optional<size_t> Most;
  for (const ThreadClass &C : Classes) {
    auto Last = groupOf(C.Queue, Commit), End = C.Queue.groups().end();
    if (Last != End && !PerThreadContext::isEmpty(L.both(C.Mask, Threads)))
      Most = std::max<size_t>(Most.value_or(0), End - Last - 1);
  }
  return Most;
}

void BlockCopies::missWait(PerThreadContext &L, const EventTable &E,
                           EventId Wait, const PerThread *Threads) {
  split(L, E, Threads,
        [&](ThreadClass &C) { C.Queue.waitGroup(MaxWaitGroupCount, Wait); });
}

void BlockCopies::bulkStore(PerThreadContext &L, const EventTable &E,
                            EventId Copy, const PerThread *Mask) {
  split(L, E, Mask, [&](ThreadClass &C) {
    if (!llvm::is_contained(C.Bulk.open(), Copy))
      C.Bulk.copy(Copy);
  });
}

void BlockCopies::bulkCommit(PerThreadContext &L, const EventTable &E,
                             EventId Commit, const PerThread *Mask) {
  split(L, E, Mask, [&](ThreadClass &C) {
    // An empty group counts too (seen on an H200), but not behind nothing.
    if (UnknownBulk || !C.Bulk.open().empty() || !C.Bulk.groups().empty())
      C.Bulk.commit(Commit);
  });
}

void BlockCopies::bulkWait(FootprintTable &F, const EventTable &E, uint32_t N,
                           EventId Wait, const PerThread *Mask) {
  split(F.lanes(), E, Mask, [&](ThreadClass &C) {
    for (EventId Done : C.Bulk.waitGroup(N, Wait))
      Unordered.add(F.lanes(), E, Done, Wait,
                    F.restrict(E[Done].Bytes, C.Mask));
  });
}

bool BlockCopies::mayHaveBulk(PerThreadContext &L,
                              const PerThread *Mask) const {
  return UnknownBulk || llvm::any_of(Classes, [&](const ThreadClass &C) {
           return !PerThreadContext::isEmpty(L.both(C.Mask, Mask)) &&
                  !(C.Bulk.open().empty() && C.Bulk.groups().empty());
         });
}

void BlockCopies::store(WrittenBytesTable &W, const Footprint *F) {
  History.fill(F->Obj);
  History.issue(W, F);
}

void BlockCopies::dropMixed(FootprintTable &F, const Footprint *Written) {
  llvm::erase_if(Mixed, [&](const MixedCopy &M) {
    return F.overlap(Written, M.Bytes).K != Overlap::Kind::Disjoint;
  });
}

void BlockCopies::unite(PerThreadContext &L, WrittenBytesTable &W,
                        const EventTable &E, const BlockCopies &Other) {
  History.unite(W, Other.History);
  for (const Footprint *F : Other.InFlight)
    InFlight.insert(F);
  UnknownBulk |= Other.UnknownBulk;
  Unordered.unite(L, Other.Unordered);
  for (EventId C : Other.Blamed)
    blame(C);
  for (const MixedCopy &M : Other.Mixed)
    addMixed(M);
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
    }
  Classes = std::move(United);
  normalise(L);
}

namespace {
// B is A, but for numbers that were added to others in it, the same whenever
// the kernel asks for them.
bool isShifted(ValueContext &V, const Int *A, const Int *B) {
  if (A == B)
    return true;
  if (!A || !B)
    return false;
  if (const Int *By = V.sub(B, A); By->isUniform() && isStable(By))
    return true;
  auto SameTerm = [&](const Int::Term &X, const Int::Term &Y) {
    if (X.A->Kind == Atom::Op::Symbol || X.A->Kind != Y.A->Kind ||
        X.Coefficient != Y.Coefficient)
      return X == Y;
    return isShifted(V, X.A->A, Y.A->A) && isShifted(V, X.A->B, Y.A->B) &&
           isShifted(V, X.A->C, Y.A->C);
  };
  return A->base() == B->base() &&
         llvm::equal(A->terms(), B->terms(), SameTerm);
}

// Y is X again, perhaps under the conditions of another iteration:
// `if (Row < Rows)` where Row grows.
bool isRepeated(ValueContext &V, const EventTable &E, EventId X, EventId Y) {
  if (X == Y)
    return true;
  Event A = E[X], B = E[Y];
  auto SameCondition = [&](const MayCondition &C, const MayCondition &D) {
    return C.second == D.second && isShifted(V, C.first, D.first);
  };
  if (!llvm::equal(A.May, B.May, SameCondition))
    return false;
  A.May.clear();
  B.May.clear();
  return A == B;
}

// Y is X again, at an address that differs by a constant.
bool isMovedBy(ValueContext &V, const EventTable &E, EventId X, EventId Y) {
  const Event &A = E[X], &B = E[Y];
  if (A.K != B.K || A.Site != B.Site || A.Loc != B.Loc || A.Mask != B.Mask ||
      A.N != B.N || A.May.size() != B.May.size())
    return false;
  if (!A.Bytes || !B.Bytes)
    return A.Bytes == B.Bytes;
  if (A.Bytes->Obj != B.Bytes->Obj || A.Bytes->Size != B.Bytes->Size)
    return false;
  if (A.Bytes->Offset == B.Bytes->Offset)
    return true;
  if (!A.Bytes->Offset || !B.Bytes->Offset)
    return false;
  const Int *By = V.sub(B.Bytes->Offset, A.Bytes->Offset);
  return By->isConstant() ||
         (By->isKnown() &&
          IndexedPlace::areOneStep(*By->base(), V.lanes().threads()));
}

// B repeats A with more at the end, C repeats B with as much more, moved.
template <typename Range, typename Fn, typename Gn>
bool growsAtEnd(const Range &A, const Range &B, const Range &C, Fn Repeated,
                Gn Moved) {
  if (B.size() < A.size() || C.size() - B.size() != B.size() - A.size() ||
      C.size() < B.size() ||
      !std::equal(A.begin(), A.end(), B.begin(), Repeated) ||
      !std::equal(B.begin(), B.end(), C.begin(), Repeated))
    return false;
  for (size_t I = 0, N = C.size() - B.size(); I < N; ++I)
    if (!Moved(B[A.size() + I], C[B.size() + I]))
      return false;
  return true;
}
} // namespace

bool BlockCopies::growSteadily(ValueContext &V, const EventTable &E,
                               const BlockCopies &A, const BlockCopies &B,
                               const BlockCopies &C) {
  auto Repeated = [&](EventId X, EventId Y) { return isRepeated(V, E, X, Y); };
  auto Moved = [&](EventId X, EventId Y) { return isMovedBy(V, E, X, Y); };
  auto Groups = [](auto Same) {
    return [Same](const Group &X, const Group &Y) {
      return X.Commit == Y.Commit && X.LastWait == Y.LastWait &&
             X.EarlyWait == Y.EarlyWait &&
             llvm::equal(X.Copies, Y.Copies, Same);
    };
  };
  auto Blind = [](const BlockCopies &X) {
    return X.History.blindReads().size();
  };
  if (A.Classes.size() != B.Classes.size() ||
      B.Classes.size() != C.Classes.size() ||
      !A.History.isFilledAs(B.History) || !B.History.isFilledAs(C.History) ||
      A.Mixed != C.Mixed || A.Phases != B.Phases || B.Phases != C.Phases ||
      Blind(C) - Blind(B) != Blind(B) - Blind(A))
    return false;
  auto QueueGrows = [&](const GroupQueue &X, const GroupQueue &Y,
                        const GroupQueue &Z) {
    return X.openLastWait() == Y.openLastWait() &&
           Y.openLastWait() == Z.openLastWait() &&
           growsAtEnd(X.groups(), Y.groups(), Z.groups(), Groups(Repeated),
                      Groups(Moved)) &&
           growsAtEnd(X.open(), Y.open(), Z.open(), Repeated, Moved);
  };
  auto Accesses = [](auto Same) {
    return [Same](const Access &X, const Access &Y) {
      return X.Wait == Y.Wait && X.After == Y.After && X.Before == Y.Before &&
             X.Lanes == Y.Lanes && X.Bytes->Mask == Y.Bytes->Mask &&
             Same(X.Event, Y.Event);
    };
  };
  // Where nothing is copied to, an access may be elsewhere in every round.
  auto IsApart = [&](const Access &X, const Access &Y) {
    return Accesses(Repeated)(X, Y) ||
           (Accesses(Moved)(X, Y) && !E.isCopied(E[X.Event].Bytes->Obj));
  };
  const auto Old = A.Unordered.inOrder(), Now = B.Unordered.inOrder(),
             New = C.Unordered.inOrder();
  if (!growsAtEnd(A.Blamed, B.Blamed, C.Blamed, Repeated, Moved) ||
      !(growsAtEnd(Old, Now, New, Accesses(Repeated), Accesses(Moved)) ||
        (llvm::equal(Old, Now, IsApart) && llvm::equal(Now, New, IsApart))))
    return false;
  for (size_t I = 0; I < A.Classes.size(); ++I) {
    const ThreadClass &X = A.Classes[I], &Y = B.Classes[I], &Z = C.Classes[I];
    if (X.Mask != Y.Mask || Y.Mask != Z.Mask ||
        !QueueGrows(X.Queue, Y.Queue, Z.Queue) ||
        !QueueGrows(X.Bulk, Y.Bulk, Z.Bulk))
      return false;
  }
  return true;
}

bool BlockCopies::equalButUnordered(const BlockCopies &O) const {
  return Classes == O.Classes && History == O.History &&
         UnknownBulk == O.UnknownBulk && Blamed == O.Blamed &&
         Mixed == O.Mixed && Phases == O.Phases;
}

void BlockCopies::repeatAccesses(FootprintTable &F, ValueContext &V,
                                 EventTable &E, const BlockCopies &Before,
                                 int64_t Periods) {
  const auto Now = Unordered.inOrder();
  const size_t Old = Before.Unordered.size(), New = Now.size() - Old;
  for (int64_t P = 1; P <= Periods; ++P)
    for (size_t I = Old; I < Old + New; ++I) {
      const Access &A = Now[I];
      Event Moved = E[A.Event];
      const Int *At = Moved.Bytes->Offset,
                *Then = E[Now[I - New].Event].Bytes->Offset;
      if (!At || At == Then)
        continue;
      At = V.add(At, V.mul(V.sub(At, Then), V.constant(P)));
      Moved.Bytes =
          F.get(Moved.Bytes->Obj, At, Moved.Bytes->Size, Moved.Bytes->Mask);
      const Footprint *Bytes = F.restrict(Moved.Bytes, A.Bytes->Mask);
      const EventId Id = E.intern(std::move(Moved));
      Unordered.repeat(V.lanes(), E, A, Id, Bytes);
    }
}

void BlockCopies::forget(FootprintTable &F, WrittenBytesTable &W, EventTable &E,
                         const Atom *A, const Int *Forgotten,
                         llvm::function_ref<const PerThread *(EventId)> Did) {
  auto Depends = [&](const Footprint *Bytes) {
    return dependsOn(Bytes->Offset, A);
  };
  auto Somewhere = [&](const Footprint *Bytes) {
    return F.get(Bytes->Obj, nullptr, Bytes->Size, Bytes->Mask);
  };
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
    const bool WasBlamed = isBlamed(Id);
    Id = E.intern(std::move(Unknown));
    if (WasBlamed)
      blame(Id);
    return true;
  };
  for (ThreadClass &C : Classes) {
    C.Queue.update(Forget);
    C.Bulk.update(Forget);
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
  llvm::erase_if(Mixed, [&](const MixedCopy &M) { return Depends(M.Bytes); });
}

void BlockCopies::addTo(Fingerprint &F) const {
  History.addBlanksTo(F);
  addMostTo(F);
}

void BlockCopies::addMostTo(Fingerprint &F) const {
  F.addList(Classes, [&](const ThreadClass &C) {
    F.add(C.Mask);
    C.Queue.addTo(F);
    C.Bulk.addTo(F);
  });
  History.addMostTo(F);
  F.add(UnknownBulk);
  F.addList(Blamed, [&](EventId C) { F.add(C); });
  F.addList(Mixed, [&](const MixedCopy &M) {
    F.add(M.Copy);
    F.add(M.Bytes);
  });
  Unordered.addTo(F);
  F.addList(Phases, [&](const PhaseBarrier &B) { B.addTo(F); });
}
