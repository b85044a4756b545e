//===- rings-without-end.cu - Rings in memory whose size the host says ---- ===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the ring ends nobody tells. What is read of a slot before anything was
// copied there, by a statement that reads what was copied in the rounds before,
// is none of it.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Slots = 3;

template <int Last, bool Copies>
__device__ void runRing(const float *In, float *Out, int Tiles) {
  extern __shared__ float Ring[];
  const int I = threadIdx.x;
  const auto Fetch = [&](int T, int Slot) {
    if (T < Tiles)
      __pipeline_memcpy_async(&Ring[Slot * 128 + I], In + T * 128 + I, 4);
      // expect-note@-1: copy issued here
      // expect-note@-2: first copy into these bytes issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    // expect-note@-2: committed here as the newest group
  };
  for (int T = 0; T < Slots - 1; ++T)
    Fetch(T, T);
  int Read = 0, Write = Slots - 1;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 3
  // expect-note@-2: in the iteration of this loop with T = 4
  // expect-note@-3: in the iteration of this loop with T = 7
  // expect-note@-4: in the iteration of this loop with T = 8
    __pipeline_wait_prior(Slots - 2);
    // expect-note@-1: leave no group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Ring' may be in the newest one
    __syncthreads();
    Fetch(T + Slots - 1, Write);
    // expect-note@-1: 'Fetch' called here
    Out[T * 128 + I] = Ring[Read * 128 + 127 - I];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: the copy, a wait for it and a barrier belong before this read
    // expect-note@-3: thread 0 reads 'Ring[127]' here, copied by thread 127
    // expect-note@-4: thread 0 reads 'Ring[511]' here
    // expect-warning@-5{cpasync-unwaited-read}: 'Ring' may be read before any copy into it is issued
    // expect-warning@-6{cpasync-unwaited-read}: 'Ring' may be read before the asynchronous copy into it has completed
    Write = Copies ? Read : (Write + 1) % Slots;
    Read = Read == Last ? 0 : Read + 1;
  }
}

#define KERNEL __global__ void __launch_bounds__(128)
KERNEL wraps_ok(const float *In, float *Out, int Tiles) {
  runRing<Slots - 1, true>(In, Out, Tiles);
}
KERNEL wraps_late_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 7
  runRing<Slots, true>(In, Out, Tiles);
  // expect-note@-1: 'runRing' called here
}
KERNEL wraps_late_to_read_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 10
// expect-note@-2: with Tiles = 7
  runRing<Slots, false>(In, Out, Tiles);
  // expect-note@-1: 'runRing' called here
}

// Of the first round nothing is made.
KERNEL two_rows_ok(const float *In, float *Out, int Tiles) {
  extern __shared__ float Ring[];
  const int I = threadIdx.x;
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_memcpy_async(&Ring[T % 2 * 128 + I], In + T * 128 + I, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const float Before = T > 0 ? Ring[(T + 1) % 2 * 128 + 127 - I] : 0;
    Out[T * 128 + I] = Before + Ring[T % 2 * 128 + 127 - I];
    __syncthreads();
  }
}
// Who copies how many of a tile, as the tail has fewer.
KERNEL shorter_tail_ok(const float *In, float *Out, int N) {
  extern __shared__ float Ring[];
  const int I = threadIdx.x, Tiles = (N + 127) / 128;
  for (int T = 0; T < Tiles; ++T) {
    if (T * 128 + I < N)
      __pipeline_memcpy_async(&Ring[T % 2 * 128 + I], In + T * 128 + I, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (T * 128 + 127 - I < N)
      Out[T * 128 + 127 - I] = Ring[T % 2 * 128 + 127 - I];
    __syncthreads();
  }
}

// Persistent blocks, whose copies and reads both hang on the edges.
template <int Last>
__device__ void turn(const float *In, float *Out, int Rows, int Cols) {
  extern __shared__ float Ring[];
  const int I = threadIdx.x, Across = (Cols + 127) / 128,
            Tiles = Rows * Across;
  const auto Fetch = [&](int T, int Slot) {
    if (T < Tiles) {
    // expect-note@-1: taken when this condition is true
      const int Row = T / Across, Col = T % Across * 128 + I;
      if (Col < Cols)
      // expect-note@-1: taken when this condition is true
        __pipeline_memcpy_async(&Ring[Slot * 128 + I], In + Row * Cols + Col, 4);
        // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
        // expect-note@-2: copy issued here
    }
    __pipeline_commit();
  };
  for (int T = 0; T < Slots - 1; ++T)
    Fetch(blockIdx.x + T * gridDim.x, T);
  int Read = 0, Write = Slots - 1;
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
  // expect-note@-1: in the 4th iteration of this loop
    __pipeline_wait_prior(Slots - 2);
    __syncthreads();
    Fetch(T + (Slots - 1) * gridDim.x, Write);
    // expect-note@-1: 'Fetch' called here
    const int Row = T / Across, Col = T % Across * 128 + 127 - I;
    if (Col < Cols)
    // expect-note@-1: taken when this condition is true
      Out[Col * Rows + Row] = Ring[Read * 128 + 127 - I];
      // expect-note@-1: thread 0 reads byte 2044 of 'Ring' here
      // expect-warning@-2{cpasync-uncopied-read}: 'Ring' may be read where no copy or store writes to it
    Write = Read;
    Read = Read == Last ? 0 : Read + 1;
  }
}
KERNEL edges_ok(const float *In, float *Out, int Rows, int Cols) {
  turn<Slots - 1>(In, Out, Rows, Cols);
}
KERNEL edges_bad(const float *In, float *Out, int Rows, int Cols) {
  turn<Slots>(In, Out, Rows, Cols);
  // expect-note@-1: 'turn' called here
}
