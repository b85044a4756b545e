//===- mismatched-phase.cu - Phases that do not add up ---------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel copies In to Out, 2,048 bytes a block and tile, in bulk mostly.
// The phases of a `_bad` one wait for arrivals or bytes that never come, or for
// fewer than come. PTX ISA, "mbarrier: Phase completion". A wait that would
// hang stops the kernel.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}

__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ bool tryWait(uint64_t *B, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}\n"
               : "=r"(Done)
               : "r"(toShared(B)), "r"(Parity)
               : "memory");
  return Done;
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
// A wait that hangs stops the kernel.
__device__ void wait(uint64_t *B, uint32_t Parity) {
  for (int Tries = 0; !tryWait(B, Parity); ++Tries)
    if (Tries == 1 << 16)
      __trap();
}
#define KERNEL __global__ void __launch_bounds__(128)

// Bytes of two tiles are announced, one is copied.
KERNEL bytes_twice_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, 2 * sizeof(Tile));
    // expect-note@-1: bytes of the phase announced here
    load(Tile, &In[First], sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
  }
  wait(&Full, 0);
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here never completes: 2048 bytes more announced than copied
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL bytes_twice_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// The number of elements is announced, not that of bytes.
KERNEL elements_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, 128);
    // expect-note@-1: bytes of the phase announced here
    load(Tile, &In[First], sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
  }
  wait(&Full, 0);
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here never completes: 1920 bytes more copied than announced
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL elements_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, 128 * sizeof(float4));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// Every thread announces the bytes of the one copy.
KERNEL announced_by_all_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 128);
    // expect-note@-1: 'Full' initialised here, a phase expects 128 arrivals
  __syncthreads();
  arriveAndExpect(&Full, sizeof(Tile));
  // expect-note@-1: bytes of the phase announced here
  if (threadIdx.x == 0)
    load(Tile, &In[First], sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
  wait(&Full, 0);
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here never completes: 260096 bytes more announced than copied
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL announced_by_all_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 0)
    initBarrier(&Full, 128);
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  } else {
    arrive(&Full);
  }
  wait(&Full, 0);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// Three warps read, and their first lanes release the slots.
__device__ void consume(float4 (*Slot)[128], uint64_t *Full, uint64_t *Empty,
                        float4 *Out, int Tiles) {
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    wait(&Full[T % 2], T / 2 & 1);
    for (int I = threadIdx.x; I < 128; I += 96)
      Out[T * 128 + I] = Slot[T % 2][I];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      arrive(&Empty[T % 2]);
      // expect-note@-1: arrived at 'Empty' here
  }
}

// As many arrivals as threads, where one lane of each warp arrives.
KERNEL lanes_for_warps_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ alignas(128) float4 Slot[2][128];
  __shared__ uint64_t Full[2], Empty[2];
  const int First = blockIdx.x * Tiles * 128, Warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 1
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 96);
      // expect-note@-1: 'Empty' initialised here, a phase expects 96 arrivals
    }
  __syncthreads();
  if (Warp == 3) {
    if (threadIdx.x % 32 == 0)
      for (int T = 0; T < Tiles; ++T) {
      // expect-note@-1: in the iteration of this loop with T = 2
        wait(&Empty[T % 2], (T / 2 & 1) ^ 1);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 3 of 96 arrivals came
        arriveAndExpect(&Full[T % 2], sizeof(Slot[0]));
        load(Slot[T % 2], &In[First + T * 128], sizeof(Slot[0]), &Full[T % 2]);
      }
    return;
  }
  consume(Slot, Full, Empty, Out + First, Tiles);
  // expect-note@-1: 'consume' called here
}
KERNEL lanes_for_warps_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Slot[2][128];
  __shared__ uint64_t Full[2], Empty[2];
  const int First = blockIdx.x * Tiles * 128, Warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 3);
    }
  __syncthreads();
  if (Warp == 3) {
    if (threadIdx.x % 32 == 0)
      for (int T = 0; T < Tiles; ++T) {
        wait(&Empty[T % 2], (T / 2 & 1) ^ 1);
        arriveAndExpect(&Full[T % 2], sizeof(Slot[0]));
        load(Slot[T % 2], &In[First + T * 128], sizeof(Slot[0]), &Full[T % 2]);
      }
    return;
  }
  consume(Slot, Full, Empty, Out + First, Tiles);
}

