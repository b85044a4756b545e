//===- RingsTest.cpp - Slots that take turns ------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Rings, SlotsThatDifferDoNotMeet) {
  const std::string Slots = "COPY(Tile + N % 2 * 256 + 4 * T, In);\nCOMMIT;\n";
  EXPECT_EQ(found(Slots + "USE(Tile[(N + 1) % 2 * 256 + 4 * T]);\nWAIT(0);"),
            "");
  EXPECT_EQ(found(Slots + "USE(Tile[(N + 2) % 2 * 256 + 4 * T]);\nWAIT(0);"),
            "ReadInFlight(NeverWaited) copy:1 commit:2 read:3");
}

TEST(Rings, OfThreeSlotsAreDoubleBufferedOnlyByTheRightCount) {
  auto Ring = [](const std::string &Left) {
    return found(R"(
    for (int S = 0; S < 2; ++S) {
      COPY(Tile + S * 256 + 4 * T, In + S * 256);
      COMMIT;
    }
    for (int K = 0; K < N; ++K) {
      COPY(Tile + (K + 2) % 3 * 256 + 4 * T, In + K * 256);
      COMMIT;
      WAIT()" + Left +
                 R"();
      USE(Tile[K % 3 * 256 + 4 * T]);
    }
    WAIT(0);)");
  };
  EXPECT_EQ(Ring("0"), "");
  EXPECT_EQ(Ring("1"), "");
  EXPECT_EQ(Ring("2"), "");
  EXPECT_NE(Ring("3"), "");
}
