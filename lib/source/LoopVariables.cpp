//===- LoopVariables.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/LoopVariables.h"
#include "lib/source/Expressions.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace cpasync;

using Variables = llvm::SmallSetVector<const VarDecl *, 4>;

static const VarDecl *localInteger(const Stmt *S) {
  const VarDecl *Var = namedVariable(S);
  return Var && Var->isLocalVarDeclOrParm() && Var->getType()->isIntegerType()
             ? Var
             : nullptr;
}

static void collectIntegers(const Stmt *S, Variables &To) {
  if (!S)
    return;
  if (const VarDecl *Var = localInteger(S))
    To.insert(Var);
  for (const Stmt *Child : S->children())
    collectIntegers(Child, To);
}

// Anything but a read may change it: an assignment, a reference to it.
static bool mayChange(const Stmt *S, const VarDecl *Var) {
  if (!S)
    return false;
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
      Cast && Cast->getCastKind() == CK_LValueToRValue &&
      localInteger(Cast->getSubExpr()->IgnoreParens()) == Var)
    return false;
  if (localInteger(S) == Var)
    return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return mayChange(Child, Var); });
}

static LoopVariable find(const Stmt *Loop) {
  const Stmt *Body = nullptr, *Advance = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    Body = For->getBody();
    Advance = For->getInc();
  } else if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    Body = While->getBody();
  } else if (const auto *Do = dyn_cast<DoStmt>(Loop)) {
    Body = Do->getBody();
  }
  Variables Counters;
  collectIntegers(conditionOf(Loop), Counters);
  Counters.remove_if([&](const VarDecl *Var) {
    return !mayChange(Advance, Var) && !mayChange(Body, Var);
  });
  // The condition may ask for more than the counter that the head advances.
  if (Counters.size() > 1)
    Counters.remove_if(
        [&](const VarDecl *Var) { return !mayChange(Advance, Var); });
  if (Counters.size() != 1)
    return {};
  return {Counters.front(), mayChange(Body, Counters.front())};
}

LoopVariable LoopVariables::of(const Stmt *Loop) {
  if (!Loop)
    return {};
  const auto [I, New] = Found.try_emplace(Loop);
  if (New)
    I->second = find(Loop);
  return I->second;
}
