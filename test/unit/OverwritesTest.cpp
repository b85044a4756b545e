//===- OverwritesTest.cpp - Slots that are written too early --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Overwrites, OfWhatIsInFlight) {
  const std::string Copy = "COPY(Tile + 4 * T, In);\nCOMMIT;\n";
  EXPECT_EQ(found(Copy + "Tile[4 * T] = 0;\nWAIT(0);"),
            "Overwrite(InFlight) copy:1 write:3");
  EXPECT_EQ(found(Copy + "Tile[4 * T + 256] = 0;\nWAIT(0);"), "");
  EXPECT_EQ(found(Copy + "WAIT(0);\nTile[4 * T] = 0;"), "");
  EXPECT_EQ(found(Copy + "WAIT(0);\nTile[4 * (T ^ 32)] = 0;"),
            "Overwrite(AfterCopy) copy:1 write:4");
  EXPECT_EQ(found(Copy + "WAIT(0);\nSYNC;\nTile[4 * (T ^ 32)] = 0;"), "");
}

TEST(Overwrites, OfWhatOthersStillRead) {
  const std::string Read = "USE(Tile[4 * (T ^ 32)]);\n";
  const std::string First = "Tile[4 * T] = 1;\nSYNC;\n";
  EXPECT_EQ(found(First + Read +
                  "SYNC;\nCOPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "WAIT(0);"),
            "");
  EXPECT_EQ(found(First + Read + "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);"),
            "Overwrite(StillRead) read:3 write:4 barrier:2");
  EXPECT_EQ(found(First + "USE(Tile[4 * (T ^ 16)]);\n"
                          "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);"),
            "");
}

TEST(Overwrites, ByACopyOfWhatOthersStored) {
  EXPECT_EQ(found("Tile[4 * (T ^ 32)] = 1;\nCOPY(Tile + 4 * T, In);\n"
                  "COMMIT;\nWAIT(0);"),
            "Overwrite(AfterStore) read:1 write:2");
  EXPECT_EQ(found("Tile[4 * (T ^ 32)] = 1;\nSYNC;\nCOPY(Tile + 4 * T, In);\n"
                  "COMMIT;\nWAIT(0);"),
            "");
}

TEST(Overwrites, TwoCopiesOfTheSameBytesDoNoHarm) {
  EXPECT_EQ(found("COPY(Tile, In);\nCOMMIT;\nCOPY(Tile, In);\nCOMMIT;\n"
                  "WAIT(0);\nSYNC;\nUSE(Tile[0]);"),
            "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "COPY(Tile + 4 * T, In + 4);\nCOMMIT;\nWAIT(0);"),
            "Overwrite(InFlight) copy:1 write:3");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                  "COPY(Tile + 4 * T, In + 4);\nCOMMIT;\nWAIT(0);"),
            "");
}

TEST(Overwrites, OfWhatAnotherWarpCopiedUnlessItIsTheSame) {
  auto Then = [](const std::string &Mine, const std::string &From,
                 const char *Between = "") {
    return found("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\nWAIT(0);\n" +
                 std::string(Between) + "COPY(Tile + 4 * (" + Mine +
                 "), In + 4 * (" + From + "));\nCOMMIT;\nWAIT(0);");
  };
  EXPECT_EQ(Then("T ^ 32", "T ^ 32"), "");
  EXPECT_EQ(Then("63 - T", "63 - T"), "");
  EXPECT_EQ(Then("T ^ 32", "T"), "Overwrite(AfterCopy) copy:1 write:4");
  EXPECT_EQ(Then("T ^ 32", "T", "SYNC;"), "");
  EXPECT_EQ(Then("T ^ 16", "T"), ""); // lanes of a warp come one after another
}

