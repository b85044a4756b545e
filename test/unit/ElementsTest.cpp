//===- ElementsTest.cpp - What a finding calls the bytes that clash -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// What is named where \p Read reads what was copied to \p To, and nobody
/// waited; \p Has: declarations of both.
static std::string named(const std::string &Has, const std::string &To,
                         const std::string &Read,
                         const std::string &Before = "") {
  return analyzeBody(Has + "COPY(" + To + ", In);\nCOMMIT;\nUSE(" + Read +
                         ");\nWAIT(0);",
                     Before)
      .Element;
}

TEST(Elements, OfArraysHaveTheirIndices) {
  EXPECT_EQ(named("", "Tile + 4", "Tile[6]"), "Tile[6]");
  EXPECT_EQ(named("", "Tile + 4 * T", "Tile[4 * T + 1]"), "Tile[1]");
  const char *Rows =
      "__shared__ __attribute__((aligned(16))) float R[4][8][4];\n";
  EXPECT_EQ(named(Rows, "R[3][7]", "R[3][7][2]"), "R[3][7][2]");
  EXPECT_EQ(named(Rows, "R[2]", "R[2][0][0]"), "R[2][0][0]");
}

TEST(Elements, OfStructuresHaveTheirMembers) {
  const char *Before = "struct Part { int Count; int Pad[3]; float Row[4]; };"
                       "union Either { float F[4]; int I[4]; };";
  const char *Parts = "__shared__ __attribute__((aligned(16))) Part P[2];\n";
  EXPECT_EQ(named(Parts, "P[1].Row", "P[1].Row[3]", Before), "P[1].Row[3]");
  EXPECT_EQ(named(Parts, "&P[1]", "P[1].Count", Before), "P[1].Count");
  // Which member of a union is meant nobody knows.
  EXPECT_EQ(named("__shared__ __attribute__((aligned(16))) Either E[2];\n",
                  "&E[1]", "E[1].F[2]", Before),
            "E[1]+8");
}

TEST(Elements, PartsOfOneAreBytes) {
  EXPECT_EQ(named("", "Tile + 4", "((short *)Tile)[11]"), "Tile[5]+2");
  EXPECT_EQ(named("", "Tile + 4", "((char *)Tile)[19]"), "Tile[4]+3");
}

TEST(Elements, OfStorageHaveTheNamesOfPointers) {
  const std::string Raw =
      "__shared__ __attribute__((aligned(16))) char Raw[4096];\n"
      "float *P = (float *)(Raw + 1024), *Q = (float *)Raw;\n"
      "float *const Later = (float *)(Raw + 2048);\n";
  EXPECT_EQ(named(Raw, "P + 4", "P[6]"), "P[6] by pointer");
  EXPECT_EQ(named(Raw, "P", "P[0]"), "P[0] by pointer");
  EXPECT_EQ(named(Raw, "P", "Q[257]"), "Q[257] by pointer");
  // The nearest of two that are named there, none that lies behind it.
  EXPECT_EQ(named(Raw, "P", "*(N > 0 ? P + 1 : Q + 257)"), "P[1] by pointer");
  EXPECT_EQ(named(Raw, "P", "P[1 + 0 * (Later != nullptr)]"),
            "P[1] by pointer");
  // A byte of it is one.
  EXPECT_EQ(named(Raw, "P", "Raw[1030]"), "Raw[1030]");
}

TEST(Elements, OfAPoolHaveItsNameOrThoseOfPointers) {
  const std::string Pool = "extern __shared__ float Pool[];\n"
                           "float *P = Pool + 256;\n";
  EXPECT_EQ(named(Pool, "Pool + 256", "Pool[258]"), "Pool[258]");
  EXPECT_EQ(named(Pool, "Pool + 256", "P[2]"), "P[2] by pointer");
}
