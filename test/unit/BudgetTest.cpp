//===- BudgetTest.cpp - What one kernel may cost --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/support/Budget.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace cpasync;

namespace {

/// More calls than take a second of processor time anywhere.
constexpr uint64_t Many = uint64_t(1) << 34;

void spend(Budget &B) {
  for (uint64_t Calls = 0; Calls < Many && !B.isSpent(); ++Calls)
    ;
}

TEST(Budget, OfTimeEndsAndStaysSpent) {
  Budget B({.Seconds = 1, .Megabytes = 0});
  EXPECT_FALSE(B.isSpent());
  EXPECT_EQ(B.reason(), "");
  // The call that finds it out says so.
  bool IsSpent = false;
  for (uint64_t Calls = 0; Calls < Many && B.reason().empty(); ++Calls)
    IsSpent = B.isSpent();
  EXPECT_TRUE(IsSpent);
  EXPECT_EQ(B.reason(), "time budget of 1 second");
  EXPECT_TRUE(B.isSpent());
}

TEST(Budget, IsSharedByWhatComesOneAfterAnother) {
  const Budget Whole({.Seconds = 3, .Megabytes = 0});
  Budget Third = Whole.part(3);
  spend(Third);
  EXPECT_EQ(Third.reason(), "time budget of 1 second");
  Budget Half = Whole.part(2);
  EXPECT_FALSE(Half.isSpent());
  spend(Half);
  EXPECT_EQ(Half.reason(), "time budget of 1 second");
}

TEST(Budget, OfMemoryHasWhatAPartGaveBack) {
  const Budget Whole({.Seconds = 0, .Megabytes = 16});
  {
    Budget First = Whole.part(2);
    // Not from the heap: an allocator may keep what is freed.
    const size_t Size = size_t(64) << 20;
    void *Taken = ::mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(Taken, MAP_FAILED);
    std::fill_n(static_cast<volatile char *>(Taken), Size, 1);
    EXPECT_TRUE(First.isSpentNow());
    EXPECT_EQ(First.reason(), "memory budget of 16 MiB");
    ::munmap(Taken, Size);
  }
  Budget Second = Whole.part(1);
  EXPECT_FALSE(Second.isSpentNow());
}

TEST(Budget, OfMemoryIsWhatTheProcessHasGrownBy) {
  const std::vector<char> Before(size_t(64) << 20, 1);
  Budget B({.Seconds = 60, .Megabytes = 16});
  EXPECT_FALSE(B.isSpent());
  std::vector<std::unique_ptr<std::vector<char>>> Taken;
  for (unsigned I = 0; I < 64; ++I)
    Taken.push_back(std::make_unique<std::vector<char>>(1 << 20, char(I)));
  uint64_t Calls = 0;
  while (Calls < Many && !B.isSpent())
    ++Calls;
  EXPECT_EQ(B.reason(), "memory budget of 16 MiB");
  EXPECT_EQ(Before.size() + Taken.size(), (size_t(64) << 20) + 64);
}

// Of its program, a process that was just forked has nothing in memory yet.
TEST(Budget, OfMemoryIsNotOfFiles) {
  const size_t Size = size_t(16) << 20;
  char Name[] = "budget-XXXXXX";
  const int File = ::mkstemp(Name);
  ASSERT_GE(File, 0);
  ::unlink(Name);
  ASSERT_EQ(::ftruncate(File, Size), 0);
  const auto *Bytes = static_cast<const char *>(
      ::mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, File, 0));
  ::close(File);
  ASSERT_NE(Bytes, MAP_FAILED);
  Budget B({.Seconds = 60, .Megabytes = 4});
  for (size_t I = 0; I < Size; I += 1024)
    EXPECT_EQ(static_cast<const volatile char *>(Bytes)[I], 0);
  EXPECT_FALSE(B.isSpentNow());
  ::munmap(const_cast<char *>(Bytes), Size);
}

TEST(Budget, OfMemoryLeavesNoFileOpen) {
  auto NextFile = [] {
    const int File = ::dup(STDERR_FILENO);
    ::close(File);
    return File;
  };
  const int Before = NextFile();
  for (unsigned I = 0; I < 4; ++I)
    EXPECT_FALSE(Budget({.Seconds = 60, .Megabytes = 16}).isSpent());
  EXPECT_EQ(NextFile(), Before);
}

TEST(Budget, OfNothingIsNeverSpent) {
  Budget B({.Seconds = 0, .Megabytes = 0});
  for (unsigned I = 0; I < 100000; ++I)
    ASSERT_FALSE(B.isSpent());
}

} // namespace
