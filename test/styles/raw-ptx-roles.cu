//===- raw-ptx-roles.cu - Row times panel, warp roles ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Multiplies one row of A by one panel of 256 columns of B for each block. One
// producer warp feeds a ring of stages by bulk copies in inline PTX, two
// consumer warpgroups multiply, and the result row leaves by a bulk store.
//
// Host contract: A is Rows x (Tiles * TileK) floats, row-major; B is Panels
// panels of (Tiles * TileK) x TileN floats, each row-major; C is Rows x
// (Panels * TileN) floats, row-major. All pointers are aligned to 16 bytes.
//===----------------------------------------------------------------------===//

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda_runtime.h>

namespace {

constexpr int TileK = 16;
constexpr int TileN = 256;
constexpr int BlockThreads = 384;
constexpr int FirstConsumer = 128;
constexpr int ConsumerThreads = BlockThreads - FirstConsumer;
constexpr int ConsumerWarps = ConsumerThreads / 32;
#if MISTAKE == 7
// MISTAKE 7: pads the A tiles by a float, so that they lose their alignment
constexpr int APitch = TileK + 1;
#else
constexpr int APitch = TileK;
#endif
constexpr uint32_t ABytes = TileK * sizeof(float);
constexpr uint32_t BBytes = TileK * TileN * sizeof(float);
constexpr uint32_t RowBytes = TileN * sizeof(float);

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
  asm volatile("{\n"
               "  .reg .pred P;\n"
               "Again:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1;\n"
               "  @P bra Done;\n"
               "  bra Again;\n"
               "Done:\n"
               "}"
               :
               : "r"(sharedAddress(Bar)), "r"(Parity)
               : "memory");
}

__device__ __forceinline__ void loadBulk(void *Dst, const void *Src,
                                         uint32_t Bytes, uint64_t *Bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];"
               :
               : "r"(sharedAddress(Dst)), "l"(__cvta_generic_to_global(Src)),
                 "r"(Bytes), "r"(sharedAddress(Bar))
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

