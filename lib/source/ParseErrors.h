//===- ParseErrors.h - Functions that do not compile ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang drops statements with errors, often without a trace in the AST. What is
// said about a function with such a hole holds only if nothing in the hole
// copies, commits, waits or synchronises.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_PARSEERRORS_H
#define CPASYNC_LIB_SOURCE_PARSEERRORS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace cpasync {

/// The template behind \p F if Clang has not instantiated it because of an
/// error: then \p F has no body. Null: \p F is something else.
const clang::FunctionDecl *failedTemplate(const clang::FunctionDecl *F);

class ParseErrors {
public:
  ParseErrors(const clang::SourceManager &SM,
              llvm::ArrayRef<clang::SourceLocation> Places)
      : SM(SM), Places(Places) {}

  /// The first error in \p F, else in a function it calls; invalid: none.
  clang::SourceLocation firstIn(const clang::FunctionDecl *F);

private:
  bool isDiscarded(const clang::FunctionDecl *F,
                   clang::SourceLocation Place) const;
  clang::SourceLocation ownError(const clang::FunctionDecl *F) const;
  clang::SourceLocation search(const clang::FunctionDecl *F);
  clang::SourceLocation searchCalls(const clang::Stmt *S);

  const clang::SourceManager &SM;
  llvm::ArrayRef<clang::SourceLocation> Places;
  llvm::DenseSet<const clang::FunctionDecl *> Visited;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_PARSEERRORS_H
