//===- barriers.cu - Barriers where they are enough -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every spelling of a block's barrier, barriers in branches that all threads
// take, and loops that need no second one. Every kernel copies Src to Dst,
// Tiles tiles a block.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

constexpr int Threads = 128;

#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float4 *Src,           \
                                                  float4 *Dst, int Tiles)

__device__ __forceinline__ void fetch(float4 *Shared, const float4 *Global) {
  __pipeline_memcpy_async(Shared, Global, sizeof(float4));
  __pipeline_commit();
}

// A barrier on each side of a branch that the whole block takes.
KERNEL(in_each_branch_ok) {
  __shared__ float4 Even[Threads], Odd[Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Threads - 1 - Tid;
  for (int T = 0; T < Tiles; ++T) {
    const int First = Base + T * Threads;
    if (T % 2 == 0) {
      fetch(&Even[Tid], &Src[First + Tid]);
      __pipeline_wait_prior(0);
      __syncthreads();
      Dst[First + Other] = Even[Other];
    } else {
      fetch(&Odd[Tid], &Src[First + Tid]);
      __pipeline_wait_prior(0);
      __syncthreads();
      Dst[First + Other] = Odd[Other];
    }
  }
}

// The barrier before the refill is left out with the refill.
KERNEL(with_the_refill_ok) {
  __shared__ float4 Slot[Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Tid ^ 64;
  fetch(&Slot[Tid], &Src[Base + Tid]);
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(0);
    __syncthreads();
    Dst[Base + T * Threads + Other] = Slot[Other];
    if (T + 1 < Tiles) {
      __syncthreads();
      fetch(&Slot[Tid], &Src[Base + (T + 1) * Threads + Tid]);
    }
  }
}

// Leaves the loop early, all threads at once.
KERNEL(early_exit_ok) {
  __shared__ float4 Slot[Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Tid ^ 32;
  for (int T = 0;; ++T) {
    fetch(&Slot[Tid], &Src[Base + T * Threads + Tid]);
    __pipeline_wait_prior(0);
    __syncthreads();
    Dst[Base + T * Threads + Other] = Slot[Other];
    if (T + 1 == Tiles)
      return;
    __syncthreads();
  }
}

// Votes are barriers as well.
KERNEL(votes_ok) {
  __shared__ float4 Slot[Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Threads - 1 - Tid;
  for (int T = 0; T < Tiles; ++T) {
    fetch(&Slot[Tid], &Src[Base + T * Threads + Tid]);
    __pipeline_wait_prior(0);
    const bool Any = __syncthreads_or(Tid == T);
    const float4 V = Slot[Other];
    const int Count = __syncthreads_count(Any && V.x != 0.0f);
    if (Count >= 0)
      Dst[Base + T * Threads + Other] = V;
  }
}

// The instructions themselves.
KERNEL(instructions_ok) {
  __shared__ float4 Slot[Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = (Tid + 32) % Threads;
  for (int T = 0; T < Tiles; T += 2) {
    fetch(&Slot[Tid], &Src[Base + T * Threads + Tid]);
    __pipeline_wait_prior(0);
    asm volatile("bar.sync 0;" ::: "memory");
    Dst[Base + T * Threads + Other] = Slot[Other];
    asm volatile("barrier.sync 1, 128;" ::: "memory");
    if (T + 1 == Tiles)
      break;
    fetch(&Slot[Tid], &Src[Base + (T + 1) * Threads + Tid]);
    __pipeline_wait_prior(0);
    asm volatile("barrier.cta.sync.aligned 2;" ::: "memory");
    Dst[Base + (T + 1) * Threads + Other] = Slot[Other];
    asm volatile("bar.sync %0, %1;" ::"r"(3), "r"(Threads) : "memory");
  }
}

__device__ __forceinline__ void waitForAll(bool Meet) {
  __pipeline_wait_prior(0);
  if (Meet)
    __syncthreads();
}

// In a helper that is told whether to, and in the group's own words.
KERNEL(in_a_helper_ok) {
  __shared__ float4 Slot[Threads];
  auto Block = cooperative_groups::this_thread_block();
  const int Base = blockIdx.x * Tiles * Threads, Tid = Block.thread_rank();
  const int Other = Tid ^ 96;
  for (int T = 0; T < Tiles; ++T) {
    fetch(&Slot[Tid], &Src[Base + T * Threads + Tid]);
    waitForAll(true);
    Dst[Base + T * Threads + Other] = Slot[Other];
    Block.sync();
  }
}

// Three slots, one barrier an iteration: it publishes tile T, and says that
// everybody has read tile T - 1, whose slot is refilled.
KERNEL(one_barrier_ok) {
  constexpr int Stages = 3;
  __shared__ float4 Ring[Stages][Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Threads - 1 - Tid;
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles)
      __pipeline_memcpy_async(&Ring[S][Tid], &Src[Base + S * Threads + Tid],
                              16);
    __pipeline_commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    const int Next = T + Stages - 1;
    if (Next < Tiles)
      __pipeline_memcpy_async(&Ring[Next % Stages][Tid],
                              &Src[Base + Next * Threads + Tid], 16);
    __pipeline_commit();
    Dst[Base + T * Threads + Other] = Ring[T % Stages][Other];
  }
}

// Four slots, two tiles an iteration, one wait and one barrier for both.
KERNEL(two_tiles_a_barrier_ok) {
  __shared__ float4 Ring[4][Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Tid ^ 32;
  auto Pair = [&](int T) {
    for (int S = T; S < T + 2; ++S)
      if (S < Tiles)
        __pipeline_memcpy_async(&Ring[S % 4][Tid],
                                &Src[Base + S * Threads + Tid], 16);
    __pipeline_commit();
  };
  Pair(0);
  for (int T = 0; T < Tiles; T += 2) {
    __pipeline_wait_prior(0);
    __syncthreads();
    Pair(T + 2);
    for (int S = T; S < T + 2; ++S)
      if (S < Tiles)
        Dst[Base + S * Threads + Other] = Ring[S % 4][Other];
  }
}

// Nobody reads what another thread copied.
KERNEL(own_elements_ok) {
  __shared__ float4 Ring[2][Threads];
  const int Base = blockIdx.x * Tiles * Threads + threadIdx.x;
  float4 *Mine = &Ring[0][threadIdx.x];
  fetch(Mine, &Src[Base]);
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      __pipeline_memcpy_async(Mine + (T + 1) % 2 * Threads,
                              &Src[Base + (T + 1) * Threads], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    Dst[Base + T * Threads] = Ring[T % 2][threadIdx.x];
  }
}

// The ring is drained and everybody has read it when it becomes scratch.
KERNEL(scratch_afterwards_ok) {
  __shared__ float4 Ring[2][Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  const int Other = Threads - 1 - Tid;
  float4 Last = make_float4(0, 0, 0, 0);
  fetch(&Ring[0][Tid], &Src[Base + Tid]);
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(0);
    __syncthreads();
    const int Next = T + 1 < Tiles ? T + 1 : T;
    fetch(&Ring[(T + 1) % 2][Tid], &Src[Base + Next * Threads + Tid]);
    Last = Ring[T % 2][Other];
    if (T + 1 < Tiles)
      Dst[Base + T * Threads + Other] = Last;
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  float4 *Scratch = Ring[1];
  Scratch[Tid] = Last;
  __syncthreads();
  Dst[Base + (Tiles - 1) * Threads + Tid] = Scratch[Other];
}
