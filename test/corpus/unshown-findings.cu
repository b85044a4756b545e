//===- unshown-findings.cu - What only a run with chosen rounds comes to --===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two groups take turns with a buffer, and nobody hands it over: where a block
// has two tiles the second group waits for ever. Tiles of a block go by names,
// and the path that comes to it goes by numbers for which no run does: a run
// with a few tiles for a grid of one block does.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Group = 128, Turn = 2, Own = 4;

__device__ inline void sync(int Id, int N) {
  asm volatile("bar.sync %0, %1;" ::"r"(Id), "r"(N) : "memory");
}
__device__ inline void arrive(int Id, int N) {
  asm volatile("bar.arrive %0, %1;" ::"r"(Id), "r"(N) : "memory");
}

__global__ __launch_bounds__(2 * Group) void never_handed_over(float *Out,
// expect-note@-1: with Tiles = 8, blockIdx.x = 0, gridDim.x = 1
                                                               int Tiles) {
  __shared__ alignas(128) float Tile[Group];
  const int Me = threadIdx.x / Group, Other = Me ^ 1, T = threadIdx.x % Group;
  if (Me == 1 && int(blockIdx.x) < Tiles)
    arrive(Turn + Other, 2 * Group);
  for (int I = blockIdx.x + Me * gridDim.x; I < Tiles; I += 2 * gridDim.x) {
  // expect-note@-1: in the second iteration of this loop
    sync(Turn + Me, 2 * Group);
    // expect-note@-1: barrier reached here only by threads 128-255
    // expect-note@-2: give the barrier as many threads as come to it, in whole warps
    // expect-warning@-3{cpasync-mismatched-phase}: barrier 3 waited for here never completes: 128 of 256 threads came
    Tile[T] = I;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    sync(Own + Me, Group);
    if (T == 0) {
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
              Out + I * Group),
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(Tile))),
          "r"(Group * 4)
          : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncwarp();
  }
}
