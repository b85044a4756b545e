//===- AffineAddressesTest.cpp - How addresses are written down -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/AffineAddresses.h"
#include "lib/state/State.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace cpasync;

static std::string textOf(const Expr *E, const ASTContext &Ctx) {
  return Lexer::getSourceText(
             CharSourceRange::getTokenRange(E->getSourceRange()),
             Ctx.getSourceManager(), Ctx.getLangOpts())
      .str();
}

/// Of the element of Tile, an array of int, that \p Body names in a kernel that
/// is given N and M. As "least 4 slot 256; 4 of row 256 of all: Col; 256 goes:
/// Row": the least unit of numbers and that of slots, then each level with its
/// rows and its addends.
static std::string written(const std::string &Body) {
  const auto Unit = tooling::buildASTFromCodeWithArgs(
      "#define __global__ __attribute__((global))\n"
      "#define __device__ __attribute__((device))\n"
      "#define __shared__ __attribute__((shared))\n"
      "#include <__clang_cuda_builtin_vars.h>\n"
      "__global__ void k(int N, int M, const int *Rows) {\n"
      "__shared__ int Tile[4096];\nconst int T = threadIdx.x;\n" +
          Body + "\n}",
      {"-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
       "--offload-arch=sm_80", "-nocudainc", "-nocudalib", "-w",
       "-resource-dir", CPASYNC_RESOURCE_DIR},
      "addresses.cu");
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    ADD_FAILURE() << "does not compile:\n" << Body;
    return "";
  }
  using namespace ast_matchers;
  ASTContext &Ctx = Unit->getASTContext();
  const auto *Kernel = selectFirst<FunctionDecl>(
      "it", match(functionDecl(hasName("k")).bind("it"), Ctx));
  const auto *Element = selectFirst<ArraySubscriptExpr>(
      "it", match(arraySubscriptExpr(hasBase(ignoringParenImpCasts(declRefExpr(
                                         to(varDecl(hasName("Tile")))))))
                      .bind("it"),
                  Ctx));
  Program P(Ctx);
  Context C;
  C.Frames.emplace_back();
  C.Frames[0].Fn = &P.function(Kernel);
  for (const CFGBlock *B : *C.Frames[0].Fn->cfg())
    if (C.Frames[0].Fn->loop(B)) {
      LoopVisit Loop{};
      Loop.Head = B;
      Loop.OpenEnd = true;
      C.Loops.push_back(Loop);
    }
  const DefUse From(P, BlockShape{64, 1, 1});
  AffineAddresses All(From, P);
  const AffineAddress &How = All.of(C, Element->getBase(), Element->getIdx());
  std::string Text = "least " + std::to_string(How.Least) + " slot " +
                     std::to_string(How.Slot) + (How.Goes ? " goes" : "") +
                     (How.IndexGoes ? " by its index" : "") +
                     (How.HasParts ? "" : " without parts");
  for (const AffineAddress::Level &Level : How.Levels) {
    Text += "; " + std::to_string(Level.Unit);
    if (Level.Pitch)
      Text += " of row " + std::to_string(Level.Pitch);
    Text += Level.IsRowOfAll ? " of all" : "";
    Text += Level.Goes ? " goes" : "";
    Text += ":";
    for (const Addend &A : Level.Addends)
      Text += " " + textOf(A.E, Ctx);
  }
  return Text;
}

TEST(AffineAddresses, ConstantsAreNoNumbersOfTheirs) {
  EXPECT_EQ(written("Tile[N * 64 + T * 4 + 3] = 0;"),
            "least 16 slot 0; 4 of row 16: 3; 16 of row 256 of all: "
            "threadIdx.x; 256: N");
  EXPECT_EQ(written("Tile[3] = 0;"), "least 0 slot 0");
}

TEST(AffineAddresses, EachLevelHasTheNumbersOfItsUnit) {
  EXPECT_EQ(written("Tile[N * 64 + M] = 0;"),
            "least 4 slot 256; 4 of row 256 of all: M; 256: N");
  EXPECT_EQ(written("Tile[(N + M) * 64 + T] = 0;"),
            "least 4 slot 256; 4 of row 256 of all: threadIdx.x; 256: N M");
}

TEST(AffineAddresses, WhatTheKernelWasGivenHangsOnNoThread) {
  EXPECT_EQ(written("Tile[T * 64 + N] = 0;"),
            "least 4 slot 0; 4 of row 256: N; 256: threadIdx.x");
  EXPECT_EQ(written("Tile[Rows[T] * 64 + N] = 0;"),
            "least 4 slot 0; 4 of row 256: N");
}

TEST(AffineAddresses, GoOnWithTheRoundsOfALoop) {
  EXPECT_EQ(written("for (int K = 0; K < N; ++K)\nTile[K * 64 + T] = 0;"),
            "least 4 slot 0 goes by its index; 4 of row 256 of all: "
            "threadIdx.x; 256 goes: K");
  EXPECT_EQ(written("for (int K = 0; K < N; K += 2)\nTile[K] = 0;"),
            "least 4 slot 0 goes by its index; 4 goes: K");
  EXPECT_EQ(written("for (;;)\nTile[M * 64 + T] = 0;"),
            "least 4 slot 256; 4 of row 256 of all: threadIdx.x; 256: M");
}

TEST(AffineAddresses, GoOnWithWhatARoundAddsTo) {
  for (const char *Loop : {"while (Rows[0])", "for (; Rows[0];)", "for (;;)"})
    EXPECT_EQ(written("int K = 0;\n" + std::string(Loop) +
                      " {\nTile[K * 64 + T] = 0;\n++K;\n}"),
              "least 4 slot 0 goes by its index; 4 of row 256 of all: "
              "threadIdx.x; 256 goes: K")
        << Loop;
  EXPECT_EQ(written("int K;\nfor (++K; Rows[0];)\nTile[K * 64 + T] = 0;"),
            "least 4 slot 256; 4 of row 256 of all: threadIdx.x; 256: K");
}

TEST(AffineAddresses, WhatDoesSomethingIsNotEvaluatedAgain) {
  for (const char *Column : {"M++", "--M", "*Rows", "(M += 1)", "Rows[2]"})
    EXPECT_EQ(written("Tile[N * 64 + " + std::string(Column) + "] = 0;"),
              "least 4 slot 256; 256: N")
        << Column;
}

TEST(AffineAddresses, MayBeGivenByStatements) {
  EXPECT_EQ(written("Tile[N * 64 + ({ for (; M > 4;) break; M; })] = 0;"),
            "least 4 slot 256; 4 of row 256 of all: "
            "({ for (; M > 4;) break; M; }); 256: N");
}

TEST(AffineAddresses, LeadThroughVariables) {
  EXPECT_EQ(written("const int Row = N / 2;\nconst int At = Row * 32 + T % 8;\n"
                    "Tile[At] = 0;"),
            "least 4 slot 128; 4 of row 128 of all: T % 8; 128: N / 2");
  EXPECT_EQ(written("const int By = 1 << 4;\nTile[N * By + (M << 1)] = 0;"),
            "least 8 slot 0; 8 of row 64 of all: M; 64: N");
}
