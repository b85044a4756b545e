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

TEST(MemoryCalls, AMatrixIsReadWhereItsFragmentIsUsed) {
  const char *Before =
      "namespace nvcuda { namespace wmma { struct matrix_a; struct row_major;"
      "template <class Use, int M, int N, int K, class T, class Layout = void>"
      "struct fragment { T x[8]; };"
      "template <class F> __device__ void load_matrix_sync(F &, const float *,"
      "unsigned); } }";
  const std::string Load =
      "COPY(Tile + 4 * T, In);\nCOMMIT;\nnvcuda::wmma::fragment<"
      "nvcuda::wmma::matrix_a, 16, 16, 8, float, nvcuda::wmma::row_major> A;\n"
      "nvcuda::wmma::load_matrix_sync(A, Tile, 8);\n";
  EXPECT_EQ(found(Load + "WAIT(0);", Before), "");
  EXPECT_EQ(found(Load + "USE(A.x[0]);\nWAIT(0);", Before),
            "ReadInFlight(NeverWaited) copy:1 commit:2 read:4");
}
