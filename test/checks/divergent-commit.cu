//===- divergent-commit.cu - Groups that differ by thread ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread has groups of its own. A commit or a wait that other threads ran
// covers none of this thread's copies. Every `_bad` kernel reads stale data on
// a GPU, every `_ok` kernel copies In to Out.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(128)

__device__ unsigned sharedAddress(const void *Pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(Pointer));
}
__device__ void copy4(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src)
      : "memory");
}
__device__ void copy16(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src)
      : "memory");
}
__device__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}
__device__ void barrierSync(int Id, int Count) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}

// Only the timing depends on this.
__device__ void lag() {
  const long long Start = clock64();
  while (clock64() - Start < 20000)
    ;
}
__device__ void waitAll() { asm volatile("cp.async.wait_all;\n" ::: "memory"); }

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

// Warps 1 and 3 copy too, but do not commit.
KERNEL branch_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  if (threadIdx.x / 32 % 2 == 0)
    commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here only by threads 0-31, 64-95
    // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
  waitGroup<0>();
  // expect-note@-1: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 32 reads 'Tile[32]' here
}

KERNEL branch_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// Warps 2 and 3 do not wait for their copies, which warps 0 and 1 read.
KERNEL wait_by_half_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const int Other = threadIdx.x ^ 64;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x],
  // expect-note@-1: copy issued here
                          sizeof(float4));
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x < 64)
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 0-63
    // expect-warning@-3{cpasync-divergent-commit}: wait is run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[First + Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[64]' here, copied by thread 64
}

KERNEL wait_by_half_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const int Other = threadIdx.x ^ 64;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x],
                          sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

// Lanes 0 to 15 commit once, lanes 16 to 31 twice.
KERNEL lanes_of_a_warp_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
    // expect-note@-2: committed here only by threads 0-15, 32-47, 64-79, 96-111
  } else {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    commit();
    // expect-note@-1: committed here only by threads 16-31, 48-63, 80-95, 112-127
    copy16(&Tile[1][threadIdx.x], &In[I]);
    commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here only by threads 16-31, 48-63, 80-95, 112-127
    // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some lanes of a warp that copies into 'Tile'
  }
  waitGroup<1>();
  // expect-note@-1: commit where all lanes of a warp have come together again
  // expect-note@-2: wait leaves up to 1 group in flight
  // expect-warning@-3{cpasync-warp-entanglement}: wait counts 3 groups of the warp, of which a thread committed only 1
  Out[I] = Tile[0][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0][0]' here
}

KERNEL lanes_of_a_warp_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    commit();
  } else {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    commit();
    copy16(&Tile[1][threadIdx.x], &In[I]);
    commit();
  }
  waitGroup<0>();
  Out[I] = Tile[0][threadIdx.x];
}

// Odd warps have one group, even warps two.
KERNEL warp_branches_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  if (threadIdx.x / 32 % 2 == 0) {
    copy16(&Tile[1][threadIdx.x], &In[I]);
    commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here only by threads 0-31, 64-95
    // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
  }
  waitGroup<1>();
  // expect-note@-1: wait leaves up to 1 group in flight
  Out[I] = Tile[0][threadIdx.x];
  // expect-note@-1: thread 32 reads 'Tile[0][32]' here
}

KERNEL warp_branches_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[I]);
  commit();
  if (threadIdx.x / 32 % 2 == 0) {
    copy16(&Tile[1][threadIdx.x], &In[I]);
  }
  commit();
  waitGroup<1>();
  Out[I] = Tile[0][threadIdx.x];
}

// Committed only by threads whose value is negative.
KERNEL data_dependent_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const float Seen = In[Base];
    copy4(&Tile[threadIdx.x], &In[Base + K * 128]);
    // expect-note@-1: copy issued here
    if (Seen < 0.0f)
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: taken when this condition is false
    // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the threads that copy into 'Tile'
      commit();
    waitGroup<0>();
    // expect-note@-1: wait for all groups is here
    Out[Base + K * 128] = Tile[threadIdx.x] * (Seen < 0.0f ? 0.0f : 1.0f);
    // expect-note@-1: thread 0 reads 'Tile[0]' here
  }
}

KERNEL data_dependent_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    const float Seen = In[Base];
    copy4(&Tile[threadIdx.x], &In[Base + K * 128]);
    commit();
    waitGroup<0>();
    Out[Base + K * 128] = Tile[threadIdx.x] * (Seen < 0.0f ? 0.0f : 1.0f);
  }
}

// In the last iteration only warp 0 commits.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    // expect-note@-1: copy issued here
    if (K + 1 < Tiles || threadIdx.x < 32)
    // expect-note@-1: taken when this condition is false
      commit();
      // expect-note@-1: all threads that copy must come to this commit
      // expect-note@-2: committed here only by threads 0-31
      // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
    waitGroup<0>();
    // expect-note@-1: wait for all groups is here
    Out[Base + K * 128] = Tile[threadIdx.x];
    // expect-note@-1: thread 32 reads 'Tile[32]' here
  }
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    commit();
    waitGroup<0>();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

