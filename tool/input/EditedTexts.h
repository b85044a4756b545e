//===- EditedTexts.h - What an editor has and the disk has not --*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_EDITEDTEXTS_H
#define CPASYNC_TOOL_INPUT_EDITEDTEXTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cpasync {

/// Texts that count in the place of those of files, which exist. One for the
/// process, as the disk is: set before anything is read, and inherited by
/// workers. readFile() and BoundedFiles ask it; nobody else has to.
class EditedTexts {
public:
  void set(llvm::StringRef File, std::string Text);
  /// Of \p File, a path seen from the working directory, by whatever name;
  /// nothing: what is on the disk counts. Lives until the next set().
  std::optional<llvm::StringRef> find(llvm::StringRef File) const;

private:
  llvm::StringMap<std::string> ByRealPath;
};

EditedTexts &editedTexts();

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_EDITEDTEXTS_H
