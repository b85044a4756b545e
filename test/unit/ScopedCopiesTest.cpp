//===- ScopedCopiesTest.cpp - Pipelines, barriers and copies of libcu++ ---===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

static constexpr char BarrierHeader[] = R"(
namespace cuda {
enum thread_scope { thread_scope_thread, thread_scope_block };
template <thread_scope S> struct barrier {
  struct arrival_token {};
  __device__ arrival_token arrive(long = 1);
  __device__ void wait(arrival_token &&) const;
  __device__ void arrive_and_wait();
  __device__ void arrive_and_drop();
  long Count;
};
template <thread_scope S> __device__ void init(barrier<S> *, long);
template <unsigned long N> struct aligned_size_t {
  unsigned long Value;
  __device__ explicit aligned_size_t(unsigned long V) : Value(V) {}
  __device__ operator unsigned long() const { return Value; }
};
template <thread_scope S>
__device__ void memcpy_async(void *, const void *, unsigned long, barrier<S> &);
template <unsigned long A, thread_scope S>
__device__ void memcpy_async(void *, const void *, aligned_size_t<A>,
                             barrier<S> &);
}
namespace cooperative_groups {
struct thread_block { __device__ void sync() const; };
__device__ thread_block this_thread_block();
template <typename G>
__device__ void memcpy_async(const G &, void *, const void *, unsigned long);
template <unsigned N> struct thread_block_tile { __device__ void sync() const; };
}
using Block = cuda::barrier<cuda::thread_scope_block>;
#define INIT                                                                   \
  __shared__ Block B;                                                          \
  if (T == 0) cuda::init(&B, 64);                                              \
  SYNC
#define BOUND(To) cuda::memcpy_async(To, In, cuda::aligned_size_t<16>(16), B)
)";

TEST(ScopedCopies, ABoundCopyIsInFlightUntilItsPhaseIsWaitedFor) {
  const std::string Copy = "INIT;\nBOUND(Tile + 4 * T);\n";
  EXPECT_EQ(
      found(Copy + "B.arrive_and_wait();\nUSE(Tile[4 * T]);", BarrierHeader),
      "");
  EXPECT_EQ(
      found(Copy + "B.wait(B.arrive());\nUSE(Tile[4 * T]);", BarrierHeader),
      "");
  EXPECT_EQ(
      found(Copy + "USE(Tile[4 * T]);\nB.arrive_and_wait();", BarrierHeader)
          .substr(0, 12),
      "ReadInFlight");
  EXPECT_EQ(found(Copy + "auto Token = B.arrive();\nUSE(Tile[4 * T]);\n"
                         "B.wait(static_cast<Block::arrival_token &&>(Token));",
                  BarrierHeader)
                .substr(0, 12),
            "ReadInFlight");
}

TEST(ScopedCopies, APhaseOrdersAllWhoArrived) {
  const std::string Copy = "INIT;\nBOUND(Tile + 4 * T);\n";
  EXPECT_EQ(found(Copy + "B.arrive_and_wait();\nUSE(Tile[4 * (T ^ 32)]);",
                  BarrierHeader),
            "");
}

TEST(ScopedCopies, ASmallPromiseIsAnOrdinaryCopy) {
  EXPECT_EQ(found("INIT;\ncuda::memcpy_async(Tile + 4 * T, In, "
                  "cuda::aligned_size_t<2>(16), B);\nUSE(Tile[4 * T]);\n"
                  "B.arrive_and_wait();",
                  BarrierHeader),
            "");
}

TEST(Tiles, OfSeveralWarpsHaveABarrierOfTheirOwn) {
  const std::string Copy = "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n";
  const std::string Read = "USE(Tile[4 * (T ^ 32)]);";
  EXPECT_EQ(found(Copy + "cooperative_groups::thread_block().sync();\n" + Read,
                  BarrierHeader),
            "");
  EXPECT_EQ(found(Copy +
                      "cooperative_groups::thread_block_tile<64>().sync();\n" +
                      Read,
                  BarrierHeader),
            "");
  EXPECT_EQ(found(Copy +
                      "cooperative_groups::thread_block_tile<32>().sync();\n" +
                      Read,
                  BarrierHeader),
            "UnsynchronizedRead copy:1 wait:3 read:5");
}

TEST(ScopedCopies, WhatCopiesToNoPointerIsNotOne) {
  EXPECT_EQ(found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                  "cooperative_groups::memcpy_async("
                  "cooperative_groups::this_thread_block(), Place(), In, 16);\n"
                  "USE(Tile[4 * T]);",
                  std::string(BarrierHeader) +
                      "struct Place { int At; };\n"
                      "namespace cooperative_groups { template <typename G>\n"
                      "__device__ void memcpy_async(const G &, Place, "
                      "const void *, unsigned long); }"),
            "4: 'cooperative_groups::memcpy_async' is not analysed yet");
}

TEST(ScopedCopies, OfOneSizeOrAnotherAreBoth) {
  const std::string Header =
      std::string(BarrierHeader) +
      "namespace cuda { namespace device {\n"
      "template <unsigned long A> __device__ void memcpy_async_tx(\n"
      "    float *, const float *, aligned_size_t<A>,\n"
      "    barrier<thread_scope_block> &); } }";
  const std::string Copy =
      "INIT;\nif (T == 0) cuda::device::memcpy_async_tx(Tile, In,\n"
      "cuda::aligned_size_t<16>(N > 3 ? 512 : 256), B);\n";
  const char *InFlight = "maybe ReadInFlight(NeverWaited) copy:2 read:4";
  EXPECT_EQ(found(Copy + "USE(Tile[T]);", Header), InFlight);
  EXPECT_EQ(found(Copy + "USE(Tile[64 + T]);", Header), InFlight);
  EXPECT_EQ(found(Copy + "USE(Tile[128 + T]);", Header), "");
}

TEST(ScopedCopies, OfAsMuchAsTheCallerSaysStayInTheirRow) {
  const std::string Copy =
      "int Row; Row = 0;\n"
      "cooperative_groups::memcpy_async("
      "cooperative_groups::this_thread_block(), Tile + Row * 256, In, N);\n";
  EXPECT_EQ(
      found(Copy + "USE(Tile[256 + T]);\nCOMMIT;\nWAIT(0);", BarrierHeader),
      "");
  EXPECT_NE(found(Copy + "USE(Tile[T]);\nCOMMIT;\nWAIT(0);", BarrierHeader),
            "");
}

TEST(ScopedCopies, ABarrierOfOneThreadIsWaitedForAtOnce) {
  EXPECT_EQ(found("cuda::barrier<cuda::thread_scope_thread> Own;\n"
                  "cuda::init(&Own, 1);\n"
                  "cuda::memcpy_async(Tile + 4 * T, In,\n"
                  "cuda::aligned_size_t<16>(16), Own);\nUSE(Tile[4 * T]);",
                  BarrierHeader),
            "");
}
