//===- FootprintTest.cpp - Which bytes threads touch ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Overlaps of footprints, at known places against brute force.
//
//===----------------------------------------------------------------------===//

#include "lib/memory/Footprint.h"
#include "gtest/gtest.h"
#include <random>

using namespace cpasync;

namespace {

class FootprintTest : public ::testing::Test {
protected:
  static constexpr unsigned Threads = 8;
  ValueContext V{Threads};
  const Int *Tid = V.known(V.lanes().perThread({0, 1, 2, 3, 4, 5, 6, 7}));
  int NameK = 0, NameN = 0;
  const Int *K = V.symbol(&NameK, 0, Uniformity::Block, {0, INT64_MAX});
  const Int *N = V.symbol(&NameN, 0, Uniformity::Block);
  const Int *c(int64_t X) { return V.constant(X); }
};

TEST_F(FootprintTest, RowsLieApartWhateverTheColumn) {
  Object Ring{Object::Kind::Shared};
  FootprintTable F(V);
  const Int *Turn = V.apply(Atom::Op::Rem, K, c(3));
  auto Row = [&](const Int *Slot) { return V.mul(Slot, c(32)); };
  const Int *Next = V.apply(Atom::Op::Rem, V.add(K, c(1)), c(3));
  const Footprint *Copy =
      F.get(&Ring, V.add(Row(Next), V.mul(Tid, c(4))), 4, V.lanes().all());
  auto Read = [&](const Int *Slot) {
    const Int *Column = V.mul(V.within(N, 8), c(4));
    return F.get(&Ring, V.add(Row(Slot), Column), 4, V.lanes().all());
  };
  EXPECT_EQ(F.overlap(Read(Turn), Copy).K, Overlap::Kind::Disjoint);
  EXPECT_EQ(F.overlap(Read(Next), Copy).K, Overlap::Kind::Unknown);
  auto Nothing = [](int64_t, int64_t) { return false; };
  EXPECT_EQ(F.coveredThread(Read(Next), {Copy}, Nothing), 0u);
  EXPECT_EQ(F.coveredThread(Read(Turn), {Copy}, Nothing), std::nullopt);
  const PerThread *Few = V.lanes().perThread({1, 1, 1, 1, 1, 1, 1, 0});
  EXPECT_EQ(F.coveredThread(Read(Next), {F.restrict(Copy, Few)}, Nothing),
            std::nullopt);
  // By several together, in any order.
  const PerThread *Last = V.lanes().perThread({0, 0, 0, 0, 1, 1, 1, 1});
  const PerThread *First = V.lanes().except(V.lanes().all(), Last);
  EXPECT_EQ(F.coveredThread(Read(Next),
                            {F.restrict(Copy, Last), F.restrict(Copy, First)},
                            Nothing),
            0u);
}

// Each thread somewhere in a row of its own.
TEST_F(FootprintTest, EachThreadIsAsFarAsItMayGo) {
  Object Rows{Object::Kind::Shared};
  FootprintTable F(V);
  int NameOfPlace = 0;
  auto At = [&](int64_t Begin, int64_t Number) {
    const Int *Place = somewhere(V, &NameOfPlace, Number, 8);
    return F.get(&Rows,
                 V.add(V.add(c(Begin), V.mul(Tid, c(64))), V.mul(Place, c(4))),
                 4, V.lanes().all());
  };
  const Footprint *Low = At(0, 0), *High = At(32, 1), *Across = At(16, 2);
  EXPECT_EQ(F.overlap(Low, High).K, Overlap::Kind::Disjoint);
  EXPECT_EQ(F.overlap(High, Low).K, Overlap::Kind::Disjoint);
  EXPECT_EQ(F.overlap(Low, Across).K, Overlap::Kind::Unknown);
  EXPECT_EQ(F.overlap(Across, High).K, Overlap::Kind::Unknown);
}

TEST_F(FootprintTest, WhatIsForgottenKeepsItsBounds) {
  Object Ring{Object::Kind::Shared};
  FootprintTable F(V);
  const Int *Slot = V.apply(Atom::Op::Rem, K, c(2)),
            *Turn =
                V.apply(Atom::Op::Rem, V.apply(Atom::Op::Div, K, c(8)), c(2));
  const Atom *Gone = K->terms()[0].A;
  // One goes up as the other goes down: they are two numbers, not one.
  const Footprint *Was = F.get(
      &Ring, V.add(c(64), V.mul(V.sub(Slot, Turn), c(64))), 4, V.lanes().all());
  const Footprint *Is = F.forget(Was, Gone);
  ASSERT_TRUE(Is->Offset);
  EXPECT_EQ(Is->Lo, 0);
  EXPECT_EQ(Is->Hi, 132);
  EXPECT_FALSE(dependsOn(Is->Offset, Gone));
  const Footprint *Behind = F.get(&Ring, c(132), 4, V.lanes().all());
  EXPECT_EQ(F.overlap(Is, Behind).K, Overlap::Kind::Disjoint);
  const Footprint *Unbounded = F.get(&Ring, V.mul(N, c(4)), 4, V.lanes().all());
  EXPECT_FALSE(F.forget(Unbounded, N->terms()[0].A)->Offset);
}

TEST_F(FootprintTest, AThreadThatIsCoveredHasARowOfItsOwn) {
  const Object Tile{Object::Kind::Shared};
  FootprintTable F(V);
  const Int *Column = V.mul(V.within(N, 8), c(4));
  const Footprint *Rows =
      F.get(&Tile, V.add(V.mul(Tid, c(32)), Column), 4, V.lanes().all());
  const Footprint *Fifth = F.get(&Tile, c(5 * 32), 32, V.lanes().all());
  auto Nothing = [](int64_t, int64_t) { return false; };
  EXPECT_EQ(F.coveredThread(Rows, {Fifth}, Nothing), 5u);
  const PerThread *Others = V.lanes().perThread({1, 1, 1, 1, 1, 0, 1, 1});
  EXPECT_EQ(F.coveredThread(F.restrict(Rows, Others), {Fifth}, Nothing),
            std::nullopt);
}

TEST_F(FootprintTest, FootprintsOverlapAsBytesDo) {
  std::mt19937 Random(99);
  auto Pick = [&](int Below) { return int64_t(Random() % Below); };
  FootprintTable Table(V);
  int Dummy = 0;
  Object Shared{Object::Kind::Shared};
  Shared.Origin = &Dummy;
  const Object *O = V.object(Shared);
  unsigned Clashes = 0;
  for (int Round = 0; Round < 5000; ++Round) {
    auto Make = [&] {
      std::vector<int64_t> Offsets(Threads), Mask(Threads);
      for (unsigned T = 0; T < Threads; ++T) {
        Offsets[T] = Pick(160);
        Mask[T] = Pick(3) != 0;
      }
      return Table.get(O, V.known(V.lanes().perThread(Offsets)),
                       int64_t(1) << Pick(5), V.lanes().perThread(Mask));
    };
    const Footprint *A = Make(), *B = Make();
    bool Expected = false;
    auto Touches = [&](const Footprint *F, unsigned T, int64_t Byte) {
      int64_t Begin = (*F->Offset->base())[T];
      return (*F->Mask)[T] && Byte >= Begin && Byte < Begin + F->Size;
    };
    for (unsigned X = 0; X < Threads; ++X)
      for (unsigned Y = 0; Y < Threads; ++Y)
        for (int64_t Byte = 0; Byte < 200; ++Byte)
          Expected |= Touches(A, X, Byte) && Touches(B, Y, Byte);
    const Overlap &R = Table.overlap(A, B);
    ASSERT_EQ(R.K == Overlap::Kind::Clash, Expected) << "round " << Round;
    if (Expected) {
      ++Clashes;
      EXPECT_TRUE(Touches(A, R.Thread, R.Byte)) << "round " << Round;
      EXPECT_TRUE(Touches(B, R.Other, R.Byte)) << "round " << Round;
    }
  }
  EXPECT_GT(Clashes, 1000u);
}

TEST_F(FootprintTest, AnUnknownOffsetCancelsOrHides) {
  FootprintTable Table(V);
  int Dummy = 0;
  Object Shared{Object::Kind::Shared};
  Shared.Origin = &Dummy;
  const Object *O = V.object(Shared);
  const PerThread *All = V.lanes().all();
  const Int *Row = V.add(V.mul(K, c(128)), V.mul(Tid, c(16)));
  const Footprint *Copy = Table.get(O, Row, 16, All);
  const Footprint *Own = Table.get(O, V.add(Row, c(4)), 4, All);
  const Footprint *Next = Table.get(O, V.add(Row, c(128)), 16, All);
  const Footprint *Elsewhere = Table.get(O, Tid, 1, All);
  EXPECT_EQ(Table.overlap(Own, Copy).K, Overlap::Kind::Clash);
  EXPECT_EQ(Table.overlap(Own, Copy).Thread, Table.overlap(Own, Copy).Other);
  EXPECT_EQ(Table.overlap(Next, Copy).K, Overlap::Kind::Disjoint);
  EXPECT_EQ(Table.overlap(Elsewhere, Copy).K, Overlap::Kind::Unknown);
}

// Slots of a ring that begins anywhere: the same one or apart, whatever the
// number is.
TEST_F(FootprintTest, SlotsOfARingAreOneOrApart) {
  FootprintTable Table(V);
  int Dummy = 0;
  Object Shared{Object::Kind::Shared};
  Shared.Origin = &Dummy;
  const Object *O = V.object(Shared);
  const PerThread *All = V.lanes().all();
  constexpr int64_t Bytes = 16 * Threads;
  auto Slot = [&](int64_t Number, int64_t Slots, int64_t Times) {
    const Int *At =
        V.apply(Atom::Op::Rem, V.add(V.mul(K, c(Times)), c(Number)), c(Slots));
    return V.add(V.mul(At, c(Bytes)), V.mul(Tid, c(16)));
  };
  for (int64_t Slots = 2; Slots <= 6; ++Slots)
    for (int64_t A = -7; A <= 7; ++A)
      for (int64_t B = -7; B <= 7; ++B)
        for (int64_t Times : {1, -1}) {
          const bool Same = (A - B) % Slots == 0;
          const Overlap R =
              Table.overlap(Table.get(O, Slot(A, Slots, Times), 16, All),
                            Table.get(O, Slot(B, Slots, Times), 16, All));
          EXPECT_EQ(R.K, Same ? Overlap::Kind::Clash : Overlap::Kind::Disjoint)
              << A << ", " << B << " of " << Slots;
        }
  // The next slot, but for the last one, which begins again.
  const Footprint *First = Table.get(O, Slot(0, 3, 1), 16, All);
  const Footprint *Long = Table.get(O, V.sub(Slot(1, 3, 1), c(Bytes)), 16, All);
  EXPECT_EQ(Table.overlap(First, Long).K, Overlap::Kind::Unknown);
}

} // namespace