// The first tile is committed by half of the warps.
KERNEL prologue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-note@-1: copy issued here
  if (threadIdx.x < 64)
    commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here only by threads 0-63
    // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<0>();
    // expect-note@-1: wait for all groups is here
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 64 reads 'Tile[0][64]' here
    if (K + 1 < Tiles)
      copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
  }
}

KERNEL prologue_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    if (K + 1 < Tiles)
      copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
  }
}

template <bool Leader> __device__ void commitBy() {
  if (!Leader || threadIdx.x / 32 == 0)
    commit();
}

// A commit for the leading warp only, hidden in a helper.
KERNEL wrapper_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commitBy<true>();
  // expect-note@-1: all threads that copy must come to this commit
  // expect-note@-2: committed here only by threads 0-31
  // expect-warning@-3{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
  waitGroup<0>();
  // expect-note@-1: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 32 reads 'Tile[32]' here
}

KERNEL wrapper_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commitBy<false>();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// Pred is a property of the thread, and guards the commit but not the copy.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K, bool Pred) {
    copy16(&Tile[K % 2][threadIdx.x], &In[Base + K * 128]);
    // expect-note@-1: copy issued here
    if (Pred)
      commit();
      // expect-note@-1: all threads that copy must come to this commit
      // expect-note@-2: committed here only by threads 0-95
      // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
  };
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch(K, threadIdx.x < 96);
    // expect-note@-1: 'Fetch' called here
    waitGroup<0>();
    // expect-note@-1: wait for all groups is here
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 96 reads 'Tile[0][96]' here
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K, bool Pred) {
    copy16(&Tile[K % 2][threadIdx.x], &In[Base + K * 128]);
    if (Pred)
      commit();
  };
  for (int K = 0; K < Tiles; ++K) {
    Fetch(K, threadIdx.x < 128);
    waitGroup<0>();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
}

// The commit is predicated on the warp.
KERNEL shared_address_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  float Value;
  asm volatile("{\n\t"
  // expect-note@-1: all threads that copy must come to this commit
  // expect-note@-2: committed here only by threads 32-63, 96-127
  // expect-note@-3: copy issued here
  // expect-note@-4: thread 0 reads 'Tile[0]' here
  // expect-note@-5: wait for all groups is here
  // expect-warning@-6{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "cp.async.ca.shared.global [%1], [%2], 4;\n\t"
               "@p cp.async.commit_group;\n\t"
               "cp.async.wait_group 0;\n\t"
               "ld.shared.f32 %0, [%1];\n\t"
               "}\n"
               : "=f"(Value)
               : "r"(Slot), "l"(In + I), "r"(threadIdx.x / 32 % 2)
               : "memory");
  Out[I] = Value;
}

KERNEL shared_address_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  float Value;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "cp.async.ca.shared.global [%1], [%2], 4;\n\t"
               "cp.async.commit_group;\n\t"
               "cp.async.wait_group 0;\n\t"
               "ld.shared.f32 %0, [%1];\n\t"
               "}\n"
               : "=f"(Value)
               : "r"(Slot), "l"(In + I), "r"(threadIdx.x / 32 % 2)
               : "memory");
  Out[I] = Value;
}

// Warp w commits 4 - w groups: warp 3 has none newer than the one it reads.
KERNEL trip_count_bad(const float *In, float *Out) {
  __shared__ float Tile[4][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32;
  for (int S = Warp; S < 4; ++S) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the first iteration of this loop
  // expect-note@-3: in the second iteration of this loop
    copy4(&Tile[S][threadIdx.x], &In[I]);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here
    // expect-note@-3: committed here only by threads 0-95
    // expect-warning@-4{cpasync-divergent-commit}: commit is run by only some of the warps that copy into 'Tile'
  }
  waitGroup<1>();
  // expect-note@-1: wait leaves up to 1 group in flight
  Out[I] = Tile[Warp][threadIdx.x];
  // expect-note@-1: thread 96 reads 'Tile[3][96]' here
}

