//===- InFlightTest.cpp - What is in flight, and why ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// What is found where the tile is read behind \p Middle, which stands behind a
/// copy in line 1; the read is in the last line.
static std::string reading(const std::string &Middle) {
  return found("COPY(Tile + 4 * T, In + 4 * T);\n" + Middle +
               "\nUSE(Tile[4 * T]);");
}

TEST(InFlight, AWaitForAllGroupsCompletes) {
  EXPECT_EQ(reading("COMMIT; WAIT(0);"), "");
  EXPECT_EQ(reading("asm volatile(\"cp.async.wait_all;\");"), "");
  EXPECT_EQ(reading("COMMIT; __pipeline_wait_prior(0);"), "");
  EXPECT_EQ(reading("__pipeline_commit(); WAIT(0);"), "");
  EXPECT_EQ(reading("__nvvm_cp_async_commit_group();"
                    "__nvvm_cp_async_wait_group(0);"),
            "");
  EXPECT_EQ(reading("__nvvm_cp_async_wait_all();"), "");
}

TEST(InFlight, TheCauseIsWhatIsMissing) {
  EXPECT_EQ(reading("COMMIT;"),
            "ReadInFlight(NeverWaited) copy:1 commit:2 read:3");
  EXPECT_EQ(reading("WAIT(0);"),
            "ReadInFlight(NotCommitted) copy:1 wait:2 read:3; "
            "UncommittedAtEnd copy:1");
  EXPECT_EQ(reading("WAIT(0);\nCOMMIT;"),
            "ReadInFlight(WaitBeforeCommit) copy:1 commit:3 wait:2 read:4");
  EXPECT_EQ(reading("COMMIT;\nWAIT(1);"),
            "ReadInFlight(WaitTooWeak) copy:1 commit:2 wait:3 read:4");
}

TEST(InFlight, AWaitLeavesAsManyGroupsAsItSays) {
  const std::string Three = "COMMIT;\nCOPY(Tile + 512, In);\nCOMMIT;\n"
                            "COPY(Tile + 768, In); COMMIT;\n";
  EXPECT_EQ(reading(Three + "WAIT(2);"), "");
  EXPECT_EQ(reading(Three + "WAIT(3);"),
            "ReadInFlight(WaitTooWeak) copy:1 commit:2 wait:6 read:7");
  EXPECT_EQ(reading("COMMIT;\nCOMMIT;\nWAIT(1);"), "");
  EXPECT_EQ(reading("COMMIT;\nCOMMIT;\nWAIT(2);"),
            "ReadInFlight(WaitTooWeak) copy:1 commit:2 wait:4 read:5");
}

TEST(InFlight, OnlyItsOwnBytes) {
  const std::string Copy = "COPY(Tile + 4, In);\nCOMMIT;\n";
  const char *InFlight = "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";
  EXPECT_EQ(found(Copy + "USE(Tile[3]);\nWAIT(0);"), "");
  EXPECT_EQ(found(Copy + "USE(Tile[4]);\nWAIT(0);"), InFlight);
  EXPECT_EQ(found(Copy + "USE(Tile[7]);\nWAIT(0);"), InFlight);
  EXPECT_EQ(found(Copy + "USE(Tile[8]);\nWAIT(0);"), "");
}

TEST(InFlight, AWaitIsForItsOwnThread) {
  // Thread T reads what its neighbour copied: waiting is not enough.
  EXPECT_EQ(reading("COMMIT; WAIT(0); SYNC;"), "");
  const std::string Copy = "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n";
  EXPECT_EQ(found(Copy + "USE(Tile[4 * (T ^ 32)]);"),
            "UnsynchronizedRead copy:1 wait:3 read:4");
  EXPECT_EQ(found(Copy + "SYNC;\nUSE(Tile[4 * (T ^ 32)]);"), "");
  // Threads of one warp are taken to be ordered.
  EXPECT_EQ(found(Copy + "USE(Tile[4 * (T ^ 16)]);"), "");
}

TEST(InFlight, AReadBeforeItsCopy) {
  EXPECT_EQ(found("USE(Tile[4 * T]);\nCOPY(Tile + 4 * T, In);\n"
                  "COMMIT; WAIT(0);"),
            "ReadBeforeCopy copy:2 read:1");
  EXPECT_EQ(found("Tile[4 * T] = 1;\nUSE(Tile[4 * T]);\n"
                  "COPY(Tile + 4 * T, In);\nCOMMIT; WAIT(0);"),
            "");
  EXPECT_EQ(found("USE(Tile[4 * T + 512]);\nCOPY(Tile + 4 * T, In);\n"
                  "COMMIT; WAIT(0);"),
            "");
  // Only some threads read, nobody knows which: they may mean what was there.
  EXPECT_EQ(found("if (In[T] > 0)\nUSE(Tile[4 * T]);\n"
                  "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);"),
            "");
}

