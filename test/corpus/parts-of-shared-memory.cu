//===- parts-of-shared-memory.cu - Where a part ends ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of some length that only the caller knows, and behind it the tile
// that copies fill. The table does not end in the tile: no kernel is told that
// its caller may be wrong. What the kernel itself does wrong is told.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;
constexpr int TableBytes = 1024, TileBytes = Threads * 16;

__device__ void copy16(void *Shared, const void *Global) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global)
               : "memory");
}
__device__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}

#define KERNEL __global__ __launch_bounds__(Threads) void

//===----------------------------------------------------------------------===//
// Counts that the caller gives
//===----------------------------------------------------------------------===//

KERNEL below_count_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  extern __shared__ char Pool[];
  float *Table = reinterpret_cast<float *>(Pool);
  float4 *Tile = reinterpret_cast<float4 *>(Pool + 128);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  if (threadIdx.x < N)
    Table[threadIdx.x] = Of[threadIdx.x];
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0];
}

// The kernel says itself that the table goes on into the tile.
KERNEL below_constant_bad(const float4 *Src, const float *Of, float *Dst,
                          int N) {
  extern __shared__ char Pool[];
  float *Table = reinterpret_cast<float *>(Pool);
  float4 *Tile = reinterpret_cast<float4 *>(Pool + 128);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  if (threadIdx.x < 64)
    Table[threadIdx.x] = Of[threadIdx.x];
    // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
    // expect-note@-2: thread 32 overwrites 'Table[32]' (byte 128 of 'Pool') here, copied by thread 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Pool' is overwritten while a copy into it is in flight
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0];
}

// The count has nothing to do with where the table ends.
KERNEL row_of_tile_bad(const float4 *Src, const float4 *Of, float *Dst, int N) {
// expect-note@-1: with N = 1
  extern __shared__ char Pool[];
  float4 *Table = reinterpret_cast<float4 *>(Pool);
  float4 *Tile = Table + 8;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  if (threadIdx.x < N)
    Tile[Threads - 1 - threadIdx.x] = Of[threadIdx.x];
    // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
    // expect-note@-2: thread 0 overwrites 'Tile[127]' (byte 2160 of 'Pool') here, copied by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Pool' may be overwritten while a copy into it is in flight
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0].x;
}

KERNEL rounds_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  extern __shared__ float Words[];
  float *Table = Words;
  float4 *Tile = reinterpret_cast<float4 *>(Table + TableBytes / 4);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  for (int I = threadIdx.x; I < N; I += Threads)
    Table[I] = Of[I];
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0];
}

KERNEL rows_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  extern __shared__ char Pool[];
  float *Table = reinterpret_cast<float *>(Pool);
  float4 *Tile = reinterpret_cast<float4 *>(Pool + TableBytes);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int Row = 0; Row < N; ++Row) {
    const int At = Row * Threads + threadIdx.x;
    Table[At] = Of[At];
  }
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0];
}

__device__ void store(float *Table, int Row, float X) {
  *(Table + Row * Threads + threadIdx.x) = X;
}

KERNEL rows_by_calls_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  extern __shared__ char Pool[];
  float *Table = reinterpret_cast<float *>(Pool);
  float4 *Tile = reinterpret_cast<float4 *>(Pool + TableBytes);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int Row = 0; Row < N; ++Row)
    store(Table, Row, Of[Row]);
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0];
}

// By addresses of the shared window; the table comes by copies as well.
KERNEL addresses_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  extern __shared__ char Pool[];
  const uint32_t Base = static_cast<uint32_t>(__cvta_generic_to_shared(Pool));
  const uint32_t Table = Base, Tile = Base + TableBytes;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(
                   Tile + threadIdx.x * 16),
               "l"(Src + threadIdx.x)
               : "memory");
  commit();
  for (int Row = 0; Row < N; ++Row)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(
                     Table + (Row * Threads + threadIdx.x) * 4),
                 "l"(Of + Row)
                 : "memory");
  commit();
  wait<0>();
  __syncthreads();
  const auto *Copied = reinterpret_cast<const float *>(Pool + TableBytes);
  Dst[threadIdx.x] = Copied[Threads - 1 - threadIdx.x];
}

