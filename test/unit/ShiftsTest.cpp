//===- ShiftsTest.cpp - The same number in a later round ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Shifts.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class ShiftsTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 4;
  const Int *c(int64_t N) { return V.constant(N); }
  const Int *each(const std::vector<int64_t> &N) {
    return V.known(V.lanes().perThread(N));
  }
  const PerThread *threads(const std::vector<int64_t> &Mask) {
    return V.lanes().perThread(Mask);
  }
  bool isShifted(const Int *A, const Int *B, const PerThread *Where) {
    return cpasync::isShifted(V, A, B, Where);
  }
  bool isElsewhere(const Int *A, const Int *B) {
    return isElsewhereWithin(V, A, B, All);
  }

  ValueContext V{Threads};
  const PerThread *All = V.lanes().uniform(1);
  const Int *N = V.symbol(&V, 1, Uniformity::Block, {}, /*Stable=*/true),
            *Row = V.symbol(&V, 2, Uniformity::Thread),
            *Other = V.symbol(&V, 3, Uniformity::Thread);
};

TEST_F(ShiftsTest, NumbersThatAllHaveAreAdded) {
  EXPECT_TRUE(isShifted(Row, Row, All));
  EXPECT_TRUE(isShifted(Row, V.add(Row, c(64)), All));
  EXPECT_TRUE(isShifted(Row, V.add(Row, N), All));
  EXPECT_TRUE(isShifted(V.add(Row, N), Row, All));
  EXPECT_FALSE(isShifted(Row, Other, All));
  EXPECT_FALSE(isShifted(Row, V.add(Row, Other), All));
  EXPECT_FALSE(isShifted(Row, V.add(Row, each({0, 1, 2, 3})), All));
}

TEST_F(ShiftsTest, InOperandsToo) {
  auto Piece = [&](const Int *I) { return V.apply(Atom::Op::Div, I, c(64)); };
  EXPECT_TRUE(isShifted(Piece(Row), Piece(V.add(Row, c(5))), All));
  EXPECT_TRUE(isShifted(V.isNegative(V.sub(Row, N)),
                        V.isNegative(V.sub(V.add(Row, c(5)), N)), All));
  EXPECT_FALSE(isShifted(Piece(Row), Piece(Other), All));
  EXPECT_FALSE(isShifted(Piece(Row),
                         V.apply(Atom::Op::Div, V.add(Row, c(5)), c(32)), All));
  EXPECT_FALSE(isShifted(Piece(Row), V.mul(Piece(Row), c(2)), All));
}

TEST_F(ShiftsTest, ThreadsThatDoNotRunHaveNoSay) {
  const Int *Later = V.add(Row, each({2048, 2048, 0, 0}));
  EXPECT_FALSE(isShifted(Row, Later, All));
  EXPECT_TRUE(isShifted(Row, Later, threads({1, 1, 0, 0})));
  EXPECT_FALSE(isShifted(Row, Later, threads({0, 1, 1, 0})));
}

TEST_F(ShiftsTest, NothingIsLikeNothing) {
  EXPECT_TRUE(isShifted(nullptr, nullptr, All));
  EXPECT_FALSE(isShifted(nullptr, Row, All));
  EXPECT_FALSE(isShifted(Row, nullptr, All));
}

// An index of a row that nobody knows, in a slot of 256 bytes.
TEST_F(ShiftsTest, IndicesGoOnWithinTheirPart) {
  auto InSlot = [&](int64_t Slot, const Int *Index, int64_t Size) {
    return V.add(c(Slot), V.within(Index, Size));
  };
  const Int *Next = V.add(Row, c(4));
  EXPECT_TRUE(isElsewhere(InSlot(0, Row, 256), InSlot(0, Next, 256)));
  EXPECT_FALSE(isElsewhere(InSlot(0, Row, 256), InSlot(256, Next, 256)));
  EXPECT_FALSE(isElsewhere(InSlot(0, Row, 256), InSlot(0, Next, 128)));
  EXPECT_FALSE(isElsewhere(InSlot(0, Row, 256), InSlot(0, Other, 256)));
  EXPECT_FALSE(isElsewhere(Row, Next)); // nothing holds it back
}

} // namespace
