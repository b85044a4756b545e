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
// expect-note@-1: with Tiles = 0
  __shared__ float Tile[64];
  int K = 0;
  do {
  // expect-note@-1: in the iteration of this loop that begins with K = 0
  // expect-note@-2: loop run for 1 iteration
    __pipeline_wait_prior(0);
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    ++K;
  } while (K < Tiles);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

KERNEL skipped_loop(const float *In, float *Out, int Tiles) {
// expect-note@-1: with blockIdx.x = 0, Tiles = 0
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  for (int K = blockIdx.x; K < Tiles; K += gridDim.x)
  // expect-note@-1: loop skipped here
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

// Loops that only copy are not worth an iteration.
KERNEL inner_copies(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Tile[2][256];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    for (int I = 0; I < 4; ++I)
      __pipeline_memcpy_async(&Tile[K % 2][I * 64 + threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[K * 256 + I * 64 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
    for (int I = 0; I < 4; ++I)
      Out[K * 256 + I * 64 + threadIdx.x] = Tile[K % 2][I * 64 + threadIdx.x];
      // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
      // expect-note@-2: thread 0 reads 'Tile[0][0]' here
      // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
  }
}

// The wait that an early exit skips.
KERNEL break_skips(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ float Tile[64];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 0
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
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

// The variable counts from where it begins, in its own steps.
KERNEL from_two(const float *In, float *Out) {
  __shared__ float Tile[64];
  for (int K = 2; K < 8; K += 3) {
  // expect-note@-1: in the iteration of this loop with K = 5
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    if (K != 2)
      Out[threadIdx.x] = Tile[threadIdx.x];
      // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
      // expect-note@-2: thread 0 reads 'Tile[0]' here
      // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
  }
}

// The body changes it.
KERNEL counted_in_body(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[64];
  int Left = 3;
  while (Left > 0) {
  // expect-note@-1: in the iteration of this loop that begins with Left = 3
    --Left;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[Left * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    Out[Left * 64 + threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
  }
}

// Its value is not known, or every thread has its own.
KERNEL not_known(const float *In, float *Out, int First, int Tiles) {
// expect-note@-1: with First = 0, Tiles = 1
  __shared__ float Tile[64];
  for (int K = First; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    Out[K * 64 + threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
  }
}
KERNEL by_thread(const float *In, float *Out) {
  __shared__ float Tile[256];
  for (int I = threadIdx.x; I < 256; I += 64) {
  // expect-note@-1: in the first iteration of this loop
    __pipeline_memcpy_async(&Tile[I], &In[I], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    Out[I] = Tile[I];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
  }
}

// The loop has ended when what it copied is read.
KERNEL behind(const float *In, float *Out) {
  __shared__ float Tile[4][64];
  for (int K = 0; K < 4; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 3
    __pipeline_memcpy_async(&Tile[K][threadIdx.x], &In[K * 64 + threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-warning@-1{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' was copied in the newest one
  }
  Out[threadIdx.x] = Tile[3][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[3][0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
}

// Rounds that are skipped over count.
KERNEL late(const float *In, float *Out) {
  __shared__ float Tile[2][64];
  for (int K = 0; K < 200; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 199
    __pipeline_memcpy_async(&Tile[K % 2][threadIdx.x],
    // expect-note@-1: copy issued here
                            &In[K * 64 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
    if (K != 199)
      __pipeline_wait_prior(0);
    Out[threadIdx.x] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[1][0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  }
}
