//===- AddressesTest.cpp - Pointers and addresses in integers -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// Whether \p Condition holds. P is Tile + 5, or 20 bytes; A and B are the
/// shared addresses of both.
static std::string holds(const std::string &Condition) {
  return behind("float *P = Tile + 5;"
                "const uint32_t A = (uint32_t)__cvta_generic_to_shared(P),"
                "B = (uint32_t)__cvta_generic_to_shared(Tile);"
                "const size_t Long = __cvta_generic_to_shared(P);",
                Condition);
}

TEST(Addresses, PointersCountElements) {
  for (const char *Condition :
       {"P - Tile == 5", "P + 1 - Tile == 6", "1 + P - Tile == 6",
        "P - 5 == Tile", "&P[2] - Tile == 7", "&P[-5] == Tile",
        "(char *)P - (char *)Tile == 20",
        "(float4 *)(P - 1) - (float4 *)Tile == 1", "P + N - Tile == N + 5",
        "P + T - N - Tile == 5 + T - N", "&2[P] - Tile == 7"})
    EXPECT_EQ(holds(Condition), "always") << Condition;
}

TEST(Addresses, PointersCompare) {
  for (const char *Condition : {"P > Tile", "P >= Tile", "Tile < P",
                                "Tile <= P", "P != Tile", "P == Tile + 5"})
    EXPECT_EQ(holds(Condition), "always") << Condition;
  for (const char *Condition : {"P < Tile", "P == Tile", "P != Tile + 5"})
    EXPECT_EQ(holds(Condition), "never") << Condition;
  // Where they lie is not known.
  EXPECT_EQ(holds("In == Out"), "both");
  EXPECT_EQ(holds("In < Out"), "both");
  EXPECT_EQ(holds("In + N < In"), "both");
}

TEST(Addresses, AnObjectIsNotNull) {
  EXPECT_EQ(holds("P != nullptr"), "always");
  EXPECT_EQ(holds("nullptr == P"), "never");
  EXPECT_EQ(holds("P == 0"), "never");
  EXPECT_EQ(holds("P"), "always");
  EXPECT_EQ(holds("!P"), "never");
  EXPECT_EQ(holds("In != nullptr"), "always");
}

TEST(Addresses, InIntegersCountBytes) {
  for (const char *Condition :
       {"A - B == 20", "A + 4 - B == 24", "4 + A - B == 24", "A - 4 - B == 16",
        "A > B", "A - 20 == B", "(float *)Long == P",
        "(float *)(Long - 20) == Tile", "A + N - B == N + 20u"})
    EXPECT_EQ(holds(Condition), "always") << Condition;
}

TEST(Addresses, AreAlignedAndSwizzled) {
  for (const char *Condition :
       {"(A & ~15u) - B == 16", "(A & -16) - B == 16",
        "(Long & ~size_t(15)) - B == 16", "(A & 15) == 4", "(15 & A) == 4",
        "A % 16 == 4", "(A ^ 16) - B == 4", "(A ^ 8) - B == 28",
        "(8 ^ A) - B == 28", "(A | 8) - B == 28", "(A | 4) == A",
        "(A >> 2) - (B >> 2) == 5", "A / 4 - B / 4 == 5"})
    EXPECT_EQ(holds(Condition), "always") << Condition;
}

TEST(Addresses, OfOtherKindsAreNumbersNobodyKnows) {
  EXPECT_EQ(holds("A * 2 == B"), "both");
  EXPECT_EQ(holds("A + B == 20"), "both");
  EXPECT_EQ(holds("5 - A == 0"), "both");
}

TEST(Addresses, OfMembersAndBases) {
  const char *Before = "struct A { int X[3]; }; struct B { int Y; };"
                       "struct C : A, B { int Z; };"
                       "struct D : C { int W; };";
  const char *Body = "D Local; D *P = &Local; B *Base = P; C *Mid = P;";
  for (const char *Condition :
       {"(char *)&P->Y - (char *)P == 12", "(char *)&P->Z - (char *)P == 16",
        "(char *)&P->W - (char *)P == 20", "(char *)&P->X[2] - (char *)P == 8",
        "(char *)Base - (char *)P == 12", "(char *)Mid - (char *)P == 0",
        "static_cast<D *>(Base) == P", "static_cast<D *>(Mid) == P",
        "static_cast<C *>(Base) == Mid", "&Base->Y == &P->Y"})
    EXPECT_EQ(behind(Body, Condition, Before), "always") << Condition;
}

TEST(Addresses, ACopyIsAlignedBySizeAndPlace) {
  EXPECT_EQ(found("COPY(Tile + 4, In); COMMIT; WAIT(0);"), "");
  EXPECT_EQ(found("COPY(Tile + 2, In); COMMIT; WAIT(0);"), "Misaligned copy:1");
  EXPECT_EQ(found("COPY(Tile, In + 2); COMMIT; WAIT(0);"), "Misaligned copy:1");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In + 4 * T); COMMIT; WAIT(0);"), "");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In + T); COMMIT; WAIT(0);"),
            "Misaligned copy:1");
  EXPECT_EQ(found("COPY(Tile + T, In + 4 * T); COMMIT; WAIT(0);"),
            "Misaligned copy:1");
  // Multiples of 16 bytes do not matter; other unknown numbers hide it.
  EXPECT_EQ(found("COPY(Tile, In + 4 * N); COMMIT; WAIT(0);"), "");
  EXPECT_EQ(found("COPY(Tile, In + 2 + 4 * N); COMMIT; WAIT(0);"),
            "Misaligned copy:1");
  EXPECT_EQ(found("COPY(Tile, In + 2 + N); COMMIT; WAIT(0);"), "");
  // They shift all threads alike.
  EXPECT_EQ(found("COPY(Tile + 4 * T, In + N + T); COMMIT; WAIT(0);"),
            "Misaligned copy:1");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In + N + 4 * T); COMMIT; WAIT(0);"), "");
}
