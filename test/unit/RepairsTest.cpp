//===- RepairsTest.cpp - Edits that are offered ---------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// The edits that are offered for what is found in \p Body, as "3: 0": in which
/// line, and what is written there.
static std::string repairs(const std::string &Body) {
  std::string Text;
  for (const std::string &Each : analyzeBody(Body).Repairs)
    Text += (Text.empty() ? "" : "; ") + Each;
  return Text;
}

static std::string copy() { return "COPY(Tile + 4 * T, In + 4 * T);\n"; }
static std::string use() { return "USE(Tile[4 * T]);"; }
static constexpr char WaitAll[] =
    R"(asm volatile("cp.async.wait_all;" ::: "memory"))";
static constexpr char Commit[] =
    R"(asm volatile("cp.async.commit_group;" ::: "memory"))";

TEST(Repairs, AWaitBeforeOnesOwnDataIsRead) {
  EXPECT_EQ(repairs(copy() + "COMMIT;\n" + use()),
            "3: " + std::string(WaitAll));
  EXPECT_EQ(repairs("__pipeline_memcpy_async(Tile + 4 * T, In, 16);\n"
                    "__pipeline_commit();\n" +
                    use()),
            "3: __pipeline_wait_prior(0)");
  EXPECT_EQ(repairs(copy() + "COMMIT;\nWAIT(0);\n" + use()), "");
}

TEST(Repairs, AWaitBeforeOnesOwnDataInASlotIsRead) {
  auto InSlot = [](const std::string &Slot) {
    const std::string Place = "4 * T + 256 * (" + Slot + ")";
    return repairs("COPY(Tile + " + Place + ", In);\nCOMMIT;\nUSE(Tile[" +
                   Place + "]);");
  };
  EXPECT_EQ(InSlot("N & 1"), "3: " + std::string(WaitAll));
  // Whose the bytes are hangs on what nobody knows.
  EXPECT_EQ(InSlot("(N & 1) * (T & 1)"), "");
}

TEST(Repairs, AWaitBeforeTheBarrierThatOrdersOthersData) {
  const std::string Others = "USE(Tile[4 * (T ^ 32)]);";
  EXPECT_EQ(repairs(copy() + "COMMIT;\nSYNC;\n" + Others),
            "3: " + std::string(WaitAll));
  // There is no such barrier, or only some threads come to it.
  EXPECT_EQ(repairs(copy() + "COMMIT;\n" + Others), "");
  EXPECT_EQ(repairs("SYNC;\n" + copy() + "COMMIT;\n" + Others), "");
  // The barrier comes before a copy that is read.
  EXPECT_EQ(repairs("SYNC;\n" + copy() + "COMMIT;\n" + use()),
            "4: " + std::string(WaitAll));
}

TEST(Repairs, NoneWhereNothingCanBeInserted) {
  EXPECT_EQ(repairs(copy() + "COMMIT;\nif (T < 64)\n" + use()), "");
  EXPECT_EQ(repairs(copy() + "COMMIT;\nif (T < 64) {\n" + use() + "\n}"),
            "4: " + std::string(WaitAll));
}

// Others may call it too.
TEST(Repairs, AHelperIsNoPlaceForAWaitButALambdaIs) {
  const std::string Reads = "Out[0] = P[0];\nOut[1] = 3;\n}",
                    Copy = copy() + "COMMIT;\n";
  EXPECT_EQ(
      analyzeBody(Copy + "get(Out, Tile + 4 * T);",
                  "__device__ void get(float *Out, const float *P) {\n" + Reads)
          .Repairs,
      std::vector<std::string>());
  EXPECT_EQ(repairs("auto Get = [&](const float *P) {\n" + Reads + ";\n" +
                    Copy + "Get(Tile + 4 * T);"),
            "2: " + std::string(WaitAll));
}

TEST(Repairs, ASmallerCount) {
  EXPECT_EQ(repairs(copy() + "COMMIT;\nWAIT(1);\n" + use()), "3: 0");
  EXPECT_EQ(repairs(copy() + "COMMIT;\nWAIT(7);\n" + use()), "3: 0");
  EXPECT_EQ(repairs(copy() + "COMMIT;\nCOMMIT;\nWAIT(2);\n" + use()), "4: 1");
  EXPECT_EQ(repairs(copy() + "COMMIT;\nCOMMIT;\nWAIT(1);\n" + use()), "");
  // The newest group that is read decides.
  EXPECT_EQ(repairs(copy() + "COMMIT;\nCOPY(Tile + 256 + 4 * T, In);\nCOMMIT;\n"
                             "COMMIT;\nWAIT(3);\n"
                             "USE(((float4 *)Tile)[T].x);"),
            "6: 2");
}

