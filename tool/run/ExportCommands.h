//===- ExportCommands.h - A database for other tools ---------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_EXPORTCOMMANDS_H
#define CPASYNC_TOOL_RUN_EXPORTCOMMANDS_H

#include "tool/run/Jobs.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace cpasync {

/// Writes a compile_commands.json that clang-tidy and clangd take as it is: one
/// entry for each job, with Clang's own flags. Where our CUDA headers are used,
/// a folder with them is written beside \p File, as other programs cannot see
/// those that are built in. The error names the file.
llvm::Error exportCommands(llvm::ArrayRef<Job> Jobs, llvm::StringRef File);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_EXPORTCOMMANDS_H
