//===- multicast.cu - Rows times shared tiles, cluster of two --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each block multiplies its own row of X by the matrix W of 256 columns. The
// two blocks of a cluster share the tiles of W: each of them loads one half of
// every tile by multicast into both blocks.
//
// Host contract: X is (2 * Pairs) x (Tiles * TileRows) floats, W (Tiles *
// TileRows) x 256, Out (2 * Pairs) x 256, all row-major. W is aligned to 16
// bytes.
//===----------------------------------------------------------------------===//

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda_runtime.h>

namespace {

constexpr int ClusterBlocks = 2;
constexpr int Stages = 2;
constexpr int TileRows = 8;
constexpr int TileColumns = 256;
constexpr int TileFloats = TileRows * TileColumns;
constexpr int HalfFloats = TileFloats / ClusterBlocks;
constexpr uint32_t TileBytes = TileFloats * sizeof(float);
constexpr uint32_t HalfBytes = HalfFloats * sizeof(float);
constexpr int ConsumerThreads = TileColumns;
constexpr int ConsumerWarps = ConsumerThreads / 32;
constexpr int BlockThreads = ConsumerThreads + 32;

__device__ __forceinline__ uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ __forceinline__ uint32_t clusterRank() {
  uint32_t Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  return Rank;
}

// The address in the shared memory of block Rank that corresponds to Pointer.
__device__ __forceinline__ uint32_t mapToRank(const void *Pointer,
                                              uint32_t Rank) {
  uint32_t Mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(Mapped)
               : "r"(sharedAddress(Pointer)), "r"(Rank));
  return Mapped;
}

__device__ __forceinline__ void clusterArrive() {
  asm volatile("barrier.cluster.arrive.release;" : : : "memory");
}

__device__ __forceinline__ void clusterWait() {
  asm volatile("barrier.cluster.wait.acquire;" : : : "memory");
}

__device__ __forceinline__ void initBarrier(uint64_t *Bar, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(sharedAddress(Bar)), "r"(Count)
               : "memory");
}

__device__ __forceinline__ void fenceBarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

__device__ __forceinline__ void arriveExpectTx(uint64_t *Bar, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(sharedAddress(Bar)), "r"(Bytes)
               : "memory");
}

// Arrives at a barrier in any block of the cluster.
__device__ __forceinline__ void arriveCluster(uint32_t Bar) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
               :
               : "r"(Bar)
               : "memory");
}

__device__ __forceinline__ bool tryWait(uint64_t *Bar, uint32_t Parity) {
  uint32_t Complete;
  asm volatile("{\n"
               "  .reg .pred P;\n"
               "  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P, "
               "[%1], %2;\n"
               "  selp.u32 %0, 1, 0, P;\n"
               "}"
               : "=r"(Complete)
               : "r"(sharedAddress(Bar)), "r"(Parity)
               : "memory");
  return Complete != 0;
}

__device__ __forceinline__ void wait(uint64_t *Bar, uint32_t Parity) {
  while (!tryWait(Bar, Parity))
    ;
}

