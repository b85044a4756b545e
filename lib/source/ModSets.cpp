//===- ModSets.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/ModSets.h"
#include "lib/source/Expressions.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

static bool isVariable(const Expr *E, const VarDecl *Var) {
  return namedVariable(E->IgnoreParenImpCasts()) == Var;
}

static void collect(Changes &C, const Stmt *S, const VarDecl *Var) {
  if (!S)
    return;
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && isVariable(U->getSubExpr(), Var)) {
    C.Additions += U->isIncrementDecrementOp();
    C.Others += U->getOpcode() == UO_AddrOf;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(S);
      B && B->isAssignmentOp() && isVariable(B->getLHS(), Var)) {
    if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign) {
      ++C.Additions;
      C.Step = B->getRHS();
    } else {
      ++C.Others;
    }
  }
  if (const auto *D = dyn_cast<DeclStmt>(S))
    C.Begins += llvm::is_contained(D->decls(), Var);
  for (const Stmt *Child : S->children())
    collect(C, Child, Var);
}

bool ModSets::never(const VarDecl *Var) {
  if (Var->isConstexpr() || Var->getType().isConstQualified() ||
      Var->getType()->isReferenceType())
    return true;
  const auto *F = dyn_cast<FunctionDecl>(Var->getDeclContext());
  if (!F || !F->hasBody())
    return false;
  auto [I, New] = Never.try_emplace(Var);
  if (New) {
    Changes C;
    collect(C, F->getBody(), Var);
    I->second = C.Additions == 0 && C.Others == 0;
  }
  return I->second;
}

Changes ModSets::in(const Stmt *Loop, const VarDecl *Var) {
  auto [I, New] = InLoops.try_emplace({Loop, Var});
  if (New)
    for (const Stmt *Part : Loop->children())
      if (const auto *F = dyn_cast<ForStmt>(Loop); !F || Part != F->getInit())
        collect(I->second, Part, Var);
  return I->second;
}
