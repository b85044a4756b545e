//===- TileSizesTest.cpp - How much a copy of a tensor's tile moves -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/TileSizes.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class TileSizesTest : public testing::Test {
protected:
  TileSizesTest() {
    Pool.K = Object::Kind::Dynamic;
    Array.K = Object::Kind::Shared;
    Array.Size = 4096;
  }
  /// A phase with one copy of each of \p Of.
  void phase(std::initializer_list<TileSizes::Tile> Of, int64_t Announced) {
    std::vector<std::pair<unsigned, int64_t>> Copies;
    for (TileSizes::Tile T : Of)
      Copies.push_back({Sizes.number(T), 1});
    Sizes.complete(Copies, Announced, {});
  }
  int64_t next(TileSizes::Tile T) {
    Sizes.end();
    const auto Size = Sizes.forNextRun().sizeOf(T);
    return Size ? Size->Bytes : 0;
  }

  TileSizes::Size::By told(TileSizes::Tile T) {
    Sizes.end();
    return Sizes.forNextRun().sizeOf(T)->Told;
  }

  Object Pool, Array;
  int Map = 0, Other = 0, Third = 0;
  TileSizes::Tile A{&Map, 0}, B{&Other, 0}, C{&Third, 0}, P{&Third, 7, true};
  TileSizes Sizes;
};

TEST_F(TileSizesTest, NoneIsKnown) {
  EXPECT_FALSE(Sizes.cameLate());
  EXPECT_FALSE(Sizes.sizeOf(A));
}

TEST_F(TileSizesTest, AloneItHasWhatIsAnnounced) {
  phase({A}, 1024);
  EXPECT_TRUE(Sizes.cameLate());
  EXPECT_FALSE(Sizes.sizeOf(A)); // of another run
  EXPECT_EQ(next(A), 1024);
  EXPECT_FALSE(Sizes.forNextRun().cameLate());
}

TEST_F(TileSizesTest, SeveralOfOneSize) {
  Sizes.complete({{Sizes.number(A), 4}}, 4096, {});
  EXPECT_EQ(next(A), 1024);
}

TEST_F(TileSizesTest, NoWholeUnits) {
  phase({A}, 1000);
  Sizes.complete({{Sizes.number(B), 3}}, 4096, {});
  EXPECT_EQ(next(A), 0);
  EXPECT_EQ(next(B), 0);
}

TEST_F(TileSizesTest, MoreThanAPhaseCanCount) {
  phase({A}, 1 << 20);
  EXPECT_FALSE(Sizes.cameLate());
}

TEST_F(TileSizesTest, TwoAreNotKnownApart) {
  phase({A, B}, 1024);
  EXPECT_FALSE(Sizes.cameLate());
}

TEST_F(TileSizesTest, OneKnownTellsTheOther) {
  phase({A, B}, 3072);
  phase({A}, 1024);
  phase({B, C}, 2048 + 512);
  EXPECT_EQ(next(A), 1024);
  EXPECT_EQ(next(B), 2048);
  EXPECT_EQ(next(C), 512);
}

TEST_F(TileSizesTest, TheyFillTheirRooms) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 1024);
  phase({A, B}, 4096);
  EXPECT_EQ(next(A), 1024);
  EXPECT_EQ(next(B), 3072);
}

TEST_F(TileSizesTest, RoomsThatAreTooLargeAreShared) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 1024);
  phase({A, B}, 2048);
  EXPECT_EQ(next(A), 512);
  EXPECT_EQ(next(B), 1536);
  EXPECT_EQ(told(A), TileSizes::Size::By::Share);
  EXPECT_EQ(Sizes.forNextRun().sharersWith(A).size(), 2u);
}

TEST_F(TileSizesTest, SharesAreWholeUnitsAndAllThatIsAnnounced) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 1024);
  Sizes.place(C, &Array, 2048);
  phase({A, B, C}, 4096 - 48);
  EXPECT_EQ(next(A) % 16, 0);
  EXPECT_EQ(next(B) % 16, 0);
  EXPECT_LT(next(A), 1024);
  EXPECT_LT(next(B), 1024);
  EXPECT_EQ(next(A) + next(B) + next(C), 4096 - 48);
}

TEST_F(TileSizesTest, WhatIsLeftOfSharesNeedNotBeEven) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 2048);
  Sizes.place(B, &Array, 3072);
  Sizes.complete({{Sizes.number(A), 1}, {Sizes.number(B), 2}}, 193 * 16, {});
  EXPECT_EQ(next(A), 97 * 16);
  EXPECT_EQ(next(B), 48 * 16);
}

TEST_F(TileSizesTest, WhoHasAShare) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 1024);
  phase({A, B}, 2048);
  Sizes.end();
  TileSizes Next = Sizes.forNextRun();
  EXPECT_FALSE(Next.sharerAt(&Array, 1024)); // nothing was copied yet
  Next.place(A, &Array, 0);
  Next.place(B, &Array, 1024);
  Next.place(C, &Array, 4000);
  EXPECT_EQ(Next.sharerAt(&Array, 1023), A);
  EXPECT_EQ(Next.sharerAt(&Array, 1024), B);
  EXPECT_FALSE(Next.sharerAt(&Array, 4095)); // of no known size
}

