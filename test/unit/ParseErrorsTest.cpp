//===- ParseErrorsTest.cpp - Errors in what is run, and in templates ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/ParseErrors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;
using namespace clang::ast_matchers;

static const clang::FunctionDecl *functionIn(clang::ASTContext &Ctx,
                                             const char *Name) {
  return selectFirst<clang::FunctionDecl>(
      "it", match(functionDecl(hasName(Name)).bind("it"), Ctx));
}

/// Of the template \p Name: what is behind its only instance.
static bool hasFailed(const std::string &Code, const char *Name = "f") {
  const auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      Code, {"-w", "-std=c++20"}, "input.cc");
  const auto *F = functionIn(Unit->getASTContext(), Name);
  const auto *Template = F->getDescribedFunctionTemplate();
  if (!Template) {
    ADD_FAILURE() << "no template: " << Code;
    return false;
  }
  const clang::FunctionDecl *Instance = *Template->spec_begin();
  const clang::FunctionDecl *Failed = failedTemplate(Instance);
  EXPECT_TRUE(!Failed || Failed == F);
  return Failed;
}

TEST(ParseErrors, OnlyAnInstanceThatWasGivenUpHasFailed) {
  EXPECT_TRUE(
      hasFailed("template <class T> int f(T) { typename T::X Y; return 1; }"
                "int g() { return f(0); }"));
  EXPECT_FALSE(hasFailed("template <class T> int f(T) { return 1; }"
                         "int g() { return f(0); }"));
  // Behind a fatal error there are no instances.
  EXPECT_TRUE(
      hasFailed("template <class T> void forks() {\n"
                "  struct A {}; forks<A>(); struct B {}; forks<B>(); }\n"
                "void all() { forks<int>(); }\n"
                "template <class T> int f(T) { return 1; }"
                "int g() { return f(0); }"));
  // Nobody needs its body.
  EXPECT_FALSE(hasFailed("template <class T> int f(T) { return 1; }"
                         "using X = decltype(f(0));"));
  // Clang makes no instance of it.
  EXPECT_FALSE(
      hasFailed("namespace std { template <class T>"
                " constexpr T &&move(T &X) noexcept {"
                "  return static_cast<T &&>(X); } }"
                "int g(int X) { return std::move(X); } int E = Unknown;",
                "::std::move"));
}

/// The line of the error that \p Function comes to, if there is one in \p Line.
static unsigned errorOf(const char *Function, unsigned Line) {
  const auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      "template <int N> int f() {\n"
      "  if constexpr (N > 5)\n"
      "    return 2;\n"
      "  else if constexpr (N > 3) {\n"
      "    if constexpr (N > 4)\n"
      "      return 3;\n"
      "    if constexpr (N > 0)\n"
      "      return 4;\n"
      "  }\n"
      "  return 5;\n"
      "}\n"
      "int small() { return f<1>(); }\n"
      "int middle() { return f<4>(); }\n"
      "int large() { return f<6>(); }\n",
      {"-w", "-std=c++20"}, "input.cc");
  clang::ASTContext &Ctx = Unit->getASTContext();
  const clang::SourceManager &SM = Ctx.getSourceManager();
  const clang::SourceLocation At =
      SM.translateLineCol(SM.getMainFileID(), Line, 9);
  const clang::SourceLocation Found =
      ParseErrors(SM, At).firstIn(functionIn(Ctx, Function));
  return Found.isValid() ? SM.getSpellingLineNumber(Found) : 0;
}

TEST(ParseErrors, WhatAnInstanceHasNotIsNoneOfItsErrors) {
  EXPECT_EQ(errorOf("small", 3), 0u);
  EXPECT_EQ(errorOf("middle", 3), 0u);
  EXPECT_EQ(errorOf("large", 3), 3u);
  EXPECT_EQ(errorOf("small", 6), 0u);
  EXPECT_EQ(errorOf("middle", 6), 0u);
  EXPECT_EQ(errorOf("large", 6), 0u);
  EXPECT_EQ(errorOf("small", 8), 0u);
  EXPECT_EQ(errorOf("middle", 8), 8u);
  for (const char *Any : {"small", "middle", "large"})
    EXPECT_EQ(errorOf(Any, 10), 10u) << Any;
}
