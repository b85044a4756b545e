//===- LifetimesTest.cpp - Classes, constructors and destructors ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Lifetimes, ConstructorsSetMembers) {
  const char *Before =
      "struct A { int X = 3, Y; __device__ A(int V) : Y(V) {}"
      "__device__ A(int V, int W) : X(W), Y(V) {} };"
      "struct B : A { int Z; __device__ B(int V) : A(V), Z(X + Y)"
      "{} }; struct C : A { using A::A; };"
      "struct D : A { __device__ D() : D(8) {}"
      "__device__ D(int V) : A(V, V) {} };";
  for (const char *Condition :
       {"A(5).X + T == 3 + T", "A(5).Y + T == 5 + T", "A(5, 6).X + T == 6 + T",
        "B(5).Z + T == 8 + T", "C(5).Y + T == 5 + T", "D().X + T == 8 + T"})
    EXPECT_EQ(behind("", Condition, Before), "always") << Condition;
}

static constexpr char Counter[] =
    "struct Counter { int &To; int By; __device__ Counter(int &To, int By)"
    ": To(To), By(By) {} __device__ ~Counter() { To = To * 10 + By; } };";

TEST(Lifetimes, DestructorsRunWhereTheScopeEnds) {
  EXPECT_EQ(behind("int A = 0; { Counter C(A, 1); }", "A == 1", Counter),
            "always");
  EXPECT_EQ(behind("int A = 0; Counter C(A, 1);", "A == 0", Counter), "always");
  EXPECT_EQ(
      behind("int A = 0; { Counter C(A, 1), D(A, 2); }", "A == 21", Counter),
      "always");
  EXPECT_EQ(behind("int A = 0; for (int K = 0; K < 3; ++K) Counter C(A, K);",
                   "A == 12", Counter),
            "always");
  EXPECT_EQ(
      behind("int A = 0; { Counter C(A, 1); if (T < 32) Counter D(A, 2); }",
             "A == (T < 32 ? 21 : 1)", Counter),
      "always");
}

TEST(Lifetimes, TemporariesEndWithTheirExpression) {
  EXPECT_EQ(behind("int A = 0; Counter(A, 1);", "A == 1", Counter), "always");
  EXPECT_EQ(
      behind("int A = 0, B = (Counter(A, 1), A);", "A == 1 && B == 0", Counter),
      "always");
  EXPECT_EQ(behind("int A = 0; { const Counter &C = Counter(A, 1); A = 5; }",
                   "A == 51", Counter),
            "always");
}

TEST(Lifetimes, TemporariesOfOneSideEndIfTheyWereMade) {
  const char *Before =
      "struct Flag { int &To; __device__ Flag(int &To) : To(To) {}"
      "__device__ ~Flag() { To += 1; } __device__ operator bool() const {"
      "return true; } };";
  EXPECT_EQ(
      behind("int A = 0; bool B = T < 64 && Flag(A);", "A == 1 && B", Before),
      "always");
  EXPECT_EQ(
      behind("int A = 0; bool B = T < 0 && Flag(A);", "A == 0 && !B", Before),
      "always");
}

TEST(Lifetimes, AGuardWaitsAtTheEndOfItsScope) {
  const char *Guard = "struct Guard { __device__ ~Guard() { WAIT(0); } };";
  EXPECT_EQ(found("{\n Guard G;\n COPY(Tile + 4 * T, In);\n COMMIT;\n}\n"
                  "USE(Tile[4 * T]);",
                  Guard),
            "");
  EXPECT_EQ(found("{\n Guard G;\n COPY(Tile + 4 * T, In);\n COMMIT;\n"
                  "USE(Tile[4 * T]);\n}",
                  Guard),
            "ReadInFlight(NeverWaited) copy:3 commit:4 read:5");
}

static constexpr char Shapes[] =
    "struct Base { int X = 1; __device__ virtual int f() { return 10; }"
    "__device__ int g() { return f() + X; } };"
    "struct Other { int Y = 2; __device__ virtual int h() { return 20 + Y; } };"
    "struct Both : Base, Other { int Z = 3; __device__ int f() override {"
    "return 30 + Z; } };"
    "struct Last : Both { __device__ int h() override { return 40 + Z; } };"
    "struct Early : Base { int Seen; __device__ Early() { Seen = f(); }"
    "__device__ int f() override { return 50; } };"
    "struct Later : Early { __device__ int f() override { return 60; } };";

TEST(Lifetimes, VirtualCallsRunWhatTheObjectIs) {
  const struct {
    const char *Body, *Condition;
  } Cases[] = {
      {"Base O; Base &R = O; int A = R.f();", "A == 10"},
      {"Both O; Base &R = O; int A = R.f();", "A == 33"},
      {"Both O; Base &R = O; int A = R.g();", "A == 34"},
      {"Both O; Other &R = O; int A = R.h();", "A == 22"},
      {"Last O; Other &R = O; int A = R.h();", "A == 43"},
      {"Last O; Other *P = &O; int A = P->h();", "A == 43"},
      {"Last O; Base &R = O; int A = R.f();", "A == 33"},
      {"Last O; int A = O.Base::f();", "A == 10"},
      {"Base O = Both(); Base &R = O; int A = R.f();", "A == 10"},
  };
  for (const auto &[Body, Condition] : Cases)
    EXPECT_EQ(behind(Body, Condition, Shapes), "always") << Body;
}

TEST(Lifetimes, AConstructorSeesItsOwnClass) {
  EXPECT_EQ(behind("Later O;", "O.Seen == 50", Shapes), "always");
  EXPECT_EQ(behind("Later O; Base &R = O; int A = R.f();", "A == 60", Shapes),
            "always");
}

TEST(Lifetimes, OfAVirtualBaseTheClassIsNotKnown) {
  EXPECT_NE(
      found("D O; V &R = O; int A = R.f();\nCOPY(Tile + 4 * A, In);"
            "COMMIT; WAIT(0);",
            "struct V { int X = 1; __device__ virtual int f() { return X; }"
            "}; struct D : virtual V { __device__ int f() override {"
            "return X + 1; } };")
          .find("virtual call of 'f'"),
      std::string::npos);
}

TEST(Lifetimes, ATemporaryThatOnlySomeThreadsMakeIsAGap) {
  const char *Before = "struct Guard { __device__ Guard() {}"
                       "__device__ ~Guard() { COMMIT; }"
                       "__device__ operator bool() { return true; } };";
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nif (T < 64 && Guard()) SYNC;\n"
                  "WAIT(0);\nUSE(Tile[4 * T]);",
                  Before),
            "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nif (T < 32 && Guard()) SYNC;\n"
                  "WAIT(0);\nUSE(Tile[4 * T]);",
                  Before),
            "2: temporary that only some threads make is not followed");
}

TEST(Lifetimes, AnUnknownOverriderMayDoWhatAnyOfThemDoes) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nV *P = *(V **)In;\nP->f();\n"
                  "USE(Tile[4 * T]);",
                  "struct V { __device__ virtual void f() { COMMIT; WAIT(0); }"
                  "}; struct W : V { __device__ void f() override {} };"),
            "3: virtual call of 'f': which function it runs is not known");
}
