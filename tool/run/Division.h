//===- Division.h - One file by several processes ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process that has parsed a file is forked, while cores are free: each child
// takes the next piece of work until none is left. What it finds out about the
// program on the way serves it for later pieces, too.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_DIVISION_H
#define CPASYNC_TOOL_RUN_DIVISION_H

#include "tool/run/Workers.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cpasync {

/// A WorkDivider. If processes were lost with their work: what became of the
/// one that had the first piece.
std::optional<WorkResult>
divide(size_t Count, const WorkLimits &Limits,
       llvm::function_ref<std::string(size_t)> Work,
       llvm::function_ref<void(size_t, llvm::StringRef)> Take);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_DIVISION_H
