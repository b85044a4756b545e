//===- BranchesTest.cpp - Conditions that fork, split or run both sides ---===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Branches, KnownConditionsSplitTheBlock) {
  EXPECT_EQ(behind("int A; if (T < 32) A = 1; else A = 2;", "A == 1 + T / 32"),
            "always");
  EXPECT_EQ(behind("int A = 0; if (T < 64) A = 1; else A = 2;", "A == 1"),
            "always");
  EXPECT_EQ(behind("int A = 0; if (T >= 64) A = 1; else A = 2;", "A == 2"),
            "always");
  EXPECT_EQ(behind("int A = 0; if (T < 32) { if (T < 16) A = 1; else A = 2; }",
                   "A == (T < 16 ? 1 : T < 32 ? 2 : 0)"),
            "always");
}

TEST(Branches, OpenConditionsKeepBothResults) {
  const char *Body = "int A; if (N > 0) A = 1; else A = 2;";
  EXPECT_EQ(behind(Body, "A >= 1 && A <= 2"), "always");
  EXPECT_EQ(behind(Body, "A == 1"), "both");
  EXPECT_EQ(behind("int A = 3; if (N > 0) A = 1;", "A == 1"), "both");
  EXPECT_EQ(behind("int A = 3; if (N > 0) A = 3;", "A == 3"), "always");
}

TEST(Branches, ForkedPathsRememberTheirCondition) {
  const char *Body = "int A = 0; if (N > 4) { SYNC; A = 1; }";
  EXPECT_EQ(behind(Body, "(N > 4) == (A == 1)"), "always");
  EXPECT_EQ(behind(Body, "A == 1 && N <= 4"), "never");
  EXPECT_EQ(behind("if (N > 4) SYNC; else return;", "N > 4"), "always");
  EXPECT_EQ(behind("if (N > 4) SYNC; else return;", "N > 5"), "both");
  EXPECT_EQ(behind("if (N > 4) return; SYNC;", "N <= 4"), "always");
  EXPECT_EQ(behind("if (N > 4) return; SYNC;", "N <= 3"), "both");
}

TEST(Branches, ThreadsThatReturnAreGone) {
  EXPECT_EQ(behind("if (T >= 32) return;", "T < 32"), "always");
  EXPECT_EQ(behind("if (T < 32) return;", "T < 33"), "both");
  EXPECT_EQ(behind("if (T < 64) return;", "T < 33"), "");
}

TEST(Branches, ACopyOnOneSideIsNotThereOnTheOther) {
  EXPECT_EQ(found("if (N > 0) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n} else\n"
                  "USE(Tile[4 * T]);\nWAIT(0);"),
            "");
  EXPECT_EQ(found("if (N > 0) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n}\n"
                  "USE(Tile[4 * T]);\nWAIT(0);"),
            "maybe ReadInFlight(NeverWaited) copy:2 commit:3 read:5");
  EXPECT_EQ(found("if (T < 32) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n} else\n"
                  "USE(Tile[4 * T]);\nWAIT(0);"),
            "");
}

TEST(Branches, TheSameConditionIsDecidedOnce) {
  EXPECT_EQ(found("if (N > 0) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n}\n"
                  "if (N > 0) WAIT(0);\nUSE(Tile[4 * T]);\n"),
            "");
  EXPECT_EQ(found("if (N > 0) {\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n}\n"
                  "if (N > 1) WAIT(0);\nUSE(Tile[4 * T]);\n"),
            "maybe ReadInFlight(NeverWaited) copy:2 commit:3 read:6");
}

TEST(Branches, ACopyThatSomeThreadsMayMake) {
  EXPECT_EQ(found("if (T < N) COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                  "USE(Tile[4 * T]);"),
            "");
  EXPECT_EQ(found("if (T < N)\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "USE(Tile[4 * T]);\nWAIT(0);"),
            "maybe ReadInFlight(NeverWaited) copy:2 commit:3 read:4");
  // Never both in one thread.
  EXPECT_EQ(found("if (T < N) COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "if (T >= N) USE(Tile[4 * T]);\nWAIT(0);"),
            "");
}

// What one hangs on decides what the other hangs on, whichever comes first. No
// solver has to say so.
TEST(Branches, AccessesThatExcludeEachOtherNeverMeet) {
  const std::string Copy = "if (T < N)\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n",
                    Read = "USE(Tile[4 * (T ^ 32)]);\n";
  auto Clashes = [](const std::string &Body) {
    const SnippetResult R = analyzeBody(Body);
    return R.Findings.size() + R.Refuted.size();
  };
  auto ReadFirst = [&](const std::string &If) {
    return Clashes("Tile[4 * T] = 1;\nSYNC;\nif (" + If + ")\n" + Read + Copy +
                   "WAIT(0);");
  };
  auto CopyFirst = [&](const std::string &If) {
    return Clashes(Copy + "if (" + If + ")\n" + Read + "WAIT(0);");
  };
  for (const char *If : {"N <= 0", "N < 1", "N <= 0 && M > 3"}) {
    EXPECT_EQ(ReadFirst(If), 0u) << If;
    EXPECT_EQ(CopyFirst(If), 0u) << If;
  }
  for (const char *If : {"N > 0", "N <= 40", "M > 3"}) {
    EXPECT_EQ(ReadFirst(If), 1u) << If;
    EXPECT_EQ(CopyFirst(If), 1u) << If;
  }
}

TEST(Branches, AWaitOfSomeThreadsIsNotThatOfOthers) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nif (T < 32)\nWAIT(0);\n"
                  "if (T < 32) USE(Tile[4 * T]);\nWAIT(0);"),
            "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nif (T < 32)\nWAIT(0);\n"
                  "USE(Tile[4 * T]);\nWAIT(0);"),
            "ReadInFlight(Divergent) copy:1 wait:4 read:5");
}

TEST(Branches, ConditionalExpressionsAreBranchesToo) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "USE(T < 0 ? Tile[4 * T] : 1.f);\nWAIT(0);"),
            "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "USE(T >= 0 ? Tile[4 * T] : 1.f);\nWAIT(0);"),
            "ReadInFlight(NeverWaited) copy:1 commit:2 read:3");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "if (T < 0 && Tile[4 * T] > 0) USE(1.f);\nWAIT(0);"),
            "");
}
