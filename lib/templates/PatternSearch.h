//===- PatternSearch.h - Copies in templates --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_PATTERNSEARCH_H
#define CPASYNC_LIB_TEMPLATES_PATTERNSEARCH_H

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class NamedDecl;
class Stmt;
} // namespace clang

namespace cpasync {

class Program;

/// Finds copies, commits and waits in templates as they are written: calls
/// stand for every overload that the template knows.
class PatternSearch {
public:
  /// \p What: effects of a copy, a commit or a wait.
  PatternSearch(Program &P, unsigned What) : P(P), What(What) {}

  /// \p F has a body; one that is nested too deeply to look may have any.
  bool mentionsCopies(const clang::FunctionDecl *F);

private:
  bool mentionsCopies(const clang::Stmt *S);
  bool isAmong(const clang::NamedDecl *D);

  Program &P;
  const unsigned What;
  /// False while searching.
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_PATTERNSEARCH_H
