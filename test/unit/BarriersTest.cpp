//===- BarriersTest.cpp - Who waits for whom ------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

#define BAR_SYNC(Id, Count)                                                    \
  "asm volatile(\"bar.sync " #Id ", " #Count ";\" ::: \"memory\")"
#define BAR_ARRIVE(Id, Count)                                                  \
  "asm volatile(\"bar.arrive " #Id ", " #Count ";\" ::: \"memory\")"

/// Each thread copies and waits in lines 1 to 3; then comes \p Between, then
/// each reads what a thread of the other warp copied.
static std::string across(const std::string &Between) {
  return found("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\nWAIT(0);\n" +
               Between + "\nUSE(Tile[4 * (T ^ 32)]);");
}

static constexpr char Unordered[] = "UnsynchronizedRead copy:1 wait:3 read:5";

TEST(Barriers, OrderThoseThatMeetThere) {
  EXPECT_EQ(across(""), Unordered);
  EXPECT_EQ(across("SYNC;"), "");
  EXPECT_EQ(across(BAR_SYNC(1, 64) ";"), "");
  EXPECT_EQ(across("asm volatile(\"barrier.sync 0;\");"), "");
}

TEST(Barriers, OfFewerThreadsOrderOnlyThose) {
  // Each warp has one of its own.
  EXPECT_EQ(
      across("if (T < 32) " BAR_SYNC(1, 32) "; else " BAR_SYNC(2, 32) ";"),
      Unordered);
  EXPECT_EQ(
      across("if (T < 32) " BAR_SYNC(1, 64) "; else " BAR_SYNC(1, 64) ";"), "");
}

TEST(Barriers, ArrivingOrdersNobodyBehindOthers) {
  const std::string Copy =
      "if (T < 32) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n";
  EXPECT_EQ(found(Copy + BAR_ARRIVE(1, 64) ";\n} else {\n" BAR_SYNC(
                             1, 64) ";\n"
                                    "USE(Tile[4 * (T ^ 32)]);\n}"),
            "");
  EXPECT_EQ(found(Copy + BAR_SYNC(1, 64) ";\n} else {\n" BAR_ARRIVE(
                             1, 64) ";\n"
                                    "USE(Tile[4 * (T ^ 32)]);\n}"),
            "UnsynchronizedRead copy:2 wait:4 read:8");
}

TEST(Barriers, NumbersGoTo15) {
  EXPECT_EQ(across(BAR_SYNC(15, 64) ";"), "");
  EXPECT_EQ(
      found("COPY(Tile + 4 * T, In);\nCOMMIT;\n" BAR_SYNC(16, 64) ";\n"
                                                                  "WAIT(0);"),
      "3: barrier number is not one of 0 to 15");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "asm volatile(\"bar.sync %0, 64;\" :: \"r\"(N));\n"
                  "WAIT(0);"),
            "3: id or thread count of the barrier is not known");
}

TEST(Barriers, RolesRunBesideEachOther) {
  // One warp copies for the other, twice.
  const std::string Twice = "for (int K = 0; K < 2; ++K) {\nif (T < 32) {\n"
                            "COPY(Tile + 4 * T, In + K * 128);\nCOMMIT;\n"
                            "WAIT(0);\nSYNC;\n";
  EXPECT_EQ(found(Twice + "SYNC;\n} else {\nSYNC;\nUSE(Tile[4 * (T ^ 32)]);\n"
                          "SYNC;\n}\n}"),
            "");
  EXPECT_EQ(found(Twice + "} else {\nSYNC;\nUSE(Tile[4 * (T ^ 32)]);\n}\n}"),
            "Overwrite(StillRead) read:9 write:3 barrier:8");
}

TEST(Barriers, ThreadsThatLeftCountAsHavingCome) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                  "if (T >= 32) return;\nSYNC;\nUSE(Tile[4 * (T ^ 32)]);"),
            "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                  "if (T >= 32) return;\n\nUSE(Tile[4 * (T ^ 32)]);"),
            "UnsynchronizedRead copy:1 wait:3 read:6");
}

TEST(Barriers, ThatNeverCompleteAreTold) {
  EXPECT_EQ(across("if (T < 32) " BAR_SYNC(1, 64) ";"), "StuckBarrier wait:4");
  EXPECT_EQ(across(BAR_SYNC(1, 32) ";"), "StuckBarrier wait:4");
}

TEST(Barriers, OnTheSidesOfABranchInABranch) {
  const std::string Copy =
      "if (T < 32) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\nSYNC;\n"
      "} else {\nif (T < 48) SYNC; else SYNC;\n";
  EXPECT_EQ(found(Copy + "}\nUSE(Tile[4 * (T % 32)]);"), "");
  EXPECT_EQ(found(Copy + "}\nTile[512 + T] = 1;\nSYNC;\nUSE(Tile[512 + (T ^ "
                         "32)]);"),
            "");
}

TEST(Barriers, WhatAllVotedForIsKnownOfALocal) {
  EXPECT_EQ(behind("int X = N; if (!__syncthreads_and(X > 3)) return; SYNC;",
                   "X > 3"),
            "always");
}
