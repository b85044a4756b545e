//===- LocalsTest.cpp - What locals hold ----------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// Whether \p Condition holds behind \p Body, which may use the class Pair and
/// the table Powers.
static std::string with(const std::string &Body, const std::string &Condition) {
  return behind(Body, Condition,
                "struct Pair { int X, Y; }; struct Three { Pair A[3]; };"
                "constexpr int Powers[4] = {1, 2, 4, 8};"
                "__device__ int Variable = 5;");
}

TEST(Locals, AreInitialisedElementByElement) {
  const char *Body = "int A[4] = {1, 2, 3};";
  EXPECT_EQ(with(Body, "A[0] == 1 && A[1] == 2 && A[2] == 3 && A[3] == 0"),
            "always");
  EXPECT_EQ(with("int A[64] = {};", "A[63] == 0"), "always");
  EXPECT_EQ(with("int A[2][2] = {{1, 2}, {3}};",
                 "A[0][1] == 2 && A[1][0] == 3 && A[1][1] == 0"),
            "always");
  EXPECT_EQ(with("int A[2];", "A[0] == 0"), "both");
}

TEST(Locals, AreReadByEachThreadAtItsPlace) {
  EXPECT_EQ(with("int A[4] = {1, 2, 3, 4};", "A[T % 4] == T % 4 + 1"),
            "always");
  EXPECT_EQ(with("int A[4] = {1, 2, 3, 4};", "A[T % 4] == T % 4"), "never");
  EXPECT_EQ(with("int A[4] = {7, 7, 7, 7};", "A[N] == 7"), "always");
  EXPECT_EQ(with("int A[4] = {7, 7, 7, 8};", "A[N] == 7"), "both");
  EXPECT_EQ(with("int A[5] = {7, 7, 7, 7}; A[4] = A[N];", "A[0] == 7"),
            "always");
}

TEST(Locals, AStoreToAnUnknownPlaceForgetsThem) {
  EXPECT_EQ(with("int A[2] = {1, 2}; A[N] = 9;", "A[0] == 1"), "both");
  EXPECT_EQ(with("int A[2] = {1, 2}, B = 3; A[N] = 9;", "B == 3"), "always");
  EXPECT_EQ(with("int A[2] = {1, 2}; A[1] = 9;", "A[0] == 1 && A[1] == 9"),
            "always");
  EXPECT_EQ(with("int A[3] = {1, 2, 3}; A[1] = 9;", "A[2] == 3"), "always");
}

TEST(Locals, AStoreEndsWhatItOverlaps) {
  EXPECT_EQ(with("int A[4] = {1, 2, 3, 4}; *(long *)(A + 1) = N;",
                 "A[0] == 1 && A[3] == 4"),
            "always");
  EXPECT_EQ(with("int A[4] = {1, 2, 3, 4}; *(long *)(A + 1) = N;", "A[1] == 2"),
            "both");
  EXPECT_EQ(with("int A[4] = {1, 2, 3, 4}; *(long *)(A + 1) = N;", "A[2] == 3"),
            "both");
  EXPECT_EQ(with("long A = 5; *((int *)&A + 1) = 1;", "A == (1L << 32) + 5"),
            "always");
  EXPECT_EQ(with("long A = -1; *((short *)&A + 1) = 2;",
                 "A == ~(65533L << 16) && *(short *)&A == -1"),
            "always");
  EXPECT_EQ(with("long A = N; *(short *)&A = 2;", "*(short *)&A == 2"),
            "always");
  // What the others have there is not known as one number.
  EXPECT_EQ(with("long A = 5; if (T < 32) *(int *)&A = 6;", "A == 6"), "both");
}

TEST(Locals, SomeThreadsStoreAndOthersKeep) {
  EXPECT_EQ(with("int A = 1; if (T < 32) A = 2;", "A == 2 - T / 32"), "always");
  EXPECT_EQ(
      with("int A = 1; if (T < 32) A = 2; else A = 3;", "A == 2 + T / 32"),
      "always");
  EXPECT_EQ(with("Pair A = {1, 5}; if (T < 32) A.X = 2;",
                 "A.X == 2 - T / 32 && A.Y == 5"),
            "always");
  EXPECT_EQ(with("int A = 1; if (T < 64) A = 2;", "A == 2"), "always");
}

