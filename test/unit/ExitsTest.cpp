//===- ExitsTest.cpp - Threads that leave while others stay ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

static std::string fetch() { return "COPY(Tile + 4 * T, In);\nCOMMIT;\n"; }
static std::string rest() {
  return "WAIT(0);\nSYNC;\nUSE(Tile[4 * (T ^ 32)]);";
}
/// What is found if some leave in line 3.
static constexpr char SomeWait[] =
    "maybe ReadInFlight(Divergent) copy:1 wait:4 read:6";

TEST(Exits, ACopyOfAThreadThatLeftIsNeverWaitedFor) {
  EXPECT_NE(found(fetch() + "if (T >= N) return;\n" + rest())
                .find("ReadInFlight(Divergent) copy:1"),
            std::string::npos);
  EXPECT_NE(found(fetch() + "if (((const int *)In)[T]) return;\n" + rest())
                .find("ReadInFlight(Divergent) copy:1"),
            std::string::npos);
}

TEST(Exits, OneThreadThatMayLeaveIsToldOnce) {
  for (const char *If : {"T == 5 && ((const int *)In)[T]",
                         "(T == 5) & (((const int *)In)[T] > 0)"})
    EXPECT_EQ(found(fetch() + "if (" + If + ") return;\n" + rest()), SomeWait)
        << If;
}

TEST(Exits, WhatElseIsAskedHidesNobody) {
  for (const char *If :
       {"T >= N", "T >= N && M > 3", "M > 3 && T >= N", "!(T < N || M < 3)",
        "T == N && T % 3 == 1", "T % 3 == 1 && T == N",
        "T == N && threadIdx.x > 40 && M > 3",
        "((const int *)In)[T] && M > 3 && M < N"})
    EXPECT_EQ(found(fetch() + "if (" + If + ") return;\n" + rest()), SomeWait)
        << If;
  EXPECT_EQ(found(fetch() + "if (T == N) if (T % 3 == 1) return;\n" + rest()),
            SomeWait);
}

TEST(Exits, EachPartOfAConditionMayPartThem) {
  for (const char *If :
       {"(T >= N) & (M > 3)", "(M > 3) & (T >= N)", "(T >= N) | (M > 3)",
        "(M > 3) | (T >= N)", "!((T < N) | (M > 3))", "!((M > 3) & (T < N))",
        "(T == N) & (T % 3 == 1)", "__any_sync(~0u, T >= N)",
        "!__any_sync(~0u, T < N)", "__any_sync(~0u, T >= N) && M > 3", "T < N",
        "T != N", "!(T != N)"})
    EXPECT_EQ(found(fetch() + "if (" + If + ") return;\n" + rest()), SomeWait)
        << If;
}

TEST(Exits, ThreadsThatLoadedTheSameGoTheSameWay) {
  auto FoundFor = [](const std::string &Index) {
    return found("const int *Flags = (const int *)In; " + fetch() +
                 "if (Flags[" + Index + "]) return;\n" +
                 "WAIT(0);\nSYNC;\nUSE(Tile[4 * (T ^ 16)]);");
  };
  // Those that read each other's copies have one flag, or two.
  for (const char *Index : {"0", "T / 32", "T % 16", "N + T / 32"})
    EXPECT_EQ(FoundFor(Index), "") << Index;
  for (const char *Index : {"T", "T / 16", "T % 32", "N + T / 16"})
    EXPECT_EQ(FoundFor(Index), SomeWait) << Index;
}

TEST(Exits, WarpsWithANumberOfTheirOwnGoAsWarps) {
  auto FoundFor = [](const std::string &If, const std::string &Other) {
    return found("const int *Flags = (const int *)In; " + fetch() + "if (" +
                 If + ") return;\nWAIT(0);\nSYNC;\nUSE(Tile[4 * (" + Other +
                 ")]);");
  };
  for (const char *If :
       {"__shfl_sync(~0u, Flags[T], 0)", "__any_sync(~0u, Flags[T])",
        "__all_sync(~0u, Flags[T])", "Flags[T / 32] > N",
        "__shfl_sync(~0u, Flags[T], 0) + T / 32 > N"}) {
    EXPECT_EQ(FoundFor(If, "T ^ 16"), "") << If;
    EXPECT_EQ(FoundFor(If, "T ^ 32"), SomeWait) << If;
  }
}

