//===- three-stage-pipeline.cu - A correct three-stage pipeline -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shape to copy. Three slots, two tiles fetched ahead, one group per
// iteration whether or not there was a tile left to fetch, so that the same
// wait is right in the steady state and in the tail. One barrier an iteration
// is enough: it publishes this tile to the block and, at the same time, proves
// that everybody has left the slot which is refilled next.
//
//===----------------------------------------------------------------------===//

constexpr int Threads = 128;
constexpr int Stages = 3;

__device__ void copyAsync16(float4 *Shared, const float4 *Global) {
  unsigned Dst = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(Dst),
               "l"(Global));
}

__device__ void commitGroup() { asm volatile("cp.async.commit_group;"); }

template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N));
}

__global__ __launch_bounds__(Threads) void movingSum(const float4 *In,
                                                     float4 *Out, int Tiles) {
  __shared__ float4 Slot[Stages][Threads];
  int Lane = threadIdx.x;
  float4 Sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  for (int Tile = 0; Tile < Stages - 1; ++Tile) {
    if (Tile < Tiles)
      copyAsync16(&Slot[Tile][Lane], In + Tile * Threads + Lane);
    commitGroup();
  }

  for (int Tile = 0; Tile < Tiles; ++Tile) {
    waitGroup<Stages - 2>();
    __syncthreads();

    int Next = Tile + Stages - 1;
    if (Next < Tiles)
      copyAsync16(&Slot[Next % Stages][Lane], In + Next * Threads + Lane);
    commitGroup();

    float4 V = Slot[Tile % Stages][Threads - 1 - Lane];
    Sum.x += V.x;
    Sum.y += V.y;
    Sum.z += V.z;
    Sum.w += V.w;
    Out[Tile * Threads + Lane] = Sum;
  }
}
