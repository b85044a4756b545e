//===- Workers.h - Run work in processes of its own -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_WORKERS_H
#define CPASYNC_TOOL_RUN_WORKERS_H

#include "tool/run/Cores.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace cpasync {

struct WorkResult {
  enum class Kind {
    Finished,
    Crashed,
    TimedOut,
    OutOfMemory,
    OutOfStack,
    GaveUp,    ///< a library ended the process
    NotStarted ///< there was no process to be had
  } Ended = Kind::Finished;
  /// What the work returned, if it finished; what the library said, if it gave
  /// up; else what was begun last, with its place, if that is known.
  std::string Output;
  int Signal = 0; ///< that ended it, if it crashed; 0: it exited
};

struct WorkLimits {
  Cores *Shared = nullptr; ///< for several at a time; null: one by one
  unsigned Seconds = 0;    ///< for one piece of work; 0: any time
  uint64_t MemoryMiB = 0;  ///< for one piece of work; 0: any
};

/// Calls \p Work with 0 to \p Count - 1, each in a child process, and \p Done
/// here with every result, in that order. Whatever happens to a child, the
/// others go on. \p Tick is called every now and then with the number of
/// children that have ended. Where \p AreWanted says no, no more are started.
/// No child outlives this process. Of its threads none but the caller's may be
/// at work; children may do the same again.
void runInChildren(
    size_t Count, const WorkLimits &Limits,
    llvm::function_ref<std::string(size_t)> Work,
    llvm::function_ref<void(size_t, WorkResult)> Done,
    llvm::function_ref<void(size_t)> Tick,
    llvm::function_ref<bool()> AreWanted = [] { return true; });

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_WORKERS_H
