//===- BlockCopiesTest.cpp - Thread classes against each thread alone -----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random copies, commits and waits of random threads, some of them on the two
// sides of a condition that nobody knows, done to the classes of a block and to
// every thread for itself.
//
//===----------------------------------------------------------------------===//

#include "lib/memory/BlockCopies.h"
#include "gtest/gtest.h"
#include <random>

using namespace cpasync;

namespace {

/// What each thread knows of its own.
struct Alone {
  GroupQueue Queue, Bulk;
};

class BlockCopiesTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 8;

  BlockCopiesTest()
      : V(Threads), L(V.lanes()), Footprints(V), Written(Footprints),
        Block(L, Written), Each(Threads) {
    Object Key{Object::Kind::Shared};
    Tile = V.object(Key);
  }

  unsigned below(unsigned N) {
    return std::uniform_int_distribution<unsigned>(0, N - 1)(Random);
  }

  const PerThread *someThreads(const PerThread *Of) {
    std::vector<int64_t> Mask(Threads);
    for (int64_t &T : Mask)
      T = below(2);
    return L.both(Of, L.perThread(Mask));
  }

  static bool isIn(const PerThread *Mask, unsigned T) {
    return (*Mask)[T] != 0;
  }

  EventId event(Event::Kind K, const PerThread *Mask) {
    Event E{K, nullptr, {}};
    E.N = ++Number; // no two are the same
    E.Mask = Mask;
    if (K == Event::Kind::Copy || K == Event::Kind::BulkStore)
      E.Bytes =
          Footprints.get(Tile, V.constant(16 * int64_t(Number)), 16, Mask);
    return Events.intern(std::move(E));
  }

  template <typename Fn> void forEach(const PerThread *Mask, Fn Do) {
    for (unsigned T = 0; T < Threads; ++T)
      if (isIn(Mask, T))
        Do(Each[T]);
  }

  void copy(BlockCopies &To, const PerThread *Mask) {
    if (PerThreadContext::isEmpty(Mask))
      return;
    const bool IsBulk = below(2);
    const EventId Id =
        event(IsBulk ? Event::Kind::BulkStore : Event::Kind::Copy, Mask);
    if (IsBulk)
      To.startRead(&BlockCopies::ThreadClass::Bulk, L, Events, Id, Mask);
    else
      To.copy(L, Written, Events, Id);
    forEach(Mask, [&](Alone &A) { (IsBulk ? A.Bulk : A.Queue).copy(Id); });
  }

  void commitOrWait() {
    const PerThread *Mask = someThreads(L.all());
    if (PerThreadContext::isEmpty(Mask))
      return;
    const unsigned Kind = below(5), N = below(3);
    const EventId Id = event(Kind < 2    ? Event::Kind::Commit
                             : Kind == 4 ? Event::Kind::WaitAll
                                         : Event::Kind::Wait,
                             Mask);
    switch (Kind) {
    case 0:
      Block.commit(L, Events, Id, Mask);
      return forEach(Mask, [&](Alone &A) { A.Queue.commit(Id); });
    case 1:
      Block.commitReads(&BlockCopies::ThreadClass::Bulk, L, Events, Id, Mask);
      return forEach(Mask, [&](Alone &A) {
        if (!A.Bulk.open().empty() || !A.Bulk.groups().empty())
          A.Bulk.commit(Id);
      });
    case 2:
      Block.wait(Footprints, Events, N, Id, Mask);
      return forEach(Mask, [&](Alone &A) { A.Queue.waitGroup(N, Id); });
    case 3:
      Block.waitForReads(&BlockCopies::ThreadClass::Bulk, Footprints, Events, N,
                         Id, Mask);
      return forEach(Mask, [&](Alone &A) { A.Bulk.waitGroup(N, Id); });
    default:
      Block.waitAll(Footprints, Events, Id, Mask);
      return forEach(Mask, [&](Alone &A) { A.Queue.waitAll(); });
    }
  }

