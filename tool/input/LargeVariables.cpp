//===- LargeVariables.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/LargeVariables.h"
#include "tool/input/MacroTokens.h"
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
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace clang;
using namespace cpasync;

/// Elements that Clang evaluates within a tenth of a second.
static constexpr uint64_t FewElements = 1 << 20;

/// Elements that take more than 4 GiB there.
static constexpr uint64_t TooManyElements = 1 << 26;

/// Judged by the text, also by that of a macro: there is no initialiser yet.
/// What cannot stand there is none.
static bool hasInitializer(const VarDecl *Var) {
  const ASTContext &Ctx = Var->getASTContext();
  const SourceManager &SM = Ctx.getSourceManager();
  const SourceLocation End = SM.getSpellingLoc(Var->getEndLoc());
  if (End.isInvalid()) // its declarator does not come to an end
    return false;
  const auto Next = Lexer::findNextToken(End, SM, Ctx.getLangOpts());
  return !Next || Next->isOneOf(tok::equal, tok::l_brace, tok::l_paren);
}

/// Elements of an array of variable length that Clang is about to fold to a
/// constant one; 1 if it will not.
static uint64_t foldedSize(const VariableArrayType *Array,
                           const ASTContext &Ctx) {
  const Expr *Size = Array->getSizeExpr();
  Expr::EvalResult Result;
  if (!Size || Size->isValueDependent() || !Size->EvaluateAsInt(Result, Ctx) ||
      Result.Val.getInt().isNegative())
    return 1;
  return Result.Val.getInt().getLimitedValue();
}

/// Objects without parts that a variable of type \p Type has; saturates. The
/// classes on the way are complete.
static uint64_t elementsOf(QualType Type, const ASTContext &Ctx) {
  if (const auto *Array = Ctx.getAsConstantArrayType(Type))
    return llvm::SaturatingMultiply(elementsOf(Array->getElementType(), Ctx),
                                    Array->getLimitedSize());
  if (const auto *Array = Ctx.getAsVariableArrayType(Type))
    return llvm::SaturatingMultiply(elementsOf(Array->getElementType(), Ctx),
                                    foldedSize(Array, Ctx));
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return 1;
  // Clang evaluates each element of an array, and of an object its arrays.
  uint64_t Count = 0;
  const auto Add = [&](QualType Part) {
    if (Count <= TooManyElements)
      Count = llvm::SaturatingAdd(Count, elementsOf(Part, Ctx));
  };
  for (const CXXBaseSpecifier &Base : Class->bases())
    Add(Base.getType());
  for (const FieldDecl *Field : Class->fields())
    Add(Field->getType());
  return std::max<uint64_t>(Count, 1);
}

static void spare(Sema &S, VarDecl *Var) {
  ASTContext &Ctx = S.Context;
  if (!(Var->hasGlobalStorage() || Var->hasAttr<CUDASharedAttr>()) ||
      !Var->isThisDeclarationADefinition())
    return;
  const QualType Element = Ctx.getBaseElementType(Var->getType());
  const CXXRecordDecl *Class = Element->getAsCXXRecordDecl();
  if (!Class || Element->isDependentType() ||
      !S.isCompleteType(Var->getLocation(), Element) || hasInitializer(Var))
    return;
  // Nobody is told of the sizes that templates are given later.
  const uint64_t Count = Var->getType()->isDependentType()
                             ? TooManyElements
                             : elementsOf(Var->getType(), Ctx);
  if (Count <= FewElements)
    return;
  if (Class->hasTrivialDefaultConstructor()) {
    Var->addAttr(LoaderUninitializedAttr::CreateImplicit(Ctx));
  } else if (Count > TooManyElements) {
    Ctx.getDiagnostics().Report(Var->getLocation(), diag::err_array_too_large)
        << std::to_string(Count);
    Var->setInvalidDecl();
  }
}

namespace {
/// Hears of every variable that has a place and a type, and no initialiser yet.
class Listener : public SemaConsumer, public ASTMutationListener {
  Sema *S = nullptr;

  void InitializeSema(Sema &Now) override { S = &Now; }
  void ForgetSema() override { S = nullptr; }
  ASTMutationListener *GetASTMutationListener() override { return this; }
  void AddedVisibleDecl(const DeclContext *, const Decl *D) override {
    // Whoever adds it goes on to change it.
    if (auto *Var = dyn_cast<VarDecl>(const_cast<Decl *>(D)); Var && S)
      spare(*S, Var);
  }
};

class LargeVariablesAction : public PluginASTAction {
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
  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &) const override {
    if (auto *Var = dyn_cast<VarDecl>(D))
      spare(S, Var);
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
    MacroTokens Tokens(PP, *Old);
    for (const Token &T : Old->tokens())
      Tokens.add(T);
    Tokens.add("__attribute__");
    Tokens.add(tok::l_paren);
    Tokens.add(tok::l_paren);
    Tokens.add(Mark);
    Tokens.add(tok::r_paren);
    Tokens.add(tok::r_paren);
    Tokens.replace(Name);
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
  static const FrontendPluginRegistry::Add<LargeVariablesAction> Plugin(
      "cpasync-large-variables", "spare large variables");
}
