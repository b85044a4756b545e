//===- impossible-paths.cu - Conditions that cannot be together -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path that leaves out the wait and comes to the read, though no numbers take
// it: what each condition says of one sum or of one remainder fits, together
// they do not. Beside each a kernel where one number does take it.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

// A < B and B < C leave no A >= C.
__global__ __launch_bounds__(Threads) void ordered_ok(const float4 *In,
                                                      float4 *Out, int A, int B,
                                                      int C) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  __pipeline_commit();
  if (A >= B)
    __pipeline_wait_prior(0);
  else if (B >= C)
    __pipeline_wait_prior(0);
  if (A >= C)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-skipped@-1: finding refuted: no run decides what its path does in lines 26, 28, 30
}

__global__ __launch_bounds__(Threads) void ordered_bad(const float4 *In,
// expect-note@-1: with A = 0, B = 1, C = 2
                                                       float4 *Out, int A,
                                                       int B, int C) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (A >= B)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  else if (B >= C)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  if (A >= C - 2)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Slot[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
}

// What is a multiple of 4 is even.
__global__ __launch_bounds__(Threads) void multiple_ok(const float4 *In,
                                                       float4 *Out, int N) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  __pipeline_commit();
  if (N % 4 != 0)
    __pipeline_wait_prior(0);
  if (N % 2 != 0)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-skipped@-1: finding refuted: no run decides what its path does in lines 63, 65
}

__global__ __launch_bounds__(Threads) void multiple_bad(const float4 *In,
// expect-note@-1: with N = 4
                                                        float4 *Out, int N) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (N % 4 != 0)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  if (N % 3 != 0)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Slot[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
}

// Unsigned numbers wrap: N - K is large where N is less.
__global__ __launch_bounds__(Threads) void wrapped_bad(const float4 *In,
// expect-note@-1: with N = 0, M = 1, K = 1
                                                       float4 *Out, unsigned N,
                                                       unsigned M, unsigned K) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (N >= M)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  else if (M > K)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  if (N - K > 5)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Slot[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
}

// As integers, which do not, it is the end of the path.
__global__ __launch_bounds__(Threads) void not_wrapped_ok(const float4 *In,
                                                          float4 *Out, int N,
                                                          int M, int K) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  __pipeline_commit();
  if (N >= M)
    __pipeline_wait_prior(0);
  else if (M > K)
    __pipeline_wait_prior(0);
  if (N > 5 + K)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-skipped@-1: finding refuted: no run decides what its path does in lines 118, 120, 122
}

// Where every round asks for another number, two answers may differ.
__global__ __launch_bounds__(Threads) void asked_again_bad(const float4 *In,
// expect-note@-1: with Rounds = 2
                                                           float4 *Out,
                                                           const int *Ask,
                                                           int Rounds) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  bool IsFirst = true;
  for (int K = 0; K < Rounds; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    const int Answer = Ask[K];
    if (IsFirst && Answer % 4 != 0)
    // expect-note@-1: taken when this condition is false
      __pipeline_wait_prior(0);
    if (Answer % 2 != 0)
      Out[threadIdx.x] = Slot[threadIdx.x];
      // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
      // expect-note@-2: thread 0 reads 'Slot[0]' here
      // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
    IsFirst = false;
  }
}

// Two calls in one expression give two numbers.
__device__ int load(const int *From) { return *From; }

__global__ __launch_bounds__(Threads) void called_twice_bad(const float4 *In,
                                                            float4 *Out,
                                                            const int *Ask) {
  __shared__ float4 Slot[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  const bool Both = (load(Ask) % 4 == 0) & (load(Ask + 1) % 2 != 0);
  if (!Both)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Slot[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Slot[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
}

// A member function that is const promises nothing of what it is called for.
struct Queue {
  int Ready;
  __device__ int ready() const { return Ready; }
};

__global__ __launch_bounds__(Threads) void asked_until_ready_bad(
    const float4 *In, float4 *Out, Queue *Q) {
  __shared__ float4 Slot[Threads];
  if (threadIdx.x < 32) {
    bool Waited = false;
    while (Q->ready() == 0)
      Waited = true;
    __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    if (!Waited)
      __pipeline_wait_prior(0);
  }
  __syncthreads();
  if (threadIdx.x < 32)
    Out[threadIdx.x] = Slot[threadIdx.x];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Slot[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
}

// Of a later one, less would do: but the numbers of the one before show both.
__global__ __launch_bounds__(Threads) void shown_by_one_run(const float4 *In,
// expect-note@-1: with A = 5, B = 7
                                                            float4 *Out, int A,
                                                            int B) {
  __shared__ float4 Slot[Threads], Other[Threads];
  __pipeline_memcpy_async(&Slot[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (A * B != 35 || A < 2 || A > 6)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Slot[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Slot[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
  __pipeline_memcpy_async(&Other[threadIdx.x], In + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (A < 3 || B < 2)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Other[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Other[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Other' may be read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
}
