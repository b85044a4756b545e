//===- Cores.h - How many processes may be at work --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What -j says. A process at work has a core; while it waits for its children,
// one of them has it. For each further child it takes one of those that are
// free, whichever process had it before.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_CORES_H
#define CPASYNC_TOOL_RUN_CORES_H

#include <atomic>
#include <sys/types.h>

namespace cpasync {

/// Shared with all processes that are forked from the one that makes it.
class Cores {
public:
  /// \p Count: with that of this process.
  explicit Cores(unsigned Count);
  Cores(const Cores &) = delete;
  Cores &operator=(const Cores &) = delete;
  ~Cores();

  bool isOneFree() const;
  /// With that of the process that made this.
  size_t count() const { return Others + 1; }
  /// False if none is free. A core that a process took and did not give back
  /// is free when that process has ended.
  bool take();
  /// One that this process took.
  void giveBack();

private:
  std::atomic<pid_t> *Takers = nullptr; ///< by core; 0: it is free
  unsigned Others = 0;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_CORES_H
