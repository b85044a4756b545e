//===- Requirements.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/Requirements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include <algorithm>

using namespace clang;
using namespace cpasync;

using llvm::StringRef;

/// \p E is a template parameter and nothing else.
static const NonTypeTemplateParmDecl *bareParameter(const Expr *E) {
  const auto *D = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenCasts()) : nullptr;
  return D ? dyn_cast<NonTypeTemplateParmDecl>(D->getDecl()) : nullptr;
}

namespace {
class Reader : public RecursiveASTVisitor<Reader> {
public:
  /// Of the parameter, or of its member.
  using TypeSink = llvm::function_ref<void(
      const TemplateTypeParmType *, DeclarationName Member, DeclarationName)>;
  using NumberSink = llvm::function_ref<void(const NonTypeTemplateParmDecl *,
                                             Requirements::Role)>;
  using UseSink = llvm::function_ref<void(const NonTypeTemplateParmDecl *)>;
  Reader(ASTContext &Ctx, TypeSink AddType, NumberSink AddNumber,
         UseSink AddUse)
      : Ctx(Ctx), AddType(AddType), AddNumber(AddNumber), AddUse(AddUse) {}

  bool VisitDependentNameTypeLoc(DependentNameTypeLoc T) {
    note(T.getTypePtr()->getQualifier(), T.getTypePtr()->getIdentifier());
    return true;
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *E) {
    note(E->getQualifier(), E->getDeclName());
    noteArguments(E->getDeclName(), E->template_arguments());
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *E) {
    QualType T = E->getBaseType();
    if (T->isPointerType())
      T = T->getPointeeType();
    note(T, E->getMember());
    noteArguments(E->getMember(), E->template_arguments());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) {
    noteArguments(E->getName(), E->template_arguments());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *P = dyn_cast<NonTypeTemplateParmDecl>(E->getDecl()))
      AddUse(P);
    noteArguments(E->getDecl()->getDeclName(), E->template_arguments());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    note(E->getCallee()->getType(),
         Ctx.DeclarationNames.getCXXOperatorName(OO_Call));
    if (const auto *F = dyn_cast_if_present<NamedDecl>(E->getCalleeDecl()))
      for (const Expr *Argument : E->arguments())
        noteArgument(F->getDeclName(), Argument);
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *S) {
    const std::string Text = S->getAsmString();
    for (const Expr *Input : S->inputs())
      if (const auto *P = bareParameter(Input))
        AddNumber(P, StringRef(Text).contains("wait")
                         ? Requirements::Role::WaitCount
                     : StringRef(Text).contains("cp.async")
                         ? Requirements::Role::CopySize
                         : Requirements::Role::Any);
    return true;
  }

private:
  void note(NestedNameSpecifier Qualifier, DeclarationName Name) {
    if (Qualifier.getKind() == NestedNameSpecifier::Kind::Type)
      note(QualType(Qualifier.getAsType(), 0), Name);
  }
  void note(QualType T, DeclarationName Name) {
    if (T.isNull())
      return;
    T = T.getNonReferenceType().getCanonicalType();
    if (const auto *P = dyn_cast<TemplateTypeParmType>(T))
      AddType(P, DeclarationName(), Name);
    const auto *Member = dyn_cast<DependentNameType>(T);
    if (!Member ||
        Member->getQualifier().getKind() != NestedNameSpecifier::Kind::Type)
      return;
    if (const auto *P =
            dyn_cast<TemplateTypeParmType>(Member->getQualifier().getAsType()))
      AddType(P, Member->getIdentifier(), Name);
  }
  void noteArguments(DeclarationName Of,
                     llvm::ArrayRef<TemplateArgumentLoc> Arguments) {
    for (const TemplateArgumentLoc &A : Arguments)
      if (A.getArgument().getKind() == TemplateArgument::Expression)
        noteArgument(Of, A.getSourceExpression());
  }
  // A guess by the name: cp_async_wait<N>(), __pipeline_wait_prior(N).
  void noteArgument(DeclarationName Of, const Expr *Argument) {
    const auto *P = bareParameter(Argument);
    if (!P || !Of.isIdentifier())
      return;
    const StringRef Name = Of.getAsIdentifierInfo()->getName();
    if (Name.contains_insensitive("wait"))
      AddNumber(P, Requirements::Role::WaitCount);
    else if (Name.contains_insensitive("memcpy") ||
             Name.contains_insensitive("cp_async"))
      AddNumber(P, Requirements::Role::CopySize);
  }

  ASTContext &Ctx;
  TypeSink AddType;
  NumberSink AddNumber;
  UseSink AddUse;
};
} // namespace

Requirements::Requirements(const NamedDecl *Pattern) {
  // Other members of a class have parameters of their own beyond its levels.
  unsigned Levels = 0;
  const auto AddType = [&](const TemplateTypeParmType *P,
                           DeclarationName Member, DeclarationName Name) {
    if (!Name || P->getDepth() >= Levels)
      return;
    OfType &Of = Types[{P->getDepth(), P->getIndex()}];
    if (Member)
      Of.OfMembers.emplace(Member, Name);
    else
      Of.Members.insert(Name);
  };
  const auto AddNumber = [&](const NonTypeTemplateParmDecl *P, Role Is) {
    if (P->getDepth() >= Levels)
      return;
    OfNumber &Known = Numbers[{P->getDepth(), P->getIndex()}];
    Known.Is = std::max(Known.Is, Is);
    ++Known.HandedOn;
  };
  const auto AddUse = [&](const NonTypeTemplateParmDecl *P) {
    if (P->getDepth() < Levels)
      ++Numbers[{P->getDepth(), P->getIndex()}].Uses;
  };
  Reader R(Pattern->getASTContext(), AddType, AddNumber, AddUse);
  // The classes around it may name what it needs.
  for (const auto *D = Pattern; D && D->isTemplated();
       D = dyn_cast<NamedDecl>(D->getDeclContext())) {
    Levels = D->getTemplateDepth();
    R.TraverseDecl(const_cast<NamedDecl *>(D));
  }
  for (auto &[Place, Of] : Numbers)
    if (Of.Uses > Of.HandedOn)
      Of.Is = Role::Any;
}

const Requirements::OfNumber &
Requirements::of(const NonTypeTemplateParmDecl *P) const {
  static const OfNumber None;
  const auto I = Numbers.find({P->getDepth(), P->getIndex()});
  return I == Numbers.end() ? None : I->second;
}

const Requirements::OfType &
Requirements::of(const TemplateTypeParmDecl *P) const {
  static const OfType None;
  const auto I = Types.find({P->getDepth(), P->getIndex()});
  return I == Types.end() ? None : I->second;
}

void Requirements::askOfMembers(const CXXRecordDecl *Pattern,
                                const OfType &Of) {
  for (const Decl *D : Pattern->decls()) {
    const auto *Alias = dyn_cast<TypedefNameDecl>(D);
    const auto *P = Alias ? dyn_cast<TemplateTypeParmType>(
                                Alias->getUnderlyingType().getCanonicalType())
                          : nullptr;
    if (!P)
      continue;
    for (const auto &[Member, Name] : Of.OfMembers)
      if (Member == Alias->getDeclName())
        Types[{P->getDepth(), P->getIndex()}].Members.insert(Name);
  }
}
