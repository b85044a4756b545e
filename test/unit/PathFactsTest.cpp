//===- PathFactsTest.cpp - What a path knows of numbers -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// Whether \p Condition holds where \p Known does.
static std::string where(const std::string &Known,
                         const std::string &Condition) {
  return behind("if (!(" + Known + ")) return; SYNC;", Condition);
}

TEST(PathFacts, ABoundIsExact) {
  EXPECT_EQ(where("N < 5", "N < 5"), "always");
  EXPECT_EQ(where("N < 5", "N <= 4"), "always");
  EXPECT_EQ(where("N < 5", "N < 4"), "both");
  EXPECT_EQ(where("N < 5", "N > 4"), "never");
  EXPECT_EQ(where("N <= 5", "N < 6"), "always");
  EXPECT_EQ(where("N <= 5", "N < 5"), "both");
  EXPECT_EQ(where("N > 5", "N >= 6"), "always");
  EXPECT_EQ(where("N > 5", "N >= 7"), "both");
  EXPECT_EQ(where("N >= 5", "N > 4"), "always");
  EXPECT_EQ(where("N >= 5", "N > 5"), "both");
  EXPECT_EQ(where("N == 5", "N == 5"), "always");
  EXPECT_EQ(where("N == 5", "N != 5"), "never");
  EXPECT_EQ(where("N != 5", "N == 5"), "never");
  EXPECT_EQ(where("N != 5", "N == 6"), "both");
}

TEST(PathFacts, BoundsMeet) {
  EXPECT_EQ(where("N >= 5 && N <= 5", "N == 5"), "always");
  EXPECT_EQ(where("N > 5 && N < 7", "N == 6"), "always");
  EXPECT_EQ(where("N > 5 && N < 8", "N == 6"), "both");
  EXPECT_EQ(where("N > 5 && N < 6", "N == 6"), "");
  EXPECT_EQ(where("N >= 0 && N < 2 && N != 0", "N == 1"), "always");
  EXPECT_EQ(where("N != 0 && N != 1 && N >= 0", "N >= 2"), "always");
  EXPECT_EQ(where("N != 0 && N != 1 && N >= 0", "N >= 3"), "both");
}

TEST(PathFacts, OfMultiplesAreRoundedInwards) {
  EXPECT_EQ(where("2 * N < 5", "N <= 2"), "always");
  EXPECT_EQ(where("2 * N < 5", "N <= 1"), "both");
  EXPECT_EQ(where("2 * N > 5", "N >= 3"), "always");
  EXPECT_EQ(where("2 * N > 5", "N >= 4"), "both");
  EXPECT_EQ(where("-3 * N < -5", "N >= 2"), "always");
  EXPECT_EQ(where("-3 * N < -5", "N >= 3"), "both");
  EXPECT_EQ(where("2 * N == 5", "N == N + 0 * M"), "");
}

TEST(PathFacts, OfDifferences) {
  EXPECT_EQ(where("N < M", "M > N"), "always");
  EXPECT_EQ(where("N < M", "N + 1 <= M"), "always");
  EXPECT_EQ(where("N < M", "N + 1 < M"), "both");
  EXPECT_EQ(where("N < M", "N >= M"), "never");
  EXPECT_EQ(where("N < M", "N - M < 0"), "always");
  EXPECT_EQ(where("N < M", "2 * N < 2 * M"), "always");
  EXPECT_EQ(where("N == M", "N - M == 0"), "always");
}

TEST(PathFacts, OfSumsTellOfTheirParts) {
  EXPECT_EQ(where("N >= 2 && M >= 3", "N + M >= 5"), "always");
  EXPECT_EQ(where("N >= 2 && M >= 3", "N + M >= 6"), "both");
  EXPECT_EQ(where("N >= 2 && M <= 3", "N - M >= -1"), "always");
  EXPECT_EQ(where("N >= 2 && M <= 3", "N - M >= 0"), "both");
}

TEST(PathFacts, OfQuotients) {
  EXPECT_EQ(where("N / 4 >= 2", "N >= 8"), "always");
  EXPECT_EQ(where("N / 4 >= 2", "N >= 9"), "both");
  EXPECT_EQ(where("N / 4 < 2", "N < 8"), "always");
  EXPECT_EQ(where("N / 4 < 2", "N < 7"), "both");
  EXPECT_EQ(where("N >= 8", "N / 4 >= 2"), "always");
  EXPECT_EQ(where("N >= 8", "N / 4 >= 3"), "both");
  EXPECT_EQ(where("N >= 0 && N <= 7", "N / 4 <= 1"), "always");
  EXPECT_EQ(where("N >= 0 && N <= 8", "N / 4 <= 1"), "both");
}

