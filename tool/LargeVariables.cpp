//===- LargeVariables.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/LargeVariables.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include <memory>
#include <string>
#include <vector>

using namespace clang;

/// Elements that Clang evaluates within a tenth of a second.
static constexpr uint64_t FewElements = 1 << 20;

/// Elements that take more than 4 GiB there.
static constexpr uint64_t TooManyElements = 1 << 26;

static bool hasInitializer(const VarDecl *Var) {
  const ASTContext &Ctx = Var->getASTContext();
  const auto Next = Lexer::findNextToken(
      Var->getEndLoc(), Ctx.getSourceManager(), Ctx.getLangOpts());
  return !Next || !Next->isOneOf(tok::semi, tok::comma);
}

static void spare(VarDecl *Var) {
  ASTContext &Ctx = Var->getASTContext();
  const auto *Array = Ctx.getAsConstantArrayType(Var->getType());
  if (!Array || !Var->hasGlobalStorage())
    return;
  const CXXRecordDecl *Element =
      Ctx.getBaseElementType(Array)->getAsCXXRecordDecl();
  const uint64_t Count = Ctx.getConstantArrayElementCount(Array);
  if (!Element || !Element->hasDefinition() || Count <= FewElements ||
      hasInitializer(Var))
    return;
  if (Element->hasTrivialDefaultConstructor()) {
    Var->addAttr(LoaderUninitializedAttr::CreateImplicit(Ctx));
  } else if (Count > TooManyElements) {
    Ctx.getDiagnostics().Report(Var->getLocation(), diag::err_array_too_large)
        << std::to_string(Count);
    Var->setInvalidDecl();
  }
}

namespace {
/// Hears of every variable that has a place and a type, and no initialiser yet.
class Listener : public ASTConsumer, public ASTMutationListener {
  ASTMutationListener *GetASTMutationListener() override { return this; }
  void AddedVisibleDecl(const DeclContext *, const Decl *D) override {
    // Whoever adds it goes on to change it.
    if (auto *Var = dyn_cast<VarDecl>(const_cast<Decl *>(D)))
      spare(Var);
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

void cpasync::spareLargeVariables() {
  static const FrontendPluginRegistry::Add<Action> Plugin(
      "cpasync-large-variables", "spare large variables");
}