TEST(Repairs, ASmallerCountForAllThatIsRead) {
  const std::string First = "__pipeline_memcpy_async(Tile + 4 * T, In, 8);\n"
                            "COMMIT;\n",
                    Second = "__pipeline_memcpy_async(Tile + 4 * T + 2, In, 8);"
                             "\nCOMMIT;\n",
                    Both = "((float4 *)Out)[T] = ((float4 *)Tile)[T];";
  EXPECT_EQ(repairs(First + Second + "WAIT(2);\n" + Both), "5: 0");
  EXPECT_EQ(repairs(First + Second + "WAIT(2);\nUSE(Tile[4 * T]);"), "5: 1");
  // What comes behind the wait, it does not complete.
  EXPECT_EQ(repairs(First + "WAIT(1);\n" + Second + Both), "");
}

// Behind its loop, a wait of one's own does: it costs nothing in the rounds.
TEST(Repairs, ASmallerCountOrAWaitBehindTheLoop) {
  const std::string Round =
      "for (int I = 0; I < 4; ++I) {\n" + copy() + "COMMIT;\nWAIT(1);\n";
  EXPECT_EQ(repairs(Round + use() + "\n}"), "4: 0");
  EXPECT_EQ(repairs(Round + "for (int J = 0; J < N; ++J) {\n" + use() + "\n}}"),
            "4: 0");
  EXPECT_EQ(repairs(Round + "}\n" + use()), "4: 0; 6: " + std::string(WaitAll));
  EXPECT_EQ(
      repairs(Round + "}\nfor (int J = 0; J < N; ++J) {\n" + use() + "\n}"),
      "4: 0; 7: " + std::string(WaitAll));
}

TEST(Repairs, ACommitBeforeTheWait) {
  EXPECT_EQ(repairs(copy() + "WAIT(0);\n" + use()),
            "2: " + std::string(Commit));
  // A wait that leaves groups would leave that one, too.
  EXPECT_EQ(repairs(copy() + "WAIT(1);\n" + use()), "");
}

TEST(Repairs, InTheWordsOfTheFile) {
  const std::string Again = "\n" + copy();
  EXPECT_EQ(repairs(copy() + "WAIT(0);\n" + use() + Again +
                    "__pipeline_commit();"
                    "WAIT(0);"),
            "2: __pipeline_commit()");
  EXPECT_EQ(repairs(copy() + "COMMIT;\n" + use() + "\nWAIT(0);"), "3: WAIT(0)");
  EXPECT_EQ(repairs(copy() + "COMMIT;\n" + use() + "\nWAIT(1);WAIT(0);"),
            "3: WAIT(0)");
  EXPECT_EQ(repairs(copy() + "COMMIT;\n" + use() +
                    "\nWAIT(0);"
                    "__pipeline_wait_prior(0);"),
            "3: WAIT(0)");
  // Of an open copy, only a wait for all is one.
  EXPECT_EQ(repairs(copy() + use() + "\nWAIT(0);").find("WAIT(0)"),
            std::string::npos);
}

TEST(Repairs, TheOtherCacheModifier) {
  auto OfSize = [](const std::string &Size) {
    return repairs("asm volatile(\"cp.async.cg.shared.global [%0], [%1], " +
                   Size +
                   ";\" :: \"r\"((uint32_t)__cvta_generic_to_shared(Tile)), "
                   "\"l\"(In));\nCOMMIT;\nWAIT(0);");
  };
  EXPECT_EQ(OfSize("8"), "1: ca");
  EXPECT_EQ(OfSize("4"), "1: ca");
  EXPECT_EQ(OfSize("16"), "");
  EXPECT_EQ(OfSize("12"), "");
}

TEST(Repairs, ACopyOfOtherBytesBehindTheBarrierIsInNobodysWay) {
  EXPECT_EQ(repairs(copy() + "COMMIT;\nSYNC;\nCOPY(Tile + 512 + 4 * T, In);\n"
                             "COMMIT;\nUSE(Tile[4 * (T ^ 32)]);"),
            "3: " + std::string(WaitAll));
}

TEST(Repairs, InTheNearestWords) {
  const std::string Read = copy() + "COMMIT;\n" + use() + "\n";
  EXPECT_EQ(repairs("WAIT(0);\n" + Read), "4: WAIT(0)");
  EXPECT_EQ(repairs("__pipeline_wait_prior(0);\n\n\nWAIT(0);\n" + Read),
            "7: WAIT(0)");
  EXPECT_EQ(repairs("WAIT(0);\n__pipeline_wait_prior(0);\n" + Read),
            "5: __pipeline_wait_prior(0)");
  EXPECT_EQ(repairs("__pipeline_commit();\n" + Read),
            "4: " + std::string(WaitAll));
}

