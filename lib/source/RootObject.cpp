//===- RootObject.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/RootObject.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

const CXXRecordDecl *cpasync::classOfRoot(const FunctionDecl *Root) {
  const auto *M = dyn_cast<CXXMethodDecl>(Root);
  return M && M->isInstance() && !M->getParent()->isLambda() &&
                 !isa<CXXConstructorDecl>(M)
             ? M->getParent()->getDefinition()
             : nullptr;
}

const CXXConstructorDecl *
cpasync::constructorOfRoot(const CXXRecordDecl *Class) {
  if (holdsArrays(Class))
    return nullptr;
  const CXXConstructorDecl *Found = nullptr;
  for (const CXXConstructorDecl *C : Class->ctors()) {
    const FunctionDecl *Body = nullptr;
    if (!C->isCopyOrMoveConstructor() && !C->isImplicit() &&
        C->hasAttr<CUDADeviceAttr>() && C->hasBody(Body) &&
        (!Found || C->getNumParams() > Found->getNumParams()))
      Found = cast<CXXConstructorDecl>(Body);
  }
  return Found;
}

bool cpasync::holdsArrays(const CXXRecordDecl *Class) {
  auto Holds = [](QualType T) {
    const CXXRecordDecl *C = T->getAsCXXRecordDecl();
    return T->isArrayType() ||
           (C && C->getDefinition() && holdsArrays(C->getDefinition()));
  };
  return llvm::any_of(
             Class->fields(),
             [&](const FieldDecl *F) { return Holds(F->getType()); }) ||
         llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &B) {
           return Holds(B.getType());
         });
}

const CXXRecordDecl *cpasync::classOf(const ParmVarDecl *Parm) {
  const CXXRecordDecl *C =
      Parm->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return C ? C->getDefinition() : nullptr;
}

llvm::SmallVector<const ParmVarDecl *, 2>
cpasync::madeForRoot(const FunctionDecl *Root) {
  llvm::SmallVector<const ParmVarDecl *, 2> Made;
  if (Root->hasAttr<CUDAGlobalAttr>())
    return Made;
  const SourceManager &SM = Root->getASTContext().getSourceManager();
  for (const ParmVarDecl *Parm : Root->parameters()) {
    const CXXRecordDecl *C = classOf(Parm);
    if (C && !C->isLambda() && !SM.isInSystemHeader(C->getLocation()) &&
        constructorOfRoot(C) && C != classOfRoot(Root) &&
        llvm::none_of(
            Made, [&](const ParmVarDecl *Old) { return classOf(Old) == C; }))
      Made.push_back(Parm);
  }
  return Made;
}

bool cpasync::isGivenToRoot(const FunctionDecl *Root, const void *Origin) {
  if (llvm::is_contained(Root->parameters(), Origin))
    return true;
  for (const ParmVarDecl *Parm : madeForRoot(Root))
    if (llvm::is_contained(constructorOfRoot(classOf(Parm))->parameters(),
                           Origin))
      return true;
  const CXXRecordDecl *Class = classOfRoot(Root);
  if (!Class)
    return false;
  if (const CXXConstructorDecl *C = constructorOfRoot(Class))
    return llvm::is_contained(C->parameters(), Origin);
  return Origin == Class ||
         llvm::any_of(Class->fields(),
                      [&](const FieldDecl *F) { return F == Origin; });
}
