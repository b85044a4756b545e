//===- changing-flags.cu - A condition that is loaded anew for each tile --===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same expression decides about copies and reads, but in another iteration
// it is another flag: the two are not exclusive.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

__global__ __launch_bounds__(Threads) void copied_or_read_bad(
// expect-note@-1: with Tiles = 2
    const float *Src, float *Dst, const int *Flags, int Tiles) {
  __shared__ float Tile[Threads];
  const int Tid = threadIdx.x;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (Flags[T * Threads + Tid])
      __pipeline_memcpy_async(&Tile[Tid], Src + T * Threads + Tid, 4);
      // expect-note@-1: a wait for the copy belongs before this overwrite
      // expect-note@-2: copy issued here
      // expect-note@-3: thread 0 overwrites 'Tile[0]' here, copied by thread 0
      // expect-warning@-4{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a copy into it is in flight
    else
      Dst[T * Threads + Tid] = Tile[Tid];
      // expect-note@-1: thread 0 reads 'Tile[0]' here
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups; slow: better commit each copy before the loop by itself
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
  }
}

__global__ __launch_bounds__(Threads) void copied_or_read_ok(
    const float *Src, float *Dst, const int *Flags, int Tiles) {
  __shared__ float Tile[Threads];
  const int Tid = threadIdx.x;
  const int Mine = Flags[Tid];
  for (int T = 0; T < Tiles; ++T) {
    if (Mine)
      __pipeline_memcpy_async(&Tile[Tid], Src + Tid, 4);
    else
      Dst[T * Threads + Tid] = Tile[Tid];
    __pipeline_commit();
    __pipeline_wait_prior(1);
  }
}

// Nobody knows what comes out of fmaxf(), but the flag is one.
__global__ __launch_bounds__(Threads) void asked_twice_ok(
    const float *Src, float *Dst, int Tiles, float Scale) {
  __shared__ float Tile[Threads];
  const int Tid = threadIdx.x;
  const bool IsCopied = fmaxf(Scale, 1.0f) != 2.0f;
  for (int T = 0; T < Tiles; ++T) {
    if (IsCopied) {
      __pipeline_memcpy_async(&Tile[Tid], Src + Tid, 4);
      __pipeline_commit();
    }
    if (IsCopied)
      __pipeline_wait_prior(0);
    if (IsCopied)
      Dst[Tid] = Tile[Tid];
  }
}

// Who has no flag does not wait, or does not commit.
__global__ __launch_bounds__(Threads) void waits_with_flag_bad(
    const float *Src, float *Dst, const int *Flags) {
  __shared__ float Tile[Threads];
  const int Tid = threadIdx.x;
  __pipeline_memcpy_async(&Tile[Tid], Src + Tid, 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Flags[Tid])
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: taken when this condition is false
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the threads that copy into 'Tile'
    __pipeline_wait_prior(0);
  Dst[Tid] = Tile[Tid];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}
__global__ __launch_bounds__(Threads) void commits_with_flag_bad(
    const float *Src, float *Dst, const int *Flags) {
  __shared__ float Tile[Threads];
  const int Tid = threadIdx.x;
  __pipeline_memcpy_async(&Tile[Tid], Src + Tid, 4);
  // expect-note@-1: copy issued here
  if (Flags[Tid])
  // expect-note@-1: all threads that copy must come to this commit
  // expect-note@-2: taken when this condition is false
  // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the threads that copy into 'Tile'
    __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: wait for all groups is here
  Dst[Tid] = Tile[Tid];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}
