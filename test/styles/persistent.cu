//===- persistent.cu - Norms of rows, persistent blocks --------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes the root mean square of each row of a matrix. Persistent blocks walk
// over tiles of 64 rows; a producer warp feeds a ring of four stages by tensor
// copies, and stage and phase are carried on from tile to tile.
//
// Host contract: the matrix has MatrixRows x MatrixColumns floats, row-major;
// both pointers are aligned to 16 bytes.
//===----------------------------------------------------------------------===//

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

namespace {

constexpr int MatrixRows = 32768;
constexpr int MatrixColumns = 1600;
constexpr int Stages = 4;
constexpr int BoxRows = 64;
constexpr int BoxColumns = 32;
constexpr int BoxFloats = BoxRows * BoxColumns;
constexpr uint32_t BoxBytes = BoxFloats * sizeof(float);
constexpr int Steps = MatrixColumns / BoxColumns;
constexpr int ConsumerWarps = 8;
constexpr int ConsumerThreads = 32 * ConsumerWarps;
constexpr int BlockThreads = ConsumerThreads + 32;
constexpr int WarpRows = BoxRows / ConsumerWarps;

static_assert(MatrixColumns % BoxColumns == 0, "no partial boxes");
static_assert(MatrixRows % BoxRows == 0, "no partial tiles");

struct PipeState {
  int Stage;
  uint32_t Phase;

  __device__ __forceinline__ void advance() {
    if (++Stage == Stages) {
      Stage = 0;
      Phase ^= 1;
    }
  }
};

struct SharedStorage {
  alignas(128) float Box[Stages][BoxFloats];
  alignas(128) float Norm[BoxRows];
  alignas(8) uint64_t Full[Stages];
  alignas(8) uint64_t Empty[Stages];
};

__device__ __forceinline__ uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ __forceinline__ bool electOne() {
  uint32_t Elected;
  asm volatile("{\n"
               "  .reg .pred P;\n"
               "  elect.sync _|P, 0xffffffff;\n"
               "  selp.u32 %0, 1, 0, P;\n"
               "}"
               : "=r"(Elected));
  return Elected != 0;
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

__device__ __forceinline__ void arrive(uint64_t *Bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
               :
               : "r"(sharedAddress(Bar))
               : "memory");
}

__device__ __forceinline__ void wait(uint64_t *Bar, uint32_t Parity) {
  uint32_t Complete = 0;
  while (!Complete) {
    asm volatile("{\n"
                 "  .reg .pred P;\n"
                 "  mbarrier.try_wait.parity.shared::cta.b64 P, [%1], %2;\n"
                 "  selp.u32 %0, 1, 0, P;\n"
                 "}"
                 : "=r"(Complete)
                 : "r"(sharedAddress(Bar)), "r"(Parity)
                 : "memory");
  }
}

__device__ __forceinline__ void prefetchMap(const CUtensorMap *Map) {
  asm volatile("prefetch.tensormap [%0];"
               :
               : "l"(reinterpret_cast<uint64_t>(Map))
               : "memory");
}

__device__ __forceinline__ void loadBox(void *Dst, const CUtensorMap *Map,
                                        int Column, int Row, uint64_t *Bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               :
               : "r"(sharedAddress(Dst)),
                 "l"(reinterpret_cast<uint64_t>(Map)), "r"(Column), "r"(Row),
                 "r"(sharedAddress(Bar))
               : "memory");
}

__device__ __forceinline__ void storeBulk(void *Dst, const void *Src,
                                          uint32_t Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               :
               : "l"(__cvta_generic_to_global(Dst)), "r"(sharedAddress(Src)),
                 "r"(Bytes)
               : "memory");
}

__device__ __forceinline__ void commitStores() {
  asm volatile("cp.async.bulk.commit_group;" : : : "memory");
}

template <int Pending> __device__ __forceinline__ void waitStoresRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;"
               :
               : "n"(Pending)
               : "memory");
}

__device__ __forceinline__ void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

__device__ __forceinline__ void syncConsumers() {
  asm volatile("bar.sync 1, %0;" : : "n"(ConsumerThreads) : "memory");
}

