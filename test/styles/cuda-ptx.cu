//===- cuda-ptx.cu - Scale and shift, cuda::ptx functions ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes Y = Alpha * X + Beta. One producer thread loads tiles of X into a
// ring of three stages, four consumer warps write the results to one of two
// tiles in shared memory, which one of their threads stores by bulk copy.
//
// Host contract: X and Y hold Count floats, Count is a multiple of 4, and both
// pointers are aligned to 16 bytes. The last tile may be short.
//===----------------------------------------------------------------------===//

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace ptx = cuda::ptx;

namespace {

constexpr int Stages = 3;
constexpr int ResultTiles = 2;
constexpr int TileFloats = 1024;
constexpr int ConsumerWarps = 4;
constexpr int ConsumerThreads = 32 * ConsumerWarps;
constexpr int BlockThreads = ConsumerThreads + 32;

__device__ __forceinline__ void waitFor(uint64_t *Bar, uint32_t Parity) {
  while (!ptx::mbarrier_try_wait_parity(Bar, Parity))
    ;
}

__device__ __forceinline__ void syncConsumers() {
  asm volatile("bar.sync 1, 128;" : : : "memory");
}

// The number of floats in tile Tile: all but the last tile are full.
__device__ __forceinline__ int floatsInTile(int64_t Tile, int64_t Count) {
  const int64_t Left = Count - Tile * TileFloats;
  return Left < TileFloats ? static_cast<int>(Left) : TileFloats;
}

__global__ void __launch_bounds__(BlockThreads)
    scaleAndShift(const float *X, float *Y, int64_t Count, float Alpha,
                  float Beta) {
  __shared__ alignas(128) float Input[Stages][TileFloats];
  __shared__ alignas(128) float Result[ResultTiles][TileFloats];
  __shared__ uint64_t Full[Stages];
  __shared__ uint64_t Empty[Stages];

  const int64_t Tiles = (Count + TileFloats - 1) / TileFloats;

  if (threadIdx.x == 0) {
    for (int Stage = 0; Stage < Stages; ++Stage) {
#if MISTAKE == 1
      // MISTAKE 1: counts the producer warp, but one thread of it arrives
      ptx::mbarrier_init(&Full[Stage], 32);
#else
      ptx::mbarrier_init(&Full[Stage], 1);
#endif
      ptx::mbarrier_init(&Empty[Stage], ConsumerWarps);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();

  int Stage = 0;
  uint32_t Phase = 0;

  if (threadIdx.x >= ConsumerThreads) {
    if (threadIdx.x == ConsumerThreads) {
      for (int64_t Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
        const uint32_t Bytes = floatsInTile(Tile, Count) * sizeof(float);
#if MISTAKE == 2
        // MISTAKE 2: doesn't wait for the consumers to release the slot
#else
        // AT 8 (mismatched-phase): three of four arrivals are missing in the
        // second round
        waitFor(&Empty[Stage], Phase ^ 1);
#endif
#if MISTAKE == 3
        // MISTAKE 3: announces a full tile, but the last one may be short
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &Full[Stage],
                                       TileFloats * sizeof(float));
#else
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &Full[Stage], Bytes);
#endif
        // AT 2 (in-flight-overwrite): overwrites a slot that the consumers may
        // still be reading
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, Input[Stage],
                           X + Tile * TileFloats, Bytes, &Full[Stage]);
        if (++Stage == Stages) {
          Stage = 0;
          Phase ^= 1;
        }
      }
    }
    return;
  }

  int Buffer = 0;
  for (int64_t Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
    const int Floats = floatsInTile(Tile, Count);

    // The store of the tile before the last must have read its buffer.
    if (threadIdx.x == 0) {
#if MISTAKE == 5
      // MISTAKE 5: as many as there are buffers
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<ResultTiles>());
#else
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<ResultTiles - 1>());
#endif
    }
#if MISTAKE == 7
    // MISTAKE 7: only thread 0 knows that the buffer is free
#else
    syncConsumers();
#endif

#if MISTAKE == 4
    // MISTAKE 4: tries once and takes the answer for granted
    ptx::mbarrier_try_wait_parity(&Full[Stage], Phase);
#else
    // AT 1 (mismatched-phase): 31 of 32 arrivals never come
    // AT 3 (mismatched-phase): some of the bytes never come
    waitFor(&Full[Stage], Phase);
#endif

#if MISTAKE == 6
    // MISTAKE 6: the fence stands ahead of the writes that it is to order
    ptx::fence_proxy_async(ptx::space_shared);
#endif
    for (int Index = 4 * threadIdx.x; Index < Floats;
         Index += 4 * ConsumerThreads) {
      // AT 4 (unwaited-read): the tile may not have landed
      float4 Value = *reinterpret_cast<const float4 *>(&Input[Stage][Index]);
      Value.x = Alpha * Value.x + Beta;
      Value.y = Alpha * Value.y + Beta;
      Value.z = Alpha * Value.z + Beta;
      Value.w = Alpha * Value.w + Beta;
      // AT 5 (in-flight-overwrite): the store before the last may still be
      // reading
      // AT 7 (in-flight-overwrite): the store from this buffer may still be
      // reading
      *reinterpret_cast<float4 *>(&Result[Buffer][Index]) = Value;
    }

    __syncwarp();
#if MISTAKE == 8
    // MISTAKE 8: one arrival for all consumers, not one for each warp
    if (threadIdx.x == 0)
      ptx::mbarrier_arrive(&Empty[Stage]);
#else
    if (threadIdx.x % 32 == 0)
      ptx::mbarrier_arrive(&Empty[Stage]);
#endif
    if (++Stage == Stages) {
      Stage = 0;
      Phase ^= 1;
    }

#if MISTAKE != 6
    ptx::fence_proxy_async(ptx::space_shared);
#endif
    syncConsumers();
    if (threadIdx.x == 0) {
      // AT 6 (unfenced-bulk-copy): the async proxy may not see the results just
      // written
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                         Y + Tile * TileFloats, Result[Buffer],
                         static_cast<uint32_t>(Floats * sizeof(float)));
      ptx::cp_async_bulk_commit_group();
    }
    Buffer ^= 1;
  }

  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

} // namespace

cudaError_t launchScaleAndShift(const float *X, float *Y, int64_t Count,
                                float Alpha, float Beta, int Blocks,
                                cudaStream_t Stream) {
  scaleAndShift<<<Blocks, 160, 0, Stream>>>(X, Y, Count, Alpha, Beta);
  return cudaGetLastError();
}
