//===- chosen-phases.cu - What no run shows, with chosen rounds -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of several chunks go through one ring: that there are as many as all
// chunks have hangs on a product. With numbers that do not fit each other, a
// phase never completes; no run shows that, and a few chunks are followed.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int Slots = 2, Threads = 64;

__global__ void __launch_bounds__(Threads)
    sums_of_chunks_ok(const float *In, float *Out, int Chunks, int Tiles) {
  __shared__ alignas(16) float Ring[Slots][Threads];
  __shared__ uint64_t Full[Slots];
  const int T = threadIdx.x, Total = Chunks * Tiles;
  const auto Load = [&](int I) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &Full[I % Slots],
                                   sizeof Ring[0]);
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, Ring[I % Slots],
                       In + I * Threads, sizeof Ring[0], &Full[I % Slots]);
  };
  if (T == 0)
    for (int S = 0; S < Slots; ++S)
      ptx::mbarrier_init(&Full[S], 1);
  __syncthreads();
  if (T == 0)
    for (int I = 0; I < Slots && I < Total; ++I)
      Load(I);
  int Done = 0;
  for (int Chunk = 0; Chunk < Chunks; ++Chunk) {
    float Sum = 0;
    for (int Tile = 0; Tile < Tiles; ++Tile, ++Done) {
      const int Slot = Done % Slots;
      while (!ptx::mbarrier_try_wait_parity(&Full[Slot], Done / Slots % 2))
        ;
      Sum += Ring[Slot][T];
      __syncthreads();
      if (T == 0 && Done + Slots < Total)
        Load(Done + Slots);
    }
    Out[Chunk * Threads + T] = Sum;
  }
}
