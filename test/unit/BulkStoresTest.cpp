//===- BulkStoresTest.cpp - Bulk copies out of shared memory --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// Thread 0 copies out the first 16 bytes, \p Then runs in that thread, and
/// another one overwrites byte \p At behind a barrier.
static std::string body(const std::string &Then, int At) {
  return "Tile[T] = 1; asm volatile(\"fence.proxy.async;\"); SYNC;\nif (T == "
         "0) {\n"
         "asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], "
         "[%1], 16;\" :: \"l\"(Out), "
         "\"r\"((uint32_t)__cvta_generic_to_shared(Tile)));\n" +
         Then + "\n}\nSYNC;\nif (T == 32)\n((char *)Tile)[" +
         std::to_string(At) + "] = 2;";
}

static std::string storing(const std::string &Then, int At) {
  return found(body(Then, At));
}

static constexpr char CopyOut[] =
    "if (T == 0)\nasm volatile(\"cp.async.bulk.global.shared::cta.bulk_group "
    "[%0], [%1], 16;\" :: \"l\"(Out), "
    "\"r\"((uint32_t)__cvta_generic_to_shared(Tile)));\n";
static constexpr char CopyIn[] =
    "if (T == 32) {\nCOPY(Tile, In);\nCOMMIT;\nWAIT(0);\n}\n";

#define BULK_COMMIT "asm volatile(\"cp.async.bulk.commit_group;\");"
#define BULK_WAIT(N) "asm volatile(\"cp.async.bulk.wait_group.read " #N ";\");"

TEST(BulkStores, ReadUntilTheirGroupIsWaitedFor) {
  EXPECT_NE(storing(BULK_COMMIT, 0).find("Overwrite(BulkRead)"),
            std::string::npos);
  EXPECT_NE(storing("", 0).find("Overwrite(BulkRead)"), std::string::npos);
  EXPECT_NE(storing(BULK_COMMIT BULK_WAIT(1), 0).find("Overwrite(BulkRead)"),
            std::string::npos);
  EXPECT_EQ(storing(BULK_COMMIT BULK_WAIT(0), 0), "");
}

// Nor is a wait for a phase one that another kind of copy has.
TEST(BulkStores, AWaitThatLeavesTooManyIsOfTheRightKind) {
  const std::string Found = storing(
      BULK_COMMIT BULK_WAIT(1) "COPY(Tile + 64, In); COMMIT; WAIT(0);", 0);
  EXPECT_NE(Found.find("Overwrite(BulkRead)"), std::string::npos) << Found;
}

TEST(BulkStores, ReadAsManyBytesAsTheySay) {
  EXPECT_NE(storing(BULK_COMMIT, 15).find("Overwrite(BulkRead)"),
            std::string::npos);
  EXPECT_EQ(storing(BULK_COMMIT, 16), "");
}

TEST(BulkStores, HaveGroupsOfTheirOwn) {
  EXPECT_NE(storing("COMMIT; WAIT(0);", 0).find("Overwrite(BulkReadOtherKind)"),
            std::string::npos);
}

TEST(BulkStores, EmptyGroupsCount) {
  EXPECT_EQ(storing(BULK_COMMIT BULK_COMMIT BULK_WAIT(1), 0), "");
  EXPECT_NE(storing(BULK_COMMIT BULK_COMMIT BULK_WAIT(2), 0)
                .find("Overwrite(BulkRead)"),
            std::string::npos);
}

TEST(BulkStores, AreToldWithTheWriteThatComesTooEarly) {
  EXPECT_EQ(told(body(BULK_COMMIT, 0)), "3 8");
}

TEST(BulkStores, NeedABarrierBehindStoresAndCopies) {
  EXPECT_EQ(found(std::string("if (T == 32)\nTile[0] = 1;\n") + CopyOut),
            "UnorderedSource copy:4 write:2");
  EXPECT_EQ(found(std::string(CopyIn) + CopyOut),
            "UnorderedSource copy:7 write:2");
  // Another read does it no harm.
  EXPECT_EQ(
      found(std::string("Tile[T] = 1; asm volatile(\"fence.proxy.async;\");"
                        "SYNC;\nif (T == 32)\nUSE(Tile[0]);\n") +
            CopyOut),
      "");
}

TEST(BulkStores, AreToldInTheRoundInWhichTheyCome) {
  const std::string Loop = "for (int K = 0; K < N; ++K) {\n";
  EXPECT_EQ(told(CopyIn + Loop + CopyOut + "}"), "2 6 8");
  EXPECT_EQ(told(Loop + CopyIn + "}\n" + CopyOut), "1 3 1 9");
}
