//===- LoopsTest.cpp - Loops that settle, and what is found in them -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Loops, OfAnUnknownNumberOfRoundsSettles) {
  EXPECT_EQ(found(R"(
    for (int K = 0; K < N; ++K) {
      COPY(Tile + 4 * T, In + 4 * T + 256 * K);
      COMMIT;
      WAIT(0);
      SYNC;
      USE(Tile[T]);
      SYNC;
    })"),
            "");
}

TEST(Loops, TheSecondRoundOverwritesWhatTheFirstOneReads) {
  EXPECT_EQ(found(R"(
    for (int K = 0; K < N; ++K) {
      COPY(Tile + 4 * T, In + 4 * T + 256 * K);
      COMMIT;
      WAIT(0);
      SYNC;
      USE(Tile[T]);
    })"),
            "maybe Overwrite(StillRead) read:7 write:3 barrier:6");
}

TEST(Loops, CountersAreKnownBehindThem) {
  const char *Body = "int A = 0; for (int K = 0; K < 10; ++K) A += 3;";
  EXPECT_EQ(behind(Body, "A == 30"), "always");
  EXPECT_EQ(behind(Body, "A < 30"), "never");
  Body = "int A = 0; for (int K = 0; K < N; ++K) A += 3;";
  EXPECT_EQ(behind(Body, "A == 3"), "both");
  EXPECT_EQ(behind(Body, "A == 300"), "both");
  EXPECT_EQ(behind(Body, "A == 301"), "never");
  Body = "int A = 5; while (A < N) A += 3;";
  EXPECT_EQ(behind(Body, "A > 4"), "always");
  EXPECT_EQ(behind(Body, "A > 4000"), "both");
}

TEST(Loops, OfSomeThreadsFillALocalArray) {
  const char *Body = "int A[3] = {};"
                     "if (T < 32) for (int I = 0; I < 3; ++I) A[I] = 2;";
  EXPECT_EQ(behind(Body, "A[1] == (T < 32 ? 2 : 0)"), "always");
}

TEST(Loops, OfKnownRoundsAreRunToTheirEnd) {
  EXPECT_EQ(
      behind("int A = 0; for (int K = 0; K < 100; ++K) A += K % 3;", "A == 99"),
      "always");
  EXPECT_EQ(behind("int A = 0, K = 0; while (true) { if (++K > 7) break;"
                   "if (K % 2) continue; A += K; }",
                   "A == 12 && K == 8"),
            "always");
  EXPECT_EQ(behind("int A = 0; do ++A; while (A < 5);", "A == 5"), "always");
  EXPECT_EQ(behind("int A = 0; for (int I = 0; I < 3; ++I)"
                   "for (int J = 0; J <= I; ++J) ++A;",
                   "A == 6"),
            "always");
  EXPECT_EQ(behind("int A = 0; for (int K = T; K < 64; K += 32) ++A;",
                   "A == (T < 32 ? 2 : 1)"),
            "always");
}

TEST(Loops, TheirEndIsKnownBehindThem) {
  EXPECT_EQ(behind("int K = 0; for (; K < N; ++K) SYNC;", "K >= N"), "always");
  EXPECT_EQ(behind("int K = 0; while (K * 4 < N) { SYNC; ++K; }", "K * 4 < N"),
            "never");
}

TEST(Loops, WhatDoesNotGrowByAConstantIsNotSkippedOver) {
  // 3 to the power of 50 is -1 modulo 101.
  EXPECT_EQ(behind("int A = 2; for (int K = 0; K < 50; ++K) A = A * 3 % 101;",
                   "A == 99"),
            "always");
}

TEST(Loops, WhatWasKnownOfANumberIsNotKnownOfTheNext) {
  EXPECT_EQ(behind("int X = N; for (int K = 0; K < 8; ++K) {"
                   "if (X < 7) return; SYNC; X = X * M + N; }",
                   "X < 7"),
            "both");
}

TEST(Loops, GoOnWithTheObjectWhoseMethodIsCalled) {
  EXPECT_EQ(found("const Box All[2] = {{0}, {256}};\n"
                  "int Which = 0;\nfor (int K = 0; K < N; ++K) {\n"
                  "fetch(Tile + 4 * T, In, All, Which);\nWhich ^= 1;\n}\n"
                  "COMMIT;\nUSE(Tile[256 + 4 * T]);\nWAIT(0);",
                  "struct Box { int At;"
                  " __device__ int at() const { return At; } };"
                  "__device__ void fetch(float *To, const float *From,"
                  " const Box *All, int Which) {"
                  " COPY(To + All[Which].at(), From); }"),
            "maybe ReadInFlight(NeverWaited) copy:4 commit:7 read:8");
}

TEST(Loops, ANumberThatIsItsOwnConditionEndsThem) {
  EXPECT_EQ(behind("int A = 0; for (int K = 100; K; --K) if (A < 10000) ++A;",
                   "A == 100"),
            "always");
}

TEST(Loops, UpToANumberThatIsMadeOfItself) {
  EXPECT_EQ(behind("int X = X; for (int K = 0; K < X; ++K) SYNC;", "true"),
            "always");
  EXPECT_EQ(behind("int X = X + N; for (int K = 0; K < X; ++K) SYNC;", "true"),
            "always");
}

