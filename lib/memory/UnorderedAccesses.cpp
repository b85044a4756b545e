//===- UnorderedAccesses.cpp ----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/UnorderedAccesses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace cpasync;

// A list of so many is searched as fast as an index.
static constexpr size_t MaxRecent = 64;

void UnorderedAccesses::append(const Access &A) {
  Met = nullptr;
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

namespace {
/// Whether all living threads come after an access: many have the same After.
class Ordered {
public:
  Ordered(PerThreadContext &L, const PerThread *Living)
      : L(L), Living(Living) {}
  bool operator()(const PerThread *After) {
    if (After != Asked) {
      Asked = After;
      Answer = PerThreadContext::isEmpty(L.except(Living, After));
    }
    return Answer;
  }

private:
  PerThreadContext &L;
  const PerThread *Living, *Asked = nullptr;
  bool Answer = false;
};
} // namespace

UnorderedAccesses::List UnorderedAccesses::take() {
  List All = inOrder();
  Older.clear();
  Recent.clear();
  return All;
}

/// The same but for indices that nobody knows, in the parts that both are taken
/// to lie in.
static bool isInSamePart(const Int *A, const Int *B) {
  return A && B && A->base() == B->base() &&
         llvm::equal(A->terms(), B->terms(),
                     [](const Int::Term &X, const Int::Term &Y) {
                       return X == Y || (X.Coefficient == Y.Coefficient &&
                                         X.A->Kind == Atom::Op::Within &&
                                         Y.A->Kind == Atom::Op::Within &&
                                         X.A->B == Y.A->B);
                     });
}

// The first stands for those of later rounds.
bool UnorderedAccesses::isReadAgain(const EventTable &E,
                                    const Access &New) const {
  const Event &Now = E[New.Event];
  return Now.K == Event::Kind::Read && New.HasUnknowns &&
         llvm::any_of(Recent, [&](const Access &A) {
           const Event &Then = E[A.Event];
           return Then.Site == Now.Site && Then.Loc == Now.Loc &&
                  Then.K == Now.K && Then.May == Now.May &&
                  A.Wait == New.Wait && A.After == New.After &&
                  A.Before == New.Before && A.Bytes->Obj == New.Bytes->Obj &&
                  A.Bytes->Size == New.Bytes->Size &&
                  A.Bytes->Mask == New.Bytes->Mask &&
                  isInSamePart(A.Bytes->Offset, New.Bytes->Offset);
         });
}

void UnorderedAccesses::add(PerThreadContext &L, const EventTable &E,
                            EventId Event, EventId Wait, const Footprint *Bytes,
                            const BarrierSet &Before) {
  const cpasync::Event &Of = E[Event];
  // Threads that run in step come after each other, but not after a phase that
  // only one of them has waited for.
  if ((L.threads() <= L.inStep() && !Of.OfPhase) ||
      PerThreadContext::isEmpty(Bytes->Mask))
    return;
  // The products of a warpgroup are over together: where one of its warps had
  // waited, none was seen to be running still (H200).
  const PerThread *After = Of.K == cpasync::Event::Kind::Wgmma
                               ? L.anyAmong(Bytes->Mask, WarpgroupThreads)
                               : L.none();
  const Access New = {Event,      Wait,
                      Bytes,      After,
                      Before,     Of.K == cpasync::Event::Kind::Copy,
                      Of.OfPhase, Of.hasUnknowns()};
  if (!isReadAgain(E, New))
    insert(New);
}

void UnorderedAccesses::arrive(PerThreadContext &L, FootprintTable &F,
                               BarrierId Barrier, const PerThread *Threads) {
  for (Access &A : take()) {
    const PerThread *Came =
        A.OfPhase ? L.none() : L.both(A.Bytes->Mask, Threads);
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
  Ordered IsOrdered(L, Living);
  if (!any([&](const Access &A) {
        return A.Before.has(Barrier) || IsOrdered(A.After);
      }))
    return;
  for (Access &A : take()) {
    if (A.Before.has(Barrier)) {
      A.After = L.either(A.After, Threads);
      A.Before.erase(Barrier);
    }
    if (!IsOrdered(A.After))
      insert(A);
  }
}

void UnorderedAccesses::complete(MbarrierIndex Mbarrier) {
  const BarrierId Open = BarrierId::openPhase(Mbarrier),
                  Newest = BarrierId::newestPhase(Mbarrier),
                  Older = BarrierId::olderPhases(Mbarrier);
  if (!any([&](const Access &A) {
        return A.Before.has(Open) || A.Before.has(Newest);
      }))
    return;
  for (Access &A : take()) {
    if (A.Before.has(Newest)) {
      A.Before.erase(Newest);
      A.Before.insert(Older);
    }
    if (A.Before.has(Open)) {
      A.Before.erase(Open);
      A.Before.insert(Newest);
    }
    insert(A);
  }
}

void UnorderedAccesses::pass(PerThreadContext &L, const BarrierSet &Barriers,
                             const PerThread *Threads,
                             const PerThread *Living) {
  Ordered IsOrdered(L, Living);
  if (!any([&](const Access &A) {
        return A.Before.hasAny(Barriers) || IsOrdered(A.After);
      }))
    return;
  for (Access &A : take()) {
    if (A.Before.hasAny(Barriers))
      A.After = L.either(A.After, Threads);
    if (!IsOrdered(A.After))
      insert(A);
  }
}

void UnorderedAccesses::erase(EventId Event) {
  auto IsOfIt = [&](const Access &A) { return A.Event == Event; };
  if (!Older.any(IsOfIt)) {
    llvm::erase_if(Recent, IsOfIt);
    return;
  }
  for (const Access &A : take())
    if (!IsOfIt(A))
      append(A);
}

llvm::SmallVector<const Access *, 4>
UnorderedAccesses::rivals(FootprintTable &F, const Footprint *Bytes,
                          bool OnlyCopies) const {
  llvm::SmallVector<const Access *, 4> Found;
  Older.findRivals(F, Bytes, OnlyCopies, Found);
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

// A row was read so far, or further.
static bool beginsRow(const EventTable &E, const Access &A, const Access &Row) {
  const Footprint &Piece = *A.Bytes, &Whole = *Row.Bytes;
  if (Piece.Obj != Whole.Obj || Piece.Offset != Whole.Offset ||
      Piece.Mask != Whole.Mask || Piece.Size > Whole.Size)
    return false;
  Access Part = Row;
  Part.Event = A.Event;
  Part.Bytes = A.Bytes;
  Event Of = E[Row.Event];
  Of.Bytes = A.Bytes;
  return Part == A && Of == E[A.Event];
}

bool UnorderedAccesses::includes(const EventTable &E, const Access &A) const {
  return has(A) || any([&](const Access &X) { return beginsRow(E, A, X); });
}

void UnorderedAccesses::unite(const UnorderedAccesses &Other) {
  for (const Access &A : Other.inOrder())
    insert(A);
}

/// Those of \p Threads among so many \p Neighbours each.
static llvm::SmallVector<const PerThread *, 4>
groupsOf(PerThreadContext &L, const PerThread *Threads, unsigned Neighbours) {
  llvm::SmallVector<const PerThread *, 4> Groups;
  while (!PerThreadContext::isEmpty(Threads)) {
    llvm::SmallVector<int64_t> First(L.threads());
    First[L.first(Threads)] = 1;
    const PerThread *Group = L.anyAmong(L.perThread(First), Neighbours);
    Groups.push_back(L.both(Group, Threads));
    Threads = L.except(Threads, Group);
  }
  return Groups;
}

void UnorderedAccesses::meetInWarpgroups(PerThreadContext &L, FootprintTable &F,
                                         const PerThread *Threads) {
  if (Met == Threads)
    return;
  meet(L, F, groupsOf(L, Threads, WarpgroupThreads));
  Met = Threads;
}

void UnorderedAccesses::meetInWarps(PerThreadContext &L, FootprintTable &F,
                                    const PerThread *Threads,
                                    const PerThread *Living) {
  // Who comes with one that comes after an access does so, too.
  const auto Follow = [&](const Access &A) {
    return L.except(
        L.both(L.anyAmong(L.both(A.After, Threads), WarpThreads), Threads),
        A.After);
  };
  Ordered IsOrdered(L, Living);
  if (any([&](const Access &A) {
        return !PerThreadContext::isEmpty(Follow(A));
      }))
    for (Access &A : take()) {
      A.After = L.either(A.After, Follow(A));
      if (!IsOrdered(A.After))
        insert(A);
    }
  if (L.inStep() < WarpThreads)
    meet(L, F, groupsOf(L, Threads, WarpThreads));
}

void UnorderedAccesses::meet(PerThreadContext &L, FootprintTable &F,
                             llvm::ArrayRef<const PerThread *> Groups) {
  const auto Tells = [&](const Access &A, const PerThread *Group) {
    return !PerThreadContext::isEmpty(L.both(A.Bytes->Mask, Group)) &&
           !PerThreadContext::isEmpty(L.except(Group, A.After));
  };
  // Most products come behind others that nothing new came behind.
  if (!any([&](const Access &A) {
        return llvm::any_of(Groups,
                            [&](const PerThread *G) { return Tells(A, G); });
      }))
    return;
  for (Access &A : take()) {
    // Each group comes after what its own threads did.
    for (const PerThread *Group : Groups) {
      if (!Tells(A, Group))
        continue;
      Access Part = A;
      Part.Bytes = F.restrict(A.Bytes, L.both(A.Bytes->Mask, Group));
      Part.After = L.either(A.After, Group);
      insert(Part);
      const PerThread *Rest = L.except(A.Bytes->Mask, Group);
      if (PerThreadContext::isEmpty(Rest)) {
        A.Bytes = nullptr;
        break;
      }
      A.Bytes = F.restrict(A.Bytes, Rest);
    }
    if (A.Bytes)
      insert(A);
  }
}

namespace {
/// Reads of bytes that lie side by side.
struct RowOfReads {
  Access First;
  const Int *End; ///< offset behind the last of them; null: it stays alone
};
} // namespace

// \p A reads what lies behind \p Row.
static bool continues(const EventTable &E, const RowOfReads &Row,
                      const Access &A) {
  const Event &Begun = E[Row.First.Event], &Of = E[A.Event];
  return Row.End && Row.End == A.Bytes->Offset && Begun.Site == Of.Site &&
         Begun.May == Of.May && Row.First.Bytes->Obj == A.Bytes->Obj;
}

static const Int *endOf(ValueContext &V, const EventTable &E, const Access &A) {
  const bool MayJoin = E[A.Event].K == Event::Kind::Read && A.Bytes->Offset &&
                       A.Bytes == E[A.Event].Bytes;
  return MayJoin ? V.add(A.Bytes->Offset, V.constant(A.Bytes->Size)) : nullptr;
}

// A loop that reads a row has just done so. Operations take turns in it.
bool UnorderedAccesses::endsInRow(ValueContext &V, const EventTable &E) const {
  constexpr size_t Turns = 8;
  const llvm::ArrayRef<Access> Newest =
      llvm::ArrayRef(Recent).take_back(Turns + 1);
  return Newest.size() < 2 ||
         llvm::any_of(
             Newest.drop_back(),
             [&](const Access &A) {
               return continues(E, {A, endOf(V, E, A)}, Newest.back());
             });
}

void UnorderedAccesses::joinReads(ValueContext &V, FootprintTable &F,
                                  EventTable &E,
                                  llvm::function_ref<bool(EventId)> IsKept) {
  if (size() < MaxRecent || !endsInRow(V, E))
    return;
  using Operation =
      std::tuple<const void *, clang::SourceLocation, const Object *,
                 const PerThread *, const PerThread *, BarrierSet>;
  std::map<Operation, size_t> Newest;
  std::vector<RowOfReads> Rows;
  for (const Access &A : inOrder()) {
    const Int *End = IsKept(A.Event) ? nullptr : endOf(V, E, A);
    if (End) {
      const Event &Of = E[A.Event];
      const auto [I, IsFirst] = Newest.try_emplace(
          {Of.Site, Of.Loc, A.Bytes->Obj, A.Bytes->Mask, A.After, A.Before},
          Rows.size());
      if (!IsFirst && continues(E, Rows[I->second], A)) {
        Rows[I->second].End = End;
        continue;
      }
      I->second = Rows.size();
    }
    Rows.push_back({A, End});
  }
  if (Rows.size() == size())
    return;
  take();
  for (RowOfReads &R : Rows) {
    const Footprint *Piece = R.First.Bytes;
    const int64_t Size =
        R.End ? V.sub(R.End, Piece->Offset)->constant() : Piece->Size;
    if (Size != Piece->Size) {
      Event Whole = E[R.First.Event];
      Whole.Bytes = F.get(Piece->Obj, Piece->Offset, Size, Piece->Mask);
      R.First.Bytes = Whole.Bytes;
      R.First.Event = E.intern(std::move(Whole));
    }
    insert(R.First);
  }
}

void UnorderedAccesses::forEach(llvm::function_ref<void(Access &)> Change) {
  for (Access &A : take()) {
    Change(A);
    insert(A); // what differed in the address alone is one now
  }
}

void UnorderedAccesses::forgetOlderConditions(
    EventTable &E, const Int *Forgotten,
    llvm::function_ref<void(EventId, EventId)> Rename) {
  if (!anyWithUnknowns(
          [&](const Access &A) { return !E[A.Event].May.empty(); }))
    return;
  // What is the same in all rounds, and the newest of them.
  using Operation =
      std::tuple<const void *, clang::SourceLocation, cpasync::Event::Kind,
                 const Footprint *, EventId, const PerThread *, BarrierSet>;
  std::map<Operation, EventId> Newest;
  auto NewestLike = [&](const Access &A) -> EventId & {
    const cpasync::Event &Of = E[A.Event];
    return Newest[{Of.Site, Of.Loc, Of.K, A.Bytes, A.Wait, A.After, A.Before}];
  };
  const List All = inOrder();
  for (const Access &A : All)
    NewestLike(A) = A.Event;
  auto IsOlder = [&](const Access &A) {
    return !E[A.Event].May.empty() && NewestLike(A) != A.Event;
  };
  if (llvm::none_of(All, IsOlder))
    return;
  const MayCondition Once = {Forgotten, true};
  forEach([&](Access &A) {
    if (!IsOlder(A))
      return;
    cpasync::Event Older = E[A.Event];
    const cpasync::Event &New = E[NewestLike(A)];
    std::replace_if(
        Older.May.begin(), Older.May.end(),
        [&](const MayCondition &C) { return !llvm::is_contained(New.May, C); },
        Once);
    Older.May.erase(llvm::unique(Older.May), Older.May.end());
    const EventId Now = E.intern(std::move(Older));
    Rename(A.Event, Now);
    A.Event = Now;
  });
}

void UnorderedAccesses::addTo(Fingerprint &F) const {
  Older.addTo(F);
  F.addList(Recent, [&](const Access &A) {
    F.add(uint64_t(A.Event) << 32 | A.Wait);
    F.add(A.Bytes);
    F.add(A.After);
    for (const uint64_t Word : A.Before.words())
      F.add(Word);
  });
}