TEST(Overwrites, OfWhatComesFromAPlaceThatOnlyItsThreadKnows) {
  const std::string Ask = "const int K = ((const int *)In)[T];\n",
                    First = Ask + "COPY(Tile + 4 * T, In + 4 * K);\nCOMMIT;\n",
                    Rest = "COMMIT;\nWAIT(0);";
  EXPECT_EQ(found(First + "COPY(Tile + 4 * T, In + 4 * K);\n" + Rest), "");
  EXPECT_EQ(found(First + "COPY(Tile + 4 * T, In + 4 * K + 4);\n" + Rest),
            "Overwrite(InFlight) copy:2 write:4");
  EXPECT_EQ(found(First + "COPY(Tile + 4 * (T ^ 32), In + 4 * K);\n" + Rest),
            "4: source of a copy over that of another thread is not known");
}

TEST(ReadsOfOtherWarps, AreToldWithWhatDoesNotOrderThem) {
  const std::string Copy = "COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n",
                    Read = "USE(Tile[4 * (63 - T)]);";
  EXPECT_EQ(told(Copy + "WAIT(0);\n" + Read), "1 3 4");
  EXPECT_EQ(told(Copy + "SYNC;\nWAIT(0);\n" + Read), "1 3 4 5");
}

// Both warps bring the same; a thread sees what its own one brought.
TEST(ReadsOfOtherWarps, AreNotOfWhatTheOwnWarpCopiedToo) {
  EXPECT_EQ(found("COPY(Tile + 4 * (T % 32), In + 4 * (T % 32));\nCOMMIT;\n"
                  "WAIT(0);\n__syncwarp();\nUSE(Tile[4 * (31 - T % 32)]);"),
            "");
}

TEST(MixedCopies, ToOnePlaceFromOneAddressAreNone) {
  const std::string Rest = "\nCOMMIT;\nWAIT(0);\nSYNC;\nUSE(Tile[0]);";
  EXPECT_EQ(found("COPY(Tile, In);" + Rest), "");
  EXPECT_NE(found("COPY(Tile, In + 4 * T);" + Rest), "");
  // Of four threads that meet, two bring the same.
  EXPECT_EQ(found("COPY(Tile + T / 4 * 4, In + T / 2 * 4);" + Rest),
            "Overwrite(InFlight) copy:1 read:5 write:1");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In + 4 * T);" + Rest), "");
  EXPECT_EQ(found("if (T == 0) COPY(Tile, In + 4 * T);" + Rest), "");
  // Nobody reads it.
  EXPECT_EQ(found("COPY(Tile, In + 4 * T);\nCOMMIT;\nWAIT(0);"), "");
}

TEST(MixedCopies, UnderAConditionThatManyThreadsMayMeet) {
  const std::string Rest = "\nCOMMIT;\nWAIT(0);\nSYNC;\nUSE(Tile[0]);";
  EXPECT_EQ(found("if (T < N)\nCOPY(Tile, In + 4 * T);" + Rest),
            "maybe Overwrite(InFlight) copy:2 read:6 write:2");
  EXPECT_EQ(found("if (T == N)\nCOPY(Tile, In + 4 * T);" + Rest), "");
}

TEST(MixedCopies, ToPlacesOfWhichEachThreadKnowsItsOwnAreNone) {
  EXPECT_EQ(found("const int Slot = ((const int *)In)[T];\n"
                  "COPY(Tile + Slot % 32 * 4, In + 4 * T);\nCOMMIT;\nWAIT(0);\n"
                  "SYNC;\nUSE(Tile[0]);"),
            "");
}

TEST(Overwrites, WhereTwoBarriersAreMissingAreTwo) {
  auto Round = [](const std::string &At) {
    return "Tile[4 * T + " + At +
           "] = 1;\nSYNC;\nOut[T] = Tile[4 * (T ^ 32) + " + At +
           "];\nCOPY(Tile + 4 * T + " + At + ", In);\nCOMMIT;\nWAIT(0);\n";
  };
  EXPECT_EQ(found(Round("0") + Round("512")),
            "Overwrite(StillRead) read:3 write:4 barrier:2; "
            "Overwrite(StillRead) read:9 write:10 barrier:8");
}
