//===- rows-of-a-table.cu - Rows as long as a table says -------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block takes rows in turn, each as long as a table says, the next one under
// way. How many rounds there were before makes no difference, and a round that
// all threads would go beyond the array in is none.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;
constexpr int MaxLength = 1024;

struct Rows {
  const float *Values;
  const int *Begins, *Lengths;
  int Count;
};

__device__ void fetch(float *To, const Rows &Of, int Row) {
  if (Row < Of.Count) {
    const float *From = Of.Values + Of.Begins[Row];
    for (int I = threadIdx.x; I * 4 < Of.Lengths[Row]; I += Threads)
    // expect-note@-1: in the first iteration of this loop
      __pipeline_memcpy_async(To + I * 4, From + I * 4, 16);
      // expect-note@-1: thread 0 overwrites 'Buffer[0][0]' here, read by thread 32
  }
  __pipeline_commit();
}

template <bool Meets>
__device__ void scale(const Rows &Of, float *Out) {
  __shared__ __align__(16) float Buffer[2][MaxLength];
  int Slot = 0;
  fetch(Buffer[0], Of, blockIdx.x);
  for (int Row = blockIdx.x; Row < Of.Count; Row += gridDim.x, Slot ^= 1) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: in the second iteration of this loop
    fetch(Buffer[Slot ^ 1], Of, Row + gridDim.x);
    // expect-note@-1: 'fetch' called here
    // expect-note@-2: a barrier belongs between the read in line +7 and this call in a later iteration
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Buffer' may be overwritten while other threads still read it
    __pipeline_wait_prior(1);
    __syncthreads();
    const int Length = Of.Lengths[Row];
    const float *Values = Buffer[Slot];
    float Most = 0;
    for (int I = 0; I < Length; ++I)
      Most = fmaxf(Most, Values[I]);
      // expect-note@-1: read here
    for (int I = threadIdx.x; I < Length; I += Threads)
      Out[Of.Begins[Row] + I] = Values[I] / Most;
    if (Meets)
      __syncthreads();
  }
}
__global__ void scale_ok(Rows Of, float *Out) { scale<true>(Of, Out); }
__global__ void scale_bad(Rows Of, float *Out) { scale<false>(Of, Out); }
// expect-note@-1: 'scale' called here
// expect-note@-2: with blockIdx.x = 0, Of.Count = 3, gridDim.x = 1

// A loop that would go beyond the array in every run says nothing of itself.
__global__ void beyond(const float *In, float *Out, int N) {
  __shared__ float Row[Threads];
  for (int I = 0; I < N; ++I) {
    __pipeline_memcpy_async(&Row[(I + 1) * Threads + threadIdx.x],
    // expect-skipped@-1: the kernel stops here in every run that was followed
                            In + I * Threads + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Out[I * Threads + threadIdx.x] = Row[Threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

void launch(Rows Of, float *Out) {
  scale_ok<<<132, Threads>>>(Of, Out);
  scale_bad<<<132, Threads>>>(Of, Out);
  // expect-note@-1: launched here with blocks of 128 threads
  beyond<<<1, Threads>>>(Of.Values, Out, Of.Count);
}
