//===- warps.cu - What the threads of a warp find out together -*- CUDA -*-===//
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

// What is known of each thread is known of the vote.
KERNEL known_vote(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  if (__any_sync(0xffffffff, threadIdx.x == 40))
    __pipeline_commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here only by threads 32-63
    // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
  __pipeline_wait_prior(0);
  // expect-note@-1: wait for all groups is here
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

// Some lanes may have copied where not all of them have.
KERNEL not_all_lanes(const float *In, const int *Rows, float *Out) {
  __shared__ float Tile[128];
  const bool Present = Rows[threadIdx.x] >= 0;
  if (Present)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-note@-1: copy issued here
  if (__all_sync(0xffffffff, Present))
  // expect-note@-1: all threads that copy must come to this commit
  // expect-note@-2: taken when this condition is false
  // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
    __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: wait for all groups is here
  if (Present)
    Out[threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
}

// What the hardware makes of it: the others' copies are in the group as well.
KERNEL lanes_commit_for_others(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  if (threadIdx.x % 32 < 16)
    __pipeline_commit();
    // expect-note@-1: all lanes of a warp that copy must come to this commit
    // expect-note@-2: committed here only by threads 0-15, 32-47, 64-79, 96-111
    // expect-warning@-3{cpasync-warp-entanglement}: commit by lanes of a warp serves the others that copy into 'Tile'
  __pipeline_wait_prior(0);
  // expect-note@-1: wait for all groups is here
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 16 reads 'Tile[16]' here
}

// Where the two commits are one, the group that is read is the newest.
KERNEL both_halves_commit(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  if (threadIdx.x % 32 < 16)
    __pipeline_commit();
    // expect-note@-1: committed here
    // expect-note@-2: committed here only by threads 0-15, 32-47, 64-79, 96-111
  else
    __pipeline_commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here only by threads 16-31, 48-63, 80-95, 112-127
    // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some lanes of a warp that copies into 'Tile'
  __pipeline_wait_prior(1);
  // expect-note@-1: commit where all lanes of a warp have come together again
  // expect-note@-2: wait leaves up to 1 group in flight
  // expect-warning@-3{cpasync-warp-entanglement}: wait counts 2 groups of the warp, of which a thread committed only 1
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

// The slot is not known, but the lanes of a warp have the same.
KERNEL slot_of_the_warp(const float *In, const int *Slots, float *Out) {
  __shared__ float Tile[8][32];
  const int Lane = threadIdx.x % 32;
  const int Slot = __shfl_sync(0xffffffff, Slots[threadIdx.x], 0);
  copy(&Tile[Slot][Lane], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  __syncwarp();
  Out[threadIdx.x] = Tile[Slot][Lane ^ 1];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile' here, copied by thread 1
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// The one that is elected copies and does not wait.
KERNEL elected_copier(const float *In, float *Out) {
  __shared__ float Rows[4];
  const int Warp = threadIdx.x / 32;
  unsigned Elected;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "elect.sync _|p, 0xffffffff;\n\t"
               "selp.b32 %0, 1, 0, p;\n\t"
               "}\n"
               : "=r"(Elected));
  if (Elected)
    copy(&Rows[Warp], &In[Warp]);
    // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (!Elected)
    __pipeline_wait_prior(0);
  __syncthreads();
  // expect-note@-1: wait for all copies: insert '__pipeline_wait_prior(0);'
  Out[threadIdx.x] = Rows[threadIdx.x % 4];
  // expect-note@-1: thread 0 reads 'Rows[0]' here
  // expect-warning@-2{cpasync-unwaited-read}: 'Rows' is read before the asynchronous copy into it has completed
}
