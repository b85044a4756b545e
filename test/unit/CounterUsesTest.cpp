//===- CounterUsesTest.cpp - What is asked of numbers of rounds -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/CounterUses.h"
#include "lib/source/FunctionInfo.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;
using namespace clang::ast_matchers;

/// Of the variable K of `f`, whose body is \p Body: the period, and above what
/// no comparison changes.
static std::string usesIn(const std::string &Body, bool OfRing = false) {
  const std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          "int slot(int I) { return I % 3; } int lane(int I) { return I % 7; }"
          "struct Ring { int At; int slot() const { return At % 5; } };"
          "void f(int N, int T) { " +
              Body + " }",
          {"-w", "-std=c++20"});
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    ADD_FAILURE() << "does not compile: " << Body;
    return "";
  }
  Program P(Unit->getASTContext());
  const auto *F = selectFirst<clang::FunctionDecl>(
      "f", match(functionDecl(hasName("f"), isDefinition()).bind("f"),
                 Unit->getASTContext()));
  const auto *K = selectFirst<clang::VarDecl>(
      "k", match(varDecl(hasName("K")).bind("k"), Unit->getASTContext()));
  const CounterUses Uses =
      OfRing ? CounterUses::ofRing(P, K) : CounterUses::in(P, F, {K});
  return std::to_string(Uses.Period) + ", " +
         std::to_string(Uses.LargestCompared);
}

TEST(CounterUses, SlotsAndPhases) {
  EXPECT_EQ(usesIn("int K = 0; int S = K;"), "1, 0");
  EXPECT_EQ(usesIn("int K = 0; int S = K % 4;"), "4, 0");
  EXPECT_EQ(usesIn("int K = 0; int S = (K + 1) & 3, B = K % 6;"), "12, 0");
  EXPECT_EQ(usesIn("int K = 0; int Phase = K / 3 & 1;"), "6, 0");
  EXPECT_EQ(usesIn("int K = 0; int Phase = (K >> 2) % 2;"), "8, 0");
}

TEST(CounterUses, OnlyOfTheCounter) {
  EXPECT_EQ(usesIn("int K = 0; int Lane = T % 32, S = N & 7;"), "1, 0");
  EXPECT_EQ(usesIn("int K = 0; const int Next = K + 2; int S = Next % 3;"),
            "3, 0");
  EXPECT_EQ(usesIn("int K = 0; if (T < 96) ++K;"), "1, 0");
}

TEST(CounterUses, WhatIsLoadedDoesNotGoAlong) {
  EXPECT_EQ(usesIn("const int *P = &N; int K = 0; int End = P[K];"
                   "if (End < 32) ++T;"),
            "1, 0");
  EXPECT_EQ(usesIn("const int *P = &N; int K = 0; int End = *(P + K);"
                   "if (End < 32) ++T;"),
            "1, 0");
  EXPECT_EQ(usesIn("int Own[4] = {}; int K = 0; int End = Own[K];"
                   "if (End < 32) ++T;"),
            "1, 32");
}

TEST(CounterUses, InWhatIsCalled) {
  EXPECT_EQ(usesIn("int K = 0; slot(K); lane(T);"), "3, 0");
  EXPECT_EQ(usesIn("int K = 0; Ring R{K}; R.slot();"), "5, 0");
  EXPECT_EQ(usesIn("int K = 0; Ring R{T}; R.slot();"), "1, 0");
}

TEST(CounterUses, WhatIsTooLongIsNoRing) {
  EXPECT_EQ(usesIn("int K = 0; int A = K % 64, B = K % 3;"), "0, 0");
  EXPECT_EQ(usesIn("int K = 0; int A = K % 63, B = K % 64, C = K % 3;"),
            "0, 0");
}

TEST(CounterUses, ComparisonsWithConstants) {
  EXPECT_EQ(usesIn("int K = 0; if (K < N) ++T;"), "1, 0");
  EXPECT_EQ(usesIn("int K = 0; if (K < 3 || K == 5) ++T;"), "1, 5");
  EXPECT_EQ(usesIn("int K = 0; if (K - 2 >= 3) ++T;"), "1, 5");
  EXPECT_EQ(usesIn("int K = 0; if (T < 96) ++T;"), "1, 0");
  EXPECT_EQ(usesIn("int K = 0; int J; J = K + 1; if (J == 4) ++T;"), "1, 4");
  EXPECT_EQ(usesIn("int K = 0; switch (K) { case 1: case 7: ++T; default:; }"),
            "1, 7");
  EXPECT_EQ(usesIn("int K = 0; switch (T) { case 7: ++T; default:; }"), "1, 0");
}

TEST(CounterUses, DivisionsWithoutEnd) {
  std::string Divided(40, '(');
  Divided += 'K';
  for (int I = 0; I < 40; ++I)
    Divided += " >> 7)";
  EXPECT_EQ(usesIn("int K = 0; int S = " + Divided + " % 2;"), "0, 0");
}

static std::string ringIn(const std::string &Body) {
  return usesIn(Body, /*OfRing=*/true);
}

TEST(CounterUses, RingsAskForNothingElse) {
  EXPECT_EQ(ringIn("int K = 0; for (int I = 0; I < N; ++I, ++K) {"
                   " int S = K % 3, Phase = (K / 3 + 1) & 1; }"),
            "6, 8");
  EXPECT_EQ(ringIn("unsigned K = 0; while (N--) { int S = K % 4;"
                   " if (K >= 4) T = (K / 4 - 1) & 1; K += 1; }"),
            "8, 14");
  EXPECT_EQ(ringIn("int K = 0; if (N) ++K; else K += 2; T = K & 1;"), "2, 1");
}

TEST(CounterUses, WhoAsksForMoreIsNoRing) {
  for (const char *Body :
       {"int K = 0; T = K % 3; T = K; ++K;", "int K = 0; T = K % 3 + K; ++K;",
        "int K = 0; T = slot(K); ++K;", "int K = 0; T = K % 3; N = K++;",
        "int K = 0; T = K % N; ++K;", "int K = 0; T = K % 3; --K;",
        "int K = 0; T = K % 3; K += N;", "int K = 0; T = K % 3; K = N;",
        "int K = 0; T = K % 3; int *P = &K;", "int K = 0; T = K < N; ++K;",
        "int K = 0; T = K % 3; auto L = [&] { ++K; };",
        "char K = 0; T = K % 3; ++K;", "int K = 0; T = char(K) % 3; ++K;",
        "int K = 0; T = K % 3; if (K++) T = 0;",
        "int K = 0; T = K * 3 % 4; ++K;"})
    EXPECT_EQ(ringIn(Body).substr(0, 2), "0,") << Body;
}
