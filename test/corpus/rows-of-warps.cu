//===- rows-of-warps.cu - Rows that warps take in turn ---------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sparse matrix: each warp takes row after row and streams what the row has,
// two pieces at a time, however many that are. No block barrier orders anything,
// and rows may be empty.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;
constexpr int Warps = Threads / 32;

struct Matrix {
  int Rows;
  const int *Begins; ///< of rows, and the end of the last
  const float *Values;
};

// One row of a warp, from slot Slot on; which is free next.
template <int Ahead>
__device__ int streamRow(const Matrix &Of, int Row, int Slot, float *Out) {
  __shared__ float Piece[Warps][2][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Begin = Of.Begins[Row], End = Of.Begins[Row + 1];
  float Sum = 0;
  if (Begin + Lane < End)
    __pipeline_memcpy_async(&Piece[Warp][Slot][Lane],
    // expect-note@-1: copy issued here
                            Of.Values + Begin + Lane, 4);
  __pipeline_commit();
  // expect-note@-1: committed here
  for (int At = Begin; At < End; At += 32) {
  // expect-note@-1: in the first iteration of this loop
    if (At + 32 + Lane < End)
      __pipeline_memcpy_async(&Piece[Warp][Slot ^ 1][Lane],
                              Of.Values + At + 32 + Lane, 4);
    __pipeline_commit();
    __pipeline_wait_prior(Ahead);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Piece'
    __syncwarp();
    if (At + Lane < End)
      Sum += Piece[Warp][Slot][Lane];
      // expect-note@-1: thread 0 reads 'Piece[0][0][0]' here
      // expect-skipped@-2: a clash here was found more than 100 times; another cause of it may be missing
    __syncwarp();
    Slot ^= 1;
  }
  Out[Row * 32 + Lane] = Sum;
  return Slot;
}

// Rows go round all warps of the grid.
__global__ __launch_bounds__(Threads) void ofGrid_ok(Matrix Of, float *Out) {
  int Slot = 0;
  for (int Row = blockIdx.x * Warps + threadIdx.x / 32; Row < Of.Rows;
       Row += gridDim.x * Warps)
    Slot = streamRow<1>(Of, Row, Slot, Out);
}
__global__ __launch_bounds__(Threads) void ofGrid_bad(Matrix Of, float *Out) {
// expect-note@-1: with blockIdx.x = 0, Of.Rows = 12, gridDim.x = 1
// expect-skipped@-2: path budget of 4096 exceeded
  int Slot = 0;
  for (int Row = blockIdx.x * Warps + threadIdx.x / 32; Row < Of.Rows;
  // expect-note@-1: in the first iteration of this loop
  // expect-skipped@-2: loop does not settle within 64 iterations
       Row += gridDim.x * Warps)
    Slot = streamRow<2>(Of, Row, Slot, Out);
    // expect-note@-1: 'streamRow' called here
}

// Rows go round the warps of one block.
__global__ __launch_bounds__(Threads) void ofBlock_ok(Matrix Of, float *Out) {
  for (int Row = threadIdx.x / 32; Row < Of.Rows; Row += Warps)
    streamRow<1>(Of, Row, 0, Out);
}

// All warps take the same rows.
__global__ __launch_bounds__(Threads) void shared_ok(Matrix Of, float *Out) {
  for (int Row = 0; Row < Of.Rows; ++Row)
    streamRow<1>(Of, Row, 0, Out + threadIdx.x / 32);
}
