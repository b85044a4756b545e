//===- uniform-values.cu - Unknowns that are the same for all threads -----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds and choices that come from memory, votes and shuffles: not known, yet
// equal in every thread of the block or the warp that branches on them.
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

__device__ void copyTiles(float4 (*Ring)[Threads], const float4 *Src,
                          float4 *Dst, int Tiles) {
  const int Tid = threadIdx.x;
  if (Tiles > 0)
    copy16(&Ring[0][Tid], Src + Tid);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      copy16(&Ring[(T + 1) & 1][Tid], Src + (T + 1) * Threads + Tid);
    commit();
    wait<1>();
    __syncthreads();
    Dst[T * Threads + Tid] = Ring[T & 1][Threads - 1 - Tid];
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void bound_from_memory_ok(
    const float4 *Src, float4 *Dst, const int *Counts) {
  __shared__ float4 Ring[2][Threads];
  copyTiles(Ring, Src, Dst, Counts[blockIdx.x]);
}

__global__ __launch_bounds__(Threads) void bound_from_shared_ok(
    const float4 *Src, float4 *Dst, const int *Counts) {
  __shared__ float4 Ring[2][Threads];
  __shared__ int Tiles;
  if (threadIdx.x == 0)
    Tiles = Counts[blockIdx.x];
  __syncthreads();
  copyTiles(Ring, Src, Dst, Tiles);
}

// Pages are looked up tile by tile; some of them do not exist.
__global__ __launch_bounds__(Threads) void page_table_ok(const float4 *Pages,
                                                         const int *Table,
                                                         float4 *Dst,
                                                         int Tiles) {
  __shared__ float4 Ring[2][Threads];
  const int Tid = threadIdx.x;
  auto fetch = [&](int T) {
    if (T < Tiles) {
      const int Page = Table[blockIdx.x * Tiles + T];
      if (Page >= 0)
        copy16(&Ring[T & 1][Tid], Pages + Page * Threads + Tid);
      else
        Ring[T & 1][Tid] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    commit();
  };
  fetch(0);
  for (int T = 0; T < Tiles; ++T) {
    fetch(T + 1);
    wait<1>();
    __syncthreads();
    Dst[T * Threads + Tid] = Ring[T & 1][Threads - 1 - Tid];
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void block_vote_ok(const float4 *Src,
                                                         const int *Flags,
                                                         float4 *Dst) {
  __shared__ float4 Tile[Threads];
  if (__syncthreads_or(Flags[threadIdx.x])) {
    copy16(&Tile[threadIdx.x], Src + threadIdx.x);
    commit();
    wait<0>();
    __syncthreads();
    Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
  }
}

// The warp index is made uniform for the compiler by a shuffle.
__global__
__launch_bounds__(Threads) void warp_index_by_shuffle_ok(const float4 *Src,
                                                         float4 *Dst) {
  __shared__ float4 Tile[2][32];
  const int Warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  const int Lane = threadIdx.x % 32;
  if (Warp < 2) {
    copy16(&Tile[Warp][Lane], Src + Warp * 32 + Lane);
    commit();
    wait<0>();
  }
  __syncthreads();
  Dst[threadIdx.x] = Tile[Warp % 2][31 - Lane];
}

// All lanes of a single warp skip the tile, or none.
__global__ __launch_bounds__(32) void warp_vote_ok(const float4 *Src,
                                                   const int *Masks,
                                                   float4 *Dst, int Tiles) {
  __shared__ float4 Tile[32];
  const int Lane = threadIdx.x;
  for (int T = 0; T < Tiles; ++T) {
    if (!__any_sync(0xffffffff, Masks[T * 32 + Lane]))
      continue;
    copy16(&Tile[Lane], Src + T * 32 + Lane);
    commit();
    wait<0>();
    __syncwarp();
    Dst[T * 32 + Lane] = Tile[31 - Lane];
    __syncwarp();
  }
}

// Where no lane copied, nothing has to be committed.
__global__ __launch_bounds__(Threads) void any_lane_copied_ok(
    const float4 *Src, const int *Rows, float4 *Dst) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const bool Present = Rows[Tid] >= 0;
  if (Present)
    copy16(&Tile[Tid], Src + Tid);
  if (__any_sync(0xffffffff, Present))
    commit();
  wait<0>();
  if (Present)
    Dst[Tid] = Tile[Tid];
}

__global__ __launch_bounds__(Threads) void ballot_of_copies_ok(
    const float4 *Src, const int *Rows, float4 *Dst) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const bool Present = Rows[Tid] >= 0;
  if (Present)
    copy16(&Tile[Tid], Src + Tid);
  if (__ballot_sync(0xffffffff, Present) != 0)
    commit();
  wait<0>();
  if (Present)
    Dst[Tid] = Tile[Tid];
}

__global__ __launch_bounds__(Threads) void block_vote_of_copies_ok(
    const float4 *Src, const int *Rows, float4 *Dst) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const bool Present = Rows[Tid] >= 0;
  if (Present)
    copy16(&Tile[Tid], Src + Tid);
  if (__syncthreads_or(Present))
    commit();
  wait<0>();
  if (Present)
    Dst[Tid] = Tile[Tid];
}

// The first lane with work says which page; the others follow.
__global__ __launch_bounds__(Threads) void shuffled_page_ok(
    const float4 *Pages, const int *Work, float4 *Dst) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const unsigned Busy = __ballot_sync(0xffffffff, Work[Tid] >= 0);
  if (Busy == 0)
    return;
  const int Page = __shfl_sync(0xffffffff, Work[Tid], __ffs(Busy) - 1);
  copy16(&Tile[Tid], Pages + Page * Threads + Tid);
  commit();
  wait<0>();
  __syncwarp();
  Dst[Tid] = Tile[Tid ^ 31];
}

