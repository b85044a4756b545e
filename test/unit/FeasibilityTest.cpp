//===- FeasibilityTest.cpp - Conditions that can be together --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "lib/solve/Solver.h"
#include "lib/solve/Terms.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class Feasibility : public testing::Test {
protected:
  void SetUp() override {
    if (!makeSolver())
      GTEST_SKIP() << "LLVM has no solver";
  }

  /// The numbers with which a copy is read that \p Waits does not wait for,
  /// where \p Reads holds; "refuted" if there are none.
  static std::string numbers(const std::string &Waits, const std::string &Reads,
                             const std::string &Before = "") {
    const SnippetResult R = analyzeBody(
        Before + "COPY(Tile + 4 * T, In);\nCOMMIT;\nif (" + Waits +
        ") WAIT(0);\nif (" + Reads + ") USE(Tile[4 * T]);\nWAIT(0);");
    EXPECT_TRUE(R.Gaps.empty());
    EXPECT_EQ(R.Findings.empty(), !R.Refuted.empty());
    return R.Findings.empty() ? "refuted" : R.Numbers;
  }
};

TEST_F(Feasibility, OfSumsThatHangTogether) {
  EXPECT_EQ(numbers("!(N < M && M < G.Rows)", "N >= G.Rows"), "refuted");
  EXPECT_EQ(numbers("!(N < M && M < G.Rows)", "N + 2 >= G.Rows"),
            "N = 0, M = 1, G.Rows = 2");
  EXPECT_EQ(numbers("2 * N != M", "M % 2 != 0"), "refuted");
}

TEST_F(Feasibility, SignedNumbersDoNotOverflow) {
  EXPECT_EQ(numbers("!(N < M && M <= G.Rows)", "N > 5 + G.Rows"), "refuted");
}

TEST_F(Feasibility, UnsignedNumbersWrap) {
  const std::string Not = "!((unsigned)N < (unsigned)M && "
                          "(unsigned)M <= G.Count)";
  EXPECT_EQ(numbers(Not, "(unsigned)N - G.Count > 5"),
            "N = 0, M = 1, G.Count = 1");
  EXPECT_EQ(numbers(Not, "(unsigned)N > G.Count"), "refuted");
}

TEST_F(Feasibility, NumbersThatWereUnsignedMayWrap) {
  EXPECT_EQ(numbers("N < 3", "(int)(M * 2654435761u) < N - 5"), "N = 3, M = 1");
}

TEST_F(Feasibility, MultiplesLeaveNothing) {
  EXPECT_EQ(numbers("N % 4 != 0", "N % 2 != 0"), "refuted");
  EXPECT_EQ(numbers("N % 4 != 0", "N % 3 != 0"), "N = 4");
  EXPECT_EQ(numbers("G.Count % 8 != 0", "(G.Count & 4) != 0"), "refuted");
  EXPECT_EQ(numbers("(N & 6) != 6", "(N & 4) == 0"), "refuted");
}

TEST_F(Feasibility, ProductsAndExtremes) {
  EXPECT_EQ(numbers("N * M != 35 || N < 2 || N > 6", "N >= 0"), "N = 5, M = 7");
  EXPECT_EQ(numbers("min(N, M) < 3", "N < 3"), "refuted");
  EXPECT_EQ(numbers("max(N, M) > 3", "N > 3"), "refuted");
}

// The engine asks for the open one of the two.
TEST_F(Feasibility, TheLeastOfANumberAndATile) {
  EXPECT_EQ(numbers("!(2 < min(8, N))", "(N ^ 1) < 2"), "refuted");
  EXPECT_EQ(numbers("!(2 < min(8, N))", "(N ^ 1) < 3"), "N = 3");
  EXPECT_EQ(numbers("!(2 < min(8, N - M))", "M > 4"), "N = 8, M = 5");
  EXPECT_EQ(numbers("!(2 >= max(1, N))", "(N ^ 1) > 3"), "refuted");
}

// More than a solver multiplies within its budget: all that is given has one
// size.
TEST_F(Feasibility, ProductsOfSizes) {
  EXPECT_EQ(numbers("N / 16 * (M / 16) * N / G.Count < 200", "N > 100"),
            "G.Count = 1, N = 256, M = 256");
  EXPECT_EQ(numbers("N * M * G.Rows / G.Count % 64 != 32", "N > 100"),
            "G.Count = 33, N = 256, M = 256, G.Rows = 17");
}

