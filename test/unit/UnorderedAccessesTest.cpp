//===- UnorderedAccessesTest.cpp - Accesses found by their bytes ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random accesses, added to a list that keeps order and nothing else, and asked
// for what touches random bytes; as many as make several runs of an index.
//
//===----------------------------------------------------------------------===//

#include "lib/memory/UnorderedAccesses.h"
#include "lib/memory/FootprintSet.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace cpasync;

namespace {

/// \p Whole is \p Part with more in between.
bool isPart(const std::vector<Access> &Part, const std::vector<Access> &Whole) {
  auto I = Part.begin();
  for (const Access &A : Whole)
    if (I != Part.end() && *I == A)
      ++I;
  return I == Part.end();
}

/// Footprints in two objects: of one thread, of all, in rows, at places that
/// are not known.
class UnorderedAccessesTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 96;

  UnorderedAccessesTest() : V(Threads), L(V.lanes()), Footprints(V) {
    for (int64_t I = 0; I < 2; ++I) {
      Object Key{Object::Kind::Shared};
      Key.Number = I;
      Objects.push_back(V.object(Key));
    }
    Unknown = V.symbol(&Threads, 0, Uniformity::Block);
  }

  unsigned below(unsigned N) {
    return std::uniform_int_distribution<unsigned>(0, N - 1)(Random);
  }

  const Footprint *footprint() {
    std::vector<int64_t> Lane(Threads), Mask(Threads);
    const unsigned Stride = 4 << below(4), First = below(Threads);
    for (unsigned T = 0; T < Threads; ++T) {
      Lane[T] = int64_t(T) * Stride;
      Mask[T] = T <= First;
    }
    const Int *Offset = V.add(V.known(L.perThread(Lane)),
                              V.constant(16 * int64_t(below(600)) - 800));
    if (below(8) == 0)
      Offset = V.add(Offset, Unknown);
    else if (below(8) == 0)
      Offset = nullptr;
    return Footprints.get(Objects[below(2)], Offset, 4 << below(3),
                          below(2) ? L.all() : L.perThread(Mask));
  }

  EventId event(const Footprint *Bytes) {
    static const Event::Kind Kinds[] = {Event::Kind::Copy, Event::Kind::Read,
                                        Event::Kind::Store,
                                        Event::Kind::BulkStore};
    Event E{Kinds[below(4)], nullptr, {}, Bytes};
    E.OfPhase = E.K == Event::Kind::Copy && below(4) == 0;
    if (below(8) == 0)
      E.May.push_back({Unknown, true});
    return Events.intern(std::move(E));
  }

  BarrierId anyBarrier() {
    const unsigned I = below(BarrierId::Count);
    return I < BarrierId::FirstPhase ? BarrierId::numbered(I)
           : I % 2                   ? BarrierId::olderPhases(mbarrier(I))
                                     : BarrierId::openPhase(mbarrier(I));
  }
  static MbarrierIndex mbarrier(unsigned Id) {
    return MbarrierIndex((Id - BarrierId::FirstPhase) / 2);
  }

  /// Adds to both lists.
  void add() {
    const Footprint *Bytes = footprint();
    const EventId Id =
        Added.empty() || below(4) ? event(Bytes) : Added[below(Added.size())];
    Added.push_back(Id);
    const EventId Wait = below(3);
    const BarrierSet Before =
        below(2) ? BarrierSet::of(anyBarrier()) : BarrierSet();
    Bytes = Events[Id].Bytes;
    Accesses.add(L, Events, Id, Wait, Bytes, Before);
    const Access New = {Id,
                        Wait,
                        Bytes,
                        L.none(),
                        Before,
                        Events[Id].K == Event::Kind::Copy,
                        Events[Id].OfPhase,
                        Events[Id].hasUnknowns()};
    if (!llvm::is_contained(Model, New))
      Model.push_back(New);
  }

  void expectSame() {
    EXPECT_EQ(Accesses.size(), Model.size());
    const UnorderedAccesses::List All = Accesses.inOrder();
    EXPECT_TRUE(llvm::equal(All, Model));
    std::vector<Access> Found, Wanted;
    Accesses.anyWithUnknowns([&](const Access &A) {
      Found.push_back(A);
      return false;
    });
    for (const Access &A : Model)
      if (A.HasUnknowns)
        Wanted.push_back(A);
    EXPECT_TRUE(std::is_permutation(Found.begin(), Found.end(), Wanted.begin(),
                                    Wanted.end()));
  }

