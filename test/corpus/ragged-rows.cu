//===- ragged-rows.cu - Rows of a length that was loaded ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each round fetches a row whose length nobody knows, so that no two paths have
// as much in flight, and the rounds are counted. Nor do commits of nothing add
// up, where some rows are empty.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128, Longest = 256;

__device__ void fetchRow(float *Row, const float *In, int Length) {
// expect-skipped@-1: path budget of 4096 exceeded
  for (int I = threadIdx.x; I < Length; I += Threads)
    __pipeline_memcpy_async(&Row[I], In + I, 4);
    // expect-note@-1: copy issued here
}

template <int Slots, bool IsLate>
__device__ void sumRows(const float *In, float *Out, int Rows,
                        const int *Lengths) {
  __shared__ alignas(16) float Tile[Slots][Longest];
  fetchRow(Tile[0], In, Lengths[0]);
  __pipeline_commit();
  for (int R = 0; R < Rows; ++R) {
  // expect-note@-1: in the iteration of this loop with R = 1
  // expect-note@-2: in the iteration of this loop with R = 2
  // expect-skipped@-3: loop does not settle within 64 iterations
    if (R + 1 < Rows)
      fetchRow(Tile[(R + 1) % Slots], In + (R + 1) * Longest, Lengths[R + 1]);
      // expect-note@-1: 'fetchRow' called here
    __pipeline_commit();
    // expect-note@-1: committed here
    __pipeline_wait_prior(IsLate ? 2 : 1);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Tile'
    __syncthreads();
    float Sum = 0;
    for (int I = threadIdx.x; I < Lengths[R]; I += Threads)
      Sum += Tile[R % Slots][I ^ 1];
      // expect-note@-1: thread 0 reads 'Tile[2][1]' here, copied by thread 1
    Out[R * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void two_ok(const float *In, float *Out,
                                                  int Rows,
                                                  const int *Lengths) {
  sumRows<2, false>(In, Out, Rows, Lengths);
}

__global__ __launch_bounds__(Threads) void three_ok(const float *In, float *Out,
                                                    int Rows,
                                                    const int *Lengths) {
  sumRows<3, false>(In, Out, Rows, Lengths);
}

__global__ __launch_bounds__(Threads) void late_bad(const float *In, float *Out,
// expect-note@-1: with Lengths[0] = 0, Rows = 4
                                                    int Rows,
                                                    const int *Lengths) {
  sumRows<3, true>(In, Out, Rows, Lengths);
  // expect-note@-1: 'sumRows' called here
}

// Only a late round is wrong: its row lies where the newest one is fetched.
__global__ __launch_bounds__(Threads) void later_bad(const float *In,
// expect-note@-1: with Lengths[0] = 0, Rows = 21
                                                     float *Out, int Rows,
                                                     const int *Lengths) {
  __shared__ alignas(16) float Tile[2][Longest];
  fetchRow(Tile[0], In, Lengths[0]);
  __pipeline_commit();
  for (int R = 0; R < Rows; ++R) {
  // expect-note@-1: in the iteration of this loop with R = 19
  // expect-skipped@-2: loop does not settle within 64 iterations
    if (R + 1 < Rows)
      fetchRow(Tile[(R + 1) % 2], In + (R + 1) * Longest, Lengths[R + 1]);
      // expect-note@-1: 'fetchRow' called here
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    __syncthreads();
    float Sum = 0;
    for (int I = threadIdx.x; I < Lengths[R]; I += Threads)
      Sum += Tile[(R < 6 ? R : R + 1) % 2][I ^ 1];
      // expect-note@-1: thread 0 reads 'Tile[0][1]' here, copied by thread 1
    Out[R * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

// A row of no tiles commits as often as a long one does.
template <int Slots, bool IsOrdered>
__device__ void sumTiles(const float4 *In, float *Out, int Rows,
                         const int *First) {
  __shared__ float4 Ring[Slots][Threads];
  for (int R = blockIdx.x; R < Rows; R += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: in the second iteration of this loop
    const int Begin = First[R], Tiles = First[R + 1] - Begin;
    for (int S = 0; S < Slots - 1; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 0
      if (S < Tiles)
        __pipeline_memcpy_async(&Ring[S][threadIdx.x],
        // expect-note@-1: a barrier belongs between the read in line +13 and this overwrite in a later iteration
        // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 32
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
                                In + (Begin + S) * Threads + threadIdx.x, 16);
      __pipeline_commit();
    }
    float Sum = 0;
    for (int T = 0; T < Tiles; ++T) {
    // expect-note@-1: in the iteration of this loop with T = 0
      __pipeline_wait_prior(Slots - 2);
      __syncthreads();
      if (T + Slots - 1 < Tiles)
        __pipeline_memcpy_async(
            &Ring[(T + Slots - 1) % Slots][threadIdx.x],
            In + (Begin + T + Slots - 1) * Threads + threadIdx.x, 16);
      __pipeline_commit();
      Sum += Ring[T % Slots][threadIdx.x ^ 32].x;
      // expect-note@-1: read here
    }
    Out[R * Threads + threadIdx.x] = Sum;
    if (IsOrdered)
      __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void tiles_ok(const float4 *In,
                                                    float *Out, int Rows,
                                                    const int *First) {
  sumTiles<4, true>(In, Out, Rows, First);
}

__global__ __launch_bounds__(Threads) void tiles_bad(const float4 *In,
// expect-note@-1: with blockIdx.x = 0, Rows = 2
                                                     float *Out, int Rows,
                                                     const int *First) {
  sumTiles<4, false>(In, Out, Rows, First);
  // expect-note@-1: 'sumTiles' called here
}