// -1 is large as a size_t, but no amount.
TEST_F(Feasibility, WhatIsWiderIsKnownWhereItIsSmall) {
  EXPECT_EQ(numbers("!((size_t)N < (size_t)M && (size_t)M < (size_t)G.Rows)",
                    "N >= G.Rows"),
            "refuted");
}

TEST_F(Feasibility, ANumberThatIsLoadedAgainIsAnother) {
  const std::string Ask = "int *Ask = (int *)In;\nint A = Ask[0];\n";
  EXPECT_EQ(numbers("A % 4 != 0", "A % 2 != 0", Ask), "refuted");
  EXPECT_NE(numbers("A % 4 != 0", "Ask[0] % 2 != 0", Ask), "refuted");
}

TEST_F(Feasibility, ATableHoldsTheSameWhoeverAsks) {
  const std::string Ask =
      "const int *Ask = (const int *)In;\nint A = Ask[N];\n";
  EXPECT_EQ(numbers("A % 4 != 0", "Ask[N] % 2 != 0", Ask), "refuted");
  EXPECT_NE(numbers("A % 4 != 0", "Ask[N + 1] % 2 != 0", Ask), "refuted");
  EXPECT_NE(numbers("A % 4 != 0", "Ask[M] % 2 != 0", Ask), "refuted");
  EXPECT_EQ(numbers("A % 4 != 0 || N != M", "Ask[M] % 2 != 0", Ask), "refuted");
  const std::string Flag = "const volatile int *Ask = (const int *)In;\n"
                           "int A = Ask[N];\n";
  EXPECT_NE(numbers("A % 4 != 0", "Ask[N] % 2 != 0", Flag), "refuted");
  // Of which nothing was decided is not told.
  EXPECT_EQ(numbers("M > 3", "N > 1", Ask), "M = 0, N = 2");
}

