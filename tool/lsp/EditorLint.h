//===- EditorLint.h - Check a file for an editor ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_EDITORLINT_H
#define CPASYNC_TOOL_LSP_EDITORLINT_H

#include "tool/lsp/Documents.h"
#include "tool/lsp/EditorReport.h"
#include "tool/run/Options.h"

namespace cpasync {

/// Checks \p File, a real path, as a run with \p Opts does, but with the texts
/// of \p Open in the place of those on the disk. Without -p in \p Opts the
/// database is looked for above the file. What goes wrong is in the report.
/// Only once in a process, which it changes: in a child.
EditorReport lintForEditor(const Options &Opts, const Documents &Open,
                           llvm::StringRef File);

/// That \p File could not be checked, and why.
EditorReport failedReport(const Documents &Open, llvm::StringRef File,
                          std::string Failure);

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_EDITORLINT_H
