//===- ReplaceFile.h - Files change as a whole or not at all ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file that we write goes through here. The new text is written beside
// the old, synced and renamed: whatever fails, a full disk included, the old
// file stays as it was and no temporary is left. Symbolic links stay; what they
// point to is replaced, and keeps its mode and, where we may give it, its
// owner. Another hard link to it keeps the old text. What is no regular file,
// such as a pipe or /dev/stdout, is written to as it is.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_REPLACEFILE_H
#define CPASYNC_TOOL_INPUT_REPLACEFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class raw_ostream;
}

namespace cpasync {

/// Gives \p File the text that \p Write writes. The error begins with the name
/// of the file.
llvm::Error writeFile(llvm::StringRef File,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write);

/// Hands the text of \p File to \p Change and replaces it by what comes back,
/// while no other process is in here with the same file. The error is that of
/// \p Change or says why the file stays as it is, without its name.
llvm::Error changeFile(
    llvm::StringRef File,
    llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef)> Change);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_REPLACEFILE_H
