//===- moving-tiles.cu - Tiles that move on by what the kernel was given --===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over tiles with a loop in it that fills the ring: one matrix moves on by
// a constant, the other by its width.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(256)

constexpr int Stages = 4;

template <int InFlight>
__device__ void multiply(const float *A, const float *B, float *C, int WidthA,
                         int WidthB) {
  __shared__ float TileA[Stages][256], TileB[Stages][256];
  const int T = threadIdx.x, Row = T / 16, Column = T % 16;
  const int End = 16 * WidthA * blockIdx.y + WidthA - 1;
  float Sum = 0;
  int NextA = 16 * WidthA * blockIdx.y, NextB = 16 * blockIdx.x, Next = 0;
  for (int AtA = NextA, AtB = NextB, I = 0; AtA <= End;
  // expect-note@-1: in the first iteration of this loop
       AtA += 16, AtB += 16 * WidthB, ++I) {
    for (; NextA <= AtA + 16 * (Stages - 1);
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the first iteration of this loop
         NextA += 16, NextB += 16 * WidthB, ++Next) {
      if (NextA <= End) {
        __pipeline_memcpy_async(&TileA[Next % Stages][T],
        // expect-note@-1: copy issued here
                                &A[NextA + WidthA * Row + Column], 4);
        __pipeline_memcpy_async(&TileB[Next % Stages][T],
                                &B[NextB + WidthB * Row + Column], 4);
      }
      __pipeline_commit();
      // expect-note@-1: committed here
    }
    __pipeline_wait_prior(InFlight);
    // expect-note@-1: leave at most 3 groups in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 4 groups in flight, but only 3 may be newer than the copy into 'TileA'
    __syncthreads();
    for (int K = 0; K < 16; ++K)
      Sum += TileA[I % Stages][16 * Row + K] * TileB[I % Stages][16 * K + Column];
      // expect-note@-1: also read here
      // expect-note@-2: thread 0 reads 'TileA[0][0]' here
    __syncthreads();
  }
  C[T] = Sum;
}

KERNEL ring_filled_ok(const float *A, const float *B, float *C, int WidthA,
                      int WidthB) {
  multiply<Stages - 1>(A, B, C, WidthA, WidthB);
}

KERNEL ring_filled_bad(const float *A, const float *B, float *C, int WidthA,
// expect-note@-1: with WidthA = 1, blockIdx.y = 0
                       int WidthB) {
  multiply<Stages>(A, B, C, WidthA, WidthB);
  // expect-note@-1: 'multiply' called here
}

//===----------------------------------------------------------------------===//
// Each warp has rows of its own, as many warps apart as the grid has
//===----------------------------------------------------------------------===//

template <int InFlight>
__device__ void rowsOfWarps(const float *Src, float *Dst, int Rows) {
  __shared__ float Slot[8][2][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Apart = gridDim.x * 8;
  int Row = blockIdx.x * 8 + Warp, At = 0;
  if (Row < Rows)
    __pipeline_memcpy_async(&Slot[Warp][0][Lane], &Src[Row * 32 + Lane], 4);
    // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  for (; Row < Rows; Row += Apart) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: taken when this condition is true only in threads 0-159
    if (Row + Apart < Rows)
      __pipeline_memcpy_async(&Slot[Warp][1 - At][Lane],
                              &Src[(Row + Apart) * 32 + Lane], 4);
    __pipeline_commit();
    __pipeline_wait_prior(InFlight);
    // expect-note@-1: leave at most 1 group in flight here, or commit also where nothing is copied
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Slot'
    __syncwarp();
    Dst[Row * 32 + Lane] = Slot[Warp][At][31 - Lane];
    // expect-note@-1: thread 0 reads 'Slot[0][0][31]' here, copied by thread 31
    __syncwarp();
    At = 1 - At;
  }
}

KERNEL rows_of_warps_ok(const float *Src, float *Dst, int Rows) {
  rowsOfWarps<1>(Src, Dst, Rows);
}

KERNEL rows_of_warps_bad(const float *Src, float *Dst, int Rows) {
// expect-note@-1: with blockIdx.x = 0, Rows = 5
  rowsOfWarps<2>(Src, Dst, Rows);
  // expect-note@-1: 'rowsOfWarps' called here
}