  void expectRivals(const Footprint *Of, bool OnlyCopies) {
    std::vector<Access> Wanted, Allowed, Found;
    for (const Access &A : Model) {
      if (OnlyCopies && !A.IsCopy)
        continue;
      if ((A.OfPhase ? Footprints.overlap(Of, A.Bytes)
                     : Footprints.overlapAcrossWarps(Of, A.Bytes))
              .K != Overlap::Kind::Disjoint)
        Wanted.push_back(A);
      if (Footprints.overlap(Of, A.Bytes).K != Overlap::Kind::Disjoint)
        Allowed.push_back(A);
    }
    for (const Access *A : Accesses.rivals(Footprints, Of, OnlyCopies))
      Found.push_back(*A);
    EXPECT_TRUE(isPart(Wanted, Found));
    EXPECT_TRUE(isPart(Found, Allowed));
    Asked += Wanted.size();
    Spared += Allowed.size() - Found.size();
  }

  ValueContext V;
  PerThreadContext &L;
  FootprintTable Footprints;
  EventTable Events;
  std::vector<const Object *> Objects;
  const Int *Unknown;
  std::mt19937 Random{1};
  std::vector<EventId> Added;
  UnorderedAccesses Accesses;
  std::vector<Access> Model;
  size_t Asked = 0, Spared = 0;
};

TEST_F(UnorderedAccessesTest, BarriersAreKeptApart) {
  const Footprint *Bytes =
      Footprints.get(Objects[0], V.constant(0), 4, L.all());
  const EventId Copy = Events.intern({Event::Kind::Copy, nullptr, {}, Bytes});
  // Ids that are one modulo 64: of the 18th mbarrier, and of a named barrier.
  const BarrierId Mbarrier = BarrierId::openPhase(MbarrierIndex(17)),
                  Named = BarrierId::numbered(Mbarrier.index() % 64);
  Accesses.add(L, Events, Copy, 0, Bytes);
  Accesses.arrive(L, Footprints, Mbarrier, L.all());
  Accesses.release(L, Named, L.all(), L.all());
  EXPECT_EQ(Accesses.size(), 1u);
  Accesses.release(L, Mbarrier, L.all(), L.all());
  EXPECT_TRUE(Accesses.empty());
}

TEST_F(UnorderedAccessesTest, FindsWhatTouchesInOrder) {
  for (unsigned I = 0; I < 1000; ++I) {
    add();
    expectRivals(footprint(), /*OnlyCopies=*/I % 2);
  }
  expectSame();
  EXPECT_GT(Model.size(), 500u);
  EXPECT_GT(Asked, 1000u);
  EXPECT_GT(Spared, 1000u);
}

TEST_F(UnorderedAccessesTest, ForgetsOneEvent) {
  for (unsigned I = 0; I < 300; ++I)
    add();
  for (unsigned I = 0; I < 50; ++I) {
    const EventId Gone = Added[below(Added.size())];
    Accesses.erase(Gone);
    llvm::erase_if(Model, [&](const Access &A) { return A.Event == Gone; });
    expectSame();
    expectRivals(footprint(), /*OnlyCopies=*/false);
  }
}

// What a state is does not hang on how it came about.
TEST_F(UnorderedAccessesTest, IsEqualIfTheListIs) {
  auto Digest = [](const UnorderedAccesses &A) {
    Fingerprint F;
    A.addTo(F);
    return F.digest();
  };
  UnorderedAccesses Rebuilt;
  for (unsigned I = 0; I < 400; ++I) {
    add();
    EXPECT_EQ(Accesses == Rebuilt, Accesses.size() == Rebuilt.size());
    Rebuilt.clear();
    Rebuilt.unite(Accesses);
    EXPECT_TRUE(Accesses == Rebuilt);
    EXPECT_EQ(Digest(Accesses), Digest(Rebuilt));
  }
  UnorderedAccesses Shared = Accesses;
  EXPECT_TRUE(Shared == Accesses);
  Shared.erase(Model.front().Event);
  EXPECT_FALSE(Shared == Accesses);
  EXPECT_NE(Digest(Shared), Digest(Accesses));
  expectSame();
}