TEST(InFlight, CopiesThatNobodyCommitted) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);"), "UncommittedAtEnd copy:1");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In); COMMIT;"), "");
}

TEST(InFlight, ACopyFromWhoKnowsWhereIsOne) {
  for (const char *From :
       {"(const float *)(size_t)N", "T < N ? In : Out", "In + (int)In[T]"})
    EXPECT_EQ(found("COPY(Tile + 4 * T, (" + std::string(From) +
                    "));\nCOMMIT;\nWAIT(0);\nUSE(Tile[4 * (T ^ 32)]);"),
              "UnsynchronizedRead copy:1 wait:3 read:4")
        << From;
}

TEST(InFlight, WaitCountsHaveARange) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In); COMMIT; WAIT(0);\n"
                  "__pipeline_wait_prior(8);"),
            "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In); COMMIT; WAIT(0);\n"
                  "__pipeline_wait_prior(9);"),
            "WaitCountRange(9) wait:2 operand:2");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In); COMMIT; WAIT(0);\n"
                  "__pipeline_wait_prior(N);"),
            "2: number of groups to wait for is not a known constant");
}

TEST(InFlight, OtherMemoryIsTheWrongOne) {
  EXPECT_EQ(found("COPY(Out, In); COMMIT; WAIT(0);"), "WrongSpace copy:1");
  EXPECT_EQ(found("COPY(Tile, Tile + 64); COMMIT; WAIT(0);"),
            "WrongSpace copy:1");
  EXPECT_EQ(found("float4 A; COPY(&A, In); COMMIT; WAIT(0);"),
            "WrongSpace copy:1");
  EXPECT_EQ(found("COPY(Tile, Out); COMMIT; WAIT(0);"), "");
}

TEST(InFlight, PipelineCopiesFillWithZeros) {
  EXPECT_EQ(found("__pipeline_memcpy_async(Tile, In, 16, 16);\n"
                  "COMMIT; WAIT(0);"),
            "");
  EXPECT_EQ(found("__pipeline_memcpy_async(Tile, In, 16, 17);\n"
                  "COMMIT; WAIT(0);"),
            "BadOperand(17) copy:1 operand:1");
  EXPECT_EQ(found("__pipeline_memcpy_async(Tile, In, 8, 16);\n"
                  "COMMIT; WAIT(0);"),
            "BadOperand(16) copy:1 operand:1");
  // All zeros: the source is not touched.
  EXPECT_EQ(found("__pipeline_memcpy_async(Tile, Tile + 64, 16, 16);\n"
                  "COMMIT; WAIT(0);"),
            "");
}

TEST(Steps, OfAReadInFlightAreItsCopyItsCommitAndItsWait) {
  EXPECT_EQ(told("COPY(Tile + 4 * T, In);\nCOMMIT;\nUSE(Tile[4 * T]);\n"
                 "WAIT(0);"),
            "1 2 3");
  EXPECT_EQ(told("COPY(Tile + 256, In);\nCOMMIT;\nCOPY(Tile + 4 * T, In);\n"
                 "COMMIT;\nWAIT(1);\nUSE(Tile[4 * T]);\nWAIT(0);"),
            "3 4 5 6");
}

TEST(Steps, OfAReadInALoopNameWhatWasDecidedInIt) {
  EXPECT_EQ(told("for (int K = 0; K < 4; ++K) {\nCOPY(Tile + 4 * T, In);\n"
                 "COMMIT;\nif (M > 3)\nWAIT(0);\nUSE(Tile[4 * T]);\n"
                 "WAIT(0);\n}"),
            "1 2 3 4 6"); // from the round, in line 1, on
}

TEST(Steps, TheSideThatSomeThreadsTookIsTold) {
  EXPECT_EQ(told("if (T < N)\nCOPY(Tile + 4 * T, In);\nCOMMIT;\nif (T < N)\n"
                 "USE(Tile[4 * T]);\nWAIT(0);"),
            "1 2 3 4 5");
  EXPECT_EQ(told("if (T < N)\nCOPY(Tile, In + 4 * T);\nCOMMIT;\nWAIT(0);\n"
                 "SYNC;\nUSE(Tile[0]);"),
            "1 2 6");
}
