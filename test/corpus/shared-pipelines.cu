//===- shared-pipelines.cu - cuda::pipeline that a block shares -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each stage has two barriers: a commit arrives at one and consumer_wait()
// waits for it, a release arrives at the other and producer_acquire() waits for
// that. No other barrier is needed, neither before a tile is read nor before
// its slot is filled again. Every kernel copies Src to Dst, Tiles tiles a
// block, and reads what another warp copied.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int Threads = 128;
constexpr int Stages = 2;

#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float4 *Src,           \
                                                  float4 *Dst, int Tiles)

using PipelineState =
    cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;

constexpr auto Size = cuda::aligned_size_t<16>(sizeof(float4));

// All threads produce and consume; as many stages ahead as there are.
KERNEL(everybody_both_ok) {
  __shared__ float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  for (int T = 0, Fetch = 0; T < Tiles; ++T) {
    for (; Fetch < Tiles && Fetch < T + Stages; ++Fetch) {
      Pipe.producer_acquire();
      cuda::memcpy_async(&Ring[Fetch % Stages][Tid],
                         &Src[Fetch * Threads + Tid], Size, Pipe);
      Pipe.producer_commit();
    }
    Pipe.consumer_wait();
    Dst[T * Threads + Other] = Ring[T % Stages][Other];
    Pipe.consumer_release();
  }
}

// The block shares each copy.
KERNEL(block_copies_ok) {
  __shared__ alignas(16) float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline(Block, &State);
  const int Tid = threadIdx.x;
  for (int T = 0, Fetch = 0; T < Tiles; ++T) {
    for (; Fetch < Tiles && Fetch < T + Stages; ++Fetch) {
      Pipe.producer_acquire();
      cuda::memcpy_async(Block, Ring[Fetch % Stages], Src + Fetch * Threads,
                         sizeof(float4) * Block.size(), Pipe);
      Pipe.producer_commit();
    }
    Pipe.consumer_wait();
    Dst[T * Threads + Tid] = Ring[T % Stages][Tid];
    Pipe.consumer_release();
  }
}

// One warp fetches for the others; it may be all stages ahead of them.
KERNEL(producer_warp_ok) {
  constexpr int Readers = Threads - 32;
  __shared__ float4 Ring[Stages][Readers];
  __shared__ PipelineState State;
  const int Tid = threadIdx.x;
  const auto Role = Tid < Readers ? cuda::pipeline_role::consumer
                                  : cuda::pipeline_role::producer;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State, Role);
  if (Tid < Readers) {
    for (int T = 0; T < Tiles; ++T) {
      Pipe.consumer_wait();
      Dst[T * Readers + Tid] = Ring[T % Stages][Tid];
      Pipe.consumer_release();
    }
  } else {
    for (int T = 0; T < Tiles; ++T) {
      Pipe.producer_acquire();
      for (int I = Tid - Readers; I < Readers; I += 32)
        cuda::memcpy_async(&Ring[T % Stages][I], &Src[T * Readers + I], Size,
                           Pipe);
      Pipe.producer_commit();
    }
  }
}

// The number of producers instead of roles: the first warps produce.
KERNEL(producer_count_ok) {
  constexpr int Half = Threads / 2;
  __shared__ float4 Ring[Stages][Half];
  __shared__ PipelineState State;
  auto Pipe =
      cuda::make_pipeline(cg::this_thread_block(), &State, size_t(Half));
  const int Lane = threadIdx.x % Half;
  for (int T = 0; T < Tiles; ++T) {
    if (threadIdx.x < Half) {
      Pipe.producer_acquire();
      cuda::memcpy_async(&Ring[T % Stages][Lane], &Src[T * Half + Lane], Size,
                         Pipe);
      Pipe.producer_commit();
    } else {
      Pipe.consumer_wait();
      Dst[T * Half + Lane] = Ring[T % Stages][Lane];
      Pipe.consumer_release();
    }
  }
}

KERNEL(no_consumer_wait_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  Pipe.producer_acquire();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], Size, Pipe);
  // expect-note@-1: copy issued here
  Pipe.producer_commit();
  // expect-note@-1: committed here
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
  Dst[Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL(no_commit_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  Pipe.producer_acquire();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], Size, Pipe);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
  Pipe.consumer_wait();
  // expect-note@-1: a commit belongs between the copy in line -1 and this wait
  // expect-note@-2: wait for all groups is here
  Dst[Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
  Pipe.consumer_release();
}

// Waits for the oldest batch and reads the next.
KERNEL(one_batch_too_early_bad) {
  __shared__ float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  for (int Slot = 0; Slot < Stages; ++Slot) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with Slot = 1
    Pipe.producer_acquire();
    cuda::memcpy_async(&Ring[Slot][Tid], &Src[Slot * Threads + Tid], Size,
    // expect-note@-1: copy issued here
                       Pipe);
    Pipe.producer_commit();
    // expect-note@-1: committed here as the newest group
  }
  Pipe.consumer_wait();
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Ring' was copied in the newest one
  Dst[Other] = Ring[1][Other];
  // expect-note@-1: thread 0 reads 'Ring[1][127]' here, copied by thread 127
  Pipe.consumer_release();
}

