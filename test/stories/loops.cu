//===- loops.cu - Iterations that a witness names --------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

// The loop is named where it stands, a do-loop too.
KERNEL do_loop(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[64];
  int K = 0;
  do {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
  // expect-note@-2: loop run for 1 iteration
    __pipeline_wait_prior(0);
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    ++K;
  } while (K < Tiles);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads byte 0 of 'Tile' here
  // expect-note@-2: wait for all copies before this read
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

KERNEL skipped_loop(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  for (int K = blockIdx.x; K < Tiles; K += gridDim.x)
  // expect-note@-1: loop skipped here
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads byte 0 of 'Tile' here
  // expect-note@-2: wait for all copies before this read
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

// Loops that only copy are not worth an iteration.
KERNEL inner_copies(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][256];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
    for (int I = 0; I < 4; ++I)
      __pipeline_memcpy_async(&Tile[K % 2][I * 64 + threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[K * 256 + I * 64 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
    for (int I = 0; I < 4; ++I)
      Out[K * 256 + I * 64 + threadIdx.x] = Tile[K % 2][I * 64 + threadIdx.x];
      // expect-note@-1: thread 0 reads byte 0 of 'Tile' here
      // expect-warning@-2{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
  }
}

// The wait that an early exit skips.
KERNEL break_skips(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[64];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    if (Tiles % 5 == 3)
    // expect-note@-1: taken when this condition is true
      break;
    __pipeline_wait_prior(0);
  }
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads byte 0 of 'Tile' here
  // expect-note@-2: wait for all copies before this read
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
