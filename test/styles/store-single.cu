//===- store-single.cu - Epilogue with one staging tile --------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Scales the accumulators of a block, adds a bias and clamps at zero. Each
// round goes through one staging tile, which a bulk store copies to global
// memory.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>

constexpr int Threads = 128;
constexpr int PerThread = 8;
constexpr int TileFloats = Threads * PerThread;
constexpr uint32_t TileBytes = TileFloats * sizeof(float);

// Scale and bias lie in front of the tile.
#if MISTAKE == 8
// MISTAKE 8: the header is 8 bytes long, the tile behind it is misaligned
constexpr int HeaderFloats = 2;
#else
constexpr int HeaderFloats = 4;
#endif

__device__ inline uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ inline void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void bulkStore(void *Global, const void *Shared,
                                 uint32_t Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               :
               : "l"(__cvta_generic_to_global(Global)),
                 "r"(sharedAddress(Shared)), "r"(Bytes)
               : "memory");
}

__device__ inline void commitGroup() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int Pending> __device__ inline void waitGroupRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(Pending) : "memory");
}

template <int Pending> __device__ inline void waitGroup() {
  asm volatile("cp.async.bulk.wait_group %0;" : : "n"(Pending) : "memory");
}

// Accum and Out hold gridDim.x * Rounds tiles of TileFloats floats, both
// aligned to 16 bytes; Scale and Bias one float for each block.
__global__ void __launch_bounds__(Threads)
    scaleBiasRelu(const float *__restrict__ Accum,
                  const float *__restrict__ Scale,
                  const float *__restrict__ Bias, float *__restrict__ Out,
                  int Rounds) {
  __shared__ alignas(128) float Staging[HeaderFloats + TileFloats];
  float *Tile = Staging + HeaderFloats;

  if (threadIdx.x == 0) {
    Staging[0] = Scale[blockIdx.x];
    Staging[1] = Bias[blockIdx.x];
  }
  __syncthreads();
  const float BlockScale = Staging[0];
  const float BlockBias = Staging[1];

  for (int Round = 0; Round < Rounds; ++Round) {
    const size_t Base =
        (static_cast<size_t>(blockIdx.x) * Rounds + Round) * TileFloats;

    // These loads overlap the store of the last round.
    float Values[PerThread];
#pragma unroll
    for (int I = 0; I < PerThread; ++I) {
      float Value = Accum[Base + I * Threads + threadIdx.x];
      Values[I] = fmaxf(Value * BlockScale + BlockBias, 0.0f);
    }

    // The tile is free when the last round's store has read it.
#if MISTAKE == 3
    // MISTAKE 3: the wait for the last round's store is missing
#elif MISTAKE == 4
    // MISTAKE 4: waits in a thread that has committed no group
    if (threadIdx.x == 32)
      waitGroupRead<0>();
#elif MISTAKE == 5
    // MISTAKE 5: the wait comes behind the barrier
#else
    if (threadIdx.x == 0)
      waitGroupRead<0>();
#endif
#if MISTAKE == 7
    // MISTAKE 7: the other threads do not wait for the thread that waited
#else
    __syncthreads();
#endif
#if MISTAKE == 5
    if (threadIdx.x == 0)
      waitGroupRead<0>();
#endif

#pragma unroll
    for (int I = 0; I < PerThread; ++I) {
      // AT 3 (in-flight-overwrite): the last round's store may still read the
      // tile
      // AT 4 (in-flight-overwrite): thread 32 waited for nothing, thread 0's
      // store may still read
      // AT 6 (in-flight-overwrite): the last store is in no group, so the wait
      // did not cover it
      // AT 5 (in-flight-overwrite): the others do not wait for the thread that
      // waits
      // AT 7 (in-flight-overwrite): only thread 0 knows that the last store has
      // read the tile
      Tile[I * Threads + threadIdx.x] = Values[I];
    }

#if MISTAKE == 1
    // MISTAKE 1: the fence is missing
#else
    fenceProxyAsync();
#endif
#if MISTAKE == 2
    // MISTAKE 2: the issuer does not wait for the other writers
#else
    __syncthreads();
#endif

    if (threadIdx.x == 0) {
      // AT 1 (unfenced-bulk-copy): the bulk store reads generic writes without
      // a proxy fence
      // AT 2 (unfenced-bulk-copy): the other threads may not have written their
      // values yet
      // AT 8 (misaligned-copy): the source address is no multiple of 16
      bulkStore(Out + Base, Tile, TileBytes);
#if MISTAKE == 6
      // MISTAKE 6: the store is not committed
#else
      commitGroup();
#endif
    }
  }

  if (threadIdx.x == 0)
    waitGroup<0>();
}
