//===- absent-block.cu - Blocks that are not there -------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters of two blocks that copy In to Out. What a `_bad` one does in the shared
// memory of the other block comes after that has ended, or is meant for a third.
// The first block has more to do: it stands still for a while. PTX ISA, "mapa",
// "cp.async.bulk": ".multicast::cluster".
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cooperative_groups.h>
#include <cstdint>

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ uint32_t rankInCluster() {
  uint32_t Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  return Rank;
}
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void arriveIn(uint64_t *B, uint32_t Rank) {
  asm volatile("{\n"
               ".reg .b32 There;\n"
               "mapa.shared::cluster.u32 There, %0, %1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [There];\n"
               "}" ::"r"(toShared(B)),
               "r"(Rank)
               : "memory");
}
__device__ bool tryWait(uint64_t *B, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}\n"
               : "=r"(Done)
               : "r"(toShared(B)), "r"(Parity)
               : "memory");
  return Done;
}
// A wait that hangs stops the kernel.
__device__ void wait(uint64_t *B, uint32_t Parity) {
  for (int Tries = 0; !tryWait(B, Parity); ++Tries)
    if (Tries == 1 << 20)
      __trap();
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
__device__ void loadTo(uint16_t Blocks, void *To, const void *From,
                       uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                   toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B)), "h"(Blocks)
               : "memory");
}
__device__ void sendTo(uint32_t Rank, void *To, const void *From, uint32_t Bytes,
                       uint64_t *B) {
  asm volatile("{\n"
               ".reg .b32 There, Barrier;\n"
               "mapa.shared::cluster.u32 There, %0, %4;\n"
               "mapa.shared::cluster.u32 Barrier, %3, %4;\n"
               "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
               "bytes [There], [%1], %2, [Barrier];\n"
               "}" ::"r"(toShared(To)),
               "r"(toShared(From)), "r"(Bytes), "r"(toShared(B)), "r"(Rank)
               : "memory");
}
__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void work(uint32_t Rank) {
  const long long Begin = clock64();
  while (Rank == 0 && clock64() - Begin < 200000)
    ;
}
#define KERNEL                                                                 \
  __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)

// Each block tells the other one that it has read its tile, which nobody waits for.
KERNEL told_last_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full, Told;
  const int First = blockIdx.x * 128;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Told, 1);
  }
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  const float4 Mine = Tile[threadIdx.x];
  work(Rank);
  if (threadIdx.x == 0)
    arriveIn(&Told, Rank ^ 1);
    // expect-note@-1: a barrier of the cluster belongs between this and the end of the kernel
    // expect-note@-2: thread 0 of block 1 reaches block 0 here
    // expect-warning@-3{cpasync-absent-block}: 'Told' of block 0 may be reached here after that block has ended
  work(Rank);
  Out[First + threadIdx.x] = Mine;
}
// expect-note@-1: kernel ends here
KERNEL told_last_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full, Told;
  const int First = blockIdx.x * 128;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Told, 1);
  }
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  const float4 Mine = Tile[threadIdx.x];
  work(Rank);
  if (threadIdx.x == 0)
    arriveIn(&Told, Rank ^ 1);
  work(Rank);
  Out[First + threadIdx.x] = Mine;
  meet();
}
// Who waits to be told has not ended by then.
KERNEL waits_to_be_told_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full, Told;
  const int First = blockIdx.x * 128;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Told, 1);
  }
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  const float4 Mine = Tile[threadIdx.x];
  work(Rank);
  if (threadIdx.x == 0)
    arriveIn(&Told, Rank ^ 1);
  work(Rank);
  Out[First + threadIdx.x] = Mine;
  wait(&Told, 0);
}