TEST(PathFacts, OfQuotientsByTheirDividends) {
  // The last tile: N is at most a tile's length beyond M tiles.
  const std::string Last = "M >= 0 && M < (N + 63) / 64 && N - M * 64 < 64";
  EXPECT_EQ(where(Last, "M + 1 < (N + 63) / 64"), "never");
  EXPECT_EQ(where("M >= 0 && M < (N + 63) / 64 && N - M * 64 < 65",
                  "M + 1 < (N + 63) / 64"),
            "never");
  EXPECT_EQ(where("M >= 0 && M < (N + 63) / 64 && N - M * 64 < 66",
                  "M + 1 < (N + 63) / 64"),
            "both");
  // One before it.
  EXPECT_EQ(where("M >= 0 && N - M * 64 > 64", "M + 1 < (N + 63) / 64"),
            "always");
  EXPECT_EQ(where("M >= 0 && N - M * 64 > 63", "M + 1 < (N + 63) / 64"),
            "both");
  // There is something left for a tile that there is.
  EXPECT_EQ(where("M >= 0 && M < (N + 63) / 64", "N - M * 64 > 0"), "always");
  EXPECT_EQ(where("M >= 0 && M < (N + 63) / 64", "N - M * 64 > 1"), "both");
  EXPECT_EQ(where("M >= 0 && M < (N + 63) / 64", "M * 64 - N < 0"), "always");
  EXPECT_EQ(where("M >= 0 && M < (N + 62) / 64", "N - M * 64 > 1"), "always");
  EXPECT_EQ(where("M < (N + 63) / 64", "N - M * 64 > 0"), "both");
  // What is left over of a negative number is negative.
  EXPECT_EQ(where("N - M * 64 < 64", "M + 1 < (N + 63) / 64"), "both");
}

TEST(PathFacts, OfRemainders) {
  EXPECT_EQ(where("N % 4 == 0 && N > 0", "N >= 4"), "always");
  EXPECT_EQ(where("N % 4 == 0 && N > 0", "N >= 5"), "both");
  EXPECT_EQ(where("N % 2 == 1", "(N + 1) % 2 == 0"), "always");
  EXPECT_EQ(where("N % 2", "N % 2 == 1"), "always");
  EXPECT_EQ(where("!(N % 2)", "N % 2 == 1"), "never");
}

TEST(PathFacts, AndOrNot) {
  EXPECT_EQ(where("N > 0 && M > 0", "N > 0"), "always");
  EXPECT_EQ(where("N > 0 && M > 0", "M > 0"), "always");
  EXPECT_EQ(where("N > 0 || M > 0", "N > 0"), "both");
  EXPECT_EQ(where("!(N > 0 || M > 0)", "N > 0"), "never");
  EXPECT_EQ(where("!(N > 0 && M > 0)", "N > 0 && M > 0"), "never");
  EXPECT_EQ(where("N <= 0 && (N > 0 || M > 0)", "M > 0"), "always");
  EXPECT_EQ(where("N > 0 && !(N > 0 && M > 0)", "M > 0"), "never");
}

TEST(PathFacts, ABoundForAllThreadsIsThatOfTheLast) {
  EXPECT_EQ(where("__all_sync(~0u, T < N)", "N >= 64"), "always");
  EXPECT_EQ(where("__all_sync(~0u, T < N)", "N >= 65"), "both");
  EXPECT_EQ(where("!__any_sync(~0u, T < N - 8)", "N <= 8"), "always");
  EXPECT_EQ(where("!__any_sync(~0u, T < N - 8)", "N < 8"), "both");
}

TEST(PathFacts, OfMinimaAndMaxima) {
  EXPECT_EQ(where("N > 3", "max(N, 2) > 3"), "always");
  EXPECT_EQ(where("N > 3", "min(N, 5) >= 4"), "always");
  EXPECT_EQ(where("N > 3", "min(N, 5) >= 5"), "both");
  EXPECT_EQ(where("N < 3", "min(N, 5) < 3"), "always");
  EXPECT_EQ(where("N < 3", "max(N, 1) < 3"), "always");
  EXPECT_EQ(where("N < 3", "max(N, 1) < 2"), "both");
  // An address is no number.
  EXPECT_EQ(behind("SYNC;", "min((int)(size_t)Tile, 3) == 3"), "both");
}

