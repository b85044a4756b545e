//===- mixed-arrive.cu - cp.async producers, mbarrier consumers *- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Scales the columns of tiles of 16 x 128 floats. Four warps load the tiles by
// cp.async, four warps compute, and mbarriers pass three stages between them.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda_runtime.h>

constexpr int Stages = 3;
constexpr int ProducerThreads = 128;
constexpr int ConsumerThreads = 128;
constexpr int Rows = 16;
constexpr int Cols = 128;
constexpr int TileFloats = Rows * Cols;
constexpr int Vectors = TileFloats / 4; // of 16 bytes
static_assert(Cols == ConsumerThreads, "one column for each consumer");

__device__ inline uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ inline void initBarrier(uint64_t *Barrier, uint32_t Count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;"
               :
               : "r"(sharedAddress(Barrier)), "r"(Count)
               : "memory");
}

__device__ inline bool tryWait(uint64_t *Barrier, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n"
               "  .reg .pred P;\n"
               "  mbarrier.try_wait.parity.shared.b64 P, [%1], %2;\n"
               "  selp.u32 %0, 1, 0, P;\n"
               "}\n"
               : "=r"(Done)
               : "r"(sharedAddress(Barrier)), "r"(Parity)
               : "memory");
  return Done != 0;
}

__device__ inline void wait(uint64_t *Barrier, uint32_t Parity) {
  while (!tryWait(Barrier, Parity)) {
  }
}

__device__ inline void arrive(uint64_t *Barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];"
               :
               : "r"(sharedAddress(Barrier))
               : "memory");
}

__device__ inline void cpAsync16(void *Shared, const void *Global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"(sharedAddress(Shared)),
                 "l"(__cvta_generic_to_global(Global))
               : "memory");
}

// Arrives when all copies that this thread has issued so far are complete.
__device__ inline void cpAsyncArrive(uint64_t *Barrier) {
#if MISTAKE == 1
  // MISTAKE 1: without noinc the arrival takes back its own increment
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"
               :
               : "r"(sharedAddress(Barrier))
               : "memory");
#else
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
               :
               : "r"(sharedAddress(Barrier))
               : "memory");
#endif
}

__device__ inline void advance(int &Stage, uint32_t &Phase) {
  if (++Stage == Stages) {
    Stage = 0;
    Phase ^= 1;
  }
}

// In and Out hold TileCount tiles of TileFloats floats, aligned to 16 bytes.
// Each consumer thread scales one column.
__global__ void __launch_bounds__(ProducerThreads + ConsumerThreads)
    scaleTiles(const float *__restrict__ In, const float *__restrict__ Weights,
               float *__restrict__ Out, int TileCount) {
  __shared__ alignas(16) float Buffers[Stages][TileFloats];
  __shared__ alignas(8) uint64_t Full[Stages];
  __shared__ alignas(8) uint64_t Empty[Stages];

  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
#if MISTAKE == 2
      // MISTAKE 2: counts the producer warps, but every thread arrives
      initBarrier(&Full[S], ProducerThreads / 32);
#else
      initBarrier(&Full[S], ProducerThreads);
#endif
#if MISTAKE == 5
      // MISTAKE 5: counts the consumer threads, but one lane a warp arrives
      initBarrier(&Empty[S], ConsumerThreads);
#else
      initBarrier(&Empty[S], ConsumerThreads / 32);
#endif
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();

  int Stage = 0;
  uint32_t Phase = 0;

  if (threadIdx.x < ProducerThreads) {
    for (int Tile = blockIdx.x; Tile < TileCount; Tile += gridDim.x) {
      const float *Source = In + static_cast<size_t>(Tile) * TileFloats;
#if MISTAKE == 3
      // MISTAKE 3: the parity of the consumers
      // AT 3 (mismatched-phase): waits for a release of slots that were never
      // filled
      wait(&Empty[Stage], Phase);
#elif MISTAKE == 8
      // MISTAKE 8: the producer does not wait for the consumers
#else
      // AT 5 (mismatched-phase): from the second lap on, 124 arrivals are
      // missing
      wait(&Empty[Stage], Phase ^ 1);
#endif

#if MISTAKE == 6
      // MISTAKE 6: the arrival tracks only the copies before it
      cpAsyncArrive(&Full[Stage]);
#endif
      for (int V = threadIdx.x; V < Vectors; V += ProducerThreads) {
        // AT 4 (in-flight-overwrite): the consumers may still read the stage
        // AT 8 (in-flight-overwrite): the consumers may still read the stage
        cpAsync16(&Buffers[Stage][4 * V], Source + 4 * V);
      }
#if MISTAKE != 6
      // AT 2 (mismatched-phase): more threads arrive than are counted
      cpAsyncArrive(&Full[Stage]);
#endif
      advance(Stage, Phase);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    return;
  }

  const int Thread = threadIdx.x - ProducerThreads;
  const float Weight = Weights[Thread];

  for (int Tile = blockIdx.x; Tile < TileCount; Tile += gridDim.x) {
    float *Target = Out + static_cast<size_t>(Tile) * TileFloats;
#if MISTAKE == 7
    // MISTAKE 7: the producers' parity
    // AT 7 (mismatched-phase): the phase before may be long over
    wait(&Full[Stage], Phase ^ 1);
#else
    // AT 1 (mismatched-phase): the producers' arrivals do not lower the count,
    // so this hangs
    wait(&Full[Stage], Phase);
#endif

#if MISTAKE == 4
    // MISTAKE 4: releases the stage before it is read
    __syncwarp();
    if (Thread % 32 == 0)
      arrive(&Empty[Stage]);
#endif

    for (int Row = 0; Row < Rows; ++Row) {
      const int I = Row * Cols + Thread;
      // AT 6 (unsynchronized-read): the last copies of the stage were not
      // waited for
      float Value = Buffers[Stage][I];
      Target[I] = Value * Weight;
    }

#if MISTAKE != 4
    __syncwarp();
    if (Thread % 32 == 0)
      arrive(&Empty[Stage]);
#endif
    advance(Stage, Phase);
  }
}

// Weights holds Cols floats; In and Out are aligned to 16 bytes.
cudaError_t launchScaleTiles(const float *In, const float *Weights, float *Out,
                             int TileCount, int Blocks, cudaStream_t Stream) {
  if (TileCount < 0 || Blocks <= 0)
    return cudaErrorInvalidValue;
  scaleTiles<<<Blocks, 256, 0, Stream>>>(In, Weights, Out, TileCount);
  return cudaGetLastError();
}
