//===- kept-overlap.cu - Edits that keep copies in flight -------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)
#define STAGES 3

// The last round commits nothing: with an empty group the count is right.
KERNEL last_round(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Slot[2][128];
  __pipeline_memcpy_async(&Slot[0][threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here as the newest group
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K + 1 < Tiles) {
    // expect-note@-1: taken when this condition is false
      __pipeline_memcpy_async(&Slot[(K + 1) % 2][threadIdx.x],
                              &In[(K + 1) * 128 + threadIdx.x], 4);
      __pipeline_commit();
    }
    // expect-note@-1: commit also where nothing is copied: insert 'else { __pipeline_commit(); }'
    __pipeline_wait_prior(1);
    // expect-warning@-1{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slot' may be in the newest one
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Slot[K % 2][127 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slot[0][127]' here, copied by thread 127
    __syncthreads();
  }
}

// A branch without braces, in a lambda.
KERNEL fetched(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Slot[2][128];
  auto Fetch = [&](int K) {
    if (K < Tiles)
      __pipeline_memcpy_async(&Slot[K % 2][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[K * 128 + threadIdx.x], 4);
    if (K < Tiles)
      __pipeline_commit();
      // expect-note@-1: committed here as the newest group
  };
  Fetch(0);
  // expect-note@-1: 'Fetch' called here
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch(K + 1);
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups; slow: better commit also where nothing is copied
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slot' may be in the newest one
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Slot[K % 2][127 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slot[0][127]' here, copied by thread 127
    __syncthreads();
  }
}

// What the last round leaves is waited for behind the loop.
KERNEL behind_the_loop(const float *In, float *Out, int N) {
// expect-note@-1: with N = 2
  __shared__ float Slot[2][128];
  __pipeline_memcpy_async(&Slot[0][threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  float Sum = 0;
  for (int K = 1; K < N; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 1
    __pipeline_memcpy_async(&Slot[K & 1][threadIdx.x],
    // expect-note@-1: copy issued here
                            &In[K * 128 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-warning@-1{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slot' may be in the newest one
    __syncthreads();
    Sum += Slot[(K - 1) & 1][127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
  // expect-note@-1: wait for all copies: insert '__pipeline_wait_prior(0);'
  Out[threadIdx.x] = Sum + Slot[(N - 1) & 1][127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Slot[1][127]' here, copied by thread 127
  // expect-skipped@-2: address of a read of 'Slot' is not known while copies into it are in flight
}

// No barrier is there that it could go before: the other edit is slow.
KERNEL no_barrier(const float *In, float *Out, int N) {
// expect-note@-1: with N = 2
  __shared__ float Slot[2][128];
  __pipeline_memcpy_async(&Slot[0][threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  float Sum = 0;
  for (int K = 1; K < N; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 1
    __pipeline_memcpy_async(&Slot[K & 1][threadIdx.x],
    // expect-note@-1: copy issued here
                            &In[K * 128 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups; slow: better wait for all groups behind the loop
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slot' may be in the newest one
    __syncthreads();
    Sum += Slot[(K - 1) & 1][127 - threadIdx.x];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum + Slot[(N - 1) & 1][127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Slot[1][127]' here, copied by thread 127
  // expect-skipped@-2: address of a read of 'Slot' is not known while copies into it are in flight
}

// A count that is too large in every round keeps its name.
template <int Stages, int Threads>
__global__ void __launch_bounds__(Threads)
    ring(const float *In, float *Out, int Tiles) {
    // expect-note@-1: in instantiation of 'ring<3, 128>' and of 'ring<4, 256>'
    // expect-note@-2: with Tiles = 1
  __shared__ float Slot[Stages][Threads];
  for (int S = 0; S < Stages - 1; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Tiles)
      __pipeline_memcpy_async(&Slot[S][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[S * Threads + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_wait_prior(Stages - 1);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Slot'
    __syncthreads();
    Out[K * Threads + threadIdx.x] =
        Slot[K % Stages][Threads - 1 - threadIdx.x];
        // expect-note@-1: thread 0 reads 'Slot[0][127]' here, copied by thread 127
    __syncthreads();
    const int Next = K + Stages - 1;
    if (Next < Tiles)
      __pipeline_memcpy_async(&Slot[Next % Stages][threadIdx.x],
                              &In[Next * Threads + threadIdx.x], 4);
    __pipeline_commit();
  }
}
template __global__ void ring<3, 128>(const float *, float *, int);
template __global__ void ring<4, 256>(const float *, float *, int);

// The name of a macro.
KERNEL named(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Slot[STAGES][128];
  for (int S = 0; S < STAGES - 1; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Tiles)
      __pipeline_memcpy_async(&Slot[S][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[S * 128 + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_wait_prior(STAGES - 1);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Slot'
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Slot[K % STAGES][127 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slot[0][127]' here, copied by thread 127
    __syncthreads();
    const int Next = K + STAGES - 1;
    if (Next < Tiles)
      __pipeline_memcpy_async(&Slot[Next % STAGES][threadIdx.x],
                              &In[Next * 128 + threadIdx.x], 4);
    __pipeline_commit();
  }
}