TEST_F(UnorderedAccessesTest, WhatIsLeftOfAnAccessIsInTheDigest) {
  const auto Of = [&](unsigned Size) {
    return Footprints.get(Objects[0], V.constant(0), Size, L.all());
  };
  const EventId Id = event(Of(16));
  Fingerprint Found[2];
  for (const unsigned I : {0, 1}) {
    UnorderedAccesses All;
    All.add(L, Events, Id, /*Wait=*/0, Of(4 << I), BarrierSet());
    All.addTo(Found[I]);
  }
  EXPECT_NE(Found[0].digest(), Found[1].digest());
}

TEST_F(UnorderedAccessesTest, AReadElsewhereInItsPartIsReadAgain) {
  auto Read = [&](const Int *Index, int64_t Slot, const void *Site = nullptr,
                  Event::Kind K = Event::Kind::Read) {
    const Int *At = V.add(V.constant(Slot), V.within(Index, 64));
    const Footprint *Bytes = Footprints.get(Objects[0], At, 4, L.all());
    Event E{K, nullptr, {}, Bytes};
    E.Site = Site;
    Accesses.add(L, Events, Events.intern(std::move(E)), 0, Bytes);
    return Accesses.size();
  };
  const Int *Next = V.add(Unknown, V.constant(4));
  EXPECT_EQ(Read(Unknown, 0), 1u);
  EXPECT_EQ(Read(Next, 0), 1u);
  EXPECT_EQ(Read(Next, 256), 2u); // of another slot
  EXPECT_EQ(Read(Next, 0, &V), 3u);
  EXPECT_EQ(Read(Next, 0, nullptr, Event::Kind::Store), 4u);
}

