//===- rings.cu - Rings of slots, bounds known at run time ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two conventions that are both right: wait first and then fetch ahead
// (Stages - 2 groups may stay in flight), or fetch first and then wait
// (Stages - 1). One group an iteration, also when nothing is left to fetch.
//
//===----------------------------------------------------------------------===//

#define THREADS 128

__device__ __forceinline__ void cp_async_16(void *smem, const void *gmem) {
  unsigned addr = static_cast<unsigned>(__cvta_generic_to_shared(smem));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(addr),
               "l"(gmem));
}

__device__ __forceinline__ void cp_async_fence() {
  asm volatile("cp.async.commit_group;\n" ::);
}

template <int N> __device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// One barrier an iteration: it publishes tile 't' and proves that everybody
// has left the slot of tile 't - 1', which is filled next.
template <int STAGES>
__global__ __launch_bounds__(THREADS) void wait_then_fetch_ok(const float4 *src,
                                                              float4 *dst,
                                                              int tiles) {
  __shared__ float4 ring[STAGES][THREADS];
  const int tid = threadIdx.x;

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < tiles)
      cp_async_16(&ring[s][tid], src + s * THREADS + tid);
    cp_async_fence();
  }
  for (int t = 0; t < tiles; ++t) {
    cp_async_wait<STAGES - 2>();
    __syncthreads();
    const int ahead = t + STAGES - 1;
    if (ahead < tiles)
      cp_async_16(&ring[ahead % STAGES][tid], src + ahead * THREADS + tid);
    cp_async_fence();
    dst[t * THREADS + tid] = ring[t % STAGES][THREADS - 1 - tid];
  }
}

template <int STAGES>
__global__ __launch_bounds__(THREADS) void fetch_then_wait_ok(const float4 *src,
                                                              float4 *dst,
                                                              int tiles) {
  __shared__ float4 ring[STAGES][THREADS];
  const int tid = threadIdx.x;

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < tiles)
      cp_async_16(&ring[s][tid], src + s * THREADS + tid);
    cp_async_fence();
  }
  for (int t = 0; t < tiles; ++t) {
    const int ahead = t + STAGES - 1;
    if (ahead < tiles)
      cp_async_16(&ring[ahead % STAGES][tid], src + ahead * THREADS + tid);
    cp_async_fence();
    cp_async_wait<STAGES - 1>();
    __syncthreads();
    dst[t * THREADS + tid] = ring[t % STAGES][THREADS - 1 - tid];
    __syncthreads();
  }
}

// The bound is a number of elements, not of tiles.
template <int STAGES>
__global__ __launch_bounds__(THREADS) void element_bound_ok(const float *src,
                                                            float *dst, int k) {
  constexpr int BK = 32;
  __shared__ __align__(16) float ring[STAGES][16][BK];
  const int row = threadIdx.x / 8, col = threadIdx.x % 8 * 4;

  for (int s = 0; s < STAGES - 1; ++s) {
    if (s * BK < k)
      cp_async_16(&ring[s][row][col], src + row * k + s * BK + col);
    cp_async_fence();
  }
  float sum = 0.0f;
  for (int k0 = 0, t = 0; k0 < k; k0 += BK, ++t) {
    cp_async_wait<STAGES - 2>();
    __syncthreads();
    const int next = k0 + (STAGES - 1) * BK;
    if (next < k)
      cp_async_16(&ring[(t + STAGES - 1) % STAGES][row][col],
                  src + row * k + next + col);
    cp_async_fence();
    for (int i = 0; i < BK; ++i)
      sum += ring[t % STAGES][(row + 1) % 16][i];
  }
  dst[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// More slots than tiles in flight: two fetched ahead in a ring of four.
__global__ __launch_bounds__(THREADS) void spare_slots_ok(const float4 *src,
                                                          float4 *dst,
                                                          int tiles) {
  __shared__ float4 ring[4][THREADS];
  const int tid = threadIdx.x;
  for (int s = 0; s < 2; ++s) {
    if (s < tiles)
      cp_async_16(&ring[s][tid], src + s * THREADS + tid);
    cp_async_fence();
  }
  for (int t = 0; t < tiles; ++t) {
    if (t + 2 < tiles)
      cp_async_16(&ring[(t + 2) & 3][tid], src + (t + 2) * THREADS + tid);
    cp_async_fence();
    cp_async_wait<2>();
    __syncthreads();
    dst[t * THREADS + tid] = ring[t & 3][THREADS - 1 - tid];
  }
}

// A count known at compile time, more iterations than slots.
__global__ __launch_bounds__(THREADS) void constant_bound_ok(const float4 *src,
                                                             float4 *dst) {
  constexpr int TILES = 9;
  __shared__ float4 ring[3][THREADS];
  const int tid = threadIdx.x;
  for (int s = 0; s < 2; ++s) {
    cp_async_16(&ring[s][tid], src + s * THREADS + tid);
    cp_async_fence();
  }
  for (int t = 0; t < TILES; ++t) {
    if (t == TILES - 1)
      cp_async_wait<0>();
    else
      cp_async_wait<1>();
    __syncthreads();
    if (t + 2 < TILES) {
      cp_async_16(&ring[(t + 2) % 3][tid], src + (t + 2) * THREADS + tid);
      cp_async_fence();
    }
    dst[t * THREADS + tid] = ring[t % 3][THREADS - 1 - tid];
  }
}

void launch_rings(const float4 *src, float4 *dst, const float *k_src,
                  float *k_dst, int tiles, int blocks) {
  wait_then_fetch_ok<2><<<blocks, THREADS>>>(src, dst, tiles);
  wait_then_fetch_ok<3><<<blocks, THREADS>>>(src, dst, tiles);
  wait_then_fetch_ok<4><<<blocks, THREADS>>>(src, dst, tiles);
  fetch_then_wait_ok<2><<<blocks, THREADS>>>(src, dst, tiles);
  fetch_then_wait_ok<3><<<blocks, THREADS>>>(src, dst, tiles);
  fetch_then_wait_ok<4><<<blocks, THREADS>>>(src, dst, tiles);
  element_bound_ok<2><<<blocks, THREADS>>>(k_src, k_dst, tiles * 32);
  element_bound_ok<3><<<blocks, THREADS>>>(k_src, k_dst, tiles * 32);
}
