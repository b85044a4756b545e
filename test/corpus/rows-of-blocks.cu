//===- rows-of-blocks.cu - Addresses that shift by block -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of 4104 bytes begin at a multiple of 16 in every other block only.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void copy16(void *To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(toShared(To)),
               "l"(From)
               : "memory");
}
__device__ void copy4(void *To, const void *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(toShared(To)),
               "l"(From)
               : "memory");
}
__device__ void wait() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

constexpr int Pitch = 1026;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(128) Name(const float *In, float *Out,    \
                                              int Rows)
#define TILE                                                                   \
  __shared__ alignas(16) float Tile[4 * 128];                                  \
  const int I = threadIdx.x * 4

KERNEL(row_of_block_bad) {
  TILE;
  copy16(&Tile[I], In + blockIdx.x * Pitch + I);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here if blockIdx.x is 1
  // expect-warning@-3{cpasync-misaligned-copy}: source 'In' of the asynchronous copy is 8 bytes past a multiple of 16
  wait();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL(block_of_grid_bad) {
  TILE;
  copy16(&Tile[I], In + (blockIdx.y * gridDim.x + blockIdx.x) * Pitch + I);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here if blockIdx.x is 1
  // expect-warning@-3{cpasync-misaligned-copy}: source 'In' of the asynchronous copy is 8 bytes past a multiple of 16
  wait();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL(rows_in_turn_bad) {
// expect-note@-1: with Rows = 2
  TILE;
  for (int Row = blockIdx.x; Row < Rows; Row += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
    copy16(&Tile[I], In + static_cast<size_t>(Row) * Pitch + I);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 0 uses a misaligned address here if blockIdx.x is 1
    // expect-warning@-3{cpasync-misaligned-copy}: source 'In' of the asynchronous copy may be 8 bytes past a multiple of 16
    wait();
    Out[Row * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
    __syncthreads();
  }
}

// Two rows of each block.
KERNEL(pairs_of_rows_ok) {
  TILE;
  copy16(&Tile[I], In + blockIdx.x * 2 * Pitch + I);
  wait();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL(every_other_block_ok) {
  TILE;
  if (blockIdx.x % 2 == 0) {
    copy16(&Tile[I], In + blockIdx.x * Pitch + I);
    wait();
    Out[threadIdx.x] = Tile[127 - threadIdx.x];
  }
}

KERNEL(one_block_ok) {
  TILE;
  if (blockIdx.x > 0)
    return;
  copy16(&Tile[I], In + blockIdx.x * Pitch + I);
  wait();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL(asks_the_address_ok) {
  TILE;
  const float *Row = In + blockIdx.x * Pitch;
  if (reinterpret_cast<uintptr_t>(Row) % 16 == 0)
    copy16(&Tile[I], Row + I);
  else
    for (int J = I; J < I + 4; ++J)
      copy4(&Tile[J], Row + J);
  wait();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL(rounded_ok) {
  TILE;
  copy16(&Tile[I], In + blockIdx.x * Pitch / 4 * 4 + I);
  wait();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}