TEST_F(TileSizesTest, WhatIsNoWholeUnitIsShort) {
  Sizes.place(A, &Array, 0);
  phase({A}, 4000 + 2);
  EXPECT_EQ(next(A), 4096);
  EXPECT_EQ(told(A), TileSizes::Size::By::Room);
}

TEST_F(TileSizesTest, NothingIsLeftForOne) {
  Sizes.tell(A, 1024, {});
  Sizes.place(B, &Array, 0);
  phase({A, B}, 1024);
  EXPECT_EQ(next(B), 4096);
  EXPECT_EQ(told(B), TileSizes::Size::By::Room);
}

TEST_F(TileSizesTest, TheSmallestRoomCounts) {
  for (int64_t Slot : {0, 1, 2}) {
    Sizes.place(A, &Pool, Slot * 2048);
    Sizes.place(B, &Pool, Slot * 2048 + 1536);
  }
  phase({A, B}, 2048);
  EXPECT_EQ(next(A), 1536);
  EXPECT_EQ(next(B), 512);
}

TEST_F(TileSizesTest, SomethingElseEndsARoom) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 1024);
  Sizes.limit(&Array, 2048);
  phase({A, B}, 2048);
  EXPECT_EQ(next(A), 1024);
  EXPECT_EQ(next(B), 1024);
}

TEST_F(TileSizesTest, MoreThanItsRoomIsNone) {
  Sizes.place(A, &Array, 2048);
  phase({A}, 4096);
  EXPECT_EQ(next(A), 2048);
  EXPECT_EQ(told(A), TileSizes::Size::By::Room);
}

// The same memory, for something else at another time.
TEST_F(TileSizesTest, RoomsOfOtherPhasesDoNotCount) {
  Sizes.place(A, &Array, 0);
  Sizes.place(B, &Array, 1024);
  phase({A}, 4096);
  phase({B}, 512);
  EXPECT_EQ(next(A), 4096);
  EXPECT_EQ(told(A), TileSizes::Size::By::Announcement);
  EXPECT_EQ(next(B), 512);
}

TEST_F(TileSizesTest, APlaceThatIsNotKnownIsNoRoom) {
  Sizes.place(A, &Array, 0);
  Sizes.place(A, &Array, std::nullopt);
  Sizes.place(B, &Array, 1024);
  phase({A, B}, 4096);
  EXPECT_FALSE(Sizes.cameLate());
}

TEST_F(TileSizesTest, PhasesThatContradictEachOther) {
  phase({A}, 1024);
  phase({A}, 2048);
  EXPECT_FALSE(Sizes.cameLate());
}

TEST_F(TileSizesTest, OneOfThemFillsTheRoom) {
  Sizes.place(A, &Array, 2048);
  phase({A}, 1024);
  phase({A}, 2048);
  EXPECT_EQ(next(A), 2048);
}

TEST_F(TileSizesTest, PlacesOfTheProgramFillTheirRooms) {
  Sizes.place(P, &Array, 0);
  phase({P}, 1024);
  EXPECT_FALSE(Sizes.cameLate());
  Sizes.limit(&Array, 1024);
  EXPECT_EQ(next(P), 1024);
}

TEST_F(TileSizesTest, WhoKnowsTheMapIsRight) {
  Sizes.tell(A, 512, {});
  phase({A}, 1024);
  phase({A, B}, 1024);
  EXPECT_EQ(Sizes.sizeOf(A)->Bytes, 512);
  EXPECT_EQ(next(A), 512);
  EXPECT_EQ(next(B), 512);
}

TEST_F(TileSizesTest, SourcesFillTheirSlots) {
  Sizes.placeSource(A, &Pool, 0);
  Sizes.placeSource(A, &Pool, 1024);
  EXPECT_EQ(next(A), 1024);
  Sizes.limit(&Pool, 4096); // something lies behind the last
  EXPECT_EQ(next(A), 1024);
  Sizes.limit(&Pool, 1536); // and here in the last
  EXPECT_EQ(next(A), 0);
}

TEST_F(TileSizesTest, ASourceFillsAnArray) {
  Sizes.placeSource(A, &Array, 0);
  EXPECT_EQ(next(A), 4096);
  Sizes.placeSource(B, &Array, 2048); // or half of it
  EXPECT_EQ(next(A), 0);
}

TEST_F(TileSizesTest, ASourceInAnArrayMayEndAnywhere) {
  Sizes.placeSource(A, &Array, 1024);
  EXPECT_EQ(next(A), 0);
  Sizes.placeSource(B, &Pool, 0);
  EXPECT_EQ(next(B), 0);
}

TEST_F(TileSizesTest, PlacesThatARunHasNotComeTo) {
  Sizes.placeSource(A, &Array, 0);
  Sizes = Sizes.forNextRun();
  EXPECT_EQ(Sizes.sizeOf(A)->Bytes, 4096);
  Sizes.placeSource(A, &Array, 0);
  EXPECT_FALSE(Sizes.cameLate());
  Sizes.placeSource(A, &Array, 2048);
  EXPECT_TRUE(Sizes.cameLate());
  EXPECT_EQ(next(A), 2048);
}

TEST_F(TileSizesTest, SourcesThatAreNotKnown) {
  Sizes.placeSource(A, &Array, 0);
  Sizes.placeSource(A, &Array, std::nullopt);
  EXPECT_EQ(next(A), 0);
}

} // namespace
