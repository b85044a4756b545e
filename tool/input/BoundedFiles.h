//===- BoundedFiles.h - What Clang may read ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_BOUNDEDFILES_H
#define CPASYNC_TOOL_INPUT_BOUNDEDFILES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace cpasync {

/// Tells a text from any other.
std::string digestOf(llvm::StringRef Text);

/// The files of the machine as ReadFile.h limits them, with the texts of
/// EditedTexts.h. Remembers what was read.
class BoundedFiles : public llvm::vfs::ProxyFileSystem {
public:
  BoundedFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override;

  /// The digest of what was read from \p File; empty if nothing was, or not
  /// always the same.
  std::string digest(llvm::StringRef File) const;

private:
  llvm::StringMap<std::string> Digests; ///< by the file's real path
};

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_BOUNDEDFILES_H