  /// Both sides run from the same start, each with some of the threads.
  void openBranch() {
    const PerThread *Here = someThreads(L.all()), *Then = someThreads(Here);
    BlockCopies First = Block;
    for (unsigned N = below(3); N; --N)
      copy(First, someThreads(Then));
    for (unsigned N = below(3); N; --N)
      copy(Block, someThreads(Here));
    Block.unite(L, Written, Events, First);
  }

  /// The copies in \p List that are of thread \p T, in no order.
  std::vector<EventId> own(llvm::ArrayRef<EventId> List, unsigned T) {
    std::vector<EventId> Own;
    for (EventId Id : List)
      if (isIn(Events[Id].Bytes->Mask, T))
        Own.push_back(Id);
    llvm::sort(Own);
    return Own;
  }

  void expectSame(const GroupQueue &Found, const GroupQueue &Wanted,
                  unsigned T) {
    EXPECT_EQ(own(Found.open(), T), own(Wanted.open(), T));
    ASSERT_EQ(Found.groups().size(), Wanted.groups().size());
    for (size_t I = 0; I < Found.groups().size(); ++I) {
      EXPECT_EQ(Found.groups()[I].Commit, Wanted.groups()[I].Commit);
      EXPECT_EQ(own(Found.groups()[I].Copies, T),
                own(Wanted.groups()[I].Copies, T));
    }
  }

  void expectSame() {
    std::vector<unsigned> Classes(Threads);
    for (const BlockCopies::ThreadClass &C : Block.classes()) {
      EXPECT_FALSE(PerThreadContext::isEmpty(C.Mask));
      for (unsigned T = 0; T < Threads; ++T) {
        if (!isIn(C.Mask, T))
          continue;
        ++Classes[T];
        expectSame(C.Queue, Each[T].Queue, T);
        expectSame(C.Bulk, Each[T].Bulk, T);
      }
    }
    EXPECT_EQ(Classes, std::vector<unsigned>(Threads, 1)); // a partition
  }

  std::mt19937 Random{20261123};
  ValueContext V;
  PerThreadContext &L;
  FootprintTable Footprints;
  WrittenBytesTable Written;
  EventTable Events;
  const Object *Tile;
  BlockCopies Block;
  std::vector<Alone> Each;
  unsigned Number = 0;
};

TEST_F(BlockCopiesTest, EveryThreadHasItsOwnGroups) {
  for (int Run = 0; Run < 200; ++Run) {
    Block = BlockCopies(L, Written);
    Each.assign(Threads, {});
    for (int Step = 0; Step < 30 && !HasFailure(); ++Step) {
      const unsigned What = below(4);
      if (What == 0)
        copy(Block, someThreads(L.all()));
      else if (What == 1)
        openBranch();
      else
        commitOrWait();
      expectSame();
    }
  }
}

// The side that starts with another class than this one: as many, but not the
// same threads.
TEST_F(BlockCopiesTest, SidesMayPartTheBlockInDifferentPlaces) {
  auto From = [&](unsigned First) {
    std::vector<int64_t> Mask(Threads);
    for (unsigned T = First; T < Threads; ++T)
      Mask[T] = 1;
    return L.perThread(Mask);
  };
  BlockCopies Other = Block;
  const EventId A = event(Event::Kind::BulkStore, From(2)),
                B = event(Event::Kind::BulkStore, From(5));
  Other.startRead(&BlockCopies::ThreadClass::Bulk, L, Events, A, From(2));
  Block.startRead(&BlockCopies::ThreadClass::Bulk, L, Events, B, From(5));
  Block.unite(L, Written, Events, Other);
  ASSERT_EQ(Block.classes().size(), 3u);
  EXPECT_TRUE(Block.classes()[0].Bulk.open().empty());
  EXPECT_EQ(Block.classes()[1].Bulk.open(), llvm::ArrayRef(A));
  EXPECT_EQ(Block.classes()[2].Bulk.open(), llvm::ArrayRef({B, A}));
}

