//===- StateTest.cpp - States that cannot be ------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/State.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class StateTest : public testing::Test {
protected:
  StateTest() : V(32), Footprints(V), W(Footprints), S(V.lanes(), W) {
    S.Frames.emplace_back();
  }

  const PerThread *threads(unsigned Begin, unsigned End) {
    std::vector<int64_t> In(32);
    std::fill(In.begin() + Begin, In.begin() + End, 1);
    return V.lanes().perThread(In);
  }
  llvm::StringRef broken() { return S.broken(V.lanes()); }
  Split splitOf(const PerThread *Joins) {
    Split Sp;
    Sp.Depth = 0;
    Sp.Join = nullptr;
    Sp.JoinMask = Joins;
    return Sp;
  }

  ValueContext V;
  FootprintTable Footprints;
  WrittenBytesTable W;
  State S;
};

TEST_F(StateTest, TheFirstOneIsAsItShouldBe) {
  EXPECT_EQ(broken(), "");
  S.Frames.clear();
  EXPECT_EQ(broken(), "no frame");
}

TEST_F(StateTest, ThreadsRunWithinTheirSplits) {
  S.Splits.push_back(splitOf(threads(0, 16)));
  EXPECT_EQ(broken(), "threads that run and will not meet where they parted");
  S.Active = threads(0, 8);
  EXPECT_EQ(broken(), "");
  S.Splits.push_back(splitOf(threads(4, 20)));
  EXPECT_EQ(broken(), "a split of threads that the one around it has not");
  S.Splits.back() = splitOf(threads(0, 8));
  S.Splits.back().Depth = 1;
  EXPECT_EQ(broken(), "a split of a frame that is not there");
}

TEST_F(StateTest, AThreadIsInOnePlace) {
  S.Active = threads(0, 16);
  S.Stopped.push_back(static_cast<const Context &>(S));
  EXPECT_EQ(broken(), "a thread in two places");
  S.Stopped.back().Active = threads(16, 32);
  EXPECT_EQ(broken(), "");
}

TEST_F(StateTest, MemoryForgetsWhatIsErasedAndNothingElse) {
  const Object *A = V.object({Object::Kind::Shared});
  Object Key{Object::Kind::Shared};
  Key.Number = 1;
  const Object *B = V.object(Key);
  const Contents *Four = V.contents({{0, 4, Value::integer(V.constant(4))}});
  S.Mem.set(A, Four);
  S.Mem.set(B, Four);
  S.Mem.erase(A);
  EXPECT_EQ(S.Mem.find(A), nullptr);
  EXPECT_EQ(S.Mem.find(B), Four);
  S.Mem.erase(A);
  EXPECT_EQ(S.Mem.entries().size(), 1u);
}

TEST_F(StateTest, AWarpCountsWholeEachTimeThatItComes) {
  PerThreadContext Block(70);
  std::vector<int64_t> Times(70);
  Arrival A{BarrierId::numbered(1), nullptr, nullptr, 160, {}};
  const auto Count = [&] {
    A.Times = Block.perThread(Times);
    return A.threads(70);
  };
  EXPECT_EQ(Count(), 0);
  Times[3] = 1;
  EXPECT_EQ(Count(), 32);
  Times[5] = 2;
  EXPECT_EQ(Count(), 64);
  Times[69] = 1; // of a warp that the block has in part
  EXPECT_EQ(Count(), 96);
}

TEST_F(StateTest, ItsHistoryIsAsLongAsItSays) {
  TraceNode N;
  N.Place = 2;
  S.Trace = &N;
  S.Length = 1;
  EXPECT_EQ(broken(), "a history that is not as long as it says");
  S.Length = 2;
  EXPECT_EQ(broken(), "");
}

TEST_F(StateTest, WhatMakesADifferenceIsInItsDigest) {
  std::vector<Fingerprint::Digest> All;
  auto Add = [&] {
    const Fingerprint::Digest Now = S.digest([](const Memory::Entry &E) {
      return E.second; // all of it
    });
    EXPECT_FALSE(llvm::is_contained(All, Now)) << All.size();
    All.push_back(Now);
  };
  Add();
  S.Parted = !S.Parted;
  Add();
  S.OnlyUses = !S.OnlyUses;
  Add();
  S.Active = threads(0, 16);
  Add();
  S.StoppedAt = BarrierId::numbered(1);
  Add();
  S.StoppedAt = BarrierId::numbered(2);
  Add();
  S.Arrivals.push_back(
      {BarrierId::numbered(1), threads(0, 8), threads(0, 4), 0, {}});
  Add();
  S.Arrivals[0].Barrier = BarrierId::numbered(2);
  Add();
  S.Arrivals[0].Times = threads(0, 9);
  Add();
  S.Arrivals[0].Waiting = threads(0, 5);
  Add();
  S.Arrivals[0].Needed = 64;
  Add();
  S.GaveUpOn = Value::pointer(V.object({Object::Kind::Shared}), nullptr);
  Add();
  S.GaveUpOn.I = V.constant(8);
  Add();
  S.GaveUpOn.I = V.constant(16);
  Add();
  S.May.push_back({V.constant(1), true});
  Add();
  S.May[0].second = false;
  Add();
  S.Splits.push_back(splitOf(threads(0, 16)));
  Add();
  S.Stopped.push_back(static_cast<const Context &>(S));
  Add();
}

TEST_F(StateTest, WhatMakesADifferenceIsInTheDigestOfAnMbarrier) {
  std::vector<Fingerprint::Digest> All;
  PhaseBarrier B{V.object({Object::Kind::Shared}), 0, 0};
  B.Came = threads(0, 0);
  auto Add = [&](auto Change) {
    Change();
    Fingerprint F;
    B.addTo(F);
    EXPECT_FALSE(llvm::is_contained(All, F.digest())) << All.size();
    All.push_back(F.digest());
  };
  Add([] {});
  Add([&] { B.Offset = 8; });
  Add([&] { B.Part = 1; });
  Add([&] { B.Expects = 2; });
  Add([&] { B.Arrived = 1; });
  Add([&] { B.Bytes = V.constant(64); });
  Add([&] { B.IsBelieved = true; });
  Add([&] { B.Tiles.push_back({1, 2}); });
  Add([&] { B.Tiles[0].second = 3; });
  Add([&] { B.Came = threads(0, 4); });
  Add([&] { B.Parity = true; });
  Add([&] { B.Joined = threads(0, 5); });
  Add([&] { B.Foreign = threads(0, 6); });
  Add([&] { B.Copying = threads(0, 6); });
  Add([&] { B.WasForced = true; });
  Add([&] { B.Newest = 1; });
  Add([&] { B.Binds.push_back({threads(0, 7), 1}); });
  Add([&] { B.Binds[0].Commit = 2; });
  Add([&] { B.Binds[0].Alone = true; });
  Add([&] { B.Done.push_back({threads(0, 8), 1}); });
  Add([&] { B.Waiting.push_back({threads(0, 9), nullptr, {}, false}); });
  Add([&] { B.Waiting[0].Site = &B; });
  Add([&] { B.Waiting[0].Loc = clang::SourceLocation::getFromRawEncoding(1); });
  Add([&] { B.Waiting[0].Consumes = true; });
}

} // namespace
