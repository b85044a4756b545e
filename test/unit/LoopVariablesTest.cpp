//===- LoopVariablesTest.cpp - By what iterations are told apart ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/LoopVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;
using namespace clang::ast_matchers;

/// "I", or "I, in the body", of the first loop of \p Body; empty: none.
static std::string variableOf(const std::string &Body) {
  const auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      "bool more(); void f(int N, int M) { " + Body + " }",
      {"-w", "-std=c++20"});
  const auto *Loop = selectFirst<clang::Stmt>(
      "it", match(stmt(anyOf(forStmt(), whileStmt(), doStmt())).bind("it"),
                  Unit->getASTContext()));
  LoopVariables All;
  const LoopVariable First = All.of(Loop), Again = All.of(Loop);
  EXPECT_EQ(First.Var, Again.Var);
  return First.Var ? First.Var->getName().str() +
                         (First.ChangesInBody ? ", in the body" : "")
                   : "";
}

TEST(LoopVariables, AreThoseThatTheHeadAdvances) {
  EXPECT_EQ(variableOf("for (int I = 0; I < N; ++I) more();"), "I");
  EXPECT_EQ(variableOf("for (int I = 0; I < N; I += M) ++N;"), "I");
  EXPECT_EQ(variableOf("for (int I = 0; I < N; ++I) ++I;"), "I, in the body");
  EXPECT_EQ(variableOf("for (int I = 0, K = 0; I < N && K < M; ++I, ++K) ;"),
            "");
}

TEST(LoopVariables, AreThoseThatTheBodyChanges) {
  EXPECT_EQ(variableOf("while (N > 0) --N;"), "N, in the body");
  EXPECT_EQ(variableOf("do --N; while (N > M);"), "N, in the body");
  EXPECT_EQ(variableOf("while (N > M) { --N; ++M; }"), "");
}

TEST(LoopVariables, OfWhatIsNoneThereIsNone) {
  EXPECT_EQ(variableOf("while (more()) --N;"), "");
  EXPECT_EQ(variableOf("for (;;) --N;"), "");
  EXPECT_EQ(LoopVariables().of(nullptr).Var, nullptr);
}
