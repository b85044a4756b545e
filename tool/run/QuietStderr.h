//===- QuietStderr.h - Hold back what a library prints ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy's library prints "Error while processing FILE." for every file
// that does not parse; we say it in one line of our own. While an object of
// this class lives, standard error goes to memory; release() passes on the
// rest as notes.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_QUIETSTDERR_H
#define CPASYNC_TOOL_RUN_QUIETSTDERR_H

namespace cpasync {

class QuietStderr {
public:
  QuietStderr();
  ~QuietStderr() { release(); }
  QuietStderr(const QuietStderr &) = delete;
  QuietStderr &operator=(const QuietStderr &) = delete;

  /// Restores standard error and says every line held back but that one.
  void release();

private:
  int Saved = -1;  ///< the real standard error
  int Memory = -1; ///< what replaces it; -1: nothing is held back
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_QUIETSTDERR_H
