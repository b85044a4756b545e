//===- unshown-findings.cu - What no run that is tried comes to -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two groups take turns with a buffer, and nobody hands it over: where a block
// has two tiles the second group waits for ever. Tiles of a block go by names,
// and the path that comes to it goes by numbers for which no run that is tried
// does: it is said that something was left out.
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
                                                               int Tiles) {
  __shared__ alignas(128) float Tile[Group];
  const int Me = threadIdx.x / Group, Other = Me ^ 1, T = threadIdx.x % Group;
  if (Me == 1 && int(blockIdx.x) < Tiles)
    arrive(Turn + Other, 2 * Group);
  for (int I = blockIdx.x + Me * gridDim.x; I < Tiles; I += 2 * gridDim.x) {
    sync(Turn + Me, 2 * Group);
    Tile[T] = I;
    // expect-skipped@-1: a finding is not told: no run that was tried shows it
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
