//===- Budget.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/support/Budget.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

using namespace cpasync;

/// Calls of isSpent() between two looks at the clock, which take longer than a
/// few of them.
static constexpr unsigned CallsPerLook = 64;
/// Seconds between two looks at the memory, which grows by no more than 2 GiB
/// in a second.
static constexpr double MemoryInterval = 0.02;

static double threadSeconds() {
  timespec Now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

/// Resident pages of this process, but for those of files: a process that was
/// just forked has none of these yet. 0 if the system does not tell.
static int64_t ownPages() {
  const int File = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char Text[128];
  // What cannot be opened cannot be read, and is as if it were empty.
  const size_t Length = std::max<ssize_t>(::read(File, Text, sizeof Text), 0);
  ::close(File);
  // The second and the third of seven numbers.
  llvm::StringRef Rest = llvm::StringRef(Text, Length).split(' ').second;
  int64_t Resident = 0, OfFiles = 0;
  if (Rest.consumeInteger(10, Resident) || !Rest.consume_front(" ") ||
      Rest.consumeInteger(10, OfFiles))
    return 0;
  return Resident - OfFiles;
}

Budget::Budget(CostLimits Limits)
    : Budget(Limits, Limits.Megabytes ? ownPages() : 0) {}

Budget::Budget(CostLimits Limits, int64_t StartPages)
    : Limits(Limits), Start(threadSeconds()), StartPages(StartPages) {}

Budget Budget::part(unsigned Parts) const {
  CostLimits Each = Limits;
  const double Left = Start + Limits.Seconds - threadSeconds();
  if (Limits.Seconds)
    Each.Seconds = std::max(std::ceil(Left / Parts), 1.0);
  return {Each, StartPages};
}

bool Budget::look() {
  CallsToLook = CallsPerLook;
  const double Spent = threadSeconds() - Start;
  if (Limits.Seconds && Spent >= Limits.Seconds) {
    Reason = "time budget of " + std::to_string(Limits.Seconds) +
             (Limits.Seconds == 1 ? " second" : " seconds");
    return true;
  }
  if (!Limits.Megabytes || Spent < NextMemory)
    return false;
  NextMemory = Spent + MemoryInterval;
  const int64_t Bytes = (ownPages() - StartPages) * ::sysconf(_SC_PAGESIZE);
  if (Bytes < int64_t(Limits.Megabytes) << 20)
    return false;
  Reason = "memory budget of " + std::to_string(Limits.Megabytes) + " MiB";
  return true;
}
