//===- ModSets.h - How a statement changes a variable -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_MODSETS_H
#define CPASYNC_LIB_SOURCE_MODSETS_H

#include "llvm/ADT/DenseMap.h"

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace cpasync {

/// How often a variable is written to by its name.
struct Changes {
  unsigned Additions = 0; ///< of a number, or subtractions
  unsigned Others = 0;    ///< or its address is taken
  unsigned Begins = 0;    ///< its declaration
  /// What the last addition adds; null: 1.
  const clang::Expr *Step = nullptr;

  bool isOneStep() const { return Additions == 1 && Others == 0 && !Begins; }
};

/// Where the variables of a program change.
class ModSets {
public:
  /// \p Var has the value that it begins with wherever it can be named.
  bool never(const clang::VarDecl *Var);
  /// In each round of \p Loop.
  Changes in(const clang::Stmt *Loop, const clang::VarDecl *Var);

private:
  llvm::DenseMap<const clang::VarDecl *, bool> Never;
  llvm::DenseMap<std::pair<const clang::Stmt *, const clang::VarDecl *>,
                 Changes>
      InLoops;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_MODSETS_H
