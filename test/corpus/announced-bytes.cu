//===- announced-bytes.cu - Bytes of tiles whose boxes are not known ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps are encoded elsewhere. What is announced for a phase cannot be right
// if its tiles have no room for that much, or if more of them is read.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda.h>
#include <cuda_fp16.h>

constexpr int Rows = 16, Columns = 64, Stages = 2;

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

__device__ void waitFor(uint64_t *Barrier, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again_%=;\n}" ::"r"(addressOf(Barrier)),
               "r"(Parity)
               : "memory");
}

__device__ void announce(uint64_t *Barrier, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(Barrier)),
               "r"(Bytes)
               : "memory");
}

__device__ void prepare(uint64_t *Barriers) {
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I)
    // expect-note@-1: in the iteration of this loop with I = 1
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
      // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
          addressOf(&Barriers[I])));
  __syncthreads();
}

__device__ void loadTile(void *To, const CUtensorMap *Map, uint64_t *Barrier,
                         int Inner, int Outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          addressOf(To)),
      "l"(Map), "r"(Inner), "r"(Outer), "r"(addressOf(Barrier))
      : "memory");
}

template <unsigned Announced>
__device__ void sumRows(const CUtensorMap &In, float *Out, int Tiles) {
  __shared__ alignas(128) __half Tile[Stages][Rows][Columns];
  __shared__ uint64_t Full[Stages];
  prepare(Full);
  // expect-note@-1: 'prepare' called here
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (threadIdx.x == 0) {
      announce(&Full[K % Stages], Announced);
      // expect-note@-1: a tile has 1024 bytes by what is announced here
      // expect-note@-2: announce all bytes that the copies of a phase have: a size is in bytes, not in elements
      // expect-note@-3: bytes of the phase announced here
      loadTile(Tile[K % Stages], &In, &Full[K % Stages], 0, K * Rows);
      // expect-note@-1: a tile that is copied here has room for 2048 bytes
      // expect-note@-2: copy issued here
    }
    waitFor(&Full[K % Stages], K / Stages & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 2048 bytes more announced than copied
    for (int I = 0; I < Rows; ++I)
      Sum += __half2float(Tile[K % Stages][I][threadIdx.x]);
      // expect-note@-1: thread 0 reads 'Tile[0][8][0]' here
      // expect-warning@-2{cpasync-uncopied-read}: 'Tile' may be read where no copy or store writes to it
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

template <unsigned Announced>
__device__ void sumProducts(const CUtensorMap &MapA, const CUtensorMap &MapB,
                            float *Out, int Tiles) {
  __shared__ alignas(128) __half A[Stages][Rows][Columns];
  __shared__ alignas(128) float B[Stages][Rows][Columns];
  __shared__ uint64_t Full[Stages];
  prepare(Full);
  // expect-note@-1: 'prepare' called here
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (threadIdx.x == 0) {
      announce(&Full[K % Stages], Announced);
      // expect-note@-1: announce all bytes that the copies of a phase have: a size is in bytes, not in elements
      // expect-note@-2: bytes of the phase announced here
      // expect-note@-3: the tiles of a phase have 2048 bytes together by what is announced here
      loadTile(A[K % Stages], &MapA, &Full[K % Stages], 0, K * Rows);
      // expect-note@-1: copy issued here
      loadTile(B[K % Stages], &MapB, &Full[K % Stages], 0, K * Rows);
      // expect-note@-1: a tile that is copied here has room for 4096 bytes
      // expect-note@-2: copy issued here
    }
    waitFor(&Full[K % Stages], K / Stages & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 2048 bytes more announced than copied
    for (int I = 0; I < Rows; ++I)
      Sum += __half2float(A[K % Stages][I][threadIdx.x]) *
      // expect-note@-1: thread 16 reads 'A[0][5][16]' here
      // expect-warning@-2{cpasync-uncopied-read}: 'A' may be read where no copy or store writes to it
             B[K % Stages][I][threadIdx.x];
             // expect-note@-1: thread 24 reads 'B[0][5][24]' here
             // expect-warning@-2{cpasync-uncopied-read}: 'B' may be read where no copy or store writes to it
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(Columns)                                   \
      Name(const __grid_constant__ CUtensorMap MapA,                           \
           const __grid_constant__ CUtensorMap MapB, float *Out, int Tiles)

KERNEL(one_ok) { sumRows<2048>(MapA, Out, Tiles); }
KERNEL(two_ok) { sumProducts<2048 + 4096>(MapA, MapB, Out, Tiles); }

KERNEL(elements_of_one_bad) { sumRows<1024>(MapA, Out, Tiles); }
// expect-note@-1: 'sumRows' called here
KERNEL(both_slots_bad) { sumRows<2 * 2048>(MapA, Out, Tiles); }
// expect-note@-1: 'sumRows' called here
// expect-note@-2: with Tiles = 1
KERNEL(no_whole_units_bad) { sumRows<2040>(MapA, Out, Tiles); }
KERNEL(elements_of_two_bad) {
  sumProducts<1024 + 1024>(MapA, MapB, Out, Tiles);
  // expect-note@-1: 'sumProducts' called here
}
KERNEL(without_one_bad) { sumProducts<4096>(MapA, MapB, Out, Tiles); }
KERNEL(one_size_for_both_bad) {
// expect-note@-1: with Tiles = 1
  sumProducts<2 * 4096>(MapA, MapB, Out, Tiles);
  // expect-note@-1: 'sumProducts' called here
}

// A tile need not fill its room, if no more of it is read.
KERNEL(padded_ok) {
  __shared__ alignas(128) __half A[Stages][Rows + 8][Columns];
  __shared__ alignas(128) float B[Stages][Rows][Columns];
  __shared__ uint64_t Full[Stages];
  prepare(Full);
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
    if (threadIdx.x == 0) {
      announce(&Full[K % Stages], 2048 + 4096);
      loadTile(A[K % Stages], &MapA, &Full[K % Stages], 0, K * Rows);
      loadTile(B[K % Stages], &MapB, &Full[K % Stages], 0, K * Rows);
    }
    waitFor(&Full[K % Stages], K / Stages & 1);
    for (int I = 0; I < Rows; ++I)
      Sum += __half2float(A[K % Stages][I][threadIdx.x]) *
             B[K % Stages][I][threadIdx.x];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

// Memory that is used for something else later has other rooms then.
KERNEL(used_again_ok) {
  __shared__ alignas(128) unsigned char Pool[8192];
  __shared__ uint64_t Full[Stages];
  prepare(Full);
  auto *A = reinterpret_cast<float(*)[Columns]>(Pool);
  if (threadIdx.x == 0) {
    announce(&Full[0], 8192);
    loadTile(A, &MapA, &Full[0], 0, 0);
  }
  waitFor(&Full[0], 0);
  float Sum = 0;
  for (int I = 0; I < 2 * Rows; ++I)
    Sum += A[I][threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    announce(&Full[1], 1024);
    loadTile(Pool + 4096, &MapB, &Full[1], 0, Tiles);
  }
  waitFor(&Full[1], 0);
  Out[threadIdx.x] = Sum + A[Rows + 3][threadIdx.x];
}
