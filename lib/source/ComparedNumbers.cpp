//===- ComparedNumbers.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/ComparedNumbers.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/source/Expressions.h"
#include "lib/source/Layouts.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace cpasync;

/// What \p E is the name of, if that is a floating-point number; else null.
static const ValueDecl *namedNumber(const Expr *E) {
  E = E->IgnoreParens();
  // Lists in code that does not compile have no type.
  if (E->getType().isNull() || !E->getType()->isRealFloatingType())
    return nullptr;
  const ValueDecl *D = nullptr;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    D = dyn_cast<FieldDecl>(M->getMemberDecl());
  else
    D = namedVariable(E);
  return D && !D->getType()->isReferenceType() ? D : nullptr;
}

/// The number that \p S reads or changes where it is; null: none.
static const Expr *usedInPlace(const Stmt *S) {
  if (const auto *C = dyn_cast<ImplicitCastExpr>(S))
    return C->getCastKind() == CK_LValueToRValue ||
                   (C->isGLValue() && C->getType().isConstQualified())
               ? C->getSubExpr()
               : nullptr;
  const auto *U = dyn_cast<UnaryOperator>(S);
  return U && U->isIncrementDecrementOp() ? U->getSubExpr() : nullptr;
}

bool ComparedNumbers::isOne(const Expr *E) const {
  const ValueDecl *D = namedNumber(E->IgnoreParenImpCasts());
  return D && contains(D);
}

void ComparedNumbers::noteComparison(const Expr *A, const Expr *B) {
  const ValueDecl *D = namedNumber(A->IgnoreParenImpCasts());
  if (D &&
      (namedNumber(B->IgnoreParenImpCasts()) || Constants.isFloatingZero(B)))
    Compared.insert(D);
}

void ComparedNumbers::noteCopy(const ValueDecl *To, const Expr *From) {
  if (!From || !To->getType()->isRealFloatingType())
    return;
  From = withoutCasts(From);
  if (const auto *C = dyn_cast<ConditionalOperator>(From)) {
    noteCopy(To, C->getTrueExpr());
    noteCopy(To, C->getFalseExpr());
  } else if (const ValueDecl *D = namedNumber(From)) {
    CopiedFrom[To].push_back(D);
  }
}

template <typename ArgumentRange>
static void
forEachGiven(const FunctionDecl *F, const ArgumentRange &Arguments,
             llvm::function_ref<void(const ValueDecl *, const Expr *)> Do) {
  for (const auto &[Parm, Given] : llvm::zip(F->parameters(), Arguments))
    Do(Parm, Given);
}

void ComparedNumbers::note(const Stmt *S) {
  auto Copy = [&](const ValueDecl *To, const Expr *From) {
    noteCopy(To, From);
  };
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->isEqualityOp()) {
      noteComparison(B->getLHS(), B->getRHS());
      noteComparison(B->getRHS(), B->getLHS());
    } else if (B->getOpcode() == BO_Assign) {
      if (const ValueDecl *To = namedNumber(B->getLHS()))
        noteCopy(To, B->getRHS());
    }
  } else if (const auto *C = dyn_cast<CastExpr>(S)) {
    if (C->getCastKind() == CK_FloatingToBoolean)
      if (const ValueDecl *D =
              namedNumber(C->getSubExpr()->IgnoreParenImpCasts()))
        Compared.insert(D);
  } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X))
        noteCopy(V, V->getInit());
  } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = Call->getDirectCallee();
    const auto *Method = dyn_cast_if_present<CXXMethodDecl>(F);
    if (F)
      forEachGiven(F,
                   llvm::drop_begin(Call->arguments(),
                                    isa<CXXOperatorCallExpr>(Call) && Method &&
                                        Method->isInstance()),
                   Copy);
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
    forEachGiven(Construct->getConstructor(), Construct->arguments(), Copy);
  } else if (const auto *List = dyn_cast<InitListExpr>(S)) {
    if (List->getType().isNull())
      return;
    if (const auto *R = List->getType()->getAsRecordDecl();
        R && !R->isUnion() && List->isSemanticForm())
      for (const auto &[Field, Init] : llvm::zip(R->fields(), List->inits()))
        noteCopy(Field, Init);
  }
}

void ComparedNumbers::read(const FunctionDecl *F,
                           llvm::SmallVectorImpl<const FunctionDecl *> &Work) {
  llvm::SmallVector<const Stmt *, 32> Parts{F->getBody()};
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : C->inits()) {
      Parts.push_back(Init->getInit());
      if (const FieldDecl *Member = Init->getMember())
        noteCopy(Member, Init->getInit());
    }
  while (!Parts.empty()) {
    const Stmt *S = Parts.pop_back_val();
    if (!S)
      continue;
    note(S);
    const FunctionDecl *Callee = nullptr;
    const Expr *InPlace = usedInPlace(S);
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp()) {
      InPlace = B->getLHS();
      Parts.push_back(B->getRHS());
    }
    if (InPlace) {
      InPlace = InPlace->IgnoreParens();
      const auto *M = dyn_cast<MemberExpr>(InPlace);
      Parts.push_back(namedNumber(InPlace) ? M ? M->getBase() : nullptr
                                           : InPlace);
      continue;
    }
    if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
      Callee = C->getConstructor();
    } else if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
      Callee = dyn_cast<FunctionDecl>(D->getDecl());
    } else if (const auto *M = dyn_cast<MemberExpr>(S)) {
      Callee = dyn_cast<FunctionDecl>(M->getMemberDecl());
    }
    if (const FunctionDecl *Body = bodyOf(Callee);
        Body && !Body->isDependentContext())
      Work.push_back(Body);
    if (const auto *E = dyn_cast<Expr>(S))
      if (const ValueDecl *D = namedNumber(E);
          D && !E->getType().isConstQualified())
        Escaping.insert(D);
    Parts.append(S->child_begin(), S->child_end());
  }
}

void ComparedNumbers::close() {
  Known.clear();
  llvm::SmallVector<const ValueDecl *, 16> Work(Compared.begin(),
                                                Compared.end());
  while (!Work.empty()) {
    const ValueDecl *D = Work.pop_back_val();
    if (Escaping.contains(D) || !Known.insert(D).second)
      continue;
    if (const auto From = CopiedFrom.find(D); From != CopiedFrom.end())
      Work.append(From->second.begin(), From->second.end());
  }
}

void ComparedNumbers::follow(llvm::ArrayRef<const FunctionDecl *> Roots) {
  forEachReached(Roots, Read,
                 [&](const FunctionDecl *F,
                     llvm::SmallVectorImpl<const FunctionDecl *> &Work) {
                   read(F, Work);
                 });
  close();
}
