//===- PartialTiles.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/PartialTiles.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// A local that is made with something.
static const VarDecl *localWithOrigin(const Stmt *E) {
  const VarDecl *Var = namedVariable(E);
  return Var && Var->hasLocalStorage() && Var->getInit() ? Var : nullptr;
}

bool PartialTiles::hangsOnThread(const Stmt *E) {
  if (!E)
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(E);
      Call && Call->getDirectCallee()) {
    const llvm::StringRef Register =
        P.recognizer().specialRegister(Call->getDirectCallee());
    if (Register.starts_with("tid.") || Register == "laneid")
      return true;
  }
  if (const VarDecl *Var = localWithOrigin(E)) {
    if (OfThread.try_emplace(Var, false).second) {
      const bool Hangs = hangsOnThread(Var->getInit());
      OfThread[Var] = Hangs;
    }
    return OfThread.lookup(Var);
  }
  return llvm::any_of(E->children(),
                      [&](const Stmt *Child) { return hangsOnThread(Child); });
}

PartialTiles::Bounds PartialTiles::boundsOf(const Stmt *E) {
  Bounds Found;
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || !B->isRelationalOp())
    return Found;
  const bool OfLeft = hangsOnThread(B->getLHS());
  if (OfLeft == hangsOnThread(B->getRHS()))
    return Found;
  llvm::SmallPtrSet<const VarDecl *, 4> Locals;
  llvm::SmallVector<const Stmt *, 8> Work{OfLeft ? B->getRHS() : B->getLHS()};
  while (!Work.empty()) {
    const Stmt *X = Work.pop_back_val();
    if (!X)
      continue;
    const auto *Value = dyn_cast<Expr>(X);
    const bool IsNumber = Value && Value->getType()->isIntegerType();
    if (const auto *Member = dyn_cast<MemberExpr>(X);
        Member && isa<FieldDecl>(Member->getMemberDecl())) {
      if (IsNumber)
        Found.insert(Member->getMemberDecl());
      continue;
    }
    if (const auto *Given = dyn_cast_if_present<ParmVarDecl>(namedVariable(X));
        Given && IsNumber)
      Found.insert(Given);
    if (const VarDecl *Var = localWithOrigin(X);
        Var && Locals.insert(Var).second)
      Work.push_back(Var->getInit());
    llvm::append_range(Work, X->children());
  }
  return Found;
}

void PartialTiles::look(const Stmt *E, Question &To) {
  if (!E || !To.Within.insert(E).second)
    return;
  To.Of.insert_range(boundsOf(E));
  if (const VarDecl *Var = localWithOrigin(E)) {
    if (Var->getType()->isBooleanType())
      To.Names.insert(Var);
    look(Var->getInit(), To);
  }
  if (!isa<BinaryOperator>(E) || !cast<BinaryOperator>(E)->isRelationalOp())
    for (const Stmt *Child : E->children())
      look(Child, To);
}

bool PartialTiles::isAskedIn(const Stmt *E, const Question &Before) {
  if (!E || Before.Within.contains(E))
    return false;
  return Before.Names.contains(namedVariable(E)) ||
         llvm::any_of(
             boundsOf(E),
             [&](const ValueDecl *X) { return Before.Of.contains(X); }) ||
         llvm::any_of(E->children(), [&](const Stmt *Child) {
           return isAskedIn(Child, Before);
         });
}

bool PartialTiles::asksAgain(const FunctionDecl *F, const Expr *Condition) {
  const auto [Known, New] = Asked.try_emplace(Condition);
  if (!New)
    return Known->second;
  Question Here;
  look(Condition, Here);
  return Known->second = isAskedIn(F->getBody(), Here);
}
