//===- conditional-places.cu - Of two places, one is there -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `K < 3 ? Own[K + 1] : Right` is a place: in the last round, that of the array
// is none, and it is not asked for. What was read is used all the same.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

template <bool RefillsEarly>
__device__ void smooth(const float *In, float *Out, int Rows) {
  __shared__ __align__(16) float Ring[3][512];
  const int Begin = threadIdx.x * 4;
  auto Fetch = [&](int Row) {
    if (Row < Rows)
      __pipeline_memcpy_async(&Ring[Row % 3][Begin], &In[Row * 512 + Begin],
      // expect-note@-1: thread 31 overwrites 'Ring[0][127]' here, read by thread 32
                              16);
    __pipeline_commit();
  };
  Fetch(0);
  Fetch(1);
  for (int Row = 0; Row < Rows; ++Row) {
  // expect-note@-1: in the iteration of this loop with Row = 0
  // expect-note@-2: in the iteration of this loop with Row = 1
    __pipeline_wait_prior(1);
    if (RefillsEarly)
      Fetch(Row + 2);
      // expect-note@-1: 'Fetch' called here
      // expect-note@-2: a barrier belongs between the read in line +8 and this call in a later iteration
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
    __syncthreads();
    if (!RefillsEarly)
      Fetch(Row + 2);
    const float *Now = Ring[Row % 3];
    float Own[4];
    for (int K = 0; K < 4; ++K)
      Own[K] = Now[Begin + K];
    const float Left = threadIdx.x > 0 ? Now[Begin - 1] : Own[0];
    // expect-note@-1: read here
    const float Right = threadIdx.x < 127 ? Now[Begin + 4] : Own[3];
    // expect-note@-1: also read here
    for (int K = 0; K < 4; ++K) {
      const float Before = K > 0 ? Own[K - 1] : Left;
      const float After = K < 3 ? Own[K + 1] : Right;
      Out[Row * 512 + Begin + K] = Before + Own[K] + After;
    }
  }
}

#define KERNEL __global__ void __launch_bounds__(128)

KERNEL smooth_ok(const float *In, float *Out, int Rows) {
  smooth<false>(In, Out, Rows);
}
KERNEL smooth_bad(const float *In, float *Out, int Rows) {
// expect-note@-1: with Rows = 4
  smooth<true>(In, Out, Rows);
  // expect-note@-1: 'smooth' called here
}
