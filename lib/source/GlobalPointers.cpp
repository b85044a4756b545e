//===- GlobalPointers.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/GlobalPointers.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/source/Expressions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// The variable that \p E names, or names a member of.
static const DeclRefExpr *named(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (M->isArrow())
      return nullptr;
    E = M->getBase()->IgnoreParens();
  }
  return dyn_cast<DeclRefExpr>(E);
}

/// What \p S reads or moves on by a number, so that it leads on to where it
/// did; null: \p S does nothing of the kind.
static const DeclRefExpr *keptBy(const Stmt *S) {
  if (const auto *C = dyn_cast<ImplicitCastExpr>(S))
    return C->getCastKind() == CK_LValueToRValue ||
                   (C->isGLValue() && C->getType().isConstQualified())
               ? named(C->getSubExpr())
               : nullptr;
  if (const auto *U = dyn_cast<UnaryOperator>(S))
    return U->isIncrementDecrementOp() ? named(U->getSubExpr()) : nullptr;
  return nullptr;
}

void GlobalPointers::read(const FunctionDecl *F,
                          llvm::SmallVectorImpl<const FunctionDecl *> &Work) {
  auto Reach = [&](const FunctionDecl *Callee) -> const FunctionDecl * {
    const FunctionDecl *Body = bodyOf(Callee);
    if (Body && !Body->isDependentContext())
      Work.push_back(Body);
    return Body;
  };
  llvm::SmallVector<const Stmt *, 32> Parts{F->getBody()};
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : C->inits())
      Parts.push_back(Init->getInit());
  while (!Parts.empty()) {
    const Stmt *S = Parts.pop_back_val();
    if (!S || keptBy(S))
      continue;
    if (const auto *C = dyn_cast<CallExpr>(S)) {
      if (const FunctionDecl *Body = Reach(C->getDirectCallee())) {
        Calls[Body].push_back(C);
        // Its name says no more.
        if (const auto *M = dyn_cast<MemberExpr>(C->getCallee()))
          Parts.push_back(M->getBase());
        Parts.append(C->getArgs(), C->getArgs() + C->getNumArgs());
        continue;
      }
    } else if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      // What it does to what it captures is in its body.
      Parts.push_back(L->getBody());
      for (const auto &[Capture, Init] :
           llvm::zip(L->captures(), L->capture_inits()))
        if (L->isInitCapture(&Capture))
          Parts.push_back(Init);
      continue;
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
      Reach(C->getConstructor());
    } else if (const auto *B = dyn_cast<CompoundAssignOperator>(S);
               B &&
               (B->getOpcode() == BO_AddAssign ||
                B->getOpcode() == BO_SubAssign) &&
               named(B->getLHS())) {
      Parts.push_back(B->getRHS());
      continue;
    } else if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
      if (const auto *Named = dyn_cast<FunctionDecl>(D->getDecl())) {
        if (const FunctionDecl *Body = Reach(Named))
          Escaping.insert(Body);
      } else if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
                 V && !V->getType().getNonReferenceType().isConstQualified()) {
        Replaced.insert(V);
      }
    }
    Parts.append(S->child_begin(), S->child_end());
  }
}

void GlobalPointers::follow(llvm::ArrayRef<const FunctionDecl *> Roots) {
  forEachReached(Roots, Read,
                 [&](const FunctionDecl *F,
                     llvm::SmallVectorImpl<const FunctionDecl *> &Work) {
                   read(F, Work);
                 });
  Known.clear();
}

bool GlobalPointers::isReplaced(const VarDecl *V, const FunctionDecl *F) const {
  return !Read.contains(F) || Replaced.contains(V);
}

bool GlobalPointers::isFromKernel(
    const ParmVarDecl *P, llvm::function_ref<bool(const Expr *)> Holds) {
  const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
  if (!F || !F->hasBody() || isReplaced(P, F))
    return false;
  if (F->hasAttr<CUDAGlobalAttr>())
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  const auto Of = Calls.find(F);
  if (Of == Calls.end() || Escaping.contains(F) ||
      (Method && Method->isVirtual()))
    return false;
  return llvm::all_of(Of->second, [&](const CallExpr *C) {
    const bool HasObject =
        isa<CXXOperatorCallExpr>(C) && Method && Method->isInstance();
    const unsigned I = P->getFunctionScopeIndex() + HasObject;
    return I < C->getNumArgs() && Holds(C->getArg(I));
  });
}

bool GlobalPointers::isGiven(const Expr *E) {
  while (true) {
    E = withoutCopies(E)->IgnoreParenImpCasts();
    const auto *M = dyn_cast<MemberExpr>(E);
    if (!M || M->isArrow() || !isa<FieldDecl>(M->getMemberDecl()))
      break;
    E = M->getBase();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
  return P && isGiven(P);
}

bool GlobalPointers::isGiven(const ParmVarDecl *P) {
  const auto [At, New] = Known.try_emplace(P, false);
  if (!New)
    return At->second;
  const QualType T = P->getType();
  // Through a reference that is not constant it may have been changed.
  const bool Is =
      T.getNonReferenceType()->isRecordType() &&
      (!T->isReferenceType() || T->getPointeeType().isConstQualified()) &&
      isFromKernel(P, [&](const Expr *A) { return isGiven(A); });
  return Known[P] = Is;
}

bool GlobalPointers::isGlobal(const VarDecl *V) {
  const auto [At, New] = Known.try_emplace(V, false);
  if (!New)
    return At->second;
  bool Is = false;
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    Is = isFromKernel(P, [&](const Expr *A) { return isGlobal(A); });
  } else if (const auto *F = dyn_cast<FunctionDecl>(V->getDeclContext());
             F && F->hasBody() && V->hasLocalStorage() && V->getInit()) {
    Is = !isReplaced(V, F) && isGlobal(V->getInit());
  }
  return Known[V] = Is;
}

bool GlobalPointers::isGlobal(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->isAdditiveOp() && B->getType()->isPointerType()) {
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
      continue;
    }
    const auto *U = dyn_cast<UnaryOperator>(E);
    const auto *Element =
        U && U->getOpcode() == UO_AddrOf
            ? dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens())
            : nullptr;
    if (!Element)
      break;
    E = Element->getBase();
  }
  if (!E->getType()->isPointerType())
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return isGiven(M);
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && !V->getType()->isReferenceType() && isGlobal(V);
}

bool GlobalPointers::isBehindGlobal(const Expr *Place) {
  while (true) {
    Place = Place->IgnoreParenCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(Place)) {
      if (isGlobal(A->getBase()))
        return true;
      Place = A->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(Place)) {
      if (M->isArrow())
        return isGlobal(M->getBase());
      Place = M->getBase();
    } else {
      const auto *U = dyn_cast<UnaryOperator>(Place);
      return U && U->getOpcode() == UO_Deref && isGlobal(U->getSubExpr());
    }
  }
}
