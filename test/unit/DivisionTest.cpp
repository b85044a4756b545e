//===- DivisionTest.cpp - Work that processes take from each other --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Division.h"
#include "DeepRecursion.h"
#include "tool/run/LastWords.h"
#include "llvm/Support/thread.h"
#include <csignal>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <unistd.h>

using namespace cpasync;
using WorkEnd = WorkResult::Kind;

namespace {
struct Division {
  std::string Taken;
  std::optional<WorkResult> Lost;
};
} // namespace

/// By so many processes.
static Division divide(size_t Count, unsigned Parallel,
                       llvm::function_ref<std::string(size_t)> Work) {
  Cores Shared(Parallel);
  const WorkLimits Limits{&Shared};
  Division D;
  D.Lost = divide(Count, Limits, Work, [&](size_t I, llvm::StringRef Text) {
    D.Taken += std::to_string(I) + Text.str() + " ";
  });
  for (unsigned I = 1; I < Parallel; ++I)
    EXPECT_TRUE(Shared.take()); // all were given back
  return D;
}

TEST(Division, TakesInOrder) {
  for (unsigned Parallel : {1U, 2U, 5U, 50U}) {
    const Division D = divide(6, Parallel, [](size_t I) {
      ::usleep(I < 2 ? 30000 : 0); // these end last
      return std::string(1, static_cast<char>('a' + I));
    });
    EXPECT_EQ(D.Taken, "0a 1b 2c 3d 4e 5f ");
    EXPECT_FALSE(D.Lost);
  }
  EXPECT_EQ(divide(0, 3, [](size_t) { return "?"; }).Taken, "");
}

TEST(Division, NeedsOtherProcessesOnlyForSeveralPieces) {
  const auto Mine = std::to_string(::getpid());
  const auto Process = [](size_t) { return " " + std::to_string(::getpid()); };
  EXPECT_EQ(divide(2, 1, Process).Taken, "0 " + Mine + " 1 " + Mine + " ");
  EXPECT_EQ(divide(1, 4, Process).Taken, "0 " + Mine + " ");
  EXPECT_EQ(divide(4, 2, Process).Taken.find(" " + Mine), std::string::npos);
}

TEST(Division, ChildrenGoOnWithTheNextPiece) {
  Cores Shared(3);
  std::set<std::string> Processes;
  divide(
      20, {&Shared},
      [](size_t) {
        ::usleep(2000);
        return std::to_string(::getpid());
      },
      [&](size_t, llvm::StringRef Text) { Processes.insert(Text.str()); });
  EXPECT_LE(Processes.size(), 3u);
}

// Of several that die, as if there had been no others.
TEST(Division, TellsOfTheFirstPieceThatIsLost) {
  const Division D = divide(6, 3, [](size_t I) -> std::string {
    ::usleep(I == 1 ? 50000 : 0);
    if (I == 1)
      std::raise(SIGKILL);
    if (I == 2)
      std::raise(SIGTERM);
    return "";
  });
  ASSERT_TRUE(D.Lost);
  EXPECT_EQ(D.Lost->Ended, WorkEnd::Crashed);
  EXPECT_EQ(D.Lost->Signal, SIGKILL);
  for (const char *Piece : {"1 ", "2 "})
    EXPECT_EQ(D.Taken.find(Piece), std::string::npos);
  EXPECT_NE(D.Taken.find("5 "), std::string::npos);
}

// More than a pipe holds, and any bytes.
TEST(Division, HandsOverWhatItGets) {
  const std::string Large(3000000, '\0');
  Cores Shared(2);
  size_t Same = 0;
  divide(
      4, {&Shared},
      [&](size_t I) { return I % 2 ? Large : std::string("\xff\n"); },
      [&](size_t I, llvm::StringRef Text) {
        Same += Text == (I % 2 ? llvm::StringRef(Large) : "\xff\n");
      });
  EXPECT_EQ(Same, 4u);
}

// A file is parsed in a thread of its own, and it is that which forks.
TEST(Division, WorksInAThread) {
  Division D;
  llvm::thread Runner(std::optional(8U << 20), [&] {
    const StackWatch Watch;
    D = divide(3, 2, [](size_t I) { return std::to_string(I * I); });
  });
  Runner.join();
  EXPECT_EQ(D.Taken, "00 11 24 ");
}

#if !__has_feature(address_sanitizer)
TEST(Division, SeesTheEndOfTheStackOfAThread) {
  Division D;
  llvm::thread Runner(std::optional(8U << 20), [&] {
    const StackWatch Watch;
    D = divide(2, 2, [](size_t I) {
      return std::to_string(deep(I == 0 ? 1 << 10 : 1U << 30));
    });
  });
  Runner.join();
  ASSERT_TRUE(D.Lost);
  EXPECT_EQ(D.Lost->Ended, WorkEnd::OutOfStack);
}
#endif
