//===- SlicesTest.cpp - What of a kernel is run ---------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Slices, WhatOnlyFloatsHangOnIsPassedOver) {
  EXPECT_EQ(found("float A = 0;\nfor (int K = 0; K < N; ++K)\n"
                  "for (int J = 0; J < M; ++J) A += K * J;\n"
                  "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\nOut[T] = A;"),
            "");
}

TEST(Slices, WhatAnAddressHangsOnIsRun) {
  const std::string Read = "COPY(Tile, In);\nCOMMIT;\nUSE(Tile[A]);\nWAIT(0);";
  const char *InFlight = "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";
  EXPECT_EQ(found("int A = 3; " + Read), InFlight);
  EXPECT_EQ(found("int A = 4; " + Read), "");
  EXPECT_EQ(found("int A = 3, B = 1; A += B; " + Read), "");
  EXPECT_EQ(found("int A = 3; int *P = &A; *P = 4; " + Read), "");
  EXPECT_EQ(found("int A = 3; int &R = A; R = 4; " + Read), "");
  EXPECT_EQ(found("int A = 3; auto F = [&] { A = 4; }; F(); " + Read), "");
  EXPECT_EQ(found("int A = 3; set(A); " + Read,
                  "__device__ void set(int &X) { X = 4; }"),
            "");
  EXPECT_EQ(found("int A = 3; set(&A); " + Read,
                  "__device__ void set(int *X) { *X = 4; }"),
            "");
  EXPECT_EQ(found("struct { int X; } S = {3}; S.X = 4; int A = S.X; " + Read),
            "");
  EXPECT_EQ(found("int A = 3; if (T < 64) A = 4; " + Read), "");
  EXPECT_EQ(found("int A = 3; for (int K = 0; K < 1; ++K) A = 4; " + Read), "");
  EXPECT_EQ(found("int A = 3; asm(\"mov.u32 %0, 4;\" : \"=r\"(A)); " + Read),
            "");
}

TEST(Slices, AnAssignedObjectHasOtherNumbers) {
  const char *Before =
      "struct Place { int At; };"
      "struct Around { Place In; float Pad; };"
      "__device__ void copyTo(Place &To, const Place &From) { To = From; }"
      "__device__ void moveTo(Place &To, Place &From)"
      " { To = static_cast<Place &&>(From); }"
      "__device__ void around(Around &To, const Around &From) { To = From; }"
      "__device__ void aside(Place To, const Place &From) { To = From; }"
      "__device__ void back(const Place &From, Place &To) { To = From; }";
  auto FoundAfter = [&](const std::string &Assignment) {
    return found("Around X = {{3}}, Y = {{4}}; Place &P = X.In, &Q = Y.In; " +
                     Assignment +
                     " COPY(Tile, In);\nCOMMIT;\nUSE(Tile[X.In.At]);\n"
                     "WAIT(0);",
                 Before);
  };
  for (const char *Assignment :
       {"P = Q;", "X = Y;", "copyTo(P, Q);", "moveTo(P, Q);", "around(X, Y);",
        "P = static_cast<Place &&>(Q);", "back(Q, P);"})
    EXPECT_EQ(FoundAfter(Assignment), "") << Assignment;
  for (const char *Assignment :
       {"Q = P;", "copyTo(Q, P);", "moveTo(Q, P);", "aside(P, Q);"})
    EXPECT_EQ(FoundAfter(Assignment),
              "ReadInFlight(NeverWaited) copy:1 commit:2 read:3")
        << Assignment;
}

TEST(Slices, AConstructorWritesWhatItIsGiven) {
  const char *Before =
      "struct Put { __device__ Put(int &To) { To = 4; }"
      " __device__ Put(int *To, int What) { *To = What; } };"
      "struct Keep { int &To; __device__ Keep(int &To) : To(To) {}"
      " __device__ void put() { To = 4; } };"
      "struct Copy { int Of; __device__ Copy(const int &From) { Of = From; } };"
      "struct Aside { int Of; __device__ Aside(int &From) : Of(From) {} };";
  const std::string Read = "COPY(Tile, In);\nCOMMIT;\nUSE(Tile[A]);\nWAIT(0);";
  for (const char *Writes :
       {"Put Of(A);", "Put(&A, 4);", "auto F = [&] { Put Of(A); }; F();",
        "Keep Of(A); Of.put();"})
    EXPECT_EQ(found(std::string("int A = 3; ") + Writes + Read, Before), "")
        << Writes;
  for (const char *Reads : {"Copy Of(A);", "Aside Of(A);"})
    EXPECT_NE(found(std::string("int A = 3; ") + Reads + Read, Before), "")
        << Reads;
}

TEST(Slices, ACoordinateMayBeAnAddressAsWell) {
  const std::string Read = "COPY(Tile, In);\nCOMMIT;\nUSE(Tile[A]);\nWAIT(0);";
  const char *InFlight = "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";
  const char *Box =
      "__device__ void box(const void *Map, int X) {\n"
      "  asm volatile(\"cp.async.bulk.prefetch.tensor.1d.L2.global"
      " [%0, {%1}];\" ::\"l\"(Map), \"r\"(X)); }\n"
      "__device__ void twice(const void *Map, const int &X) {\n"
      "  box(Map, X); box(Map, X + 1); }";
  EXPECT_EQ(found("int A = 3; twice(In, A); " + Read, Box), InFlight);
  EXPECT_EQ(found("int A = 3; box(In, A = 4); " + Read, Box), "");
  EXPECT_EQ(found("int B = 4; box(In, B); int A = B; " + Read, Box), "");
  EXPECT_EQ(found("int A = 3; box(In, A++); " + Read, Box), "");
  // Nor is what a const method makes a coordinate of followed.
  const std::string Rows =
      std::string(Box) +
      "struct Rows { int Count;"
      " __device__ int at(int X) const { return 2 * X; }"
      " __device__ int next(int X) { return Count += X; } };"
      "__device__ void row(const void *Map, int X) {\n"
      "  Rows R = {4}; box(Map, R.at(X)); }\n"
      "__device__ void nextRow(const void *Map, int X) {\n"
      "  Rows R = {4}; box(Map, R.next(X)); }\n"
      "__device__ int deep(int X) { return X > 0 ? deep(X - 1) + 1 : 0; }";
  const std::string Deep = "int A = 4; int X = deep(100); ";
  EXPECT_EQ(found(Deep + "row(In, X); " + Read, Rows), "");
  EXPECT_NE(found(Deep + "nextRow(In, X); " + Read, Rows), "");
}
