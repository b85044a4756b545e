//===- rows-behind-vectors.cu - Rows that begin behind others -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is copied in vectors, behind another of as many. That the number of
// vectors is a term of its address does not make rows of one vector: who reads
// elements of it goes on by more than that in each round.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 288;

template <bool OwnVectors>
__device__ void sumRow(const float *In, const float *Weights, float *Out,
                       int Length) {
  extern __shared__ float4 Memory[];
  const int T = threadIdx.x, Vectors = (Length + 3) / 4;
  float4 *Row = Memory + Vectors;
  for (int V = T; V < Vectors; V += Threads) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the first iteration of this loop
    __pipeline_memcpy_async(Memory + V, Weights + 4 * V, 16);
    __pipeline_memcpy_async(Row + V, In + 4 * V, 16);
    // expect-note@-1: copy issued here
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  float Sum = 0;
  if (OwnVectors) {
    for (int V = T; V < Vectors; V += Threads)
      Sum += Row[V].x * Memory[V].x;
  } else {
    const float *Elements = reinterpret_cast<const float *>(Row);
    for (int I = T; I < Length; I += Threads)
      Sum += Elements[I];
      // expect-note@-1: a barrier belongs between the wait in line -8 and this read
      // expect-note@-2: thread 32 reads 'Elements[32]' (byte 4224 of 'Memory') here, copied by thread 8
      // expect-warning@-3{cpasync-unsynchronized-read}: 'Memory' is read with no barrier after the wait for its copy
  }
  Out[T] = Sum;
}

__global__ void __launch_bounds__(Threads)
    own_vectors_ok(const float *In, const float *Weights, float *Out,
                   int Length) {
  sumRow<true>(In, Weights, Out, Length);
}

__global__ void __launch_bounds__(Threads)
    elements_of_others_bad(const float *In, const float *Weights, float *Out,
    // expect-note@-1: with Length = 1024
                           int Length) {
  sumRow<false>(In, Weights, Out, Length);
  // expect-note@-1: 'sumRow' called here
}
