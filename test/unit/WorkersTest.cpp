//===- WorkersTest.cpp - Processes that may crash or hang -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Workers.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace cpasync;
using WorkEnd = WorkResult::Kind;

/// By so many processes at a time, none longer than so many seconds.
static std::vector<WorkResult>
run(size_t Count, unsigned Parallel, unsigned Seconds,
    llvm::function_ref<std::string(size_t)> Work) {
  Cores Shared(Parallel);
  const WorkLimits Limits{&Shared, Seconds};
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
    const auto Results = run(9, Parallel, 0, [](size_t I) {
      sleepMilliseconds(I < 3 ? 60 : 0);
      return "result " + std::to_string(I);
    });
    for (size_t I = 0; I < Results.size(); ++I) {
      EXPECT_EQ(Results[I].Ended, WorkEnd::Finished);
      EXPECT_EQ(Results[I].Output, "result " + std::to_string(I));
    }
  }
}

TEST(Workers, NothingToDo) {
  EXPECT_TRUE(run(0, 4, 0, [](size_t) { return std::string(); }).empty());
}

// More than a pipe holds, and nothing at all.
TEST(Workers, LargeAndEmptyOutput) {
  const auto Results = run(
      2, 2, 0, [](size_t I) { return std::string(I == 0 ? 5000000 : 0, 'x'); });
  EXPECT_EQ(Results[0].Output.size(), 5000000u);
  EXPECT_EQ(Results[1].Ended, WorkEnd::Finished);
  EXPECT_EQ(Results[1].Output, "");
}

TEST(Workers, CrashesLoseNothingElse) {
  const auto Results = run(4, 2, 0, [](size_t I) {
    if (I == 1)
      ::raise(SIGKILL);
    if (I == 2)
      ::_exit(3);
    return std::string("fine");
  });
  EXPECT_EQ(Results[0].Output, "fine");
  EXPECT_EQ(Results[1].Ended, WorkEnd::Crashed);
  EXPECT_EQ(Results[1].Signal, SIGKILL);
  EXPECT_EQ(Results[2].Ended, WorkEnd::Crashed);
  EXPECT_EQ(Results[2].Signal, 0);
  EXPECT_EQ(Results[3].Output, "fine");
}

TEST(Workers, TimeOuts) {
  const auto Start = std::chrono::steady_clock::now();
  const auto Results = run(3, 3, 1, [](size_t I) {
    if (I == 0)
      sleepMilliseconds(60000);
    return std::string("in time");
  });
  EXPECT_EQ(Results[0].Ended, WorkEnd::TimedOut);
  EXPECT_EQ(Results[1].Output, "in time");
  EXPECT_EQ(Results[2].Output, "in time");
  EXPECT_LT(std::chrono::steady_clock::now() - Start, std::chrono::seconds(30));
}

namespace {
/// In memory that processes share: how many are at work, and the most.
struct Meter {
  std::atomic<int> Now, Most;
  void work() {
    const int Here = ++Now;
    for (int Old = Most; Old < Here && !Most.compare_exchange_weak(Old, Here);)
      ;
    sleepMilliseconds(20);
    --Now;
  }
};
} // namespace

static Meter &sharedMeter() {
  void *Memory = ::mmap(nullptr, sizeof(Meter), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return *new (Memory) Meter();
}

// However they are nested: who waits has lent its core.
TEST(Workers, ShareCores) {
  Meter &M = sharedMeter();
  Cores Shared(3);
  const WorkLimits Limits{&Shared, 0};
  std::string All;
  const auto Keep = [](std::string &To) {
    return [&To](size_t, const WorkResult &R) { To += R.Output; };
  };
  const auto Nothing = [](size_t) {};
  runInChildren(
      2, Limits,
      [&](size_t I) {
        std::string Mine;
        runInChildren(
            8, Limits,
            [&](size_t J) {
              M.work();
              return std::to_string(I) + std::to_string(J) + " ";
            },
            Keep(Mine), Nothing);
        return Mine;
      },
      Keep(All), Nothing);
  EXPECT_EQ(All, "00 01 02 03 04 05 06 07 10 11 12 13 14 15 16 17 ");
  EXPECT_LE(M.Most, 3);
  EXPECT_GE(M.Most, 2);
  EXPECT_TRUE(Shared.take() && Shared.take() && !Shared.take());
}

TEST(Workers, GiveBackWhatTheyDiedWith) {
  Cores Shared(2);
  runInChildren(
      1, {},
      [&](size_t) -> std::string {
        EXPECT_TRUE(Shared.take());
        std::raise(SIGKILL);
        return "";
      },
      [&](size_t, const WorkResult &R) { EXPECT_EQ(R.Signal, SIGKILL); },
      [](size_t) {});
  EXPECT_TRUE(Shared.isOneFree());
  EXPECT_TRUE(Shared.take());
  EXPECT_FALSE(Shared.isOneFree());
  Shared.giveBack();
  EXPECT_TRUE(Shared.isOneFree());
}

// Nor do the children of a child.
TEST(Workers, LeaveNobodyBehind) {
  Meter &M = sharedMeter();
  const auto Results = run(1, 1, 1, [&](size_t) {
    runInChildren(
        1, {},
        [&](size_t) -> std::string {
          M.Now = ::getpid();
          sleepMilliseconds(60000);
          return "";
        },
        [](size_t, const WorkResult &) {}, [](size_t) {});
    return std::string();
  });
  EXPECT_EQ(Results.front().Ended, WorkEnd::TimedOut);
  ASSERT_NE(M.Now, 0);
  // It takes a moment; whoever adopts it takes another to bury it.
  const std::string Status = "/proc/" + std::to_string(M.Now) + "/stat";
  const auto IsAtWork = [&] {
    std::ifstream File(Status);
    std::string Text;
    return std::getline(File, Text) && Text.find(") Z ") == std::string::npos;
  };
  for (unsigned I = 0; I < 100 && IsAtWork(); ++I)
    sleepMilliseconds(50);
  EXPECT_FALSE(IsAtWork());
}

// None stays open here, and a child of a child has but those it began with.
TEST(Workers, CloseTheirFiles) {
  const auto CountFiles = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto Before = CountFiles();
  std::string Inside;
  runInChildren(
      1, {},
      [&](size_t) {
        std::string Open;
        runInChildren(
            1, {}, [&](size_t) { return std::to_string(CountFiles()); },
            [&](size_t, const WorkResult &R) { Open = R.Output; },
            [](size_t) {});
        return Open;
      },
      [&](size_t, const WorkResult &R) { Inside = R.Output; }, [](size_t) {});
  EXPECT_EQ(CountFiles(), Before);
  EXPECT_EQ(Inside, std::to_string(Before + 1)); // where it answers
}
