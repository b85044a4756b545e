//===- PartsTest.cpp - Where a part of shared memory ends ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Parts, AnIndexBelowACountStaysInItsPart) {
  const std::string Two = "float *A = Tile, *B = Tile + 256;\n"
                          "COPY(B + 4 * T, In);\nCOMMIT;\n";
  // Nothing says how far N goes: A ends where B begins.
  EXPECT_EQ(found(Two + "for (int I = 0; I < N; ++I)\nUSE(A[I * 64 + T]);\n"
                        "WAIT(0);"),
            "");
  EXPECT_NE(found(Two + "for (int I = 0; I < 5; ++I)\nUSE(A[I * 64 + T]);\n"
                        "WAIT(0);"),
            "");
  EXPECT_EQ(found(Two + "for (int I = 0; I < 4; ++I)\nUSE(A[I * 64 + T]);\n"
                        "WAIT(0);"),
            "");
}

TEST(Parts, MembersEndWhereTheyAreDeclaredTo) {
  const char *Before = "struct Buffers { float A[256], B[256]; };";
  const std::string Two = "__shared__ __attribute__((aligned(16))) Buffers S;\n"
                          "COPY(S.B + 4 * (T % 32), In);\nCOMMIT;\n";
  EXPECT_EQ(found(Two + "for (int I = 0; I < N; ++I)\nUSE(S.A[I * 64 + T]);\n"
                        "WAIT(0);",
                  Before),
            "");
  EXPECT_EQ(found(Two + "USE(S.A[255]);\nWAIT(0);", Before), "");
  EXPECT_EQ(found(Two + "USE(S.B[0]);\nWAIT(0);", Before),
            "ReadInFlight(NeverWaited) copy:2 commit:3 read:4");
}

TEST(Parts, AnUnknownAddressIsAGap) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In); Tile[512] = 0;\nCOMMIT;\n"
                  "USE(Tile[((const int *)In)[T]]);\nWAIT(0);"),
            "3: address of a read of 'Tile' is not known while copies into it "
            "are in flight");
}

TEST(Parts, ALoadedIndexIsAColumnOfItsRow) {
  const std::string Rows = "__shared__ __attribute__((aligned(16)))\n"
                           "float R[2][256]; const int *P = (const int *)In;\n"
                           "COPY(&R[0][4 * T], In);\nCOMMIT;\n";
  EXPECT_EQ(found(Rows + "const int S = 1; USE(R[S][P[T]]);\nWAIT(0);"), "");
  EXPECT_EQ(
      found(Rows + "const int S = 0; USE(R[S][P[T]]);\nWAIT(0);").substr(0, 12),
      "ReadInFlight");
  EXPECT_EQ(
      found(Rows + "const int S = 0; R[S][P[T]] = 0;\nWAIT(0);").substr(0, 9),
      "Overwrite");
}

TEST(Parts, OfEachWarpEndWhereThoseOfOthersBegin) {
  const std::string Mine = "float *Mine = T < 32 ? Tile : Tile + 256;\n"
                           "for (int I = T % 32; I < N; I += 32)\n"
                           "__pipeline_memcpy_async(Mine + I, In + I, 4);\n"
                           "COMMIT;\nWAIT(0);\n";
  EXPECT_EQ(found(Mine + "USE(Mine[T % 32]);"), "");
  EXPECT_EQ(found(Mine + "USE(Tile[T ^ 32]);").substr(0, 24),
            "maybe UnsynchronizedRead");
}

TEST(Parts, OfGroupsEndWhereThoseOfOthersBeginHoweverTheyLie) {
  // The first group fills its part, of 128 numbers.
  auto Filled = [](const std::string &Group, const std::string &Read) {
    return found("float *Mine = Tile + 128 * (" + Group +
                 ");\nfor (int I = 0; I < N; ++I)\nif ((" + Group +
                 ") == 0)\n"
                 "__pipeline_memcpy_async(Mine + I * 64 + T, In + I, 4);\n"
                 "COMMIT;\nUSE(Tile[" +
                 Read + "]);\nWAIT(0);");
  };
  for (const char *Group : {"T / 32", "1 - T / 32", "3 - T / 16", "T % 2",
                            "1 - T % 2", "T / 16 % 2", "T % 4"}) {
    EXPECT_EQ(Filled(Group, "T"),
              "maybe ReadInFlight(NeverWaited) copy:4 commit:5 read:6")
        << Group;
    EXPECT_EQ(Filled(Group, "128 + T"), "") << Group;
  }
}

