//===- Expressions.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"

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

const Expr *cpasync::withoutCasts(const Expr *E) {
  E = withoutTemporaries(E);
  while (const auto *C = dyn_cast<CastExpr>(E))
    E = withoutTemporaries(C->getSubExpr());
  return E;
}

QualType cpasync::typeOfObject(const VarDecl *D) {
  if (!D->getType()->isReferenceType() || !D->getInit())
    return D->getType();
  const Expr *E = withoutTemporaries(D->getInit());
  while (true) {
    llvm::SmallVector<const Expr *, 2> Commas;
    llvm::SmallVector<SubobjectAdjustment, 2> Parts;
    const Expr *Whole =
        withoutTemporaries(E->skipRValueSubobjectAdjustments(Commas, Parts));
    if (Whole == E)
      return E->isPRValue() ? E->getType() : D->getType();
    E = Whole;
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

const VarDecl *cpasync::variableBehind(const Stmt *E) {
  const auto *D = dyn_cast_if_present<DeclRefExpr>(E);
  const auto *B = D ? dyn_cast<BindingDecl>(D->getDecl()) : nullptr;
  return B ? dyn_cast<VarDecl>(B->getDecomposedDecl()) : namedVariable(E);
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

/// Operands of a condition that are known together. What is known of "a && b"
/// helps loops to settle; to ask for it once an operand is quadratic.
static constexpr unsigned MaxOperandsTogether = 16;

static bool hasManyOperands(const Expr *E) {
  unsigned Count = 1;
  for (const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreParens());
       Op && Op->isLogicalOp() && Count <= MaxOperandsTogether;
       Op = dyn_cast<BinaryOperator>(Op->getLHS()->IgnoreParens()))
    ++Count;
  return Count > MaxOperandsTogether;
}

const Expr *cpasync::decidedBy(const CFGBlock *B, const Expr *Condition) {
  if (!hasManyOperands(Condition))
    return Condition;
  const Expr *const Last = B->getLastCondition(), *E = Condition;
  while (const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreParens())) {
    if (!Op->isLogicalOp())
      break;
    E = Op->getRHS();
  }
  return Last && E->IgnoreParens() == Last ? E : Condition;
}