TEST(Loops, NothingIsFoundBehindTheStepBudget) {
  const std::string Body = "for (int K = 0; K < 100; ++K) SYNC;\n"
                           "__pipeline_memcpy_async(Tile, In, 17);";
  EXPECT_EQ(analyzeBody(Body).Findings.size(), 1u);
  AnalysisOptions Few;
  Few.StepBudget = 20;
  const SnippetResult R = analyzeBody(Body, "", Few);
  EXPECT_TRUE(R.Findings.empty());
  ASSERT_EQ(R.Gaps.size(), 1u);
  EXPECT_EQ(R.Gaps[0].substr(R.Gaps[0].find(' ')),
            " step budget of 20 exceeded");
}

// Registers only, however many: what is never come to behind the choices of an
// instance says nothing of the others.
TEST(Loops, WhatIsNeverComeToIsNoReasonToRunThem) {
  const std::string Before = "template <int I> __device__ int part(int K) {\n"
                             "if constexpr (I == 0) return K;\n"
                             "else if constexpr (I == 1) return 2 * K;\n"
                             "__builtin_unreachable();\n}\n";
  AnalysisOptions Few;
  Few.StepBudget = 100;
  const auto Gaps = [&](const std::string &Round) {
    return analyzeBody("int X = 0;\nfor (int K = 0; K < 1000; ++K) {" + Round +
                           "}\nUSE(X);\n"
                           "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);",
                       Before, Few)
        .Gaps;
  };
  EXPECT_EQ(Gaps("X += part<0>(K) + part<1>(K);"), std::vector<std::string>{});
  // A side of a condition that is never taken says what the number is.
  EXPECT_EQ(Gaps("if (X < K - 1) __builtin_unreachable(); X += K;").size(), 1u);
}

// Where threads give up waiting a path goes on beside the others: whatever the
// budget ends there, the others are not lost without a word.
TEST(Loops, NoPathIsLostBesideThoseWhoGiveUp) {
  const std::string Body =
      "__shared__ unsigned long long B;\n"
      "const unsigned At = (unsigned)__cvta_generic_to_shared(&B);\n"
      "if (T == 0) {\n"
      "asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" ::\"r\"(At));\n"
      "asm volatile(\"mbarrier.arrive.shared::cta.b64 _, [%0];\" "
      "::\"r\"(At));\n"
      "}\nSYNC;\nif (N > 3) COMMIT;\nint Done = 0;\n"
      "for (int I = 0; I < 100; ++I) {\n"
      "asm volatile(\"{ .reg .pred p;\\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\\n"
      "selp.u32 %0, 1, 0, p; }\" : \"=r\"(Done) : \"r\"(At));\n"
      "if (Done) break;\n}\n"
      "if (N > 3)\n__pipeline_memcpy_async(Tile, In, 17);";
  ASSERT_EQ(analyzeBody(Body).Findings.size(), 1u);
  ASSERT_TRUE(analyzeBody(Body).Gaps.empty());
  AnalysisOptions Few;
  for (Few.StepBudget = 10; Few.StepBudget < 3000; Few.StepBudget += 10) {
    const SnippetResult R = analyzeBody(Body, "", Few);
    EXPECT_TRUE(!R.Gaps.empty() || R.Findings.size() == 1) << Few.StepBudget;
  }
}

TEST(Loops, ANumberThatNeverRepeatsDoesNotKeepThemFromSettling) {
  const std::string Loop = "int X = N;\nfor (int K = 0; K < M; ++K) {\n";
  EXPECT_EQ(found(Loop + "if (X < 5)\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n"
                         "X = X * 3;\nWAIT(0);\n}"),
            "");
  EXPECT_EQ(found("const float *P = In;\n" + Loop +
                  "COPY(Tile + 4 * T, P);\nCOMMIT;\nP += 4 * X;\n"
                  "X = X * 3;\nWAIT(0);\n}"),
            "");
}

// Nobody launches a kernel for no work.
TEST(Loops, AreRunIfOnlyAGivenNumberSaysOtherwise) {
  auto WaitedFor = [](const std::string &Rounds,
                      const std::string &Before = "") {
    return found(Before + "COPY(Tile + 4 * T, In);\nCOMMIT;\nfor (" + Rounds +
                 ") {\nWAIT(0);\n}\nUSE(Tile[4 * T]);")
        .empty();
  };
  EXPECT_TRUE(WaitedFor("int K = 0; K < N; ++K"));
  EXPECT_TRUE(WaitedFor("int K = 0; K < N / 4; ++K"));
  // Nor for blocks behind the last that has some; but a list that blocks share
  // may be at its end.
  EXPECT_TRUE(WaitedFor("int K = 0; K < N - 64 * int(blockIdx.x); ++K"));
  EXPECT_TRUE(WaitedFor("int K = 64 * int(blockIdx.x) - N; K < 0; ++K"));
  EXPECT_FALSE(WaitedFor("int K = 0; K < N - int(blockIdx.x); ++K"));
  EXPECT_FALSE(WaitedFor("int K = 0; K < N + 64 * int(blockIdx.x); ++K"));
  EXPECT_FALSE(WaitedFor("int K = 2; K < N - 64 * int(blockIdx.x); ++K"));
  // Nor where it has looked whether there is any.
  const std::string Loaded = "const int A = *(const int *)In;\n",
                    Rounds = "int K = 0; K < A / 4; ++K";
  EXPECT_FALSE(WaitedFor(Rounds, Loaded));
  EXPECT_TRUE(WaitedFor(Rounds, Loaded + "if (A == 0) return;\n"));
  EXPECT_FALSE(WaitedFor("int K = 0; K != N; ++K"));
  EXPECT_FALSE(WaitedFor("int K = N; K < M; ++K"));
}
