//===- forgotten-commit.cu - A copy that no group contains ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row filter stages its input tile in shared memory. The copies are issued
// and waited for, but never committed: 'wait_group' only knows groups, so it
// returns at once and the taps read what was in shared memory before.
//
//===----------------------------------------------------------------------===//

constexpr int Threads = 128;
constexpr int Radius = 4;
constexpr int TileWidth = Threads + 2 * Radius;

__device__ void copyAsync4(float *Shared, const float *Global) {
  unsigned Dst = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(Dst),
               "l"(Global));
}

__global__ __launch_bounds__(Threads) void rowFilter(const float *In,
                                                     const float *Taps,
                                                     float *Out) {
  __shared__ float Tile[TileWidth];
  int First = blockIdx.x * Threads;

  for (int I = threadIdx.x; I < TileWidth; I += Threads)
    copyAsync4(&Tile[I], In + First + I);
  // Missing here: asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();

  float Sum = 0.0f;
  for (int T = 0; T < 2 * Radius + 1; ++T)
    Sum += Taps[T] * Tile[threadIdx.x + T];
  Out[First + threadIdx.x] = Sum;
}
