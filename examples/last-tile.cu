//===- last-tile.cu - A last tile that is not waited for ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two slots: while one tile is summed, the next one arrives in the other slot.
// 'wait_group 1' means "all but the newest group". That is right as long as
// every iteration commits a group. The last iteration has no tile left to
// fetch and commits nothing, so the newest group is then the very tile it is
// about to read.
//
//===----------------------------------------------------------------------===//

constexpr int Threads = 256;

__device__ void copyAsync16(float4 *Shared, const float4 *Global) {
  unsigned Dst = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(Dst),
               "l"(Global));
}

__device__ void commitGroup() { asm volatile("cp.async.commit_group;"); }

__global__ __launch_bounds__(Threads) void sumTiles(const float4 *In,
                                                    float4 *Out, int Tiles) {
  __shared__ float4 Slot[2][Threads];
  int Lane = threadIdx.x;
  float4 Sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  copyAsync16(&Slot[0][Lane], In + Lane);
  commitGroup();

  for (int Tile = 0; Tile < Tiles; ++Tile) {
    if (Tile + 1 < Tiles) {
      copyAsync16(&Slot[(Tile + 1) % 2][Lane],
                  In + (Tile + 1) * Threads + Lane);
      commitGroup(); // Move this below the 'if': an empty group is free.
    }
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();

    float4 V = Slot[Tile % 2][Threads - 1 - Lane];
    Sum.x += V.x;
    Sum.y += V.y;
    Sum.z += V.z;
    Sum.w += V.w;
    __syncthreads();
  }
  Out[blockIdx.x * Threads + Lane] = Sum;
}
