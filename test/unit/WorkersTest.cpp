//===- WorkersTest.cpp - Processes that may crash or hang -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Workers.h"
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

using namespace cpasync;
using Kind = WorkResult::Kind;

static std::vector<WorkResult>
run(size_t Count, const WorkLimits &Limits,
    llvm::function_ref<std::string(size_t)> Work) {
  std::vector<WorkResult> Results;
  size_t Ended = 0;
  runInChildren(
      Count, Limits, Work,
      [&](size_t Index, WorkResult Result) {
        EXPECT_EQ(Index, Results.size());
        Results.push_back(std::move(Result));
      },
      [&](size_t Now) {
        EXPECT_GE(Now, Ended);
        Ended = Now;
      });
  EXPECT_EQ(Ended, Count);
  EXPECT_EQ(Results.size(), Count);
  return Results;
}

static void sleepMilliseconds(unsigned N) { ::usleep(N * 1000); }

// Later pieces end first; results come in order all the same.
TEST(Workers, InOrder) {
  for (unsigned Parallel : {1U, 3U, 20U}) {
    const auto Results = run(9, {Parallel, 0}, [](size_t I) {
      sleepMilliseconds(I < 3 ? 60 : 0);
      return "result " + std::to_string(I);
    });
    for (size_t I = 0; I < Results.size(); ++I) {
      EXPECT_EQ(Results[I].Ended, Kind::Finished);
      EXPECT_EQ(Results[I].Output, "result " + std::to_string(I));
    }
  }
}

TEST(Workers, NothingToDo) {
  EXPECT_TRUE(run(0, {4, 0}, [](size_t) { return std::string(); }).empty());
}

// More than a pipe holds, and nothing at all.
TEST(Workers, LargeAndEmptyOutput) {
  const auto Results = run(2, {2, 0}, [](size_t I) {
    return std::string(I == 0 ? 5000000 : 0, 'x');
  });
  EXPECT_EQ(Results[0].Output.size(), 5000000u);
  EXPECT_EQ(Results[1].Ended, Kind::Finished);
  EXPECT_EQ(Results[1].Output, "");
}

TEST(Workers, CrashesLoseNothingElse) {
  const auto Results = run(4, {2, 0}, [](size_t I) {
    if (I == 1)
      ::raise(SIGKILL);
    if (I == 2)
      ::_exit(3);
    return std::string("fine");
  });
  EXPECT_EQ(Results[0].Output, "fine");
  EXPECT_EQ(Results[1].Ended, Kind::Crashed);
  EXPECT_EQ(Results[1].Signal, SIGKILL);
  EXPECT_EQ(Results[2].Ended, Kind::Crashed);
  EXPECT_EQ(Results[2].Signal, 0);
  EXPECT_EQ(Results[3].Output, "fine");
}

TEST(Workers, TimeOuts) {
  const auto Start = std::chrono::steady_clock::now();
  const auto Results = run(3, {3, 1}, [](size_t I) {
    if (I == 0)
      sleepMilliseconds(60000);
    return std::string("in time");
  });
  EXPECT_EQ(Results[0].Ended, Kind::TimedOut);
  EXPECT_EQ(Results[1].Output, "in time");
  EXPECT_EQ(Results[2].Output, "in time");
  EXPECT_LT(std::chrono::steady_clock::now() - Start, std::chrono::seconds(30));
}