KERNEL pointer_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  extern __shared__ char Pool[];
  float *Table = reinterpret_cast<float *>(Pool);
  float4 *Tile = reinterpret_cast<float4 *>(Pool + TableBytes);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  float *Next = Table + threadIdx.x;
  for (int I = threadIdx.x; I < N; I += Threads, Next += Threads)
    *Next = Of[I];
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Table[0];
}

KERNEL reads_ok(const float4 *Src, float *Dst, int N) {
  extern __shared__ char Pool[];
  float *Table = reinterpret_cast<float *>(Pool);
  float4 *Tile = reinterpret_cast<float4 *>(Pool + 128);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  float Old = 0.0f;
  if (threadIdx.x < N)
    Old = Table[threadIdx.x];
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x].x + Old;
}

// What lies beyond is still one place: the next thread's row is overwritten.
KERNEL own_rows_bad(const float4 *Src, float4 *Dst, int N) {
// expect-note@-1: with N = 2
  extern __shared__ char Pool[];
  float4 *Table = reinterpret_cast<float4 *>(Pool);
  float4 *Tile = Table + 8;
  if (threadIdx.x < N)
    copy16(&Table[threadIdx.x], Src + threadIdx.x);
    // expect-note@-1: copy issued here
  commit();
  if (threadIdx.x < N)
    Table[(threadIdx.x + 1) % 8] = Src[threadIdx.x];
    // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
    // expect-note@-2: thread 0 overwrites 'Table[1]' (byte 16 of 'Pool') here, copied by thread 1
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Pool' may be overwritten while a copy into it is in flight
  Tile[threadIdx.x] = Src[threadIdx.x];
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Arrays of a structure
//===----------------------------------------------------------------------===//

struct Stage {
  float Table[64];
  float4 Tile[Threads];
};

KERNEL member_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  __shared__ Stage S;
  copy16(&S.Tile[threadIdx.x], Src + threadIdx.x);
  if (threadIdx.x < N)
    S.Table[threadIdx.x] = Of[threadIdx.x];
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = S.Tile[Threads - 1 - threadIdx.x].x + S.Table[0];
}

KERNEL member_rounds_ok(const float4 *Src, const float *Of, float *Dst, int N) {
  __shared__ Stage S;
  copy16(&S.Tile[threadIdx.x], Src + threadIdx.x);
  for (int I = threadIdx.x; I < N; I += Threads)
    S.Table[I] = Of[I];
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = S.Tile[Threads - 1 - threadIdx.x].x + S.Table[0];
}

//===----------------------------------------------------------------------===//
// Slots are parts too
//===----------------------------------------------------------------------===//

// Two slots, and one more tile in flight than there are: the third is Out.
KERNEL one_slot_too_many_bad(const float4 *Src, float4 *Dst, int Tiles) {
// expect-note@-1: with Tiles = 3
  extern __shared__ char Pool[];
  float4 *Ring = reinterpret_cast<float4 *>(Pool);
  float4 *Out = Ring + 2 * Threads;
  Out[threadIdx.x] = Src[threadIdx.x];
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 2
    copy16(&Ring[T % 3 * Threads + threadIdx.x],
    // expect-note@-1: copy issued here
           Src + T * Threads + threadIdx.x);
    commit();
    // expect-note@-1: committed here
    const float4 Old = Out[Threads - 1 - threadIdx.x];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Out[127]' (byte 6128 of 'Pool') here, copied by thread 127
    // expect-warning@-3{cpasync-unwaited-read}: 'Pool' may be read before the asynchronous copy into it has completed
    wait<0>();
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Old;
    __syncthreads();
  }
}

