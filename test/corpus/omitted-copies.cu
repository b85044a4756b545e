//===- omitted-copies.cu - Copies left out at an edge ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beyond the edge of an image or a matrix nothing is copied. A `_bad` kernel
// makes a result of what is there all the same.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL(THREADS) __global__ void __launch_bounds__(THREADS)

__device__ void copy(float *To, const float *From, int Bytes = 4) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(To)),
               "l"(From), "r"(Bytes)
               : "memory");
}
__device__ void waitForAll() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

// An image of which a block has 16x16 points, and a border of one.
struct Image {
  const float *Points;
  int Width, Height;
};
enum class Beyond { LeftOut, Filled, Stored };
template <Beyond Is>
__device__ void copyWithBorder(float (&Tile)[18][19], const Image &Of, int X0,
                               int Y0) {
  for (int I = threadIdx.y * 16 + threadIdx.x; I < 18 * 18; I += 256) {
    const int Row = I / 18, Col = I % 18, X = X0 + Col - 1, Y = Y0 + Row - 1;
    const bool Inside = X >= 0 && X < Of.Width && Y >= 0 && Y < Of.Height;
    const float *From = Inside ? Of.Points + Y * Of.Width + X : Of.Points;
    if (Is == Beyond::Filled)
      copy(&Tile[Row][Col], From, Inside ? 4 : 0);
    else if (Inside)
      copy(&Tile[Row][Col], From);
      // expect-note@-1: left out here where a condition around the copy does not hold
      // expect-note@-2: where there is nothing to copy, a source size of 0 fills with zeros; or store what is to be read
    else if (Is == Beyond::Stored)
      Tile[Row][Col] = 0;
  }
  waitForAll();
}
template <Beyond Is>
__device__ void blur(const Image &Of, float *Out) {
  __shared__ float Tile[18][19];
  const int X0 = blockIdx.x * 16, Y0 = blockIdx.y * 16;
  copyWithBorder<Is>(Tile, Of, X0, Y0);
  float Sum = 0;
  for (int DY = 0; DY < 3; ++DY)
    for (int DX = 0; DX < 3; ++DX)
      Sum += Tile[threadIdx.y + DY][threadIdx.x + DX];
      // expect-note@-1: thread 0 (0, 0) reads 'Tile[2][2]' here
      // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
  const int X = X0 + threadIdx.x, Y = Y0 + threadIdx.y;
  if (X < Of.Width && Y < Of.Height)
    Out[Y * Of.Width + X] = Sum / 9;
    // expect-note@-1: what is made of it is stored here
}
KERNEL(256) blur_left_out_bad(Image Of, float *Out) {
// expect-note@-1: assuming blocks of 16x16 threads
// expect-note@-2: with blockIdx.x = 0, Of.Width = 1, blockIdx.y = 0, Of.Height = 1
  blur<Beyond::LeftOut>(Of, Out);
  // expect-note@-1: 'blur' called here
}
KERNEL(256) blur_filled_ok(Image Of, float *Out) {
  blur<Beyond::Filled>(Of, Out);
}
KERNEL(256) blur_stored_ok(Image Of, float *Out) {
  blur<Beyond::Stored>(Of, Out);
}

