//===- MissingTypenames.h - Put 'typename' where nvcc needs none *- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc takes `convert<Traits<T>::Type>(X)` for a function template of types.
// Clang does not, and gives up the function around it. The keyword is put into
// copies of the files in memory, which are parsed again; places in what that
// reports are then moved to where they are in the files of the user.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_MISSINGTYPENAMES_H
#define CPASYNC_TOOL_MISSINGTYPENAMES_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "tool/SourceText.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <set>

namespace cpasync {

/// What one parse says.
struct ParseResult {
  std::vector<clang::tidy::ClangTidyError> Errors;
  PassReport Report;

  /// Compile errors for other reasons than a missing 'typename'.
  unsigned otherErrors() const;
};

class MissingTypenames {
public:
  /// \p Directory is where relative paths start.
  MissingTypenames(SourceCache &Sources, llvm::StringRef Directory)
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
  const std::set<unsigned> *insertionsIn(llvm::StringRef File) const;
  unsigned restored(llvm::StringRef File, unsigned Offset) const;
  void restore(clang::tooling::DiagnosticMessage &Message) const;
  void restore(Place &P) const;
  void restoreLine(Place &P) const;

  SourceCache &Sources;
  llvm::StringRef Directory;
  std::map<std::string, std::set<unsigned>> Insertions; ///< by absolute path
};

} // namespace cpasync

#endif // CPASYNC_TOOL_MISSINGTYPENAMES_H
