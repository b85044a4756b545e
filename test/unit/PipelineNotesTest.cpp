//===- PipelineNotesTest.cpp - All that a path did with its slots ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;
using Steps = std::vector<std::string>;

static Steps pictured(const std::string &Body) {
  return analyzeBody(Body).Pictured;
}

static std::string copyTo(const std::string &Begin) {
  return "COPY(Tile + " + Begin + " + 4 * T, In);\n";
}

TEST(PipelineNotes, GroupsAreNumberedAndCountedByWaits) {
  EXPECT_EQ(
      pictured(copyTo("0") + "COMMIT;\n" + copyTo("256") + "COMMIT;\n" +
               "WAIT(1);\nUSE(Tile[256 + 4 * T]);\nWAIT(0);"),
      (Steps{"1: Tile[0..255] in 0", "2: in 0", "3: Tile[256..511] in 1 !",
             "4: in 1", "5: 1 of 2", "6: Tile[256..508] !"}));
}

TEST(PipelineNotes, ACopyThatIsNotCommittedIsInNoGroup) {
  EXPECT_EQ(pictured(copyTo("0") + "COMMIT;\n" + copyTo("256") +
                     "WAIT(0);\nUSE(Tile[256 + 4 * T]);\nCOMMIT;\nWAIT(0);"),
            (Steps{"1: Tile[0..255] in 0", "2: in 0", "3: Tile[256..511] !",
                   "4: 1 of 1", "5: Tile[256..508] !"}));
}

TEST(PipelineNotes, WaitsForAllCompleteWhatIsOpen) {
  EXPECT_EQ(pictured(copyTo("0") + "asm volatile(\"cp.async.wait_all;\");\n" +
                     copyTo("256") +
                     "COMMIT;\nUSE(Tile[256 + 4 * T]);\nWAIT(0);"),
            (Steps{"1: Tile[0..255]", "2: 0 of 0", "3: Tile[256..511] in 0 !",
                   "4: in 0", "5: Tile[256..508] !"}));
}

TEST(PipelineNotes, OperationsOfOneKindInARowAreOne) {
  const std::string Rows =
      "__shared__ __attribute__((aligned(16))) float R[2][256];\n";
  auto Copy = [](const std::string &To, const std::string &If = "") {
    return If + "__pipeline_memcpy_async(&R" + To + ", In, 8);\n";
  };
  const std::string Rest = copyTo("0") + "COMMIT;\nUSE(Tile[4 * T]);\nWAIT(0);";
  EXPECT_EQ(pictured(Rows + Copy("[1][4 * T]") + Copy("[1][4 * T + 2]") + Rest),
            (Steps{"2: R[1] x2 in 0", "4: Tile[0..255] in 0 !", "5: in 0",
                   "6: Tile[0..252] !"}));
  // Another row, other threads, or something in between.
  EXPECT_EQ(pictured(Rows + Copy("[1][4 * T]") + Copy("[0][4 * T]") + Rest),
            (Steps{"2: R[1][0..253] in 0", "3: R[0][0..253] in 0",
                   "4: Tile[0..255] in 0 !", "5: in 0", "6: Tile[0..252] !"}));
  EXPECT_EQ(pictured(Rows + Copy("[1][4 * T]") +
                     Copy("[1][4 * T + 2]", "if (T < 32) ") + Rest),
            (Steps{"2: R[1][0..253] in 0", "3: R[1][2..127] by 0-31 in 0",
                   "4: Tile[0..255] in 0 !", "5: in 0", "6: Tile[0..252] !"}));
  EXPECT_EQ(pictured(Rows + Copy("[1][4 * T]") + "SYNC;\n" +
                     Copy("[1][4 * T + 2]") + Rest),
            (Steps{"2: R[1][0..253] in 0", "3:", "4: R[1][2..255] in 0",
                   "5: Tile[0..255] in 0 !", "6: in 0", "7: Tile[0..252] !"}));
}

TEST(PipelineNotes, StepsOfSomeThreadsSayWhose) {
  EXPECT_EQ(pictured("if (T < 32) {\n" + copyTo("0") +
                     "}\nCOMMIT;\n"
                     "if (T < 16) WAIT(0);\n"
                     "if (T < 32) USE(Tile[4 * T]);\nWAIT(0);"),
            (Steps{"2: Tile[0..127] by 0-31 in 0 !", "4: in 0", "5: by 0-15",
                   "6: Tile[0..124] by 0-31 !"}));
}

TEST(PipelineNotes, RoundsHaveTheirNumbers) {
  EXPECT_EQ(
      pictured("for (int K = 0; K < 3; ++K) {\n"
               "COPY(Tile + K % 2 * 256 + 4 * T, In);\nCOMMIT;\nWAIT(1);\n"
               "if (K > 0) USE(Tile[K % 2 * 256 + 4 * T]);\n}"),
      (Steps{"K=0: 2: Tile[0..255] in 0", "K=0: 3: in 0", "K=0: 4: 0 of 1",
             "K=1: 2: Tile[256..511] in 1 !", "K=1: 3: in 1", "K=1: 4: 1 of 2",
             "K=1: 5: Tile[256..508] !"}));
}

TEST(PipelineNotes, WhatIsStoredToOtherObjectsIsNoStep) {
  EXPECT_EQ(pictured("__shared__ float Sums[64], Other[64];\n"
                     "Sums[T] = 1;\nSYNC;\n" +
                     copyTo("0") +
                     "COMMIT;\nOther[T] = Sums[T ^ 1];\nTile[512 + T] = 3;\n"
                     "USE(Tile[4 * T]);\nWAIT(0);"),
            (Steps{"3:", "4: Tile[0..255] in 0 !", "5: in 0",
                   "7: Tile[512..575]", "8: Tile[0..252] !"}));
}
