//===- early-exits.cu - Threads that leave, rightly ------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier of the block waits for the threads that are still there. Those who
// left have done what they did before.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}

// The copying warps wait for their copies before they leave.
KERNEL return_after_the_wait_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (threadIdx.x >= 64)
    return;
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL idle_warps_return_ok(const float *In, float *Out) {
  __shared__ float Tile[64];
  if (threadIdx.x >= 64)
    return;
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

// Blocks beyond the end have nothing to do.
KERNEL whole_block_returns_ok(const float *In, float *Out, const int *Rows) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (Rows[blockIdx.x] == 0)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL return_before_the_epilogue_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float Mine = Tile[127 - threadIdx.x];
  if (threadIdx.x >= Rows)
    return;
  Out[threadIdx.x] = Mine;
}

// The last warp only computes: it has no copies to wait for.
KERNEL continue_of_idle_warp_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[96];
  for (int K = 0; K < Tiles; ++K) {
    if (threadIdx.x >= 96)
      continue;
    copy(&Tile[threadIdx.x], &In[K * 96 + threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    asm volatile("bar.sync 1, 96;" ::: "memory");
    Out[K * 96 + threadIdx.x] = Tile[95 - threadIdx.x];
    asm volatile("bar.sync 1, 96;" ::: "memory");
  }
}

// Both sides come to a barrier of the block, each to its own.
KERNEL barrier_on_both_sides_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (threadIdx.x < 64) {
    __syncthreads();
    Out[threadIdx.x] = Tile[127 - threadIdx.x];
  } else {
    __syncthreads();
    Out[threadIdx.x] = Tile[127 - threadIdx.x] * 2.0f;
  }
}

// Warps that are done with the loop are done with the kernel.
KERNEL break_of_idle_warps_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int K = 0; K < Tiles; ++K) {
    if (threadIdx.x < 32)
      break;
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Tile[127 - threadIdx.x] * K;
  }
}

// They read before they leave, and so before the others refill.
KERNEL read_before_leaving_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x >= 32) {
    __syncthreads();
    copy(&Tile[threadIdx.x - 32], &In[128 + threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[threadIdx.x] = Tile[threadIdx.x - 32];
  } else {
    Out[threadIdx.x] = Tile[threadIdx.x];
  }
}

__device__ void refill(const float *In, float *Out, float *Tile, int Tiles) {
  for (int K = 0; K < Tiles; ++K) {
    const float Mine = Tile[127 - threadIdx.x];
    if (threadIdx.x < 64)
      break;
    __syncthreads();
    copy(&Tile[threadIdx.x - 64], &In[128 + threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[K * 128 + threadIdx.x] = Mine + Tile[threadIdx.x - 64];
    break;
  }
  Out[threadIdx.x] = 0.0f;
}

KERNEL break_in_a_helper_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  refill(In, Out, Tile, Tiles);
}

// Who has a row knows that there is a tile: the loop that waits runs at least
// once, before the tile is used for something else. So it does in every block
// if each begins with the first tile: nobody launches a kernel for no tiles. But
// a block beyond the last tile runs no round.
template <bool Leaves, bool EachHasOwn = false>
__device__ void waitInFirstRound(const float *Src, float *Dst, int Rows) {
  __shared__ float Tile[128];
  const int Tid = threadIdx.x, Row = blockIdx.x * 128 + Tid;
  const int Tiles = Rows % 64 != 0 ? Rows / 64 + 1 : Rows / 64;
  if (Leaves && Row >= Rows)
    return;
  const unsigned To =
      static_cast<unsigned>(__cvta_generic_to_shared(&Tile[Tid]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
  // expect-note@-1: copy issued here
               "l"(&Src[Row]));
  asm volatile("cp.async.commit_group;");
  for (int T = EachHasOwn ? blockIdx.x : 0; T < Tiles; ++T) {
  // expect-note@-1: loop skipped here
    asm volatile("cp.async.wait_group 0;");
    Dst[Row * Tiles + T] = Tile[Tid];
  }
  Tile[Tid] = 0;
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Tile[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a copy into it is in flight
}

__global__ __launch_bounds__(128) void rows_mean_tiles_ok(const float *Src,
                                                          float *Dst,
                                                          int Rows) {
  waitInFirstRound<true>(Src, Dst, Rows);
}

__global__ __launch_bounds__(128) void all_tiles_ok(const float *Src,
                                                    float *Dst, int Rows) {
  waitInFirstRound<false>(Src, Dst, Rows);
}

__global__ __launch_bounds__(128) void perhaps_no_tile_bad(const float *Src,
// expect-note@-1: with blockIdx.x = 0, Rows = 0
                                                           float *Dst,
                                                           int Rows) {
  waitInFirstRound<false, true>(Src, Dst, Rows);
  // expect-note@-1: 'waitInFirstRound' called here
}
