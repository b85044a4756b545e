//===- group-barriers.cu - A barrier for each group of two warps -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each group of 64 threads sums a list of its own, with a ring and a barrier of
// its own. Nobody launches the kernels: what tells their block is that there
// are 64 threads for the barrier of a group.
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

struct Lists {
  const int *Begin; // of each, and the end of the last
  const float *Values;
  int Count;
};

__device__ void copy16(float *To, const float *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(To)),
               "l"(From)
               : "memory");
}

enum Mistake { None, RefillsEarly, SharesBarrier };

template <Mistake M> __device__ void sumLists(Lists In, float *Out) {
  __shared__ __align__(16) float Rings[3][3][256];
  const int T = threadIdx.x, G = threadIdx.y, List = blockIdx.x * 3 + G;
  if (List >= In.Count)
  // expect-note@-1: taken when this condition is false
    return;
  const int First = In.Begin[List], Count = In.Begin[List + 1] - First;
  auto Fetch = [&](int I) {
    if (I < Count)
      copy16(&Rings[G][I % 3][T * 4], In.Values + (First + I) * 256 + T * 4);
      // expect-note@-1: thread 56 (56, 0) overwrites 'Rings[0][0][224]' here, read by thread 31 (31, 0)
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  Fetch(0);
  Fetch(1);
  float Sum = 0;
  for (int I = 0; I < Count; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
  // expect-note@-2: in the iteration of this loop with I = 1
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    if (M == RefillsEarly)
      Fetch(I + 2);
      // expect-note@-1: 'Fetch' called here
      // expect-note@-2: a barrier belongs between the read in line +6 and this call in a later iteration
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Rings' may be overwritten while other threads still read it
    asm volatile("bar.sync %0, 64;" ::"r"(M == SharesBarrier ? 1 : 1 + G)
    // expect-note@-1: barrier reached here by threads 0-191
    // expect-note@-2: give the barrier as many threads as come to it, in whole warps
    // expect-skipped@-3: no block that was tried fits: of 32x6 threads, more threads come to a barrier than it is of
    // expect-warning@-4{cpasync-mismatched-phase}: 192 threads at once at barrier 1 that waits for 64
                 : "memory");
    if (M != RefillsEarly)
      Fetch(I + 2);
    for (int K = 0; K < 4; ++K)
      Sum += Rings[G][I % 3][255 - (K * 64 + T)];
      // expect-note@-1: read here
  }
  Out[List * 64 + T] = Sum;
}

#define KERNEL __global__ void __launch_bounds__(192)

KERNEL group_sums_ok(Lists In, float *Out) { sumLists<None>(In, Out); }
KERNEL refills_early_bad(Lists In, float *Out) {
// expect-note@-1: assuming blocks of 64x3 threads
// expect-note@-2: with blockIdx.x = 0, In.Count = 3
  sumLists<RefillsEarly>(In, Out);
  // expect-note@-1: 'sumLists' called here
}
KERNEL one_barrier_bad(Lists In, float *Out) {
// expect-note@-1: with blockIdx.x = 0, In.Count = 6
  sumLists<SharesBarrier>(In, Out);
  // expect-note@-1: 'sumLists' called here
}
