//===- ring-starts.cu - Rings that begin anywhere -------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slot of a tile is its number modulo the number of slots, and the number
// of the first tile is not known: the kernel is given it, or counts down to 0.
// Three tiles are in flight; four slots are enough, as the barrier after the
// wait comes before the slot of the tile before is filled again.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128, Ahead = 3;

template <int Slots>
__device__ void countUp(const uint4 *Src, uint4 *Dst, int First, int Tiles) {
  __shared__ uint4 Ring[Slots][Threads];
  auto Fill = [&](int T) {
    __pipeline_memcpy_async(&Ring[(First + T) % Slots][threadIdx.x],
                            Src + T * Threads + threadIdx.x, 16);
  };
  for (int T = 0; T < Ahead; ++T) {
    if (T < Tiles)
      Fill(T);
    __pipeline_commit();
  }
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    __pipeline_wait_prior(Ahead - 1);
    __syncthreads();
    Dst[T * Threads + threadIdx.x] =
        Ring[(First + T) % Slots][Threads - 1 - threadIdx.x];
        // expect-note@-1: read here
    if (T + Ahead < Tiles)
      Fill(T + Ahead);
      // expect-note@-1: a barrier belongs between the read in line -2 and this overwrite
      // expect-note@-2: thread 0 overwrites 'Ring' here, read by thread 127
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void up_ok(const uint4 *Src, uint4 *Dst,
                                                 int First, int Tiles) {
  countUp<4>(Src, Dst, First, Tiles);
}
__global__ __launch_bounds__(Threads) void more_slots_ok(const uint4 *Src,
                                                         uint4 *Dst, int First,
                                                         int Tiles) {
  countUp<5>(Src, Dst, First, Tiles);
}
__global__ __launch_bounds__(Threads) void up_bad(const uint4 *Src, uint4 *Dst,
// expect-note@-1: with Tiles = 4
                                                  int First, int Tiles) {
  countUp<3>(Src, Dst, First, Tiles);
  // expect-note@-1: 'countUp' called here
}

template <int Slots>
__device__ void countDown(const uint4 *Src, uint4 *Dst, int Tiles) {
  __shared__ uint4 Ring[Slots][Threads];
  int Unfilled = Tiles;
  auto Fill = [&] {
    if (Unfilled > 0) {
      __pipeline_memcpy_async(&Ring[Unfilled % Slots][threadIdx.x],
      // expect-note@-1: thread 0 overwrites 'Ring[1][0]' here, read by thread 127
                              Src + Unfilled * Threads + threadIdx.x, 16);
      --Unfilled;
    }
    __pipeline_commit();
  };
  for (int T = 0; T < Ahead; ++T)
    Fill();
  for (int Left = Tiles; Left > 0; --Left) {
  // expect-note@-1: in the iteration of this loop with Left = 4
    __pipeline_wait_prior(Ahead - 1);
    __syncthreads();
    Dst[Left * Threads + threadIdx.x] =
        Ring[Left % Slots][Threads - 1 - threadIdx.x];
        // expect-note@-1: read here
    Fill();
    // expect-note@-1: 'Fill' called here
    // expect-note@-2: a barrier belongs between the read in line -1 and this call
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  }
}

__global__ __launch_bounds__(Threads) void down_ok(const uint4 *Src, uint4 *Dst,
                                                   int Tiles) {
  countDown<4>(Src, Dst, Tiles);
}
__global__ __launch_bounds__(Threads) void down_bad(const uint4 *Src,
// expect-note@-1: with Tiles = 4
                                                    uint4 *Dst, int Tiles) {
  countDown<3>(Src, Dst, Tiles);
  // expect-note@-1: 'countDown' called here
}

// The wait leaves the newest group, the one that is read.
__global__ __launch_bounds__(Threads) void newest_bad(const uint4 *Src,
// expect-note@-1: with First = 0, Tiles = 1
                                                         uint4 *Dst, int First,
                                                         int Tiles) {
  __shared__ uint4 Ring[4][Threads];
  for (int T = First; T < First + Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    __pipeline_memcpy_async(&Ring[T % 4][threadIdx.x],
    // expect-note@-1: copy issued here
                            Src + T * Threads + threadIdx.x, 16);
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Ring' may be in the newest one
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Ring[T % 4][Threads - 1 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Ring[0][127]' here, copied by thread 127
    __syncthreads();
  }
}

// An inner loop of a known number of rounds, longer than any ring, in which the
// path forks.
__global__ __launch_bounds__(Threads) void long_rounds_ok(const uint4 *Src,
                                                          uint4 *Dst,
                                                          int Tiles) {
  __shared__ uint4 Slot[2][Threads];
  __pipeline_memcpy_async(&Slot[0][threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int K = 0; K < 100; ++K) {
      if (K == 99 && T + 1 < Tiles) {
        __pipeline_memcpy_async(&Slot[(T + 1) % 2][threadIdx.x],
                                Src + (T + 1) * Threads + threadIdx.x, 16);
        __pipeline_commit();
      }
      Dst[(T * 100 + K) * Threads + threadIdx.x] =
          Slot[T % 2][Threads - 1 - threadIdx.x];
    }
  }
}
