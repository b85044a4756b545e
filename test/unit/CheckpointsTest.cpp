//===- CheckpointsTest.cpp - Where paths begin that come to a finding -----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/Checkpoints.h"
#include "lib/state/State.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class CheckpointsTest : public testing::Test {
protected:
  using Checkpoint = Checkpoints::Checkpoint;
  using List = std::vector<Checkpoint>;

  CheckpointsTest() : V(32), Footprints(V), W(Footprints) {
    for (Checkpoint *X : {&A, &B, &C, &D})
      *X = std::make_shared<const State>(V.lanes(), W);
    for (Spot &S : Spots)
      S = Found.newSpot();
  }

  ValueContext V;
  FootprintTable Footprints;
  WrittenBytesTable W;
  Checkpoint A, B, C, D;
  Checkpoints Found;
  Spot Spots[6];
};

TEST_F(CheckpointsTest, SpotsAreDifferent) {
  for (unsigned I = 0; I < 6; ++I)
    for (unsigned J = 0; J < I; ++J)
      EXPECT_NE(Spots[I], Spots[J]);
}

TEST_F(CheckpointsTest, WithoutAFindingThereIsNone) {
  Found.addEnd(Spots[0], A, {Spots[0], Spots[1]});
  EXPECT_FALSE(Found.any());
  EXPECT_TRUE(Found.starts().empty());
}

TEST_F(CheckpointsTest, PathsWithAFindingStartOnce) {
  Found.add(A, {Spots[0]});
  Found.add(B, {});
  Found.add(A, {Spots[1]});
  EXPECT_TRUE(Found.any());
  EXPECT_EQ(Found.starts(), (List{A, B}));
}

TEST_F(CheckpointsTest, EndsWhereSomebodyCameToAFindingStartToo) {
  Found.add(A, {Spots[0], Spots[1]});
  Found.addEnd(Spots[1], B, {});
  Found.addEnd(Spots[2], C, {Spots[0]}); // nobody did from there
  EXPECT_EQ(Found.starts(), (List{A, B}));
  // Now somebody does.
  Found.add(A, {Spots[2]});
  EXPECT_EQ(Found.starts(), (List{A, B, C}));
}

TEST_F(CheckpointsTest, EndsLeadToOthersInAnyOrder) {
  Found.addEnd(Spots[3], D, {Spots[4]});
  Found.addEnd(Spots[2], C, {Spots[3]});
  Found.addEnd(Spots[1], B, {Spots[2]});
  Found.add(A, {Spots[1]});
  const List All = Found.starts();
  EXPECT_EQ(All.size(), 4u);
  for (const Checkpoint &X : {A, B, C, D})
    EXPECT_TRUE(llvm::is_contained(All, X));
}

// One that does not count leads nowhere, and neither do those in a ring.
TEST_F(CheckpointsTest, EndsThatDoNotCountLeadNowhere) {
  Found.add(A, {Spots[0]});
  Found.addEnd(Spots[1], B, {Spots[2]});
  Found.addEnd(Spots[2], C, {Spots[1]});
  Found.addEnd(Spots[2], D, {});
  EXPECT_EQ(Found.starts(), List{A});
}

TEST_F(CheckpointsTest, ManyEndsOfOnePathStartOnce) {
  Found.add(A, {Spots[0], Spots[1]});
  Found.addEnd(Spots[0], A, {Spots[2]});
  Found.addEnd(Spots[1], B, {});
  Found.addEnd(Spots[2], B, {Spots[3]});
  Found.addEnd(Spots[3], C, {});
  EXPECT_EQ(Found.starts(), (List{A, B, C}));
}

TEST_F(CheckpointsTest, TooManyEndsGiveNone) {
  Found.add(A, {Spots[0]});
  for (unsigned I = 0; I < 1000; ++I)
    Found.addEnd(Spots[0], B, {});
  EXPECT_EQ(Found.starts(), (List{A, B}));
  for (unsigned I = 0; I < 100000; ++I)
    Found.addEnd(Spots[0], B, {});
  EXPECT_TRUE(Found.any());
  EXPECT_TRUE(Found.starts().empty());
  Found.add(C, {});
  EXPECT_TRUE(Found.starts().empty());
}

} // namespace
