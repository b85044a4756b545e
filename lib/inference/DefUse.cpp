//===- DefUse.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/DefUse.h"
#include "lib/source/Expressions.h"
#include "lib/state/State.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace clang;
using namespace cpasync;

const Expr *DefUse::argumentFor(const Context &C,
                                const ParmVarDecl *Parm) const {
  for (const Frame &F : llvm::reverse(C.Frames)) {
    const auto *Call = dyn_cast_if_present<CallExpr>(F.Call);
    const unsigned Index = Parm->getFunctionScopeIndex() +
                           (isa_and_present<CXXOperatorCallExpr>(Call) ? 1 : 0);
    if (Call && Parm->getDeclContext() == F.Fn->decl() &&
        Index < Call->getNumArgs())
      return Call->getArg(Index);
  }
  return nullptr;
}

const Expr *DefUse::originOf(const Context &C, const VarDecl *Var) const {
  if (!P.changes().never(Var))
    return nullptr;
  if (const auto *Parm = dyn_cast<ParmVarDecl>(Var))
    return argumentFor(C, Parm);
  return Var->hasLocalStorage() ? Var->getInit() : nullptr;
}

std::optional<int64_t> DefUse::extent(const Expr *E) const {
  const auto *Object = dyn_cast<PseudoObjectExpr>(E);
  const Expr *Result = Object ? Object->getResultExpr() : nullptr;
  const auto *Get =
      Result ? dyn_cast<CallExpr>(Result->IgnoreParenImpCasts()) : nullptr;
  const FunctionDecl *F = Get ? Get->getDirectCallee() : nullptr;
  return F ? llvm::StringSwitch<std::optional<int64_t>>(
                 P.recognizer().specialRegister(F))
                 .Case("ntid.x", Shape.X)
                 .Case("ntid.y", Shape.Y)
                 .Case("ntid.z", Shape.Z)
                 .Default(std::nullopt)
           : std::nullopt;
}

static std::optional<int64_t> compute(BinaryOperatorKind Op, int64_t A,
                                      int64_t B) {
  switch (Op) {
  case BO_Add:
    return llvm::checkedAdd(A, B);
  case BO_Sub:
    return llvm::checkedSub(A, B);
  case BO_Mul:
    return llvm::checkedMul(A, B);
  case BO_Div:
    return B > 0 ? std::optional(A / B) : std::nullopt;
  case BO_Rem:
    return B > 0 ? std::optional(A % B) : std::nullopt;
  case BO_Shl:
    return B >= 0 && B < 32 ? llvm::checkedMul(A, int64_t(1) << B)
                            : std::nullopt;
  case BO_Shr:
    return B >= 0 && B < 32 ? std::optional(A >> B) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> DefUse::fixedValue(const Context &C, const Expr *E,
                                          unsigned Depth) const {
  if (Depth > MaxDepth)
    return std::nullopt;
  E = E->IgnoreParenCasts();
  if (const auto N = P.layouts().integer(E))
    return N->trySExtValue();
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const auto X = fixedValue(C, B->getLHS(), Depth + 1),
               Y = fixedValue(C, B->getRHS(), Depth + 1);
    return X && Y ? compute(B->getOpcode(), *X, *Y) : std::nullopt;
  }
  if (const VarDecl *Var = namedVariable(E)) {
    const Expr *Origin = originOf(C, Var);
    return Origin ? fixedValue(C, Origin, Depth + 1) : std::nullopt;
  }
  return extent(E);
}

const VarDecl *DefUse::givenNumber(const Context &C, const Stmt *E,
                                   unsigned Depth) const {
  if (!E || Depth > MaxDepth)
    return nullptr;
  if (const VarDecl *Var = namedVariable(E)) {
    if (Var->isConstexpr())
      return nullptr;
    const auto *Parm = dyn_cast<ParmVarDecl>(Var);
    if (Parm && Parm->getDeclContext() == C.Frames[0].Fn->decl())
      return Parm;
    return givenNumber(C, Parm ? argumentFor(C, Parm) : Var->getInit(),
                       Depth + 1);
  }
  for (const Stmt *Child : E->children())
    if (const VarDecl *Found = givenNumber(C, Child, Depth + 1))
      return Found;
  return nullptr;
}

bool DefUse::endsAsGiven(const Context &C, const CFGBlock *Head) const {
  return givenNumber(C, conditionOf(FunctionInfo::loopStmt(Head)));
}

static bool mentions(const Stmt *S, const VarDecl *Var) {
  if (!S)
    return false;
  return namedVariable(S) == Var ||
         llvm::any_of(S->children(),
                      [&](const Stmt *C) { return mentions(C, Var); });
}

const Stmt *DefUse::movingLoop(const Context &C, const Expr *E,
                               unsigned Depth) const {
  if (!E || Depth > MaxDepth)
    return nullptr;
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return movingLoop(C, U->getSubExpr(), Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const BinaryOperatorKind Op = B->getOpcode();
    if (Op != BO_Add && Op != BO_Sub && Op != BO_Mul && Op != BO_Div &&
        Op != BO_Shl && Op != BO_Shr && Op != BO_Or && Op != BO_Xor)
      return nullptr;
    const Stmt *Left = movingLoop(C, B->getLHS(), Depth + 1);
    return Left ? Left : movingLoop(C, B->getRHS(), Depth + 1);
  }
  const VarDecl *Var = namedVariable(E);
  if (!Var)
    return nullptr;
  for (const LoopVisit &Loop : C.Loops)
    if (const Stmt *St = FunctionInfo::loopStmt(Loop.Head);
        St && Loop.mayGoOn() &&
        (mentions(conditionOf(St), Var) || P.changes().in(St, Var).isOneStep()))
      return St;
  if (const auto *Parm = dyn_cast<ParmVarDecl>(Var))
    return movingLoop(C, argumentFor(C, Parm), Depth + 1);
  return movingLoop(C, Var->getInit(), Depth + 1);
}

int64_t DefUse::stepOf(const Context &C, const Expr *E, unsigned Depth) const {
  const VarDecl *Var = namedVariable(E->IgnoreParenCasts());
  if (!Var || Depth > MaxDepth)
    return 0;
  for (const LoopVisit &Loop : C.Loops)
    if (const Stmt *St = FunctionInfo::loopStmt(Loop.Head))
      if (const Changes In = P.changes().in(St, Var); In.isOneStep())
        return In.Step ? fixedValue(C, In.Step).value_or(0) : 1;
  const Expr *Origin = originOf(C, Var);
  return Origin ? stepOf(C, Origin, Depth + 1) : 0;
}
