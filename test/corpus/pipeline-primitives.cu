//===- pipeline-primitives.cu - The __pipeline_* functions ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copy-then-wait, rings, zero fill, and primitives mixed with inline PTX: all
// of them count in the same queue of groups.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

__device__ int combine(const int *Tile, int I) {
  return Tile[I] + Tile[Threads - 1 - I];
}

// Batches one after the other: copy, wait, use, and meet again before the
// next copy.
__global__ __launch_bounds__(Threads) void copy_and_compute_ok(const int *In,
                                                               int *Out,
                                                               size_t Batches) {
  extern __shared__ int Shared[];
  for (size_t Batch = 0; Batch < Batches; ++Batch) {
    size_t First = blockIdx.x * blockDim.x + gridDim.x * blockDim.x * Batch;
    __pipeline_memcpy_async(&Shared[threadIdx.x], &In[First + threadIdx.x],
                            sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Out[First + threadIdx.x] = combine(Shared, threadIdx.x);
    __syncthreads();
  }
}

template <int Stages>
__global__
__launch_bounds__(Threads) void ring_of_primitives_ok(const float4 *In,
                                                      float4 *Out, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles)
      __pipeline_memcpy_async(&Ring[S][threadIdx.x],
                              In + S * Threads + threadIdx.x, sizeof(float4));
    __pipeline_commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    const int Next = T + Stages - 1;
    if (Next < Tiles)
      __pipeline_memcpy_async(&Ring[Next % Stages][threadIdx.x],
                              In + Next * Threads + threadIdx.x,
                              sizeof(float4));
    __pipeline_commit();
    Out[T * Threads + threadIdx.x] =
        Ring[T % Stages][Threads - 1 - threadIdx.x];
  }
}

__global__ __launch_bounds__(Threads) void three_sizes_ok(const float *A,
                                                          const float2 *B,
                                                          const float4 *C,
                                                          float *Out) {
  __shared__ float One[Threads];
  __shared__ float2 Two[Threads];
  __shared__ float4 Four[Threads];
  __pipeline_memcpy_async(One + threadIdx.x, A + threadIdx.x, 4);
  __pipeline_memcpy_async(Two + threadIdx.x, B + threadIdx.x, 8);
  __pipeline_memcpy_async(Four + threadIdx.x, C + threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int I = Threads - 1 - threadIdx.x;
  Out[threadIdx.x] = One[I] + Two[I].y + Four[I].z;
}

// The last argument is the number of bytes to zero, not to copy.
__global__
__launch_bounds__(Threads) void zero_fill_argument_ok(const float4 *In,
                                                      float4 *Out, int Valid) {
  __shared__ float4 Tile[Threads];
  const bool Inside = static_cast<int>(threadIdx.x) < Valid;
  __pipeline_memcpy_async(&Tile[threadIdx.x], In + (Inside ? threadIdx.x : 0),
                          16, Inside ? 0 : 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

__global__ __launch_bounds__(Threads) void mixed_with_ptx_ok(const float4 *In,
                                                             float4 *Out,
                                                             int Tiles) {
  __shared__ float4 Ring[3][Threads];
  auto fetch = [&](int Tile) {
    if (Tile < Tiles) {
      unsigned To = static_cast<unsigned>(
          __cvta_generic_to_shared(&Ring[Tile % 3][threadIdx.x]));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
                   "l"(In + Tile * Threads + threadIdx.x));
    }
    __pipeline_commit();
  };
  fetch(0);
  fetch(1);
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(1);
    __syncthreads();
    fetch(T + 2);
    Out[T * Threads + threadIdx.x] = Ring[T % 3][Threads - 1 - threadIdx.x];
  }
  asm volatile("cp.async.wait_all;");
}

void launchPrimitives(const float4 *In, float4 *Out, int Tiles) {
  ring_of_primitives_ok<2><<<4, Threads>>>(In, Out, Tiles);
  ring_of_primitives_ok<3><<<4, Threads>>>(In, Out, Tiles);
  ring_of_primitives_ok<4><<<4, Threads>>>(In, Out, Tiles);
}