// A slot is filled again while other warps may read it.
KERNEL(no_acquire_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  for (int T = 0, Fetch = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    for (; Fetch < Tiles && Fetch < T + Stages; ++Fetch) {
    // expect-note@-1: in the iteration of this loop with Fetch = 2
      cuda::memcpy_async(&Ring[Fetch % Stages][Tid],
      // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 127
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
                         &Src[Fetch * Threads + Tid], Size, Pipe);
      Pipe.producer_commit();
    }
    Pipe.consumer_wait();
    Dst[T * Threads + Other] = Ring[T % Stages][Other];
    // expect-note@-1: read here
    Pipe.consumer_release();
  }
}

// Released before it is read: the next batch may be on its way.
KERNEL(released_too_early_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  for (int T = 0, Fetch = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    for (; Fetch < Tiles && Fetch < T + Stages; ++Fetch) {
    // expect-note@-1: in the iteration of this loop with Fetch = 2
      Pipe.producer_acquire();
      cuda::memcpy_async(&Ring[Fetch % Stages][Tid],
      // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 127
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
                         &Src[Fetch * Threads + Tid], Size, Pipe);
      Pipe.producer_commit();
    }
    Pipe.consumer_wait();
    Pipe.consumer_release();
    Dst[T * Threads + Other] = Ring[T % Stages][Other];
    // expect-note@-1: read here
  }
}

// The next batch is asked for while all stages are full: who would release one
// comes to that only afterwards.
KERNEL(acquired_before_released_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  int Fetch = 0;
  auto Submit = [&] {
    Pipe.producer_acquire();
    // expect-note@-1: a stage must be released before it is acquired again
    // expect-warning@-2{cpasync-mismatched-phase}: stage of 'State' acquired here may never be free: 0 of 128 threads released it
    cuda::memcpy_async(&Ring[Fetch % Stages][Tid], &Src[Fetch * Threads + Tid],
                       Size, Pipe);
    Pipe.producer_commit();
    ++Fetch;
  };
  while (Fetch < Stages && Fetch < Tiles)
    Submit();
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    Pipe.consumer_wait();
    Dst[T * Threads + Other] = Ring[T % Stages][Other];
    if (Fetch < Tiles)
    // expect-note@-1: taken when this condition is true
      Submit();
      // expect-note@-1: 'Submit' called here
    Pipe.consumer_release();
  }
}

KERNEL(acquired_after_released_ok) {
  __shared__ float4 Ring[Stages][Threads];
  __shared__ PipelineState State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  int Fetch = 0;
  auto Submit = [&] {
    Pipe.producer_acquire();
    cuda::memcpy_async(&Ring[Fetch % Stages][Tid], &Src[Fetch * Threads + Tid],
                       Size, Pipe);
    Pipe.producer_commit();
    ++Fetch;
  };
  while (Fetch < Stages && Fetch < Tiles)
    Submit();
  for (int T = 0; T < Tiles; ++T) {
    Pipe.consumer_wait();
    Dst[T * Threads + Other] = Ring[T % Stages][Other];
    Pipe.consumer_release();
    if (Fetch < Tiles)
      Submit();
  }
}

// A block of which threads have left is too small for its pipeline, whatever
// else hangs on numbers that nobody knows.
template <bool LeavesEarly>
__device__ void sumOfTiles(const float4 *Src, float *Dst, int Rows, int Tiles) {
  __shared__ float4 Ring[Stages][Threads / 4];
  __shared__ PipelineState State;
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline(Block, &State);
  const int Row = blockIdx.x * Threads + threadIdx.x;
  if (LeavesEarly && Row >= Rows)
  // expect-note@-1: taken when this condition is true only in threads 65-127
    return;
  auto Fetch = [&](int T) {
    Pipe.producer_acquire();
    // expect-note@-1: a stage must be released before it is acquired again
    // expect-warning@-2{cpasync-mismatched-phase}: stage of 'State' acquired here may never be free: 65 of 128 threads released it
    cuda::memcpy_async(Block, Ring[T % Stages], Src + T * (Threads / 4),
    // expect-note@-1: all threads of the group must come to this copy, or a group of those that do must share it
    // expect-note@-2: thread 65 shares it and does not run it
    // expect-warning@-3{cpasync-divergent-commit}: copy into 'Ring' that 128 threads share may be run by 65 of them
                       sizeof(Ring[0]), Pipe);
    Pipe.producer_commit();
  };
  float Sum = 0;
  Fetch(0);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    if (T + 1 < Tiles)
    // expect-note@-1: taken when this condition is true
      Fetch(T + 1);
      // expect-note@-1: 'Fetch' called here
    Pipe.consumer_wait();
    for (int I = 0; I < Threads / 4; ++I)
      Sum += Ring[T % Stages][I].x;
    Pipe.consumer_release();
  }
  if (Row < Rows)
    Dst[Row] = Sum;
}
__global__ __launch_bounds__(Threads) void
all_stay_ok(const float4 *Src, float *Dst, int Rows, int Tiles) {
  sumOfTiles<false>(Src, Dst, Rows, Tiles);
}
__global__ __launch_bounds__(Threads) void
some_leave_bad(const float4 *Src, float *Dst, int Rows, int Tiles) {
// expect-note@-1: with blockIdx.x = 0, Rows = 65
// expect-note@-2: with blockIdx.x = 0, Rows = 65, Tiles = 3
  sumOfTiles<true>(Src, Dst, Rows, Tiles);
  // expect-note@-1: 'sumOfTiles' called here
}
