//===- LastWords.h - Why a process ends -------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where memory or the stack ends, and where a library gives up, somebody else
// would print lines that nobody can use: "terminate called", a stack dump. From
// expectEnds() on the process says it in its own way, and exits.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_LASTWORDS_H
#define CPASYNC_TOOL_RUN_LASTWORDS_H

#include <csignal>

namespace cpasync {

enum class EndOf { Memory, Stack, Library, Signal };

/// Calls \p Say in the place of what would be printed, with the words of the
/// library if it is one that ends the process, and otherwise with the place
/// that Clang or the analysis has come to, if it is known. The process exits
/// with \p Status then, or with its signal. There is no memory for anything:
/// \p Say may only write.
void expectEnds(void (*Say)(EndOf, const char *Words), int Status);

/// Sees the end of the stack of the thread that it lives in: first thing in
/// every thread that runs deep.
class StackWatch {
public:
  StackWatch();
  StackWatch(const StackWatch &) = delete;
  StackWatch &operator=(const StackWatch &) = delete;
  ~StackWatch();

private:
  stack_t Before = {}; ///< where signals were handled
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_LASTWORDS_H
