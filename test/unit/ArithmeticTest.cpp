//===- ArithmeticTest.cpp - Operations on integers ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// Whether \p Condition holds, with nothing before it.
static std::string alone(const std::string &Condition) {
  return behind("", Condition);
}

TEST(Arithmetic, EachThreadComparesItsOwnNumber) {
  EXPECT_EQ(alone("T < 64"), "always");
  EXPECT_EQ(alone("T < 63"), "both");
  EXPECT_EQ(alone("T < 0"), "never");
  EXPECT_EQ(alone("T <= 63"), "always");
  EXPECT_EQ(alone("T <= -1"), "never");
  EXPECT_EQ(alone("T <= 0"), "both");
  EXPECT_EQ(alone("T > -1"), "always");
  EXPECT_EQ(alone("T > 0"), "both");
  EXPECT_EQ(alone("T > 63"), "never");
  EXPECT_EQ(alone("T >= 0"), "always");
  EXPECT_EQ(alone("T >= 1"), "both");
  EXPECT_EQ(alone("T >= 64"), "never");
  EXPECT_EQ(alone("T == 64"), "never");
  EXPECT_EQ(alone("T == 63"), "both");
  EXPECT_EQ(alone("T != 64"), "always");
  EXPECT_EQ(alone("T != 63"), "both");
}

TEST(Arithmetic, OnThreadNumbersIsThatOfCpp) {
  for (const char *Condition :
       {"(T >> 3) == T / 8", "(T << 2) == 4 * T", "(T & 7) == T % 8",
        "(T ^ 1) - T == 1 - 2 * (T % 2)", "(T | 1) == T - T % 2 + 1",
        "~T == -T - 1", "-T <= 0", "T - 64 < 0", "(T - 64) / 64 <= 0",
        "(T - 64) % 64 <= 0", "min(T, 8) <= 8", "max(T, 8) >= 8",
        "min(T, 8) + max(T, 8) == T + 8", "(T < 32) + (T >= 32) == 1",
        "(T & 32) == (T < 32 ? 0 : 32)"})
    EXPECT_EQ(alone(Condition), "always") << Condition;
}

TEST(Arithmetic, WhatIsRoundedUpIsAMultiple) {
  const char *Body = "if (N < 1 || N > 40) return;"
                     "const int Up = (2 * N + 15) & ~15;"
                     "const size_t Wide = (sizeof(short) * N + 15) & ~15u;";
  EXPECT_EQ(behind(Body, "Up > 0 && Up <= 80 && Up % 16 == 0"), "always");
  EXPECT_EQ(behind(Body, "Up == (2 * N + 15) / 16 * 16"), "always");
  EXPECT_EQ(behind(Body, "Wide >= 16 && Wide <= 80"), "always");
  EXPECT_EQ(behind(Body, "Up == 16"), "both");
}

TEST(Arithmetic, UnknownNumbersCancel) {
  for (const char *Condition :
       {"N == N", "N <= N", "N >= N", "N < N + 1", "N + 1 > N",
        "2 * N - N == N", "N + M == M + N", "(N + M) * 4 == 4 * M + 4 * N",
        "N - M - N + M == 0", "N != N + 1"})
    EXPECT_EQ(alone(Condition), "always") << Condition;
  for (const char *Condition :
       {"N < N", "N > N", "N != N", "N >= N + 1", "N + 1 <= N", "N == N + 1"})
    EXPECT_EQ(alone(Condition), "never") << Condition;
  for (const char *Condition :
       {"N < M", "N > 0", "N == 0", "N * M == M", "N", "!N", "N >= M"})
    EXPECT_EQ(alone(Condition), "both") << Condition;
}

TEST(Arithmetic, ByOneAndByZeroIsNothing) {
  for (const char *Condition :
       {"N / 1 == N", "N % 1 == 0", "(N & 0) == 0", "(N & -1) == N",
        "(N | 0) == N", "(0 | N) == N", "(N ^ 0) == N", "(0 ^ N) == N",
        "N * 1 == N", "N * 0 == 0", "(N << 0) == N", "(N >> 0) == N"})
    EXPECT_EQ(alone(Condition), "always") << Condition;
}

TEST(Arithmetic, ShiftsMultiplyAndDivide) {
  for (const char *Condition : {"(N << 3) == 8 * N", "((8 * N) >> 3) == N",
                                "(N >> 2) == N / 4", "((N << 1) >> 1) == N"})
    EXPECT_EQ(alone(Condition), "always") << Condition;
  EXPECT_EQ(alone("(N << 3) == 4 * N"), "both");
}

