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

__global__ void __launch_bounds__(Warps * 32)
    bags_ok(const float4 *Table, const int *Rows, const int *Begins,
            float *Sums) {
  __shared__ float4 Rings[Warps][Depth][32];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  float4(&Ring)[Depth][32] = Rings[Warp];
  for (int Bag = Warp; Bag < Bags; Bag += Warps) {
    const int Begin = Begins[Bag], End = Begins[Bag + 1];
    int Next = Begin;
    for (int S = 0; S < Depth; ++S) {
      if (Next < End) {
        __pipeline_memcpy_async(&Ring[S][Lane], Table + Rows[Next] * 32 + Lane,
                                16);
        ++Next;
      }
      __pipeline_commit();
    }
    float Sum = 0;
    int S = 0;
    for (int Row = Begin; Row < End; ++Row) {
    // expect-skipped@-1: loop does not settle within 64 iterations
      __pipeline_wait_prior(Depth - 1);
      Sum += Ring[S][Lane].x;
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
