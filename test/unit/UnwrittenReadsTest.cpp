//===- UnwrittenReadsTest.cpp - Bytes that no path writes -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// What is found when \p Body runs behind a copy of the first 1024 bytes.
static std::vector<std::string> behindCopy(const std::string &Body) {
  return analyzeBody("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\nSYNC;\n" +
                     Body)
      .Findings;
}

static const std::vector<std::string> Nothing;
static const std::vector<std::string> Line5 = {"UnwrittenRead copy:1 read:5"},
                                      Line6 = {"UnwrittenRead copy:1 read:6"};

TEST(UnwrittenReads, AreBeyondTheCopy) {
  EXPECT_EQ(behindCopy("USE(Tile[T]);"), Nothing);
  EXPECT_EQ(behindCopy("USE(Tile[256]);"), Line5);
  EXPECT_EQ(behindCopy("USE(Tile[255]);"), Nothing);
  EXPECT_EQ(behindCopy("USE(Tile[193 + T]);"), Line5);
}

TEST(UnwrittenReads, AreNoneIfAnyPathWrites) {
  EXPECT_EQ(behindCopy("if (N) Tile[256] = 0;\nif (M) USE(Tile[256]);"),
            Nothing);
  EXPECT_EQ(behindCopy("if (N) { SYNC; Tile[256] = 0; }\nUSE(Tile[256]);"),
            Nothing);
  EXPECT_EQ(behindCopy("Tile[257] = 0;\nUSE(Tile[256]);"), Line6);
  EXPECT_EQ(behindCopy("Tile[256 + N] = 0;\nUSE(Tile[300]);"), Nothing);
  EXPECT_EQ(behindCopy("unknown(Tile);\nUSE(Tile[256]);"), Nothing);
  EXPECT_EQ(behindCopy("memset(Tile + 256, 0, 64);\nUSE(Tile[256]);"), Nothing);
  EXPECT_EQ(behindCopy("memset(Tile + 256, 0, N);\nUSE(Tile[300]);"), Nothing);
  EXPECT_EQ(behindCopy("USE(Tile[256]);\nTile[256] = 0;"), Nothing);
}

TEST(UnwrittenReads, AreNoneWhereALoopMayWrite) {
  EXPECT_EQ(behindCopy("for (int I = T; I < N; I += 64)\n"
                       "Tile[256 + I] = 0;\nSYNC;\nUSE(Tile[1000]);"),
            Nothing);
  EXPECT_EQ(behindCopy("for (int I = T; I < N; I += 64)\n"
                       "COPY(Tile + 256 + 4 * I, In);\nCOMMIT;\nWAIT(0);\n"
                       "SYNC;\nUSE(Tile[1000]);"),
            Nothing);
}

TEST(UnwrittenReads, CountWhereTheirThreadUsesThem) {
  const std::string Ahead = "const float X = Tile[193 + T];\n";
  EXPECT_EQ(behindCopy(Ahead + "if (T < 63) USE(X);"), Nothing);
  EXPECT_EQ(behindCopy(Ahead + "if (T < 63) USE(X); else USE(X);"), Line5);
  EXPECT_EQ(behindCopy(Ahead + "USE(X);"), Line5);
  EXPECT_EQ(behindCopy(Ahead), Nothing);
}

TEST(UnwrittenReads, AreConfirmedBesideFindingsInOtherArrays) {
  const std::string Ahead = "const float X = Tile[193 + T];\n",
                    Other =
                        "SYNC; __shared__ __attribute__((aligned(16))) float "
                        "Other[256];\nOther[4 * T] = 1;\nSYNC;\n"
                        "const float Y = Other[4 * (T ^ 32)];\n"
                        "COPY(Other + 4 * T, In);\nUSE(Y);\nCOMMIT;\nWAIT(0);";
  const std::string StillRead =
      "Overwrite(StillRead) read:10 write:11 barrier:9";
  EXPECT_EQ(behindCopy(Ahead + "USE(X);\n" + Other),
            (std::vector<std::string>{Line5[0], StillRead}));
  EXPECT_EQ(behindCopy(Ahead + "\n" + Other),
            std::vector<std::string>{StillRead});
}
