//===- SemaAccess.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/SemaAccess.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"
#include <memory>

using namespace clang;

static Sema *Current = nullptr;

/// Nobody calls std::declval, and nvcc takes its name in device code.
static void openDeclval(Decl *D) {
  if (isa<LinkageSpecDecl>(D) ||
      (isa<NamespaceDecl>(D) && D->isInStdNamespace()) ||
      (isa<NamespaceDecl>(D) && cast<NamespaceDecl>(D)->isStdNamespace())) {
    for (Decl *Member : cast<DeclContext>(D)->decls())
      openDeclval(Member);
    return;
  }
  const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
  if (!Template || !Template->isInStdNamespace() ||
      !Template->getIdentifier() ||
      !Template->getIdentifier()->isStr("declval"))
    return;
  FunctionDecl *F = Template->getTemplatedDecl();
  ASTContext &Ctx = F->getASTContext();
  if (!Ctx.getLangOpts().CUDA || F->hasAttr<CUDADeviceAttr>())
    return;
  F->addAttr(CUDAHostAttr::CreateImplicit(Ctx));
  F->addAttr(CUDADeviceAttr::CreateImplicit(Ctx));
}

namespace {
class Listener : public SemaConsumer {
  void InitializeSema(Sema &S) override { Current = &S; }
  void ForgetSema() override { Current = nullptr; }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      openDeclval(D);
    return true;
  }
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 llvm::StringRef) override {
    return std::make_unique<Listener>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};
} // namespace

void cpasync::watchSema() {
  static const FrontendPluginRegistry::Add<Action> Plugin(
      "cpasync-sema", "tell the checks which Sema is at work");
}

Sema *cpasync::currentSema() { return Current; }