// A loop is skipped over only if three of its rounds are alike.
TEST_F(BlockCopiesTest, GroupsBehindACommitAreCountedInItsThreads) {
  const PerThread *Low = L.perThread({1, 1, 1, 1, 0, 0, 0, 0}),
                  *High = L.except(L.all(), Low);
  auto Commit = [&](const PerThread *Mask) {
    Block.copy(L, Written, Events, event(Event::Kind::Copy, Mask));
    const EventId Id = event(Event::Kind::Commit, Mask);
    Block.commit(L, Events, Id, Mask);
    return Id;
  };
  const EventId OfAll = Commit(L.all()), OfLow = Commit(Low);
  Commit(High);
  Commit(High);
  EXPECT_EQ(Block.groupsAfter(L, OfAll, Low), 1u);
  EXPECT_EQ(Block.groupsAfter(L, OfAll, L.all()), 2u);
  EXPECT_EQ(Block.groupsAfter(L, OfLow, Low), 0u);
  EXPECT_EQ(Block.groupsAfter(L, OfLow, High), std::nullopt);
}

TEST_F(BlockCopiesTest, AGroupWithoutBulkCopiesIsNoneBehindNothing) {
  auto Commit = [&] {
    Block.commitReads(&BlockCopies::ThreadClass::Bulk, L, Events,
                      event(Event::Kind::Commit, L.all()), L.all());
  };
  const BlockCopies Before = Block;
  Commit();
  EXPECT_TRUE(Block == Before);
  Block.unknownBulkCopy();
  const BlockCopies MayHaveSome = Block;
  Commit();
  EXPECT_FALSE(Block == MayHaveSome);
}

TEST(BlockCopies, GrowSteadilyIfBothRoundsAreAlike) {
  ValueContext V(64); // of one warp, nothing has to be ordered
  PerThreadContext &L = V.lanes();
  FootprintTable Footprints(V);
  WrittenBytesTable Written(Footprints);
  EventTable Events;
  const Object *Tile = V.object(Object{Object::Kind::Shared});
  auto Add = [&](Event::Kind K, int64_t At) {
    Event E{K, nullptr, {}};
    E.Mask = L.all();
    E.Bytes = Footprints.get(Tile, V.constant(At), 4, L.all());
    return Events.intern(std::move(E));
  };
  auto AfterRead = [&](int64_t At) {
    BlockCopies Copies(L, Written);
    const EventId Read = Add(Event::Kind::Read, At);
    Copies.unordered().add(L, Events, Read, 0, Events[Read].Bytes);
    return Copies;
  };
  const BlockCopies First = AfterRead(0), Second = AfterRead(16);
  auto Grow = [&](const BlockCopies &A, const BlockCopies &B,
                  const BlockCopies &C) {
    return BlockCopies::growSteadily(V, Events, A, B, C);
  };
  EXPECT_TRUE(Grow(First, First, First));
  // Nothing is copied to the object: where it is read does not matter.
  EXPECT_TRUE(Grow(First, Second, Second));
  Add(Event::Kind::Copy, 0);
  EXPECT_FALSE(Grow(First, Second, Second));
  EXPECT_FALSE(Grow(First, First, Second));
  auto AfterGroups = [&](unsigned N) {
    BlockCopies Copies(L, Written);
    for (unsigned I = 0; I < N; ++I) {
      Copies.copy(L, Written, Events, Add(Event::Kind::Copy, 16 * I));
      Copies.commit(L, Events, Add(Event::Kind::Commit, 0), L.all());
    }
    return Copies;
  };
  EXPECT_TRUE(Grow(AfterGroups(1), AfterGroups(2), AfterGroups(3)));
  EXPECT_FALSE(Grow(AfterGroups(1), AfterGroups(2), AfterGroups(4)));
  EXPECT_FALSE(Grow(AfterGroups(1), AfterGroups(3), AfterGroups(4)));
}

