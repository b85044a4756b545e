//===- persistent.cu - Blocks that work through many pieces ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each round starts from numbers that are computed from those of the round
// before: no two rounds are alike, and still the loop has to be seen to its
// end. Rows of a block's warps lie along y, which launch bounds do not tell.
//
//===----------------------------------------------------------------------===//

constexpr int Threads = 128;

__device__ void copy16(float4 *Shared, const float4 *Global) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

__device__ void oneSlice(float4 (*Ring)[Threads], const float4 *Src,
                         float4 *Dst, int At, int Left) {
  const int Tid = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Left)
      copy16(&Ring[S][Tid], Src + (At + S) * Threads + Tid);
      // expect-note@-1: a barrier belongs between the read in line +9 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 127
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
    commit();
  }
  for (int T = 0; T < Left; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    wait<1>();
    __syncthreads();
    if (T + 2 < Left)
      copy16(&Ring[(T + 2) % 3][Tid], Src + (At + T + 2) * Threads + Tid);
    commit();
    Dst[(At + T) * Threads + Tid] = Ring[T % 3][Threads - 1 - Tid];
    // expect-note@-1: read here
  }
}

// A row of tiles is cut into slices; a block's share may begin in the middle of
// one row and end in the middle of another.
__global__ __launch_bounds__(Threads) void slices_ok(const float4 *Src,
                                                     float4 *Dst, int Tiles,
                                                     int Share) {
  __shared__ float4 Ring[3][Threads];
  int Row = Share * blockIdx.x / Tiles;
  int At = Share * blockIdx.x % Tiles;
  int Todo = Share;
  while (Todo > 0) {
    const int Left = Tiles - At < Todo ? Tiles - At : Todo;
    oneSlice(Ring, Src, Dst, Row * Tiles + At, Left);
    __syncthreads();
    Todo -= Left;
    Row += 1;
    At = 0;
  }
}

// Nothing keeps the next slice from filling slots that others still read.
__global__ __launch_bounds__(Threads) void slices_bad(const float4 *Src,
// expect-note@-1: with Tiles = 1, Share = 2, blockIdx.x = 0
                                                      float4 *Dst, int Tiles,
                                                      int Share) {
  __shared__ float4 Ring[3][Threads];
  int Row = Share * blockIdx.x / Tiles;
  int At = Share * blockIdx.x % Tiles;
  int Todo = Share;
  while (Todo > 0) {
  // expect-note@-1: in the iteration of this loop that begins with Todo = 1
  // expect-note@-2: in the iteration of this loop that begins with Todo = 2
    const int Left = Tiles - At < Todo ? Tiles - At : Todo;
    oneSlice(Ring, Src, Dst, Row * Tiles + At, Left);
    // expect-note@-1: 'oneSlice' called here
    Todo -= Left;
    Row += 1;
    At = 0;
  }
}

// The last row is cut short: some threads leave the loop, the others go on with
// variables of its body.
__device__ void copyRows(float4 *Shared, const float4 *Global, int Stride) {
  constexpr int Rows = 12, Together = 8, InRow = 16;
  for (int First = 0; First < Rows; First += Together) {
    const int Row = First + threadIdx.x / InRow;
    if (First + Together > Rows && Row >= Rows)
      break;
    const int Column = threadIdx.x % InRow;
    copy16(Shared + Row * InRow + Column, Global + Row * Stride + Column);
    // expect-note@-1: copy issued here
  }
  commit();
  // expect-note@-1: committed here as the newest group
}

__global__ __launch_bounds__(Threads) void short_last_row_ok(const float4 *Src,
                                                             float4 *Dst,
                                                             int Stride) {
  __shared__ float4 Tile[2][12 * 16];
  copyRows(Tile[0], Src, Stride);
  copyRows(Tile[1], Src + 12 * Stride, Stride);
  wait<1>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[0][threadIdx.x + 64];
}

__global__ __launch_bounds__(Threads) void short_last_row_bad(const float4 *Src,
                                                              float4 *Dst,
                                                              int Stride) {
  __shared__ float4 Tile[2][12 * 16];
  copyRows(Tile[0], Src, Stride);
  copyRows(Tile[1], Src + 12 * Stride, Stride);
  // expect-note@-1: 'copyRows' called here
  wait<1>();
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' was copied in the newest one
  __syncthreads();
  Dst[threadIdx.x] = Tile[1][threadIdx.x + 64];
  // expect-note@-1: thread 0 reads 'Tile[1][64]' here, copied by thread 64
}

