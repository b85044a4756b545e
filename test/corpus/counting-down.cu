//===- counting-down.cu - Tiles taken from the last to the first ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention kernels begin with the last tile. Which of two buffers it goes to
// hangs on how many there are, and where the last and the first one lie on
// expressions that fill a line.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define THREADS 64
#define KERNEL __global__ void __launch_bounds__(THREADS)

static constexpr int TileFloats = 4 * THREADS;

__device__ __forceinline__ void copyTile(float *To, const float *From,
                                         int Tile) {
  const int Mine = 4 * threadIdx.x;
  __pipeline_memcpy_async(To + Mine, From + Tile * TileFloats + Mine, 16);
}

__device__ __forceinline__ float sum(const float *Tile) {
  float Sum = 0;
  for (int I = 0; I < TileFloats; ++I)
    Sum += Tile[I];
    // expect-note@-1: thread 0 reads 'Both[0]' here
  return Sum;
}

// The buffer of tile T is T % 2, whatever the number of the last one is.
template <bool ReaderKnows>
__device__ void takeTurns(const float *Src, float *Dst, int Rows) {
  __shared__ __align__(16) float Both[2 * TileFloats];
  int Tile = (Rows + 63) / 64 - 1;
  float *To = Both, *From = Both;
  if (Tile % 2 == 1) {
    To += TileFloats;
    if (ReaderKnows)
      From += TileFloats;
  }
  copyTile(To, Src, Tile);
  __pipeline_commit();
  float Sum = 0;
  for (; Tile >= 0; --Tile) {
  // expect-note@-1: in the iteration of this loop with Tile = 1
    __pipeline_wait_prior(0);
    __syncthreads();
    const int Turn = Tile % 2 == 0 ? TileFloats : -TileFloats;
    if (Tile > 0) {
      To += Turn;
      copyTile(To, Src, Tile - 1);
      // expect-note@-1: copy issued here
      __pipeline_commit();
      // expect-note@-1: committed here
    }
    Sum += sum(From);
    // expect-note@-1: 'sum' called here
    // expect-note@-2: a wait for the copy belongs before this call, and a barrier where others copied
    // expect-warning@-3{cpasync-unwaited-read}: 'Both' may be read before the asynchronous copy into it has completed
    From += ReaderKnows ? Turn : 0;
  }
  Dst[threadIdx.x] = Sum;
}

KERNEL turns_by_parity_ok(const float *Src, float *Dst, int Rows) {
  takeTurns<true>(Src, Dst, Rows);
}

KERNEL reader_stays_bad(const float *Src, float *Dst, int Rows) {
// expect-note@-1: with Rows = 65
  takeTurns<false>(Src, Dst, Rows);
  // expect-note@-1: 'takeTurns' called here
}

struct Problem {
  const float *Src;
  float *Dst;
  int Rows, Columns, Left, Right, PerSplit;
  const int *Ends; // of the columns of each sequence
};

// What is asked for ahead is there to be waited for: both loops ask whether the
// tile is the first one, of numbers that take a line each.
template <bool AsksTooEarly> __device__ void twoLoops(const Problem &P) {
  __shared__ __align__(16) float Buffer[TileFloats];
  const int Begin = blockIdx.x * 64;
  const int Columns =
      P.Ends ? P.Ends[blockIdx.y + 1] - P.Ends[blockIdx.y] : P.Columns;
  const int First = max(blockIdx.z * P.PerSplit,
                        (Begin + Columns - P.Rows - P.Left + P.Right) / 128);
  const int End =
      min(min((Columns + 127) / 128, int(blockIdx.z + 1) * P.PerSplit),
          (Begin + 64 + Columns - P.Rows + P.Right + 127) / 128);
  if (First >= End)
  // expect-note@-1: taken when this condition is false
    return;
  int Tile = End - 1;
  copyTile(Buffer, P.Src, Tile);
  __pipeline_commit();
  float Sum = 0;
  auto Round = [&] {
    __pipeline_wait_prior(0);
    __syncthreads();
    Sum += sum(Buffer);
    __syncthreads();
    if (Tile > First - AsksTooEarly) {
      copyTile(Buffer, P.Src, Tile - 1);
      // expect-note@-1: copy issued here
      __pipeline_commit();
      // expect-note@-1: committed here
    }
  };
  for (int Masked = 0; Masked < 2; ++Masked, --Tile) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with Masked = 0
    Round();
    // expect-note@-1: 'Round' called here
    if (Tile <= First) {
    // expect-note@-1: taken when this condition is true
      --Tile;
      break;
    }
  }
  for (; Tile >= First; --Tile)
    Round();
  Buffer[threadIdx.x] = Sum;
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Buffer[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Buffer' may be overwritten while a copy into it is in flight
  // overwritten while a copy into it is in flight
  P.Dst[threadIdx.x] = Buffer[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Buffer[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Buffer' may be read before the asynchronous copy into it has completed
  // asynchronous copy into it has completed
}

KERNEL masked_tiles_first_ok(Problem P) { twoLoops<false>(P); }

KERNEL one_tile_too_many_bad(Problem P) { twoLoops<true>(P); }
// expect-note@-1: 'twoLoops' called here
