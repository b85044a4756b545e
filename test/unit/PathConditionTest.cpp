//===- PathConditionTest.cpp - What a path has decided --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of numbers once conditions on them are decided, beside the
// numbers that these leave.
//
//===----------------------------------------------------------------------===//

#include "lib/values/PathCondition.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace cpasync;

namespace {

class PathConditionTest : public ::testing::Test {
protected:
  ValueContext V{/*Threads=*/8};
  const Int *Tid = V.known(V.lanes().perThread({0, 1, 2, 3, 4, 5, 6, 7}));
  int NameK = 0, NameN = 0;
  const Int *K = V.symbol(&NameK, 0, Uniformity::Block, {0, INT64_MAX});
  const Int *N = V.symbol(&NameN, 0, Uniformity::Block);
  const Int *c(int64_t X) { return V.constant(X); }
};

// One symbol, random linear conditions: what decide() says holds for every
// value the path allows, and a path is refused only if it allows none.
TEST_F(PathConditionTest, DecisionsHoldForEveryValueOfThePath) {
  std::mt19937 Random(4711);
  auto Pick = [&](int Below) { return int(Random() % Below); };
  unsigned Decided = 0, Refused = 0;
  for (int Round = 0; Round < 4000; ++Round) {
    PathCondition Path;
    std::vector<int64_t> Allowed;
    for (int64_t X = -60; X <= 60; ++X)
      Allowed.push_back(X);
    for (int Step = 0; Step < 6 && !Allowed.empty(); ++Step) {
      int64_t Factor = Pick(7) - 3, Base = Pick(61) - 30;
      if (Factor == 0)
        Factor = 1;
      bool Equal = Pick(3) == 0;
      const Int *D = V.add(V.mul(N, c(Factor)), c(Base));
      const Int *Condition = Equal ? V.isZero(D) : V.isNegative(D);
      auto Holds = [&](int64_t X) {
        int64_t Y = X * Factor + Base;
        return Equal ? Y == 0 : Y < 0;
      };
      Truth Known = Path.decide(V, Condition);
      for (int64_t X : Allowed) {
        if (Known.True->isUniform(1))
          ASSERT_TRUE(Holds(X)) << "round " << Round;
        if (Known.False->isUniform(1))
          ASSERT_FALSE(Holds(X)) << "round " << Round;
      }
      if (Known.True->isUniform(1) || Known.False->isUniform(1)) {
        ++Decided;
        continue;
      }
      bool Way = Pick(2);
      std::erase_if(Allowed, [&](int64_t X) { return Holds(X) != Way; });
      if (!Path.assume(V, Condition, Way, V.lanes().all())) {
        ASSERT_TRUE(Allowed.empty()) << "round " << Round << " step " << Step;
        ++Refused;
      }
    }
  }
  EXPECT_GT(Decided, 1000u);
  EXPECT_GT(Refused, 10u);
}

// Two symbols and a quotient of them: the same, whatever their signs.
TEST_F(PathConditionTest, DecisionsOnQuotientsHoldForEveryValueOfThePath) {
  std::mt19937 Random(1147);
  auto Pick = [&](int Below) { return int(Random() % Below); };
  unsigned Decided = 0;
  for (int Round = 0; Round < 3000; ++Round) {
    PathCondition Path;
    std::vector<std::pair<int64_t, int64_t>> Allowed;
    for (int64_t X = 0; X <= 12; ++X)
      for (int64_t Y = -30; Y <= 30; ++Y)
        Allowed.push_back({X, Y});
    const int64_t By = 2 + Pick(4), Before = Pick(By + 1);
    const Int *Quotient = V.apply(Atom::Op::Div, V.add(N, c(Before)), c(By));
    for (int Step = 0; Step < 6 && !Allowed.empty(); ++Step) {
      // Of tiles, of what is left for them, or of what a division leaves.
      const int Kind = Pick(3);
      const int64_t OfX = (Kind == 1 ? By : 1) * (Pick(3) - 1),
                    OfY = Kind == 0 ? 0 : Pick(3) - 1,
                    OfQuotient = Kind == 0   ? Pick(3) - 1
                                 : Kind == 1 ? 0
                                             : -OfY * By,
                    Base = Pick(9) - 4;
      const Int *D = V.add(V.add(V.mul(K, c(OfX)), V.mul(N, c(OfY))),
                           V.add(V.mul(Quotient, c(OfQuotient)), c(Base)));
      const Int *Condition = V.isNegative(D);
      auto Holds = [&](std::pair<int64_t, int64_t> At) {
        const auto [X, Y] = At;
        return OfX * X + OfY * Y + OfQuotient * ((Y + Before) / By) + Base < 0;
      };
      const Truth Known = Path.decide(V, Condition);
      for (const auto &At : Allowed) {
        if (Known.True->isUniform(1))
          ASSERT_TRUE(Holds(At)) << "round " << Round << " step " << Step;
        if (Known.False->isUniform(1))
          ASSERT_FALSE(Holds(At)) << "round " << Round << " step " << Step;
      }
      if (Known.True->isUniform(1) || Known.False->isUniform(1)) {
        ++Decided;
        continue;
      }
      const bool Way = Pick(2);
      std::erase_if(Allowed, [&](auto At) { return Holds(At) != Way; });
      if (!Path.assume(V, Condition, Way, V.lanes().all()))
        ASSERT_TRUE(Allowed.empty()) << "round " << Round << " step " << Step;
    }
  }
  EXPECT_GT(Decided, 1000u);
}

TEST_F(PathConditionTest, ABoundOnACounterDecidesTheTail) {
  // k < tiles at k = 3 decides k + 1 < tiles at k = 2; tiles = K / 32.
  PathCondition Path;
  const Int *Tiles = V.apply(Atom::Op::Div, K, c(32));
  auto Less = [&](int64_t X) { return V.isNegative(V.sub(c(X), Tiles)); };
  ASSERT_TRUE(Path.assume(V, Less(3), true, V.lanes().all()));
  EXPECT_TRUE(Path.decide(V, Less(3)).True->isUniform(1));
  EXPECT_TRUE(Path.decide(V, Less(2)).True->isUniform(1));
  EXPECT_FALSE(Path.decide(V, Less(4)).True->isUniform(1));
  ASSERT_TRUE(Path.assume(V, Less(4), false, V.lanes().all()));
  EXPECT_EQ(Path.simplify(V, Tiles, V.lanes().all()), c(4));
  EXPECT_GE(Path.bounds(V, K).Lo, 128);
  EXPECT_LE(Path.bounds(V, K).Hi, 159);
}

TEST_F(PathConditionTest, WhatIsDecidedIsPutInOnlySoDeep) {
  PathCondition Path;
  const Int *Is = V.isNegative(N), *IsToo = V.isNegative(V.sub(N, K));
  ASSERT_TRUE(Path.assume(V, Is, true, V.lanes().all()));
  ASSERT_TRUE(Path.assume(V, IsToo, true, V.lanes().all()));
  auto SoDeep = [&](const Int *I, unsigned Depth) {
    return Path.simplify(V, I, V.lanes().all(), Depth);
  };
  const Int *Inner = V.select(Is, K, c(3)), *Outer = V.select(IsToo, Inner, N);
  EXPECT_EQ(SoDeep(Outer, 0), Outer);
  EXPECT_EQ(SoDeep(Outer, 1), Inner);
  EXPECT_EQ(SoDeep(Outer, 2), K);
  const Int *Part = V.apply(Atom::Op::Div, Inner, c(32));
  EXPECT_EQ(SoDeep(Part, 1), Part);
  EXPECT_EQ(SoDeep(Part, 2), V.apply(Atom::Op::Div, K, c(32)));
}

TEST_F(PathConditionTest, InWhichThreadsAConditionHoldsMakesAnotherPath) {
  const Int *Is = V.isZero(V.apply(Atom::Op::Rem, V.add(N, Tid), c(3)));
  std::vector<PathCondition> Paths(2);
  const PerThread *First = V.lanes().perThread({1, 0, 0, 0, 0, 0, 0, 0});
  const PerThread *Second = V.lanes().perThread({0, 1, 0, 0, 0, 0, 0, 0});
  ASSERT_TRUE(Paths[0].assumeOnlyIn(V, Is, First));
  ASSERT_TRUE(Paths[1].assumeOnlyIn(V, Is, Second));
  Fingerprint Of[2];
  Paths[0].addTo(Of[0]);
  Paths[1].addTo(Of[1]);
  EXPECT_FALSE(Paths[0] == Paths[1]);
  EXPECT_FALSE(Of[0].digest() == Of[1].digest());
}

TEST_F(PathConditionTest, ThreadsThatHaveNoOpenNumberAreDecided) {
  PerThreadContext &L = V.lanes();
  const PerThread *Low = L.perThread({1, 1, 1, 0, 0, 0, 0, 0});
  const PathCondition Path;
  const Int *IsLow = V.known(Low);
  const Int *Given = V.select(IsLow, N, c(-1)),
            *Least = V.select(IsLow, K, c(-1));
  const Int *IsSmall = V.logicalAnd(IsLow, V.isNegative(V.sub(Tid, N)));
  const Int *Chosen = V.select(IsSmall, K, c(-1));
  for (const Int *I : {Given, Least, Chosen}) {
    const Truth Is = Path.decide(V, V.isNegative(I));
    EXPECT_EQ(Is.True, L.except(L.all(), Low));
    EXPECT_EQ(Is.False, I == Least ? Low : L.none());
    EXPECT_EQ(Path.decide(V, V.isZero(I)).False, L.except(L.all(), Low));
  }
}

TEST_F(PathConditionTest, WhatADivisionLeavesIsLessThanTheDivisor) {
  const Int *Whole = V.mul(V.apply(Atom::Op::Div, K, c(4)), c(4));
  const PathCondition Path;
  auto IsNegative = [&](const Int *X) {
    return Path.decide(V, V.isNegative(X)).True == V.lanes().all();
  };
  EXPECT_TRUE(IsNegative(V.sub(V.sub(K, Whole), c(4))));
  EXPECT_FALSE(IsNegative(V.sub(V.sub(K, Whole), c(3))));
  EXPECT_TRUE(IsNegative(V.sub(V.sub(Whole, K), c(1))));
  EXPECT_FALSE(IsNegative(V.sub(Whole, K)));
}

// Rows of a tile with a halo, of an image that ends somewhere.
TEST_F(PathConditionTest, WhatIsCutOffAtBothEndsIsNoLonger) {
  auto Least = [&](const Int *A, const Int *B) {
    return V.apply(Atom::Op::Min, A, B);
  };
  auto Most = [&](const Int *A, const Int *B) {
    return V.apply(Atom::Op::Max, A, B);
  };
  const Int *Y = V.mul(K, c(16));
  const Int *Begin = Most(V.sub(Y, c(1)), c(0)),
            *End = Least(V.add(Y, c(17)), N);
  PathCondition P;
  EXPECT_EQ(P.bounds(V, V.sub(End, Begin)), (Interval{INT64_MIN, 18}));
  EXPECT_EQ(P.bounds(V, V.sub(Begin, End)), (Interval{-18, INT64_MAX}));
  EXPECT_EQ(P.bounds(V, V.sub(Most(Y, N), V.sub(Least(Y, N), c(1)))),
            (Interval{1, INT64_MAX}));
  EXPECT_EQ(P.bounds(V, V.add(Least(Y, N), Most(Y, N))), Interval());
  // The last row of all is there, and so they all are.
  ASSERT_TRUE(P.assume(V, V.isNegative(V.sub(V.add(Begin, c(17)), End)), true,
                       V.lanes().all()));
  EXPECT_EQ(P.bounds(V, V.sub(End, Begin)), (Interval{18, 18}));
}

TEST_F(PathConditionTest, TheOnlyValueHangsOnWhatLeavesNoOther) {
  FactTable Facts;
  PathCondition Path(&Facts);
  EXPECT_EQ(Path.simplify(V, N, V.lanes().all()), N);
  ASSERT_TRUE(Path.assume(V, V.isZero(V.sub(N, c(3))), true, V.lanes().all()));
  const uint64_t Now = Facts.nextMoment();
  EXPECT_EQ(Path.simplify(V, N, V.lanes().all()), c(3));
  EXPECT_EQ(Path.usedSince(Now).size(), 1u);
}

// N / 4 is 2, at least or at most; the last N that leaves is excluded.
TEST_F(PathConditionTest, AnEndThatGivesWayToTheNextHangsOnBothDecisions) {
  const PerThread *All = V.lanes().all();
  const Int *Quarter = V.apply(Atom::Op::Div, N, c(4));
  auto IsBelow = [&](const Int *X, int64_t End) {
    return V.isNegative(V.sub(X, c(End)));
  };
  for (const bool IsLow : {true, false}) {
    FactTable Facts;
    PathCondition Path(&Facts);
    const Int *IsLast = V.isZero(V.sub(N, c(IsLow ? 8 : 11)));
    ASSERT_TRUE(Path.assume(V, IsLast, false, All));
    ASSERT_TRUE(Path.assume(V, IsBelow(Quarter, IsLow ? 2 : 3), !IsLow, All));
    const uint64_t Now = Facts.nextMoment();
    const Truth Known = Path.decide(V, IsBelow(N, IsLow ? 9 : 11));
    EXPECT_EQ(IsLow ? Known.False : Known.True, All);
    const auto Used = Path.usedSince(Now);
    EXPECT_EQ(std::set<const Int *>(Used.begin(), Used.end()),
              (std::set<const Int *>{N, Quarter, IsLast}));
  }
}

// Numbers that are being typed: a bound that does not fit says nothing, and
// what was decided stays decided.
TEST_F(PathConditionTest, BoundsAtTheEndsOf64BitsAreNone) {
  const int64_t Ends[] = {INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, -1,       0,
                          1,         INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};
  for (const int64_t Base : Ends)
    for (const int64_t Times : {int64_t(1), int64_t(-1), int64_t(3)})
      for (const bool IsLess : {true, false})
        for (const bool Holds : {true, false}) {
          const Int *D = V.add(V.mul(N, V.constant(Times)), V.constant(Base));
          const Int *C = IsLess ? V.isNegative(D) : V.isZero(D);
          if (!IsLess && Holds && Times == 3 && Base % 3 != 0)
            continue; // no integer does that
          PathCondition Path;
          EXPECT_TRUE(Path.assume(V, C, Holds, V.lanes().all()))
              << Times << " * N + " << Base << (IsLess ? " < 0" : " == 0")
              << (Holds ? "" : " is false");
          const Truth Known = Path.decide(V, C);
          EXPECT_TRUE(
              PerThreadContext::isEmpty(Holds ? Known.False : Known.True));
        }
}

// What was open is asked again as soon as more is known, or less: on each of
// two paths that began as one.
TEST_F(PathConditionTest, WhatWasOpenIsDecidedOnceMoreIsKnown) {
  FactTable Facts;
  PathCondition Path(&Facts);
  const Int *Below8 = V.isNegative(V.sub(N, c(8)));
  const auto IsOpen = [&](const PathCondition &P) {
    const Truth T = P.decide(V, Below8);
    return PerThreadContext::isEmpty(T.True) &&
           PerThreadContext::isEmpty(T.False);
  };
  EXPECT_TRUE(IsOpen(Path));
  EXPECT_TRUE(IsOpen(Path));
  PathCondition Small = Path, Large = Path;
  ASSERT_TRUE(
      Small.assume(V, V.isNegative(V.sub(N, c(5))), true, V.lanes().all()));
  EXPECT_TRUE(Small.decide(V, Below8).True->isUniform(1));
  EXPECT_TRUE(IsOpen(Large));
  ASSERT_TRUE(
      Large.assume(V, V.isNegative(V.sub(N, c(9))), false, V.lanes().all()));
  EXPECT_TRUE(Large.decide(V, Below8).False->isUniform(1));
  EXPECT_TRUE(IsOpen(Path));
}

} // namespace
