//===- unsynchronized-lanes.cu - Lanes without __syncwarp ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes of one warp hand data to each other. Nothing but __syncwarp(), or a
// barrier, says in which order they do so; the compiler and the hardware keep
// them in step, though, and every `_bad` kernel is right on a GPU.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(128)

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
__device__ void wait(uint64_t *B, uint32_t Parity) {
  uint32_t Done = 0;
  while (!Done)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(Done)
                 : "r"(toShared(B)), "r"(Parity)
                 : "memory");
}

// Each lane waits for its own copy and reads that of its neighbour.
KERNEL neighbour_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[I ^ 1] = Tile[threadIdx.x ^ 1];
  // expect-note@-1: '__syncwarp' belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[1]' here, copied by thread 1
  // expect-warning@-3{cpasync-unsynchronized-lanes}: 'Tile' is read with no '__syncwarp' after the wait of another lane
}

KERNEL neighbour_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  Out[I ^ 1] = Tile[threadIdx.x ^ 1];
}

// The slot is filled again while lanes may still read it.
KERNEL refill_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[128];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    const int I = (blockIdx.x * Tiles + K) * 128 + threadIdx.x;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
    // expect-note@-1: '__syncwarp' belongs between the read in line +4 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 1
    // expect-warning@-3{cpasync-unsynchronized-lanes}: 'Tile' may be overwritten with no '__syncwarp' behind what another lane does with it
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    Out[I ^ 1] = Tile[threadIdx.x ^ 1];
    // expect-note@-1: read here
  }
}

KERNEL refill_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  for (int K = 0; K < Tiles; ++K) {
    const int I = (blockIdx.x * Tiles + K) * 128 + threadIdx.x;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    Out[I ^ 1] = Tile[threadIdx.x ^ 1];
    __syncwarp();
  }
}

// One lane says for its warp that all have read.
KERNEL release_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full, Empty;
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Empty, 3);
  }
  __syncthreads();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    const int Base = (blockIdx.x * Tiles + K) * 128;
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) {
        wait(&Empty, (K & 1) ^ 1);
        arriveAndExpect(&Full, sizeof(Tile));
        load(Tile, In + Base, sizeof(Tile), &Full);
        // expect-note@-1: '__syncwarp' belongs between the read in line +5 and this overwrite in a later iteration
        // expect-note@-2: thread 0 overwrites 'Tile[1]' here, read by thread 33
        // expect-warning@-3{cpasync-unsynchronized-lanes}: 'Tile' may be overwritten with no '__syncwarp' behind what another lane does with it
      }
    } else {
      wait(&Full, K & 1);
      for (int I = threadIdx.x - 32; I < 128; I += 96)
        Out[Base + I] = Tile[I];
        // expect-note@-1: read here
      if (threadIdx.x % 32 == 0)
        arrive(&Empty);
    }
  }
}

KERNEL release_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full, Empty;
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Empty, 3);
  }
  __syncthreads();
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128;
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) {
        wait(&Empty, (K & 1) ^ 1);
        arriveAndExpect(&Full, sizeof(Tile));
        load(Tile, In + Base, sizeof(Tile), &Full);
      }
    } else {
      wait(&Full, K & 1);
      for (int I = threadIdx.x - 32; I < 128; I += 96)
        Out[Base + I] = Tile[I];
      __syncwarp();
      if (threadIdx.x % 32 == 0)
        arrive(&Empty);
    }
  }
}

// One lane stores for its warp, in bulk.
KERNEL stored_by_one_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  Tile[Warp][Lane] = In[blockIdx.x * 128 + threadIdx.x];
  // expect-note@-1: stored here
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (Lane == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
    // expect-note@-1: '__syncwarp' belongs between the stores and this copy
    // expect-note@-2: bulk copy of thread 0 reads 'Tile[0][1]' here, stored by thread 1
    // expect-warning@-3{cpasync-unsynchronized-lanes}: 'Tile' is copied in bulk with no '__syncwarp' behind the stores of other lanes
                     "l"(Out + blockIdx.x * 128 + Warp * 32),
                 "r"(toShared(Tile[Warp])), "r"(uint32_t(sizeof(Tile[0])))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

KERNEL stored_by_one_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  Tile[Warp][Lane] = In[blockIdx.x * 128 + threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  if (Lane == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
                     "l"(Out + blockIdx.x * 128 + Warp * 32),
                 "r"(toShared(Tile[Warp])), "r"(uint32_t(sizeof(Tile[0])))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// Nobody reads what another lane has copied.
KERNEL own_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  for (int K = 0; K < Tiles; ++K) {
    const int I = (blockIdx.x * Tiles + K) * 128 + threadIdx.x;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[I] = Tile[threadIdx.x];
  }
}

// A barrier of the block orders lanes as well, and so does that of a tile.
KERNEL barriers_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const auto Half = cg::tiled_partition<16>(cg::this_thread_block());
  for (int K = 0; K < Tiles; ++K) {
    const int I = (blockIdx.x * Tiles + K) * 128 + threadIdx.x;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Half.sync();
    Out[I ^ 1] = Tile[threadIdx.x ^ 1];
    __syncthreads();
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(neighbour, Passes), TWINS(refill, Passes),
          TWINS(release, Passes), TWINS(stored_by_one, Passes), OK(own_ok),
          OK(barriers_ok))
#endif
