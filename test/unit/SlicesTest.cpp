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
}
