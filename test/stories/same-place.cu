//===- same-place.cu - Threads that copy different data to one place *- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}
__device__ void finish() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

// The row is missing on the left.
KERNEL row_is_missing(const float *In, float *Out, int Pitch) {
  __shared__ float Tile[8][16];
  const int Row = threadIdx.x / 16, Column = threadIdx.x % 16;
  copy(&Tile[0][Column], &In[Row * Pitch + Column]);
  // expect-note@-1: thread 16 overwrites 'Tile[0][0]' here, copied by thread 0
  // expect-note@-2: threads that copy different data need places of their own, or a barrier between them
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  finish();
  Out[threadIdx.x] = Tile[0][Column];
  // expect-note@-1: read here
}

// Rows below a bound are any number of rows.
KERNEL guarded_rows(const float *In, float *Out, int Rows) {
  __shared__ float Tile[16];
  const int Row = threadIdx.x / 16, Column = threadIdx.x % 16;
  if (Row < Rows)
  // expect-note@-1: taken when this condition is true
    copy(&Tile[Column], &In[threadIdx.x]);
    // expect-note@-1: thread 16 overwrites 'Tile[0]' here, copied by thread 0
    // expect-note@-2: threads that copy different data need places of their own, or a barrier between them
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a copy into it is in flight
  finish();
  Out[threadIdx.x] = Tile[Column];
  // expect-note@-1: read here
}
