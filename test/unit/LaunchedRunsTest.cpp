//===- LaunchedRunsTest.cpp - A kernel in the blocks of its launches ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// A kernel that is launched with blocks of these sizes; the second warp reads
/// what the first one copied.
static SnippetResult launchedWith(std::initializer_list<unsigned> Blocks) {
  AnalysisOptions Options;
  for (const unsigned Threads : Blocks)
    Options.ToldBlocks["kernel"].insert({Threads, 1, 1});
  return analyzeBody("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\nWAIT(0);\n"
                     "USE(Tile[4 * (T % 32)]);",
                     "", Options);
}

// Where other launches show it too, it is not the launch that matters.
TEST(LaunchedRuns, SayInWhichBlocksItIsIfNotInAll) {
  const std::vector<std::string> Found = {
      "UnsynchronizedRead copy:1 wait:3 read:4"};
  EXPECT_EQ(launchedWith({32}).Findings, std::vector<std::string>());
  EXPECT_EQ(launchedWith({32, 64}).Findings, Found);
  EXPECT_EQ(launchedWith({32, 64}).Steps, "-1 1 3 4");
  EXPECT_EQ(launchedWith({64, 96}).Findings, Found);
  EXPECT_EQ(launchedWith({64, 96}).Steps, "1 3 4");
}

/// Of a kernel that nobody launches: what only a block of more than two warps
/// does, if that is what it is for, though each thread reads \p Place of Row,
/// which has 128 elements.
static bool mayBeLarge(const std::string &Place) {
  return !analyzeBody("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);",
                      "__global__ void open(const float *In, float *Out) {\n"
                      "__shared__ __attribute__((aligned(16)))"
                      " float Row[128], Large[4096];\n"
                      "const int T = threadIdx.x;\nunknown(Row);\n"
                      "COPY(Large + 4 * T, In + 4 * T);\nCOMMIT;\nUSE(Row[" +
                          Place +
                          "]);\nif (T >= 64)\nUSE(Large[4 * T]);\nWAIT(0);\n}")
              .Findings.empty();
}

TEST(GuessedRuns, NoBlockReadsBeyondTheEndOfAnArray) {
  EXPECT_TRUE(mayBeLarge("T"));
  EXPECT_FALSE(mayBeLarge("4 * T"));
}
