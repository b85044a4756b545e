//===- chosen-rounds.cu - Loops that settle for known numbers only --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles are counted twice: by the walk over rows and columns, and all together.
// That both end together hangs on a product, so no round is like the one before
// as long as nobody knows how many there are. Such kernels are run for a few.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Ring = 3, Side = 16, Threads = 64;

struct Walk {
  int Row = 0, Column = 0;
  __device__ void next() {
    if (++Column > Row) {
      ++Row;
      Column = 0;
    }
  }
};

template <int Ahead, bool Meets>
__device__ void sumTriangle(const float *In, float *Out, int N, int Pitch) {
  __shared__ float Tiles[Ring][Side][Side];
  const int T = threadIdx.x, Rows = N / Side, Total = Rows * (Rows + 1) / 2;
  const auto Fetch = [&](const Walk &At, int Slot) {
    const int R = T / 4, C = T % 4 * 4;
    __pipeline_memcpy_async(
        &Tiles[Slot][R][C],
        In + (At.Row * Side + R) * Pitch + At.Column * Side + C, 16);
  };
  Walk To, From;
  for (int I = 0; I < Ring - 1; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    if (I < Total) {
      Fetch(To, I);
      // expect-note@-1: copy issued here
      To.next();
    }
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  float Sum = 0;
  for (int I = 0; I < Total; ++I, From.next()) {
  // expect-note@-1: in the iteration of this loop with I = 0
  // expect-note@-2: in the iteration of this loop with I = 1
  // expect-skipped@-3: loop does not settle within 64 iterations
    const bool IsMore = I + Ring - 1 < Total;
    if (!Meets && IsMore)
      Fetch(To, (I + Ring - 1) % Ring);
      // expect-note@-1: a barrier belongs between the read in line +7 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Tiles[0][0][0]' here, read by thread 32
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tiles' may be overwritten while other threads still read it
    __pipeline_wait_prior(Ahead);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Tiles'
    __syncthreads();
    if (Meets && IsMore)
      Fetch(To, (I + Ring - 1) % Ring);
    const float Scale = From.Row == From.Column ? 1 : 2;
    for (int C = 0; C < Side; ++C)
      Sum += Scale * Tiles[I % Ring][(T + C) % Side][C];
      // expect-note@-1: read here
      // expect-note@-2: thread 0 reads 'Tiles[0][0][0]' here
    To.next();
    __pipeline_commit();
  }
  Out[T] = Sum;
}
#define KERNEL(NAME, ...)                                                      \
  __global__ void __launch_bounds__(Threads)                                   \
      NAME(const float *In, float *Out, int N, int Pitch) {                    \
    sumTriangle<__VA_ARGS__>(In, Out, N, Pitch);                               \
  }
KERNEL(triangle_ok, Ring - 2, true)
KERNEL(waits_for_too_few_bad, Ring - 1, true)
// expect-note@-1: 'sumTriangle' called here
// expect-note@-2: with N = 16
KERNEL(does_not_meet_bad, Ring - 2, false)
// expect-note@-1: 'sumTriangle' called here
// expect-note@-2: with N = 48
