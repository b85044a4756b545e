//===- early-exits.cu - Threads that leave before the others ---*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}

KERNEL return_before_the_wait(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x >= 64)
    return;
    // expect-note@-1: kernel left here by threads 64-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-63
  // expect-warning@-3{cpasync-divergent-commit}: wait is run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

KERNEL return_before_the_commit(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  if (threadIdx.x >= 64)
    return;
    // expect-note@-1: kernel left here by threads 64-127
  __pipeline_commit();
  // expect-note@-1: all threads that copy must come to this commit
  // expect-note@-2: committed here only by threads 0-63
  // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

KERNEL continue_before_the_wait(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Tile[128];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __syncthreads();
    copy(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    if (threadIdx.x >= 96)
      continue;
      // expect-note@-1: iteration left here by threads 96-127
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 0-95
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    asm volatile("bar.sync 1, 96;" ::: "memory");
    Out[K * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
  }
}

KERNEL break_before_the_wait(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Tile[128];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 0
    copy(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    if (threadIdx.x < 32)
      break;
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 32-127
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    asm volatile("bar.sync 1, 96;" ::: "memory");
    Out[K * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
    // expect-note@-1: thread 96 reads 'Tile[31]' here, copied by thread 31
    asm volatile("bar.sync 1, 96;" ::: "memory");
  }
}

__device__ bool isDone(int Limit) {
  if (threadIdx.x >= Limit)
    return true;
  __pipeline_wait_prior(0);
  return false;
}

KERNEL helper_returns_before_its_wait(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  isDone(64);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: function left here by threads 64-127
  // expect-note@-3: waited for here only by threads 0-63
  // expect-warning@-4{cpasync-divergent-commit}: wait is run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

// Nobody left: the branch is why.
KERNEL other_side(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x < 64)
    Out[128 + threadIdx.x] = 0.0f;
  else
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 64-127
    // expect-warning@-3{cpasync-divergent-commit}: wait is run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 64 reads 'Tile[63]' here, copied by thread 63
}

// Half of the block comes to a barrier that is for all of it. The other half is
// done before it opens, but has read by then what nothing ordered.
KERNEL barrier_in_a_branch(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  if (threadIdx.x < 64)
    __syncthreads();
    // expect-note@-1: barrier reached here only by threads 0-63
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -3 and this read
  // expect-note@-2: thread 64 reads 'Tile[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL refill_after_a_barrier_in_a_branch(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: read here
  if (threadIdx.x >= 64)
    __syncthreads();
    // expect-note@-1: barrier reached here only by threads 64-127
  copy(&Tile[threadIdx.x], &In[128 + threadIdx.x]);
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 64 overwrites 'Tile[64]' here, read by thread 63
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while other threads still read it
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[128 + threadIdx.x] = Tile[127 - threadIdx.x];
}
