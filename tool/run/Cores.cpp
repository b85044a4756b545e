//===- Cores.cpp - How many processes may be at work ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Cores.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace cpasync;

/// More than a process can have children: each takes a file descriptor.
static constexpr unsigned MaxCores = 1024;

static bool hasEnded(pid_t Process) {
  return ::kill(Process, 0) != 0 && errno == ESRCH;
}

Cores::Cores(unsigned Count) {
  static_assert(std::atomic<pid_t>::is_always_lock_free,
                "processes share no locks");
  if (Count <= 1)
    return;
  void *Memory =
      ::mmap(nullptr, MaxCores * sizeof *Takers, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    return; // one after the other, then
  Takers = new (Memory) std::atomic<pid_t>[MaxCores]();
  Others = std::min(Count, MaxCores) - 1;
}

Cores::~Cores() {
  if (Takers)
    ::munmap(Takers, MaxCores * sizeof *Takers);
}

bool Cores::isOneFree() const {
  return llvm::any_of(llvm::ArrayRef(Takers, Others), [](const auto &Taker) {
    const pid_t Process = Taker;
    return Process == 0 || hasEnded(Process);
  });
}

bool Cores::take() {
  for (std::atomic<pid_t> &Taker : llvm::MutableArrayRef(Takers, Others)) {
    pid_t Process = Taker;
    if ((Process == 0 || hasEnded(Process)) &&
        Taker.compare_exchange_strong(Process, ::getpid()))
      return true;
  }
  return false;
}

void Cores::giveBack() {
  for (std::atomic<pid_t> &Taker : llvm::MutableArrayRef(Takers, Others)) {
    pid_t Process = ::getpid();
    if (Taker.compare_exchange_strong(Process, 0))
      return;
  }
}
