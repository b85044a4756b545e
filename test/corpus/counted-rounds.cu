//===- counted-rounds.cu - What hangs on how often a loop went -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of an unknown number of rounds settles after a few, and something
// behind it happens after many rounds only.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void copy(float4 *To, const float4 *From) {
  __pipeline_memcpy_async(&To[threadIdx.x], &From[threadIdx.x], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
}

KERNEL read_after_many(const float4 *In, float4 *Out, int N) {
// expect-note@-1: with N = 128
  __shared__ float4 Tile[64];
  int Done = 0;
  for (int K = 0; K < N; ++K) {
    copy(Tile, In + 64 * K);
    __pipeline_wait_prior(0);
    Out[64 * K + threadIdx.x] = Tile[threadIdx.x];
    ++Done;
  }
  if (Done > 100) {
  // expect-note@-1: taken when this condition is true
    copy(Tile, In);
    // expect-note@-1: 'copy' called here
    Out[threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  }
}

KERNEL waits_after_many(const float4 *In, float4 *Out, int N) {
  __shared__ float4 Tile[64];
  int Done = 0;
  for (int K = 0; K < N; ++K) {
    copy(Tile, In + 64 * K);
    __pipeline_wait_prior(0);
    Out[64 * K + threadIdx.x] = Tile[threadIdx.x];
    ++Done;
  }
  if (Done > 100) {
    copy(Tile, In);
    __pipeline_wait_prior(0);
    Out[threadIdx.x] = Tile[threadIdx.x];
  }
}

// Counted in steps of two: an odd number never comes.
KERNEL never_odd(const float4 *In, float4 *Out, int N) {
  __shared__ float4 Tile[64];
  int Done = 0;
  for (int K = 0; K < N; ++K) {
    copy(Tile, In + 64 * K);
    __pipeline_wait_prior(0);
    Out[64 * K + threadIdx.x] = Tile[threadIdx.x];
    Done += 2;
  }
  copy(Tile, In);
  if (Done != 101)
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// The slot that comes next is known, however many rounds there were.
KERNEL slot_behind(const float4 *In, float4 *Out, int N) {
  __shared__ float4 Ring[3][64];
  int K = 0;
  copy(Ring[0], In);
  copy(Ring[1], In + 64);
  for (; K < N; ++K) {
    __pipeline_wait_prior(1);
    Out[64 * K + threadIdx.x] = Ring[K % 3][threadIdx.x];
    copy(Ring[(K + 2) % 3], In + 64 * (K + 2));
  }
  __pipeline_wait_prior(1);
  Out[64 * K + threadIdx.x] = Ring[K % 3][threadIdx.x];
}

// What a loop ends by grows faster and faster: row R of a triangle begins at
// R * (R + 1) / 2, and no element lies in the square of another warp.
KERNEL rows_of_a_triangle_ok(const float *In, float *Out) {
  __shared__ float Square[2][256];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  for (int I = Lane; I < 256; I += 32)
    __pipeline_memcpy_async(&Square[Warp][I], &In[Warp * 256 + I], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  for (int E = Lane; E < 136; E += 32) {
    int Row = 0;
    while ((Row + 1) * (Row + 2) / 2 <= E)
      ++Row;
    Out[Warp * 136 + E] = Square[Warp][Row * 16 + E - Row * (Row + 1) / 2];
  }
}
