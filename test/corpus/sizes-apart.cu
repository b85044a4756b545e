//===- sizes-apart.cu - Sizes that are not all alike -----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all sizes that a kernel is given are chosen alike, rows overlap whose
// length is in elements and whose pitch is in bytes, and of a whole input there is
// but one row: some of the code is not come to.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

// Nothing says that rows of such a length have room.
template <bool IsOwn>
__device__ void addRows(const float4 *In, float4 *Out, int Rows, int Length,
                        int PitchInBytes) {
  extern __shared__ float4 Memory[];
  auto RowOf = [&](int R) {
    return reinterpret_cast<float4 *>(reinterpret_cast<char *>(Memory) +
                                      R % 2 * PitchInBytes);
  };
  for (int R = 0; R < Rows; ++R) {
  // expect-note@-1: in the iteration of this loop with R = 0
  // expect-note@-2: in the iteration of this loop with R = 1
  // expect-note@-3: in the iteration of this loop with R = 2
    for (int I = threadIdx.x; I < Length; I += Threads)
    // expect-note@-1: in the 32nd iteration of this loop
    // expect-note@-2: in the first iteration of this loop
      __pipeline_memcpy_async(RowOf(R) + I, In + R * Length + I, 16);
      // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
      // expect-note@-2: copy issued here
      // expect-note@-3: thread 0 overwrites byte 0 of 'Memory' here, read by thread 127
      // expect-skipped@-4: finding left out: it is none with Length = 4096, PitchInBytes = 65536
      // expect-warning@-5{cpasync-in-flight-overwrite}: 'Memory' may be overwritten while other threads still read it
    __pipeline_commit();
    if (R == 0)
      continue;
    __pipeline_wait_prior(1);
    // expect-note@-1: its thread waits for the copy here
    for (int I = threadIdx.x; I < Length; I += Threads)
      Out[R * Length + I] = RowOf(R - 1)[IsOwn ? I : Length - 1 - I];
      // expect-note@-1: a barrier belongs between the wait in line -2 and this read
      // expect-note@-2: read here
      // expect-note@-3: thread 0 reads byte 65520 of 'Memory' here, copied by thread 127
      // expect-warning@-4{cpasync-unsynchronized-read}: 'Memory' may be read with no barrier after the wait for its copy
  }
}
__global__ __launch_bounds__(Threads) void unitsOfPitch_ok(
    const float4 *In, float4 *Out, int Rows, int Length, int PitchInBytes) {
  addRows<true>(In, Out, Rows, Length, PitchInBytes);
}
__global__ __launch_bounds__(Threads) void unitsOfPitch_bad(
// expect-note@-1: with Length = 4096, PitchInBytes = 65536, Rows = 2
// expect-note@-2: with Length = 4096, PitchInBytes = 65536, Rows = 3
    const float4 *In, float4 *Out, int Rows, int Length, int PitchInBytes) {
  addRows<false>(In, Out, Rows, Length, PitchInBytes);
  // expect-note@-1: 'addRows' called here
}

// Half of a slot is overwritten once there are two rows.
template <int Part>
__device__ void copyRows(const float *In, float *Out, int All, int Row) {
  extern __shared__ float4 Memory[];
  float *Slots = reinterpret_cast<float *>(Memory);
  const int Rows = (All + Row - 1) / Row;
  auto Fetch = [&](int R) {
    const int Length = min(Row, All - R * Row);
    float *To = Slots + R % 2 * (Row / Part);
    for (int I = threadIdx.x; I < Length; I += Threads)
    // expect-note@-1: in the 5th iteration of this loop
    // expect-note@-2: in the first iteration of this loop
      __pipeline_memcpy_async(To + I, In + R * Row + I, 4);
      // expect-note@-1: a wait for the copy belongs before this overwrite
      // expect-note@-2: copy issued here
      // expect-note@-3: thread 0 overwrites 'To[0]' (byte 2048 of 'Memory') here, copied by thread 0
      // expect-warning@-4{cpasync-in-flight-overwrite}: 'Memory' may be overwritten while a copy into it is in flight
    __pipeline_commit();
  };
  Fetch(0);
  // expect-note@-1: 'Fetch' called here
  for (int R = 0; R < Rows; ++R) {
  // expect-note@-1: in the iteration of this loop with R = 0
    if (R + 1 < Rows) {
    // expect-note@-1: taken when this condition is true
      Fetch(R + 1);
      // expect-note@-1: 'Fetch' called here
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    const int Length = min(Row, All - R * Row);
    for (int I = threadIdx.x; I < Length; I += Threads)
      Out[R * Row + I] = Slots[R % 2 * (Row / Part) + Length - 1 - I];
    __syncthreads();
  }
}
__global__ __launch_bounds__(Threads) void rowsOfAll_ok(const float *In,
                                                        float *Out, int All,
                                                        int Row) {
  copyRows<1>(In, Out, All, Row);
}
__global__ __launch_bounds__(Threads) void rowsOfAll_bad(const float *In,
// expect-note@-1: with Row = 1024, All = 1025
                                                         float *Out, int All,
                                                         int Row) {
  copyRows<2>(In, Out, All, Row);
  // expect-note@-1: 'copyRows' called here
}

// Only rings of two stages wait for too little, and the first that is tried has
// four.
template <int LeftOfTwo>
__device__ void sumTiles(const float *In, float *Out, int Tiles, int Stages,
                         int Pitch) {
  extern __shared__ float4 Memory[];
  float *Ring = reinterpret_cast<float *>(Memory);
  auto Fetch = [&](int T) {
    if (T < Tiles)
      __pipeline_memcpy_async(Ring + T % Stages * Pitch + threadIdx.x,
      // expect-note@-1: copy issued here
                              In + T * Threads + threadIdx.x, 4);
    __pipeline_commit();
    // expect-note@-1: committed here
  };
  for (int T = 0; T < Stages - 1; ++T)
  // expect-note@-1: in the iteration of this loop with T = 0
    Fetch(T);
    // expect-note@-1: 'Fetch' called here
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    Fetch(T + Stages - 1);
    if (Stages == 2)
      __pipeline_wait_prior(LeftOfTwo);
      // expect-note@-1: leave at most 1 group in flight here
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Memory'
    else
      __pipeline_wait_prior(2);
    __syncthreads();
    Sum += Ring[T % Stages * Pitch + Threads - 1 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Ring[127]' (byte 508 of 'Memory') here, copied by thread 127
    // expect-skipped@-2: finding left out: it is none with Stages = 4, Pitch = 1024
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}
__global__ __launch_bounds__(Threads) void fewStages_ok(const float *In,
                                                        float *Out, int Tiles,
                                                        int Stages, int Pitch) {
  sumTiles<1>(In, Out, Tiles, Stages, Pitch);
}
__global__ __launch_bounds__(Threads) void fewStages_bad(const float *In,
// expect-note@-1: with Stages = 2, Pitch = 1024, Tiles = 1
                                                         float *Out, int Tiles,
                                                         int Stages,
                                                         int Pitch) {
  sumTiles<2>(In, Out, Tiles, Stages, Pitch);
  // expect-note@-1: 'sumTiles' called here
}