TEST(Arithmetic, DivisionTakesMultiplesApart) {
  for (const char *Condition :
       {"(4 * N) % 4 == 0", "(4 * N + 3) % 4 == 3", "(4 * N + 3) / 4 == N",
        "(4 * N + 5) / 4 == N + 1", "(4 * N + 5) % 4 == 1",
        "(64 * N + T) / 64 == N", "(64 * N + T) % 64 == T",
        "(64 * N + T) / 32 == 2 * N + T / 32"})
    EXPECT_EQ(alone(Condition), "always") << Condition;
  // What is below the divisor stays below it; what is not may go over.
  EXPECT_EQ(alone("(32 * N + T) / 32 == N"), "both");
  EXPECT_EQ(alone("(2 * N) % 4 == 0"), "both");
}

TEST(Arithmetic, RemaindersAreBelowTheDivisor) {
  EXPECT_EQ(alone("N % 5 < 5"), "always");
  EXPECT_EQ(alone("N % 5 < 4"), "both");
  EXPECT_EQ(alone("N % 5 >= 0"), "always");
  EXPECT_EQ(alone("N % 5 >= 1"), "both");
  EXPECT_EQ(alone("(N & 7) < 8"), "always");
  EXPECT_EQ(alone("(N & 7) < 7"), "both");
  EXPECT_EQ(alone("(N & 7) == N % 8"), "always");
  EXPECT_EQ(alone("(7 & N) == N % 8"), "always");
  // No mask of low bits.
  EXPECT_EQ(alone("(N & 6) == N % 7"), "both");
}

TEST(Arithmetic, HighBitsAndLowBitsMakeTheNumber) {
  EXPECT_EQ(alone("(N & ~7) + N % 8 == N"), "always");
  EXPECT_EQ(alone("(N & ~7) + N % 4 == N"), "both");
  EXPECT_EQ(alone("(N & -8) == N - (N & 7)"), "always");
}

TEST(Arithmetic, TwoBuffersTakeTurns) {
  EXPECT_EQ(alone("N % 2 + (N + 1) % 2 == 1"), "always");
  EXPECT_EQ(alone("N % 2 == (N + 2) % 2"), "always");
  EXPECT_EQ(alone("N % 2 == (N + 1) % 2"), "never");
  EXPECT_EQ(alone("N % 2 == (3 * N) % 2"), "always");
  EXPECT_EQ(alone("(N ^ 1) % 2 == N % 2"), "never"); // says the solver
}

TEST(Arithmetic, OfMinimumAndMaximumTheBoundIsKnown) {
  EXPECT_EQ(alone("min(N, 4) <= 4"), "always");
  EXPECT_EQ(alone("min(N, 4) <= 3"), "both");
  EXPECT_EQ(alone("max(N, 4) >= 4"), "always");
  EXPECT_EQ(alone("max(N, 4) >= 5"), "both");
  EXPECT_EQ(alone("min(N, N + 1) == N"), "always");
  EXPECT_EQ(alone("min(N + 1, N) == N"), "always");
  EXPECT_EQ(alone("max(N, N + 1) == N + 1"), "always");
  EXPECT_EQ(alone("max(N + 1, N) == N + 1"), "always");
  EXPECT_EQ(alone("min(max(N, 0), 7) < 8"), "always");
  EXPECT_EQ(alone("min(max(N, 0), 7) >= 0"), "always");
}

TEST(Arithmetic, OneSideOfAMinimumOrMaximumDecides) {
  EXPECT_EQ(alone("(0 < min(2, N)) == (0 < N)"), "always");
  EXPECT_EQ(alone("3 < min(2, N)"), "never");
  EXPECT_EQ(alone("0 < max(2, N)"), "always");
  EXPECT_EQ(alone("(3 < max(N, 2)) == (3 < N)"), "always");
  EXPECT_EQ(alone("(min(N, 2) < 0) == (N < 0)"), "always");
  EXPECT_EQ(alone("min(2, N) < 3"), "always");
  EXPECT_EQ(alone("(max(2, N) < 3) == (N < 3)"), "always");
  EXPECT_EQ(alone("max(2, N) < 1"), "never");
}

TEST(Arithmetic, TypesWrapKnownNumbers) {
  for (const char *Condition :
       {"(char)(T + 256) == T", "(unsigned char)(T - 64) >= 192",
        "(unsigned)T - 64u > 63u", "-(unsigned)(T + 1) > 63u",
        "~(unsigned)T > 63u", "(short)(T + 65535) == T - 1",
        "(long long)T - 64 < 0", "(bool)(T + 1) == 1", "(bool)(2 * T + 2) == 1",
        "(unsigned char)255 + 1 == 256", "(signed char)(T + 128) < 0"})
    EXPECT_EQ(alone(Condition), "always") << Condition;
  EXPECT_EQ(alone("(bool)T == 1"), "both");
}

