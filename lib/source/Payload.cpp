//===- Payload.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and functions that hold nothing an address could be made of.
//
//===----------------------------------------------------------------------===//

#include "lib/source/Expressions.h"
#include "lib/source/FunctionInfo.h"
#include "lib/source/Nesting.h"
#include "lib/source/ParseErrors.h"
#include "lib/source/Spellings.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

bool Program::isHollow(QualType T) {
  while (const auto *A = T->getAsArrayTypeUnsafe())
    T = A->getElementType();
  const auto *R = T->getAsCXXRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R || R->isDependentType() || R->isPolymorphic() || R->getNumVBases())
    return false;
  auto [I, New] = Hollow.try_emplace(R, false);
  if (!New)
    return I->second;
  bool H = llvm::all_of(
               R->fields(),
               [&](const FieldDecl *F) { return isHollow(F->getType()); }) &&
           llvm::all_of(R->bases(), [&](const CXXBaseSpecifier &B) {
             return isHollow(B.getType());
           });
  return Hollow[R] = H;
}

// Reaches something else by a reference that a member holds.
static bool holdsReference(QualType T) {
  while (const auto *A = T->getAsArrayTypeUnsafe())
    T = A->getElementType();
  if (T->isReferenceType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  return R && (llvm::any_of(R->fields(),
                            [](const FieldDecl *F) {
                              return holdsReference(F->getType());
                            }) ||
               llvm::any_of(R->bases(), [](const CXXBaseSpecifier &B) {
                 return holdsReference(B.getType());
               }));
}

std::optional<llvm::APSInt> Program::constantResult(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  if (!F->hasBody(Body) || isTooDeep(Body) ||
      !Body->getReturnType()->isIntegralOrEnumerationType())
    return std::nullopt;
  auto [I, New] = Constants.try_emplace(Body);
  if (!New)
    return I->second;
  const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
  const auto *Return = Block && Block->size() == 1
                           ? dyn_cast<ReturnStmt>(Block->body_front())
                           : nullptr;
  const Expr *E = Return ? Return->getRetValue() : nullptr;
  return Constants[Body] = Layout.integer(E);
}

bool Program::changesNothing(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  if (!F->hasBody(Body) || effects(F) != EffectNone)
    return false;
  auto [I, New] = Harmless.try_emplace(Body, false);
  if (!New)
    return I->second;
  bool Changes = llvm::any_of(Body->parameters(), [&](const ParmVarDecl *P) {
    QualType T = P->getType();
    if (T->isReferenceType() || T->isPointerType()) {
      T = T->getPointeeType();
      if (!T.isConstQualified() && !isHollow(T))
        return true;
    }
    return holdsReference(T);
  });
  if (const auto *M = dyn_cast<CXXMethodDecl>(Body); M && M->isInstance()) {
    QualType T = Ctx.getCanonicalTagType(M->getParent());
    Changes |= (!M->isConst() && !isHollow(T)) || holdsReference(T);
  }
  return Harmless[Body] = !Changes;
}

// Halves and smaller floats are small classes that turn into floats.
static bool isSmallFloat(const CXXRecordDecl *R, Layouts &Layout) {
  StringRef Name = R->getIdentifier() ? R->getName() : "";
  if (Name.starts_with("__half") || Name.starts_with("__nv_bfloat") ||
      Name.starts_with("__nv_fp8") || Name == "fragment")
    return true;
  R = R->getDefinition();
  return R && Layout.isKnown(R) &&
         Layout.sizeOf(R->getASTContext().getCanonicalTagType(R)) <= 4 &&
         llvm::any_of(
             R->getVisibleConversionFunctions(), [](const NamedDecl *D) {
               const auto *C = dyn_cast<CXXConversionDecl>(D);
               return C && C->getConversionType()->isRealFloatingType();
             });
}

bool Program::isPayload(QualType T) {
  T = T.getNonReferenceType();
  while (const auto *A = T->getAsArrayTypeUnsafe())
    T = A->getElementType();
  if (T->isRealFloatingType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  if (!R)
    return false;
  if (isHollow(T))
    return false;
  if (isSmallFloat(R, Layout))
    return true;
  R = R->getDefinition();
  if (!R || R->isDependentType() || R->isLambda() || R->getNumVBases() ||
      R->isPolymorphic())
    return false;
  auto [I, New] = Payload.try_emplace(R, false);
  if (!New)
    return I->second;
  auto Fits = [&](QualType M) {
    return !M->isReferenceType() && (isPayload(M) || isHollow(M));
  };
  bool All = llvm::all_of(R->fields(),
                          [&](const FieldDecl *F) {
                            return Fits(F->getType()) && !Compared.contains(F);
                          }) &&
             llvm::all_of(R->bases(), [&](const CXXBaseSpecifier &B) {
               return Fits(B.getType());
             });
  return Payload[R] = All;
}
