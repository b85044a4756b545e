//===- OmittedCopiesTest.cpp - What is made of what nobody copied ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// What is found when \p Body runs behind copies of the first N of 256 floats.
static std::vector<std::string> behindSome(const std::string &Body,
                                           const std::string &If = "T < N") {
  return analyzeBody("if (" + If +
                     ") COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\nSYNC;\n" +
                     Body)
      .Findings;
}

static const std::vector<std::string> NoFindings;
static std::vector<std::string> readInLine(int Line) {
  return {"UnwrittenRead(LeftOut) copy:1 read:" + std::to_string(Line)};
}

TEST(OmittedCopies, OfOneResultMadeOfBoth) {
  EXPECT_EQ(behindSome("USE(Tile[T] + Tile[252]);"), readInLine(5));
  EXPECT_EQ(behindSome("if (T < N) USE(Tile[T] + Tile[252]);"), readInLine(5));
  EXPECT_EQ(behindSome("if (N > 63) USE(Tile[T] + Tile[252]);"), NoFindings);
}

TEST(OmittedCopies, AreNoneOfWhatIsBeyondAltogether) {
  EXPECT_EQ(behindSome("USE(Tile[4 * T]);"), NoFindings);
  EXPECT_EQ(behindSome("USE(Tile[4 * T] + Tile[4 * T + 1]);"), NoFindings);
}

TEST(OmittedCopies, GoThroughWhatIsMadeOfThem) {
  const std::string Sum = "float Sum = Tile[0];\n";
  EXPECT_EQ(behindSome(Sum + "Sum += Tile[252];\nUSE(Sum);"), readInLine(6));
  EXPECT_EQ(behindSome(Sum + "Sum = Sum * 2 - Tile[252];\nUSE(Sum / 3);"),
            readInLine(6));
  EXPECT_EQ(behindSome(Sum + "float Last[2] = {Tile[252], 0};\n"
                             "USE(Sum + Last[0]);"),
            readInLine(6));
  EXPECT_EQ(behindSome(Sum + "float Last[2] = {Tile[252], 0};\n"
                             "USE(Sum + Last[1]);"),
            NoFindings);
  EXPECT_EQ(behindSome(Sum + "const float Last = Tile[252];\nSum = 0;\n"
                             "USE(Sum);"),
            NoFindings);
}

TEST(OmittedCopies, GoThroughCalls) {
  const std::string Add = "__device__ void add(float &To, float X) {\n"
                          "To += X;\n}\n"
                          "__device__ float twice(float X) { return X + X; }\n"
                          "__device__ float root(float);";
  auto Found = [&](const std::string &Body) {
    return analyzeBody("if (T < N) COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                       "SYNC;\nfloat Sum = Tile[0];\n" +
                           Body,
                       Add)
        .Findings;
  };
  EXPECT_EQ(Found("add(Sum, Tile[252]); USE(Sum);"), readInLine(6));
  EXPECT_EQ(Found("USE(Sum + twice(Tile[252]));"), readInLine(6));
  EXPECT_EQ(Found("USE(root(Sum) + root(Tile[252]));"), readInLine(6));
  EXPECT_EQ(Found("add(Sum, 1); twice(Tile[252]); USE(Sum);"), NoFindings);
}

TEST(OmittedCopies, AreAskedForByTheSideThatIsTaken) {
  const std::string Sum = "float Sum = Tile[0];\n";
  EXPECT_EQ(behindSome(Sum + "USE(T < N ? Sum : Tile[252]);"), NoFindings);
  EXPECT_EQ(behindSome(Sum + "USE(63 < N ? Sum + Tile[252] : Sum);"),
            NoFindings);
  EXPECT_EQ(behindSome(Sum + "USE(T < N ? Sum + Tile[252] : Sum);"),
            readInLine(6));
}

TEST(OmittedCopies, AreFilledBySomebodyElse) {
  EXPECT_EQ(behindSome("if (T >= N) Tile[4 * T] = 0;\nSYNC;\n"
                       "USE(Tile[0] + Tile[252]);"),
            NoFindings);
  EXPECT_EQ(behindSome("if (N < 64 && T == 0) Tile[252] = 0;\nSYNC;\n"
                       "USE(Tile[0] + Tile[252]);"),
            NoFindings);
}

TEST(OmittedCopies, AreOfWholePieces) {
  EXPECT_EQ(behindSome("if (T < N) USE(Tile[T] + Tile[N - 1]);", "T < N / 4"),
            NoFindings);
  EXPECT_EQ(behindSome("if (T < N) USE(Tile[T] + Tile[N]);", "T < N / 4"),
            readInLine(5));
}

TEST(OmittedCopies, HaveNumbersThatShowThem) {
  EXPECT_EQ(analyzeBody("if (T < N) COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                        "WAIT(0);\nSYNC;\nUSE(Tile[0] + Tile[252]);")
                .Numbers,
            "N = 1");
}
