//===- DivisorsTest.cpp - What numbers come in whole ones of --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/Divisors.h"
#include "lib/values/Bounds.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class DivisorsTest : public testing::Test {
protected:
  const Int *c(int64_t N) { return V.constant(N); }
  const Int *divided(const Int *I, int64_t By) {
    return V.apply(Atom::Op::Div, I, c(By));
  }
  const Int *symbol(int64_t Number) {
    return V.symbol(&V, Number, Uniformity::Block, {0, INT64_MAX}, true);
  }

  ValueContext V{32};
  const Int *N = symbol(1), *Done = symbol(2);
  Divisors Found;
};

TEST_F(DivisorsTest, NothingDividesIt) {
  EXPECT_EQ(Found.of(asAtom(N)), 1);
  Found.note(V.add(N, c(64)), Divisors::Of::Sums);
  EXPECT_EQ(Found.of(asAtom(N)), 1);
}

TEST_F(DivisorsTest, DivisionsAndShifts) {
  Found.note(V.sub(Done, divided(N, 6)), Divisors::Of::Alone);
  EXPECT_EQ(Found.of(asAtom(N)), 6);
  EXPECT_EQ(Found.of(asAtom(Done)), 1);
  Found.note(V.apply(Atom::Op::Shr, N, c(4)), Divisors::Of::Alone);
  EXPECT_EQ(Found.of(asAtom(N)), 48);
}

TEST_F(DivisorsTest, RestsAreOneMore) {
  const Int *Tiles = divided(V.add(N, c(63)), 64);
  Found.note(Tiles, Divisors::Of::Alone);
  EXPECT_EQ(Found.of(asAtom(N)), 1);
  Found.note(Tiles, Divisors::Of::Sums);
  EXPECT_EQ(Found.of(asAtom(N)), 64);
}

TEST_F(DivisorsTest, WhatIsTakenOffIsNotDivided) {
  Found.note(divided(V.sub(N, Done), 64), Divisors::Of::Sums);
  EXPECT_EQ(Found.of(asAtom(N)), 64);
  EXPECT_EQ(Found.of(asAtom(Done)), 1);
}

TEST_F(DivisorsTest, ProductsAreNotOfOneOfThem) {
  Found.note(divided(V.mul(N, Done), 64), Divisors::Of::Sums);
  EXPECT_EQ(Found.of(asAtom(N)), 1);
}

TEST_F(DivisorsTest, MultiplesHaveALimit) {
  Found.note(divided(N, 65536), Divisors::Of::Alone);
  Found.note(divided(N, 3), Divisors::Of::Alone);
  EXPECT_EQ(Found.of(asAtom(N)), 65536);
}

} // namespace
