//===- bags-of-warps.cu - More bags than warps, not twice as many ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp adds up the rows of a bag through a ring of its own, and some have
// another bag then. How many rows a bag has, only memory tells; what it has
// copied and what it waits for are counted alike.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Depth = 3, Warps = 4, Bags = 6;

template <int Ahead>
__device__ void addUp(const float4 *Table, const int *Rows, const int *Begins,
// expect-skipped@-1: path budget of 4096 exceeded
                      float *Sums) {
  __shared__ float4 Rings[Warps][Depth][32];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  float4(&Ring)[Depth][32] = Rings[Warp];
  for (int Bag = Warp; Bag < Bags; Bag += Warps) {
  // expect-note@-1: in the first iteration of this loop
    const int Begin = Begins[Bag], End = Begins[Bag + 1];
    int Next = Begin;
    for (int S = 0; S < Depth; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 0
      if (Next < End) {
        __pipeline_memcpy_async(&Ring[S][Lane], Table + Rows[Next] * 32 + Lane,
        // expect-note@-1: copy issued here
                                16);
        ++Next;
      }
      __pipeline_commit();
      // expect-note@-1: committed here
    }
    float Sum = 0;
    int S = 0;
    for (int Row = Begin; Row < End; ++Row) {
    // expect-note@-1: in the first iteration of this loop
    // expect-skipped@-2: loop does not settle within 64 iterations
      __pipeline_wait_prior(Ahead);
      // expect-note@-1: leave at most 2 groups in flight here
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 3 groups in flight, but only 2 may be newer than the copy into 'Rings'
      Sum += Ring[S][Lane].x;
      // expect-note@-1: thread 0 reads 'Rings[0][0][0].x' here
      // expect-skipped@-2: a clash here was found more than 100 times; another cause of it may be missing
      if (Next < End) {
        __pipeline_memcpy_async(&Ring[S][Lane], Table + Rows[Next] * 32 + Lane,
                                16);
        ++Next;
      }
      __pipeline_commit();
      S = S + 1 == Depth ? 0 : S + 1;
    }
    Sums[Bag * 32 + Lane] = Sum;
  }
}
#define KERNEL(NAME, AHEAD)                                                    \
  __global__ void __launch_bounds__(Warps * 32)                                \
      NAME(const float4 *Table, const int *Rows, const int *Begins,            \
           float *Sums) {                                                      \
    addUp<AHEAD>(Table, Rows, Begins, Sums);                                   \
  }
KERNEL(bags_ok, Depth - 1)
KERNEL(waits_for_too_few_bad, Depth)
// expect-note@-1: 'addUp' called here
