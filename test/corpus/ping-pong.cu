//===- ping-pong.cu - Groups of warps that take turns ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two groups have one buffer. Each waits in one statement for a barrier of its
// own, to which the other comes when it has done with the buffer: who is let go
// does not wait for the rest.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Group = 128, Turn = 2, Own = 4;

__device__ inline unsigned sharedAddress(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}
__device__ inline void sync(int Id, int N) {
  asm volatile("bar.sync %0, %1;" ::"r"(Id), "r"(N) : "memory");
}
__device__ inline void arrive(int Id, int N) {
  asm volatile("bar.arrive %0, %1;" ::"r"(Id), "r"(N) : "memory");
}

template <bool Waits>
__device__ void storeInTurn(float *Out, int Tiles) {
  __shared__ alignas(128) float Tile[Group];
  const int Me = threadIdx.x / Group, Other = Me ^ 1, T = threadIdx.x % Group;
  if (Me == 1 && Tiles > 0)
    arrive(Turn + Other, 2 * Group);
  for (int I = Me; I < Tiles; I += 2) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: loop run for 1 iteration
    sync(Turn + Me, 2 * Group);
    Tile[T] = I;
    // expect-note@-1: a wait by 'cp.async.bulk.wait_group.read' and a barrier belong before this overwrite
    // expect-note@-2: thread 128 overwrites 'Tile[0]' here, copied in bulk by thread 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a bulk copy still reads it
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    sync(Own + Me, Group);
    if (T == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
      // expect-note@-1: copy issued here
                   "%2;" ::"l"(Out + I * Group),
                   "r"(sharedAddress(Tile)), "r"(Group * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      if (Waits)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncwarp();
    if (I + 1 < Tiles)
      arrive(Turn + Other, 2 * Group);
  }
}

__global__ __launch_bounds__(2 * Group) void turns_ok(float *Out, int Tiles) {
  storeInTurn<true>(Out, Tiles);
}

// The buffer is handed over while it is still read.
__global__ __launch_bounds__(2 * Group) void turns_bad(float *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  storeInTurn<false>(Out, Tiles);
  // expect-note@-1: 'storeInTurn' called here
}
