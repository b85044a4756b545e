//===- two-groups.cu - Two groups for each stage --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention-style loops commit the K tile and the V tile as groups of their
// own, so the waits count groups, not stages: 2 * Stages - 1 after a fetch of
// both, 2 * Stages - 2 once K is in use.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;

__device__ void copyRow(float4 *Shared, const float4 *Global) {
  uint32_t To = __cvta_generic_to_shared(Shared);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}

__device__ void commit() { asm volatile("cp.async.commit_group;\n"); }

template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

template <int Stages>
__global__ __launch_bounds__(Threads) void keys_and_values_ok(const float4 *K,
                                                              const float4 *V,
                                                              float4 *Out,
                                                              int Tiles) {
  __shared__ float4 KeyTile[Stages][Threads];
  __shared__ float4 ValueTile[Stages][Threads];
  int Tid = threadIdx.x;
  float4 Acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  auto Fetch = [&](int Tile) {
    if (Tile < Tiles)
      copyRow(&KeyTile[Tile % Stages][Tid], K + Tile * Threads + Tid);
    commit();
    if (Tile < Tiles)
      copyRow(&ValueTile[Tile % Stages][Tid], V + Tile * Threads + Tid);
    commit();
  };

  for (int S = 0; S < Stages - 1; ++S)
    Fetch(S);
  for (int T = 0; T < Tiles; ++T) {
    Fetch(T + Stages - 1);
    wait<2 * Stages - 1>();
    __syncthreads();
    float4 Key = KeyTile[T % Stages][Threads - 1 - Tid];
    wait<2 * Stages - 2>();
    __syncthreads();
    float4 Value = ValueTile[T % Stages][Threads - 1 - Tid];
    Acc.x += Key.x * Value.x;
    Acc.y += Key.y * Value.y;
    Acc.z += Key.z * Value.z;
    Acc.w += Key.w * Value.w;
    __syncthreads();
  }
  Out[blockIdx.x * Threads + Tid] = Acc;
}

// Single buffers: V is fetched while K is in use, the next K while V is.
__global__ __launch_bounds__(Threads) void alternate_tiles_ok(
    const float4 *Q, const float4 *K, const float4 *V, float4 *Out, int Tiles) {
  extern __shared__ float4 Pool[];
  float4 *QueryTile = Pool;
  float4 *KeyTile = QueryTile + Threads;
  float4 *ValueTile = KeyTile + Threads;
  int Tid = threadIdx.x;
  float4 Acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  copyRow(&QueryTile[Tid], Q + Tid);
  copyRow(&KeyTile[Tid], K + Tid);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    wait<0>();
    __syncthreads();
    copyRow(&ValueTile[Tid], V + T * Threads + Tid);
    commit();
    float4 Score = KeyTile[Threads - 1 - Tid];
    Score.x *= QueryTile[Threads - 1 - Tid].x;
    wait<0>();
    __syncthreads();
    if (T + 1 < Tiles) {
      copyRow(&KeyTile[Tid], K + (T + 1) * Threads + Tid);
      commit();
    }
    Acc.x += Score.x * ValueTile[Threads - 1 - Tid].x;
  }
  Out[blockIdx.x * Threads + Tid] = Acc;
}

void launchAttention(const float4 *K, const float4 *V, float4 *Out, int Tiles) {
  keys_and_values_ok<2><<<8, Threads>>>(K, V, Out, Tiles);
  keys_and_values_ok<3><<<8, Threads>>>(K, V, Out, Tiles);
}
