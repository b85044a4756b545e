//===- packed-ranks.cu - Numbers in bit-fields -----------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group of threads knows its rank by a bit-field, as the toolkit's tiles do,
// which is set when only another member has been.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

struct Group {
  unsigned Mask;
  unsigned Size : 16;
  unsigned Rank : 16;
  __device__ explicit Group(int Rows) {
    Mask = 0xffffffff;
    Size = 32;
    Rank = threadIdx.x / 32 % Rows;
  }
};

// Two rows for two warps each: these have the same one.
template <int Rows>
__device__ void rows(const float *In, float *Out) {
  __shared__ float Row[4][32];
  const Group Mine(Rows);
  const int Lane = threadIdx.x % Mine.Size;
  __pipeline_memcpy_async(&Row[Mine.Rank][Lane], In + threadIdx.x, 4);
  // expect-note@-1: thread 64 overwrites 'Row[0][0]' here, copied by thread 0
  // expect-note@-2: threads that copy different data need places of their own, or a barrier between them
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Row' is overwritten while a copy into it is in flight
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Row[Mine.Rank][Lane];
  // expect-note@-1: read here
}
__global__ void rows_ok(const float *In, float *Out) { rows<4>(In, Out); }
__global__ void rows_bad(const float *In, float *Out) { rows<2>(In, Out); }
// expect-note@-1: 'rows' called here

void launch(const float *In, float *Out) {
  rows_ok<<<1, Threads>>>(In, Out);
  rows_bad<<<1, Threads>>>(In, Out);
  // expect-note@-1: launched here with blocks of 128 threads
}
