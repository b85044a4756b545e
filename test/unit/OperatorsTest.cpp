//===- OperatorsTest.cpp - Casts, assignments and their values ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Operators, IncrementsGiveTheOldOrTheNewValue) {
  EXPECT_EQ(behind("int A = 3; int B = A++;", "A == 4 && B == 3"), "always");
  EXPECT_EQ(behind("int A = 3; int B = ++A;", "A == 4 && B == 4"), "always");
  EXPECT_EQ(behind("int A = 3; int B = A--;", "A == 2 && B == 3"), "always");
  EXPECT_EQ(behind("int A = 3; int B = --A;", "A == 2 && B == 2"), "always");
  EXPECT_EQ(behind("int A = 3; ++(++A);", "A == 5"), "always");
  EXPECT_EQ(behind("int A = 3; int &R = ++A; R = 9;", "A == 9"), "always");
  EXPECT_EQ(behind("unsigned char A = 255; ++A;", "A == 0"), "always");
}

TEST(Operators, IncrementsOfPointersCountElements) {
  EXPECT_EQ(behind("float *P = Tile, *Q = P++;", "P - Tile == 1 && Q == Tile"),
            "always");
  EXPECT_EQ(behind("float *P = Tile + 4, *Q = --P;", "P - Tile == 3 && Q == P"),
            "always");
  EXPECT_EQ(
      behind("float4 *P = (float4 *)Tile; ++P;", "(float *)P - Tile == 4"),
      "always");
}

TEST(Operators, AssignmentsThatCompute) {
  const struct {
    const char *Assignment, *Result;
  } Cases[] = {{"A += 5", "A == 18"},     {"A -= 5", "A == 8"},
               {"A *= 5", "A == 65"},     {"A /= 5", "A == 2"},
               {"A %= 5", "A == 3"},      {"A <<= 2", "A == 52"},
               {"A >>= 2", "A == 3"},     {"A &= 5", "A == 5"},
               {"A |= 2", "A == 15"},     {"A ^= 5", "A == 8"},
               {"A += T", "A == 13 + T"}, {"A += N", "A - N == 13"}};
  for (const auto &[Assignment, Result] : Cases)
    EXPECT_EQ(behind("int A = 13; " + std::string(Assignment) + ";", Result),
              "always")
        << Assignment;
}

TEST(Operators, AssignmentsOfPointersCountElements) {
  EXPECT_EQ(behind("float *P = Tile; P += 6; P -= 2;", "P - Tile == 4"),
            "always");
  EXPECT_EQ(
      behind("float4 *P = (float4 *)Tile; P += 2;", "(float *)P - Tile == 8"),
      "always");
}

TEST(Operators, AssignmentsHaveTheirTypeOfComputation) {
  EXPECT_EQ(behind("unsigned char A = 200; A += 100;", "A == 44"), "always");
  EXPECT_EQ(behind("char A = 100; A *= 2;", "A == -56"), "always");
  EXPECT_EQ(behind("unsigned A = 3; A -= 4;", "A == 4294967295u"), "always");
  EXPECT_EQ(behind("short A = -1; A /= 2u;", "A == -1"), "always");
}

TEST(Operators, AnAssignmentIsItsPlace) {
  EXPECT_EQ(behind("int A, B; A = B = 5;", "A == 5 && B == 5"), "always");
  EXPECT_EQ(behind("int A = 1; (A += 2) += 3;", "A == 6"), "always");
  EXPECT_EQ(behind("int A = 1; (A = 2) = 3;", "A == 3"), "always");
  EXPECT_EQ(behind("int A = 1, B = (A += 2) * 2;", "A == 3 && B == 6"),
            "always");
  EXPECT_EQ(behind("bool A; int B = A = 7;", "B == 1"), "always");
}

TEST(Operators, ACommaGivesWhatIsBehindIt) {
  EXPECT_EQ(behind("int A = 1, B = (A = 4, A + 1);", "A == 4 && B == 5"),
            "always");
  EXPECT_EQ(behind("int A = 1, B = 2; (A, B) = 7;", "A == 1 && B == 7"),
            "always");
}