TEST(Arithmetic, UnknownNumbersKeepTheirNarrowRange) {
  EXPECT_EQ(alone("(bool)N <= 1"), "always");
  EXPECT_EQ(alone("(bool)N + 0 == 2"), "never");
  EXPECT_EQ(alone("(char)(N % 100) == N % 100"), "always");
  EXPECT_EQ(alone("(char)(N % 200) == N % 200"), "both");
  EXPECT_EQ(alone("(short)N == N"), "both");
  EXPECT_EQ(alone("(int)(unsigned)N == N"), "always");
}

TEST(Arithmetic, ADivisorIsPositiveFromThereOn) {
  for (const char *Body : {"int A = 8 / N;", "int A = 8 % N;"}) {
    EXPECT_EQ(behind(Body, "N > 0 * A"), "always") << Body;
    EXPECT_EQ(behind(Body, "N > 1 + 0 * A"), "both") << Body;
  }
  EXPECT_EQ(behind("int A = 8 * N;", "N > 0 * A"), "both");
  EXPECT_EQ(behind("int A = N / 8;", "N > 0 * A"), "both");
}

TEST(Arithmetic, LogicOnKnownAndUnknown) {
  EXPECT_EQ(alone("T < 64 || N"), "always");
  EXPECT_EQ(alone("T >= 64 || N > 0"), "both");
  EXPECT_EQ(alone("T >= 64 && N"), "never");
  EXPECT_EQ(alone("T < 64 && N == N"), "always");
  EXPECT_EQ(alone("T < 32 && T >= 32"), "never");
  EXPECT_EQ(alone("T < 32 || T >= 32"), "always");
  EXPECT_EQ(alone("N > 0 && N - N"), "never");
  EXPECT_EQ(alone("N > 0 || N == N"), "always");
  EXPECT_EQ(alone("!(T < 64)"), "never");
  EXPECT_EQ(alone("!(T < 0)"), "always");
  EXPECT_EQ(alone("!!(N > 0) == (N > 0)"), "always");
  EXPECT_EQ(alone("((T < 8) & (T < 16)) == (T < 8)"), "always");
  EXPECT_EQ(alone("((T < 8) | (T < 16)) == (T < 16)"), "always");
}

TEST(Arithmetic, AConditionalTakesOneSideInEachThread) {
  EXPECT_EQ(alone("(T < 32 ? 1 : 2) == 1 + T / 32"), "always");
  EXPECT_EQ(alone("(N > 0 ? 3 : 3) == 3"), "always");
  EXPECT_EQ(alone("(N > 0 ? 3 : 4) >= 3"), "always");
  EXPECT_EQ(alone("(N > 0 ? 3 : 4) <= 3"), "both");
  EXPECT_EQ(alone("(N > 0 ? N : 1) > 0"), "always");
  EXPECT_EQ(alone("(N > 0 ? N : 0) > 0"), "both");
  EXPECT_EQ(alone("(N < 8 ? N : 7) < 8"), "always");
  EXPECT_EQ(alone("(N < 8 ? N : 7) < 7"), "both");
  EXPECT_EQ(alone("(N >= 8 ? 8 : N) <= 8"), "always");
  EXPECT_EQ(alone("(8 > N ? N : 3) < 8"), "always");
  EXPECT_EQ(alone("(8 <= N ? N : 9) >= 8"), "always");
  EXPECT_EQ(alone("(8 <= N ? N : 9) >= 9"), "both");
  EXPECT_EQ(alone("(N > 0 && N < 4 ? N : 1) < 4"), "always");
  EXPECT_EQ(alone("(N > 0 && N < 4 ? N : 1) >= 1"), "always");
  EXPECT_EQ(alone("(T < 32 ? N : N + 1) >= N"), "always");
  EXPECT_EQ(alone("(T < 32 ? N : N + 1) > N"), "both");
  EXPECT_EQ(alone("(T < 64 ? 1 : N) == 1"), "always");
  EXPECT_EQ(alone("(T >= 64 ? N : 1) == 1"), "always");
}

TEST(Arithmetic, OfARemainderByZeroNothingIsKnown) {
  EXPECT_EQ(behind("int A = N % (T - T);", "A < 0"), "both");
}
