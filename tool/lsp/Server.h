//===- Server.h - A language server -----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_SERVER_H
#define CPASYNC_TOOL_LSP_SERVER_H

#include "tool/run/Options.h"
#include "llvm/ADT/ArrayRef.h"

namespace cpasync {

/// Serves one client on standard input and output until it says 'exit' or is
/// gone. \p Opts are what \p Args say; those of the client come behind them.
/// Returns the exit status: 0 after a proper 'shutdown', 1 without it, 2 if the
/// options cannot be used or the input cannot be understood any more.
int serveEditor(const Options &Opts, llvm::ArrayRef<const char *> Args);

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_SERVER_H