TEST(BlockCopies, AccessesOfRoundsThatAreSkippedMoveOnAsBefore) {
  ValueContext V(64);
  PerThreadContext &L = V.lanes();
  FootprintTable Footprints(V);
  WrittenBytesTable Written(Footprints);
  EventTable Events;
  const Object *Tile = V.object(Object{Object::Kind::Shared});
  std::vector<int64_t> Warps(64); // two, or nothing has to be ordered
  std::fill(Warps.begin() + 32, Warps.end(), 1);
  const Int *Warp = V.known(L.perThread(Warps));
  auto Read = [&](BlockCopies &By, int64_t At) {
    Event E{Event::Kind::Read, nullptr, {}};
    E.Mask = L.all();
    E.Bytes = Footprints.get(Tile, V.add(Warp, V.constant(At)), 4, L.all());
    const EventId Id = Events.intern(std::move(E));
    By.unordered().add(L, Events, Id, 0, Events[Id].Bytes);
  };
  /// Where it is read, after rounds that read at these places each, and then
  /// so many more.
  auto ReadAt = [&](llvm::ArrayRef<std::vector<int64_t>> Rounds,
                    int64_t Periods) {
    BlockCopies Before(L, Written), Now(L, Written);
    for (const std::vector<int64_t> &Round : Rounds) {
      Before = Now;
      for (int64_t At : Round)
        Read(Now, At);
    }
    Now.repeatAccesses(Footprints, V, Events, Before, Periods);
    std::vector<int64_t> Places;
    for (const Access &A : Now.unordered().inOrder())
      Places.push_back((*Events[A.Event].Bytes->Offset->base())[0]);
    return Places;
  };
  using Places = std::vector<int64_t>;
  EXPECT_EQ(ReadAt({{0}, {16}}, 0), (Places{0, 16}));
  EXPECT_EQ(ReadAt({{0}, {16}}, 3), (Places{0, 16, 32, 48, 64}));
  EXPECT_EQ(ReadAt({{0, 512}, {16, 480}}, 2),
            (Places{0, 512, 16, 480, 32, 448, 48, 416}));
}

TEST(BlockCopies, StoresThatGoOnWithinTheirPartRepeat) {
  ValueContext V(64);
  PerThreadContext &L = V.lanes();
  FootprintTable Footprints(V);
  WrittenBytesTable Written(Footprints);
  EventTable Events;
  const Object *Tile = V.object(Object{Object::Kind::Shared});
  std::vector<int64_t> Warps(64); // two, or nothing has to be ordered
  std::fill(Warps.begin() + 32, Warps.end(), 1);
  const Int *Warp = V.known(L.perThread(Warps));
  const Int *Begin = V.symbol(&Warps, 0, Uniformity::Block, {},
                              /*Stable=*/true);
  const Int *Other = V.symbol(&Warps, 1, Uniformity::Block);
  auto Store = [&](BlockCopies &By, const Int *Index, int64_t Slot) {
    Event E{Event::Kind::Store, nullptr, {}};
    E.Mask = L.all();
    const Int *At = V.add(V.constant(Slot), V.within(Index, 256));
    E.Bytes = Footprints.get(Tile, V.add(Warp, At), 4, L.all());
    const EventId Id = Events.intern(std::move(E));
    By.unordered().add(L, Events, Id, 0, Events[Id].Bytes);
  };
  /// Each of three rounds stores once more, \p Slot bytes further on.
  auto Grows = [&](auto IndexOf, int64_t Slot) {
    BlockCopies At[3] = {{L, Written}, {L, Written}, {L, Written}};
    for (int64_t I = 0; I < 3; ++I)
      for (int64_t J = 0; J <= I; ++J)
        Store(At[I], IndexOf(J), Slot * J);
    return BlockCopies::growSteadily(V, Events, At[0], At[1], At[2]);
  };
  auto Next = [&](int64_t J) { return V.add(Begin, V.constant(4 * J)); };
  EXPECT_TRUE(Grows(Next, 0));
  EXPECT_FALSE(Grows(Next, 256)); // of another slot
  EXPECT_FALSE(Grows([&](int64_t J) { return J == 2 ? Other : Next(J); }, 0));
}

