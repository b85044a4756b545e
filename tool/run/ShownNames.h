//===- ShownNames.h - Names of files as they are printed --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_SHOWNNAMES_H
#define CPASYNC_TOOL_RUN_SHOWNNAMES_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <vector>

namespace cpasync {

/// clang-tidy's printer prints the name of the file that it reads: here files
/// whose names cannot be shown get names that can, in \p Errors and in the file
/// system returned, \p Files otherwise. Edits keep their files. \p Directory is
/// where relative names start.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withShownNames(std::vector<clang::tidy::ClangTidyError> &Errors,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
               llvm::StringRef Directory);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_SHOWNNAMES_H
