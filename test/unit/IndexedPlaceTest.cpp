//===- IndexedPlaceTest.cpp - Places beyond the end of a subobject --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/IndexedPlace.h"
#include "lib/support/PerThread.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

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
  PerThreadContext L(3);
  auto IsOneStep = [&](const std::vector<int64_t> &Between) {
    return IndexedPlace::areOneStep(*L.perThread(Between), 3);
  };
  EXPECT_TRUE(IsOneStep({16, 16, 16}));
  EXPECT_TRUE(IsOneStep({16, beyond(116, {16}) - beyond(100, {0}), 16}));
  EXPECT_TRUE(IsOneStep({-16, beyond(100, {0}) - beyond(116, {16}), -16}));
  EXPECT_FALSE(IsOneStep({16, 16, 32}));
}

} // namespace
