//===- ChildProcess.h - A piece of work in a process of its own -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_CHILDPROCESS_H
#define CPASYNC_TOOL_RUN_CHILDPROCESS_H

#include "tool/run/Cores.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <cstdint>
#include <optional>
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

/// A child that returns a text. It does not outlive the thread that started it.
class ChildProcess {
public:
  /// Calls \p Work in a child, which has a copy of all that there is here and
  /// no thread but this one; nothing if there is no process to be had.
  static std::optional<ChildProcess>
  start(const WorkLimits &Limits, llvm::function_ref<std::string()> Work);

  /// What can be polled for reading while read() has not returned false.
  int pipe() const { return Pipe; }
  /// Takes what the child has said, which must be something; false: that was
  /// all.
  bool read();
  /// Makes it end early, its own children too: their parent dies.
  void kill();
  /// The same if its time is over, which its result will say then.
  void killIfLate();
  /// To call once, when read() has returned false or after kill(): waits for
  /// its end.
  WorkResult collect();

private:
  using Clock = std::chrono::steady_clock;

  [[noreturn]] static void run(const WorkLimits &Limits, int Pipe, pid_t Parent,
                               llvm::function_ref<std::string()> Work);

  pid_t Process = -1;
  int Pipe = -1; ///< our end
  unsigned Seconds = 0;
  Clock::time_point Start;
  bool IsLate = false;
  std::string Output;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_CHILDPROCESS_H