KERNEL trip_count_ok(const float *In, float *Out) {
  __shared__ float Tile[4][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32;
  for (int S = Warp; S < 4; ++S) {
    copy4(&Tile[S][threadIdx.x], &In[I]);
    commit();
  }
  waitGroup<0>();
  Out[I] = Tile[Warp][threadIdx.x];
}

// Warp 3 leaves the loop's commit to the others.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    waitGroup<0>();
    // expect-note@-1: wait for all groups is here
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    // expect-note@-1: thread 96 reads 'Tile[1][96]' here
    Slot ^= 1;
    if (K + 1 < Tiles)
      copy16(&Tile[Slot][threadIdx.x], &In[Base + (K + 1) * 128]);
      // expect-note@-1: copy issued here
    if (threadIdx.x / 32 != 3)
      commit();
      // expect-note@-1: all threads that copy must come to this commit
      // expect-note@-2: committed here only by threads 0-95
      // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    Slot ^= 1;
    if (K + 1 < Tiles)
      copy16(&Tile[Slot][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
  }
}

#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::: "memory")
#define CP_ASYNC_WAIT(N)                                                       \
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory")

// Warps 2 and 3 do not wait; their tiles are read across the block.
KERNEL ring3_macro_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128;
  const int Other = 127 - threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128 + threadIdx.x]);
      // expect-note@-1: copy issued here
    CP_ASYNC_COMMIT();
    // expect-note@-1: committed here
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (threadIdx.x < 64)
      CP_ASYNC_WAIT(1);
      // expect-note@-1: all threads that copy must come to this wait
      // expect-note@-2: waited for here only by threads 0-63
      // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    __syncthreads();
    Out[Base + K * 128 + Other] = Tile[K % 3][Other];
    // expect-note@-1: thread 0 reads 'Tile[0][127]' here, copied by thread 127
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x],
             &In[Base + (K + 2) * 128 + threadIdx.x]);
    CP_ASYNC_COMMIT();
  }
}

KERNEL ring3_macro_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128;
  const int Other = 127 - threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128 + threadIdx.x]);
    CP_ASYNC_COMMIT();
  }
  for (int K = 0; K < Tiles; ++K) {
    CP_ASYNC_WAIT(1);
    __syncthreads();
    Out[Base + K * 128 + Other] = Tile[K % 3][Other];
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x],
             &In[Base + (K + 2) * 128 + threadIdx.x]);
    CP_ASYNC_COMMIT();
  }
}

// Warps 2 and 3 leave without having waited; warps 0 and 1 read their copies.
KERNEL early_return_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x >= 64)
    lag();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  if (threadIdx.x >= 64)
    return;
    // expect-note@-1: kernel left here by threads 64-127
  waitGroup<0>();
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-63
  // expect-warning@-3{cpasync-divergent-commit}: wait is run by only some of the warps that copy into 'Tile'
  barrierSync(1, 64);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  Out[First + 64 + threadIdx.x] = Tile[64 + threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[64]' here, copied by thread 64
}

KERNEL early_return_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x >= 64)
    lag();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  barrierSync(1, 128);
  if (threadIdx.x >= 64)
    return;
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  Out[First + 64 + threadIdx.x] = Tile[64 + threadIdx.x];
}

// Warp 3 goes on to the next tile without having waited for this one.
KERNEL early_continue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __syncthreads();
    if (threadIdx.x >= 96)
      lag();
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
    if (threadIdx.x >= 96)
      continue;
      // expect-note@-1: iteration left here by threads 96-127
    waitGroup<0>();
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 0-95
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    barrierSync(1, 96);
    for (int C = threadIdx.x; C < 128; C += 96)
      Out[Base + K * 128 + C] = Tile[C];
      // expect-note@-1: thread 0 reads 'Tile[96]' here, copied by thread 96
  }
}

KERNEL early_continue_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  for (int K = 0; K < Tiles; ++K) {
    __syncthreads();
    if (threadIdx.x >= 96)
      lag();
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    waitGroup<0>();
    barrierSync(1, 128);
    if (threadIdx.x >= 96)
      continue;
    for (int C = threadIdx.x; C < 128; C += 96)
      Out[Base + K * 128 + C] = Tile[C];
  }
}

// A warp commits only if one of its results is full.
KERNEL warp_vote_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const bool Full = __any_sync(0xffffffff, Out[I] == 1.0f);
  copy4(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  if (Full)
  // expect-note@-1: all threads that copy must come to this commit
  // expect-note@-2: taken when this condition is false
  // expect-warning@-3{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
    commit();
  waitGroup<0>();
  // expect-note@-1: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL warp_vote_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const bool Full = __any_sync(0xffffffff, Out[I] == 1.0f);
  copy4(&Tile[threadIdx.x], &In[I]);
  if (Full)
    commit();
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// Copy, commit and wait belong to the same warp; a barrier publishes.
KERNEL copying_warp_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32) {
    for (int C = threadIdx.x; C < 128; C += 32)
      copy16(&Tile[C], &In[First + C]);
    commit();
    waitGroup<0>();
  }
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// The copy is divergent, the commit is not.
KERNEL masked_copy_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x % 2 == 0) {
    copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
    copy16(&Tile[threadIdx.x + 1], &In[First + threadIdx.x + 1]);
  }
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// One commit on either side of the branch.
KERNEL both_branches_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x < 64) {
    copy16(&Tile[threadIdx.x], &In[I]);
    commit();
  } else {
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
    __pipeline_commit();
  }
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// wait_all makes up for the missing commits.
KERNEL wait_all_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  if (threadIdx.x < 64)
    commit();
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