// The result goes over all of the ring, from its beginning.
KERNEL result_over_ring_bad(const float4 *Src, float4 *Dst, int Tiles) {
// expect-note@-1: with Tiles = 1
  extern __shared__ char Pool[];
  float4 *Ring = reinterpret_cast<float4 *>(Pool);
  float4 *Second = Ring + Threads;
  float4 *Result = reinterpret_cast<float4 *>(Pool);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    copy16(&Second[threadIdx.x], Src + T * Threads + threadIdx.x);
    // expect-note@-1: copy issued here
    commit();
    for (int Half = 0; Half < 2; ++Half)
      Result[Half * Threads + threadIdx.x] = Src[threadIdx.x];
      // expect-note@-1: a wait for the copy belongs before this overwrite
      // expect-note@-2: thread 0 overwrites 'Result[128]' (byte 2048 of 'Pool') here, copied by thread 0
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Pool' may be overwritten while a copy into it is in flight
    wait<0>();
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Second[Threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

//===----------------------------------------------------------------------===//
// A pool is called what the kernel calls it
//===----------------------------------------------------------------------===//

KERNEL other_name_bad(const float4 *Src, float4 *Dst, int Tiles) {
  extern __shared__ float4 Lake[];
  copy16(&Lake[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  Dst[threadIdx.x] = Lake[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Lake[0]' here
  // expect-note@-2: wait for all copies: insert 'wait<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Lake' is read before the asynchronous copy into it has completed
  wait<0>();
}

//===----------------------------------------------------------------------===//
// A row for each warp, as long as the caller says
//===----------------------------------------------------------------------===//

KERNEL rows_of_warps_ok(const float4 *Src, float4 *Dst, int N) {
  extern __shared__ float4 Rows[];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  float4 *Row = Rows + Warp * 256;
  for (int I = Lane; I < N; I += 32)
    copy16(&Row[I], Src + Warp * N + I);
  commit();
  wait<0>();
  __syncwarp();
  for (int I = Lane; I < N; I += 32)
    Dst[Warp * N + I] = Row[N - 1 - I];
}

KERNEL declared_rows_ok(const float4 *Src, float4 *Dst, int N) {
  __shared__ float4 Row[16][32];
  const int Group = threadIdx.x / 8, Lane = threadIdx.x % 8;
  for (int I = Lane; I < N; I += 8)
    copy16(&Row[Group][I], Src + Group * N + I);
  commit();
  wait<0>();
  __syncwarp();
  for (int I = Lane; I < N; I += 8)
    Dst[Group * N + I] = Row[Group][31 - I];
}

// The next warp's row.
KERNEL other_rows_bad(const float4 *Src, float4 *Dst, int N) {
// expect-note@-1: with N = 32
  extern __shared__ float4 Rows[];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  float4 *Row = Rows + Warp * 256, *Next = Rows + (Warp + 1) % 4 * 256;
  for (int I = Lane; I < N; I += 32)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the first iteration of this loop
    copy16(&Row[I], Src + Warp * N + I);
    // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  for (int I = Lane; I < N; I += 32)
    Dst[Warp * N + I] = Next[N - 1 - I];
    // expect-note@-1: a barrier belongs between the wait in line -3 and this read
    // expect-note@-2: thread 0 reads 'Next[31]' (byte 4592 of 'Rows') here, copied by thread 63
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Rows' may be read with no barrier after the wait for its copy
}

//===----------------------------------------------------------------------===//
// Counts that come from elsewhere
//===----------------------------------------------------------------------===//

struct Loader {
  int N;
  __device__ void load(float4 *To, const float4 *From) const {
    for (int I = threadIdx.x; I < N; I += Threads)
      copy16(To + I, From + I);
  }
};

KERNEL member_count_ok(const float4 *Src, float4 *Dst, Loader Of) {
  extern __shared__ float4 Rows[];
  float4 *Table = Rows, *Tile = Table + 256;
  Of.load(Table, Src);
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

__device__ int Count;

KERNEL device_count_ok(const float4 *Src, float4 *Dst) {
  extern __shared__ float4 Rows[];
  float4 *Table = Rows, *Tile = Table + 256;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int I = threadIdx.x; I < Count; I += Threads)
    Table[I] = Src[I];
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

KERNEL shared_count_ok(const float4 *Src, float4 *Dst) {
  extern __shared__ float4 Rows[];
  __shared__ int N;
  float4 *Table = Rows, *Tile = Table + 256;
  if (threadIdx.x == 0)
    N = Count;
  __syncthreads();
  const int Here = N;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int I = threadIdx.x; I < Here; I += Threads)
    Table[I] = Src[I];
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}
