//===- SubobjectsTest.cpp - What shared memory is divided into ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/Subobjects.h"
#include "lib/values/Value.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class SubobjectsTest : public testing::Test {
protected:
  SubobjectsTest() {
    Pool.K = Object::Kind::Dynamic;
    Other.K = Object::Kind::Shared;
  }

  /// Begin and end of the part, -1 for none.
  std::pair<int64_t, int64_t> around(int64_t Lo, int64_t Hi) const {
    const std::optional<Subobject> P = Found.around(&Pool, Lo, Hi);
    return P ? std::pair(P->Begin, P->End)
             : std::pair<int64_t, int64_t>(-1, -1);
  }
  static std::pair<int64_t, int64_t> part(int64_t Begin, int64_t End) {
    return {Begin, End};
  }
  const std::pair<int64_t, int64_t> None{-1, -1};

  Object Pool, Other;
  int A = 0, B = 0, C = 0; ///< variables
  Subobjects Found;
};

TEST_F(SubobjectsTest, NothingIsDivided) {
  EXPECT_EQ(around(0, 0), None);
  EXPECT_EQ(Found.hash(), 0u);
}

TEST_F(SubobjectsTest, EndsWhereTheNextBegins) {
  Found.point(&B, 0, &Pool, 128);
  EXPECT_EQ(around(0, 0), part(0, 128)); // nothing has to point to the first
  Found.point(&A, 0, &Pool, 0);
  Found.point(&C, 0, &Pool, 512);
  EXPECT_EQ(around(0, 127), part(0, 128));
  EXPECT_EQ(around(128, 128), part(128, 512));
  EXPECT_EQ(around(300, 511), part(128, 512));
}

TEST_F(SubobjectsTest, TheLastHasNoEnd) {
  Found.point(&A, 0, &Pool, 128);
  EXPECT_EQ(around(128, 128), None);
  EXPECT_EQ(around(4000, 4000), None);
}

TEST_F(SubobjectsTest, WhatLiesInSeveralIsInNone) {
  Found.point(&A, 0, &Pool, 128);
  Found.point(&B, 0, &Pool, 512);
  EXPECT_EQ(around(100, 128), None);
  EXPECT_EQ(around(100, 700), None);
}

TEST_F(SubobjectsTest, AVariableThatMovesDividesNothing) {
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

TEST_F(SubobjectsTest, MembersOfOneVariableAreSeveral) {
  Found.point(&A, 0, &Pool, 128);
  Found.point(&A, 8, &Pool, 256);
  EXPECT_EQ(around(128, 200), part(128, 256));
  Found.pointElsewhere(&A, 16);
  EXPECT_EQ(around(128, 200), part(128, 256));
}

TEST_F(SubobjectsTest, OfEachObjectItsOwn) {
  Found.point(&A, 0, &Other, 128);
  EXPECT_EQ(around(0, 0), None);
}

TEST_F(SubobjectsTest, EqualDivisionsAreEqual) {
  Subobjects Same;
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

} // namespace
