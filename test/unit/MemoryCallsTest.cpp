//===- MemoryCallsTest.cpp - Atomics, memcpy and memset -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(MemoryCalls, CopyAndSetBytes) {
  const std::string Copy = "COPY(Tile + 4 * T, In);\nCOMMIT;\n";
  const char *Read = "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";
  const char *Write = "Overwrite(InFlight) copy:1 write:3";
  EXPECT_EQ(found(Copy + "memcpy(Out, Tile + 4 * T, 4);\nWAIT(0);"), Read);
  EXPECT_EQ(found(Copy + "memcpy(Out, Tile + 256, 4);\nWAIT(0);"), "");
  EXPECT_EQ(found("COPY(Tile + 256, In);\nCOMMIT;\n"
                  "memcpy(Out, Tile, 1024);\nWAIT(0);"),
            "");
  EXPECT_EQ(found("COPY(Tile + 256, In);\nCOMMIT;\n"
                  "memcpy(Out, Tile, 1025);\nWAIT(0);"),
            Read);
  EXPECT_EQ(found(Copy + "memcpy(Tile + 4 * T, In, 4);\nWAIT(0);"), Write);
  EXPECT_EQ(found(Copy + "memset(Tile + 4 * T, 0, 4);\nWAIT(0);"), Write);
  EXPECT_EQ(found(Copy + "memset(Tile + 256 + T, 0, 4);\nWAIT(0);"), "");
  EXPECT_EQ(found(Copy + "memset(Tile + 256, 0, N);\nWAIT(0);"),
            "3: number of bytes of this access to shared memory is not known");
  EXPECT_EQ(found(Copy + "atomicAdd((int *)Tile + 4 * T, 1);\nWAIT(0);"), Read);
  EXPECT_EQ(found(Copy + "atomicAdd((int *)Tile + 256, 1);\nWAIT(0);"), "");
}
