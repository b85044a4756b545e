//===- calls.cu - Calls on the way to a step ----------------- -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void fetch(float *Tile, const float *In, int K) {
  for (int I = 0; I < 2; ++I)
    __pipeline_memcpy_async(&Tile[I * 64 + threadIdx.x],
    // expect-note@-1: copy issued here
                            &In[K * 128 + I * 64 + threadIdx.x], 4);
  __pipeline_commit();
  // expect-note@-1: committed here
}

__device__ float twice(const float *Tile) {
  float Sum = 0;
  for (int I = 0; I < 2; ++I)
    Sum += Tile[I * 64 + threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[1][0]' here
  return Sum;
}

// Called from two places: the one that is wrong is named.
KERNEL two_callers(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][128];
  fetch(Tile[0], In, 0);
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = twice(Tile[0]);
  fetch(Tile[1], In, 1);
  // expect-note@-1: 'fetch' called here
  Out[threadIdx.x + 64] = twice(Tile[1]);
  // expect-note@-1: 'twice' called here
  // expect-note@-2: a wait for the copy belongs before this call, and a barrier where others copied
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

__device__ void inner(float *Tile, const float *In) { fetch(Tile, In, 3); }
// expect-note@-1: 'fetch' called here
__device__ void middle(float *Tile, const float *In) { inner(Tile, In); }
__device__ void outer(float *Tile, const float *In) { middle(Tile, In); }

// Of calls in calls the first and the last are shown.
KERNEL nested(const float *In, float *Out) {
  __shared__ float Tile[128];
  outer(Tile, In);
  // expect-note@-1: 'outer' called here
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// A lambda has the name of its variable, in each iteration another call.
KERNEL lambdas(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Slot[2][64];
  auto Fetch = [&](int K) {
    if (K < Tiles)
      __pipeline_memcpy_async(&Slot[K % 2][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[K * 64 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
  };
  Fetch(0);
  // expect-note@-1: 'Fetch' called here
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch(K + 1);
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Slot'
    __syncthreads();
    Out[K * 64 + threadIdx.x] = Slot[K % 2][63 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slot[0][63]' here, copied by thread 63
    __syncthreads();
  }
}

KERNEL nameless(const float *In, float *Out) {
  __shared__ float Tile[64];
  [&] {
  // expect-note@-1: lambda called here
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
    // expect-note@-1: copy issued here
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  }();
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
