//===- partial-tiles.cu - Threads that leave before they copy --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads with no row leave at once, the others read what those would have
// copied. Where the host gives whole tiles that is right; who asks for the end
// again, for a row of his own, expects others.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copyAndMeet(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

KERNEL asked_when_stored(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
  // expect-note@-1: all threads must come to the copies of the block; what they store may depend on the condition
  // expect-note@-2: taken when this condition is true only in threads 65-127
  // expect-warning@-3{cpasync-uncopied-read}: some threads may leave here before they copy what others read of 'Tile'
    return;
  copyAndMeet(&Tile[T], &In[Row]);
  // expect-note@-1: 'copyAndMeet' called here
  const float Sum = Tile[T] + Tile[127 - T];
  // expect-note@-1: thread 0 reads 'Tile[127]' here
  if (Row < Rows)
    Out[Row] = Sum;
}

// The end is a member, and what is asked has a name.
struct Extent {
  int Width, Height;
};
KERNEL asked_by_name(const float *In, float *Out, Extent Of) {
  __shared__ float Tile[2][64];
  const int X = threadIdx.x % 64, Y = threadIdx.x / 64;
  const bool IsInside = blockIdx.x * 64 + X < Of.Width && Y < Of.Height;
  if (!IsInside)
  // expect-note@-1: all threads must come to the copies of the block; what they store may depend on the condition
  // expect-note@-2: taken when this condition is true only in threads 33-63, 97-127
  // expect-warning@-3{cpasync-uncopied-read}: some threads may leave here before they copy what others read of 'Tile'
    return;
  copyAndMeet(&Tile[Y][X], &In[Y * Of.Width + X]);
  // expect-note@-1: 'copyAndMeet' called here
  const float Sum = Tile[Y][63 - X];
  // expect-note@-1: thread 0 reads 'Tile[0][63]' here
  if (IsInside)
    Out[threadIdx.x] = Sum;
}

// Rows are clamped.
KERNEL asked_when_copied(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
  // expect-note@-1: all threads must come to the copies of the block; what they store may depend on the condition
  // expect-note@-2: taken when this condition is true only in threads 65-127
  // expect-warning@-3{cpasync-uncopied-read}: some threads may leave here before they copy what others read of 'Tile'
    return;
  const int Next = Row + 1 < Rows ? Row + 1 : Row;
  copyAndMeet(&Tile[T], &In[Next]);
  // expect-note@-1: 'copyAndMeet' called here
  Out[Row] = Tile[T ^ 64];
  // expect-note@-1: thread 1 reads 'Tile[65]' here
}

// All come to the copy.
KERNEL stored_by_some_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  copyAndMeet(&Tile[T], &In[Row < Rows ? Row : 0]);
  if (Row < Rows)
    Out[Row] = Tile[T] + Tile[127 - T];
}

// The host gives whole tiles.
KERNEL not_asked_again_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
    return;
  copyAndMeet(&Tile[T], &In[Row]);
  Out[Row] = Tile[127 - T];
}

// A loop to the end of the rows is not about the row of a thread.
KERNEL tile_by_tile_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
    return;
  float Sum = 0;
  for (int First = 0; First < Rows; First += 128) {
    copyAndMeet(&Tile[T], &In[First + T]);
    Sum += Tile[127 - T];
    __syncthreads();
  }
  Out[Row] = Sum;
}

// Each reads what it has copied itself.
KERNEL own_rows_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
    return;
  copyAndMeet(&Tile[T], &In[Row]);
  if (Row + 1 < Rows)
    Out[Row] = Tile[T];
}

// And of its neighbour, if there is one.
KERNEL neighbour_that_there_is_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
    return;
  copyAndMeet(&Tile[T], &In[Row]);
  float Sum = Tile[T];
  if (T < 127 && Row + 1 < Rows)
    Sum += Tile[T + 1];
  Out[Row] = Sum;
}

// The whole block leaves.
KERNEL whole_blocks_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (blockIdx.x * 128 >= Rows)
    return;
  copyAndMeet(&Tile[T], &In[Row < Rows ? Row : 0]);
  const float Sum = Tile[127 - T];
  if (Row < Rows)
    Out[Row] = Sum;
}

// What those who left would have copied is zero.
KERNEL cleared_before_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  Tile[T] = 0;
  __syncthreads();
  if (Row >= Rows)
    return;
  copyAndMeet(&Tile[T], &In[Row]);
  const float Sum = Tile[127 - T];
  if (Row < Rows)
    Out[Row] = Sum;
}

// What whole blocks ask is not about the row of a thread, nor is the index of a
// thread by itself.
__global__ void __launch_bounds__(128) block_by_block_ok(const float *In,
                                                         float *Out, int Rows) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Row = blockIdx.x * blockDim.x + T;
  if (Row >= Rows)
    return;
  float Sum = 0;
  for (int Block = 0; Block < gridDim.x; ++Block)
    if (Block * blockDim.x < Rows) {
      copyAndMeet(&Tile[T], &In[Block * 128 + T]);
      Sum += Tile[127 - T];
      __syncthreads();
    }
  if (T < 64)
    Out[Row] = Sum;
}

// The first paths to what reads have few tiles, and decide against copies: what
// the call did is remembered, and done again where all are copied.
__device__ void addAll(float &Sum, const float (&Ring)[3][128], int Slot) {
  for (int K = 0; K < 16; ++K)
    Sum += Ring[Slot][127 - (threadIdx.x / 16 * 16 + K)];
    // expect-note@-1: thread 0 reads 'Ring[0][127]' here
}
KERNEL read_in_main_loop_and_after(const float *In, float *Out, int Rows,
                                   int Tiles) {
  __shared__ float Ring[3][128];
  const int T = threadIdx.x, Row = blockIdx.x * 128 + T;
  if (Row >= Rows)
  // expect-note@-1: all threads must come to the copies of the block; what they store may depend on the condition
  // expect-note@-2: taken when this condition is true only in threads 65-127
  // expect-warning@-3{cpasync-uncopied-read}: some threads may leave here before they copy what others read of 'Ring'
    return;
  auto Fetch = [&](int K) {
    __pipeline_memcpy_async(&Ring[K % 3][T], &In[Row * Tiles + K], 4);
  };
  for (int K = 0; K < 2; ++K) {
    if (K < Tiles)
      Fetch(K);
    __pipeline_commit();
  }
  float Sum = 0;
  int K = 0;
  for (; K < Tiles - 2; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_wait_prior(1);
    __syncthreads();
    Fetch(K + 2);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    addAll(Sum, Ring, K % 3);
    // expect-note@-1: 'addAll' called here
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  for (; K < Tiles; ++K)
    addAll(Sum, Ring, K % 3);
  if (Row < Rows)
    Out[Row] = Sum;
}
