//===- persistent-products.cu - Tiles of products, warpgroup by role ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block goes from tile to tile: the first warpgroup loads, the two others
// multiply, each its own half of the rows, and store their results in bulk. The
// ring goes on through all tiles; one group of products stays in flight.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

struct alignas(64) TensorMap {
  uint64_t Opaque[16];
};

constexpr int Stages = 2, Multiplying = 2, Rows = 64, Depth = 64, Columns = 8;

struct alignas(1024) Shared {
  uint16_t A[Stages][Multiplying * Rows * Depth];
  uint16_t B[Stages][Columns * Depth];
  float Results[2][Multiplying][Rows * Columns];
  uint64_t Full[Stages], Empty[Stages];
};

struct Place {
  int Slot = 0;
  uint32_t Parity = 0;
  __device__ void next() {
    if (++Slot == Stages) {
      Slot = 0;
      Parity ^= 1;
    }
  }
};

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void waitParity(uint64_t *B, uint32_t Parity) {
// expect-skipped@-1: step budget of 250000 exceeded
  asm volatile("{\n.reg .pred done;\nAGAIN_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra AGAIN_%=;\n}" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}
__device__ void loadTile(void *To, const TensorMap *Map, int Inner, int Outer,
                         uint64_t *B) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          toShared(To)),
      "l"(Map), "r"(Inner), "r"(Outer), "r"(toShared(B))
      : "memory");
}
__device__ void storeTile(const TensorMap *Map, const void *From, int Inner,
                          int Outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, "
      "%2}], [%3];\ncp.async.bulk.commit_group;" ::"l"(Map),
      "r"(Inner), "r"(Outer), "r"(toShared(From))
      : "memory");
}
template <int N> __device__ void waitForStores() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
__device__ void syncWarpgroup(int Id) {
  asm volatile("bar.sync %0, 128;" ::"r"(Id) : "memory");
}

// 128-byte swizzle; rows of eight are 1024 bytes apart.
__device__ uint64_t descriptorOf(const void *Tile) {
  return uint64_t((toShared(Tile) & 0x3FFFF) >> 4) | uint64_t(1) << 16 |
         uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}
__device__ void multiply(float (&D)[4], uint64_t A, uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "l"(A), "l"(B));
}
template <int N> __device__ void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

enum class Mistake {
  None,
  GivesBackThis, // the slot whose products are still in flight
  BegunAnew,     // consumers begin each tile where the ring begins
  KeepsTwo,      // two stores may be in flight where the third has their place
  KeepsLast,     // nobody gives the last slot of a tile back
};

