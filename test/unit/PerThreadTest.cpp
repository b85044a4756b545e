//===- PerThreadTest.cpp - One number for each thread ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/support/PerThread.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(LaneOp, ShiftsGoFrom0To63) {
  EXPECT_EQ(applyLaneOp(LaneOp::Shl, 1, 63), INT64_MIN);
  EXPECT_EQ(applyLaneOp(LaneOp::Shl, 1, 64), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::Shl, 1, -1), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::LShr, -1, 0), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::LShr, -1, 63), 1);
  EXPECT_EQ(applyLaneOp(LaneOp::LShr, -1, 64), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::LShr, -1, -1), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::AShr, INT64_MIN, 63), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::AShr, -2, 64), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::AShr, 2, 64), 0);
}

TEST(LaneOp, ArithmeticWrapsAndNeverTraps) {
  EXPECT_EQ(applyLaneOp(LaneOp::Add, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(applyLaneOp(LaneOp::Sub, INT64_MIN, 1), INT64_MAX);
  EXPECT_EQ(applyLaneOp(LaneOp::Mul, INT64_MAX, 2), -2);
  EXPECT_EQ(applyLaneOp(LaneOp::Div, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(applyLaneOp(LaneOp::Rem, INT64_MIN, -1), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::Div, 7, 0), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::Rem, 7, 0), 0);
}

TEST(LaneOp, MinimaAndMaximaAreSigned) {
  EXPECT_EQ(applyLaneOp(LaneOp::Min, -1, 2), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::Min, 2, -1), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::Max, -1, 2), 2);
  EXPECT_EQ(applyLaneOp(LaneOp::Max, 2, -1), 2);
}

TEST(LaneOp, ComparisonsAreSignedAndStrict) {
  for (const auto &[A, B] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {-1, 0}, {INT64_MIN, INT64_MAX}, {5, 6}}) {
    EXPECT_EQ(applyLaneOp(LaneOp::Lt, A, B), 1);
    EXPECT_EQ(applyLaneOp(LaneOp::Lt, B, A), 0);
    EXPECT_EQ(applyLaneOp(LaneOp::Lt, A, A), 0);
    EXPECT_EQ(applyLaneOp(LaneOp::Eq, A, B), 0);
    EXPECT_EQ(applyLaneOp(LaneOp::Eq, A, A), 1);
    EXPECT_EQ(applyLaneOp(LaneOp::Ne, A, B), 1);
    EXPECT_EQ(applyLaneOp(LaneOp::Ne, A, A), 0);
  }
}

TEST(LaneOp, WrapKeepsTheBitsOfAWidth) {
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 255, 8), 255);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 256, 8), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, -1, 8), 255);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 127, -8), 127);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 128, -8), -128);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 255, -8), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 256, -8), 0);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, -129, -8), 127);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 3, 1), 1);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, 3, -1), -1);
  EXPECT_EQ(applyLaneOp(LaneOp::Wrap, -1, 63), INT64_MAX);
  for (int64_t N : {INT64_MIN, int64_t(-1), INT64_MAX})
    for (int64_t Width : {0, 64, -64})
      EXPECT_EQ(applyLaneOp(LaneOp::Wrap, N, Width), N) << Width;
}

namespace {

const PerThread *numbers(PerThreadContext &L,
                         llvm::function_ref<int64_t(unsigned)> Of) {
  std::vector<int64_t> All(L.threads());
  for (unsigned T = 0; T < L.threads(); ++T)
    All[T] = Of(T);
  return L.perThread(All);
}

} // namespace

TEST(PerThread, IsUniformInWarpsIfEachWarpHasOneNumber) {
  PerThreadContext L(96);
  auto IsUniform = [&](llvm::function_ref<int64_t(unsigned)> Of) {
    return numbers(L, Of)->isUniformInWarps();
  };
  EXPECT_TRUE(L.uniform(7)->isUniformInWarps());
  EXPECT_TRUE(IsUniform([](unsigned T) { return T / 32; }));
  EXPECT_FALSE(IsUniform([](unsigned T) { return T / 16; }));
  EXPECT_FALSE(IsUniform([](unsigned T) { return T; }));
  EXPECT_FALSE(IsUniform([](unsigned T) { return T == 95; }));
}

