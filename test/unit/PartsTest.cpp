//===- PartsTest.cpp - What shared memory is divided into -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Parts.h"
#include "lib/Value.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class PartsTest : public testing::Test {
protected:
  PartsTest() {
    Pool.K = Object::Kind::Dynamic;
    Other.K = Object::Kind::Shared;
  }

  /// Begin and end of the part, -1 for none.
  std::pair<int64_t, int64_t> around(int64_t Lo, int64_t Hi) const {
    const std::optional<Part> P = Found.around(&Pool, Lo, Hi);
    return P ? std::pair(P->Begin, P->End)
             : std::pair<int64_t, int64_t>(-1, -1);
  }
  static std::pair<int64_t, int64_t> part(int64_t Begin, int64_t End) {
    return {Begin, End};
  }
  const std::pair<int64_t, int64_t> None{-1, -1};

  Object Pool, Other;
  int A = 0, B = 0, C = 0; ///< variables
  Parts Found;
};

TEST_F(PartsTest, NothingIsDivided) {
  EXPECT_EQ(around(0, 0), None);
  EXPECT_EQ(Found.hash(), 0u);
}

TEST_F(PartsTest, EndsWhereTheNextBegins) {
  Found.point(&B, 0, &Pool, 128);
  EXPECT_EQ(around(0, 0), part(0, 128)); // nothing has to point to the first
  Found.point(&A, 0, &Pool, 0);
  Found.point(&C, 0, &Pool, 512);
  EXPECT_EQ(around(0, 127), part(0, 128));
  EXPECT_EQ(around(128, 128), part(128, 512));
  EXPECT_EQ(around(300, 511), part(128, 512));
}

TEST_F(PartsTest, TheLastHasNoEnd) {
  Found.point(&A, 0, &Pool, 128);
  EXPECT_EQ(around(128, 128), None);
  EXPECT_EQ(around(4000, 4000), None);
}

TEST_F(PartsTest, WhatLiesInSeveralIsInNone) {
  Found.point(&A, 0, &Pool, 128);
  Found.point(&B, 0, &Pool, 512);
  EXPECT_EQ(around(100, 128), None);
  EXPECT_EQ(around(100, 700), None);
}

TEST_F(PartsTest, AVariableThatMovesDividesNothing) {
  Found.point(&A, 0, &Pool, 128);
  Found.point(&A, 0, &Pool, 128);
  EXPECT_EQ(around(0, 0), part(0, 128));
  Found.point(&A, 0, &Pool, 256);
  EXPECT_EQ(around(0, 0), None);
  Found.point(&A, 0, &Pool, 128); // nor later
  EXPECT_EQ(around(0, 0), None);
  Found.point(&B, 0, &Pool, 64);
  Found.pointElsewhere(&B, 0);
  EXPECT_EQ(around(0, 0), None);
}

TEST_F(PartsTest, MembersOfOneVariableAreSeveral) {
  Found.point(&A, 0, &Pool, 128);
  Found.point(&A, 8, &Pool, 256);
  EXPECT_EQ(around(128, 200), part(128, 256));
  Found.pointElsewhere(&A, 16);
  EXPECT_EQ(around(128, 200), part(128, 256));
}

TEST_F(PartsTest, OfEachObjectItsOwn) {
  Found.point(&A, 0, &Other, 128);
  EXPECT_EQ(around(0, 0), None);
}

TEST_F(PartsTest, EqualDivisionsAreEqual) {
  Parts Same;
  Found.point(&A, 0, &Pool, 128);
  Found.point(&B, 0, &Other, 64);
  Same.point(&C, 0, &Other, 64);
  Same.point(&A, 8, &Pool, 128);
  Same.point(&B, 0, &Pool, 128);
  EXPECT_EQ(Found.hash(), Same.hash());
  EXPECT_NE(Found.hash(), 0u);
  Same.point(&B, 8, &Pool, 256);
  EXPECT_NE(Found.hash(), Same.hash());
}

/// Where \p Byte is beyond parts that begin there, the shortest first.
int64_t beyond(int64_t Byte, llvm::ArrayRef<int64_t> Begins) {
  IndexedPlace P(Byte);
  for (int64_t Begin : Begins)
    P.leave(Begin);
  return P.inRooms();
}

TEST(IndexedPlaceTest, StaysInPart) {
  const IndexedPlace P(127);
  EXPECT_FALSE(P.hasLeft());
  EXPECT_EQ(P.within(), 127);
  EXPECT_EQ(P.inRooms(), 127);
}

TEST(IndexedPlaceTest, RoomsAreApart) {
  EXPECT_GT(beyond(128, {0}), 1 << 20);
  EXPECT_EQ(beyond(132, {0}), beyond(128, {0}) + 4);
  EXPECT_NE(beyond(600, {0}), beyond(600, {128}));
  for (int64_t Byte : {0, 127, 128, 600, 1 << 23})
    for (int64_t Begin : {0, 128})
      EXPECT_EQ(IndexedPlace::byteAt(beyond(Byte, {Begin})), Byte);
  EXPECT_EQ(IndexedPlace::byteAt(-1), -1); // none
}

// Of two slots of 512 bytes and rows of 128: the fifth row of the first slot is
// not the first row of the second, nor is what lies beyond it.
TEST(IndexedPlaceTest, RoomsHaveRooms) {
  EXPECT_NE(beyond(600, {512, 0}), beyond(600, {512}));
  EXPECT_NE(beyond(600, {512, 0}), beyond(600, {0}));
  EXPECT_EQ(IndexedPlace::byteAt(beyond(600, {512, 0})), 600);
  IndexedPlace P(600);
  P.leave(512);
  EXPECT_EQ(P.within(), 512); // for the slot that it is in
}

TEST(IndexedPlaceTest, OneStepInAllRooms) {
  LanesContext L(3);
  auto IsOneStep = [&](const std::vector<int64_t> &Between) {
    return IndexedPlace::areOneStep(*L.perThread(Between), 3);
  };
  EXPECT_TRUE(IsOneStep({16, 16, 16}));
  EXPECT_TRUE(IsOneStep({16, beyond(116, {16}) - beyond(100, {0}), 16}));
  EXPECT_TRUE(IsOneStep({-16, beyond(100, {0}) - beyond(116, {16}), -16}));
  EXPECT_FALSE(IsOneStep({16, 16, 32}));
}

} // namespace
