//===- ResultUsesTest.cpp - Whether anybody looks at a result -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/ResultUses.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;
using namespace clang::ast_matchers;

/// Of what t() returns in `f`, whose body is \p Body, or else of the outputs of
/// the asm statement there.
static ResultUse useIn(const std::string &Body) {
  const std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          "int t(); void g(int); struct S { int M; } X;"
          "int f(int A) { " +
              Body + " }",
          {"-w", "-std=c++20"});
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    ADD_FAILURE() << "does not compile: " << Body;
    return ResultUse::Some;
  }
  clang::ASTContext &Ctx = Unit->getASTContext();
  const auto *F = selectFirst<clang::FunctionDecl>(
      "f", match(functionDecl(hasName("f"), isDefinition()).bind("f"), Ctx));
  const clang::Stmt *Of = selectFirst<clang::CallExpr>(
      "t", match(callExpr(callee(functionDecl(hasName("t")))).bind("t"), Ctx));
  if (!Of)
    Of = selectFirst<clang::AsmStmt>("asm", match(asmStmt().bind("asm"), Ctx));
  if (!F || !Of) {
    ADD_FAILURE() << "nothing to look at: " << Body;
    return ResultUse::Some;
  }
  return ResultUses().of(F, Of);
}

TEST(ResultUses, None) {
  EXPECT_EQ(useIn("t();"), ResultUse::None);
  EXPECT_EQ(useIn("(void)t();"), ResultUse::None);
  EXPECT_EQ(useIn("int B = t();"), ResultUse::None);
  EXPECT_EQ(useIn("int B; B = t();"), ResultUse::None);
  EXPECT_EQ(useIn("if (A) t(); else { t(); }"), ResultUse::None);
  EXPECT_EQ(useIn("for (int I = 0; I < A; ++I) t();"), ResultUse::None);
  EXPECT_EQ(useIn("switch (A) { case 1: t(); }"), ResultUse::None);
  EXPECT_EQ(useIn("int B; asm(\"\" : \"=r\"(B));"), ResultUse::None);
}

TEST(ResultUses, Returned) {
  EXPECT_EQ(useIn("return t();"), ResultUse::Returned);
  EXPECT_EQ(useIn("return t() != 0;"), ResultUse::Returned);
  EXPECT_EQ(useIn("bool B = !t(); return B;"), ResultUse::Returned);
  EXPECT_EQ(useIn("int B = t(); return B;"), ResultUse::Returned);
  EXPECT_EQ(useIn("int B = t(), C; C = B; return (char)C;"),
            ResultUse::Returned);
  EXPECT_EQ(useIn("int B; asm(\"\" : \"=r\"(B)); return B;"),
            ResultUse::Returned);
}

TEST(ResultUses, Repeats) {
  EXPECT_EQ(useIn("while (!t()) ;"), ResultUse::Repeats);
  EXPECT_EQ(useIn("while (!t()) { g(A); continue; }"), ResultUse::Repeats);
  EXPECT_EQ(useIn("int B; do B = t(); while (B);"), ResultUse::Repeats);
  EXPECT_EQ(useIn("int B = 0; while (!B) B = t();"), ResultUse::Repeats);
  EXPECT_EQ(useIn("for (; !t();) ;"), ResultUse::Repeats);
  EXPECT_EQ(useIn("int B; do asm(\"\" : \"=r\"(B)); while (!B);"),
            ResultUse::Repeats);
}

TEST(ResultUses, Some) {
  EXPECT_EQ(useIn("while (!t() && A) ;"), ResultUse::Some);
  EXPECT_EQ(useIn("while (!t()) if (A) break;"), ResultUse::Some);
  EXPECT_EQ(useIn("while (!t()) if (A) return 0;"), ResultUse::Some);
  EXPECT_EQ(useIn("int B; do B = t(); while (B); if (B) return 1;"),
            ResultUse::Some);
  EXPECT_EQ(useIn("if (int B = t()) return 1;"), ResultUse::Some);
  EXPECT_EQ(useIn("switch (t()) { default: ; }"), ResultUse::Some);
  EXPECT_EQ(useIn("if (t() != 0) return 1;"), ResultUse::Some);
  EXPECT_EQ(useIn("g(t());"), ResultUse::Some);
  EXPECT_EQ(useIn("X.M = t();"), ResultUse::Some);
  EXPECT_EQ(useIn("int &&B = t(); return 0;"), ResultUse::Some);
  EXPECT_EQ(useIn("static int B = t();"), ResultUse::Some);
  EXPECT_EQ(useIn("int B = t() + A;"), ResultUse::Some);
  EXPECT_EQ(useIn("int B; asm(\"\" : \"=r\"(B)); return B ? 1 : 2;"),
            ResultUse::Some);
  EXPECT_EQ(useIn("int B = t(); asm(\"\" : : \"r\"(B));"), ResultUse::Some);
}