TEST(PathFacts, WhichOfTwoIsTheSmallerMayBeDecided) {
  EXPECT_EQ(where("N >= 8", "min(N, 8) == 8"), "always");
  EXPECT_EQ(where("N < 8 && N > M", "min(N, 8) > M"), "always");
  EXPECT_EQ(where("N < 9 && N > M", "min(8, N) > M"), "always");
  EXPECT_EQ(where("N < 10 && N > M", "min(8, N) > M"), "both");
  EXPECT_EQ(where("N > 8 && N > M", "max(8, N) > M"), "always");
  EXPECT_EQ(where("N < 8", "max(8, N) == 8"), "always");
}

// Below a minimum is what is below both, above one what is above either.
TEST(PathFacts, OfExtremesTellOfWhatTheyAreOf) {
  EXPECT_EQ(where("min(N, 8) > 3", "N > 3"), "always");
  EXPECT_EQ(where("min(N, 8) > 3", "N > 4"), "both");
  EXPECT_EQ(where("min(N, 8) > 9", "N > 3"), "");
  EXPECT_EQ(where("min(8, N) < 5", "N < 5"), "always");
  EXPECT_EQ(where("min(8, N) < 9", "N < 9"), "both");
  EXPECT_EQ(where("max(N, 2) < 5", "N < 5"), "always");
  EXPECT_EQ(where("max(N, 2) < 5", "N < 4"), "both");
  EXPECT_EQ(where("max(N, 2) < 2", "N < 5"), "");
  EXPECT_EQ(where("max(2, N) > 5", "N > 5"), "always");
  EXPECT_EQ(where("max(2, N) > 1", "N > 1"), "both");
  EXPECT_EQ(where("N > 3", "min(N, 8) > 3"), "always");
  EXPECT_EQ(where("N < 5", "max(N, 2) < 5"), "always");
  EXPECT_EQ(where("min(N, 8) >= M && M > 8", "N > 3"), "");
  EXPECT_EQ(where("min(N, M) > 3", "M > 3"), "always");
}

TEST(PathFacts, OfWhatAConditionChose) {
  EXPECT_EQ(where("N > 3", "(N > 2 ? 1 : 0) == 1"), "always");
  EXPECT_EQ(where("N > 3", "(N > 4 ? 1 : 0) == 1"), "both");
  EXPECT_EQ(where("(N > 3 ? 1 : 2) == 1", "(N > 3 ? 7 : 8) == 7 + 0 * M"),
            "always"); // says the solver
}

// N / M is at least 1 where M divides an N above 0, and only there.
TEST(PathFacts, OfQuotientsThatAreRoundedUp) {
  for (const char *Tiles :
       {"N % 4 == 0 ? N / 4 : N / 4 + 1", "N % 4 != 0 ? N / 4 + 1 : N / 4",
        "N % 4 ? N / 4 + 1 : N / 4", "!(N % 4) ? N / 4 : N / 4 + 1",
        "(N + 3) / 4"}) {
    const std::string IsSome = "(" + std::string(Tiles) + ") >= 1";
    EXPECT_EQ(where("N > 0", IsSome), "always") << Tiles;
    EXPECT_EQ(where("N >= 0", IsSome), "both") << Tiles;
  }
  for (const char *Tiles :
       {"N % 4 != 0 ? N / 4 : N / 4 + 1", "N % 4 == 0 ? N / 4 + 1 : N / 4",
        "N % 4 ? N / 4 : N / 4 + 1", "M > 3 ? N / 4 : N / 4 + 1",
        "N % 5 == 0 ? N / 8 : N / 4 + 1", "N / 4"})
    EXPECT_EQ(where("N > 0", "(" + std::string(Tiles) + ") >= 1"), "both")
        << Tiles;
}

TEST(PathFacts, OfConditionsThatAreCombinedBitByBit) {
  EXPECT_EQ(where("(N > 3) & (M > 2)", "N > 3 && M > 2"), "always");
  EXPECT_EQ(where("!((N > 3) | (M > 2))", "N > 3 || M > 2"), "never");
  EXPECT_EQ(where("(N > 3) | (M > 2)", "N > 3"), "both");
}
