//===- rings-left.cu - Slots that begin again one too late -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a loop whose rounds nobody knows leaves an array, it has fewer rounds:
// the host gives as many as there are rows. Not where a later round is within
// the array again.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

template <int Slots>
__device__ void sumTiles(const float *In, float *Out, int Tiles) {
  __shared__ float Ring[3][128];
  const int T = threadIdx.x;
  for (int K = 0; K < 2; ++K) {
    if (K < Tiles)
      __pipeline_memcpy_async(&Ring[K][T], &In[K * 128 + T], 4);
    __pipeline_commit();
  }
  int Read = 0, Written = 2;
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 2
  // expect-note@-2: in the iteration of this loop with K = 3
  // expect-note@-3: in the iteration of this loop with K = 6
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Ring' may be in the newest one
    __syncthreads();
    if (K + 2 < Tiles)
      __pipeline_memcpy_async(&Ring[Written][T], &In[(K + 2) * 128 + T], 4);
      // expect-note@-1: copy issued here
      // expect-skipped@-2: in a round of the loop, 'Ring' is left, and in a later one it is not
    __pipeline_commit();
    // expect-note@-1: committed here
    // expect-note@-2: committed here as the newest group
    Sum += Ring[Read][127 - T];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Ring[0][127]' here, copied by thread 127
    // expect-warning@-3{cpasync-unwaited-read}: 'Ring' may be read before the asynchronous copy into it has completed
    if (++Read == 3)
      Read = 0;
    if (++Written == Slots)
      Written = 0;
  }
  Out[T] = Sum;
}

KERNEL begins_again_ok(const float *In, float *Out, int Tiles) {
  sumTiles<3>(In, Out, Tiles);
}
KERNEL begins_again_late_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 5
// expect-note@-2: with Tiles = 9
  sumTiles<4>(In, Out, Tiles);
  // expect-note@-1: 'sumTiles' called here
}

// A row for each round: the host knows how many there are.
KERNEL rows_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[8][128];
  const int T = threadIdx.x;
  for (int K = 0; K < Rows; ++K)
    __pipeline_memcpy_async(&Tile[K][T], &In[K * 128 + T], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float Sum = 0;
  for (int K = 0; K < Rows; ++K)
    Sum += Tile[K][127 - T];
  Out[T] = Sum;
}
