//===- FixpointTest.cpp - Facts of random call graphs ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/support/Fixpoint.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace cpasync;

namespace {

/// Functions that call each other, each with an effect of its own.
struct Graph {
  std::vector<std::vector<unsigned>> Callees;
  Fixpoint<uint64_t> Effects;
  unsigned Computed = 0;

  uint64_t effects(unsigned F) {
    return Effects.of(&Callees[F], [&] {
      ++Computed;
      uint64_t Found = uint64_t(1) << F;
      for (unsigned C : Callees[F])
        Found |= effects(C);
      return Found;
    });
  }

  uint64_t reachable(unsigned F) const {
    uint64_t Found = 0;
    std::vector<unsigned> Work = {F};
    while (!Work.empty()) {
      const unsigned X = Work.back();
      Work.pop_back();
      if (Found >> X & 1)
        continue;
      Found |= uint64_t(1) << X;
      Work.insert(Work.end(), Callees[X].begin(), Callees[X].end());
    }
    return Found;
  }
};

TEST(FixpointTest, WhateverIsAskedFirst) {
  std::mt19937 Random(20261123);
  for (int Run = 0; Run < 3000; ++Run) {
    const unsigned Size = 1 + Random() % 12;
    Graph G;
    G.Callees.resize(Size);
    for (unsigned Calls = Random() % (3 * Size); Calls; --Calls)
      G.Callees[Random() % Size].push_back(Random() % Size);
    for (unsigned Asked = 0; Asked < 2 * Size; ++Asked) {
      const unsigned F = Random() % Size;
      ASSERT_EQ(G.effects(F), G.reachable(F)) << "run " << Run;
    }
  }
}

// Everyone calls everyone: a round computes each once.
TEST(FixpointTest, LargeCirclesTakeFewRounds) {
  Graph G;
  G.Callees.resize(60);
  for (auto &Callees : G.Callees)
    for (unsigned C = 0; C < 60; ++C)
      Callees.push_back(C);
  EXPECT_EQ(G.effects(0), (uint64_t(1) << 60) - 1);
  EXPECT_EQ(G.effects(59), (uint64_t(1) << 60) - 1);
  EXPECT_LE(G.Computed, 60u * 4);
}

// Asked again, nothing is computed.
TEST(FixpointTest, WhatIsKnownStays) {
  Graph G;
  G.Callees = {{1}, {2}, {1, 3}, {}};
  G.effects(0);
  const unsigned Before = G.Computed;
  for (unsigned F = 0; F < 4; ++F)
    EXPECT_EQ(G.effects(F), G.reachable(F));
  EXPECT_EQ(G.Computed, Before);
}

} // namespace