TEST(Locals, ClassesAreCopiedMemberByMember) {
  EXPECT_EQ(with("Pair A = {1, 2}, B = A; A.X = 5;",
                 "B.X == 1 && B.Y == 2 && A.X == 5 && A.Y == 2"),
            "always");
  EXPECT_EQ(with("Pair A = {1, 2}, B = {3, 4}; B = A; A.Y = 5;",
                 "B.X == 1 && B.Y == 2"),
            "always");
  EXPECT_EQ(
      with("Pair A[2] = {{1, 2}, {3, 4}}, B = A[1];", "B.X == 3 && B.Y == 4"),
      "always");
  EXPECT_EQ(with("Pair A{}; A.X = T;", "A.Y == 0 && A.X == T"), "always");
}

TEST(Locals, ACopyIntoTheMiddleKeepsItsNeighbours) {
  const char *Body = "Three A = {{{1, 2}, {3, 4}, {5, 6}}};"
                     "A.A[1] = Pair{7, 8};";
  EXPECT_EQ(with(Body, "A.A[0].X == 1 && A.A[0].Y == 2"), "always");
  EXPECT_EQ(with(Body, "A.A[1].X == 7 && A.A[1].Y == 8"), "always");
  EXPECT_EQ(with(Body, "A.A[2].X == 5 && A.A[2].Y == 6"), "always");
}

TEST(Locals, ACopyOfTheMiddleBringsNothingElse) {
  EXPECT_EQ(with("Three A = {{{1, 2}, {3, 4}, {5, 6}}}; Pair B[2] = {{0, 0},"
                 "{9, 9}}; B[0] = A.A[1];",
                 "B[0].X == 3 && B[0].Y == 4 && B[1].X == 9 && B[1].Y == 9"),
            "always");
  EXPECT_EQ(
      with("Pair A[2] = {{1, 2}, {3, 4}}; A[N] = Pair{5, 6};", "A[0].X == 1"),
      "both");
}

TEST(Locals, UnionsHoldOneMember) {
  EXPECT_EQ(with("union { int I; float F; } U = {7};", "U.I == 7"), "always");
  EXPECT_EQ(with("union { int I; long L; } U = {.L = 7};", "U.L == 7"),
            "always");
  EXPECT_EQ(with("union { int I; long L; } U = {.L = 7}; U.I = 3;", "U.L == 3"),
            "always");
  EXPECT_EQ(with("union { int I[2]; long L; } U; U.I[0] = 3; U.I[1] = -1;",
                 "U.L == 3 - (1L << 32)"),
            "always");
  EXPECT_EQ(with("union { int I; float F; } U = {7}; U.F = 1;", "U.I == 7"),
            "both");
}

TEST(Locals, BitFieldsAreBits) {
  const std::string Declared =
      "struct { unsigned A : 3, B : 7; int C : 6; unsigned long D : 40; } X;";
  EXPECT_EQ(with(Declared + "X.A = 5; X.B = 100; X.C = -2; X.D = 1;",
                 "X.A == 5 && X.B == 100 && X.C == -2 && X.D == 1"),
            "always");
  EXPECT_EQ(with(Declared + "X.A = 5; X.B = 100; X.A += 4;",
                 "X.A == 1 && X.B == 100"),
            "always");
  EXPECT_EQ(with(Declared + "X.A = T; X.B = T;", "X.A == T % 8 && X.B == T"),
            "always");
  // What is not known stays what it is.
  EXPECT_EQ(with("struct { unsigned A : 3, B : 5; } X; X.A = N; X.B = 3;"
                 "unsigned A = X.A;",
                 "X.A == A && A < 8 && X.B == 3"),
            "always");
  EXPECT_EQ(with("struct Bits { int A : 4, B : 4; }; Bits X = {3, -4};",
                 "X.A == 3 && X.B == -4"),
            "always");
  EXPECT_EQ(with("union { struct { unsigned short A : 14, : 2, B : 14; } F;"
                 "unsigned L; } U; U.L = 0; U.F.A = 9; U.F.B = 5;",
                 "U.L == (5 << 16) + 9"),
            "always");
}

TEST(Locals, BindingsNameMembers) {
  EXPECT_EQ(with("auto [X, Y] = Pair{3, 4};", "X == 3 && Y == 4"), "always");
  EXPECT_EQ(
      with("Pair A = {1, 2}; auto &[X, Y] = A; Y = 9;", "A.X == 1 && A.Y == 9"),
      "always");
  EXPECT_EQ(with("Pair A = {1, 2}; auto [X, Y] = A; Y = 9;", "A.Y == 2"),
            "always");
}

