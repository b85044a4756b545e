//===- ParseErrors.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/ParseErrors.h"
#include "lib/source/Nesting.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace cpasync;

const FunctionDecl *cpasync::failedTemplate(const FunctionDecl *F) {
  // Nobody needs the body of what stands in a decltype, nor of std::move.
  if (F->hasBody() || F->getBuiltinID() || !(F->isInvalidDecl() || F->isUsed()))
    return nullptr;
  const FunctionDecl *Template = F->getTemplateInstantiationPattern();
  return Template && Template->hasBody() ? Template : nullptr;
}

// Calls \p Do with each `if constexpr`.
static void forEachConstexprIf(const Stmt *S,
                               llvm::function_ref<void(const IfStmt *)> Do) {
  if (!S)
    return;
  if (const auto *If = dyn_cast<IfStmt>(S); If && If->isConstexpr())
    Do(If);
  for (const Stmt *Child : S->children())
    forEachConstexprIf(Child, Do);
}

// In the template that \p F is an instance of it stands on a side of an `if
// constexpr` that this instance does not have.
bool ParseErrors::isDiscarded(const FunctionDecl *F,
                              SourceLocation Place) const {
  const FunctionDecl *Template = F->getTemplateInstantiationPattern();
  if (!Template || !Template->hasBody(Template) ||
      isNestedTooDeeply(Template->getBody()))
    return false;
  const auto Contains = [&](const Stmt *Side) {
    return Side &&
           !SM.isBeforeInTranslationUnit(
               Place, SM.getExpansionLoc(Side->getBeginLoc())) &&
           !SM.isBeforeInTranslationUnit(SM.getExpansionLoc(Side->getEndLoc()),
                                         Place);
  };
  // The sides that it stands on, by the place of the `if`.
  llvm::DenseMap<SourceLocation, bool> IsInThen;
  forEachConstexprIf(Template->getBody(), [&](const IfStmt *If) {
    if (Contains(If->getThen()) || Contains(If->getElse()))
      IsInThen[If->getIfLoc()] = Contains(If->getThen());
  });
  bool Found = false;
  forEachConstexprIf(F->getBody(), [&](const IfStmt *If) {
    const auto Side = IsInThen.find(If->getIfLoc());
    if (Side == IsInThen.end() || If->getCond()->isValueDependent())
      return;
    const auto Taken = If->getNondiscardedCase(F->getASTContext());
    Found |= Taken && (*Taken == If->getThen()) != Side->second;
  });
  return Found;
}

SourceLocation ParseErrors::ownError(const FunctionDecl *F) const {
  const SourceLocation Begin = SM.getExpansionLoc(F->getBeginLoc());
  const SourceLocation End = SM.getExpansionLoc(F->getEndLoc());
  const auto [File, First] = SM.getDecomposedLoc(Begin);
  const auto [EndFile, Last] = SM.getDecomposedLoc(End);
  for (SourceLocation Place : Places) {
    Place = SM.getExpansionLoc(Place);
    const auto [PlaceFile, Offset] = SM.getDecomposedLoc(Place);
    if (PlaceFile == File && PlaceFile == EndFile && First <= Offset &&
        Offset <= Last && !isDiscarded(F, Place))
      return Place;
  }
  return {};
}

SourceLocation ParseErrors::searchCalls(const Stmt *S) {
  if (!S)
    return {};
  // The error may stand elsewhere, in the class of a variable, say; Clang drops
  // the statements that name the variable then.
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *X : D->decls())
      if (X->isInvalidDecl())
        return X->getLocation();
  if (isa<RecoveryExpr>(S))
    return S->getBeginLoc();
  const FunctionDecl *Callee = nullptr;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    Callee = Call->getDirectCallee();
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
    Callee = Construct->getConstructor();
  if (Callee)
    if (SourceLocation Found = search(Callee); Found.isValid())
      return Found;
  for (const Stmt *Child : S->children())
    if (SourceLocation Found = searchCalls(Child); Found.isValid())
      return Found;
  return {};
}

SourceLocation ParseErrors::search(const FunctionDecl *F) {
  if (const FunctionDecl *Template = failedTemplate(F)) {
    const SourceLocation Found = ownError(Template);
    return Found.isValid() ? Found : Template->getLocation();
  }
  const FunctionDecl *Body = nullptr;
  if (!F->hasBody(Body) || !Visited.insert(Body).second)
    return {};
  if (SourceLocation Found = ownError(Body); Found.isValid())
    return Found;
  return isNestedTooDeeply(Body->getBody()) ? SourceLocation()
                                            : searchCalls(Body->getBody());
}

SourceLocation ParseErrors::firstIn(const FunctionDecl *F) {
  if (Places.empty())
    return {};
  Visited.clear();
  return search(F);
}