// Copies to the same place in each block whose bit is set in BlockMask, and
// completes the bytes on the barrier at the same place in each.
__device__ __forceinline__ void loadMulticast(void *Dst, const void *Src,
                                              uint32_t Bytes, uint64_t *Bar,
                                              uint16_t BlockMask) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               :
               : "r"(sharedAddress(Dst)), "l"(__cvta_generic_to_global(Src)),
                 "r"(Bytes), "r"(sharedAddress(Bar)), "h"(BlockMask)
               : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(BlockThreads)
    rowsTimesTiles(const float *X, const float *W, float *Out, int Tiles) {
  __shared__ alignas(128) float Tile[Stages][TileFloats];
  __shared__ alignas(8) uint64_t Full[Stages];
  __shared__ alignas(8) uint64_t Empty[Stages];

  const uint32_t Rank = clusterRank();
  const int Lane = threadIdx.x % 32;

  if (threadIdx.x == 0) {
    for (int Stage = 0; Stage < Stages; ++Stage) {
#if MISTAKE == 2
      // MISTAKE 2: one arrival for each producer, but each arrives only at home
      initBarrier(&Full[Stage], ClusterBlocks);
#else
      initBarrier(&Full[Stage], 1);
#endif
      initBarrier(&Empty[Stage], ClusterBlocks * ConsumerWarps);
    }
    fenceBarrierInit();
  }
#if MISTAKE == 5
  // MISTAKE 5: waits for the threads of its own block only
  __syncthreads();
#else
  clusterArrive();
  clusterWait();
#endif

  int Stage = 0;
  uint32_t Phase = 0;

  if (threadIdx.x == ConsumerThreads) {
    // Producer: loads the half of each tile that belongs to its rank.
    for (int Index = 0; Index < Tiles; ++Index) {
      const float *Half =
          W + static_cast<size_t>(Index) * TileFloats + Rank * HalfFloats;
      // AT 3 (mismatched-phase): the other block's arrivals never come
      // AT 6 (mismatched-phase): the other block never gets its half
      wait(&Empty[Stage], Phase ^ 1);
#if MISTAKE == 1
      // MISTAKE 1: announces only the half that it loads itself
      // AT 1 (mismatched-phase): announces half of the bytes that come
      arriveExpectTx(&Full[Stage], HalfBytes);
#else
      arriveExpectTx(&Full[Stage], TileBytes);
#endif
#if MISTAKE == 6
      // MISTAKE 6: the mask names only the own block
      loadMulticast(&Tile[Stage][Rank * HalfFloats], Half, HalfBytes,
                    &Full[Stage], static_cast<uint16_t>(1u << Rank));
#elif MISTAKE == 7
      // MISTAKE 7: forgets the offset of the half in the destination
      // AT 7 (in-flight-overwrite): both blocks write the first half, nobody
      // the second
      loadMulticast(&Tile[Stage][0], Half, HalfBytes, &Full[Stage],
                    (1u << ClusterBlocks) - 1);
#else
      // AT 5 (mismatched-phase): the other block may not have initialised its
      // barriers yet
      loadMulticast(&Tile[Stage][Rank * HalfFloats], Half, HalfBytes,
                    &Full[Stage], (1u << ClusterBlocks) - 1);
#endif
      Stage ^= 1;
      if (Stage == 0)
        Phase ^= 1;
    }
  } else if (threadIdx.x < ConsumerThreads) {
    // Consumers: one column for each thread.
    const float *XRow = X + static_cast<size_t>(blockIdx.x) * Tiles * TileRows;
    float Sum = 0.0f;
    for (int Index = 0; Index < Tiles; ++Index) {
      // AT 2 (mismatched-phase): the other producer's arrival never comes
      wait(&Full[Stage], Phase);
#pragma unroll
      for (int Row = 0; Row < TileRows; ++Row)
        Sum += XRow[Index * TileRows + Row] *
               // AT 8 (unwaited-read): the wait was for the phase before
               Tile[Stage][Row * TileColumns + threadIdx.x];
      __syncwarp();
#if MISTAKE == 3
      // MISTAKE 3: releases the slot to its own producer only
      if (Lane == 0)
        arriveCluster(mapToRank(&Empty[Stage], Rank));
#else
      // Each of the first two lanes tells one of the two producers.
      if (Lane < ClusterBlocks)
        // AT 4 (absent-block): the other block may have ended, and its barrier
        // with it
        arriveCluster(mapToRank(&Empty[Stage], Lane));
#endif
#if MISTAKE == 8
      // MISTAKE 8: turns the phase at every tile, not at every second one
      Stage ^= 1;
      Phase ^= 1;
#else
      Stage ^= 1;
      if (Stage == 0)
        Phase ^= 1;
#endif
    }
    Out[static_cast<size_t>(blockIdx.x) * TileColumns + threadIdx.x] = Sum;
  }

#if MISTAKE == 4
  // MISTAKE 4: ends without waiting for the other block
#else
  // The other block arrives at barriers of this one until it is done.
  clusterArrive();
  clusterWait();
#endif
}

} // namespace

cudaError_t launchRowsTimesTiles(const float *X, const float *W, float *Out,
                                 int Pairs, int Tiles, cudaStream_t Stream) {
  rowsTimesTiles<<<ClusterBlocks * Pairs, BlockThreads, 0, Stream>>>(X, W, Out,
                                                                     Tiles);
  return cudaGetLastError();
}
