//===- PartialTiles.h - Whether tiles may be left in part -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (Row >= Rows) return;` where the threads of a block copy for each other
// afterwards: a kernel whose host gives whole tiles only is right, all of a
// block leave or none. A guess: who asks about Rows for single threads
// elsewhere, when results are stored or rows are clamped, thinks of tiles that
// are not whole.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_PARTIALTILES_H
#define CPASYNC_LIB_INFERENCE_PARTIALTILES_H

#include "lib/source/FunctionInfo.h"

namespace cpasync {

class PartialTiles {
public:
  explicit PartialTiles(Program &P) : P(P) {}

  /// \p F compares threads with a bound of \p Condition once more.
  bool asksAgain(const clang::FunctionDecl *F, const clang::Expr *Condition);

private:
  /// Parameters and members that are numbers.
  using Bounds = llvm::SmallPtrSet<const clang::ValueDecl *, 4>;
  /// What a condition asks, as it is written.
  struct Question {
    Bounds Of;
    llvm::SmallPtrSet<const clang::VarDecl *, 4> Names; ///< that it has
    llvm::SmallPtrSet<const clang::Stmt *, 8> Within;
  };
  void look(const clang::Stmt *E, Question &To);
  bool isAskedIn(const clang::Stmt *E, const Question &Before);
  /// What threads are compared with; empty: it is no such comparison.
  Bounds boundsOf(const clang::Stmt *E);
  /// As it is written, through locals.
  bool hangsOnThread(const clang::Stmt *E);

  Program &P;
  llvm::DenseMap<const clang::Expr *, bool> Asked;
  llvm::DenseMap<const clang::VarDecl *, bool> OfThread;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_PARTIALTILES_H
