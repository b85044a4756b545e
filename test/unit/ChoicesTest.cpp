//===- ChoicesTest.cpp - Pointers to one of several arrays ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Choices, APointerToOneOfTwoArraysIsLookedUp) {
  const std::string Two =
      "__shared__ __attribute__((aligned(16))) float A[512],"
      "B[512];\nCOPY(A + 4 * T, In);\nCOMMIT;\n";
  const char *InFlight = "ReadInFlight(NeverWaited) copy:2 commit:3 read:4";
  EXPECT_EQ(found(Two + "USE((T < 32 ? A : B)[4 * T]);\nWAIT(0);"), InFlight);
  EXPECT_EQ(found(Two + "USE((T < 0 ? A : B)[4 * T]);\nWAIT(0);"), "");
  EXPECT_EQ(found(Two + "USE((T < 32 ? B : A + 256)[4 * (T % 32)]);\nWAIT(0);"),
            "");
  EXPECT_EQ(found(Two + "USE((T < 32 ? B : A + 128)[4 * (T % 32)]);\nWAIT(0);"),
            InFlight);
  EXPECT_EQ(found(Two + "USE((N > 0 ? A : B)[4 * T]);\nWAIT(0);"),
            "maybe " + std::string(InFlight));
  EXPECT_EQ(found(Two + "WAIT(0);\nUSE((N > 0 ? A : B)[4 * T]);"), "");
}

TEST(Choices, ACopyGoesWhereItsThreadsPoint) {
  const std::string To = "__shared__ __attribute__((aligned(16))) float A[512],"
                         "B[512];\nCOPY((T < 32 ? A : B) + 4 * T, In);\n"
                         "COMMIT;\n";
  EXPECT_EQ(found(To + "if (T < 32) USE(A[4 * T]);\nWAIT(0);"),
            "ReadInFlight(NeverWaited) copy:2 commit:3 read:4");
  EXPECT_EQ(found(To + "if (T < 32) USE(B[4 * T]);\nWAIT(0);"), "");
  EXPECT_EQ(found(To + "if (T >= 32) USE(A[4 * T]);\nWAIT(0);"), "");
}

TEST(Choices, WhatIsNoSharedArrayIsNotRead) {
  const std::string Copy = "COPY(Tile + 4 * T, In);\nCOMMIT;\n";
  const char *InFlight = "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";
  EXPECT_EQ(found(Copy + "USE((T < 32 ? Tile : Out)[4 * T]);\nWAIT(0);"),
            InFlight);
  EXPECT_EQ(found(Copy + "float *P = T < 32 ? Tile : nullptr;"
                         "USE(P[4 * T]);\nWAIT(0);"),
            InFlight);
  EXPECT_EQ(found(Copy + "USE((T < 32 ? Tile + 512 : Out)[4 * T]);\nWAIT(0);"),
            "");
}

TEST(Choices, ASizeIsChosenBeforeItIsCopied) {
  auto OfBytes = [](const std::string &Size) {
    return found("__pipeline_memcpy_async(Tile + 4 * T, In + 4 * T, " + Size +
                 ");\nCOMMIT;\nWAIT(0);");
  };
  EXPECT_EQ(OfBytes("N > 3 ? 8 : 16"), "");
  EXPECT_EQ(OfBytes("N > 3 ? 3 : 16"), "BadOperand(3) copy:1 operand:1");
}