// blockIdx is the same for every thread of the block.
KERNEL uniform_condition_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    if (blockIdx.x % 2 == 0) {
      commit();
      waitGroup<0>();
    } else {
      waitAll();
    }
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

// A group divides a copy among its threads: those who do not come leave out
// their part.
KERNEL shared_copy_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const cg::thread_block Block = cg::this_thread_block();
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128;
    if (threadIdx.x < 32)
      cg::memcpy_async(Block, Tile, In + Base, sizeof(Tile));
      // expect-note@-1: all threads of the group must come to this copy, or a group of those that do must share it
      // expect-note@-2: thread 32 shares it and does not run it
      // expect-warning@-3{cpasync-divergent-commit}: copy into 'Tile' that 128 threads share may be run by 32 of them
    cg::wait(Block);
    Out[Base + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}

KERNEL shared_copy_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const cg::thread_block Block = cg::this_thread_block();
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128;
    cg::memcpy_async(Block, Tile, In + Base, sizeof(Tile));
    cg::wait(Block);
    Out[Base + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}

// Half of each warp.
KERNEL shared_by_tiles_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[4][32];
  const auto Warp = cg::tiled_partition<32>(cg::this_thread_block());
  float4 *Mine = Tile[threadIdx.x / 32];
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128 + threadIdx.x / 32 * 32;
    if (Warp.thread_rank() < 16)
      cg::memcpy_async(Warp, Mine, In + Base, sizeof(Tile[0]));
      // expect-note@-1: all threads of the group must come to this copy, or a group of those that do must share it
      // expect-note@-2: thread 16 shares it and does not run it
      // expect-warning@-3{cpasync-divergent-commit}: copy into 'Tile' that 32 threads share may be run by 16 of them
    cg::wait(Warp);
    Out[Base + Warp.thread_rank()] = Mine[Warp.thread_rank()];
    Warp.sync();
  }
}

// Tiles of 16 threads, of which every second one copies for two.
KERNEL shared_by_tiles_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[4][32];
  const cg::thread_block Block = cg::this_thread_block();
  const auto Half = cg::tiled_partition<16>(Block);
  float4 *Mine = Tile[threadIdx.x / 32];
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128 + threadIdx.x / 32 * 32;
    if (Half.meta_group_rank() % 2 == 0)
      cg::memcpy_async(Half, Mine, In + Base, sizeof(Tile[0]));
    cg::wait(Half);
    Block.sync();
    Out[Base + threadIdx.x % 32] = Mine[threadIdx.x % 32];
    Block.sync();
  }
}

// The same copy of libcu++, which a pipeline of each thread completes.
KERNEL shared_by_pipeline_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const cg::thread_block Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline();
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128;
    if (threadIdx.x >= 32)
      cuda::memcpy_async(Block, Tile, In + Base,
      // expect-note@-1: all threads of the group must come to this copy, or a group of those that do must share it
      // expect-note@-2: thread 0 shares it and does not run it
      // expect-warning@-3{cpasync-divergent-commit}: copy into 'Tile' that 128 threads share may be run by 96 of them
                         cuda::aligned_size_t<16>(sizeof(Tile)), Pipe);
    Pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(Pipe);
    Block.sync();
    Out[Base + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}

KERNEL shared_by_pipeline_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const cg::thread_block Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline();
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128;
    cuda::memcpy_async(Block, Tile, In + Base,
                       cuda::aligned_size_t<16>(sizeof(Tile)), Pipe);
    Pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(Pipe);
    Block.sync();
    Out[Base + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(branch, Stale), TWINS(wait_by_half, Stale),
          TWINS(lanes_of_a_warp, Stale), TWINS(warp_branches, Stale),
          TWINS(data_dependent, Stale), TWINS(loop_tail, Stale),
          TWINS(prologue, Stale), TWINS(wrapper, Stale), TWINS(lambda, Stale),
          TWINS(shared_address, Stale), TWINS(trip_count, Stale),
          TWINS(ring2, Stale), TWINS(ring3_macro, Stale),
          TWINS(early_return, Stale), TWINS(early_continue, Stale),
          TWINS(warp_vote, Stale), TWINS(shared_copy, Stale),
          TWINS(shared_by_tiles, Stale), TWINS(shared_by_pipeline, Stale),
          OK(copying_warp_ok), OK(masked_copy_ok), OK(both_branches_ok),
          OK(wait_all_ok), OK(uniform_condition_ok))
#endif
