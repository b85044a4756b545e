//===- VirtualCalls.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/VirtualCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace cpasync;

namespace {
class MethodVisitor : public RecursiveASTVisitor<MethodVisitor> {
public:
  explicit MethodVisitor(llvm::function_ref<void(const CXXMethodDecl *)> Do)
      : Do(Do) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCXXMethodDecl(CXXMethodDecl *M) {
    Do(M->getCanonicalDecl());
    return true;
  }

private:
  llvm::function_ref<void(const CXXMethodDecl *)> Do;
};
} // namespace

llvm::ArrayRef<const CXXMethodDecl *>
VirtualCalls::overridersOf(const FunctionDecl *F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (!Method || !Method->isVirtual())
    return {};
  if (!std::exchange(IsFilled, true)) {
    auto Add = [&](const CXXMethodDecl *Base, const CXXMethodDecl *By,
                   auto &Self) -> void {
      for (const CXXMethodDecl *Over : Base->overridden_methods()) {
        Over = Over->getCanonicalDecl();
        if (!llvm::is_contained(Overriders[Over], By))
          Overriders[Over].push_back(By);
        Self(Over, By, Self);
      }
    };
    MethodVisitor([&](const CXXMethodDecl *M) {
      Add(M, M, Add);
    }).TraverseAST(Ctx);
  }
  const auto I = Overriders.find(Method->getCanonicalDecl());
  return I == Overriders.end() ? llvm::ArrayRef<const CXXMethodDecl *>()
                               : I->second;
}

const CXXMethodDecl *VirtualCalls::openCallee(const CallExpr *Call) {
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(Call->getDirectCallee());
  if (!M || !M->isVirtual() || M->hasAttr<FinalAttr>() ||
      M->getParent()->isEffectivelyFinal())
    return nullptr;
  const auto *Member =
      dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
  return Member && Member->hasQualifier() ? nullptr : M;
}
