//===- Expressions.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

const Expr *cpasync::withoutTemporaries(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
      E = B->getSubExpr();
    else
      return E;
  }
}

const Expr *cpasync::withoutCopies(const Expr *E) {
  while (true) {
    const Expr *Outer = E;
    E = withoutTemporaries(E->IgnoreParenImpCasts());
    if (const auto *C = dyn_cast<CXXConstructExpr>(E);
        C && C->getNumArgs() > 0 &&
        C->getConstructor()->isCopyOrMoveConstructor())
      E = C->getArg(0);
    else if (E == Outer)
      return E;
  }
}

const VarDecl *cpasync::namedVariable(const Stmt *E) {
  const auto *D = dyn_cast_if_present<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const Expr *cpasync::conditionOf(const Stmt *Loop) {
  if (const auto *F = dyn_cast_if_present<ForStmt>(Loop))
    return F->getCond();
  if (const auto *W = dyn_cast_if_present<WhileStmt>(Loop))
    return W->getCond();
  if (const auto *D = dyn_cast_if_present<DoStmt>(Loop))
    return D->getCond();
  return nullptr;
}
