//===- wait-count.cu - A wait that is one too weak ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four slots, three of them filled ahead. At the wait three groups have been
// committed and the oldest holds the tile of this iteration, so at most two
// may stay in flight: Stages - 2. With Stages - 1 the wait never waits.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;
constexpr int Stages = 4;

__global__ __launch_bounds__(Threads) void dotTiles(const float4 *A,
                                                    const float4 *B, float *Out,
                                                    int Tiles) {
  __shared__ float4 TileA[Stages][Threads];
  __shared__ float4 TileB[Stages][Threads];
  int Lane = threadIdx.x;

  auto Fetch = [&](int Tile) {
    if (Tile < Tiles) {
      int Slot = Tile % Stages;
      int From = Tile * Threads + Lane;
      __pipeline_memcpy_async(&TileA[Slot][Lane], A + From, sizeof(float4));
      __pipeline_memcpy_async(&TileB[Slot][Lane], B + From, sizeof(float4));
    }
    __pipeline_commit();
  };

  for (int Tile = 0; Tile < Stages - 1; ++Tile)
    Fetch(Tile);

  float Sum = 0.0f;
  for (int Tile = 0; Tile < Tiles; ++Tile) {
    __pipeline_wait_prior(Stages - 1); // Stages - 2 is the right count.
    __syncthreads();

    float4 X = TileA[Tile % Stages][Lane];
    float4 Y = TileB[Tile % Stages][Threads - 1 - Lane];
    Sum += X.x * Y.x + X.y * Y.y + X.z * Y.z + X.w * Y.w;

    Fetch(Tile + Stages - 1);
  }
  Out[blockIdx.x * Threads + Lane] = Sum;
}