TEST_F(BlockCopiesTest, CopiesToAForgottenPlaceAreSomewhere) {
  const Int *Slot = V.symbol(&Threads, 0, Uniformity::Block);
  auto Copy = [&](const Int *At) {
    Event E{Event::Kind::Copy, nullptr, {}};
    E.N = ++Number;
    E.Mask = L.all();
    E.Bytes = Footprints.get(Tile, At, 16, L.all());
    const EventId Id = Events.intern(std::move(E));
    Block.copy(L, Written, Events, Id);
  };
  Copy(Slot);
  Copy(V.constant(32));
  Block.forget(Footprints, Written, Events, Slot->terms()[0].A, V.constant(1),
               [&](EventId) { return L.all(); });
  const auto Open = Block.classes()[0].Queue.open();
  ASSERT_EQ(Open.size(), 2u);
  EXPECT_EQ(Events[Open[0]].Bytes->Offset, nullptr);
  EXPECT_EQ(Events[Open[1]].Bytes->Offset, V.constant(32));
}

TEST_F(BlockCopiesTest, CopiesUnderAForgottenConditionAreOfThoseWhoMadeThem) {
  const Int *Rows = V.symbol(&Threads, 0, Uniformity::Block);
  const Int *Forgotten = V.constant(1);
  std::vector<int64_t> Mask(Threads);
  Mask[2] = Mask[5] = 1;
  const PerThread *Two = L.perThread(Mask);
  auto CopiedAfter = [&](const PerThread *Did, bool IsBlamed) {
    Event E{Event::Kind::Copy, nullptr, {}};
    E.N = ++Number;
    E.Mask = L.all();
    E.Bytes = Footprints.get(Tile, V.constant(64), 16, L.all());
    E.May.push_back({V.isNegative(Rows), true});
    const EventId Id = Events.intern(std::move(E));
    BlockCopies After(L, Written);
    After.copy(L, Written, Events, Id);
    if (IsBlamed)
      After.notes().blame(Id);
    After.forget(Footprints, Written, Events, Rows->terms()[0].A, Forgotten,
                 [&](EventId) { return Did; });
    return After;
  };
  for (const bool IsBlamed : {false, true}) {
    const BlockCopies After = CopiedAfter(Two, IsBlamed);
    const auto Open = After.classes()[0].Queue.open();
    ASSERT_EQ(Open.size(), 1u);
    EXPECT_EQ(Events[Open[0]].Bytes->Mask, Two);
    EXPECT_EQ(Events[Open[0]].Bytes->Offset, V.constant(64));
    ASSERT_EQ(Events[Open[0]].May.size(), 1u);
    EXPECT_EQ(Events[Open[0]].May[0], MayCondition(Forgotten, true));
    EXPECT_EQ(After.notes().isBlamed(Open[0]), IsBlamed);
  }
  EXPECT_TRUE(CopiedAfter(L.none(), false).classes()[0].Queue.open().empty());
}

TEST_F(BlockCopiesTest, CopiesUnderTheConditionOfTheNextRoundAreRepeated) {
  const Int *Rows = V.symbol(&Threads, 0, Uniformity::Block);
  auto Round = [&](int64_t Row) {
    Event E{Event::Kind::Copy, nullptr, {}};
    E.Mask = L.all();
    E.Bytes = Footprints.get(Tile, V.constant(0), 16, L.all());
    E.May.push_back({V.isNegative(V.sub(V.constant(Row), Rows)), true});
    BlockCopies After = Block;
    After.copy(L, Written, Events, Events.intern(std::move(E)));
    return After;
  };
  const BlockCopies A = Round(0), B = Round(1), C = Round(2);
  EXPECT_TRUE(BlockCopies::growSteadily(V, Events, A, B, C));
}

} // namespace