// A ring whose consumers release the slots of both blocks: of the last ones nobody
// asks any more.
KERNEL last_slots_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ alignas(128) float4 Ring[2][128];
  __shared__ uint64_t Full[2], Empty[2];
  const uint32_t Rank = rankInCluster();
  const float4 *From = In + blockIdx.x * Tiles * 128;
  if (threadIdx.x == 0) {
    for (int S = 0; S < 2; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 2 * 3);
    }
  }
  meet();
  if (threadIdx.x == 96) {
    for (int K = 0; K < Tiles; ++K) {
      wait(&Empty[K % 2], (K / 2 & 1) ^ 1);
      arriveAndExpect(&Full[K % 2], 96 * 16);
      load(Ring[K % 2], &From[K * 128], 96 * 16, &Full[K % 2]);
    }
  } else if (threadIdx.x < 96) {
    for (int K = 0; K < Tiles; ++K) {
      wait(&Full[K % 2], K / 2 & 1);
      Out[(blockIdx.x * Tiles + K) * 128 + threadIdx.x] =
          Ring[K % 2][threadIdx.x];
      if (threadIdx.x < 32)
        Out[(blockIdx.x * Tiles + K) * 128 + 96 + threadIdx.x] =
            From[K * 128 + 96 + threadIdx.x];
      __syncwarp();
      if (K == Tiles - 1)
        work(Rank);
      if (threadIdx.x % 32 < 2)
        arriveIn(&Empty[K % 2], threadIdx.x % 32);
        // expect-note@-1: a barrier of the cluster belongs between this and the end of the kernel
        // expect-note@-2: thread 0 of block 1 reaches block 0 here
        // expect-warning@-3{cpasync-absent-block}: 'Empty' of block 0 may be reached here after that block has ended
    }
  }
}
// expect-note@-1: kernel ends here
KERNEL last_slots_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Ring[2][128];
  __shared__ uint64_t Full[2], Empty[2];
  const uint32_t Rank = rankInCluster();
  const float4 *From = In + blockIdx.x * Tiles * 128;
  if (threadIdx.x == 0) {
    for (int S = 0; S < 2; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 2 * 3);
    }
  }
  meet();
  if (threadIdx.x == 96) {
    for (int K = 0; K < Tiles; ++K) {
      wait(&Empty[K % 2], (K / 2 & 1) ^ 1);
      arriveAndExpect(&Full[K % 2], 96 * 16);
      load(Ring[K % 2], &From[K * 128], 96 * 16, &Full[K % 2]);
    }
    for (int K = Tiles; K < Tiles + 2; ++K)
      wait(&Empty[K % 2], (K / 2 & 1) ^ 1);
  } else if (threadIdx.x < 96) {
    for (int K = 0; K < Tiles; ++K) {
      wait(&Full[K % 2], K / 2 & 1);
      Out[(blockIdx.x * Tiles + K) * 128 + threadIdx.x] =
          Ring[K % 2][threadIdx.x];
      if (threadIdx.x < 32)
        Out[(blockIdx.x * Tiles + K) * 128 + 96 + threadIdx.x] =
            From[K * 128 + 96 + threadIdx.x];
      __syncwarp();
      if (K == Tiles - 1)
        work(Rank);
      if (threadIdx.x % 32 < 2)
        arriveIn(&Empty[K % 2], threadIdx.x % 32);
    }
  }
}

// The tile lies in the other block, which may have ended.
KERNEL read_there_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  auto Cluster = cooperative_groups::this_cluster();
  const uint32_t Rank = Cluster.block_rank();
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  Cluster.sync();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[(blockIdx.x ^ 1) * 128], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  Cluster.sync();
  const float4 *There = Cluster.map_shared_rank(Tile, Rank ^ 1);
  work(Rank);
  Out[blockIdx.x * 128 + threadIdx.x] = There[threadIdx.x];
  // expect-note@-1: a barrier of the cluster belongs between this and the end of the kernel
  // expect-note@-2: thread 0 of block 0 reaches block 1 here
  // expect-warning@-3{cpasync-absent-block}: 'Tile' of block 1 may be reached here after that block has ended
}
// expect-note@-1: kernel ends here
KERNEL read_there_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  auto Cluster = cooperative_groups::this_cluster();
  const uint32_t Rank = Cluster.block_rank();
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  Cluster.sync();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[(blockIdx.x ^ 1) * 128], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  Cluster.sync();
  const float4 *There = Cluster.map_shared_rank(Tile, Rank ^ 1);
  work(Rank);
  Out[blockIdx.x * 128 + threadIdx.x] = There[threadIdx.x];
  Cluster.sync();
}