TEST_F(UnorderedAccessesTest, ARowReadPieceByPieceIsOneRead) {
  const int Sites[2] = {};
  std::vector<int64_t> RowOf(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    RowOf[T] = T * 1024;
  auto Read = [&](const int &Site, int64_t Piece, const Int *Condition) {
    Event E{Event::Kind::Read, &Site, {}};
    E.Bytes = Footprints.get(
        Objects[0], V.add(V.known(L.perThread(RowOf)), V.constant(8 * Piece)),
        8, L.all());
    if (Condition)
      E.May.push_back({Condition, true});
    return Events.intern(std::move(E));
  };
  constexpr int Pieces = 40;
  EventId Kept = 0;
  for (int I = 0; I < Pieces; ++I) {
    const EventId Plain = Read(Sites[0], I, nullptr);
    Kept = I == 10 ? Plain : Kept;
    Accesses.add(L, Events, Plain, /*Wait=*/0, Events[Plain].Bytes);
    // Under another condition from half of the row on.
    const EventId Other = Read(Sites[1], I, I < Pieces / 2 ? nullptr : Unknown);
    Accesses.add(L, Events, Other, /*Wait=*/0, Events[Other].Bytes);
  }
  Accesses.joinReads(V, Footprints, Events,
                     [&](EventId Id) { return Id == Kept; });
  std::vector<std::pair<int64_t, int64_t>> Rows;
  for (const Access &A : Accesses.inOrder()) {
    EXPECT_EQ(Events[A.Event].Bytes, A.Bytes);
    EXPECT_EQ((*A.Bytes->Offset->base())[1] - (*A.Bytes->Offset->base())[0],
              1024);
    Rows.emplace_back((*A.Bytes->Offset->base())[0], A.Bytes->Size);
  }
  const std::vector<std::pair<int64_t, int64_t>> Wanted = {
      {0, 80}, {0, 160}, {80, 8}, {88, 232}, {160, 160}};
  EXPECT_EQ(Rows, Wanted);
}

TEST_F(UnorderedAccessesTest, ShortListsAreLeftAlone) {
  for (int I = 0; I < 8; ++I) {
    Event E{Event::Kind::Read, nullptr, {}};
    E.Bytes = Footprints.get(Objects[0], V.constant(4 * I), 4, L.all());
    const EventId Id = Events.intern(std::move(E));
    Accesses.add(L, Events, Id, /*Wait=*/0, Events[Id].Bytes);
  }
  Accesses.joinReads(V, Footprints, Events, [](EventId) { return false; });
  EXPECT_EQ(Accesses.size(), 8u);
}

/// The threads from \p First on, so many.
static const PerThread *threads(PerThreadContext &L, unsigned First,
                                unsigned Number) {
  std::vector<int64_t> Mask(L.threads());
  std::fill_n(Mask.begin() + First, Number, 1);
  return L.perThread(Mask);
}

// Lane 33 has waited for a phase: its warp comes after it, once they have met.
TEST_F(UnorderedAccessesTest, WhoMeetsAFollowerFollows) {
  Event E{Event::Kind::Copy, nullptr, {}};
  E.OfPhase = true;
  E.Bytes = Footprints.get(Objects[0], V.constant(0), 4, threads(L, 0, 1));
  const EventId Copy = Events.intern(std::move(E));
  const BarrierSet Phase =
      BarrierSet::of(BarrierId::newestPhase(MbarrierIndex(0)));
  Accesses.add(L, Events, Copy, /*Wait=*/0, Events[Copy].Bytes, Phase);
  Accesses.pass(L, Phase, threads(L, 33, 1), L.all());
  Accesses.meetInWarps(L, Footprints, threads(L, 34, 4), L.all());
  EXPECT_EQ(Accesses.newest()->After, threads(L, 33, 1)); // it was not there
  Accesses.meetInWarps(L, Footprints, threads(L, 33, 4), L.all());
  EXPECT_EQ(Accesses.newest()->After, threads(L, 33, 4));
  Accesses.meetInWarps(L, Footprints, L.all(), L.all());
  EXPECT_EQ(Accesses.newest()->After, threads(L, 32, 32));
  // The others are gone.
  Accesses.meetInWarps(L, Footprints, L.all(), threads(L, 32, 32));
  EXPECT_EQ(Accesses.size(), 1u);
  Accesses.pass(L, Phase, L.none(), threads(L, 32, 32));
  EXPECT_TRUE(Accesses.empty());
}

// Lanes that are apart come after each other only where they meet.
TEST_F(UnorderedAccessesTest, LanesThatAreApartMeet) {
  Event E{Event::Kind::Read, nullptr, {}};
  E.Bytes = Footprints.get(Objects[0], V.constant(0), 4, threads(L, 0, 40));
  const EventId Read = Events.intern(std::move(E));
  Accesses.add(L, Events, Read, /*Wait=*/0, Events[Read].Bytes);
  Accesses.meetInWarps(L, Footprints, L.all(), L.all());
  EXPECT_EQ(Accesses.newest()->After, L.none()); // in step all the same
  L.setInStep(1);
  Accesses.meetInWarps(L, Footprints, threads(L, 0, 40), L.all());
  std::set<std::pair<const PerThread *, const PerThread *>> Found;
  for (const Access &A : Accesses.inOrder())
    Found.emplace(A.Bytes->Mask, A.After);
  const PerThread *First = threads(L, 0, 32), *Rest = threads(L, 32, 8);
  EXPECT_EQ(Found, (decltype(Found){{First, First}, {Rest, Rest}}));
}

TEST_F(UnorderedAccessesTest, SetKnowsWhatMayTouch) {
  FootprintSet Set;
  std::vector<const Footprint *> All;
  for (unsigned I = 0; I < 400; ++I) {
    const Footprint *F = footprint(), *Of = footprint();
    EXPECT_EQ(Set.insert(F), !llvm::is_contained(All, F));
    if (!llvm::is_contained(All, F))
      All.push_back(F);
    std::vector<const Footprint *> Touching, Found;
    for (const Footprint *X : All)
      if (X->Obj == Of->Obj && X->Lo < Of->Hi && Of->Lo < X->Hi)
        Touching.push_back(X);
    Set.anyTouching(Of, [&](const Footprint *X) {
      Found.push_back(X);
      return false;
    });
    EXPECT_TRUE(std::is_permutation(Found.begin(), Found.end(),
                                    Touching.begin(), Touching.end()));
    EXPECT_EQ(Set.anyTouching(Of), !Touching.empty());
  }
  EXPECT_EQ(Set.size(), All.size());
}

} // namespace
