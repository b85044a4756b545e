//===- RowPitchTest.cpp - Rows that an array is divided into --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/RowPitch.h"
#include "lib/inference/RunAssumptions.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class RowPitchTest : public testing::Test {
protected:
  RowPitchTest() {
    Pool.K = Object::Kind::Dynamic;
    Array.K = Object::Kind::Shared;
    Array.Origin = &Array;
  }

  Object Pool, Array;
  int N = 0, Other = 0; ///< limits
  RowPitches Found;
};

TEST_F(RowPitchTest, NoneIsKnown) {
  EXPECT_EQ(Found.lengthAt({&Pool, &N}, {0}, 4, 1000), 0);
  EXPECT_FALSE(Found.cameLate());
}

TEST_F(RowPitchTest, BeginAtEveryMultiple) {
  Found.add({&Array, &N}, {128}, 64);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {0}, 4, 100), 64);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {64, 256}, 4, 100), 64);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {32}, 4, 100), 0);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {0, 32}, 4, 100), 0);
  EXPECT_EQ(Found.lengthAt({&Pool, &N}, {0}, 4, 100), 0);
}

TEST_F(RowPitchTest, TheShortestThatHoldsAnElement) {
  Found.add({&Array, &N}, {0}, 1024);
  Found.add({&Array, &N}, {0}, 64);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {0}, 4, 100), 64);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {0}, 64, 100), 1024);
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {0}, 1024, 100), 0);
}

TEST_F(RowPitchTest, BeginningsThatAreNoRows) {
  Found.add({&Array, &N}, {0, 16, 32}, 64); // chunks of a row
  EXPECT_EQ(Found.lengthAt({&Array, &N}, {0}, 4, 100), 0);
}

TEST_F(RowPitchTest, OtherLimitsSayNothing) {
  Found.add({&Array, &N}, {0}, 64);
  EXPECT_EQ(Found.lengthAt({&Array, &Other}, {0}, 4, 100), 0);
}

TEST_F(RowPitchTest, LateIfSomethingWentBeyond) {
  Found.lengthAt({&Array, &N}, {0}, 4, 32);
  Found.add({&Array, &N}, {0}, 64);
  EXPECT_FALSE(Found.cameLate()); // it had stayed in the row
  Found.lengthAt({&Pool, &N}, {512}, 4, 60);
  Found.lengthAt({&Pool, &N}, {512}, 4, 252);
  Found.add({&Pool, &N}, {128}, 256); // other rows
  EXPECT_FALSE(Found.cameLate());
  Found.add({&Pool, &N}, {0}, 128);
  EXPECT_TRUE(Found.cameLate());

  RowPitches Next = Found.forNextRun();
  EXPECT_FALSE(Next.cameLate());
  EXPECT_EQ(Next.lengthAt({&Pool, &N}, {512}, 4, 60), 128);
}

TEST_F(RowPitchTest, RunsEnd) {
  RunAssumptions Known;
  for (int64_t Pitch = 1024; Pitch > 4; Pitch -= 4) {
    Known.Lengths.lengthAt({&Pool, &N}, {Pitch}, 4, 3000);
    Known.Lengths.add({&Pool, &N}, {Pitch}, Pitch);
    if (!Known.cameLate())
      break;
    Known = Known.forNextRun();
  }
  EXPECT_EQ(Known.Runs, RunAssumptions::MaxRuns);
}

TEST_F(RowPitchTest, NothingComesLateInTheLastRun) {
  RunAssumptions Known = RunAssumptions().forLastRun();
  Known.FoundShared = true;
  Known.Lengths.lengthAt({&Pool, &N}, {0}, 4, 300);
  Known.Lengths.add({&Pool, &N}, {0}, 128);
  EXPECT_TRUE(Known.Lengths.cameLate());
  EXPECT_FALSE(Known.cameLate());
  RunAssumptions First;
  First.FoundShared = true;
  EXPECT_TRUE(First.cameLate());
}

} // namespace