// A tile of 16x16 results, of rows that 16 of each are copied of. What a row or
// a column beyond the edge gives is not stored.
struct Operand {
  const float *Begin;
  int Rows, Cols;
};
template <bool Fills>
__device__ void copyTile(float (&Tile)[16][17], const Operand &Of, int Row,
                         int Col) {
  Row += threadIdx.y;
  Col += threadIdx.x;
  const bool Inside = Row < Of.Rows && Col < Of.Cols;
  float *To = &Tile[threadIdx.y][threadIdx.x];
  if (Fills)
    copy(To, Inside ? Of.Begin + Row * Of.Cols + Col : Of.Begin, Inside ? 4 : 0);
  else if (Inside)
    copy(To, Of.Begin + Row * Of.Cols + Col);
    // expect-note@-1: left out here where a condition around the copy does not hold
    // expect-note@-2: where there is nothing to copy, a source size of 0 fills with zeros; or store what is to be read
}
enum class Depth { Whole, AsLeft, Asked };
template <bool Fills, Depth Of>
__device__ void multiply(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  __shared__ float TileA[16][17], TileB[16][17];
  const int Row = blockIdx.y * 16, Col = blockIdx.x * 16;
  float Sum = 0;
  for (int At = 0; At < K; At += 16) {
  // expect-note@-1: in the iteration of this loop with At = 0
    copyTile<Fills>(TileA, {A, M, K}, Row, At);
    copyTile<Fills>(TileB, {B, K, N}, At, Col);
    waitForAll();
    const int Count = Of == Depth::AsLeft ? min(16, K - At) : 16;
    for (int I = 0; I < Count; ++I) {
      const float X = TileA[threadIdx.y][I], Y = TileB[I][threadIdx.x];
      // expect-note@-1: also read here
      // expect-note@-2: thread 0 (0, 0) reads 'TileA[0][15]' here
      // expect-warning@-3{cpasync-uncopied-read}: 'TileA' is read where no copy or store writes to it
      if (Of != Depth::Asked || At + I < K)
        Sum = fmaf(X, Y, Sum);
    }
    __syncthreads();
  }
  if (Row + threadIdx.y < M && Col + threadIdx.x < N)
    C[(Row + threadIdx.y) * N + Col + threadIdx.x] = Sum;
    // expect-note@-1: what is made of it is stored here
}
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K
KERNEL(256) product_left_out_bad(PRODUCT) {
// expect-note@-1: assuming blocks of 16x16 threads
// expect-note@-2: with K = 1, blockIdx.y = 0, M = 1, blockIdx.x = 0, N = 1
  multiply<false, Depth::Whole>(A, B, C, M, N, K);
  // expect-note@-1: 'multiply' called here
}
KERNEL(256) product_filled_ok(PRODUCT) {
  multiply<true, Depth::Whole>(A, B, C, M, N, K);
}
KERNEL(256) product_of_what_is_left_ok(PRODUCT) {
  multiply<false, Depth::AsLeft>(A, B, C, M, N, K);
}
KERNEL(256) product_asked_for_ok(PRODUCT) {
  multiply<false, Depth::Asked>(A, B, C, M, N, K);
}

// Rows of whole pieces. There is room for whole tiles of results: what is made
// of rows beyond the edge, and of nothing else, may go there.
KERNEL(128) room_for_whole_tiles_ok(const float *In, float *Out, int Rows,
                                    int Width) {
  __shared__ float Tile[16][8];
  const int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  float Sum = 0;
  for (int At = 0; At < Width; At += 8) {
    if (blockIdx.x * 16 + Row < Rows)
      copy(&Tile[Row][Col], In + (blockIdx.x * 16 + Row) * Width + At + Col);
    waitForAll();
    for (int I = 0; I < 8; ++I)
      Sum += Tile[Row][I];
    __syncthreads();
  }
  Out[blockIdx.x * 128 + threadIdx.x] = Sum;
}

// All rows of the tile go into one result.
KERNEL(128) sum_of_rows_bad(const float *In, float *Out, int Rows) {
// expect-note@-1: with blockIdx.x = 0, Rows = 1
  __shared__ float Tile[8][128];
  for (int I = 0; I < 8; ++I)
    if (blockIdx.x * 8 + I < Rows)
      copy(&Tile[I][threadIdx.x], In + (blockIdx.x * 8 + I) * 128 + threadIdx.x);
      // expect-note@-1: left out here where a condition around the copy does not hold
      // expect-note@-2: where there is nothing to copy, a source size of 0 fills with zeros; or store what is to be read
  waitForAll();
  float Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += Tile[I][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[7][0]' here
    // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
  atomicAdd(&Out[threadIdx.x], Sum);
  // expect-note@-1: what is made of it is stored here
}
KERNEL(128) sum_of_rows_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[8][128];
  for (int I = 0; I < 8; ++I)
    if (blockIdx.x * 8 + I < Rows)
      copy(&Tile[I][threadIdx.x], In + (blockIdx.x * 8 + I) * 128 + threadIdx.x);
  waitForAll();
  float Sum = 0;
  for (int I = 0; I < 8 && blockIdx.x * 8 + I < Rows; ++I)
    Sum += Tile[I][threadIdx.x];
  atomicAdd(&Out[threadIdx.x], Sum);
}

