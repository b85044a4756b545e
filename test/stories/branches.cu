//===- branches.cu - Decisions that a witness names ------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

// Decided in every iteration; the one without a newer group counts.
KERNEL decided_again(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  __shared__ float Tile[2][64];
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 2
  // expect-note@-2: in the iteration of this loop with K = 3
    if (K + 1 < Tiles) {
    // expect-note@-1: taken when this condition is false
      __pipeline_memcpy_async(&Tile[(K + 1) % 2][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[(K + 1) * 64 + threadIdx.x], 4);
      __pipeline_commit();
      // expect-note@-1: committed here as the newest group
    }
    // expect-note@-1: commit also where nothing is copied: insert 'else { __pipeline_commit(); }'
    if (K < 2)
      __pipeline_wait_prior(0);
    else
      __pipeline_wait_prior(1);
      // expect-warning@-1{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    Out[K * 64 + threadIdx.x] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[1][0]' here
  }
}

// A condition on something that has nothing to do with groups is left out.
KERNEL other_condition(const float *In, float *Out, int Tiles, bool Scale) {
// expect-note@-1: with Scale = 0, Tiles = 0
  __shared__ float Tile[64], More[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  if (Scale)
    __pipeline_memcpy_async(&More[threadIdx.x], &In[threadIdx.x + 64], 4);
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Tiles > 1)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

KERNEL one_case(const float *In, float *Out, int Mode) {
// expect-note@-1: with Mode = 2
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  switch (Mode) {
  case 0:
  case 1:
    __pipeline_commit();
    __pipeline_wait_prior(0);
    break;
  case 2:
  // expect-note@-1: taken in this case
    __pipeline_commit();
    // expect-note@-1: committed here
    break;
  default:
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

KERNEL no_case(const float *In, float *Out, int Mode) {
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  switch (Mode) {
  // expect-note@-1: taken when no case matches
  case 0:
    __pipeline_wait_prior(0);
  }
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

// Not every thread copies: which of them do is not known.
KERNEL masked_copy(const float *In, float *Out) {
  __shared__ float Tile[64];
  if (In[threadIdx.x] < 1.0f)
  // expect-note@-1: taken when this condition is true
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
    // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
