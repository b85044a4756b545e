//===- wrappers.cu - Copies, commits and waits behind calls ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function that waits is not the one that copies. Some wrappers are named
// after something else than what they do; only their bodies count.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <memory>
#include <utility>

constexpr int Threads = 128;

template <int Bytes> __device__ void copyBytes(void *Shared, const void *Src) {
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
                 "l"(Src));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(To),
                 "l"(Src), "n"(Bytes));
}

__device__ void closeGroup() { asm volatile("cp.async.commit_group;"); }

template <int N> __device__ void leaveInFlight() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N));
}

// Three levels down; the caller commits.
__device__ void loadRow(float4 *Shared, const float4 *Src) {
  copyBytes<16>(Shared + threadIdx.x, Src + threadIdx.x);
}
__device__ void loadTile(float4 (*Shared)[Threads], const float4 *Src) {
#pragma unroll
  for (int Row = 0; Row < 4; ++Row)
    loadRow(Shared[Row], Src + Row * Threads);
}

__global__
__launch_bounds__(Threads) void copies_in_callee_ok(const float4 *Src,
                                                    float4 *Dst) {
  __shared__ float4 Tile[4][Threads];
  loadTile(Tile, Src);
  closeGroup();
  leaveInFlight<0>();
  __syncthreads();
  for (int Row = 0; Row < 4; ++Row)
    Dst[Row * Threads + threadIdx.x] = Tile[3 - Row][Threads - 1 - threadIdx.x];
}

// Returns with a group in flight.
__device__ void startTile(float4 *Shared, const float4 *Src) {
  loadRow(Shared, Src);
  // expect-note@-1: copy issued here
  closeGroup();
}

__device__ void finishAllButOne() {
  leaveInFlight<1>();
  __syncthreads();
}

__global__ __launch_bounds__(Threads) void group_left_by_helper_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][Threads];
  startTile(Ring[0], Src);
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      startTile(Ring[(T + 1) % 2], Src + (T + 1) * Threads);
    else
      closeGroup();
    finishAllButOne();
    Dst[T * Threads + threadIdx.x] = Ring[T % 2][Threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

// Called 'commit', but it waits for everything.
__device__ void tile_commit() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

__global__ __launch_bounds__(Threads) void misnamed_commit_ok(const float4 *Src,
                                                              float4 *Dst) {
  __shared__ float4 Tile[Threads];
  loadRow(Tile, Src);
  tile_commit();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// 'wait<0>' means wait_all here, so no commit is needed before it.
template <int N> __device__ void waitStages() {
  if constexpr (N == 0)
    asm volatile("cp.async.wait_all;");
  else
    asm volatile("cp.async.wait_group %0;" ::"n"(N));
}

__global__ __launch_bounds__(Threads) void zero_means_all_ok(const float4 *Src,
                                                             float4 *Dst) {
  __shared__ float4 Tile[Threads];
  loadRow(Tile, Src);
  waitStages<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// Slot and tile numbers travel by reference.
__device__ void fetchNext(float4 (*Ring)[Threads], const float4 *Src, int Tiles,
                          int &Slot, int &Tile) {
  if (Tile < Tiles)
    loadRow(Ring[Slot], Src + Tile * Threads);
  closeGroup();
  Slot = Slot == 2 ? 0 : Slot + 1;
  Tile += 1;
}

__device__ void readNext(float4 (*Ring)[Threads], float4 *Dst, int *Slot) {
  *Dst = Ring[*Slot][Threads - 1 - threadIdx.x];
  *Slot = (*Slot + 1) % 3;
}

__global__ __launch_bounds__(Threads) void references_ok(const float4 *Src,
                                                         float4 *Dst,
                                                         int Tiles) {
  __shared__ float4 Ring[3][Threads];
  int Slot = 0, Tile = 0, Ready = 0;
  fetchNext(Ring, Src, Tiles, Slot, Tile);
  fetchNext(Ring, Src, Tiles, Slot, Tile);
  for (int T = 0; T < Tiles; ++T) {
    leaveInFlight<1>();
    __syncthreads();
    fetchNext(Ring, Src, Tiles, Slot, Tile);
    readNext(Ring, Dst + T * Threads + threadIdx.x, &Ready);
  }
}

// The shared array belongs to the callee.
__device__ float4 *stageInCallee(const float4 *Src) {
  __shared__ float4 Tile[Threads];
  startTile(Tile, Src);
  return Tile;
}

__global__
__launch_bounds__(Threads) void shared_array_of_callee_ok(const float4 *Src,
                                                          float4 *Dst) {
  const float4 *Tile = stageInCallee(Src);
  leaveInFlight<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// Names that the standard library has for what is given: the same object still.
template <class T> __device__ float4 *startOf(T &&Of) {
  return std::forward<T>(Of).Data;
}
struct View {
  float4 *Data;
};

__global__ __launch_bounds__(Threads) void handed_on_ok(const float4 *Src,
                                                        float4 *Dst) {
  __shared__ float4 Tile[Threads];
  View Whole{Tile};
  View *Place = std::addressof(Whole);
  startTile(startOf(std::move_if_noexcept(*Place)), Src);
  leaveInFlight<0>();
  __syncthreads();
  Dst[threadIdx.x] = std::as_const(Whole).Data[Threads - 1 - threadIdx.x];
}

__global__ __launch_bounds__(Threads) void handed_on_bad(const float4 *Src,
                                                         float4 *Dst) {
  __shared__ float4 Tile[Threads];
  View Whole{Tile};
  View *Place = std::addressof(Whole);
  startTile(startOf(std::move_if_noexcept(*Place)), Src);
  // expect-note@-1: 'startTile' called here
  leaveInFlight<0>();
  // expect-note@-1: its thread waits for the copy here
  Dst[threadIdx.x] = std::as_const(Whole).Data[Threads - 1 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}