TEST(Operators, ASideThatDoesNotRunHasNoEffect) {
  EXPECT_EQ(behind("int A = 0; bool B = T < 0 && ++A;", "A == 0 && !B"),
            "always");
  EXPECT_EQ(behind("int A = 0; bool B = T < 64 && ++A;", "A == 1 && B"),
            "always");
  EXPECT_EQ(behind("int A = 0; bool B = T < 64 || ++A;", "A == 0 && B"),
            "always");
  EXPECT_EQ(behind("int A = 0; bool B = T < 0 || ++A;", "A == 1 && B"),
            "always");
  EXPECT_EQ(behind("int A = 0; bool B = T < 32 && ++A;", "A == (T < 32)"),
            "always");
  EXPECT_EQ(behind("int A = 0; T < 32 ? ++A : --A;", "A == 1 - T / 32 * 2"),
            "always");
  EXPECT_EQ(behind("int A = 0; N > 0 && ++A;", "A <= 1"), "always");
  EXPECT_EQ(behind("int A = 0; N > 0 && ++A;", "A == 1"), "both");
}

TEST(Operators, Literals) {
  for (const char *Condition :
       {"'A' + T == 65 + T", "T + true == 1 + T", "T + false == T",
        "sizeof(Tile) + T == 4096 + T", "sizeof(float4) + T == 16 + T",
        "alignof(float4) + T == 16 + T",
        "0xffffffffu + T > 0x7fffffffu + 0u * T || T > 0", "int() + T == T",
        "int{7} + T == 7 + T", "(int)nullptr_t() + T == T"})
    EXPECT_EQ(behind("", Condition, "typedef long nullptr_t;"), "always")
        << Condition;
}

TEST(Operators, EnumeratorsAndMembersOfClasses) {
  const char *Before = "enum E { First = 3, Second }; enum class F { X = 7 };"
                       "struct S { enum { In = 9 };"
                       "static constexpr int Held = 11; };";
  for (const char *Condition :
       {"T + Second == T + 4", "T + (int)F::X == T + 7", "T + S::In == T + 9",
        "T + S().In == T + 9", "T + S::Held == T + 11",
        "T + S().Held == T + 11"})
    EXPECT_EQ(behind("", Condition, Before), "always") << Condition;
}

TEST(Operators, ReferencesNameTheirObject) {
  EXPECT_EQ(behind("int A = 1; int &R = A; R = 5;", "A == 5"), "always");
  EXPECT_EQ(behind("int A = 1, B = 2; int &R = N > 0 ? A : A; R = 5;",
                   "A == 5 && B == 2"),
            "always");
  EXPECT_EQ(
      behind("int A = 1, B = 2; (T < 64 ? A : B) = 5;", "A == 5 && B == 2"),
      "always");
  EXPECT_EQ(behind("int A = 1; const int &R = A + 1; A = 7;", "R == 2"),
            "always");
  EXPECT_EQ(behind("int A = 1; int *P = &A; *P = 6; P[0] += 1;", "A == 7"),
            "always");
  EXPECT_EQ(behind("int A = 1; int *P = &A, **Q = &P; **Q = 6;", "A == 6"),
            "always");
  EXPECT_EQ(
      behind("int A = 1; int &&R = static_cast<int &&>(A); R = 3;", "A == 3"),
      "always");
}

TEST(Operators, FloatingPointIsNotKnown) {
  EXPECT_EQ(behind("float A = 1; int B = (int)A;", "B == 1"), "both");
  EXPECT_EQ(behind("float A = 1;", "A > 0"), "both");
}

TEST(Operators, ReadsInWhatIsNotKnown) {
  // An operand of any kind is read.
  for (const char *Use :
       {"USE(Tile[T] + 1.0f)", "USE(-Tile[T])", "USE((float)(int)Tile[T])",
        "USE(Tile[T] ? 1 : 2)", "USE((0, Tile[T]))",
        "USE(Tile[T] > 0 ? 1.f : 2.f)", "USE(*(Tile + T))", "USE(T[Tile])",
        "USE(*&Tile[T])", "Out[(int)Tile[T]] = 1", "Out[T] += Tile[T]"})
    EXPECT_EQ(found("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n" +
                    std::string(Use) + ";"),
              "ReadInFlight(NeverWaited) copy:1 commit:2 read:3")
        << Use;
}
