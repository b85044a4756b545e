//===- warp-names.cu - Functions of a warp, known by name ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of one warp: what is the same in all of its threads is decided on a
// path for each outcome, and a line is reached in a state for each of them. What
// is known of every lane is computed.
//
//===----------------------------------------------------------------------===//

#include <cuda/ptx>
#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(32)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}

//===----------------------------------------------------------------------===//
// Unknown, and the same in all lanes
//===----------------------------------------------------------------------===//

KERNEL active(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__activemask() > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL reduce_add(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__reduce_add_sync(~0u, Word[threadIdx.x]) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL reduce_and(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__reduce_and_sync(~0u, Word[threadIdx.x]) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL reduce_or(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__reduce_or_sync(~0u, Word[threadIdx.x]) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL reduce_xor(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__reduce_xor_sync(~0u, Word[threadIdx.x]) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL reduce_min(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__reduce_min_sync(~0u, Word[threadIdx.x]) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL reduce_max(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__reduce_max_sync(~0u, Word[threadIdx.x]) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL uni(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__uni_sync(~0u, Word[threadIdx.x]))
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL any(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__any_sync(~0u, Word[threadIdx.x]))
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL all(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__all_sync(~0u, Word[threadIdx.x]))
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL ballot(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__ballot_sync(~0u, Word[threadIdx.x]))
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL shuffle(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  if (__shfl_sync(~0u, Word[threadIdx.x], 3) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL match_all(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  int Same;
  if (__match_all_sync(~0u, Word[threadIdx.x], &Same) > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

//===----------------------------------------------------------------------===//
// Known of every lane
//===----------------------------------------------------------------------===//

KERNEL known_any(const float *In) {
  __shared__ float Tile[32];
  if (__any_sync(~0u, threadIdx.x == 5))
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-31: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-31: groups [{}] open {}

KERNEL known_all(const float *In) {
  __shared__ float Tile[32];
  if (!__all_sync(~0u, threadIdx.x < 31))
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-31: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-31: groups [{}] open {}

KERNEL known_ballot(const float *In) {
  __shared__ float Tile[32];
  if (__ballot_sync(~0u, threadIdx.x > 29) == 0xc0000000)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-31: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-31: groups [{}] open {}

KERNEL part_votes(const float *In) {
  __shared__ float Tile[32];
  if (threadIdx.x < 8 && !__any_sync(0xff, threadIdx.x > 7))
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-7: groups [{}] open {}; threads 8-31: groups [] open {}
}
// expect-state@-1: exit: threads 0-7: groups [{}] open {}; threads 8-31: groups [] open {}

KERNEL known_match(const float *In) {
  __shared__ float Tile[32];
  if (__match_any_sync(~0u, threadIdx.x / 4) == 0xf0)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-3,8-31: groups [] open {}; threads 4-7: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-3,8-31: groups [] open {}; threads 4-7: groups [{}] open {}

KERNEL shuffle_up(const float *In) {
  __shared__ float Tile[32];
  if (__shfl_up_sync(~0u, threadIdx.x, 2) < 4)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-5: groups [{}] open {}; threads 6-31: groups [] open {}
}
// expect-state@-1: exit: threads 0-5: groups [{}] open {}; threads 6-31: groups [] open {}

KERNEL shuffle_down(const float *In) {
  __shared__ float Tile[32];
  if (__shfl_down_sync(~0u, threadIdx.x, 2, 8) == 7)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-4,6,8-31: groups [] open {}; threads 5,7: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-4,6,8-31: groups [] open {}; threads 5,7: groups [{}] open {}

KERNEL shuffle_xor(const float *In) {
  __shared__ float Tile[32];
  if (__shfl_xor_sync(~0u, threadIdx.x, 16) < 4)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-15,20-31: groups [] open {}; threads 16-19: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-15,20-31: groups [] open {}; threads 16-19: groups [{}] open {}

KERNEL elected(const float *In) {
  __shared__ float Tile[32];
  if (cuda::ptx::elect_sync(~0u))
    __pipeline_commit();
    // expect-state@-1: commit: threads 0: groups [{}] open {}; threads 1-31: groups [] open {}
}
// expect-state@-1: exit: threads 0: groups [{}] open {}; threads 1-31: groups [] open {}

//===----------------------------------------------------------------------===//
// The same as instructions
//===----------------------------------------------------------------------===//

KERNEL ptx_active(const float *In) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("activemask.b32 %0;" : "=r"(Got));
  if (Got > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL ptx_reduce(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(Got) : "r"(Word[threadIdx.x]));
  if (Got > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL ptx_match_all(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("match.all.sync.b32 %0, %1, 0xffffffff;" : "=r"(Got) : "r"(Word[threadIdx.x]));
  if (Got > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL ptx_shuffle(const float *In, const unsigned *Word) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("shfl.sync.idx.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(Got) : "r"(Word[threadIdx.x]));
  if (Got > 7)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-state@-1: copy: threads 0-31: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-31: groups [] open {Tile}
// expect-state@-2: exit: threads 0-31: groups [] open {}

KERNEL ptx_lane(const float *In) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("shfl.sync.idx.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(Got) : "r"(threadIdx.x));
  if (Got == 3)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-31: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-31: groups [{}] open {}

KERNEL ptx_match(const float *In) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(Got) : "r"(threadIdx.x / 4));
  if (Got == 0xf0)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-3,8-31: groups [] open {}; threads 4-7: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-3,8-31: groups [] open {}; threads 4-7: groups [{}] open {}

KERNEL ptx_up(const float *In) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("shfl.sync.up.b32 %0, %1, 2, 0, 0xffffffff;" : "=r"(Got) : "r"(threadIdx.x));
  if (Got < 4)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-5: groups [{}] open {}; threads 6-31: groups [] open {}
}
// expect-state@-1: exit: threads 0-5: groups [{}] open {}; threads 6-31: groups [] open {}

KERNEL ptx_down(const float *In) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("shfl.sync.down.b32 %0, %1, 2, 0x181f, 0xffffffff;" : "=r"(Got) : "r"(threadIdx.x));
  if (Got == 7)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-4,6,8-31: groups [] open {}; threads 5,7: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-4,6,8-31: groups [] open {}; threads 5,7: groups [{}] open {}

KERNEL ptx_xor(const float *In) {
  __shared__ float Tile[32];
  unsigned Got;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=r"(Got) : "r"(threadIdx.x));
  if (Got < 4)
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-15,20-31: groups [] open {}; threads 16-19: groups [{}] open {}
}
// expect-state@-1: exit: threads 0-15,20-31: groups [] open {}; threads 16-19: groups [{}] open {}
