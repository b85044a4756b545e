//===- guarded-rounds.cu - What a round decides stays decided ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that move on by what the kernel was given, with copies and waits under
// conditions of the same round; and arrays beside the ring that are read at
// another place in every round.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(                             \
      const float4 *Src, float4 *Dst, const int *Lengths, int Rows)

__device__ void copy(float4 *To, const float4 *From) {
  __pipeline_memcpy_async(To, From, 16);
}
template <int N> __device__ void wait() { __pipeline_wait_prior(N); }

//===----------------------------------------------------------------------===//
// Own elements
//===----------------------------------------------------------------------===//

template <int N>
__device__ void rows(const float4 *Src, float4 *Dst, int Rows) {
  __shared__ float4 Own[Threads];
  for (int Base = blockIdx.x * Threads; Base < Rows;
  // expect-note@-1: in the first iteration of this loop
       Base += gridDim.x * Threads) {
    const int Row = Base + threadIdx.x;
    if (Row < Rows)
      copy(&Own[threadIdx.x], Src + Row);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    if (Row < Rows) {
    // expect-note@-1: taken when this condition is false
      // some of the threads that copy into 'Own'
      wait<N>();
      // expect-note@-1: leave no group in flight here, or commit also where nothing is copied
      // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Own' may be in the newest one
      // flight, but 'Own' may be in the newest one
      Dst[Row] = Own[threadIdx.x];
      // expect-note@-1: thread 0 reads 'Own[0]' here
    }
  }
}
KERNEL(rows_ok) { rows<0>(Src, Dst, Rows); }
KERNEL(rows_bad) { rows<1>(Src, Dst, Rows); }
// expect-note@-1: 'rows' called here
// expect-note@-2: with blockIdx.x = 0, Rows = 1

KERNEL(lengths_of_warps_ok) {
  __shared__ float4 Own[Threads];
  for (int R = 0; R < 2; ++R) {
    const int Length = Lengths[R * 4 + threadIdx.x / 32];
    if (0 < Length)
      copy(&Own[threadIdx.x], Src + threadIdx.x);
    __pipeline_commit();
    if (0 < Length) {
      wait<0>();
      Dst[R * Threads + threadIdx.x] = Own[threadIdx.x];
    }
  }
}

// A count that is not 0 is one or more.
KERNEL(count_ok) {
  __shared__ float4 Slots[2][Threads];
  const int Tid = threadIdx.x, Tiles = (Lengths[blockIdx.x] + 127) / 128;
  if (Tiles == 0)
    return;
  copy(&Slots[0][Tid], Src + Tid);
  __pipeline_commit();
  float4 Last = {};
  for (int T = 0; T < Tiles; ++T) {
    wait<0>();
    __syncthreads();
    if (T + 1 < Tiles)
      copy(&Slots[(T + 1) & 1][Tid], Src + (T + 1) * 128 + Tid);
    __pipeline_commit();
    Last = Slots[T & 1][Threads - 1 - Tid];
    __syncthreads();
  }
  Slots[0][Threads - 1 - Tid] = Last;
  __syncthreads();
  Dst[Tid] = Slots[0][Tid];
}

//===----------------------------------------------------------------------===//
// A ring whose next tile is a grid away
//===----------------------------------------------------------------------===//

