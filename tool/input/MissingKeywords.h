//===- MissingKeywords.h - Keywords that nvcc does not need -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc takes `convert<Traits<T>::Type>(X)` for a function template of types,
// `Tile.load<4>(X)` where the type of Tile depends on a template parameter,
// also `Traits<T>::load<4>(X)` and `Load.operator()<4>(X)`, and `load(X)` for a
// member of a base that does. Clang does not, and gives up the function around
// it. So it does for `"mov.u32 %0, %laneid;"`, where a register has one '%'.
// 'typename', 'template', 'this->' and '%' are put into copies of the files in
// memory, which are parsed again; places in what that reports are then moved to
// where they are in the files of the user.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_MISSINGKEYWORDS_H
#define CPASYNC_TOOL_INPUT_MISSINGKEYWORDS_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "tool/input/SourceText.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

namespace cpasync {

/// What one parse says.
struct ParseResult {
  std::vector<clang::tidy::ClangTidyError> Errors;
  PassReport Report;

  /// Compile errors for other reasons than a missing keyword.
  unsigned otherErrors() const;
};

class MissingKeywords {
public:
  /// \p Directory is where relative paths start.
  MissingKeywords(SourceCache &Sources, llvm::StringRef Directory)
      : Sources(Sources), Directory(Directory) {}

  /// Adds the places that the report of a restored parse names. False if
  /// nothing is new.
  bool add(const PassReport &Report);

  /// \p Base with the keywords put in.
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
  fileSystem(const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &Base) const;

  /// Moves the places in \p Result, which comes from such a file system.
  void restore(ParseResult &Result) const;

private:
  const std::map<unsigned, llvm::StringRef> *
  insertionsIn(llvm::StringRef File) const;
  unsigned restored(llvm::StringRef File, unsigned Offset) const;
  void restore(clang::tooling::DiagnosticMessage &Message) const;
  void restore(Place &P) const;
  void restoreLine(Place &P) const;

  SourceCache &Sources;
  llvm::StringRef Directory;
  /// By absolute path and offset, the keyword that goes there.
  std::map<std::string, std::map<unsigned, llvm::StringRef>> Insertions;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_MISSINGKEYWORDS_H
