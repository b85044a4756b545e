//===- barriers-with-fewer.cu - More arrive than a phase waits for --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads arrive where the barrier was told of those that copy only: some
// threads are a round ahead of others then. Each has the variables of its own
// round, and a token is copied from and to places that are not the same for
// all.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int Threads = 128, Rows = 10, Vectors = 6, Copies = Rows * Vectors;

// A copy a thread, of those that have one; taps come behind them.
template <int Told>
__device__ void smooth(const float *In, float *Out, int Channels, int Pitch) {
  __shared__ alignas(16) float Patch[2][Rows][Vectors * 4];
  __shared__ Barrier Full[2];
  const int Rank = threadIdx.x;
  const int First = blockIdx.z * 32, Count = min(32, Channels - First);
  if (Rank == 0) {
    init(&Full[0], Told);
    // expect-note@-1: 'Full' initialised here, a phase expects 60 arrivals
    init(&Full[1], Told);
  }
  __syncthreads();
  auto Fill = [&](int Slot, int Channel) {
    const float *Plane = In + size_t(Channel) * Rows * Pitch;
    if (Rank < Copies)
      cuda::memcpy_async(&Patch[Slot][Rank / Vectors][Rank % Vectors * 4],
                         Plane + Rank / Vectors * Pitch + Rank % Vectors * 4,
                         cuda::aligned_size_t<16>(16), Full[Slot]);
    (void)Full[Slot].arrive();
    // expect-note@-1: arrived at 'Full' here
  };
  Fill(0, First);
  // expect-note@-1: 'Fill' called here
  for (int I = 0; I < Count; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    const int Slot = I & 1;
    if (I + 1 < Count)
    // expect-note@-1: taken when this condition is false
      Fill(Slot ^ 1, First + I + 1);
    Full[Slot].wait_parity((I >> 1) & 1);
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 8 of 60 arrivals came
    float Sum = 0;
    for (int R = 0; R < Rows; ++R)
      Sum += Patch[Slot][R][Rank % (Vectors * 4)];
    Out[size_t(First + I) * Threads + Rank] = Sum;
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void
all_are_told_ok(const float *In, float *Out, int Channels, int Pitch) {
  smooth<Threads>(In, Out, Channels, Pitch);
}

__global__ __launch_bounds__(Threads) void
who_copies_is_told_bad(const float *In, float *Out, int Channels, int Pitch) {
// expect-note@-1: with Channels = 1, blockIdx.z = 0
  smooth<Copies>(In, Out, Channels, Pitch);
  // expect-note@-1: 'smooth' called here
}

template <int Told>
__device__ void streamWithTokens(const float *In, float *Out, int N) {
  __shared__ alignas(16) float Chunk[2][512];
  __shared__ Barrier Full[2];
  if (threadIdx.x == 0)
    for (int I = 0; I < 2; ++I)
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the iteration of this loop with I = 1
      init(&Full[I], Told);
      // expect-note@-1: 'Full' initialised here, a phase expects 64 arrivals
  __syncthreads();
  auto Start = [&](int Slot, int I) {
    if (threadIdx.x != 0)
      return Full[Slot].arrive();
    cuda::device::memcpy_async_tx(Chunk[Slot], In + I * 512,
    // expect-note@-1: copy issued here
                                  cuda::aligned_size_t<16>(2048), Full[Slot]);
    return cuda::device::barrier_arrive_tx(Full[Slot], 1, 2048);
    // expect-note@-1: bytes of the phase announced here
  };
  Barrier::arrival_token Token[2];
  Token[0] = Start(0, 0);
  // expect-note@-1: 'Start' called here
  int Now = 0;
  for (int I = 0; I < N; ++I, Now ^= 1) {
  // expect-note@-1: in the iteration of this loop with I = 0
    if (I + 1 < N)
    // expect-note@-1: taken when this condition is false
      Token[Now ^ 1] = Start(Now ^ 1, I + 1);
    Full[Now].wait(std::move(Token[Now]));
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 0 of 64 arrivals came
    Out[I * Threads + threadIdx.x] = Chunk[Now][threadIdx.x ^ 5];
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void tokens_ok(const float *In,
                                                     float *Out, int N) {
  streamWithTokens<Threads>(In, Out, N);
}

__global__ __launch_bounds__(Threads) void tokens_bad(const float *In,
// expect-note@-1: with N = 1
                                                      float *Out, int N) {
  streamWithTokens<Threads / 2>(In, Out, N);
  // expect-note@-1: 'streamWithTokens' called here
}
