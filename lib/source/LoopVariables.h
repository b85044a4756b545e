//===- LoopVariables.h - What counts the rounds of a loop -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_LOOPVARIABLES_H
#define CPASYNC_LIB_SOURCE_LOOPVARIABLES_H

#include "llvm/ADT/DenseMap.h"

namespace clang {
class Stmt;
class VarDecl;
} // namespace clang

namespace cpasync {

/// The variable by which a reader tells one iteration of a loop from another.
struct LoopVariable {
  const clang::VarDecl *Var = nullptr; ///< null: there is none, or several
  /// The body changes it: what it is at the head, it is at the beginning only.
  bool ChangesInBody = false;
};

class LoopVariables {
public:
  /// Of the statement \p Loop, found when it is first asked for.
  LoopVariable of(const clang::Stmt *Loop);

private:
  llvm::DenseMap<const clang::Stmt *, LoopVariable> Found;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_LOOPVARIABLES_H