TEST(Parts, OfFewThreadsAreOnlyWhereEachBegins) {
  // The first of them go on as long as they like.
  auto Filled = [](const std::string &Threads) {
    return found("float *Mine = Tile + T / " + Threads + " * " + Threads +
                 ";\nfor (int I = 0; I < N; ++I) if (T < " + Threads +
                 ")\n__pipeline_memcpy_async(Mine + I * 64 + T % " + Threads +
                 ", In + I, 4);\nCOMMIT;\nUSE(Tile[64 + T]);\nWAIT(0);");
  };
  for (const char *Threads : {"1", "2", "4"})
    EXPECT_EQ(Filled(Threads),
              "maybe ReadInFlight(NeverWaited) copy:3 commit:4 read:5")
        << Threads;
  for (const char *Threads : {"8", "16", "32"})
    EXPECT_EQ(Filled(Threads), "") << Threads;
}

TEST(Rows, AnIndexBelowACountStaysInItsRow) {
  const std::string Fill =
      "int Row; Row = 0;\n"
      "for (int I = T; I < N; I += 64)\n"
      "__pipeline_memcpy_async(&Tile[Row * 64 + I], In, 4);"
      "\nCOMMIT;\n";
  EXPECT_EQ(found(Fill + "USE(Tile[64 + T]);\nWAIT(0);"), "");
  EXPECT_EQ(found(Fill + "USE(Tile[T]);\nWAIT(0);"),
            "maybe ReadInFlight(NeverWaited) copy:3 commit:4 read:5");
}

TEST(Parts, AnIndexThatIsNotNegativeStaysInItsPart) {
  auto Beside = [](const std::string &Index) {
    return found("__shared__ struct { float A[64], B[64]; } S;\n"
                 "__pipeline_memcpy_async(&S.A[" +
                 Index + "], In, 4);\nCOMMIT;\nUSE(S.B[T]);\nWAIT(0);");
  };
  EXPECT_EQ(Beside("N"), "");
  EXPECT_EQ(Beside("G.Count"), "");
}

TEST(Rows, NobodyIsAtTheEndOfOne) {
  const std::string Fill =
      "int Row; Row = 0;\n"
      "for (int I = T + 1; I < N; I += 64)\n" // thread 63 begins with 64
      "__pipeline_memcpy_async(&Tile[Row * 64 + I], In, 4);"
      "\nCOMMIT;\n";
  EXPECT_EQ(found(Fill + "USE(Tile[64 + T]);\nWAIT(0);"), "");
  EXPECT_EQ(found(Fill + "USE(Tile[T]);\nWAIT(0);"),
            "maybe ReadInFlight(NeverWaited) copy:3 commit:4 read:5");
}

TEST(Rows, AreNotWhatThreadsLieApartIfAllGoOnBeyond) {
  EXPECT_EQ(found("for (int I = 0; I < N; I += 256)\n"
                  "COPY(Tile + 4 * T + I, In);\nCOMMIT;\n"
                  "USE(Tile[256 + 4 * T]);\nWAIT(0);"),
            "maybe ReadInFlight(NeverWaited) copy:2 commit:3 read:4");
}

TEST(Parts, AnArrayThatIsReferredToEndsWhereItIsDeclaredTo) {
  auto Filled = [](const std::string &Array, const std::string &Read) {
    return found("float (&A)[256] = *(float (*)[256])Tile;\n"
                 "float (*P)[256] = (float (*)[256])Tile;\n"
                 "for (int I = T; I < N; I += 64)\n"
                 "__pipeline_memcpy_async(&" +
                 Array + "[I], In, 4);\nCOMMIT;\nUSE(" + Read +
                 "[T]);\nWAIT(0);");
  };
  const char *InFlight =
      "maybe ReadInFlight(NeverWaited) copy:4 commit:5 read:6";
  EXPECT_EQ(Filled("A", "A"), InFlight);
  EXPECT_EQ(Filled("A", "P[1]"), "");
  EXPECT_EQ(Filled("Tile", "P[1]"), InFlight);
  for (const char *Array : {"P[0]", "(*P)"})
    EXPECT_EQ(Filled(Array, "A"), InFlight) << Array;
  EXPECT_EQ(Filled("P[1]", "P[1]"), InFlight);
  EXPECT_EQ(Filled("P[1]", "A"), "");
}
