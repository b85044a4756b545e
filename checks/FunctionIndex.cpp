//===- FunctionIndex.cpp - The function around a place --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/FunctionIndex.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

FunctionIndex::FunctionIndex(const ASTContext &Ctx)
    : SM(Ctx.getSourceManager()) {
  add(*Ctx.getTranslationUnitDecl());
}

void FunctionIndex::add(const DeclContext &Decls) {
  for (const Decl *D : Decls.decls()) {
    if (D->isImplicit() || D->getLocation().isInvalid() ||
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      continue;
    if (const auto *Template = dyn_cast<TemplateDecl>(D))
      D = Template->getTemplatedDecl();
    const auto *Function = dyn_cast_if_present<FunctionDecl>(D);
    if (!Function) {
      // Namespaces, linkage specifications and classes.
      if (const auto *Inner = dyn_cast_if_present<DeclContext>(D))
        add(*Inner);
      continue;
    }
    if (!Function->doesThisDeclarationHaveABody())
      continue;
    const SourceRange Range = Function->getSourceRange();
    const auto [File, Begin] =
        SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin()));
    const auto [EndFile, End] =
        SM.getDecomposedLoc(SM.getExpansionRange(Range.getEnd()).getEnd());
    if (File == EndFile)
      Entries.push_back({File, Begin, End, SM.getLineNumber(File, Begin),
                         SM.getLineNumber(File, End),
                         Function->getQualifiedNameAsString()});
  }
}

const FunctionIndex::Entry *FunctionIndex::around(SourceLocation Loc) const {
  const auto [File, Offset] = SM.getDecomposedLoc(Loc);
  const auto It =
      llvm::find_if(Entries, [&, File = File, Offset = Offset](const Entry &E) {
        return E.File == File && E.Begin <= Offset && Offset <= E.End;
      });
  return It == Entries.end() ? nullptr : &*It;
}
