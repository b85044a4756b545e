//===- widths-that-fit.cu - Copies as long as a kernel is told -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of an image that is as wide as the kernel is told. Nothing says that a
// row fits into its slot, but what copies it relies on that: so do the loops
// that read it.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

constexpr int Threads = 192;
constexpr int MaxWidth = 384;
constexpr int Slots = 4;

// Each row is summed with the one below; the one after that is under way.
template <int Left>
__device__ void sums(const float *Image, float *Out, int Width, int Height) {
  __shared__ __align__(16) float Rows[Slots][MaxWidth];
  const auto Block = cg::this_thread_block();
  const auto Fetch = [&](int Y) {
    cg::memcpy_async(Block, Rows[Y % Slots], Image + size_t(Y) * Width,
                     cuda::aligned_size_t<16>(Width * sizeof(float)));
  };
  const int First = blockIdx.x * 8, Last = min(First + 8, Height);
  Fetch(First);
  if (First + 1 < Height)
    Fetch(First + 1);
  for (int Y = First; Y < Last; ++Y) {
  // expect-note@-1: in the second iteration of this loop
  // expect-note@-2: in the third iteration of this loop
    const bool IsMore = Y + 2 <= Last && Y + 2 < Height;
    if (IsMore)
    // expect-note@-1: taken when this condition is true
      Fetch(Y + 2);
      // expect-note@-1: committed here
      // expect-note@-2: copy issued here
    if (IsMore)
      cg::wait_prior<Left>(Block);
      // expect-note@-1: leave at most 1 group in flight here, or commit also where nothing is copied
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Rows'
    else
      cg::wait(Block);
    for (int X = threadIdx.x; X < Width; X += Threads) {
      const float Below = Y + 1 < Height ? Rows[(Y + 1) % Slots][X] : 0;
      // expect-note@-1: thread 0 reads 'Rows[3][0]' here
      // expect-skipped@-2: address of a read of 'Rows' is not known while copies into it are in flight
      Out[size_t(Y) * Width + X] = Rows[Y % Slots][X] + Below;
    }
    Block.sync();
  }
}
__global__ void sums_ok(const float *Image, float *Out, int Width, int Height) {
  sums<1>(Image, Out, Width, Height);
}
__global__ void sums_bad(const float *Image, float *Out, int Width,
// expect-note@-1: with Width = 192, blockIdx.x = 0, Height = 5
                         int Height) {
  sums<2>(Image, Out, Width, Height);
  // expect-note@-1: 'sums' called here
}

// From its first row, an array is meant as a whole: more than one row is copied.
template <bool Waits>
__device__ void whole(const float *In, float *Out, int N) {
  __shared__ __align__(16) float Rows[4][64];
  const auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Rows[0], In,
                   cuda::aligned_size_t<16>(N * sizeof(float)));
  if (Waits)
    cg::wait(Block);
  if (N > 64)
    Out[threadIdx.x] = Rows[threadIdx.x / 64][threadIdx.x % 64];
    // expect-skipped@-1: address of a read of 'Rows' is not known while copies into it are in flight
  cg::wait(Block);
}
__global__ void whole_ok(const float *In, float *Out, int N) {
  whole<true>(In, Out, N);
}
__global__ void whole_bad(const float *In, float *Out, int N) {
  whole<false>(In, Out, N);
}

// Slots of several rows each: the rows of a slot are as many as the kernel is
// told, and its size is not that of one row. With a few rows, those of a slot are
// overwritten while others read them.
template <int Unit>
__device__ void slots(const float *In, float *Out, int Count, int Tiles) {
  __shared__ __align__(16) float Tile[2 * 16][32];
  const auto Block = cg::this_thread_block();
  const auto Fetch = [&](int T) {
    cg::memcpy_async(Block, Tile[T % 2 * 16], In + T * Count * Unit,
                     sizeof(float) * Unit * Count);
  };
  Fetch(0);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (T + 1 < Tiles) {
      Fetch(T + 1);
      // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Tile[1]' here, read by thread 32
      // expect-skipped@-3: address of a write to 'Tile' is not known while nothing orders it after another access
      // expect-warning@-4{cpasync-in-flight-overwrite}: 'Tile' is overwritten while other threads still read it
      cg::wait_prior<1>(Block);
    } else {
      cg::wait(Block);
    }
    if (Count * Unit > 32)
      Out[T * Threads + threadIdx.x] = Tile[T % 2 * 16 + 1][threadIdx.x % 32];
      // expect-note@-1: read here
  }
}
__global__ void slots_of_rows_bad(const float *In, float *Out, int Count,
// expect-note@-1: with Count = 8, Tiles = 8
                              int Tiles) {
  slots<32>(In, Out, Count, Tiles);
  // expect-note@-1: 'slots' called here
}
__global__ void slots_of_elements(const float *In, float *Out, int Count,
                                  int Tiles) {
  slots<1>(In, Out, Count, Tiles);
}

void launch(const float *In, float *Out, int Width, int Height) {
  sums_ok<<<Height / 8, Threads>>>(In, Out, Width, Height);
  sums_bad<<<Height / 8, Threads>>>(In, Out, Width, Height);
  // expect-note@-1: launched here with blocks of 192 threads
  whole_ok<<<1, Threads>>>(In, Out, Width);
  whole_bad<<<1, Threads>>>(In, Out, Width);
  slots_of_rows_bad<<<1, Threads>>>(In, Out, Width, Height);
  // expect-note@-1: launched here with blocks of 192 threads
  slots_of_elements<<<1, Threads>>>(In, Out, Width, Height);
}
