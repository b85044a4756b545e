//===- Lint.h - Run the checks over files -----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_LINT_H
#define CPASYNC_TOOL_RUN_LINT_H

#include "tool/run/Options.h"

namespace cpasync {

enum ExitCode {
  NothingFound = 0,
  FindingsFound = 1,
  NotAnalysed = 2, ///< usage error, or a file nothing could be said about
};

/// One line on standard error: "cpasync-tidy: error: ...".
void printError(const llvm::Twine &Message);
void printNote(const llvm::Twine &Message);
void printWarning(const llvm::Twine &Message);

/// Checks every file; findings go to standard output as they are found, the
/// summary is the last line there.
ExitCode lint(const Options &Opts);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_LINT_H
