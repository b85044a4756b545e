//===- given-a-member.cu - What unknown functions reach --------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class keeps its accumulators beside the address of its tiles. Who is given
// the accumulators does not move the tiles; who is given all may.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

struct Fragment {
  float X[8];
};
__device__ void multiply(Fragment &To, const float4 &By);
__device__ void multiplyAt(float *To, const float4 &By);

struct Tiles {
  float4 *Tile;
  int Count;
  Fragment Sums[2][2];

  __device__ void load(const float4 *From, int T) {
    __pipeline_memcpy_async(&Tile[T % 2 * 128 + threadIdx.x],
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 0 overwrites 'Buffer[0]' here, copied by thread 0
    // expect-skipped@-4: destination of the copy is not understood
    // expect-warning@-5{cpasync-in-flight-overwrite}: 'Buffer' may be overwritten while a copy into it is in flight
                            &From[T * 128 + threadIdx.x], sizeof(float4));
    __pipeline_commit();
  }
  __device__ void use(int T) {
    for (int I = 0; I < 2; ++I)
      for (int J = 0; J < 2; ++J) {
        multiply(Sums[I][J], Tile[T % 2 * 128 + (threadIdx.x ^ I)]);
        multiplyAt((float *)&Sums[I][J], Tile[T % 2 * 128 + (threadIdx.x ^ J)]);
      }
  }
};
__device__ void move(Tiles &All);

template <int InFlight>
__global__ void __launch_bounds__(128)
    product(const float4 *From, float4 *Out, int Count) {
    // expect-note@-1: in instantiation of 'product<2>'
    // expect-note@-2: with Count = 3
  __shared__ float4 Buffer[256];
  Tiles All = {Buffer, Count, {}};
  All.load(From, 0);
  // expect-note@-1: 'load' called here
  for (int T = 0; T < Count; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    if (T + 1 < Count)
    // expect-note@-1: taken when this condition is true
      All.load(From, T + 1);
      // expect-note@-1: 'load' called here
    else
      __pipeline_commit();
    __pipeline_wait_prior(InFlight);
    __syncthreads();
    All.use(T);
    __syncthreads();
  }
  Out[threadIdx.x].x = All.Sums[0][0].X[0];
}
template __global__ void product<1>(const float4 *, float4 *, int);
template __global__ void product<2>(const float4 *, float4 *, int);

__global__ void __launch_bounds__(128) moved(const float4 *From, float4 *Out) {
  __shared__ float4 Buffer[256];
  Tiles All = {Buffer, 1, {}};
  move(All);
  All.load(From, 0);
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Buffer[threadIdx.x ^ 1];
}
