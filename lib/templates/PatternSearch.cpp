//===- PatternSearch.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/PatternSearch.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// The class behind "Loader<T>", as it is written.
static const CXXRecordDecl *templateOf(QualType T) {
  if (T->isPointerType())
    T = T->getPointeeType();
  const auto *Named = T->getAs<TemplateSpecializationType>();
  const auto *Class = Named ? dyn_cast_if_present<ClassTemplateDecl>(
                                  Named->getTemplateName().getAsTemplateDecl())
                            : nullptr;
  return Class ? Class->getTemplatedDecl() : nullptr;
}

static const CXXRecordDecl *templateOf(NestedNameSpecifier Qualifier) {
  return Qualifier.getKind() == NestedNameSpecifier::Kind::Type
             ? templateOf(QualType(Qualifier.getAsType(), 0))
             : nullptr;
}

bool PatternSearch::mentionsCopies(const Stmt *S) {
  if (!S)
    return false;
  if (P.effects(S) & What)
    return true;
  const auto IsFound = [&](const NamedDecl *D) {
    return isAmong(D->getUnderlyingDecl());
  };
  if (const auto *Name = dyn_cast<OverloadExpr>(S))
    if (llvm::any_of(Name->decls(), IsFound))
      return true;
  if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(S))
    if (const auto *C = templateOf(M->getBaseType());
        C && llvm::any_of(C->lookup(M->getMember()), IsFound))
      return true;
  if (const auto *M = dyn_cast<DependentScopeDeclRefExpr>(S))
    if (const auto *C = templateOf(M->getQualifier());
        C && llvm::any_of(C->lookup(M->getDeclName()), IsFound))
      return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return mentionsCopies(Child); });
}

bool PatternSearch::mentionsCopies(const FunctionDecl *F) {
  return P.isTooDeep(F) || mentionsCopies(F->getBody());
}

bool PatternSearch::isAmong(const NamedDecl *D) {
  const FunctionDecl *F = D->getAsFunction();
  const FunctionDecl *Body = nullptr;
  if (!F)
    return false;
  if (effectsOf(P.recognizer().api(F)) & What)
    return true;
  if (!F->hasBody(Body))
    return false;
  const auto [It, New] = Known.try_emplace(Body, false);
  return New ? Known[Body] = mentionsCopies(Body) : It->second;
}
