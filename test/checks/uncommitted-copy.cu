//===- uncommitted-copy.cu - Copies that no commit covers ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait covers committed groups only. Every `_bad` kernel reads stale data on
// a GPU, every `_ok` kernel copies In to Out; test/gpu/run shows both.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

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
__device__ void waitAll() { asm volatile("cp.async.wait_all;\n" ::: "memory"); }

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

// No commit at all: wait_group 0 has no group to wait for.
KERNEL straight_line_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
  waitGroup<0>();
  // expect-note@-1: commit the copy: insert 'commit();'
  // expect-note@-2: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL straight_line_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// Committed only when Flag is set.
KERNEL branch_bad(const float *In, float *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[threadIdx.x], &In[I]);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
  if (Flag)
  // expect-note@-1: taken when this condition is false
    commit();
  waitGroup<0>();
  // expect-note@-1: commit the copy: insert 'commit();'
  // expect-note@-2: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL branch_ok(const float *In, float *Out, bool Flag) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// The else branch forgets the commit.
KERNEL else_branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (Flag) {
  // expect-note@-1: taken when this condition is false
    copy16(&Tile[0][threadIdx.x], &In[I]);
    commit();
    copy16(&Tile[1][threadIdx.x], &In[I]);
    commit();
  } else {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
  }
  waitGroup<0>();
  // expect-note@-1: commit the copy: insert 'commit();'
  // expect-note@-2: wait for all groups is here
  Out[I] = Tile[0][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0][0]' here
}

KERNEL else_branch_ok(const float4 *In, float4 *Out, bool Flag) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (Flag) {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    commit();
    copy16(&Tile[1][threadIdx.x], &In[I]);
    commit();
  } else {
    copy16(&Tile[0][threadIdx.x], &In[I]);
    commit();
  }
  waitGroup<0>();
  Out[I] = Tile[0][threadIdx.x];
}

// The last copy is not committed.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
    if (K + 1 < Tiles)
    // expect-note@-1: taken when this condition is false
      commit();
    waitGroup<0>();
    // expect-note@-1: commit the copy: insert 'commit();'
    // expect-note@-2: wait for all groups is here
    Out[Base + K * 128] = Tile[threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
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

// The first tile is not committed before the first wait.
KERNEL prologue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<0>();
    // expect-note@-1: commit the copy: insert 'commit();'
    // expect-note@-2: wait for all groups is here
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
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

template <bool Commit> __device__ void stage(void *Dst, const void *Src) {
  copy16(Dst, Src);
  if constexpr (Commit)
    commit();
}

// This instantiation of stage() does not commit.
KERNEL wrapper_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  stage<false>(&Tile[threadIdx.x], &In[I]);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
  waitGroup<0>();
  // expect-note@-1: commit the copy: insert 'commit();'
  // expect-note@-2: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL wrapper_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  stage<true>(&Tile[threadIdx.x], &In[I]);
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// Fetch commits only when More is set, and it is not for the last tile.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K, bool More) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
    if (More)
    // expect-note@-1: taken when this condition is false
      commit();
  };
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch(K, K < Tiles - 1);
    // expect-note@-1: 'Fetch' called here
    waitGroup<0>();
    // expect-note@-1: commit the copy: insert 'commit();'
    // expect-note@-2: wait for all groups is here
    Out[Base + K * 128] = Tile[threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0]' here
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K, bool More) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    if (More)
      commit();
  };
  for (int K = 0; K < Tiles; ++K) {
    Fetch(K, true);
    waitGroup<0>();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

// One asm statement, addresses as 32-bit numbers, and no commit.
KERNEL shared_address_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  float Value;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\t"
  // expect-note@-1: a commit belongs between the copy in line +0 and this wait
  // expect-note@-2: wait for all groups is here
  // expect-warning@-3{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
               "cp.async.wait_group 0;\n" ::"r"(Slot),
               "l"(In + I)
               : "memory");
  asm volatile("ld.shared.f32 %0, [%1];\n"
  // expect-note@-1: thread 0 reads 'Tile[0]' here
               : "=f"(Value)
               : "r"(Slot)
               : "memory");
  Out[I] = Value;
}

KERNEL shared_address_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  float Value;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\t"
               "cp.async.commit_group;\n\t"
               "cp.async.wait_group 0;\n" ::"r"(Slot),
               "l"(In + I)
               : "memory");
  asm volatile("ld.shared.f32 %0, [%1];\n"
               : "=f"(Value)
               : "r"(Slot)
               : "memory");
  Out[I] = Value;
}

// The refill is never committed.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], 16);
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    __pipeline_wait_prior(0);
    // expect-note@-1: commit the copy: insert '__pipeline_commit();'
    // expect-note@-2: wait for all groups is here
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[1][0]' here
    Slot ^= 1;
    if (K + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[Slot][threadIdx.x],
      // expect-note@-1: copy issued here
      // expect-warning@-2{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
                              &In[Base + (K + 1) * 128], 16);
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], 16);
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    Slot ^= 1;
    if (K + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[Slot][threadIdx.x],
                              &In[Base + (K + 1) * 128], 16);
    __pipeline_commit();
  }
}