// The producer waits for the first release of slots that are free.
KERNEL first_release_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ alignas(128) float4 Slot[2][128];
  __shared__ uint64_t Full[2], Empty[2];
  const int First = blockIdx.x * Tiles * 128, Warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 1
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 3);
      // expect-note@-1: 'Empty' initialised here, a phase expects 3 arrivals
    }
  __syncthreads();
  if (Warp == 3) {
    if (threadIdx.x % 32 == 0)
      for (int T = 0; T < Tiles; ++T) {
      // expect-note@-1: in the iteration of this loop with T = 0
        wait(&Empty[T % 2], T / 2 & 1);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 3 arrivals came
        arriveAndExpect(&Full[T % 2], sizeof(Slot[0]));
        load(Slot[T % 2], &In[First + T * 128], sizeof(Slot[0]), &Full[T % 2]);
      }
    return;
  }
  consume(Slot, Full, Empty, Out + First, Tiles);
}
KERNEL first_release_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Slot[2][128];
  __shared__ uint64_t Full[2], Empty[2];
  const int First = blockIdx.x * Tiles * 128, Warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 3);
    }
  __syncthreads();
  if (Warp == 3) {
    if (threadIdx.x % 32 == 0)
      for (int T = 0; T < Tiles; ++T) {
        wait(&Empty[T % 2], (T / 2 & 1) ^ 1);
        arriveAndExpect(&Full[T % 2], sizeof(Slot[0]));
        load(Slot[T % 2], &In[First + T * 128], sizeof(Slot[0]), &Full[T % 2]);
      }
    return;
  }
  consume(Slot, Full, Empty, Out + First, Tiles);
}

// Nothing makes the others wait for the initialisation.
KERNEL used_at_once_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 96) {
    __nanosleep(4096); // however late
    initBarrier(&Full, 129);
    // expect-note@-1: 'Full' initialised here, a phase expects 129 arrivals
  }
  if (threadIdx.x == 96) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  arrive(&Full);
  // expect-note@-1: a barrier belongs between the initialisation in line -6 and this use
  // expect-warning@-2{cpasync-mismatched-phase}: 'Full' may be used by thread 0 before thread 96 has initialised it
  wait(&Full, 0);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL used_at_once_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 96) {
    __nanosleep(4096); // however late
    initBarrier(&Full, 129);
  }
  __syncthreads();
  if (threadIdx.x == 96) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, &In[First], sizeof(Tile), &Full);
  }
  arrive(&Full);
  wait(&Full, 0);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// The barrier with a number is of all threads of the block, of which one warp
// never comes: it watches the others, so that they do not hang for ever.
__device__ void watch(volatile int *IsDone) {
  const long long Start = clock64();
  while (!*IsDone)
  // expect-note@-1: loop skipped here
    if (clock64() - Start > 1ll << 28)
      __trap();
}
__device__ void copy(float4 *To, const float4 *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(toShared(To)),
               "l"(From)
               : "memory");
}
KERNEL barrier_of_block_bad(const float4 *In, float4 *Out) {
// expect-note@-1: with *IsDone = 1
  __shared__ float4 Tile[128];
  __shared__ volatile int IsDone;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 96)
    IsDone = 0;
  __syncthreads();
  if (threadIdx.x >= 96)
    return watch(&IsDone);
    // expect-note@-1: 'watch' called here
  for (int I = threadIdx.x; I < 128; I += 96)
    copy(&Tile[I], &In[First + I]);
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
  // expect-note@-1: barrier reached here only by threads 0-95
  // expect-note@-2: give the barrier as many threads as come to it, in whole warps
  // expect-warning@-3{cpasync-mismatched-phase}: barrier 1 waited for here may never complete: 96 of 128 threads came
  for (int I = threadIdx.x; I < 128; I += 96)
    Out[First + I] = Tile[I];
  IsDone = 1;
}
KERNEL barrier_of_block_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  __shared__ volatile int IsDone;
  const int First = blockIdx.x * 128;
  if (threadIdx.x == 96)
    IsDone = 0;
  __syncthreads();
  if (threadIdx.x >= 96)
    return watch(&IsDone);
  for (int I = threadIdx.x; I < 128; I += 96)
    copy(&Tile[I], &In[First + I]);
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("bar.sync 1, 96;" ::: "memory");
  for (int I = threadIdx.x; I < 128; I += 96)
    Out[First + I] = Tile[I];
  IsDone = 1;
}