// Every warp has a count of its own.
__global__ __launch_bounds__(Threads) void count_of_the_warp_ok(
    const float4 *Src, const int *Counts, float4 *Dst) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const int Tiles = Counts[Tid / 32];
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Tile[Tid], Src + T * Threads + Tid);
    commit();
    wait<0>();
    __syncwarp();
    Dst[T * Threads + Tid] = Tile[Tid ^ 31];
    __syncwarp();
  }
}

// One thread of each warp is elected; which one is not said.
__device__ bool isElected() {
  unsigned Elected = 0;
  asm volatile("{\n\t"
               ".reg .b32 lane;\n\t"
               ".reg .pred p;\n\t"
               "elect.sync lane|p, %1;\n\t"
               "@p mov.s32 %0, 1;\n\t"
               "}\n"
               : "+r"(Elected)
               : "r"(0xffffffff));
  return Elected != 0;
}

__global__ __launch_bounds__(Threads) void elected_copier_ok(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Rows[Threads / 32];
  const int Warp = threadIdx.x / 32;
  if (isElected()) {
    copy16(&Rows[Warp], Src + Warp);
    commit();
    wait<0>();
  }
  __syncthreads();
  Dst[threadIdx.x] = Rows[threadIdx.x % (Threads / 32)];
}

// Nothing is claimed of what holds for another lane than the first.
__global__ __launch_bounds__(Threads) void elected_lane_is_not_known_ok(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Rows[Threads / 32];
  const int Warp = threadIdx.x / 32;
  if (isElected()) {
    copy16(&Rows[Warp], Src + Warp);
    commit();
  }
  if (threadIdx.x % 32 == 31)
    wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Rows[threadIdx.x % (Threads / 32)];
}

__device__ void copyRows(float4 *To, const float4 *From, int Left) {
  if (Left > 0) {
    copy16(To, From);
    copyRows(To + 1, From + 1, Left - 1);
  }
}

// How it goes on if the last lane is elected is not seen, which takes nothing
// away from what holds for the first.
__global__ __launch_bounds__(Threads) void elected_lane_goes_astray_bad(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[Threads], Rows[Threads];
  const int Tid = threadIdx.x;
  copy16(&Tile[Tid], Src + Tid);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  if (isElected() && Tid % 32 == 31)
    copyRows(Rows, Src, Threads);
  Dst[Tid] = Tile[Tid];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'wait<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  wait<0>();
}

// A barrier that votes says what all threads know: here that nobody reads on.
__global__ __launch_bounds__(Threads) void barrier_votes_on_threads_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Tile[Tid], Src + T * Threads + Tid);
    commit();
    if (__syncthreads_and(Tid < 64))
      Dst[Tid] = Tile[Tid];
    if (__syncthreads_count(Tid < 64) == Threads)
      Dst[Tid] = Tile[Tid];
    wait<0>();
    if (__syncthreads_count(Tid < 64) == 64)
      Dst[T * Threads + Tid] = Tile[Threads - 1 - Tid];
    __syncthreads();
  }
}

// What the barrier found out about a parameter is known to hold.
__global__ __launch_bounds__(Threads) void barrier_votes_on_bound_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const int Empty = __syncthreads_and(Tiles < 1);
  if (Tiles > 0)
    copy16(&Tile[Tid], Src + Tid);
  commit();
  if (Empty > 0)
    Dst[Tid] = Tile[Tid];
  wait<0>();
}

// All of them or none: the count is 0 or the size of the block.
__global__ __launch_bounds__(Threads) void barrier_counts_a_bound_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  const int Few = __syncthreads_count(Tiles < 2);
  if (Tiles > 1)
    copy16(&Tile[Tid], Src + Tid);
  commit();
  if (Few)
    Dst[Tid] = Tile[Tid];
  wait<0>();
}

// In the last tile the number of tiles is known, and still says no.
__global__ __launch_bounds__(Threads) void vote_on_a_parameter_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    if (K + 1 < Tiles)
      copy16(&Tile[Tid], Src + Tid);
    if (__syncthreads_and(Tiles < 0))
      Dst[Tid] = Tile[Tid];
  }
  commit();
}
