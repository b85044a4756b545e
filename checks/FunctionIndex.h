//===- FunctionIndex.h - The function around a place ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding knows places, a report names functions: the one whose text holds
// the place. A template counts once, whatever is instantiated, and a lambda
// belongs to the function it is written in.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_FUNCTIONINDEX_H
#define CPASYNC_CHECKS_FUNCTIONINDEX_H

#include "clang/Basic/SourceLocation.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class DeclContext;
class SourceManager;
} // namespace clang

namespace cpasync {

class FunctionIndex {
public:
  struct Entry {
    clang::FileID File;
    unsigned Begin; ///< offsets in the file, both inclusive
    unsigned End;
    unsigned Line;
    unsigned EndLine;
    std::string Name; ///< qualified, without template arguments
  };

  /// Lists the functions defined outside system headers.
  explicit FunctionIndex(const clang::ASTContext &Ctx);

  /// \p Loc is a place in a file. Null: no function is there.
  const Entry *around(clang::SourceLocation Loc) const;

private:
  void add(const clang::DeclContext &Decls);

  const clang::SourceManager &SM;
  std::vector<Entry> Entries;
};

} // namespace cpasync

#endif // CPASYNC_CHECKS_FUNCTIONINDEX_H