template <Mistake M>
__device__ void tiles(const TensorMap *A, const TensorMap *B,
                      const TensorMap *C, int Tiles, int Steps) {
  extern __shared__ __align__(1024) unsigned char Raw[];
  Shared &S = *reinterpret_cast<Shared *>(Raw);
  const int Warpgroup = threadIdx.x / 128, Lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
    // expect-note@-1: in the iteration of this loop with I = 1
      initBarrier(&S.Full[I], 1);
      initBarrier(&S.Empty[I], Multiplying * 4);
      // expect-note@-1: 'Raw' initialised here, a phase expects 8 arrivals
    }
  __syncthreads();
  if (Warpgroup == 0) {
    if (threadIdx.x == 0) {
      Place Fill{0, 1};
      for (int T = blockIdx.x; T < Tiles; T += gridDim.x)
      // expect-note@-1: in the first iteration of this loop
      // expect-note@-2: in the second iteration of this loop
      // expect-note@-3: in the third iteration of this loop
      // expect-note@-4: loop run for 3 iterations
        for (int K = 0; K < Steps; ++K, Fill.next()) {
        // expect-note@-1: in the iteration of this loop with K = 0
        // expect-note@-2: in the iteration of this loop with K = 2
        // expect-note@-3: loop run for 1 iteration
          waitParity(&S.Empty[Fill.Slot], Fill.Parity);
          // expect-note@-1: as many must arrive in each phase as the initialisation says
          // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Raw' waited for here may never complete: 0 of 8 arrivals came
          arriveAndExpect(&S.Full[Fill.Slot], sizeof(S.A[0]) + sizeof(S.B[0]));
          // expect-note@-1: a tile has 1024 bytes by what is announced here
          // expect-note@-2: a tile has 16384 bytes by what is announced here
          loadTile(S.A[Fill.Slot], A, K * Depth, T * Rows, &S.Full[Fill.Slot]);
          // expect-note@-1: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this overwrite
          // expect-note@-2: copy issued here
          // expect-note@-3: thread 0 overwrites byte 0 of 'Raw' here, used in a matrix product by thread 128
          // expect-warning@-4{cpasync-in-flight-overwrite}: 'Raw' may be overwritten while a matrix product still reads it
          loadTile(S.B[Fill.Slot], B, K * Depth, 0, &S.Full[Fill.Slot]);
          // expect-note@-1: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this overwrite
          // expect-note@-2: thread 0 overwrites byte 32768 of 'Raw' here, used in a matrix product by thread 128
          // expect-warning@-3{cpasync-in-flight-overwrite}: 'Raw' may be overwritten while a matrix product still reads it
        }
    }
    return;
  }
  const int Own = Warpgroup - 1;
  Place Read;
  int Buffer = 0;
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the first iteration of this loop
  // expect-note@-3: in the second iteration of this loop
  // expect-note@-4: in the third iteration of this loop
    if (M == Mistake::BegunAnew)
      Read = Place();
    float D[4] = {};
    int Before = 0;
    for (int K = 0; K < Steps; ++K, Read.next()) {
    // expect-note@-1: in the iteration of this loop with K = 0
    // expect-note@-2: in the iteration of this loop with K = 1
      waitParity(&S.Full[Read.Slot], Read.Parity);
      const uint64_t RowsOfA = descriptorOf(S.A[Read.Slot] + Own * Rows * Depth);
      const uint64_t ColumnsOfB = descriptorOf(S.B[Read.Slot]);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int I = 0; I < Depth / 16; ++I)
        multiply(D, RowsOfA + 2 * I, ColumnsOfB + 2 * I);
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: matrix product issued here
        // expect-note@-3: thread 128 reads byte 16384 of 'Raw' here, copied by thread 0
        // expect-skipped@-4: a clash here was found more than 100 times; another cause of it may be missing
        // expect-warning@-5{cpasync-unwaited-read}: 'Raw' may be read before the asynchronous copy into it has completed
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      waitForProducts<1>();
      if (M == Mistake::GivesBackThis)
        Before = Read.Slot;
      if (Lane == 0 && (K > 0 || M == Mistake::GivesBackThis))
        arrive(&S.Empty[Before]);
      Before = Read.Slot;
    }
    waitForProducts<0>();
    if (Lane == 0 && Steps > 0 && M != Mistake::KeepsLast &&
        M != Mistake::GivesBackThis)
      arrive(&S.Empty[Before]);
    if (threadIdx.x % 128 == 0)
      waitForStores<M == Mistake::KeepsTwo ? 2 : 1>();
      // expect-note@-1: leave fewer than 2 groups of bulk copies in flight here
      // expect-note@-2: wait leaves 2 groups of bulk copies in flight
    syncWarpgroup(1 + Own);
    for (int I = 0; I < 4; ++I)
      S.Results[Buffer][Own][4 * (threadIdx.x % 128) + I] = D[I];
      // expect-note@-1: thread 128 overwrites byte 34816 of 'Raw' here, copied in bulk by thread 128
      // expect-warning@-2{cpasync-in-flight-overwrite}: 'Raw' may be overwritten while a bulk copy still reads it
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    syncWarpgroup(1 + Own);
    if (threadIdx.x % 128 == 0)
      storeTile(C, S.Results[Buffer][Own], 0, (T * Multiplying + Own) * Rows);
      // expect-note@-1: copy issued here
    Buffer ^= 1;
  }
  if (threadIdx.x % 128 == 0)
    waitForStores<0>();
}

#define KERNEL(Name, M)                                                        \
  __global__ void __launch_bounds__(384)                                       \
      Name(const __grid_constant__ TensorMap A,                                \
           const __grid_constant__ TensorMap B,                                \
           const __grid_constant__ TensorMap C, int Tiles, int Steps) {        \
    tiles<Mistake::M>(&A, &B, &C, Tiles, Steps);                               \
  }

KERNEL(tiles_ok, None)
KERNEL(gives_back_this_bad, GivesBackThis)
// expect-note@-1: 'tiles' called here
// expect-note@-2: with blockIdx.x = 0, Tiles = 1, Steps = 3
KERNEL(begun_anew_bad, BegunAnew)
// expect-note@-1: 'tiles' called here
// expect-note@-2: with blockIdx.x = 0, Tiles = 2, Steps = 3, gridDim.x = 1
KERNEL(keeps_two_bad, KeepsTwo)
// expect-note@-1: 'tiles' called here
// expect-note@-2: with blockIdx.x = 0, Tiles = 3, Steps = 1, gridDim.x = 1
KERNEL(keeps_last_bad, KeepsLast)
// expect-note@-1: 'tiles' called here
// expect-note@-2: with blockIdx.x = 0, Tiles = 3, Steps = 1, gridDim.x = 1