// Each of two warps has a pipeline of one stage, which is acquired again before
// it is given back.
using OneStage = cuda::pipeline_shared_state<cuda::thread_scope_block, 1>;
KERNEL stage_kept_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Slot[2][32];
  __shared__ OneStage Of[2];
  __shared__ volatile int IsDone[2];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int First = blockIdx.x * 128 + Warp * 64;
  if (threadIdx.x < 2)
    IsDone[threadIdx.x] = 0;
  __syncthreads();
  if (Warp >= 2) {
    watch(&IsDone[0]);
    return watch(&IsDone[1]);
    // expect-note@-1: 'watch' called here
  }
  const auto Lanes = cg::tiled_partition<32>(cg::this_thread_block());
  auto Pipe = cuda::make_pipeline(Lanes, &Of[Warp]);
  auto Submit = [&](const float4 *From) {
    Pipe.producer_acquire();
    // expect-note@-1: a stage must be released before it is acquired again
    // expect-warning@-2{cpasync-mismatched-phase}: stage of 'Of' acquired here may never be free: 0 of 32 threads released it
    cuda::memcpy_async(&Slot[Warp][Lane], From, cuda::aligned_size_t<16>(16),
                       Pipe);
    Pipe.producer_commit();
  };
  Submit(&In[First + Lane]);
  Pipe.consumer_wait();
  Out[First + 31 - Lane] = Slot[Warp][31 - Lane];
  Submit(&In[First + 32 + Lane]);
  // expect-note@-1: 'Submit' called here
  Pipe.consumer_release();
  Pipe.consumer_wait();
  Out[First + 63 - Lane] = Slot[Warp][31 - Lane];
  Pipe.consumer_release();
  IsDone[Warp] = 1;
}
KERNEL stage_kept_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Slot[2][32];
  __shared__ OneStage Of[2];
  __shared__ volatile int IsDone[2];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int First = blockIdx.x * 128 + Warp * 64;
  if (threadIdx.x < 2)
    IsDone[threadIdx.x] = 0;
  __syncthreads();
  if (Warp >= 2) {
    watch(&IsDone[0]);
    return watch(&IsDone[1]);
  }
  const auto Lanes = cg::tiled_partition<32>(cg::this_thread_block());
  auto Pipe = cuda::make_pipeline(Lanes, &Of[Warp]);
  auto Submit = [&](const float4 *From) {
    Pipe.producer_acquire();
    cuda::memcpy_async(&Slot[Warp][Lane], From, cuda::aligned_size_t<16>(16),
                       Pipe);
    Pipe.producer_commit();
  };
  Submit(&In[First + Lane]);
  Pipe.consumer_wait();
  Out[First + 31 - Lane] = Slot[Warp][31 - Lane];
  Pipe.consumer_release();
  Submit(&In[First + 32 + Lane]);
  Pipe.consumer_wait();
  Out[First + 63 - Lane] = Slot[Warp][31 - Lane];
  Pipe.consumer_release();
  IsDone[Warp] = 1;
}

// There is room for 2048 elements, and a row has as many as the host says: each
// thread asks which of them are its own.
template <bool IsWhole>
__device__ void readRow(const float *In, float *Out, int Length) {
  __shared__ alignas(128) float Row[2048];
  __shared__ uint64_t Full;
  const float *From = In + blockIdx.x * Length;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, IsWhole ? sizeof(Row) : Length * sizeof(float));
    // expect-note@-1: bytes of the phase announced here
    load(Row, From, Length * sizeof(float), &Full);
    // expect-note@-1: copy issued here
  }
  wait(&Full, 0);
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: at least 512 bytes more announced than copied
  for (int I = threadIdx.x; I < Length; I += 128)
    Out[blockIdx.x * Length + I] = Row[I];
}
KERNEL room_for_row_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  readRow<true>(In, Out, Tiles * 128);
  // expect-note@-1: 'readRow' called here
}
KERNEL room_for_row_ok(const float *In, float *Out, int Tiles) {
  readRow<false>(In, Out, Tiles * 128);
}

// Two groups of 64 threads read what their other warp has copied. At one barrier
// of 64 for both, the first warps of the groups let each other pass.
__device__ void copyLate(float *To, const float *From) {
  if (threadIdx.x / 32 % 2)
    __nanosleep(20000);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(toShared(To)),
               "l"(From)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
}
KERNEL groups_at_one_barrier_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Base = blockIdx.x * 128;
  copyLate(&Tile[T], &In[Base + T]);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  // expect-note@-1: barrier reached here by threads 0-127
  // expect-note@-2: give the barrier as many threads as come to it, in whole warps
  // expect-warning@-3{cpasync-mismatched-phase}: 128 threads at once at barrier 1 that waits for 64
  Out[Base + (T ^ 63)] = Tile[T ^ 63];
}
KERNEL groups_at_one_barrier_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Base = blockIdx.x * 128;
  copyLate(&Tile[T], &In[Base + T]);
  asm volatile("bar.sync %0, 64;" ::"r"(1 + T / 64) : "memory");
  Out[Base + (T ^ 63)] = Tile[T ^ 63];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(bytes_twice, Trap), TWINS(elements, Trap),
          TWINS(announced_by_all, Trap), TWINS(lanes_for_warps, Trap),
          TWINS(first_release, Trap), TWINS(used_at_once, Trap),
          TWINS(barrier_of_block, Trap), TWINS(stage_kept, Trap),
          TWINS(room_for_row, Trap), TWINS(groups_at_one_barrier, Stale))
#endif