// Warps along y, each with a row of its own.
__global__ __launch_bounds__(Threads) void row_of_a_warp_ok(const float4 *Src,
                                                            float4 *Dst) {
  __shared__ float4 Tile[4][32];
  const int I = threadIdx.y * 32 + threadIdx.x;
  copy16(&Tile[threadIdx.y][threadIdx.x], Src + I);
  commit();
  wait<0>();
  __syncwarp();
  Dst[I] = Tile[threadIdx.y][31 - threadIdx.x];
}

__global__ __launch_bounds__(Threads) void row_of_a_warp_bad(const float4 *Src,
// expect-note@-1: assuming blocks of 32x4 threads
                                                             float4 *Dst) {
  __shared__ float4 Tile[4][32];
  const int I = threadIdx.y * 32 + threadIdx.x;
  copy16(&Tile[threadIdx.y][threadIdx.x], Src + I);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  Dst[I] = Tile[3 - threadIdx.y][threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 (0, 0) reads 'Tile[3][0]' here, copied by thread 96 (0, 3)
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// Decisions on data that nothing holds any more: 2 to the power of 16 paths
// that are one again after each.
__global__ __launch_bounds__(Threads) void many_decisions_ok(const float4 *Src,
                                                             float4 *Dst,
                                                             const int *Flags) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
#define MAYBE_COPY(N)                                                          \
  if (Flags[N]) {                                                              \
    copy16(&Tile[Tid], Src + N * Threads + Tid);                               \
    commit();                                                                  \
    wait<0>();                                                                 \
    Dst[N * Threads + Tid] = Tile[Tid];                                        \
  }                                                                            \
  __syncthreads();
  MAYBE_COPY(0)
  MAYBE_COPY(1)
  MAYBE_COPY(2)
  MAYBE_COPY(3)
  MAYBE_COPY(4)
  MAYBE_COPY(5)
  MAYBE_COPY(6)
  MAYBE_COPY(7)
  MAYBE_COPY(8)
  MAYBE_COPY(9)
  MAYBE_COPY(10)
  MAYBE_COPY(11)
  MAYBE_COPY(12)
  MAYBE_COPY(13)
  MAYBE_COPY(14)
  MAYBE_COPY(15)
}

// Tiles that are as far apart as there are blocks: what was decided about the
// next one is known of it when its round comes.
template <int InLast>
__device__ void grid_stride(const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Buffer[2][Threads];
  const int Tid = threadIdx.x;
  int Tile = blockIdx.x, Slot = 0;
  if (Tile < Tiles)
    copy16(&Buffer[0][Tid], Src + Tile * Threads + Tid);
    // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  for (; Tile < Tiles; Tile += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
    const int Next = Tile + gridDim.x;
    if (Next < Tiles) {
    // expect-note@-1: taken when this condition is false
      copy16(&Buffer[Slot ^ 1][Tid], Src + Next * Threads + Tid);
      commit();
      wait<1>();
    } else {
      wait<InLast>();
      // expect-note@-1: leave no group in flight here, or commit also where nothing is copied
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Buffer' may be in the newest one
    }
    __syncthreads();
    Dst[Tile * Threads + Tid] = Buffer[Slot][Threads - 1 - Tid];
    // expect-note@-1: thread 0 reads 'Buffer[0][127]' here, copied by thread 127
    __syncthreads();
    Slot ^= 1;
  }
}

__global__ __launch_bounds__(Threads) void grid_stride_ok(const float4 *Src,
                                                          float4 *Dst,
                                                          int Tiles) {
  grid_stride<0>(Src, Dst, Tiles);
}

__global__ __launch_bounds__(Threads) void grid_stride_bad(const float4 *Src,
// expect-note@-1: with blockIdx.x = 0, Tiles = 1, gridDim.x = 1
                                                           float4 *Dst,
                                                           int Tiles) {
  grid_stride<1>(Src, Dst, Tiles);
  // expect-note@-1: 'grid_stride' called here
}

__global__ __launch_bounds__(Threads) void next_carried_ok(const float4 *Src,
                                                           float4 *Dst,
                                                           int Tiles) {
  __shared__ float4 Buffer[2][Threads];
  const int Tid = threadIdx.x;
  int Next = blockIdx.x, Slot = 0;
  if (Next < Tiles)
    copy16(&Buffer[0][Tid], Src + Next * Threads + Tid);
  commit();
  while (Next < Tiles) {
    const int Tile = Next;
    Next += gridDim.x;
    if (Next < Tiles)
      copy16(&Buffer[Slot ^ 1][Tid], Src + Next * Threads + Tid);
    commit();
    wait<1>();
    __syncthreads();
    Dst[Tile * Threads + Tid] = Buffer[Slot][Threads - 1 - Tid];
    __syncthreads();
    Slot ^= 1;
  }
}
