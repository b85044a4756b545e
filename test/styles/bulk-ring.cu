//===- bulk-ring.cu - Row norms through a ring of bulk loads ---*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes the sum of squares of each row of a matrix. A block streams its row
// through a ring of four slots; all threads consume and thread 0 refills.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda_runtime.h>

constexpr int STAGES = 4;
constexpr int SlotBytes = 2048;
constexpr int SlotFloats = SlotBytes / sizeof(float);
constexpr int Threads = 224;
constexpr int Warps = Threads / 32;

__device__ inline uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ inline void initBarrier(uint64_t *Barrier, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(sharedAddress(Barrier)), "r"(Count)
               : "memory");
}

__device__ inline void fenceBarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void arriveExpectTx(uint64_t *Barrier, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(sharedAddress(Barrier)), "r"(Bytes)
               : "memory");
}

__device__ inline void wait(uint64_t *Barrier, uint32_t Parity) {
  asm volatile("{\n"
               "  .reg .pred Done;\n"
               "Retry:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 Done, [%0], %1;\n"
               "  @Done bra Completed;\n"
               "  bra Retry;\n"
               "Completed:\n"
               "}\n"
               :
               : "r"(sharedAddress(Barrier)), "r"(Parity)
               : "memory");
}

__device__ inline void bulkLoad(void *Shared, const void *Global,
                                uint32_t Bytes, uint64_t *Barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
               "::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(sharedAddress(Shared)),
                 "l"(__cvta_generic_to_global(Global)), "r"(Bytes),
                 "r"(sharedAddress(Barrier))
               : "memory");
}

// Loads a chunk of the row; the last one may be shorter.
__device__ inline void fill(float *Slot, uint64_t *Full, const float *Row,
                            int Chunk, int Count) {
  const int First = Chunk * SlotFloats;
#if MISTAKE == 8
  // MISTAKE 8: the number of floats is taken for the number of bytes
  const uint32_t Bytes = min(SlotFloats, Count - First);
#else
  const uint32_t Bytes = min(SlotFloats, Count - First) * sizeof(float);
#endif
#if MISTAKE == 2
  // MISTAKE 2: announces a whole slot for the short chunk, too
  arriveExpectTx(Full, SlotBytes);
#else
  arriveExpectTx(Full, Bytes);
#endif
  bulkLoad(Slot, Row + First, Bytes, Full);
}

// Count is a multiple of 4 and In is aligned to 16 bytes.
__global__ void __launch_bounds__(Threads)
    squareNorms(const float *__restrict__ In, float *__restrict__ Out,
                int Count) {
  __shared__ alignas(128) float Slots[STAGES][SlotFloats];
  __shared__ alignas(8) uint64_t Full[STAGES];
  __shared__ float WarpSums[Warps];

  const float *Row = In + static_cast<size_t>(blockIdx.x) * Count;
  const int Chunks = (Count + SlotFloats - 1) / SlotFloats;

  if (threadIdx.x == 0) {
    for (int S = 0; S < STAGES; ++S) {
#if MISTAKE == 5
      // MISTAKE 5: only thread 0 ever arrives
      initBarrier(&Full[S], Threads);
#else
      initBarrier(&Full[S], 1);
#endif
    }
    fenceBarrierInit();
    for (int S = 0; S < STAGES && S < Chunks; ++S)
      fill(Slots[S], &Full[S], Row, S, Count);
  }
#if MISTAKE == 6
  // MISTAKE 6: the other threads do not wait for the initialisation
#else
  __syncthreads();
#endif

  float Sum = 0.0f;
  for (int Chunk = 0; Chunk < Chunks; ++Chunk) {
    const int Slot = Chunk % STAGES;
#if MISTAKE == 1
    // MISTAKE 1: the parity changes with each chunk, not with each lap
    const uint32_t Parity = Chunk & 1;
#else
    const uint32_t Parity = (Chunk / STAGES) & 1;
#endif

#if MISTAKE == 2
    // AT 2 (mismatched-phase): the phase of a short chunk never completes
    wait(&Full[Slot], Parity);
#elif MISTAKE == 5
    // AT 5 (mismatched-phase): 223 arrivals are missing, the phase never
    // completes
    wait(&Full[Slot], Parity);
#elif MISTAKE == 7
    // MISTAKE 7: only thread 0 waits
    if (threadIdx.x == 0)
      wait(&Full[Slot], Parity);
#else
    // AT 6 (mismatched-phase): the barrier may not be initialised yet
    wait(&Full[Slot], Parity);
#endif

    const int Floats = min(SlotFloats, Count - Chunk * SlotFloats);
    for (int I = threadIdx.x; I < Floats; I += Threads) {
      // AT 1 (unwaited-read): the wait returned for the phase before, the chunk
      // is not there
      // AT 7 (unsynchronized-read): all threads but the first read without
      // having waited
      // AT 4 (unwaited-read): this chunk is loaded twice, and not waited for
      // AT 8 (uncopied-read): most of the chunk was never copied
      float Value = Slots[Slot][I];
      Sum += Value * Value;
    }

#if MISTAKE == 3
    // MISTAKE 3: refills before all threads are done with the slot
#else
    __syncthreads();
#endif
#if MISTAKE == 4
    // MISTAKE 4: off by one, this is the chunk that is loaded already
    if (threadIdx.x == 0 && Chunk + STAGES - 1 < Chunks) {
      const int Next = Chunk + STAGES - 1;
      fill(Slots[Next % STAGES], &Full[Next % STAGES], Row, Next, Count);
    }
#else
    if (threadIdx.x == 0 && Chunk + STAGES < Chunks) {
      // AT 3 (in-flight-overwrite): other threads may still read the slot
      fill(Slots[Slot], &Full[Slot], Row, Chunk + STAGES, Count);
    }
#endif
  }

  for (int Offset = 16; Offset > 0; Offset /= 2)
    Sum += __shfl_down_sync(0xffffffff, Sum, Offset);
  if (threadIdx.x % 32 == 0)
    WarpSums[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float Total = 0.0f;
    for (int W = 0; W < Warps; ++W)
      Total += WarpSums[W];
    Out[blockIdx.x] = Total;
  }
}

// In is a matrix of Rows x Count floats. Count must be a multiple of 4 and In
// aligned to 16 bytes.
cudaError_t launchSquareNorms(const float *In, float *Out, int Rows, int Count,
                              cudaStream_t Stream) {
  if (Rows <= 0 || Count < 0 || Count % 4 != 0)
    return cudaErrorInvalidValue;
  squareNorms<<<Rows, 224, 0, Stream>>>(In, Out, Count);
  return cudaGetLastError();
}
