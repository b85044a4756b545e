//===- masked-tiles.cu - Partial tiles: predicates and zero fill ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows beyond the matrix are skipped, zero-filled by the copy, or zeroed by an
// ordinary store in the same asm statement. Lanes may differ in what they
// copy; they commit and wait together.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

#define COMMIT asm volatile("cp.async.commit_group;\n" ::)
#define WAIT0 asm volatile("cp.async.wait_group 0;\n" ::)

__device__ uint32_t toShared(const void *Ptr) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Ptr));
}

__device__ void copyIf(void *Shared, const void *Global, bool Pred) {
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %0, 0;\n"
               "  @p cp.async.cg.shared.global [%1], [%2], 16;\n"
               "}\n" ::"r"((int)Pred),
               "r"(toShared(Shared)), "l"(Global));
}

__device__ void copyOrZero(void *Shared, const void *Global, bool Pred) {
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %0, 0;\n"
               "  @p cp.async.cg.shared.global [%1], [%2], 16;\n"
               "  @!p st.shared.v4.u32 [%1], {%3, %3, %3, %3};\n"
               "}\n" ::"r"((int)Pred),
               "r"(toShared(Shared)), "l"(Global), "r"(0));
}

__device__ void copyZeroFill(void *Shared, const void *Global, bool Pred) {
  const int Bytes = Pred ? 16 : 0;
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(toShared(Shared)),
      "l"(Global), "n"(16), "r"(Bytes));
}

// 16 rows of 8 vectors; reads only rows that exist.
__global__ __launch_bounds__(128) void rows_skipped_ok(const float4 *Src,
                                                       float4 *Dst, int Rows) {
  __shared__ float4 Tile[16][8];
  int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  bool Valid = blockIdx.x * 16 + Row < Rows;
  copyIf(&Tile[Row][Col], Src + (blockIdx.x * 16 + Row) * 8 + Col, Valid);
  COMMIT;
  WAIT0;
  __syncthreads();
  if (Valid)
    Dst[(blockIdx.x * 16 + Row) * 8 + Col] = Tile[Row][7 - Col];
}

__global__
__launch_bounds__(128) void rows_zeroed_by_store_ok(const float4 *Src,
                                                    float4 *Dst, int Rows) {
  __shared__ float4 Tile[16][8];
  int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  copyOrZero(&Tile[Row][Col], Src + (blockIdx.x * 16 + Row) * 8 + Col,
             blockIdx.x * 16 + Row < Rows);
  COMMIT;
  WAIT0;
  __syncthreads();
  Dst[blockIdx.x * 128 + threadIdx.x] = Tile[15 - Row][Col];
}

__global__ __launch_bounds__(128) void rows_zero_filled_ok(const float4 *Src,
                                                           float4 *Dst,
                                                           int Rows) {
  __shared__ float4 Tile[16][8];
  int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  int GlobalRow = blockIdx.x * 16 + Row;
  copyZeroFill(&Tile[Row][Col],
               Src + (GlobalRow < Rows ? GlobalRow : Rows - 1) * 8 + Col,
               GlobalRow < Rows);
  COMMIT;
  WAIT0;
  __syncthreads();
  Dst[blockIdx.x * 128 + threadIdx.x] = Tile[15 - Row][Col];
}

__global__
__launch_bounds__(128) void copy_or_store_in_cpp_ok(const float4 *Src,
                                                    float4 *Dst, int Rows) {
  __shared__ float4 Tile[16][8];
  int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  int GlobalRow = blockIdx.x * 16 + Row;
  if (GlobalRow < Rows)
    copyIf(&Tile[Row][Col], Src + GlobalRow * 8 + Col, true);
  else
    Tile[Row][Col] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  COMMIT;
  WAIT0;
  __syncthreads();
  Dst[blockIdx.x * 128 + threadIdx.x] = Tile[15 - Row][Col];
}

// The first 20 threads have nothing to copy; all of them commit and wait.
__global__ __launch_bounds__(128) void some_lanes_copy_ok(const float4 *Src,
                                                          float4 *Dst) {
  __shared__ float4 Tile[108];
  if (threadIdx.x >= 20)
    copyIf(&Tile[threadIdx.x - 20], Src + threadIdx.x, true);
  COMMIT;
  WAIT0;
  __syncthreads();
  if (threadIdx.x < 108)
    Dst[threadIdx.x] = Tile[107 - threadIdx.x];
}

// A ring whose last tile is short in K; every tile is zero-filled to the end.
__global__ __launch_bounds__(128) void ragged_last_tile_ok(const float4 *Src,
                                                           float *Dst,
                                                           int Vectors) {
  __shared__ float4 Ring[3][128];
  int Tid = threadIdx.x;
  int Tiles = (Vectors + 127) / 128;
  float Sum = 0.0f;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copyZeroFill(&Ring[S][Tid], Src + S * 128 + Tid, S * 128 + Tid < Vectors);
    COMMIT;
  }
  for (int T = 0; T < Tiles; ++T) {
    asm volatile("cp.async.wait_group 1;\n" ::);
    __syncthreads();
    int Next = T + 2;
    if (Next < Tiles)
      copyZeroFill(&Ring[Next % 3][Tid], Src + Next * 128 + Tid,
                   Next * 128 + Tid < Vectors);
    COMMIT;
    Sum += Ring[T % 3][127 - Tid].x;
  }
  Dst[blockIdx.x * 128 + Tid] = Sum;
}

__device__ void copyIgnoring(void *Shared, const void *Global, bool Ignored) {
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %0, 0;\n"
               "  cp.async.ca.shared.global [%1], [%2], 16, p;\n"
               "}\n" ::"r"((int)Ignored),
               "r"(toShared(Shared)), "l"(Global));
}

