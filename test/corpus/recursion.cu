//===- recursion.cu - Functions that call themselves and each other -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What such functions do does not hang on which of them is asked about first,
// and a known number of calls is followed.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const uint4 *Src, uint4 *Dst)

using Slots = uint4[4][Threads];

template <bool Commits>
__device__ void fetchOdd(Slots &Ring, const uint4 *Src, int K, int Last);

template <bool Commits>
__device__ void fetchEven(Slots &Ring, const uint4 *Src, int K, int Last) {
  __pipeline_memcpy_async(&Ring[K][threadIdx.x], Src + K * Threads + threadIdx.x,
  // expect-note@-1: copy issued here
                          16);
  __pipeline_commit();
  // expect-note@-1: committed here
  if (K < Last)
    fetchOdd<Commits>(Ring, Src, K + 1, Last);
}
template <bool Commits>
__device__ void fetchOdd(Slots &Ring, const uint4 *Src, int K, int Last) {
  __pipeline_memcpy_async(&Ring[K][threadIdx.x], Src + K * Threads + threadIdx.x,
                          16);
  if (Commits)
    __pipeline_commit();
  if (K < Last)
    fetchEven<Commits>(Ring, Src, K + 1, Last);
}

KERNEL(by_turns_ok) {
  __shared__ Slots Ring;
  fetchEven<true>(Ring, Src, 0, 3);
  __pipeline_wait_prior(2);
  Dst[threadIdx.x] = Ring[0][threadIdx.x];
  Dst[Threads + threadIdx.x] = Ring[1][threadIdx.x];
  __pipeline_wait_prior(0);
}
KERNEL(by_turns_bad) {
  __shared__ Slots Ring;
  fetchEven<false>(Ring, Src, 0, 3);
  // expect-note@-1: 'fetchEven' called here
  __pipeline_wait_prior(2);
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 is newer than the copy into 'Ring'
  Dst[threadIdx.x] = Ring[0][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Ring[0][0]' here
  Dst[Threads + threadIdx.x] = Ring[1][threadIdx.x];
  // expect-note@-1: also read here
  __pipeline_wait_prior(0);
}

// The first knows of the copy only by way of the third.
struct Walk {
  const uint4 *Src;
  uint4 *Tile;
  __device__ void down(int N) {
    if (N > 0)
      across(N);
  }
  __device__ void across(int N) {
    up(N);
    // expect-note@-1: 'up' called here
    down(N - 1);
  }
  __device__ void up(int N) {
    if (N == 1)
      __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
      // expect-note@-1: copy issued here
    else if (N > 4)
      across(N - 1);
  }
};
KERNEL(in_a_circle_bad) {
  __shared__ uint4 Tile[Threads];
  Walk W{Src, Tile};
  W.down(3);
  // expect-note@-1: 'down' called here
  __pipeline_commit();
  // expect-note@-1: committed here
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
KERNEL(in_a_circle_ok) {
  __shared__ uint4 Tile[Threads];
  Walk W{Src, Tile};
  W.down(3);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Dst[threadIdx.x] = Tile[threadIdx.x];
}

// Deeper than it is followed: what comes after is not judged.
__device__ void waitDeepDown(int N) {
  if (N > 0)
    waitDeepDown(N - 1);
    // expect-skipped@-1: recursive call of 'waitDeepDown'
  else
    __pipeline_wait_prior(0);
}
KERNEL(too_deep) {
  __shared__ uint4 Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  waitDeepDown(20);
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
