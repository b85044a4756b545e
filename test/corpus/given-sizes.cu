//===- given-sizes.cu - Shared memory of sizes that are given -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a row is, or how many stages a ring has, is a parameter: little is
// known of addresses that are computed with it. Such numbers are chosen, and
// the summary says which.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

__device__ void fetch(float *Row, const float *In, int Length) {
  for (int I = threadIdx.x * 4; I < Length; I += Threads * 4)
    __pipeline_memcpy_async(Row + I, In + I, 16);
    // expect-note@-1: copy issued here
    // expect-skipped@-2: finding left out: it is none with S.Tile = 1024, S.Stages = 4
  __pipeline_commit();
  // expect-note@-1: committed here
}

// Two rows of the input, then the weights.
template <bool IsLate, bool IsShort>
__device__ void scaleRows(const float *In, const float *Weights, float *Out,
                          int Rows, int Pitch) {
  extern __shared__ float4 Memory[];
  float *Ring = reinterpret_cast<float *>(Memory);
  float *Scale = Ring + (IsShort ? 1 : 2) * Pitch;
  fetch(Scale, Weights, Pitch);
  fetch(Ring, In + blockIdx.x * Pitch, Pitch);
  // expect-note@-1: 'fetch' called here
  int Slot = 0;
  for (int R = blockIdx.x; R < Rows; R += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
    const int Next = R + gridDim.x;
    if (Next < Rows) {
    // expect-note@-1: taken when this condition is true
      fetch(Ring + (Slot ^ 1) * Pitch, In + Next * Pitch, Pitch);
      __pipeline_wait_prior(IsLate ? 2 : 1);
      // expect-note@-1: leave at most 1 group in flight here, or commit also where nothing is copied
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Memory'
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int I = threadIdx.x; I < Pitch; I += Threads)
      Out[R * Pitch + I] = Ring[Slot * Pitch + I] * Scale[I];
      // expect-note@-1: also read here
      // expect-note@-2: thread 0 reads 'Ring[0]' (byte 0 of 'Memory') here
    __syncthreads();
    Slot ^= 1;
  }
}

__global__ __launch_bounds__(Threads) void
rows_ok(const float *In, const float *Weights, float *Out, int Rows,
        int Pitch) {
  scaleRows<false, false>(In, Weights, Out, Rows, Pitch);
}

__global__ __launch_bounds__(Threads) void
late_bad(const float *In, const float *Weights, float *Out, int Rows,
// expect-note@-1: with Pitch = 1024, blockIdx.x = 0, Rows = 2, gridDim.x = 1
         int Pitch) {
  scaleRows<true, false>(In, Weights, Out, Rows, Pitch);
  // expect-note@-1: 'scaleRows' called here
}

// The weights begin where the second row of the ring does.
__global__ __launch_bounds__(Threads) void
short_bad(const float *In, const float *Weights, float *Out, int Rows,
          int Pitch) {
  scaleRows<false, true>(In, Weights, Out, Rows, Pitch);
}

struct Sums {
  const float *In;
  float *Out;
  int Length, Tile, Stages;
};

template <bool SkipsEmpty>
__device__ void sumTiles(const Sums &S) {
  extern __shared__ float4 Memory[];
  float *Ring = reinterpret_cast<float *>(Memory);
  const int Tiles = S.Length / S.Tile;
  for (int T = 0; T < S.Stages - 1; ++T)
  // expect-note@-1: in the iteration of this loop with T = 1
  // expect-note@-2: in the iteration of this loop with T = 2
    if (T < Tiles)
    // expect-note@-1: taken when this condition is false
      fetch(Ring + T * S.Tile, S.In + T * S.Tile, S.Tile);
      // expect-note@-1: 'fetch' called here
    else
      __pipeline_commit();
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    if (S.Stages == 2)
      __pipeline_wait_prior(0);
    else if (S.Stages == 3)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(2);
      // expect-note@-1: wait for all groups; slow: better commit also where nothing is copied
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Memory'
    __syncthreads();
    const int Next = T + S.Stages - 1;
    if (Next < Tiles)
      fetch(Ring + Next % S.Stages * S.Tile, S.In + Next * S.Tile, S.Tile);
    else if (!SkipsEmpty)
      __pipeline_commit();
    for (int I = threadIdx.x; I < S.Tile; I += Threads)
      Sum += Ring[T % S.Stages * S.Tile + I];
      // expect-note@-1: thread 0 reads 'Ring[1024]' (byte 4096 of 'Memory') here
      // expect-skipped@-2: finding left out: it is none with S.Tile = 1024, S.Stages = 4
  }
  S.Out[threadIdx.x] = Sum;
}

// With one stage it would be wrong, and nobody gives it one.
__global__ __launch_bounds__(Threads) void stages_ok(const Sums S) {
  sumTiles<false>(S);
}

// With two stages it would be right.
__global__ __launch_bounds__(Threads) void stages_bad(const Sums S) {
// expect-note@-1: with S.Tile = 1024, S.Stages = 4, S.Length = 2048
  sumTiles<true>(S);
  // expect-note@-1: 'sumTiles' called here
}

// The first row is a multiple of 64 numbers long, whatever it is given; nothing
// says that it is given such a length.
__global__ __launch_bounds__(Threads) void multiple_ok(const float *In,
                                                       float *Out, int Pitch) {
  extern __shared__ float4 Memory[];
  float *Row = reinterpret_cast<float *>(Memory);
  float *Second = Row + Pitch / 64 * 64;
  fetch(Second, In, Pitch);
  Row[Pitch - 1 - threadIdx.x] = 0;
  // expect-skipped@-1: wrong with Pitch = 1040, not with others, and nothing tells which
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int I = threadIdx.x; I < Pitch; I += Threads)
    Out[I] = Second[I ^ 1];
}

// 32x8 threads: with others they leave no gap between the rows.
__global__ __launch_bounds__(256) void columns_ok(const float *In, float *Out,
                                                  int Pitch) {
  extern __shared__ float Table[];
  const int X = threadIdx.x;
  for (int Y = threadIdx.y; Y < 32; Y += 8)
    __pipeline_memcpy_async(Table + Y * Pitch + X, In + Y * 32 + X, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int Y = threadIdx.y; Y < 32; Y += 8)
    Out[Y * 32 + X] = Table[X * Pitch + Y];
}
