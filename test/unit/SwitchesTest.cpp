//===- SwitchesTest.cpp - A path for each case ----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Switches, KnownNumbersTakeTheirCase) {
  const std::string Cases =
      " { case 1: A = 10; break; case 2: A += 20; case 3: A += 30; break;"
      " default: A = 40; }";
  EXPECT_EQ(behind("int A = 0, X = 1; switch (X)" + Cases, "A == 10"),
            "always");
  EXPECT_EQ(behind("int A = 0, X = 2; switch (X)" + Cases, "A == 50"),
            "always");
  EXPECT_EQ(behind("int A = 0, X = 3; switch (X)" + Cases, "A == 30"),
            "always");
  EXPECT_EQ(behind("int A = 0, X = 4; switch (X)" + Cases, "A == 40"),
            "always");
  EXPECT_EQ(behind("int A = 5, X = 4; switch (X) { case 1: A = 1; }", "A == 5"),
            "always");
}

TEST(Switches, UnknownNumbersTakeEachCase) {
  const char *Body = "int A = 0; switch (N) { case 1: A = 10; break;"
                     "case 2: A = 20; break; default: A = 30; }";
  EXPECT_EQ(behind(Body, "A == 10 || A == 20 || A == 30"), "always");
  EXPECT_EQ(behind(Body, "A == 10"), "both");
  EXPECT_EQ(behind(Body, "A == 20"), "both");
  EXPECT_EQ(behind(Body, "A == 30"), "both");
  EXPECT_EQ(behind(Body, "A == 10 && N != 1"), "never");
}

TEST(Switches, CasesThatCoverAllLeaveNoDefault) {
  EXPECT_EQ(behind("int A = 0; switch (N % 2) { case 0: A = 10; break;"
                   "case 1: A = 20; break; }",
                   "A == 0"),
            "never");
  EXPECT_EQ(behind("int A = 0; switch (N % 3) { case 0: A = 10; break;"
                   "case 1: A = 20; break; }",
                   "A == 0"),
            "both");
  EXPECT_EQ(behind("int A = 0; switch (N % 3) { case 0: A = 10; break;"
                   "case 2: A = 20; break; }",
                   "A == 0"),
            "both");
}

TEST(Switches, EachThreadTakesItsOwnCase) {
  const char *Body = "int A = 0; switch (T) { case 0: case 7: A = 10; break;"
                     "case 3: A = 20; default: A += 5; }";
  EXPECT_EQ(behind(Body, "A == (T == 0 || T == 7 ? 10 : T == 3 ? 25 : 5)"),
            "always");
  EXPECT_EQ(behind("int A = 1; switch (T / 32) { case 1: A = 2; }",
                   "A == 1 + (T / 32 == 1)"),
            "always");
}

TEST(Switches, OfWhatNobodyKnowsByThreadAreGaps) {
  EXPECT_EQ(found("switch (int(In[T])) { case 0: COPY(Tile, In); }\n"
                  "COMMIT; WAIT(0);"),
            "1: switch on a value that differs by thread");
  EXPECT_EQ(found("switch (T / 64) { case 0: COPY(Tile, In); }\n"
                  "COMMIT; WAIT(0);"),
            "");
}
