//===- WarpsTest.cpp - Shuffles, votes and who is asked -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Warps, AShuffleTakesTheNumberOfALane) {
  for (const char *Condition :
       {"__shfl_sync(~0u, T, 0) == T / 32 * 32",
        "__shfl_sync(~0u, T, 5) == T / 32 * 32 + 5",
        "__shfl_sync(~0u, T, T % 32) == T",
        "__shfl_sync(~0u, T, 33) == T / 32 * 32 + 1",
        "__shfl_sync(~0u, T, 1, 8) == T / 8 * 8 + 1",
        "__shfl_sync(~0u, N, T % 32) == N",
        "__shfl_sync(~0u, T + N, 0) == T / 32 * 32 + N"})
    EXPECT_EQ(behind("", Condition), "always") << Condition;
  EXPECT_EQ(behind("", "__shfl_sync(~0u, T, 0) == 0"), "both");
  EXPECT_EQ(behind("", "__shfl_sync(~0u, T, N) == T"), "both");
}

TEST(Warps, AShuffleUpOrDownStaysInItsSegment) {
  for (const char *Condition :
       {"__shfl_up_sync(~0u, T, 1) == (T % 32 ? T - 1 : T)",
        "__shfl_up_sync(~0u, T, 31) == (T % 32 < 31 ? T : T - 31)",
        "__shfl_down_sync(~0u, T, 1) == (T % 32 < 31 ? T + 1 : T)",
        "__shfl_down_sync(~0u, T, 31) == (T % 32 ? T : T + 31)",
        "__shfl_up_sync(~0u, T, 1, 4) == (T % 4 ? T - 1 : T)",
        "__shfl_down_sync(~0u, T, 1, 4) == (T % 4 < 3 ? T + 1 : T)",
        "__shfl_xor_sync(~0u, T, 1) == (T ^ 1)",
        "__shfl_xor_sync(~0u, T, 16) == (T ^ 16)",
        "__shfl_xor_sync(~0u, 3 * T, 7) == 3 * (T ^ 7)",
        "__shfl_xor_sync(~0u, T, 3, 4) == (T ^ 3)"})
    EXPECT_EQ(behind("", Condition), "always") << Condition;
}

TEST(Warps, AShuffleFromOneLaneIsTheSameInAWarp) {
  const char *Body = "int A = ((const int *)In)[T];"
                     "int B = __shfl_sync(~0u, A, 3);"
                     "int C = __shfl_sync(~0u, B, 9);";
  EXPECT_EQ(behind(Body, "B == C"), "always");
  EXPECT_EQ(behind(Body, "A == B"), "both");
}

TEST(Warps, AVoteAsksTheWarp) {
  for (const char *Condition :
       {"__any_sync(~0u, T == 40) == (T >= 32)", "__any_sync(~0u, T < 64)",
        "!__any_sync(~0u, T > 63)", "__all_sync(~0u, T < 32) == (T < 32)",
        "__all_sync(~0u, T < 64)", "!__all_sync(~0u, T % 32 < 31)",
        "__ballot_sync(~0u, T % 32 == 3) == 8",
        "__ballot_sync(~0u, T == 3) == (T < 32 ? 8 : 0)",
        "__ballot_sync(~0u, T >= 0) == 4294967295u"})
    EXPECT_EQ(behind("", Condition), "always") << Condition;
}

TEST(Warps, OnlyThoseOfTheMaskAreAsked) {
  for (const char *Condition :
       {"!__any_sync(0xf, T % 32 == 4)", "__any_sync(0x1f, T % 32 == 4)",
        "__all_sync(0xf, T % 32 < 4)", "!__all_sync(0x1f, T % 32 < 4)",
        "__ballot_sync(0xc, T >= 0) == 12"})
    EXPECT_EQ(behind("", Condition), "always") << Condition;
}

TEST(Warps, OnlyThoseThatAreThereAreAsked) {
  EXPECT_EQ(behind("int A = 0; if (T % 32 < 4) A = __ballot_sync(0xf, 1);",
                   "A == (T % 32 < 4 ? 15 : 0)"),
            "always");
  EXPECT_EQ(
      behind("int A = 1; if (T % 32 < 4) A = __any_sync(~0u, T % 32 > 3);",
             "A == (T % 32 < 4 ? 0 : 1)"),
      "always");
}

