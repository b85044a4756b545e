//===- rows-of-slots.cu - Lists of any length, read from a ring -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block streams the elements of its rows through a ring, and each thread adds
// up those of its row that a slot has: from where to where says a table in
// global memory. However many there are, they are in the slot.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Depth = 2, Chunk = 256, Rows = 64;
struct alignas(16) Slot {
  float Values[Chunk];
  int Columns[Chunk];
};

template <int Ahead, int Shift, bool MeetsBehindWait, bool MeetsBehindReads>
__device__ void addUp(const int *Begins, const int *Columns, const float *Values,
                      const float *X, float *Y) {
  __shared__ Slot Ring[Depth];
  const int First = blockIdx.x * Rows, Row = First + threadIdx.x;
  const int Begin = Begins[Row], End = Begins[Row + 1];
  const int Base = Begins[First] & ~3;
  const int N = (Begins[First + Rows] - Base + Chunk - 1) / Chunk;
  const auto Load = [&](int C) {
    Slot &S = Ring[C % Depth];
    const int I = threadIdx.x * 4;
    __pipeline_memcpy_async(&S.Columns[I], Columns + Base + C * Chunk + I, 16);
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 0 overwrites 'Ring[0].Columns[0]' here, copied by thread 0
    // expect-warning@-4{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while a copy into it is in flight
    __pipeline_memcpy_async(&S.Values[I], Values + Base + C * Chunk + I, 16);
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 0 overwrites 'Ring[0].Values[0]' here, copied by thread 0
    // expect-note@-4: thread 32 overwrites 'Ring' here, read by thread 0
    // expect-warning@-5{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while a copy into it is in flight
  };
  for (int C = 0; C < Depth; ++C) {
  // expect-note@-1: in the iteration of this loop with C = 0
    if (C < N)
      Load(C);
      // expect-note@-1: 'Load' called here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  float Sum = 0;
  for (int C = 0; C < N; ++C) {
  // expect-note@-1: in the iteration of this loop with C = 0
    __pipeline_wait_prior(Ahead);
    // expect-note@-1: its thread waits for the copy here
    // expect-note@-2: leave at most 1 group in flight here
    // expect-warning@-3{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    if (MeetsBehindWait)
      __syncthreads();
    const int From = Base + C * Chunk;
    const Slot &S = Ring[(C + Shift) % Depth];
    for (int E = max(Begin, From); E < min(End, From + Chunk); ++E)
      Sum += S.Values[E - From] * X[S.Columns[E - From]];
      // expect-note@-1: a barrier belongs between the wait in line -6 and this read
      // expect-note@-2: also read here
      // expect-note@-3: read here
      // expect-note@-4: thread 0 reads 'Ring' here
      // expect-note@-5: thread 0 reads 'Ring' here, copied by thread 32
      // expect-warning@-6{cpasync-unsynchronized-read}: 'Ring' may be read with no barrier after the wait for its copy
    if (MeetsBehindReads)
      __syncthreads();
    if (C + Depth < N)
      Load(C + Depth);
      // expect-note@-1: 'Load' called here
      // expect-note@-2: a barrier belongs between the read in line -4 and this call
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
    __pipeline_commit();
  }
  Y[Row] = Sum;
}
#define KERNEL(NAME, ...)                                                      \
  __global__ void __launch_bounds__(Rows) NAME(                                \
      const int *Begins, const int *Columns, const float *Values,              \
      const float *X, float *Y) {                                              \
    addUp<__VA_ARGS__>(Begins, Columns, Values, X, Y);                         \
  }
KERNEL(rows_ok, Depth - 1, 0, true, true)
KERNEL(waits_for_too_few_bad, Depth, 0, true, true)
// expect-note@-1: 'addUp' called here
// expect-note@-2: with Begins[First] = 0, Begins[First + Rows] = 1
// expect-note@-3: with Begins[First] = 0, Begins[First + Rows] = 513
KERNEL(other_slot_bad, Depth - 1, 1, true, true)
KERNEL(does_not_meet_behind_wait_bad, Depth - 1, 0, false, true)
// expect-note@-1: 'addUp' called here
// expect-note@-2: with Begins[First] = 0, Begins[First + Rows] = 1
KERNEL(does_not_meet_behind_reads_bad, Depth - 1, 0, true, false)
// expect-note@-1: 'addUp' called here
// expect-note@-2: with Begins[First] = 0, Begins[First + Rows] = 513

// Where a number says which thread it is, it may be what its own warp copied.
__global__ void __launch_bounds__(Rows) own_parts_ok(const int *Places,
                                                     const float *In, float *Out) {
  __shared__ alignas(16) float Tile[Rows * 4];
  const int T = threadIdx.x;
  __pipeline_memcpy_async(&Tile[T * 4], In + T * 4, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  Out[T] = Tile[T / 32 * 128 + Places[T % 32]];
  // expect-skipped@-1: address of a read of 'Tile' is not known before a barrier after the copies into it
}
