//===- Spellings.h - How a file writes commits and waits --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_SPELLINGS_H
#define CPASYNC_LIB_SOURCE_SPELLINGS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace clang {
class DeclContext;
class FunctionDecl;
} // namespace clang

namespace cpasync {
class Program;

/// The statements of a translation unit that do nothing but commit, or wait for
/// all: what is inserted reads like the code around it.
class Spellings {
public:
  enum Meaning : unsigned {
    MeansNothing,
    Commits = 1,
    WaitsZero = 2,
    WaitsAll = 4
  };

  /// Walks the whole unit.
  explicit Spellings(Program &P);
  /// What the file writes nearest to \p At for one of \p Wanted, a set of
  /// meanings, and \p In can name; empty if nothing.
  llvm::StringRef nearest(unsigned Wanted, clang::SourceLocation At,
                          const clang::FunctionDecl *In) const;

  /// The last that the file writes in \p Range for one of \p Wanted; empty if
  /// nothing.
  llvm::StringRef within(unsigned Wanted, clang::SourceRange Range) const;

private:
  class Finder;
  struct Spelling {
    unsigned Offset; ///< in its file
    unsigned Place;  ///< among those found: of two as near, the first counts
    std::string Text;
    clang::SourceLocation Declared; ///< of the function or macro; invalid:
                                    ///< neither
    const clang::DeclContext *Context = nullptr; ///< of the function
  };

  const clang::SourceManager &SM;
  /// By file and meaning, sorted by offset and place.
  llvm::DenseMap<std::pair<clang::FileID, unsigned>, std::vector<Spelling>>
      Found;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_SPELLINGS_H
