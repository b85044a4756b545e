//===- Progress.h - How far a run is -------------------------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_PROGRESS_H
#define CPASYNC_TOOL_RUN_PROGRESS_H

#include <chrono>
#include <cstddef>

namespace cpasync {

/// One line on standard error, if that is a terminal and the run takes longer
/// than a second.
class Progress {
public:
  Progress(size_t Total, bool Quiet);
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void update(size_t Done);
  /// Makes room for other output.
  void clear();

private:
  size_t Total;
  bool IsOn;
  bool IsShown = false;
  std::chrono::steady_clock::time_point Start;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_PROGRESS_H