TEST(Repairs, OfAWaitInASystemHeaderThereIsNone) {
  auto By = [](const std::string &Before) {
    return analyzeBody(copy() + "COMMIT;\ndrain();\n" + use(), Before).Repairs;
  };
  const std::string Drain = "__device__ void drain() { WAIT(1); }\n";
  EXPECT_EQ(By(Drain).size(), 1u);
  EXPECT_TRUE(
      By("# 1 \"system.h\" 3\n" + Drain + "# 9 \"snippet.cu\"\n").empty());
}

TEST(Repairs, OnlyALiteralIsTheSameInAllInstances) {
  auto Offered = [](const std::string &Function) {
    const SnippetResult R =
        analyzeBody(copy() + "COMMIT;\nwaits(0);\n" + use(), Function);
    EXPECT_EQ(R.Findings.size(), 1u);
    return R.Repairs.size();
  };
  const std::string Of = "__device__ void waits(int) { __pipeline_wait_prior(",
                    OfAny = "template <class X> __device__ void waits(X) {"
                            " __pipeline_wait_prior(";
  EXPECT_EQ(Offered(Of + "1); }"), 1u);
  EXPECT_EQ(Offered(Of + "sizeof(int) / 4); }"), 1u);
  EXPECT_EQ(Offered(OfAny + "1); }"), 1u);
  EXPECT_EQ(Offered(OfAny + "sizeof(X) / 4); }"), 0u);
}

TEST(Repairs, ACountOfTheTemplateMayBecomeSmaller) {
  auto Offered = [](const std::string &Others) {
    return analyzeBody(copy() + "COMMIT;\nCOMMIT;\nwaits<3>();\n" + use(),
                       "template <int N> __device__ void waits() {\n"
                       "__pipeline_wait_prior(N - 1); }\n" +
                           Others)
        .Repairs;
  };
  EXPECT_EQ(Offered(""), std::vector<std::string>{"-3: N - 2"});
  EXPECT_EQ(Offered("template __device__ void waits<1>();"),
            std::vector<std::string>());
}

TEST(Repairs, ACountOfTheTemplateIsItsParameterOrLess) {
  auto Offered = [](const std::string &Count, const std::string &Head = "N") {
    const SnippetResult R =
        analyzeBody(copy() + "COMMIT;\nCOMMIT;\nwaits<3>();\n" + use(),
                    "template <int " + Head +
                        "> __device__ void waits() {\n"
                        "__pipeline_wait_prior(" +
                        Count + "); }\n");
    EXPECT_EQ(R.Findings.size(), 1u) << Count;
    return R.Repairs.empty() ? "" : R.Repairs[0];
  };
  EXPECT_EQ(Offered("N"), "4: 1"); // what the caller writes
  EXPECT_EQ(Offered("N - 1"), "-3: N - 2");
  EXPECT_EQ(Offered("(N) - 1"), "-3: (N) - 2");
  EXPECT_EQ(Offered("Left - 1", "Left"), "-3: Left - 2");
  for (const char *Other :
       {"N + 1", "2 * N", "N - N / 3", "5 - N", "N - sizeof(char)"})
    EXPECT_EQ(Offered(Other), "") << Other;
}

TEST(Repairs, AnArgumentOfAMacroIsWrittenOnce) {
  EXPECT_EQ(repairs(copy() + "COMMIT;\nfor (;;) break;\nWAIT(1);\n" + use()),
            "4: 0");
}

TEST(Repairs, ACommitOnTheOtherSide) {
  auto Offered = [](const std::string &If) {
    return repairs(copy() + "__pipeline_commit();\nif (" + If +
                   ") {\n__pipeline_commit();\n}\n"
                   "__pipeline_wait_prior(1);\n" +
                   use());
  };
  EXPECT_EQ(Offered("N > 0"), "6: 0; 5:  else {");
  EXPECT_EQ(Offered("N > 0 && M > 0"), "6: 0; 5:  else {");
  EXPECT_EQ(Offered("N > 0 && M > 0 && N > M"), "6: 0; 5:  else {");
}

TEST(Repairs, CallsAreToldUpToTheCopy) {
  EXPECT_EQ(told("float X[4];\nouter(\nX, In);",
                 "__device__ void inner(float *To, const float *From) {"
                 " __pipeline_memcpy_async(To, From, 16); }\n"
                 "__device__ void outer(float *To, const float *From) {"
                 " inner(To, From); }\n"),
            "2");
}
