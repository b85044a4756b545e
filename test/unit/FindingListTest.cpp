//===- FindingListTest.cpp - Which findings are one -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/FindingList.h"
#include "gtest/gtest.h"

using namespace cpasync;
using clang::SourceLocation;

static SourceLocation line(unsigned N) {
  return SourceLocation::getFromRawEncoding(N);
}

TEST(FindingList, BarriersThatExpectDifferentNumbersAreTwoMistakes) {
  Finding A, B;
  A.Kind = B.Kind = FindingKind::StuckPhase;
  A.Limit = B.Limit = 2;
  EXPECT_TRUE(FindingList::haveSameCause(A, B));
  B.Limit = 3;
  EXPECT_FALSE(FindingList::haveSameCause(A, B));
  A.Kind = B.Kind = FindingKind::ExtraArrivals;
  EXPECT_TRUE(FindingList::haveSameCause(A, B));
}

TEST(FindingList, WhatWaitsBeforeARepairsItInAllKernels) {
  Finding A, B;
  A.Kind = B.Kind = FindingKind::UnsynchronizedRead;
  A.At.Read = B.At.Read = line(9);
  A.Kernel.Loc = line(1);
  B.Kernel.Loc = line(2);
  EXPECT_TRUE(FindingList::haveSameCause(A, B));
  B.At.Read = line(10);
  EXPECT_FALSE(FindingList::haveSameCause(A, B));
}