TEST(Locals, ConstantsOutsideAreKnown) {
  EXPECT_EQ(with("", "Powers[2] + T == 4 + T"), "always");
  EXPECT_EQ(with("", "Powers[T % 4] == 1 << T % 4"), "always");
  EXPECT_EQ(with("", "Powers[T % 2] == 1 + T % 2"), "always");
  EXPECT_EQ(with("", "Variable == 5"), "both");
}

TEST(Locals, WhatIsLoadedFromOneAddressIsOneNumber) {
  // The same in all threads, so that they go one way.
  EXPECT_EQ(found("const int *P = (const int *)In; if (P[0]) SYNC;"
                  "COPY(Tile, In); COMMIT; WAIT(0);"),
            "");
  EXPECT_EQ(with("int A = ((const int *)In)[0], B = A;", "A == B"), "always");
  EXPECT_EQ(with("int A = ((const int *)In)[0];", "A == 0"), "both");
}

TEST(Locals, WhatAKernelIsGivenIsFixed) {
  EXPECT_EQ(with("", "G.Rows == G.Rows && G.Rows - G.Rows == 0"), "always");
  EXPECT_EQ(with("int A = G.Rows;", "A == G.Rows"), "always");
  EXPECT_EQ(with("", "G.Rows == (int)G.Count"), "both");
  EXPECT_EQ(with("", "G.Count + 1u > 0u"), "always");
  EXPECT_EQ(with("", "G.Rows + 1 > 1"), "both");
  EXPECT_EQ(with("", "G.Flag + 0 < 2"), "always");
  EXPECT_EQ(with("", "G.Flag + 0 < 1"), "both");
  EXPECT_EQ(with("Given Mine = G;", "Mine.Rows == G.Rows"), "always");
  EXPECT_EQ(with("G.Rows = 3;", "G.Rows == 3"), "always");
  EXPECT_EQ(with("const float *A = G.From;", "A == G.From"), "always");
  EXPECT_EQ(found("COPY(Tile, G.From); COMMIT; WAIT(0);"), "");
}

TEST(Locals, WhatNobodyWroteIsForgottenByAnUnknownFunction) {
  EXPECT_EQ(with("int A = 1; unknown(&A);", "A == 1"), "both");
  EXPECT_EQ(with("int A = 1; looksAt(&A);", "A == 1"), "always");
  EXPECT_EQ(with("int A = 1, B = 2; unknown(&A);", "B == 2"), "always");
  EXPECT_EQ(with("int A[2] = {1, 2}; unknown(A + 1);", "A[0] == 1"), "both");
  EXPECT_EQ(with("int A = 1; atomicAdd(&A, 1);", "A == 1"), "both");
  EXPECT_EQ(with("int A = 1; memset(&A, 0, 4);", "A == 1"), "both");
}

TEST(Locals, PointersLeadToTheirObject) {
  EXPECT_EQ(with("int A = 1, B = 2; int *P = T < 64 ? &A : &B; *P = 3;",
                 "A == 3 && B == 2"),
            "always");
  EXPECT_EQ(with("float *P[2] = {Tile, Tile + 64};",
                 "P[1] - P[0] == 64 && P[T % 2] - Tile == T % 2 * 64"),
            "always");
  EXPECT_EQ(with("float *P[2] = {Tile, Tile + 64};", "P[N % 2] == Tile"),
            "both");
  EXPECT_EQ(with("struct { float *P; int I; } A = {Tile + 3, 2};",
                 "A.P + A.I - Tile == 5"),
            "always");
}

TEST(Locals, ThatWereForgottenAreNotKnownBySomeThreadsStores) {
  EXPECT_EQ(behind("int A; unknown(&A); if (T < 32) A = 2;", "A == 2"), "both");
  EXPECT_EQ(behind("int A[3]; unknown(A); if (T < 32) A[1] = 2;", "A[1] == 2"),
            "both");
  EXPECT_EQ(behind("int A[3]; unknown(A);"
                   "if (T < 32) for (int I = 0; I < 3; ++I) A[I] = 2;",
                   "A[1] == 2"),
            "both");
  EXPECT_EQ(behind("int A; unknown(&A); A = 2;", "A == 2"), "always");
}