#define CP_ASYNC_CG(Dst, Src)                                                  \
  asm volatile(                                                                \
      "cp.async.cg.shared::cta.global.L2::128B [%0], [%1], 16;\n" ::"r"(       \
          sharedAddress(Dst)),                                                 \
      "l"(Src))
#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))

// The guard of the commit is one iteration short: the last refill misses it.
KERNEL ring3_macro_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2 && S < Tiles; ++S)
    CP_ASYNC_CG(&Tile[S][threadIdx.x], &In[Base + S * 128]);
  CP_ASYNC_COMMIT();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 2
    CP_ASYNC_WAIT(0);
    // expect-note@-1: commit the copy: insert 'CP_ASYNC_COMMIT();'
    // expect-note@-2: wait for all groups is here
    __syncthreads();
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[2][0]' here
    if (K + 2 < Tiles)
      CP_ASYNC_CG(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
      // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
    if (K + 3 < Tiles)
    // expect-note@-1: taken when this condition is false
      CP_ASYNC_COMMIT();
  }
}

KERNEL ring3_macro_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2 && S < Tiles; ++S)
    CP_ASYNC_CG(&Tile[S][threadIdx.x], &In[Base + S * 128]);
  CP_ASYNC_COMMIT();
  for (int K = 0; K < Tiles; ++K) {
    CP_ASYNC_WAIT(0);
    __syncthreads();
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    if (K + 2 < Tiles)
      CP_ASYNC_CG(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    CP_ASYNC_COMMIT();
  }
}

// The refill is never committed; its tile is read three iterations later.
KERNEL ring4_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  __shared__ float4 Tile[4][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 3; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 3
    waitGroup<0>();
    // expect-note@-1: commit the copy: insert 'commit();'
    // expect-note@-2: wait for all groups is here
    Out[Base + K * 128] = Tile[K & 3][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[3][0]' here
    if (K + 3 < Tiles)
      copy16(&Tile[(K + 3) & 3][threadIdx.x], &In[Base + (K + 3) * 128]);
      // expect-note@-1: copy issued here
      // expect-warning@-2{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
  }
}

KERNEL ring4_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[4][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 3; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    Out[Base + K * 128] = Tile[K & 3][threadIdx.x];
    if (K + 3 < Tiles)
      copy16(&Tile[(K + 3) & 3][threadIdx.x], &In[Base + (K + 3) * 128]);
    commit();
  }
}

// __pipeline_wait_prior waits for committed batches only.
KERNEL pipeline_api_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], sizeof(float));
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
  __pipeline_wait_prior(0);
  // expect-note@-1: commit the copy: insert 'commit();'
  // expect-note@-2: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL pipeline_api_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

// The barrier is in place, the commit is not.
KERNEL other_thread_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const int Other = 127 - threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
  waitGroup<0>();
  // expect-note@-1: commit the copy: insert '__pipeline_commit();'
  // expect-note@-2: wait for all groups is here
  __syncthreads();
  Out[First + Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

KERNEL other_thread_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const int Other = 127 - threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// wait_all also completes what is in no group.
KERNEL wait_all_without_commit_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

// One commit closes a group of both copies; the wait between them is idle.
KERNEL later_commit_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float4 *Slot = &Tile[threadIdx.x];
  __pipeline_memcpy_async(&Slot->x, &In[I].x, 8);
  waitGroup<0>();
  __pipeline_memcpy_async(&Slot->z, &In[I].z, 8);
  __pipeline_commit();
  waitGroup<0>();
  Out[I] = *Slot;
}

// Whenever the copy is issued, it is committed and read.
KERNEL same_condition_ok(const float *In, float *Out, bool Flag) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (!Flag)
    copy4(&Tile[threadIdx.x], &In[I]);
  if (!Flag)
    commit();
  waitGroup<0>();
  Out[I] = Flag ? In[I] : Tile[threadIdx.x];
}

__device__ void publish() { __pipeline_commit(); }

KERNEL commit_in_callee_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  publish();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// The last prefetch is in no group, and nothing reads it.
KERNEL dead_copy_at_exit_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  for (int K = 0; K < Tiles; ++K) {
    commit();
    waitGroup<0>();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    const int Next = K + 1 < Tiles ? K + 1 : K;
    copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + Next * 128]);
  }
}

// Empty groups in the tail keep the constant count right.
KERNEL empty_commits_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<1>();
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(straight_line, Stale), TWINS(branch, Stale),
          TWINS(else_branch, Stale), TWINS(loop_tail, Stale),
          TWINS(prologue, Stale), TWINS(wrapper, Stale), TWINS(lambda, Stale),
          TWINS(shared_address, Stale), TWINS(ring2, Stale),
          TWINS(ring3_macro, Stale), TWINS(ring4, Stale),
          TWINS(pipeline_api, Stale), TWINS(other_thread, Stale),
          OK(wait_all_without_commit_ok), OK(later_commit_ok),
          OK(same_condition_ok), OK(commit_in_callee_ok),
          OK(dead_copy_at_exit_ok), OK(empty_commits_ok))
#endif
