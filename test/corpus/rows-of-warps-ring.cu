//===- rows-of-warps-ring.cu - Each warp has a row of its own --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table says where the row of each warp begins and ends, so that warps have
// another number of items each. Which copies are made, and that all of them were
// waited for when the row ends, follows from how many items there are.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Stages = 4, Warps = 8;

__device__ void request(float4 *To, const float4 *Row) {
  __pipeline_memcpy_async(&To[threadIdx.x], &Row[threadIdx.x], sizeof(float4));
}

// Rows of up to three items.
__global__ void shortRows(const float4 *Table, const int *Offsets,
                          const int *Items, float4 *Out) {
  __shared__ float4 Ring[Warps][Stages][32];
  const int Row = blockIdx.x * Warps + threadIdx.y;
  int Next = Offsets[Row];
  const int First = Next, End = Offsets[Row + 1];
  for (int S = 0; S < 3; ++S) {
    if (Next < End) {
      request(Ring[threadIdx.y][S], &Table[Items[Next] * 32]);
      ++Next;
    }
    __pipeline_commit();
  }
  __pipeline_wait_prior(2);
  float4 Sum = {};
  if (First < End)
    Sum = Ring[threadIdx.y][0][threadIdx.x];
  Out[Row * 32 + threadIdx.x] = Sum;
  // There was one item: nothing else is in flight.
  if (First + 1 >= End)
    Ring[threadIdx.y][1][threadIdx.x] = Sum;
}

__global__ void shortRowsTwo(const float4 *Table, const int *Offsets,
                             const int *Items, float4 *Out) {
  __shared__ float4 Ring[Warps][Stages][32];
  const int Row = blockIdx.x * Warps + threadIdx.y;
  int Next = Offsets[Row];
  const int First = Next, End = Offsets[Row + 1];
  for (int S = 0; S < 3; ++S) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with S = 1
    if (Next < End) {
      request(Ring[threadIdx.y][S], &Table[Items[Next] * 32]);
      // expect-note@-1: copy issued here
      ++Next;
    }
    __pipeline_commit();
  }
  __pipeline_wait_prior(2);
  float4 Sum = {};
  if (First < End)
    Sum = Ring[threadIdx.y][0][threadIdx.x];
  Out[Row * 32 + threadIdx.x] = Sum;
  // There may have been two.
  if (First + 2 >= End)
    Ring[threadIdx.y][1][threadIdx.x] = Sum;
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: thread 0 (0, 0) overwrites 'Ring[0][1][0]' here, copied by thread 0 (0, 0)
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while a copy into it is in flight
}

// Rows of any length.
template <int InFlight>
__global__ void rows(const float4 *Table, const int *Offsets, const int *Items,
// expect-note@-1: in instantiation of 'rows<4>'
                     float4 *Out) {
  __shared__ float4 Ring[Warps][Stages][32];
  const int Row = blockIdx.x * Warps + threadIdx.y;
  int Next = Offsets[Row];
  const int End = Offsets[Row + 1];
  int Item = Next;
  for (int S = 0; S < Stages; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (Next < End) {
      request(Ring[threadIdx.y][S], &Table[Items[Next] * 32]);
      // expect-note@-1: copy issued here
      ++Next;
    }
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  float4 Sum = {};
  int Slot = 0;
  for (; Item < End; ++Item) {
  // expect-note@-1: in the first iteration of this loop
  // expect-skipped@-2: loop does not settle within 64 iterations
    __pipeline_wait_prior(InFlight);
    // expect-note@-1: leave at most 3 groups in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 4 groups in flight, but only 3 may be newer than the copy into 'Ring'
    Sum.x += Ring[threadIdx.y][Slot][threadIdx.x].x;
    // expect-note@-1: thread 0 (0, 0) reads 'Ring[0][0][0].x' here
    if (Next < End) {
      request(Ring[threadIdx.y][Slot], &Table[Items[Next] * 32]);
      ++Next;
    }
    __pipeline_commit();
    Slot = Slot + 1 < Stages ? Slot + 1 : 0;
  }
  Ring[threadIdx.y][0][threadIdx.x] = Sum;
  Out[Row * 32 + threadIdx.x] = Ring[threadIdx.y][0][threadIdx.x];
  // expect-note@-1: also read here
}

void launch(const float4 *Table, const int *Offsets, const int *Items,
            float4 *Out, int Rows) {
  const dim3 Block(32, Warps);
  shortRows<<<Rows / Warps, Block>>>(Table, Offsets, Items, Out);
  shortRowsTwo<<<Rows / Warps, Block>>>(Table, Offsets, Items, Out);
  // expect-note@-1: launched here with blocks of 32x8 threads
  rows<Stages - 1><<<Rows / Warps, Block>>>(Table, Offsets, Items, Out);
  rows<Stages><<<Rows / Warps, Block>>>(Table, Offsets, Items, Out);
  // expect-note@-1: launched here with blocks of 32x8 threads
}
