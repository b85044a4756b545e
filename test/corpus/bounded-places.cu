//===- bounded-places.cu - Places with one end known -----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much is copied, or where is read, is not known, but the most that it may
// be: that is enough to tell slots and rows apart. An index that has such an
// end is taken not to be negative. What threads that are not there would have
// copied counts for nothing.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;

constexpr int Threads = 128;
constexpr int Rows = 8; ///< of a tile, at most
constexpr int Stages = 2;

// The last tile has fewer rows.
template <bool KeepsStage>
__device__ void tails(const float *Keys, const float *Values, float *Out,
                      int Length) {
  extern __shared__ float Memory[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> State;
  const auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline(Block, &State);
  const int Tiles = (Length + Rows - 1) / Rows;
  auto RowsOf = [&](int Tile) { return min(Rows, Length - Tile * Rows); };
  auto SlotOf = [&](int Tile) {
    return Memory + Tile % Stages * 2 * Rows * Threads;
  };
  auto Issue = [&](int Tile) {
    Pipe.producer_acquire();
    const cuda::aligned_size_t<16> Bytes(size_t(RowsOf(Tile)) * Threads *
                                         sizeof(float));
    cuda::memcpy_async(Block, SlotOf(Tile), Keys + Tile * Rows * Threads, Bytes,
    // expect-note@-1: thread 0 overwrites byte 128 of 'Memory' here, read by thread 32
                       Pipe);
    cuda::memcpy_async(Block, SlotOf(Tile) + Rows * Threads,
                       Values + Tile * Rows * Threads, Bytes, Pipe);
    Pipe.producer_commit();
  };
  for (int Tile = 0; Tile < min(Stages, Tiles); ++Tile)
    Issue(Tile);
  float Sum = 0;
  for (int Tile = 0; Tile < Tiles; ++Tile) {
  // expect-note@-1: in the iteration of this loop with Tile = 0
    Pipe.consumer_wait();
    if (!KeepsStage)
      Pipe.consumer_release();
    for (int R = 0; R < RowsOf(Tile); ++R)
      Sum += SlotOf(Tile)[R * Threads + threadIdx.x] *
      // expect-note@-1: read here
             SlotOf(Tile)[(Rows + R) * Threads + threadIdx.x];
    if (KeepsStage)
      Pipe.consumer_release();
    if (Tile + Stages < Tiles)
    // expect-note@-1: taken when this condition is true
      Issue(Tile + Stages);
      // expect-note@-1: 'Issue' called here
      // expect-note@-2: a barrier belongs between the read in line -5 and this call
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Memory' may be overwritten while other threads still read it
  }
  Out[threadIdx.x] = Sum;
}
__global__ void tails_ok(const float *Keys, const float *Values, float *Out,
                         int Length) {
  tails<true>(Keys, Values, Out, Length);
}
__global__ void tails_bad(const float *Keys, const float *Values, float *Out,
// expect-note@-1: with Length = 17
                         int Length) {
  tails<false>(Keys, Values, Out, Length);
  // expect-note@-1: 'tails' called here
}

// A row is sampled at places that come from floating-point numbers; the next is
// under way.
template <bool Meets>
__device__ void samples(const float *In, float *Out, float Ratio, int N) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  constexpr int Length = 1000;
  extern __shared__ __align__(128) float Slots[];
  __shared__ Barrier Ready[2];
  if (threadIdx.x == 0) {
    init(&Ready[0], Threads);
    init(&Ready[1], Threads);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  auto Fetch = [&](int Row) {
    Barrier &B = Ready[Row & 1];
    if (threadIdx.x != 0)
      return B.arrive();
    cuda::device::memcpy_async_tx(
    // expect-note@-1: thread 0 overwrites 'Slots' here, read by thread 32
        Slots + (Row & 1) * Length, In + Row * Length,
        cuda::aligned_size_t<16>(Length * sizeof(float)), B);
    return cuda::device::barrier_arrive_tx(B, 1, Length * sizeof(float));
  };
  Barrier::arrival_token Token = Fetch(0);
  for (int Row = 0; Row < N; ++Row) {
  // expect-note@-1: in the iteration of this loop with Row = 0
  // expect-note@-2: in the iteration of this loop with Row = 1
    Barrier::arrival_token Next{};
    if (Row + 1 < N)
    // expect-note@-1: taken when this condition is true
      Next = Fetch(Row + 1);
      // expect-note@-1: 'Fetch' called here
      // expect-note@-2: a barrier belongs between the read in line +3 and this call in a later iteration
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while other threads still read it
    Ready[Row & 1].wait(std::move(Token));
    const int At = min(static_cast<int>(threadIdx.x * Ratio), Length - 1);
    Out[Row * Threads + threadIdx.x] = (Slots + (Row & 1) * Length)[At];
    // expect-note@-1: read here
    if (Meets)
      __syncthreads();
    Token = std::move(Next);
  }
}
__global__ void samples_ok(const float *In, float *Out, float Ratio, int N) {
  samples<true>(In, Out, Ratio, N);
}
__global__ void samples_bad(const float *In, float *Out, float Ratio, int N) {
// expect-note@-1: with N = 3
  samples<false>(In, Out, Ratio, N);
  // expect-note@-1: 'samples' called here
}

// Of the second round of a row, only some threads have a piece.
template <int Ahead>
__device__ void columns(const float *In, const int *Columns, float *Out,
                        int N) {
  constexpr int Length = 1000;
  extern __shared__ __align__(128) float Slots[];
  auto Fetch = [&](int Row) {
    for (int I = threadIdx.x * 4; I < Length; I += Threads * 4)
    // expect-note@-1: in the second iteration of this loop
      __pipeline_memcpy_async(Slots + (Row & 1) * Length + I,
      // expect-note@-1: a wait for the copy belongs before this overwrite
      // expect-note@-2: copy issued here
      // expect-note@-3: thread 0 overwrites 'Slots[512]' here, copied by thread 0
      // expect-warning@-4{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while a copy into it is in flight
                              In + Row * Length + I, 16);
    __pipeline_commit();
    // expect-note@-1: committed here
  };
  Fetch(0);
  // expect-note@-1: 'Fetch' called here
  for (int Row = 0; Row < N; ++Row) {
  // expect-note@-1: in the iteration of this loop with Row = 0
  // expect-note@-2: in the iteration of this loop with Row = 1
    if (Row + 1 < N)
    // expect-note@-1: taken when this condition is false
    // expect-note@-2: taken when this condition is true
      Fetch(Row + 1);
      // expect-note@-1: 'Fetch' called here
    else
      __pipeline_commit();
    __pipeline_wait_prior(Ahead);
    // expect-note@-1: leave at most 1 group in flight here, or commit also where nothing is copied
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Slots'
    __syncthreads();
    Out[Row * Threads + threadIdx.x] =
        Slots[(Row & 1) * Length + (Columns[threadIdx.x] & 63)];
        // expect-note@-1: thread 0 reads 'Slots' here
    __syncthreads();
  }
}
__global__ void columns_ok(const float *In, const int *Columns, float *Out,
                           int N) {
  columns<1>(In, Columns, Out, N);
}
__global__ void columns_bad(const float *In, const int *Columns, float *Out,
// expect-note@-1: with N = 1
// expect-note@-2: with N = 3
                            int N) {
  columns<2>(In, Columns, Out, N);
  // expect-note@-1: 'columns' called here
}

void launch(const float *In, const int *Columns, float *Out, float Ratio,
            int N) {
  const int Bytes = Stages * Rows * Threads * sizeof(float);
  tails_ok<<<1, Threads, 2 * Bytes>>>(In, In, Out, N);
  tails_bad<<<1, Threads, 2 * Bytes>>>(In, In, Out, N);
  // expect-note@-1: launched here with blocks of 128 threads
  samples_ok<<<1, Threads, Bytes>>>(In, Out, Ratio, N);
  samples_bad<<<1, Threads, Bytes>>>(In, Out, Ratio, N);
  // expect-note@-1: launched here with blocks of 128 threads
  columns_ok<<<1, Threads, Bytes>>>(In, Columns, Out, N);
  columns_bad<<<1, Threads, Bytes>>>(In, Columns, Out, N);
  // expect-note@-1: launched here with blocks of 128 threads
}