template <int Stages>
__global__ void __launch_bounds__(BlockThreads, 1)
    rowTimesPanel(const float *A, const float *B, float *C, int Tiles) {
  extern __shared__ __align__(128) float Ring[];
  __shared__ alignas(8) uint64_t Full[Stages];
  __shared__ alignas(8) uint64_t Empty[Stages];
  __shared__ alignas(128) float ResultRow[TileN];

  float *BTiles = Ring;
  float *ATiles = Ring + Stages * TileK * TileN;
  const int Warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  const int Lane = threadIdx.x % 32;
  const size_t Depth = static_cast<size_t>(Tiles) * TileK;

  if (threadIdx.x == 0) {
    for (int Stage = 0; Stage < Stages; ++Stage) {
      initBarrier(&Full[Stage], 1);
#if MISTAKE == 3
      // MISTAKE 3: one arrival for each thread, but only one lane of each warp
      // arrives
      initBarrier(&Empty[Stage], ConsumerThreads);
#else
      initBarrier(&Empty[Stage], ConsumerWarps);
#endif
    }
    fenceBarrierInit();
  }
#if MISTAKE == 6
  // MISTAKE 6: the consumers are not kept back until the barriers stand
#else
  __syncthreads();
#endif

  if (Warp < FirstConsumer / 32) {
    // Producer: one elected lane of warp 0, the rest of the warpgroup is done.
    if (Warp == 0 && electOne()) {
      const float *ARow = A + blockIdx.y * Depth;
      const float *BPanel = B + blockIdx.x * Depth * TileN;
      int Stage = 0;
      uint32_t Phase = 0;
      for (int Tile = 0; Tile < Tiles; ++Tile) {
#if MISTAKE == 1
        // MISTAKE 1: the consumers' parity, not the producer's
        // AT 1 (mismatched-phase): waits for a release that can't come before
        // the first fill
        wait(&Empty[Stage], Phase);
#else
        // AT 3 (mismatched-phase): the second round never sees this phase
        // complete
        wait(&Empty[Stage], Phase ^ 1);
#endif
#if MISTAKE == 2
        // MISTAKE 2: forgets the bytes of the A tile
        // AT 2 (mismatched-phase): announces fewer bytes than the two copies
        // bring
        arriveExpectTx(&Full[Stage], BBytes);
#else
        arriveExpectTx(&Full[Stage], ABytes + BBytes);
#endif
        // AT 7 (misaligned-copy): the destination is no multiple of 16 bytes
        // from stage 1 on
        // AT 5 (in-flight-overwrite): the slot is refilled before anybody has
        // read it
        loadBulk(ATiles + Stage * APitch, ARow + Tile * TileK, ABytes,
                 &Full[Stage]);
        // AT 4 (in-flight-overwrite): the consumers may still read the slot
        loadBulk(BTiles + Stage * TileK * TileN,
                 BPanel + static_cast<size_t>(Tile) * TileK * TileN, BBytes,
                 &Full[Stage]);
        if (++Stage == Stages) {
          Stage = 0;
          Phase ^= 1;
        }
      }
    }
  } else {
    // Consumers: one column for each thread.
    const int Column = threadIdx.x - FirstConsumer;
    float Sum = 0.0f;
    int Stage = 0;
    uint32_t Phase = 0;
    for (int Tile = 0; Tile < Tiles; ++Tile) {
      const float *ATile = ATiles + Stage * APitch;
      const float *BTile = BTiles + Stage * TileK * TileN;
      // AT 6 (mismatched-phase): thread 0 may not have initialised the barrier
      // yet
      wait(&Full[Stage], Phase);
      float AValues[TileK];
#pragma unroll
      for (int K = 0; K < TileK; ++K)
        AValues[K] = ATile[K];
#if MISTAKE == 4
      // MISTAKE 4: gives the slot back when only the A tile has been read
      __syncwarp();
      if (Lane == 0)
        arrive(&Empty[Stage]);
#endif
#pragma unroll
      for (int K = 0; K < TileK; ++K)
        Sum += AValues[K] * BTile[K * TileN + Column];
#if MISTAKE != 4
      __syncwarp();
      if (Lane == 0)
        arrive(&Empty[Stage]);
#endif
#if MISTAKE == 5
      // MISTAKE 5: forgets to turn the phase when the ring wraps
      if (++Stage == Stages)
        Stage = 0;
#else
      if (++Stage == Stages) {
        Stage = 0;
        Phase ^= 1;
      }
#endif
    }

    // Epilogue: the row is gathered in shared memory and stored at once.
    ResultRow[Column] = Sum;
#if MISTAKE == 8
    // MISTAKE 8: no proxy fence between the writes and the bulk store
#else
    fenceProxyAsync();
#endif
    syncConsumers();
    if (threadIdx.x == FirstConsumer) {
      const size_t Row = blockIdx.y;
      float *CRow = C + (Row * gridDim.x + blockIdx.x) * TileN;
      // AT 8 (unfenced-bulk-copy): the async proxy may not see the row just
      // written
      storeBulk(CRow, ResultRow, RowBytes);
      commitStores();
      waitStoresRead<0>();
    }
  }
}

constexpr size_t ringBytes(int Stages) {
  return Stages * (BBytes + APitch * sizeof(float));
}

} // namespace

cudaError_t multiplyRows(const float *A, const float *B, float *C, int Rows,
                         int Panels, int Tiles, int Stages,
                         cudaStream_t Stream) {
  const dim3 Grid(Panels, Rows);
  switch (Stages) {
  case 2:
    cudaFuncSetAttribute(rowTimesPanel<2>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(ringBytes(2)));
    rowTimesPanel<2><<<Grid, BlockThreads, ringBytes(2), Stream>>>(A, B, C,
                                                                   Tiles);
    break;
  case 3:
    cudaFuncSetAttribute(rowTimesPanel<3>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(ringBytes(3)));
    rowTimesPanel<3><<<Grid, BlockThreads, ringBytes(3), Stream>>>(A, B, C,
                                                                   Tiles);
    break;
  case 4:
    cudaFuncSetAttribute(rowTimesPanel<4>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(ringBytes(4)));
    rowTimesPanel<4><<<Grid, BlockThreads, ringBytes(4), Stream>>>(A, B, C,
                                                                   Tiles);
    break;
  case 6:
    cudaFuncSetAttribute(rowTimesPanel<6>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(ringBytes(6)));
    rowTimesPanel<6><<<Grid, BlockThreads, ringBytes(6), Stream>>>(A, B, C,
                                                                   Tiles);
    break;
  default:
    return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}
