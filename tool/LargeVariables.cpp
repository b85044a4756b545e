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
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
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
  if (!Array || !(Var->hasGlobalStorage() || Var->hasAttr<CUDASharedAttr>()))
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
/// Set by the macro __shared__. Clang tells nobody of variables of functions,
/// but asks those who know an attribute.
constexpr char Mark[] = "cpasync_shared_variable";

class MarkInfo : public ParsedAttrInfo {
public:
  MarkInfo() {
    static constexpr Spelling Spelled[] = {{ParsedAttr::AS_GNU, Mark}};
    Spellings = Spelled;
  }

private:
  AttrHandling handleDeclAttribute(Sema &, Decl *D,
                                   const ParsedAttr &) const override {
    if (auto *Var = dyn_cast<VarDecl>(D))
      spare(Var);
    return AttributeApplied;
  }
};

class SharedMacro : public PPCallbacks {
public:
  explicit SharedMacro(Preprocessor &PP) : PP(PP) {}

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    const MacroInfo *Old = MD->getMacroInfo();
    if (!Name.getIdentifierInfo()->isStr("__shared__") ||
        !Old->isObjectLike() || Old->tokens_empty())
      return;
    llvm::SmallVector<Token, 8> Tokens(Old->tokens());
    // Within the definition, as locations in a macro count from its first
    // token.
    const SourceLocation Loc = Tokens.back().getLocation();
    const auto Add = [&](tok::TokenKind Kind, llvm::StringRef Word) {
      Token T;
      T.startToken();
      T.setLocation(Loc);
      T.setLength(Word.size());
      T.setKind(Kind);
      if (Kind == tok::identifier) {
        T.setIdentifierInfo(PP.getIdentifierInfo(Word));
        T.setKind(T.getIdentifierInfo()->getTokenID());
      }
      Tokens.push_back(T);
    };
    Add(tok::identifier, "__attribute__");
    Add(tok::l_paren, "(");
    Add(tok::l_paren, "(");
    Add(tok::identifier, Mark);
    Add(tok::r_paren, ")");
    Add(tok::r_paren, ")");
    MacroInfo *New = PP.AllocateMacroInfo(Old->getDefinitionLoc());
    New->setDefinitionEndLoc(Old->getDefinitionEndLoc());
    New->setTokens(Tokens, PP.getPreprocessorAllocator());
    PP.appendDefMacroDirective(Name.getIdentifierInfo(), New);
  }

private:
  Preprocessor &PP;
};
} // namespace

void cpasync::markSharedVariables(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<SharedMacro>(PP));
}

void cpasync::spareLargeVariables() {
  static const ParsedAttrInfoRegistry::Add<MarkInfo> Marks(
      "cpasync-shared-variables", "spare large shared variables");
  static const FrontendPluginRegistry::Add<Action> Plugin(
      "cpasync-large-variables", "spare large variables");
}