__global__ void __launch_bounds__(BlockThreads, 1)
    rowNorms(const __grid_constant__ CUtensorMap Map, float *Norms,
             int Tiles) {
  __shared__ SharedStorage Shared;

  const int Warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  const int Lane = threadIdx.x % 32;

  if (threadIdx.x == 0) {
    prefetchMap(&Map);
    for (int Stage = 0; Stage < Stages; ++Stage) {
      initBarrier(&Shared.Full[Stage], 1);
      initBarrier(&Shared.Empty[Stage], ConsumerThreads);
    }
    fenceBarrierInit();
  }
#if MISTAKE == 2
  // MISTAKE 2: nobody waits for the initialisation
#else
  __syncthreads();
#endif

  if (Warp == ConsumerWarps) {
#if MISTAKE == 3
    // MISTAKE 3: the whole warp issues, not one elected lane
    {
#else
    if (electOne()) {
#endif
      // The slots are empty at the start: the phase before the first is over.
      PipeState State = {0, 1};
      for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
        for (int Step = 0; Step < Steps; ++Step) {
#if MISTAKE == 7
          // MISTAKE 7: takes the ring to be empty at the start of each tile
          if (Step >= Stages)
            wait(&Shared.Empty[State.Stage], State.Phase);
#else
          // AT 8 (mismatched-phase): the slot of the last step was never
          // released
          // AT 2 (mismatched-phase): may not be initialised yet
          wait(&Shared.Empty[State.Stage], State.Phase);
#endif
          // AT 3 (mismatched-phase): 32 arrivals at a barrier that is
          // initialised for one
          arriveExpectTx(&Shared.Full[State.Stage], BoxBytes);
          // AT 7 (in-flight-overwrite): from the second tile on overwrites
          // slots still in use
          // AT 1 (in-flight-overwrite): consumers and producer mean different
          // slots
          loadBox(Shared.Box[State.Stage], &Map, Step * BoxColumns,
                  Tile * BoxRows, &Shared.Full[State.Stage]);
          State.advance();
        }
      }
    }
  } else {
#if MISTAKE != 1
    PipeState State = {0, 0};
#endif
    for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
#if MISTAKE == 1
      // MISTAKE 1: starts anew at each tile, but the producer goes on
      PipeState State = {0, 0};
#endif
      float Sum[WarpRows] = {};
      for (int Step = 0; Step < Steps; ++Step) {
        // AT 4 (mismatched-phase): half of the announced bytes never come
        wait(&Shared.Full[State.Stage], State.Phase);
        const float *Box =
            &Shared.Box[State.Stage][Warp * WarpRows * BoxColumns + Lane];
#pragma unroll
        for (int Row = 0; Row < WarpRows; ++Row) {
          const float Value = Box[Row * BoxColumns];
          Sum[Row] += Value * Value;
        }
#if MISTAKE == 8
        // MISTAKE 8: nobody seems to refill after the last step of a tile
        if (Step + 1 < Steps)
          arrive(&Shared.Empty[State.Stage]);
#else
        arrive(&Shared.Empty[State.Stage]);
#endif
        State.advance();
      }

      // Epilogue: the store of the tile before must have read the norms.
#if MISTAKE == 5
      // MISTAKE 5: doesn't wait for the store of the tile before
#else
      if (threadIdx.x == 0)
        waitStoresRead<0>();
#endif
      syncConsumers();
#pragma unroll
      for (int Row = 0; Row < WarpRows; ++Row) {
        float Total = Sum[Row];
#pragma unroll
        for (int Distance = 16; Distance > 0; Distance /= 2)
          Total += __shfl_xor_sync(0xffffffff, Total, Distance);
        if (Lane == 0)
          // AT 5 (in-flight-overwrite): the store of the tile before may still
          // be reading
          Shared.Norm[Warp * WarpRows + Row] = sqrtf(Total / MatrixColumns);
      }
      fenceProxyAsync();
#if MISTAKE == 6
      // MISTAKE 6: the issuing thread doesn't wait for the other warps
#else
      syncConsumers();
#endif
      if (threadIdx.x == 0) {
        // AT 6 (unfenced-bulk-copy): the other warps may not have written their
        // norms yet
        storeBulk(Norms + Tile * BoxRows, Shared.Norm,
                  BoxRows * sizeof(float));
        commitStores();
      }
    }
    if (threadIdx.x == 0)
      waitStoresRead<0>();
  }
}

} // namespace

bool launchRowNorms(float *Matrix, float *Norms, cudaStream_t Stream) {
  const cuuint64_t Sizes[2] = {MatrixColumns, MatrixRows};
  const cuuint64_t Strides[1] = {MatrixColumns * sizeof(float)};
#if MISTAKE == 4
  // MISTAKE 4: a box of half the rows that the kernel announces
  const cuuint32_t Box[2] = {BoxColumns, BoxRows / 2};
#else
  const cuuint32_t Box[2] = {BoxColumns, BoxRows};
#endif
  const cuuint32_t ElementStrides[2] = {1, 1};
  CUtensorMap Map;
  if (cuTensorMapEncodeTiled(
          &Map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, Matrix, Sizes, Strides,
          Box, ElementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE,
          CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return false;

  int Device = 0;
  int Processors = 0;
  if (cudaGetDevice(&Device) != cudaSuccess ||
      cudaDeviceGetAttribute(&Processors, cudaDevAttrMultiProcessorCount,
                             Device) != cudaSuccess)
    return false;
  constexpr int Tiles = MatrixRows / BoxRows;
  const int Blocks = Processors < Tiles ? Processors : Tiles;
  rowNorms<<<Blocks, 288, 0, Stream>>>(Map, Norms, Tiles);
  return cudaGetLastError() == cudaSuccess;
}