template <int Ahead>
__device__ void tiles(const float4 *Src, float4 *Dst, int Tiles) {
  namespace cg = cooperative_groups;
  __shared__ float4 Slots[2][Threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> State;
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline(Block, &State);
  auto Fetch = [&](int T, int Slot) {
    Pipe.producer_acquire();
    cuda::memcpy_async(
    // expect-note@-1: copy issued here
    // expect-note@-2: thread 0 overwrites 'Slots[0]' here
    // expect-note@-3: threads that copy different data need places of their own, or a barrier between them
    // expect-warning@-4{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while a copy into it is in flight
        // overwritten while a copy into it is in flight
        Block, Slots[Slot], Src + T * Threads, sizeof(Slots[0]),
        // overwritten while a copy into it is in flight
        Pipe);
    Pipe.producer_commit();
    // expect-note@-1: committed here as the newest group
  };
  int T = blockIdx.x, Slot = 0;
  if (T < Tiles)
  // expect-note@-1: taken when this condition is true
    Fetch(T, 0);
    // expect-note@-1: 'Fetch' called here
  for (; T < Tiles; T += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: in the second iteration of this loop
    if (T + gridDim.x < Tiles)
    // expect-note@-1: taken when this condition is true
      Fetch(T + gridDim.x, Slot ^ Ahead);
      // expect-note@-1: 'Fetch' called here
    Pipe.consumer_wait();
    // expect-note@-1: leave no group in flight here, or commit also where nothing is copied
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slots' may be in the newest one
    // flight, but 'Slots' may be in the newest one flight, but 'Slots' may be
    // in the newest one
    Dst[T * Threads + threadIdx.x] = Slots[Slot][Threads - 1 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slots[1][127]' here
    Pipe.consumer_release();
    Slot ^= 1;
  }
}
KERNEL(tiles_ok) { tiles<1>(Src, Dst, Rows); }
KERNEL(tiles_bad) { tiles<0>(Src, Dst, Rows); }
// expect-note@-1: 'tiles' called here
// expect-note@-2: with blockIdx.x = 0, Rows = 2, gridDim.x = 1
// expect-note@-3: with blockIdx.x = 0, Rows = 3, gridDim.x = 1

//===----------------------------------------------------------------------===//
// Arrays that nothing is copied to
//===----------------------------------------------------------------------===//

template <int N>
__device__ void pages(const float4 *Src, float4 *Dst, const int *Table,
                      int Pages) {
  __shared__ float4 Slots[2][Threads];
  __shared__ int Known[Threads];
  const int Tid = threadIdx.x;
  if (Tid < Pages)
    Known[Tid] = Table[Tid];
  __syncthreads();
  copy(&Slots[0][Tid], Src + Known[0] * Threads + Tid);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here as the newest group
  for (int P = 0; P < Pages; ++P) {
  // expect-note@-1: in the iteration of this loop with P = 0
    wait<N>();
    // expect-note@-1: leave no group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slots' may be in the newest one
    // flight, but 'Slots' may be in the newest one flight, but 'Slots' may be
    // in the newest one
    __syncthreads();
    if (P + 1 < Pages)
      copy(&Slots[(P + 1) % 2][Tid], Src + Known[P + 1] * Threads + Tid);
    __pipeline_commit();
    Dst[P * Threads + Tid] = Slots[P % 2][Threads - 1 - Tid];
    // expect-note@-1: thread 0 reads 'Slots[0][127]' here, copied by thread 127
    // thread 127 thread 127
  }
}
KERNEL(pages_ok) { pages<0>(Src, Dst, Lengths, Rows); }
KERNEL(pages_bad) { pages<1>(Src, Dst, Lengths, Rows); }
// expect-note@-1: 'pages' called here
// expect-note@-2: with Rows = 1

//===----------------------------------------------------------------------===//
// Numbers that copies need to be multiples of something
//===----------------------------------------------------------------------===//

// The second row is copied 16 bytes at a time: it begins at a multiple of that.
template <bool IsAsked>
__device__ void wide(const float *Src, float *Dst, int Width, int Rows) {
  extern __shared__ __align__(16) float Ring[];
  if (IsAsked && Width % 4 != 0)
    return;
  auto Fetch = [&](int Row, int Slot) {
    for (int C = threadIdx.x * 4; C < Width; C += Threads * 4)
      __pipeline_memcpy_async(&Ring[Slot * Width + C], &Src[Row * Width + C],
                              16);
    __pipeline_commit();
  };
  Fetch(0, 0);
  for (int R = 0; R < Rows; ++R) {
    if (R + 1 < Rows)
      Fetch(R + 1, (R + 1) % 2);
    else
      __pipeline_commit();
    wait<1>();
    __syncthreads();
    float Sum = 0;
    for (int C = threadIdx.x; C < Width; C += Threads)
      Sum += Ring[R % 2 * Width + C];
    Dst[R * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}
KERNEL(wide_ok) { wide<false>(&Src->x, &Dst->x, Rows, *Lengths); }
KERNEL(wide_asked_ok) { wide<true>(&Src->x, &Dst->x, Rows, *Lengths); }
