//===- groups.cu - What is in flight after each operation -----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups oldest first, then the copies in no group yet. A line that is reached
// in several states names each of them.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}

// An empty group counts.
KERNEL empty_group(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __pipeline_commit();
  // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  __pipeline_commit();
  // expect-state@-1: commit: threads 0-63: groups [{Tile}, {}] open {}
  __pipeline_wait_prior(1);
  // expect-state@-1: wait: threads 0-63: groups [{}] open {}; unordered copies {Tile}
  Out[threadIdx.x] = Tile[threadIdx.x];
}
// expect-state@-1: exit: threads 0-63: groups [{}] open {}; unordered copies {Tile}; reads {Tile}

// wait_all completes what was never committed, wait_group 0 does not.
KERNEL uncommitted(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  // expect-state@-1: wait: threads 0-63: groups [] open {Tile}
  asm volatile("cp.async.wait_all;" ::: "memory");
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
  Out[threadIdx.x] = Tile[threadIdx.x];
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}; reads {Tile}

// Threads with different histories are told apart, and are one again when
// their queues are equal.
KERNEL half_commits(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  if (threadIdx.x < 32)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-31: groups [{Tile}] open {}; threads 32-63: groups [] open {Tile}
  asm volatile("cp.async.wait_all;" ::: "memory");
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile*2}
  Out[threadIdx.x] = Tile[threadIdx.x];
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile*2}; reads {Tile}

// One queue for all: the copy knows which threads it belongs to, and for the
// others the group is empty.
KERNEL one_warp_copies(const float *In, float *Out) {
  __shared__ float Tile[64];
  if (threadIdx.x < 32)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
    // expect-note@-2: copy issued here
    // expect-state@-3: copy: threads 0-63: groups [] open {Tile}
  __pipeline_commit();
  // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  __pipeline_wait_prior(0);
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 32 reads 'Tile[32]' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}; reads {Tile}

// A ring of two with a trip count known at run time: the first iteration, the
// steady state and the last are different states.
KERNEL ring(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][64];
  copy(&Tile[0][threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __pipeline_commit();
  // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  for (int K = 0; K < Tiles; ++K) {
    if (K + 1 < Tiles)
      copy(&Tile[(K + 1) % 2][threadIdx.x], &In[threadIdx.x]);
      // expect-state@-1: copy: threads 0-63: groups [{Tile}] open {Tile}
      // expect-state@-2: copy: threads 0-63: groups [{Tile}] open {Tile}; unordered copies {Tile*2}; reads {Tile*2}
      // expect-state@-3: copy: threads 0-63: groups [{Tile}] open {Tile}; unordered copies {Tile*3}; reads {Tile*2}
      // expect-state@-4: copy: threads 0-63: groups [{Tile}] open {Tile}; unordered copies {Tile}; reads {Tile}
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-63: groups [{Tile}, {Tile}] open {}
    // expect-state@-2: commit: threads 0-63: groups [{Tile}, {Tile}] open {}; unordered copies {Tile*2}; reads {Tile*2}
    // expect-state@-3: commit: threads 0-63: groups [{Tile}, {Tile}] open {}; unordered copies {Tile*3}; reads {Tile*2}
    // expect-state@-4: commit: threads 0-63: groups [{Tile}, {Tile}] open {}; unordered copies {Tile}; reads {Tile}
    // expect-state@-5: commit: threads 0-63: groups [{Tile}, {}] open {}
    // expect-state@-6: commit: threads 0-63: groups [{Tile}, {}] open {}; unordered copies {Tile*2}; reads {Tile*2}
    // expect-state@-7: commit: threads 0-63: groups [{Tile}, {}] open {}; unordered copies {Tile*3}; reads {Tile*2}
    // expect-state@-8: commit: threads 0-63: groups [{Tile}, {}] open {}; unordered copies {Tile}; reads {Tile}
    __pipeline_wait_prior(1);
    // expect-state@-1: wait: threads 0-63: groups [{Tile}] open {}; unordered copies {Tile*2}; reads {Tile}
    // expect-state@-2: wait: threads 0-63: groups [{Tile}] open {}; unordered copies {Tile*3}; reads {Tile*2}
    // expect-state@-3: wait: threads 0-63: groups [{Tile}] open {}; unordered copies {Tile}
    // expect-state@-4: wait: threads 0-63: groups [{}] open {}; unordered copies {Tile*2}; reads {Tile}
    // expect-state@-5: wait: threads 0-63: groups [{}] open {}; unordered copies {Tile*3}; reads {Tile*2}
    // expect-state@-6: wait: threads 0-63: groups [{}] open {}; unordered copies {Tile}
    Out[K * 64 + threadIdx.x] = Tile[K % 2][threadIdx.x];
  }
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile*2}; reads {Tile*2}
// expect-state@-2: exit: threads 0-63: groups [] open {}; unordered copies {Tile*3}; reads {Tile*2}
// expect-state@-3: exit: threads 0-63: groups [] open {}; unordered copies {Tile}; reads {Tile}

// Where the second copy goes is decided once the first is issued: the string
// is run again from its begin, and the first copy is there once.
KERNEL two_copies_in_one_string(const float *In, bool Flag) {
  __shared__ float First[64], Second[128];
  float *To = &Second[threadIdx.x];
  if (Flag)
    To += 64;
  asm volatile("cp.async.ca.shared.global [%0], [%2], 4;\n"
  // expect-state@-1: commit: threads 0-63: groups [{First}] open {}
  // expect-state@-2: copy: threads 0-63: groups [] open {First}
  // expect-state@-3: copy: threads 0-63: groups [{First}] open {Second}
               "cp.async.commit_group;\n"
               "cp.async.ca.shared.global [%1], [%2], 4;\n" ::"l"(
                   __cvta_generic_to_shared(&First[threadIdx.x])),
               "l"(__cvta_generic_to_shared(To)), "l"(In));
}
// expect-state@-1: exit: threads 0-63: groups [{First}] open {Second}