TEST(PerThread, EqualNumbersAreOne) {
  PerThreadContext L(64);
  EXPECT_EQ(numbers(L, [](unsigned) { return 3; }), L.uniform(3));
  EXPECT_EQ(numbers(L, [](unsigned T) { return T; }),
            numbers(L, [](unsigned T) { return int64_t(T) + 1 - 1; }));
  EXPECT_NE(numbers(L, [](unsigned T) { return T; }), L.uniform(0));
}

TEST(PerThread, OneNumberForAllIsThatNumber) {
  PerThreadContext L(64);
  for (int64_t N : {INT64_MIN, int64_t(-1), int64_t(0), int64_t(1),
                    int64_t(1023), int64_t(1024), int64_t(1025), INT64_MAX}) {
    EXPECT_TRUE(L.uniform(N)->isUniform(N));
    EXPECT_EQ(L.uniform(N), L.uniform(N));
  }
}

TEST(PerThread, MasksAreSetsOfThreads) {
  PerThreadContext L(64);
  const PerThread *Low = numbers(L, [](unsigned T) { return T < 32; }),
                  *Even = numbers(L, [](unsigned T) { return T % 2 == 0; });
  EXPECT_EQ(L.count(Low), 32u);
  EXPECT_EQ(L.count(Even), 32u);
  EXPECT_EQ(L.count(L.both(Low, Even)), 16u);
  EXPECT_EQ(L.count(L.either(Low, Even)), 48u);
  EXPECT_EQ(L.count(L.except(Low, Even)), 16u);
  EXPECT_EQ(L.first(L.except(Low, Even)), 1);
  EXPECT_EQ(L.first(L.except(L.all(), Low)), 32);
  EXPECT_EQ(L.first(L.none()), -1);
  EXPECT_TRUE(PerThreadContext::isEmpty(L.except(Low, L.all())));
  EXPECT_EQ(L.anyAmong(numbers(L, [](unsigned T) { return T == 40; }), 32),
            L.except(L.all(), Low));
}

TEST(PerThread, BlendTakesEachThreadFromItsSide) {
  PerThreadContext L(64);
  const PerThread *Low = numbers(L, [](unsigned T) { return T < 32; }),
                  *Own = numbers(L, [](unsigned T) { return T; }),
                  *Seven = L.uniform(7);
  EXPECT_EQ(L.blend(Low, Own, Seven),
            numbers(L, [](unsigned T) { return T < 32 ? T : 7; }));
  EXPECT_EQ(L.blend(L.all(), Own, Seven), Own);
  EXPECT_EQ(L.blend(L.none(), Own, Seven), Seven);
  EXPECT_EQ(L.blend(Low, Own, Own), Own);
}

TEST(PerThread, TheLastOfNeighboursMayBeFewer) {
  PerThreadContext L(40);
  const PerThread *Last = numbers(L, [](unsigned T) { return T == 39; });
  EXPECT_EQ(L.anyAmong(Last, 32),
            numbers(L, [](unsigned T) { return T > 31; }));
  EXPECT_EQ(L.anyAmong(Last, 64), L.all());
  EXPECT_EQ(L.anyAmong(L.none(), 32), L.none());
}

TEST(PerThread, KnowsItsLeastAndItsGreatest) {
  PerThreadContext L(64);
  const PerThread *X = numbers(L, [](unsigned T) { return 40 - int64_t(T); });
  EXPECT_EQ(X->min(), -23);
  EXPECT_EQ(X->max(), 40);
  EXPECT_FALSE(X->isUniform());
  EXPECT_FALSE(X->isUniform(40));
  EXPECT_FALSE(L.uniform(3)->isUniform(4));
}
