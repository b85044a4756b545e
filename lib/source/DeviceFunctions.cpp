//===- DeviceFunctions.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/DeviceFunctions.h"
#include "lib/source/ParseErrors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace cpasync;

namespace {
class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(DeviceFunctions &Found) : Found(Found) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return false; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    const bool IsKernel = F->hasAttr<CUDAGlobalAttr>();
    if (IsKernel && failedTemplate(F))
      Found.Failed.push_back(F);
    if (!F->isThisDeclarationADefinition() || !F->hasBody() ||
        !(IsKernel || F->hasAttr<CUDADeviceAttr>()))
      return true;
    if (F->isDependentContext())
      (IsKernel ? Found.KernelPatterns : Found.FunctionPatterns).push_back(F);
    else
      (IsKernel ? Found.Kernels : Found.Functions).push_back(F);
    return true;
  }
  bool VisitCXXRecordDecl(CXXRecordDecl *C) {
    if (C->isThisDeclarationADefinition() && !C->isDependentContext() &&
        C->getIdentifier() && !C->isLambda())
      Found.Classes.push_back(C);
    return true;
  }
  bool VisitClassTemplateDecl(ClassTemplateDecl *C) {
    if (C->isThisDeclarationADefinition() &&
        !C->getDeclContext()->isDependentContext())
      Found.ClassTemplates.push_back(C);
    return true;
  }
  /// The body of anything at all is skipped: only declarations matter here.
  bool TraverseStmt(Stmt *) { return true; }

private:
  DeviceFunctions &Found;
};
} // namespace

DeviceFunctions::DeviceFunctions(ASTContext &Ctx) {
  Finder(*this).TraverseAST(Ctx);
}

const FunctionDecl *cpasync::bodyOf(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  return F && F->hasBody(Body) ? Body : nullptr;
}

void cpasync::forEachReached(
    llvm::ArrayRef<const FunctionDecl *> Roots,
    llvm::DenseSet<const FunctionDecl *> &Done,
    llvm::function_ref<void(const FunctionDecl *,
                            llvm::SmallVectorImpl<const FunctionDecl *> &)>
        Read) {
  llvm::SmallVector<const FunctionDecl *, 32> Work;
  for (const FunctionDecl *F : Roots)
    if (const FunctionDecl *Body = bodyOf(F))
      Work.push_back(Body);
  while (!Work.empty())
    if (const FunctionDecl *Body = Work.pop_back_val();
        Done.insert(Body).second)
      Read(Body, Work);
}
