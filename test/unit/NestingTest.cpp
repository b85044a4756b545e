//===- NestingTest.cpp - How deep code is looked into ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Nesting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/DenseSet.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace cpasync;

static std::unique_ptr<ASTUnit> sumOf(unsigned Terms) {
  std::string Code = "int f(int X) { return X";
  for (unsigned I = 1; I < Terms; ++I)
    Code += " + X";
  return tooling::buildASTFromCode(Code + "; }");
}

static const Stmt *bodyIn(ASTUnit &Unit) {
  for (const Decl *D : Unit.getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      return F->getBody();
  return nullptr;
}

TEST(Nesting, IsBounded) {
  const auto Few = sumOf(MaxNesting / 2), Many = sumOf(2 * MaxNesting);
  EXPECT_FALSE(isNestedTooDeeply(bodyIn(*Few)));
  EXPECT_TRUE(isNestedTooDeeply(bodyIn(*Many)));
}

TEST(Nesting, PartsComeBeforeTheWhole) {
  const auto Unit = sumOf(3);
  llvm::DenseSet<const Stmt *> Seen;
  unsigned Names = 0;
  forPartsFirst(bodyIn(*Unit), [&](const Stmt *S) {
    for (const Stmt *Part : S->children())
      EXPECT_TRUE(Seen.contains(Part));
    Seen.insert(S);
    Names += isa<DeclRefExpr>(S);
  });
  EXPECT_TRUE(Seen.contains(bodyIn(*Unit)));
  EXPECT_EQ(Names, 3u);
}
