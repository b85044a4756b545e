//===- ShortTilesTest.cpp - Which numbers are the rows of a tile ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/ShortTiles.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class ShortTilesTest : public testing::Test {
protected:
  ValueContext V{/*Threads=*/8};
  int NameLeft = 0;
  const Int *Left = V.symbol(&NameLeft, 0, Uniformity::Block);
  PathCondition Path;

  const Int *c(int64_t X) { return V.constant(X); }
  void knowThatLeftIsBelow(int64_t X) {
    ASSERT_TRUE(
        Path.assume(V, V.isNegative(V.sub(Left, c(X))), true, V.lanes().all()));
  }
};

TEST_F(ShortTilesTest, WhatIsLeftOfAWholeTileIsOneRow) {
  knowThatLeftIsBelow(32);
  const Int *IsShort = shortTile(V, Path, Left, c(32));
  ASSERT_TRUE(IsShort);
  ASSERT_TRUE(Path.assume(V, IsShort, true, V.lanes().all()));
  EXPECT_EQ(Path.bounds(V, Left).Hi, 1);
  EXPECT_FALSE(shortTile(V, Path, Left, c(32))); // as short as they get
}

TEST_F(ShortTilesTest, AWholeTileStaysAsItIs) {
  knowThatLeftIsBelow(32);
  EXPECT_FALSE(shortTile(V, Path, c(32), Left));
}

TEST_F(ShortTilesTest, WhatMayBeLongerIsNoTile) {
  EXPECT_FALSE(shortTile(V, Path, Left, c(0))); // max(Left, 0)
  knowThatLeftIsBelow(64);
  EXPECT_FALSE(shortTile(V, Path, Left, c(32)));
}

} // namespace
