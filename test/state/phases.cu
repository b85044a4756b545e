//===- phases.cu - Barriers and pipelines in memory ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each function does to the copies bound to a phase: an arrival completes
// nothing by itself, a wait completes what its phase has counted.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(64)

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// By parity instead of a token.
KERNEL parities(const float *In) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  if (threadIdx.x == 0)
    init(&Full, 64);
  __syncthreads();
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
  for (int Phase = 0; Phase < 2; ++Phase) {
    cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
    // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
    (void)Full.arrive();
    if (Phase == 0)
      Full.wait_parity(false);
      // expect-state@-1: wait: threads 0-63: groups [] open {}
    else
      while (!Full.try_wait_parity(true))
      // expect-state@-1: wait: threads 0-63: groups [] open {}
        ;
  }
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

// Arrivals may be more than one for a thread.
KERNEL counts(const float *In) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  if (threadIdx.x == 0)
    init(&Full, 128);
  __syncthreads();
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  auto Token = Full.arrive(2);
  while (!Full.try_wait(std::move(Token)))
  // expect-state@-1: wait: threads 0-63: groups [] open {}
    ;
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

// Half of the threads leave; the next phase is complete without them.
KERNEL drops(const float *In) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  if (threadIdx.x == 0)
    init(&Full, 64);
  __syncthreads();
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
  if (threadIdx.x >= 32) {
    Full.arrive_and_drop();
  } else {
    Full.arrive_and_wait();
    // expect-state@-1: wait: threads 0-63: groups [] open {}
    cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
    // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
    Full.arrive_and_wait();
    // expect-state@-1: wait: threads 0-63: groups [] open {}
  }
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

// The barrier counts what the thread's own pipeline has issued.
KERNEL pipeline_to_barrier(const float *In) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  if (threadIdx.x == 0)
    init(&Full, 64);
  __syncthreads();
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
  auto Pipe = cuda::make_pipeline();
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Pipe);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  cuda::pipeline_producer_commit(Pipe, Full);
  // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  Full.arrive_and_wait();
  // expect-state@-1: wait: threads 0-63: groups [] open {}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

// A barrier that is not in shared memory counts nothing: the thread waits.
KERNEL barrier_elsewhere(const float *In,
                         cuda::barrier<cuda::thread_scope_device> *Far) {
  __shared__ float Tile[64];
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, *Far);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  // expect-state@-2: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}

// Bytes that come by bulk copies are not followed, their arrivals are.
KERNEL arrives_with_bytes(const float *In) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  if (threadIdx.x == 0)
    init(&Full, 64);
  __syncthreads();
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  auto Token = cuda::device::barrier_arrive_tx(Full, 1, 0);
  Full.wait(std::move(Token));
  // expect-state@-1: wait: threads 0-63: groups [] open {}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

// Two stages ahead; the wait leaves the newer one.
KERNEL stages(const float *In) {
  __shared__ float Tile[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> State;
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State);
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
  for (int Stage = 0; Stage < 2; ++Stage) {
    Pipe.producer_acquire();
    // expect-state@-1: wait: threads 0-63: groups [] open {}
    // expect-state@-2: wait: threads 0-63: groups [{Tile}] open {}
    cuda::memcpy_async(&Tile[Stage][threadIdx.x], &In[threadIdx.x], 4, Pipe);
    // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
    // expect-state@-2: copy: threads 0-63: groups [{Tile}] open {Tile}
    Pipe.producer_commit();
    // expect-state@-1: commit: threads 0-63: groups [{Tile}, {Tile}] open {}
    // expect-state@-2: commit: threads 0-63: groups [{Tile}] open {}
  }
  Pipe.consumer_wait();
  // expect-state@-1: wait: threads 0-63: groups [{Tile}] open {}
  Pipe.consumer_release();
  Pipe.consumer_wait();
  // expect-state@-1: wait: threads 0-63: groups [] open {}
  Pipe.consumer_release();
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

// Less than four bytes at a time is an ordinary copy, and so is one from shared
// memory.
KERNEL ordinary(const char *In, float *Out) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  cuda::memcpy_async(reinterpret_cast<char *>(&Tile[threadIdx.x]), In, 4, Full);
  cuda::memcpy_async(&Out[threadIdx.x], &Tile[threadIdx.x], 4, Full);
}
// expect-state@-1: exit: threads 0-63: groups [{}] open {}; reads {Tile}; stores {Tile}

// What the wait is for is not known.
KERNEL unknown_parity(const float *In, const bool *Parities) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  (void)Full.arrive();
  Full.wait_parity(Parities[threadIdx.x]);
  // expect-skipped@-1: what the barrier is given is not known
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

KERNEL unknown_size(const float *In, int Bytes) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  cuda::memcpy_async(Tile, In, Bytes, Full);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
}
// expect-state@-1: exit: threads 0-63: groups [{Tile}] open {}

// A function without its kernel: nothing is known of the pipeline.
template <class Pipeline>
__device__ void one_stage(Pipeline &Pipe, float *Tile, const float *In) {
  Pipe.producer_acquire();
  // expect-skipped@-1: 'cuda::pipeline<cuda::thread_scope_block>::producer_acquire' is not analysed yet
  cuda::memcpy_async(Tile, In, 4, Pipe);
  // expect-state@-1: copy: threads 0-127: groups [] open {Tile}
  Pipe.producer_commit();
  // expect-skipped@-1: 'cuda::pipeline<cuda::thread_scope_block>::producer_commit' is not analysed yet
}
// expect-state@-1: exit: threads 0-127: groups [] open {}
template __device__ void
one_stage(cuda::pipeline<cuda::thread_scope_block> &Pipe, float *Tile,
          const float *In);

// Waiting for a time is waiting.
template <class Duration>
__device__ void with_time(float *Tile, const float *In, Duration Time) {
  auto Pipe = cuda::make_pipeline();
  cuda::memcpy_async(Tile, In, 4, Pipe);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  Pipe.producer_commit();
  // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  Pipe.consumer_wait_for(Time);
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
  cuda::memcpy_async(Tile, In, 4, Pipe);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}; unordered copies {Tile}
  Pipe.producer_commit();
  // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}; unordered copies {Tile}
  Pipe.consumer_wait_until(Time);
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile*2}
}

KERNEL timed(const float *In) {
  __shared__ float Tile[64];
  __shared__ Barrier Full;
  with_time(&Tile[threadIdx.x], &In[threadIdx.x], 0);
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}; unordered copies {Tile*2}
  auto Token = Full.arrive();
  while (!Full.try_wait_for(std::move(Token), 0))
  // expect-state@-1: wait: threads 0-63: groups [] open {}
    ;
  cuda::memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4, Full);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  (void)Full.arrive();
  while (!Full.try_wait_parity_for(true, 0))
  // expect-state@-1: wait: threads 0-63: groups [] open {}
    ;
}
// expect-state@-1: exit: threads 0-63: groups [] open {}
