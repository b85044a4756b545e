//===- objects-by-role.cu - Objects that some threads set ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What some threads assign to an object of class type is not there for the
// others, which keep what they had: a token by role, a cursor by half.
//
//===----------------------------------------------------------------------===//

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <utility>

constexpr int Threads = 128;

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// The others arrive before thread 0 does.
template <bool WaitsForOwn>
__device__ void tokens(const float *In, float *Out, int N) {
  __shared__ alignas(128) float Row[2][Threads];
  __shared__ Barrier Ready[2];
  if (threadIdx.x == 0) {
    init(&Ready[0], Threads);
    init(&Ready[1], Threads);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  auto Fetch = [&](int Slot, int Of) -> Barrier::arrival_token {
    if (threadIdx.x != 0)
      return Ready[Slot].arrive();
    cuda::device::memcpy_async_tx(Row[Slot], In + Of * Threads,
    // expect-note@-1: copy issued here
                                  cuda::aligned_size_t<16>(sizeof(Row[Slot])),
                                  Ready[Slot]);
    return cuda::device::barrier_arrive_tx(Ready[Slot], 1, sizeof(Row[Slot]));
  };
  Barrier::arrival_token Token = Fetch(0, 0);
  // expect-note@-1: 'Fetch' called here
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    Barrier::arrival_token Next{};
    if (I + 1 < N)
    // expect-note@-1: taken when this condition is false
      Next = Fetch((I + 1) & 1, I + 1);
    if (WaitsForOwn || threadIdx.x == 0)
      Ready[I & 1].wait(std::move(Token));
      // expect-note@-1: its thread waits for the copy here
    Out[I * Threads + threadIdx.x] = Row[I & 1][threadIdx.x];
    // expect-note@-1: a barrier belongs between the wait in line -1 and this read
    // expect-note@-2: thread 1 reads 'Row[0][1]' here, copied by thread 0
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Row' may be read with no barrier after the wait for its copy
    __syncthreads();
    Token = std::move(Next);
  }
}
__global__ void tokens_ok(const float *In, float *Out, int N) {
  tokens<true>(In, Out, N);
}
__global__ void tokens_bad(const float *In, float *Out, int N) {
// expect-note@-1: with N = 1
  tokens<false>(In, Out, N);
  // expect-note@-1: 'tokens' called here
}

struct Cursor {
  int Slot, Row;
};

// Each half of the block has slots of its own.
template <int OfSecond>
__device__ void cursors(const float *In, float *Out) {
  __shared__ float Ring[4][Threads];
  const int T = threadIdx.x;
  Cursor Of = {0, 0};
  if (T >= Threads / 2)
    Of = Cursor{OfSecond, 1};
  __pipeline_memcpy_async(&Ring[Of.Slot][T], &In[Of.Row * Threads + T], 4);
  __pipeline_commit();
  if (T >= Threads / 2)
    __pipeline_wait_prior(0);
  Ring[1][T] = 0;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[T] = Ring[Of.Slot][T] + Ring[1][T];
}
__global__ void cursors_ok(const float *In, float *Out) {
  cursors<2>(In, Out);
}
// The second half has waited, the first copies to another slot.
__global__ void cursors_too_ok(const float *In, float *Out) {
  cursors<1>(In, Out);
}

// The first half keeps slot 0, which it zeroes while its copies are in flight.
__global__ void kept_bad(const float *In, float *Out) {
  __shared__ float Ring[4][Threads];
  const int T = threadIdx.x;
  Cursor Of = {0, 0};
  if (T >= Threads / 2)
    Of = Cursor{2, 1};
  __pipeline_memcpy_async(&Ring[Of.Slot][T], &In[Of.Row * Threads + T], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  Ring[0][T] = 0;
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' is overwritten while a copy into it is in flight
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[T] = Ring[Of.Slot][T];
}

void launch(const float *In, float *Out, int N) {
  tokens_ok<<<1, Threads>>>(In, Out, N);
  tokens_bad<<<1, Threads>>>(In, Out, N);
  // expect-note@-1: launched here with blocks of 128 threads
  cursors_ok<<<1, Threads>>>(In, Out);
  cursors_too_ok<<<1, Threads>>>(In, Out);
  kept_bad<<<1, Threads>>>(In, Out);
  // expect-note@-1: launched here with blocks of 128 threads
}
