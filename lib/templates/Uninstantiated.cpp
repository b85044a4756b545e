//===- Uninstantiated.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/Uninstantiated.h"
#include "lib/source/FunctionInfo.h"
#include "lib/source/Nesting.h"
#include "lib/templates/ArgumentChoices.h"
#include "lib/templates/ArgumentSearch.h"
#include "lib/templates/PatternSearch.h"
#include "lib/templates/Requirements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Instances of one template.
static constexpr unsigned MaxInstances = 3;

namespace {
/// The templates behind what runs.
class Reached : public RecursiveASTVisitor<Reached> {
public:
  void add(const FunctionDecl *F) {
    const FunctionDecl *Body = nullptr;
    if (!F || !F->hasBody(Body) || !Seen.insert(Body).second)
      return;
    if (const FunctionDecl *From = Body->getTemplateInstantiationPattern())
      Patterns.insert(From->getCanonicalDecl());
    if (!isNestedTooDeeply(Body->getBody()))
      TraverseStmt(Body->getBody());
  }
  bool contains(const FunctionDecl *Pattern) const {
    return Patterns.contains(Pattern->getCanonicalDecl());
  }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    add(dyn_cast<FunctionDecl>(E->getDecl()));
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    add(dyn_cast<FunctionDecl>(E->getMemberDecl()));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    add(E->getConstructor());
    return true;
  }

private:
  llvm::DenseSet<const FunctionDecl *> Seen, Patterns;
};

class Maker {
public:
  Maker(ASTContext &Ctx, const DeviceFunctions &Declared,
        const AnalysisOptions &Options)
      : Ctx(Ctx), P(Ctx), Declared(Declared), Options(Options),
        Search(P, EffectCopy | EffectGroup), IssuesCopies(P, EffectCopy) {
    if (Options.MakesInstances && Options.MayMake && Options.IsAskedFor)
      Tries.emplace(*Options.MakesInstances, Options.Cost);
    // Instances that exist count, whether anything calls them or not.
    for (const auto *List :
         {&Declared.Kernels, &Declared.Functions, &Declared.Failed})
      for (const FunctionDecl *F : *List)
        if (const FunctionDecl *From = F->getTemplateInstantiationPattern())
          Existing.insert(From->getCanonicalDecl());
  }

  std::vector<UninstantiatedTemplate> run() {
    for (const FunctionDecl *F : Declared.KernelPatterns)
      consider(F);
    for (const FunctionDecl *F : llvm::reverse(Declared.FunctionPatterns))
      if (Options.IsAskedFor && Options.IsAskedFor(F))
        consider(F);
    dropCalled();
    return std::move(Found);
  }

private:
  bool hasInstance(const FunctionDecl *F) const {
    // A full specialisation is one that its author thought of.
    const FunctionTemplateDecl *T = F->getDescribedFunctionTemplate();
    return Existing.contains(F->getCanonicalDecl()) || Made.contains(F) ||
           (T && llvm::any_of(T->specializations(), [](const FunctionDecl *X) {
              return X->getTemplateSpecializationKind() ==
                     TSK_ExplicitSpecialization;
            }));
  }
  void consider(const FunctionDecl *F) {
    if (F->isInvalidDecl() || hasInstance(F) ||
        Ctx.getSourceManager().isInSystemHeader(F->getLocation()))
      return;
    // What it is given as a template argument may copy, too.
    const bool Copies = Search.mentionsCopies(F);
    if (!Copies && !(Tries && Options.IsAskedFor(F) && copiesSomewhere() &&
                     mayCallArguments(F)))
      return;
    UninstantiatedTemplate Of{F, {}, "", IssuesCopies.mentionsCopies(F)};
    const bool Makes = Tries && Options.MayMake(F);
    if (Makes)
      make(Of);
    if (Copies || !Makes || !Of.Instances.empty())
      Found.push_back(std::move(Of));
  }
  static bool mayCallArguments(const FunctionDecl *F) {
    return F->hasAttr<CUDAGlobalAttr>() || Requirements(F).any();
  }
  /// A device function that is asked for does.
  bool copiesSomewhere() {
    if (!Options.IsAskedFor)
      return false;
    if (!Copying)
      Copying = llvm::any_of(Declared.FunctionPatterns,
                             [&](const FunctionDecl *F) {
                               return Options.IsAskedFor(F) &&
                                      Search.mentionsCopies(F);
                             }) ||
                llvm::any_of(Declared.Functions, [&](const FunctionDecl *F) {
                  return Options.IsAskedFor(F) && (P.effects(F) & EffectCopy);
                });
    return *Copying;
  }
  /// Members of a class may call those behind them, and each other.
  void dropCalled() {
    llvm::DenseSet<const FunctionDecl *> Gone;
    for (const UninstantiatedTemplate &Caller : Found) {
      Reached Called;
      for (const MadeUpInstance &X : Caller.Instances)
        Called.add(X.F);
      for (const UninstantiatedTemplate &Other : Found)
        if (Other.Pattern != Caller.Pattern && Called.contains(Other.Pattern))
          Gone.insert(Other.Pattern);
    }
    llvm::erase_if(Found, [&](const UninstantiatedTemplate &Of) {
      return Gone.contains(Of.Pattern);
    });
  }
  void make(UninstantiatedTemplate &Of) {
    const auto Levels = TemplateLevels::of(Of.Pattern);
    if (!Levels) {
      Of.Why = "it belongs to a partial specialization";
      return;
    }
    std::string Unknown;
    const auto Choices = argumentChoices(*Levels, Declared, *Tries, Unknown);
    if (!Choices) {
      Of.Why = "nothing in this file tells what '" + Unknown + "' may be";
      return;
    }
    for (const FoundInstance &X :
         findInstances(*Levels, *Choices, MaxInstances, *Tries, Of.Why)) {
      const auto *F = cast<FunctionDecl>(X.Instance);
      Made.add(F);
      Of.Instances.push_back({F, textOf(*Levels, X.Arguments, Ctx)});
    }
  }

  ASTContext &Ctx;
  Program P; ///< of its own: what it knows of functions goes out of date
  const DeviceFunctions &Declared;
  const AnalysisOptions &Options;
  PatternSearch Search, IssuesCopies;
  std::optional<Instantiator> Tries;
  std::optional<bool> Copying;
  llvm::DenseSet<const FunctionDecl *> Existing;
  Reached Made;
  std::vector<UninstantiatedTemplate> Found;
};
} // namespace

std::vector<UninstantiatedTemplate>
cpasync::uninstantiatedTemplates(ASTContext &Ctx,
                                 const DeviceFunctions &Declared,
                                 const AnalysisOptions &Options) {
  return Maker(Ctx, Declared, Options).run();
}