// The last of two blocks has no next one.
KERNEL next_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0)
    initBarrier(&Full, 2);
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
    arriveIn(&Full, Rank + 1);
    // expect-note@-1: ranks, and the bits of a mask, are those of the blocks that the cluster has
    // expect-note@-2: thread 0 of block 0 reaches block 2 here
    // expect-warning@-3{cpasync-absent-block}: 'Full' of block 2 is reached here in a cluster of 2 blocks
  }
  wait(&Full, 0);
  // expect-skipped@-1: some of the blocks that wait here could go on before the others
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  meet();
}
KERNEL next_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0)
    initBarrier(&Full, 2);
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
    arriveIn(&Full, (Rank + 1) % 2);
  }
  wait(&Full, 0);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  meet();
}

// A mask for four blocks.
KERNEL mask_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tiles[2][128];
  __shared__ uint64_t Full;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tiles));
    loadTo(0xf, Tiles[Rank], &In[blockIdx.x * 128], sizeof(Tiles[0]), &Full);
    // expect-note@-1: ranks, and the bits of a mask, are those of the blocks that the cluster has
    // expect-note@-2: thread 0 of block 0 reaches block 2 here
    // expect-warning@-3{cpasync-absent-block}: 'Tiles' of block 2 is reached here in a cluster of 2 blocks
  }
  wait(&Full, 0);
  Out[blockIdx.x * 128 + threadIdx.x] = Tiles[Rank][threadIdx.x];
  meet();
}
KERNEL mask_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tiles[2][128];
  __shared__ uint64_t Full;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tiles));
    loadTo(0x3, Tiles[Rank], &In[blockIdx.x * 128], sizeof(Tiles[0]), &Full);
  }
  wait(&Full, 0);
  Out[blockIdx.x * 128 + threadIdx.x] = Tiles[Rank][threadIdx.x];
  meet();
}

// A block gets what it does not wait for.
KERNEL sent_last_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128], Come[128];
  __shared__ uint64_t Full;
  const uint32_t Rank = rankInCluster();
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  Tile[threadIdx.x] = In[First + threadIdx.x];
  fence();
  meet();
  work(Rank);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  if (Rank == 0 && threadIdx.x == 0)
    sendTo(1, Come, Tile, sizeof(Tile), &Full);
    // expect-note@-1: a barrier of the cluster belongs between this and the end of the kernel
    // expect-note@-2: thread 0 of block 0 reaches block 1 here
    // expect-warning@-3{cpasync-absent-block}: 'Come' of block 1 may be reached here after that block has ended
}
// expect-note@-1: kernel ends here
KERNEL sent_last_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128], Come[128];
  __shared__ uint64_t Full;
  const uint32_t Rank = rankInCluster();
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  Tile[threadIdx.x] = In[First + threadIdx.x];
  fence();
  meet();
  work(Rank);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  if (Rank == 0 && threadIdx.x == 0)
    sendTo(1, Come, Tile, sizeof(Tile), &Full);
  if (Rank == 1) {
    if (threadIdx.x == 0)
      arriveAndExpect(&Full, sizeof(Come));
    wait(&Full, 0);
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(told_last, Trap), OK(waits_to_be_told_ok),
          TWINS(last_slots, Trap), TWINS(read_there, Trap), TWINS(next, Trap),
          TWINS(mask, Trap), TWINS(sent_last, Trap))
#endif
