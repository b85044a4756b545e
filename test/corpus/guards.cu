//===- guards.cu - Architecture guards and dead branches ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fallback below sm_80, 'if constexpr' around everything, branches that no
// instantiation takes.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;

__device__ void guardedCopy(float4 *Shared, const float4 *Global) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
#else
  *Shared = *Global;
#endif
}

__device__ void guardedCommit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n" ::);
#endif
}

template <int N> __device__ void guardedWait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
#endif
}

__global__ __launch_bounds__(Threads) void fallback_in_wrappers_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][Threads];
  int Tid = threadIdx.x;
  guardedCopy(&Ring[0][Tid], Src + Tid);
  guardedCommit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      guardedCopy(&Ring[(T + 1) & 1][Tid], Src + (T + 1) * Threads + Tid);
    guardedCommit();
    guardedWait<1>();
    __syncthreads();
    Dst[T * Threads + Tid] = Ring[T & 1][Threads - 1 - Tid];
    __syncthreads();
  }
}

__global__
__launch_bounds__(Threads) void fallback_in_kernel_ok(const float4 *Src,
                                                      float4 *Dst) {
  __shared__ float4 Tile[Threads];
#if __CUDA_ARCH__ >= 800
  uint32_t To =
      static_cast<uint32_t>(__cvta_generic_to_shared(&Tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n"
               "cp.async.wait_all;\n" ::"r"(To),
               "l"(Src + threadIdx.x));
#else
  Tile[threadIdx.x] = Src[threadIdx.x];
#endif
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// nvcc defines its version; clang does not unless told to.
__global__
__launch_bounds__(Threads) void compiler_version_ok(const float4 *Src,
                                                    float4 *Dst) {
  __shared__ float4 Tile[Threads];
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 11
  guardedCopy(&Tile[threadIdx.x], Src + threadIdx.x);
  guardedCommit();
  guardedWait<0>();
#else
  Tile[threadIdx.x] = Src[threadIdx.x];
#endif
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

template <bool Async>
__global__ __launch_bounds__(Threads) void if_constexpr_ok(const float4 *Src,
                                                           float4 *Dst) {
  __shared__ float4 Tile[Threads];
  if constexpr (Async) {
    guardedCopy(&Tile[threadIdx.x], Src + threadIdx.x);
    guardedCommit();
  } else {
    Tile[threadIdx.x] = Src[threadIdx.x];
  }
  if constexpr (Async)
    guardedWait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// With two stages the middle wait does not exist; 'Stages - 3' would be
// negative, but that branch is never instantiated.
template <int Stages>
__global__ __launch_bounds__(Threads) void dead_branch_ok(const float4 *Src,
                                                          float4 *Dst) {
  __shared__ float4 Tile[Stages][Threads];
#pragma unroll
  for (int S = 0; S < Stages; ++S) {
    guardedCopy(&Tile[S][threadIdx.x], Src + S * Threads + threadIdx.x);
    guardedCommit();
  }
  if constexpr (Stages > 2) {
    guardedWait<Stages - 3>();
    __syncthreads();
    Dst[2 * Threads + threadIdx.x] = Tile[2][Threads - 1 - threadIdx.x];
  }
  guardedWait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[0][Threads - 1 - threadIdx.x];
  Dst[Threads + threadIdx.x] = Tile[1][Threads - 1 - threadIdx.x];
}

void launchGuards(const float4 *Src, float4 *Dst) {
  if_constexpr_ok<true><<<1, Threads>>>(Src, Dst);
  if_constexpr_ok<false><<<1, Threads>>>(Src, Dst);
  dead_branch_ok<2><<<1, Threads>>>(Src, Dst);
  dead_branch_ok<3><<<1, Threads>>>(Src, Dst);
}