// The last 28 threads clear the same padding: there are no two kinds of zero.
__global__ __launch_bounds__(128) void padding_cleared_twice_ok(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[104];
  const int Tid = threadIdx.x;
  if (Tid < 100) {
    copyZeroFill(&Tile[Tid], Src + Tid, true);
  } else {
    copyZeroFill(&Tile[100 + Tid % 4], Src + Tid, false);
    copyIgnoring(&Tile[100 + Tid % 4], Src + 128 + Tid, true);
  }
  COMMIT;
  WAIT0;
  __syncthreads();
  if (Tid < 104)
    Dst[Tid] = Tile[103 - Tid];
}

// The rows that a thread asks for move on with the loop; the ring does not.
template <bool Waits>
__device__ void ringOfRowGroups(const float4 *Src, float4 *Dst, int Rows) {
  __shared__ float4 Ring[3][16][8];
  const int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  auto Load = [&](int Group, int Slot) {
    if (Group * 16 + Row < Rows)
      copyIf(&Ring[Slot][Row][Col], Src + (Group * 16 + Row) * 8 + Col, true);
      // expect-note@-1: copy issued here
    else
      Ring[Slot][Row][Col] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    COMMIT;
    // expect-note@-1: committed here
  };
  const int Groups = (Rows + 15) / 16;
  int Slot = 0;
  Load(0, 0);
  // expect-note@-1: 'Load' called here
  for (int Group = 0; Group < Groups; ++Group, Slot = (Slot + 1) % 3) {
  // expect-note@-1: in the iteration of this loop with Group = 0
    if ((Group + 1) * 16 < Rows) {
    // expect-note@-1: taken when this condition is true
      Load(Group + 1, (Slot + 1) % 3);
      if (Waits)
        asm volatile("cp.async.wait_group 1;\n" ::);
    } else {
      WAIT0;
    }
    __syncthreads();
    // expect-note@-1: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
    Dst[(Group * 16 + Row) * 8 + Col] = Ring[Slot][15 - Row][Col];
    // expect-note@-1: thread 0 reads 'Ring[0][15][0]' here, copied by thread 120
    // expect-warning@-2{cpasync-unwaited-read}: 'Ring' may be read before the asynchronous copy into it has completed
  }
  // Without a row there was no copy.
  __syncthreads();
  Ring[0][Row][Col] = Dst[threadIdx.x];
  __syncthreads();
  Dst[threadIdx.x] = Ring[0][15 - Row][Col];
}

__global__ __launch_bounds__(128) void row_groups_ok(const float4 *Src,
                                                     float4 *Dst, int Rows) {
  ringOfRowGroups<true>(Src, Dst, Rows);
}

__global__ __launch_bounds__(128) void row_groups_bad(const float4 *Src,
// expect-note@-1: with Rows = 17
                                                      float4 *Dst, int Rows) {
  ringOfRowGroups<false>(Src, Dst, Rows);
  // expect-note@-1: 'ringOfRowGroups' called here
}

// Half of the threads fill a slot, a quarter of it at a time; the conditions are
// joined by '&', which evaluates both. Rows are copied if they exist.
__device__ void copyQuarters(float4 (&Slot)[16][8], const float4 *Src, int Rows,
                             int Threads, bool Wanted) {
  for (int Quarter = 0; Quarter < 2; ++Quarter) {
    const int Row = Quarter * 8 + threadIdx.x / 8, Col = threadIdx.x % 8;
    const bool Mine = Wanted & (threadIdx.x < Threads);
    copyIf(&Slot[0][0] + Row * 8 + Col, Src + Row * 8 + Col,
    // expect-note@-1: copy issued here
           Mine & (blockIdx.x * 16 + Row < Rows));
  }
}

__global__ __launch_bounds__(128) void joined_by_and_ok(const float4 *Src,
                                                        float4 *Dst, int Tiles,
                                                        int Rows) {
  __shared__ float4 Slots[2][16][8];
  copyQuarters(Slots[0], Src, Rows, 64, 0 < Tiles);
  COMMIT;
  for (int T = 0; T < Tiles; ++T) {
    WAIT0;
    __syncthreads();
    copyQuarters(Slots[(T + 1) % 2], Src + (T + 1) * 128, Rows, 64,
                 T + 1 < Tiles);
    COMMIT;
    Dst[T * 128 + threadIdx.x] =
        Slots[T % 2][15 - threadIdx.x / 8][threadIdx.x % 8];
  }
}

// All of the block copies: the second half of it runs into the other slot.
__global__ __launch_bounds__(128) void too_many_threads_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3, blockIdx.x = 0, Rows = 24
                                                            float4 *Dst,
                                                            int Tiles,
                                                            int Rows) {
  __shared__ float4 Slots[2][16][8];
  copyQuarters(Slots[0], Src, Rows, 128, 0 < Tiles);
  COMMIT;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    WAIT0;
    __syncthreads();
    copyQuarters(Slots[(T + 1) % 2], Src + (T + 1) * 128, Rows, 128,
    // expect-note@-1: 'copyQuarters' called here
                 T + 1 < Tiles);
    COMMIT;
    // expect-note@-1: committed here
    Dst[T * 128 + threadIdx.x] =
        Slots[T % 2][15 - threadIdx.x / 8][threadIdx.x % 8];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: thread 64 reads 'Slots[1][7][0]' here, copied by thread 120
        // expect-warning@-3{cpasync-unwaited-read}: 'Slots' may be read before the asynchronous copy into it has completed
  }
}