TEST(Warps, VotesOnWhatNobodyKnows) {
  EXPECT_EQ(behind("", "__any_sync(~0u, N > 0) == (N > 0)"), "always");
  EXPECT_EQ(behind("", "__all_sync(~0u, N > 0) == (N > 0)"), "always");
  EXPECT_EQ(behind("", "__any_sync(~0u, N > 0) == 1"), "both");
  EXPECT_EQ(behind("", "__any_sync(~0u, N > T)"), "both");
  EXPECT_EQ(behind("if (N > 63) SYNC; else return;", "__all_sync(~0u, N > T)"),
            "always");
  EXPECT_EQ(behind("if (N > 62) SYNC; else return;", "__all_sync(~0u, N > T)"),
            "both");
}

TEST(Warps, WhereAVoteFailsSoDoesItsPredicate) {
  EXPECT_EQ(behind("if (__any_sync(~0u, N > T)) return; SYNC;", "N > T"),
            "never");
  EXPECT_EQ(behind("if (!__all_sync(~0u, N > T)) return; SYNC;", "N > T"),
            "always");
  // In some thread is not in each.
  EXPECT_EQ(behind("if (!__any_sync(~0u, N > T)) return; SYNC;", "N > T"),
            "both");
}

TEST(Warps, ABallotIsZeroWhereNobodyHolds) {
  EXPECT_EQ(behind("unsigned A = __ballot_sync(~0u, N > T);"
                   "if (A) return; SYNC;",
                   "N > T + 0 * A"),
            "never");
  EXPECT_EQ(behind("unsigned A = __ballot_sync(~0u, N > T);"
                   "if (A == 0) return; SYNC;",
                   "N > T + 0 * A"),
            "both");
}

TEST(Warps, MatchingFindsThoseOfTheSameNumber) {
  for (const char *Condition :
       {"__match_any_sync(~0u, T) == 1u << T % 32",
        "__match_any_sync(~0u, T % 2) == (T % 2 ? 0xaaaaaaaau : 0x55555555u)",
        "__match_any_sync(~0u, N) == ~0u", "__match_any_sync(0xf, N) == 15"})
    EXPECT_EQ(behind("", Condition), "always") << Condition;
}

TEST(Warps, WhoIsActiveIsTheSameInAWarp) {
  EXPECT_EQ(found("if (__activemask() == ~0u) { COPY(Tile, In); COMMIT;"
                  "WAIT(0); }"),
            "");
  EXPECT_EQ(behind("unsigned A = __activemask();", "A == ~0u"), "both");
}

TEST(Warps, BarriersThatCount) {
  EXPECT_EQ(behind("", "__syncthreads_or(T == 40)"), "always");
  EXPECT_EQ(behind("", "__syncthreads_or(T == 64)"), "never");
  EXPECT_EQ(behind("", "__syncthreads_and(T < 64)"), "always");
  EXPECT_EQ(behind("", "__syncthreads_and(T < 63)"), "never");
  EXPECT_EQ(behind("", "__syncthreads_count(T < 40) == 40"), "always");
  EXPECT_EQ(behind("", "__syncthreads_count(T > 40) == 23"), "always");
  EXPECT_EQ(behind("", "__syncthreads_or(N > 0) == (N > 0)"), "always");
  EXPECT_EQ(behind("int A = __syncthreads_count(N > 0);", "A == 0 || A == 64"),
            "always");
  EXPECT_EQ(behind("if (!__syncthreads_and(N > T)) return;", "N > 63"),
            "always");
  EXPECT_EQ(behind("if (!__syncthreads_or(N > T)) return;", "N > 63"), "both");
}

TEST(Warps, BarriersThatCountAreBarriers) {
  for (const char *Barrier : {"__syncthreads()", "__syncthreads_or(T)",
                              "__syncthreads_and(T)", "__syncthreads_count(T)"})
    EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n" +
                    std::string(Barrier) + ";\nUSE(Tile[4 * (T ^ 32)]);"),
              "")
        << Barrier;
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                  "__syncwarp();\nUSE(Tile[4 * (T ^ 32)]);"),
            "UnsynchronizedRead copy:1 wait:3 read:5");
}