// Four by four, as many fours as there are: the length is a multiple.
template <bool Mixes>
__device__ void scaleRow(const float *In, float *Out, int Length) {
  __shared__ float4 Row[256];
  for (int I = threadIdx.x; I < Length / 4; I += 128)
    __pipeline_memcpy_async(&Row[I], &((const float4 *)In)[I], 16);
    // expect-note@-1: left out here where a condition around the copy does not hold
    // expect-note@-2: where there is nothing to copy, a source size of 0 fills with zeros; or store what is to be read
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float *All = (const float *)Row;
  for (int I = threadIdx.x; I < Length; I += 128)
    Out[I] = Mixes ? All[I] + All[I + 4] : All[I] + All[Length - 1];
    // expect-note@-1: thread 124 reads 'Row[128].x' here
    // expect-note@-2: what is made of it is stored here
    // expect-warning@-3{cpasync-uncopied-read}: 'Row' is read where no copy or store writes to it
}
KERNEL(128) whole_pieces_ok(const float *In, float *Out, int Length) {
  scaleRow<false>(In, Out, Length);
}
KERNEL(128) next_piece_bad(const float *In, float *Out, int Length) {
// expect-note@-1: with Length = 512
  scaleRow<true>(In, Out, Length);
  // expect-note@-1: 'scaleRow' called here
}

// Samples before the first are left as they were.
struct Line {
  float Sum[2];
  __device__ void add(float X, float Y) {
    Sum[0] += X;
    Sum[1] += Y;
  }
};
template <bool Fills>
__device__ void bring(float *To, const float *In, int At) {
  if (!Fills && At < 0)
    return;
  copy(To, At < 0 ? In : In + At, At < 0 ? 0 : 4);
}
template <bool Fills>
__device__ void filter(const float *In, float *Out) {
  __shared__ float Past[128], Now[128];
  const int At = blockIdx.x * 128 + threadIdx.x;
  bring<Fills>(&Past[threadIdx.x], In, At - 128);
  bring<Fills>(&Now[threadIdx.x], In, At);
  waitForAll();
  Line Of = {};
  for (int I = 0; I < 8; ++I)
    Of.add(Past[threadIdx.x ^ I], Now[threadIdx.x ^ I]);
  Out[At] = Of.Sum[0] + Of.Sum[1];
}
KERNEL(128) past_filled_ok(const float *In, float *Out) {
  filter<true>(In, Out);
}

// The same in one ring.
template <bool Fills>
__device__ void filterRing(const float *In, float *Out) {
  __shared__ float Ring[256];
  const int At = blockIdx.x * 128 + threadIdx.x;
  bring<Fills>(&Ring[threadIdx.x], In, At - 128);
  // expect-note@-1: left out here where a condition around the copy does not hold
  // expect-note@-2: where there is nothing to copy, a source size of 0 fills with zeros; or store what is to be read
  bring<Fills>(&Ring[128 + threadIdx.x], In, At);
  waitForAll();
  Line Of = {};
  for (int I = 0; I < 8; ++I)
    Of.add(Ring[128 + threadIdx.x - I], Ring[threadIdx.x + I]);
    // expect-note@-1: also read here
    // expect-note@-2: thread 0 reads 'Ring[121]' here
    // expect-warning@-3{cpasync-uncopied-read}: 'Ring' is read where no copy or store writes to it
  float Both[2] = {Of.Sum[0], Of.Sum[1]};
  Out[At] = Both[0] - Both[1];
  // expect-note@-1: what is made of it is stored here
}
KERNEL(128) ring_left_out_bad(const float *In, float *Out) {
// expect-note@-1: with blockIdx.x = 0
  filterRing<false>(In, Out);
  // expect-note@-1: 'filterRing' called here
}
KERNEL(128) ring_filled_ok(const float *In, float *Out) {
  filterRing<true>(In, Out);
}
