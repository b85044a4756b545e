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

using namespace clang;
using namespace cpasync;

namespace {
class Reader : public RecursiveASTVisitor<Reader> {
public:
  using Sink =
      llvm::function_ref<void(const TemplateTypeParmType *, DeclarationName)>;
  Reader(ASTContext &Ctx, Sink Add) : Ctx(Ctx), Add(Add) {}

  bool VisitDependentNameTypeLoc(DependentNameTypeLoc T) {
    note(T.getTypePtr()->getQualifier(), T.getTypePtr()->getIdentifier());
    return true;
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *E) {
    note(E->getQualifier(), E->getDeclName());
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *E) {
    QualType T = E->getBaseType();
    if (T->isPointerType())
      T = T->getPointeeType();
    note(T, E->getMember());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    note(E->getCallee()->getType(),
         Ctx.DeclarationNames.getCXXOperatorName(OO_Call));
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
    if (const auto *P = dyn_cast<TemplateTypeParmType>(
            T.getNonReferenceType().getCanonicalType()))
      Add(P, Name);
  }

  ASTContext &Ctx;
  Sink Add;
};
} // namespace

Requirements::Requirements(const NamedDecl *Pattern) {
  const auto Add = [&](const TemplateTypeParmType *P, DeclarationName Name) {
    if (Name)
      Types[{P->getDepth(), P->getIndex()}].Members.insert(Name);
  };
  Reader R(Pattern->getASTContext(), Add);
  // The classes around it may name what it needs.
  for (const auto *D = Pattern; D && D->isTemplated();
       D = dyn_cast<NamedDecl>(D->getDeclContext()))
    R.TraverseDecl(const_cast<NamedDecl *>(D));
}

const Requirements::OfType &
Requirements::of(const TemplateTypeParmDecl *P) const {
  static const OfType None;
  const auto I = Types.find({P->getDepth(), P->getIndex()});
  return I == Types.end() ? None : I->second;
}
