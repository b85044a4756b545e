//===- aligned-bases.cu - From the first multiple of an address on --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles that a tensor copy swizzles begin at multiples of 1024 bytes. Dynamic
// shared memory is used from the first of them on: what lacks is -Address, by
// its low bits.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

template <bool Ends>
__device__ void sumFromMultiple(const float *In, float *Out, int Tiles) {
  extern __shared__ unsigned char Raw[];
  const auto At = static_cast<unsigned>(__cvta_generic_to_shared(Raw));
  float *Tile = reinterpret_cast<float *>(Raw + (-At & 1023u));
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    __pipeline_memcpy_async(&Tile[threadIdx.x], In + T * 128 + threadIdx.x, 4);
    // expect-note@-1: a barrier belongs between the read in line +4 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Tile[0]' (byte 0 of 'Raw') here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Raw' may be overwritten while other threads still read it
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Sum += Tile[127 - threadIdx.x];
    // expect-note@-1: read here
    if (Ends)
      __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}
__global__ void __launch_bounds__(128)
from_multiple_ok(const float *In, float *Out, int Tiles) {
  sumFromMultiple<true>(In, Out, Tiles);
}
__global__ void __launch_bounds__(128)
from_multiple_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  sumFromMultiple<false>(In, Out, Tiles);
  // expect-note@-1: 'sumFromMultiple' called here
}