TEST_F(Feasibility, OnlyWhatCannotBeTogetherIsTheReason) {
  auto Reasons = [](const std::string &Other, const std::string &Reads) {
    return analyzeBody("if (G.Rows % 5 == 2) SYNC;\n"
                       "COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                       "if (N % 4 != 0) WAIT(0);\nif (" +
                       Other + ") SYNC;\nif (" + Reads +
                       ") USE(Tile[4 * T]);\nWAIT(0);")
        .Refuted;
  };
  EXPECT_EQ(Reasons("M % 4 == 1", "N % 2 != 0"),
            std::vector<std::string>{"6 by 4 6"});
  EXPECT_EQ(Reasons("(M + N) % 4 == 0", "M % 2 != 0"),
            std::vector<std::string>{});
  // A line is named once.
  EXPECT_EQ(analyzeBody("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                        "if (N % 4 == 0) { SYNC; if (N % 2 != 0) { SYNC;\n"
                        "USE(Tile[4 * T]); } }\nWAIT(0);")
                .Refuted,
            std::vector<std::string>{"4 by 3"});
}

TEST_F(Feasibility, ABlockIsOneOfItsGrid) {
  const std::string Sizes = "const int At = blockIdx.x, AtY = blockIdx.y,\n"
                            "Blocks = gridDim.x, BlocksY = gridDim.y;\n";
  // Whichever is named first.
  EXPECT_EQ(numbers("At != N + M", "Blocks <= N + M", Sizes), "refuted");
  EXPECT_EQ(numbers("Blocks != N + M", "At >= N + M", Sizes), "refuted");
  EXPECT_NE(numbers("At != N + M", "Blocks <= N + M + 1", Sizes), "refuted");
  EXPECT_NE(numbers("Blocks != N + M", "At >= N + M - 1", Sizes), "refuted");
  EXPECT_NE(numbers("At != N + M", "BlocksY <= N + M", Sizes), "refuted");
  EXPECT_EQ(numbers("AtY != N + M", "BlocksY <= N + M", Sizes), "refuted");
}

TEST_F(Feasibility, ANumberIsNoMoreThanItsTypeHolds) {
  auto Ask = [](const std::string &Type) {
    return "const int A = *(const " + Type + " *)In;\n";
  };
  const struct {
    const char *Type, *Lo, *Hi, *Below, *Above;
  } Cases[] = {{"unsigned char", "0", "255", "-1", "256"},
               {"signed char", "-128", "127", "-129", "128"},
               {"unsigned short", "0", "65535", "-1", "65536"},
               {"short", "-32768", "32767", "-32769", "32768"},
               {"bool", "0", "1", "-1", "2"}};
  for (const auto &[Type, Lo, Hi, Below, Above] : Cases) {
    auto Equal = [&](const char *To) {
      return numbers("A != N - M", std::string("N - M == ") + To, Ask(Type));
    };
    EXPECT_NE(Equal(Lo), "refuted") << Type;
    EXPECT_NE(Equal(Hi), "refuted") << Type;
    EXPECT_EQ(Equal(Below), "refuted") << Type;
    EXPECT_EQ(Equal(Above), "refuted") << Type;
  }
}

TEST_F(Feasibility, WhatNothingWasDecidedForIsLeft) {
  const SnippetResult R = analyzeBody(
      "COPY(Tile + 4 * T, In);\nCOMMIT;\nUSE(Tile[4 * T]);\n"
      "COPY(Tile + 512 + 4 * T, In);\nCOMMIT;\nif (N % 4 != 0) WAIT(0);\n"
      "if (N % 2 != 0) USE(Tile[512 + 4 * T]);\nWAIT(0);");
  EXPECT_EQ(R.Findings,
            std::vector<std::string>{
                "ReadInFlight(NeverWaited) copy:1 commit:2 read:3"});
  EXPECT_EQ(R.Refuted.size(), 1U);
}

TEST_F(Feasibility, ANumberThatAThreadTakesNotOnceIsNoneOfIts) {
  const auto Unit = clang::tooling::buildASTFromCode("", "input.cc");
  const TermOrigins Origins;
  const llvm::SMTSolverRef Solver = makeSolver();
  Terms Of(*Solver, Unit->getASTContext(), Origins);
  ValueContext V(2);
  const int Name = 0;
  const Int *Product = V.mul(V.symbol(&Name, 0, Uniformity::Block),
                             V.known(V.lanes().perThread({0, 1})));
  Of.value(Product, 0);
  EXPECT_EQ(Of.uniform().size(), 0U);
  Of.value(Product, 1);
  EXPECT_EQ(Of.uniform().size(), 1U);
}

TEST_F(Feasibility, WhatIsComputedFromARenewedNumberIsAnother) {
  const auto Unit = clang::tooling::buildASTFromCode("", "input.cc");
  const TermOrigins Origins;
  const llvm::SMTSolverRef Solver = makeSolver();
  Terms Of(*Solver, Unit->getASTContext(), Origins);
  ValueContext V(2);
  const int Name = 0;
  const Int *N = V.symbol(&Name, 0, Uniformity::Block),
            *Quarter = V.apply(Atom::Op::Div, N, V.constant(4));
  const llvm::SMTExprRef Before = Of.value(Quarter, 0);
  EXPECT_EQ(Of.value(Quarter, 1), Before);
  Of.renew(N->terms()[0].A);
  EXPECT_NE(Of.value(Quarter, 0), Before);
  EXPECT_EQ(Of.uniform().size(), 2U);
}

TEST_F(Feasibility, OtherPathsCameToTheSame) {
  // The first path to the read is impossible; the others end where it was.
  const SnippetResult R =
      analyzeBody("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "int K = 0;\nif (N % 4 == 0) { if (N % 2 != 0) SYNC; }\n"
                  "else SYNC;\nUSE(Tile[4 * T]);\nWAIT(0);");
  EXPECT_EQ(R.Findings.size(), 1U);
  EXPECT_TRUE(R.Refuted.empty());
}

} // namespace

// Only so many runs with numbers are made: of more findings none confirms that
// there is a run.
TEST_F(Feasibility, WhatNeedsNothingToDoMustBeConfirmed) {
  std::string Others;
  for (int I = 1; I <= 12; ++I)
    Others += "COPY(Tile + 4 * T, In); COMMIT;\n"
              "if (N != " +
              std::to_string(I) + ") WAIT(0); USE(Tile[4 * T]); WAIT(0);\n";
  const auto Last = [&](const std::string &Condition) {
    return analyzeBody(Others + "COPY(Tile + 4 * T, In); COMMIT;\nif (" +
                       Condition + ") WAIT(0); USE(Tile[4 * T]); WAIT(0);\n");
  };
  EXPECT_EQ(Last("N != 13").Findings.size(), 13u);
  EXPECT_EQ(Last("N != 13").Gaps, std::vector<std::string>());
  EXPECT_EQ(Last("N != 0").Findings.size(), 12u);
  EXPECT_EQ(Last("N != 0").Gaps,
            std::vector<std::string>{
                "26: a finding is not told: no run that was tried shows it"});
}
