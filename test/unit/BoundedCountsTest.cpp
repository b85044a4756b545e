//===- BoundedCountsTest.cpp ----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/BoundedCounts.h"
#include "lib/values/Bounds.h"
#include "lib/values/PathCondition.h"
#include "lib/values/Substitution.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {
/// Each thread has a row, from At to End.
class BoundedCountsTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 64;
  ValueContext V{Threads};
  const Int *At = V.symbol(&V, 1, Uniformity::Thread),
            *End = V.symbol(&V, 2, Uniformity::Thread);

  const Int *isBelow(const Int *X, const Int *Y) {
    return V.isNegative(V.sub(X, Y));
  }
  /// `if (X < End) X += Step;`
  const Int *step(const Int *X, int64_t Step) {
    return V.select(isBelow(X, End), V.add(X, V.constant(Step)), X);
  }
  const Int *with(const Int *I, int64_t AtIs, int64_t EndIs) {
    I = replaced(V, I, asAtom(At), V.constant(AtIs));
    return replaced(V, I, asAtom(End), V.constant(EndIs));
  }
};

TEST_F(BoundedCountsTest, StepsAreAsManyAsThereAreItems) {
  for (const int64_t Step : {1, 3, 32}) {
    const Int *X = At;
    for (int Round = 1; Round <= 4; ++Round) {
      X = step(X, Step);
      const Int *IsMore = isBelow(X, End);
      for (int64_t Begin = -3; Begin <= 3; ++Begin)
        for (int64_t Stop = -5; Stop <= 140; ++Stop) {
          int64_t Is = Begin;
          for (int R = 0; R < Round; ++R)
            Is += Is < Stop ? Step : 0;
          const Int *Found = with(X, Begin, Stop);
          ASSERT_TRUE(Found->isConstant(Is))
              << Step << ": " << Begin << " to " << Stop;
          ASSERT_TRUE(with(IsMore, Begin, Stop)->isConstant(Is < Stop))
              << Step << ": " << Begin << " to " << Stop;
        }
    }
  }
}

TEST_F(BoundedCountsTest, WhetherThereIsOneMoreIsAskedOfTheFirst) {
  const Int *X = At;
  for (int Round = 0; Round < 6; ++Round, X = step(X, 1))
    EXPECT_EQ(isBelow(X, End), isBelow(V.add(At, V.constant(Round)), End));
  // Not one, written as End <= X.
  EXPECT_EQ(V.isNegative(V.sub(V.sub(End, X), V.constant(1))),
            V.isZero(isBelow(V.add(At, V.constant(6)), End)));
}

TEST_F(BoundedCountsTest, APathThatKnowsTheEndKnowsAllSteps) {
  const Int *X = At;
  for (int Round = 0; Round < 6; ++Round)
    X = step(X, 1);
  FactTable Facts;
  PathCondition Path(&Facts);
  // Two items.
  ASSERT_TRUE(Path.assume(V, isBelow(V.add(At, V.constant(1)), End), true,
                          V.lanes().all()));
  ASSERT_TRUE(Path.assume(V, isBelow(V.add(At, V.constant(2)), End), false,
                          V.lanes().all()));
  EXPECT_TRUE(Path.decide(V, isBelow(X, End)).False->isUniform(1));
  const Interval Steps = Path.bounds(V, V.sub(X, At));
  EXPECT_EQ(Steps.Lo, 2);
  EXPECT_EQ(Steps.Hi, 2);
}

TEST_F(BoundedCountsTest, SomeThreadsGoOn) {
  PerThreadContext &L = V.lanes();
  std::vector<int64_t> Mask(Threads, 1);
  std::fill(Mask.begin() + 16, Mask.end(), 0);
  const PerThread *Some = L.perThread(Mask);
  const Int *X = At;
  for (int Round = 0; Round < 4; ++Round) {
    const Int *Next = V.add(X, V.known(Some));
    X = V.select(asIn(V, isBelow(X, End), Some), Next, X);
  }
  // As if all did, where they do; the others are where they were.
  const Int *All = At;
  for (int Round = 0; Round < 4; ++Round)
    All = step(All, 1);
  EXPECT_EQ(asIn(V, X, Some), asIn(V, All, Some));
  const PerThread *Others = L.except(L.all(), Some);
  EXPECT_EQ(asIn(V, X, Others), At);
  // By different steps, it is no count.
  std::vector<int64_t> Steps(Threads, 1);
  Steps[0] = 2;
  const Int *By = V.known(L.perThread(Steps));
  const Int *Differs = V.select(isBelow(At, End), V.add(At, By), At);
  EXPECT_EQ(asAtom(Differs)->Kind, Atom::Op::Select);
}

TEST_F(BoundedCountsTest, CountsGoDownToo) {
  const Int *Left = At;
  for (int Round = 0; Round < 3; ++Round)
    Left = V.select(isBelow(V.constant(0), Left), V.sub(Left, V.constant(1)),
                    Left);
  for (int64_t Begin = -2; Begin <= 6; ++Begin)
    EXPECT_TRUE(
        with(Left, Begin, 0)
            ->isConstant(Begin <= 0 ? Begin : std::max<int64_t>(0, Begin - 3)));
}

TEST_F(BoundedCountsTest, IsAsLongAsNothingStopsIt) {
  const Int *X = step(step(At, 4), 4);
  EXPECT_EQ(withoutEnds(V, X), V.add(At, V.constant(8)));
  EXPECT_EQ(withoutEnds(V, At), At);
}

TEST_F(BoundedCountsTest, WhatAllDecideTogetherIsASelection) {
  const Int *Rows = V.symbol(&V, 3, Uniformity::Block);
  const Int *X = V.select(V.isNegative(Rows), V.constant(1), V.constant(0));
  ASSERT_TRUE(asAtom(X));
  EXPECT_EQ(asAtom(X)->Kind, Atom::Op::Select);
  EXPECT_FALSE(asBoundedCount(V, asAtom(X)));
}
} // namespace
