//===- remembered-calls.cu - Calls whose result hangs on the path ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function gives the same for the same argument, unless it asks for what only
// one path has decided. So does one that calls it.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ int isPositive(int N) { return N > 0 ? 1 : 0; }
__device__ int slotFor(int N) { return isPositive(N); }

template <bool ReadsOther>
__device__ void copyToSlot(const float *In, float *Out, int N) {
  __shared__ float Tile[2][64];
  const int T = threadIdx.x;
  if (N > 0)
    __syncthreads();
  const int Side = isPositive(N);
  const int Slot = slotFor(N);
  __pipeline_memcpy_async(&Tile[Slot][T], &In[T], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (N > 0)
    Out[T] = Tile[ReadsOther ? 0 : 1][T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[1][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  else
    Out[T] = Tile[ReadsOther ? 1 : 0][T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
  Out[64 + T] = Tile[Slot][T] + Side;
}

KERNEL other_slot_ok(const float *In, float *Out, int N) {
  copyToSlot<true>(In, Out, N);
}

KERNEL slot_in_flight_bad(const float *In, float *Out, int N) {
// expect-note@-1: with N = 0
// expect-note@-2: with N = 1
  copyToSlot<false>(In, Out, N);
  // expect-note@-1: 'copyToSlot' called here
}
