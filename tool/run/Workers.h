//===- Workers.h - Run work in processes of its own -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_WORKERS_H
#define CPASYNC_TOOL_RUN_WORKERS_H

#include "tool/run/ChildProcess.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <string>

namespace cpasync {

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
