//===- rows-of-given-length.cu - Rows as long as the caller says ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slots of `Length` elements, copied 16 bytes at a time. A loop that ends tells
// how long a row is; one that 16 bytes do not divide has no second slot, for the
// copy into it would fault.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

__device__ void copy16(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 16);
}

__global__ void __launch_bounds__(96)
    rows_ok(const float *In, float *Out, int Rows, int Length) {
  extern __shared__ __align__(16) float Ring[];
  auto Load = [&](int Row) {
    if (Row < Rows) {
      float *Slot = Ring + (Row % 2) * Length;
      for (int I = threadIdx.x * 4; I < Length; I += blockDim.x * 4)
        copy16(Slot + I, In + Row * Length + I);
    }
    __pipeline_commit();
  };
  Load(0);
  for (int Row = 0; Row < Rows; ++Row) {
    __pipeline_wait_prior(0);
    __syncthreads();
    const float *Slot = Ring + (Row % 2) * Length;
    for (int I = threadIdx.x; I < Length; I += blockDim.x)
      Out[Row * Length + I] = Slot[I];
    Load(Row + 1);
  }
}

// The slot that is read is overwritten.
__global__ void __launch_bounds__(96)
    rows_bad(const float *In, float *Out, int Rows, int Length) {
    // expect-note@-1: with Rows = 3, Length = 381
  extern __shared__ __align__(16) float Ring[];
  auto Load = [&](int Row) {
    if (Row < Rows) {
      float *Slot = Ring + (Row % 2) * Length;
      for (int I = threadIdx.x * 4; I < Length; I += blockDim.x * 4)
      // expect-note@-1: in the first iteration of this loop
        copy16(Slot + I, In + Row * Length + I);
        // expect-note@-1: thread 8 overwrites 'Slot[32]' (byte 128 of 'Ring') here, read by thread 32
    }
    __pipeline_commit();
  };
  Load(0);
  for (int Row = 0; Row < Rows; ++Row) {
  // expect-note@-1: in the iteration of this loop with Row = 0
    __pipeline_wait_prior(0);
    __syncthreads();
    const float *Slot = Ring + (Row % 2) * Length;
    for (int I = threadIdx.x; I < Length; I += blockDim.x)
      Out[Row * Length + I] = Slot[I];
      // expect-note@-1: read here
    Load(Row + 2);
    // expect-note@-1: 'Load' called here
    // expect-note@-2: a barrier belongs between the read in line -1 and this call
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  }
}

// Fours are no matter of 4-byte copies: what is behind the row is read.
__global__ void __launch_bounds__(96)
    words_bad(const float *In, float *Out, int Rows, int Length) {
    // expect-note@-1: with Rows = 3, Length = 95
  extern __shared__ __align__(16) float Ring[];
  auto Load = [&](int Row) {
    if (Row < Rows) {
      float *Slot = Ring + (Row % 2) * Length;
      for (int I = threadIdx.x; I <= Length; I += blockDim.x)
      // expect-note@-1: in the first iteration of this loop
        __pipeline_memcpy_async(Slot + I, In + Row * Length + I, 4);
        // expect-note@-1: thread 95 overwrites 'Slot[95]' (byte 380 of 'Ring') here, read by thread 0
    }
    __pipeline_commit();
  };
  Load(0);
  for (int Row = 0; Row < Rows; ++Row) {
  // expect-note@-1: in the iteration of this loop with Row = 1
    __pipeline_wait_prior(0);
    __syncthreads();
    const float *Slot = Ring + (Row % 2) * Length;
    for (int I = threadIdx.x; I < Length; I += blockDim.x)
      Out[Row * Length + I] = Slot[I];
      // expect-note@-1: read here
    Load(Row + 1);
    // expect-note@-1: 'Load' called here
    // expect-note@-2: a barrier belongs between the read in line -1 and this call
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  }
}