// From the middle on, and not where a warp ends.
TEST(Exits, WhoLeavesIsShownByANumber) {
  for (const auto &[If, Number] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"T >= N", "N = 33"},
           {"T < N", "N = 33"},
           {"T == N", "N = 32"},
           {"T != N", "N = 32"},
           {"2 * T < N", "N = 65"},
           {"T / 4 >= N", "N = 9"},
           {"T == N && T % 3 == 1", "N = 31"},
           {"T == N && T > 40", "N = 52"},
           {"T > 61 && T < N", "N = 64"}})
    EXPECT_EQ(
        analyzeBody(fetch() + "if (" + If + ") return;\n" + rest()).Numbers,
        Number)
        << If;
}

TEST(Exits, WhoCannotLeaveIsNotToldOf) {
  for (const char *If : {"T == N && T > 63", "T > 63 && T == N",
                         "T >= N && T < 0", "T >= N && N > 63"})
    EXPECT_EQ(found(fetch() + "if (" + If + ") return;\n" + rest()), "") << If;
}

TEST(Exits, WaitThatSomeMissIsToldOnce) {
  for (const char *If : {"T > 61 && T < N", "T < 2 && T >= N"})
    EXPECT_EQ(found(fetch() + "if (" + If + ") return;\n" + rest()), SomeWait)
        << If;
}

TEST(Exits, AfterAWaitTheyMayLeave) {
  EXPECT_EQ(found(fetch() + "WAIT(0);\nif (T >= N) return;\n" + rest()), "");
  EXPECT_EQ(found("if (T >= N) return;\n" + fetch() +
                  "WAIT(0);\nSYNC;\n"
                  "USE(Tile[4 * T]);"),
            "");
}

TEST(Exits, AllLeaveAtOnceWhereAllKnowTheSame) {
  EXPECT_EQ(found(fetch() + "if (N > 5) return;\n" + rest()), "");
  EXPECT_EQ(found(fetch() + "if (((const int *)In)[0]) return;\n" + rest()),
            "");
}

TEST(Renamed, ANumberKeepsItsBoundsWhenItIsAskedForAgain) {
  const char *Before = "__device__ int some();";
  const char *Body = "int First = 0; for (int K = 0; K < 2; ++K) {"
                     "int X = some(); if (K == 0) First = X;"
                     "if (X <= 5) return; SYNC; }";
  EXPECT_EQ(behind(Body, "First > 5", Before), "always");
  EXPECT_EQ(behind(Body, "First > 6", Before), "both");
}

TEST(Renamed, NumbersOfTwoRoundsAreTwo) {
  const char *Before = "__device__ int some();";
  const char *Body = "int A = 0, B = 0; for (int K = 0; K < 3; ++K) {"
                     "A = B; B = some(); SYNC; }";
  EXPECT_EQ(behind(Body, "A == B", Before), "both");
  EXPECT_EQ(behind("int A = 0, B = 0; for (int K = 0; K < 3; ++K) {"
                   "A = some(); B = A; SYNC; }",
                   "A == B", Before),
            "always");
}

TEST(Renamed, NumbersThatMoveOnByTheSameKeepTheirDistance) {
  for (const char *First : {"0", "G.Rows", "G.Rows * 4 + 1"}) {
    auto InLoop = [&](const std::string &Moves, const std::string &Condition) {
      return behind("int A = " + std::string(First) +
                        ", B = A + 3; for (; A < N; A += M) { " + Moves +
                        " if (G.Count > A) SYNC; }",
                    Condition);
    };
    EXPECT_EQ(InLoop("B += M;", "B == A + 3"), "always") << First;
    EXPECT_EQ(InLoop("B += M;", "B > A && B < A + 4"), "always") << First;
    EXPECT_EQ(InLoop("B += M;", "A >= N"), "always") << First;
    EXPECT_EQ(InLoop("B += M;", "B >= N + 3"), "always") << First;
    EXPECT_EQ(InLoop("B += M;", "B >= N + 4"), "both") << First;
  }
}
