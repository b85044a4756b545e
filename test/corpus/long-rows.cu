//===- long-rows.cu - Rows in more pieces than a ring has slots -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row that is cut in pieces, the last of them shorter, goes through a ring.
// How long it is is a parameter: what is wrong only once round the ring shows
// where one is chosen that has more pieces.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int Piece = 512, Slots = 3, Readers = 4;

struct Ring {
  alignas(128) float Slot[Slots][Readers][Piece];
  uint64_t Full[Slots], Empty[Slots];
};

__device__ void wait(uint64_t &B, uint32_t Parity) {
  while (!ptx::mbarrier_try_wait_parity(&B, Parity))
    ;
}

template <int Arrivals>
__device__ void sumsOfRows(const float *In, float *Out, int Rows, int Length) {
  __shared__ Ring R;
  const int First = blockIdx.x * Readers;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int S = 0; S < Slots; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 2
      ptx::mbarrier_init(&R.Full[S], 1);
      ptx::mbarrier_init(&R.Empty[S], Arrivals);
      // expect-note@-1: 'R' initialised here, a phase expects 8 arrivals
    }
  __syncthreads();
  if (Warp == Readers) {
    const int Pieces = (Length + Piece - 1) / Piece;
    if (Lane == 0)
      for (int K = 0; K < Pieces; ++K) {
      // expect-note@-1: in the iteration of this loop with K = 3
        const int S = K % Slots;
        const int Here = min(Piece, Length - K * Piece);
        wait(R.Empty[S], K / Slots % 2 ^ 1);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-note@-2: phase of 'R' waited for here
        // expect-warning@-3{cpasync-mismatched-phase}: phase of 'R' waited for here never completes: 4 of 8 arrivals came
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &R.Full[S],
                                       Readers * Here * sizeof(float));
        for (int W = 0; W < Readers; ++W) {
        // expect-note@-1: in the iteration of this loop with W = 1
          const float *Row = In + size_t(min(First + W, Rows - 1)) * Length;
          for (int Half = 0; Half < 2; ++Half) {
          // expect-note@-1: in the iteration of this loop with Half = 0
            const int From = Half * (Here / 2);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global,
            // expect-note@-1: a barrier belongs between the read in line +15 and this overwrite in a later iteration
            // expect-note@-2: thread 128 overwrites 'R.Slot[0][1][0]' here, read by thread 32
            // expect-warning@-3{cpasync-in-flight-overwrite}: 'R' is overwritten while other threads still read it
                               &R.Slot[S][W][From], Row + K * Piece + From,
                               Here / 2 * sizeof(float), &R.Full[S]);
          }
        }
      }
    return;
  }
  float Sum = 0;
  int S = 0;
  uint32_t Parity = 0;
  for (int At = 0; At < Length; At += Piece) {
  // expect-note@-1: in the iteration of this loop with At = 0
  // expect-note@-2: in the iteration of this loop with At = 1024
    const int Here = min(Piece, Length - At);
    wait(R.Full[S], Parity);
    for (int I = Lane; I < Here; I += 32)
      Sum += R.Slot[S][Warp][I];
      // expect-note@-1: read here
    __syncwarp();
    if (Lane == 0)
      ptx::mbarrier_arrive(&R.Empty[S]);
      // expect-note@-1: 14 steps not shown from here
      // expect-note@-2: arrived at 'R' here
      // expect-note@-3: barrier reached here only by thread 0
      // expect-note@-4: barrier reached here only by thread 64
      // expect-note@-5: barrier reached here only by thread 96
      // expect-note@-6: barrier reached here only by threads 64, 96
    if (++S == Slots) {
      S = 0;
      Parity ^= 1;
    }
  }
  if (First + Warp < Rows)
    Out[(First + Warp) * 32 + Lane] = Sum;
}

__global__ void __launch_bounds__(160) one_arrival_a_warp(const float *In,
                                                          float *Out,
                                                          int Rows,
                                                          int Length) {
  sumsOfRows<Readers>(In, Out, Rows, Length);
}

// Each warp was to arrive twice.
__global__ void __launch_bounds__(160) two_arrivals_a_warp(const float *In,
// expect-note@-1: with Length = 16384
                                                           float *Out,
                                                           int Rows,
                                                           int Length) {
  sumsOfRows<2 * Readers>(In, Out, Rows, Length);
  // expect-note@-1: 'sumsOfRows' called here
}

// One is enough for the slot to be filled again.
__global__ void __launch_bounds__(160) one_arrival_of_all(const float *In,
// expect-note@-1: with Length = 16384
                                                          float *Out,
                                                          int Rows,
                                                          int Length) {
  sumsOfRows<1>(In, Out, Rows, Length);
  // expect-note@-1: 'sumsOfRows' called here
}
