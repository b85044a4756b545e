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

/// Names that an expression is reached through.
static constexpr unsigned MaxNames = 6;

/// What a local was made with; null: it is none.
static const Expr *originOf(const Stmt *E) {
  const VarDecl *Var = namedVariable(E);
  return Var && Var->hasLocalStorage() ? Var->getInit() : nullptr;
}

bool PartialTiles::hangsOnThread(const Stmt *E, unsigned Depth) {
  if (!E || Depth > MaxNames)
    return false;
  if (const auto *Name = dyn_cast<DeclRefExpr>(E);
      Name && Name->getDecl()->getDeclName().isIdentifier() &&
      Name->getDecl()->getName() == "threadIdx")
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(E);
      Call && Call->getDirectCallee() &&
      P.recognizer().specialRegister(Call->getDirectCallee()).contains("tid"))
    return true;
  if (const Expr *Origin = originOf(E))
    return hangsOnThread(Origin, Depth + 1);
  return llvm::any_of(E->children(), [&](const Stmt *Child) {
    return hangsOnThread(Child, Depth);
  });
}

namespace {
/// What a condition is about, as it is written.
struct Mentions {
  llvm::SmallPtrSet<const ValueDecl *, 4> Bounds; ///< numbers that were given
  llvm::SmallPtrSet<const ValueDecl *, 4> Flags;  ///< of which it is made
  llvm::SmallPtrSet<const Stmt *, 8> Within;      ///< it, and what they are
};
} // namespace

static void addBounds(const Stmt *E, Mentions &To, unsigned Depth = 0) {
  if (!E || Depth > MaxNames)
    return;
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (isa<FieldDecl>(Member->getMemberDecl()) &&
        Member->getType()->isIntegerType())
      To.Bounds.insert(Member->getMemberDecl());
    return;
  }
  if (const VarDecl *Var = namedVariable(E))
    if (isa<ParmVarDecl>(Var) && Var->getType()->isIntegerType())
      To.Bounds.insert(Var);
  if (const Expr *Origin = originOf(E))
    addBounds(Origin, To, Depth + 1);
  for (const Stmt *Child : E->children())
    addBounds(Child, To, Depth);
}

bool PartialTiles::asksAgain(const FunctionDecl *F, const Expr *Condition) {
  const auto [Known, New] = Asked.try_emplace(Condition);
  if (!New)
    return Known->second;
  // The side that is the same for all threads is what is compared with.
  auto AddComparison = [&](const BinaryOperator *B, Mentions &To) {
    const bool OfLeft = hangsOnThread(B->getLHS()),
               OfRight = hangsOnThread(B->getRHS());
    if (OfLeft != OfRight)
      addBounds(OfLeft ? B->getRHS() : B->getLHS(), To);
  };
  Mentions About;
  auto Look = [&](auto &Self, const Stmt *E, unsigned Depth) -> void {
    if (!E || Depth > MaxNames)
      return;
    About.Within.insert(E);
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isRelationalOp())
      return AddComparison(B, About);
    if (const Expr *Origin = originOf(E)) {
      About.Flags.insert(namedVariable(E));
      Self(Self, Origin, Depth + 1);
    }
    for (const Stmt *Child : E->children())
      Self(Self, Child, Depth);
  };
  Look(Look, Condition, 0);

  auto AsksIn = [&](auto &Self, const Stmt *E) -> bool {
    if (!E || About.Within.contains(E))
      return false;
    if (const VarDecl *Flag = namedVariable(E);
        Flag && About.Flags.contains(Flag))
      return true;
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isRelationalOp()) {
      Mentions Here;
      AddComparison(B, Here);
      if (llvm::any_of(Here.Bounds, [&](const ValueDecl *X) {
            return About.Bounds.contains(X);
          }))
        return true;
    }
    return llvm::any_of(E->children(),
                        [&](const Stmt *Child) { return Self(Self, Child); });
  };
  const bool Found = AsksIn(AsksIn, F->getBody());
  return Asked[Condition] = Found;
}
