//===- unwaited-read.cu - Reads that no wait precedes ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A committed copy is complete only after a wait; a barrier does not complete
// it. A slot that the loop fills later holds nothing before. Every `_bad`
// kernel reads stale data on a GPU, every `_ok` kernel copies In to Out.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cuda/barrier>
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
__device__ void bulkStore(void *Dst, const void *Src, int Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
               "cp.async.bulk.commit_group;\n"
               "cp.async.bulk.wait_group 0;\n" ::"l"(Dst),
               "r"(sharedAddress(Src)), "r"(Bytes)
               : "memory");
}
__device__ void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

// Committed, never waited for.
KERNEL straight_line_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL straight_line_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// A barrier orders threads, it does not complete copies.
KERNEL barrier_only_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const int Other = (threadIdx.x + 64) % 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'waitGroup<0>();'
  Out[First + Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[64]' here, copied by thread 64
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL barrier_only_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const int Other = (threadIdx.x + 64) % 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

// The wait is skipped when Flag is not set.
KERNEL branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  if (Flag)
  // expect-note@-1: taken when this condition is false
    waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

KERNEL branch_ok(const float4 *In, float4 *Out, bool Flag) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// The last tile is read after the loop, with no wait after its copy.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K + 1 < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: loop run for 1 iteration
    waitGroup<0>();
    copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + (K + 1) * 128]);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
  const int Last = Tiles - 1;
  Out[Base + Last * 128] = Tile[Last % 2][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[1][0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-skipped@-3: address of a read of 'Tile' is not known while copies into it are in flight
  // expect-warning@-4{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K + 1 < Tiles; ++K) {
    waitGroup<0>();
    copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
  waitAll();
  const int Last = Tiles - 1;
  Out[Base + Last * 128] = Tile[Last % 2][threadIdx.x];
}

// The first iteration does not wait for the copy of the prologue.
KERNEL prologue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K > 0)
      waitGroup<0>();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
    // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
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

template <bool Wait> __device__ void load(float4 *Dst, const float4 *Src) {
  copy16(Dst, Src);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  if constexpr (Wait)
    waitGroup<0>();
}

// This instantiation of load() returns with the copy in flight.
KERNEL wrapper_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  load<false>(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: 'load' called here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL wrapper_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  load<true>(&Tile[threadIdx.x], &In[I]);
  Out[I] = Tile[threadIdx.x];
}

// Use reads the tile that Fetch has just asked for.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K) {
    copy16(&Tile[K & 1][threadIdx.x], &In[Base + K * 128]);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
  };
  auto Use = [&](int K) { Out[Base + K * 128] = Tile[K & 1][threadIdx.x]; };
  // expect-note@-1: thread 0 reads 'Tile[0][0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch(K);
    // expect-note@-1: 'Fetch' called here
    Use(K);
    // expect-note@-1: 'Use' called here
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K) {
    copy16(&Tile[K & 1][threadIdx.x], &In[Base + K * 128]);
    commit();
  };
  auto Use = [&](int K) { Out[Base + K * 128] = Tile[K & 1][threadIdx.x]; };
  for (int K = 0; K < Tiles; ++K) {
    Fetch(K);
    waitGroup<0>();
    Use(K);
  }
}

// Addresses as 32-bit numbers, read by ld.shared.
KERNEL shared_address_bad(const float *In, float *Out) {
  __shared__ float Tile[4][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + 3 * 128 * 4 + threadIdx.x * 4;
  float Value;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\t"
  // expect-note@-1: committed here
  // expect-note@-2: copy issued here
               "cp.async.commit_group;\n" ::"r"(Slot),
               "l"(In + I)
               : "memory");
  asm volatile("ld.shared.f32 %0, [%1];\n"
  // expect-note@-1: thread 0 reads 'Tile[3][0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
               : "=f"(Value)
               : "r"(Slot)
               : "memory");
  Out[I] = Value;
}

KERNEL shared_address_ok(const float *In, float *Out) {
  __shared__ float Tile[4][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + 3 * 128 * 4 + threadIdx.x * 4;
  float Value;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\t"
               "cp.async.commit_group;\n" ::"r"(Slot),
               "l"(In + I)
               : "memory");
  asm volatile("cp.async.wait_group 0;\n" ::: "memory");
  asm volatile("ld.shared.f32 %0, [%1];\n"
               : "=f"(Value)
               : "r"(Slot)
               : "memory");
  Out[I] = Value;
}

// ldmatrix reads rows that other lanes copied; the barrier alone is no wait.
KERNEL ldmatrix_bad(const float4 *In, float *Out) {
  __shared__ float4 Tile[128];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  __syncthreads();
  unsigned R[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'asm volatile("cp.async.wait_group 0;\n" ::: "memory");'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(sharedAddress(&Tile[threadIdx.x]))
               : "memory");
  for (int M = 0; M < 4; ++M) {
    const int Row = First + Warp * 32 + M * 8 + Lane / 4;
    Out[Row * 4 + Lane % 4] = __uint_as_float(R[M]);
  }
}

KERNEL ldmatrix_ok(const float4 *In, float *Out) {
  __shared__ float4 Tile[128];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  unsigned R[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(sharedAddress(&Tile[threadIdx.x]))
               : "memory");
  for (int M = 0; M < 4; ++M) {
    const int Row = First + Warp * 32 + M * 8 + Lane / 4;
    Out[Row * 4 + Lane % 4] = __uint_as_float(R[M]);
  }
}

// Warps 1 to 3 wait, but have copied nothing; thread 32 reads a copy of thread
// 0, which never waits.
KERNEL readers_wait_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32) {
    for (int C = threadIdx.x; C < 128; C += 32)
      copy16(&Tile[C], &In[First + C]);
      // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
  } else {
    waitGroup<0>();
  }
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'waitGroup<0>();'
  for (int C = int(threadIdx.x) - 32; C >= 0 && C < 128; C += 96)
    Out[First + C] = Tile[C];
    // expect-note@-1: thread 32 reads 'Tile[0]' here, copied by thread 0
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL readers_wait_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32) {
    for (int C = threadIdx.x; C < 128; C += 32)
      copy16(&Tile[C], &In[First + C]);
    commit();
    waitGroup<0>();
  }
  __syncthreads();
  for (int C = int(threadIdx.x) - 32; C >= 0 && C < 128; C += 96)
    Out[First + C] = Tile[C];
}

// One wait for the prologue; the refills are never waited for.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[1][0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    if (K + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[Slot ^ 1][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[Base + (K + 1) * 128], 16);
    __pipeline_commit();
    // expect-note@-1: committed here
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], 16);
  __pipeline_commit();
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    if (K + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[Slot ^ 1][threadIdx.x],
                              &In[Base + (K + 1) * 128], 16);
    __pipeline_commit();
  }
}

// The wait stands before the loop instead of in it.
KERNEL ring3_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128 + threadIdx.x]);
    commit();
  }
  waitGroup<0>();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 2
    __syncthreads();
    // expect-note@-1: wait for all copies: insert 'waitGroup<0>();'
    const int Other = threadIdx.x ^ 32;
    Out[Base + K * 128 + Other] = Tile[K % 3][Other];
    // expect-note@-1: thread 0 reads 'Tile[2][32]' here, copied by thread 32
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x],
      // expect-note@-1: copy issued here
             &In[Base + (K + 2) * 128 + threadIdx.x]);
    commit();
    // expect-note@-1: committed here
  }
}

KERNEL ring3_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128 + threadIdx.x]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<1>();
    __syncthreads();
    const int Other = threadIdx.x ^ 32;
    Out[Base + K * 128 + Other] = Tile[K % 3][Other];
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x],
             &In[Base + (K + 2) * 128 + threadIdx.x]);
    commit();
  }
}

//===----------------------------------------------------------------------===//
// Slots that hold nothing yet
//===----------------------------------------------------------------------===//

// Two slots are loaded, then the loop computes on the third.
KERNEL multistage3_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  constexpr int Stages = 3;
  __shared__ float4 Buffer[Stages][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Stages - 1; ++K) {
    copy16(&Buffer[K][threadIdx.x], &In[Base + K * 128]);
    commit();
  }
  waitGroup<Stages - 2>();
  for (int K = Stages - 1; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 2
    const int Stage = K % Stages;
    Out[Base + K * 128] = Buffer[Stage][threadIdx.x];
    // expect-note@-1: the copy, a wait for it and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Buffer[2][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Buffer' may be read before any copy into it is issued
    copy16(&Buffer[Stage][threadIdx.x], &In[Base + K * 128]);
    // expect-note@-1: first copy into these bytes issued here
    commit();
    waitGroup<Stages - 2>();
  }
}

KERNEL multistage3_ok(const float4 *In, float4 *Out, int Tiles) {
  constexpr int Stages = 3;
  __shared__ float4 Buffer[Stages][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Stages - 1; ++K) {
    copy16(&Buffer[K][threadIdx.x], &In[Base + K * 128]);
    commit();
  }
  waitGroup<Stages - 2>();
  for (int K = 0; K < Tiles; ++K) {
    const int Stage = K % Stages;
    Out[Base + K * 128] = Buffer[Stage][threadIdx.x];
    const int Next = K + Stages - 1;
    if (Next < Tiles)
      copy16(&Buffer[Next % Stages][threadIdx.x], &In[Base + Next * 128]);
    commit();
    waitGroup<Stages - 2>();
  }
}

#define STAGES 4
#define FETCH(K)                                                               \
  __pipeline_memcpy_async(&Ring[(K) % STAGES][threadIdx.x],                    \
                          &In[Base + (K) * 128], sizeof(float4))

// The same with macros and the primitives, four slots.
KERNEL multistage4_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  __shared__ float4 Ring[STAGES][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < STAGES - 1; ++K) {
    FETCH(K);
    __pipeline_commit();
  }
  for (int K = STAGES - 1; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 3
    __pipeline_wait_prior(STAGES - 2);
    Out[Base + K * 128] = Ring[K % STAGES][threadIdx.x];
    // expect-note@-1: the copy, a wait for it and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Ring[3][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Ring' may be read before any copy into it is issued
    FETCH(K);
    // expect-note@-1: first copy into these bytes issued here
    __pipeline_commit();
  }
}

KERNEL multistage4_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[STAGES][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < STAGES - 1; ++K) {
    FETCH(K);
    __pipeline_commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(STAGES - 2);
    Out[Base + K * 128] = Ring[K % STAGES][threadIdx.x];
    if (K + STAGES - 1 < Tiles)
      FETCH(K + STAGES - 1);
    __pipeline_commit();
  }
}

// The prologue fills slot 0, the loop begins with slot 1.
KERNEL other_slot_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 1;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    waitGroup<0>();
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    // expect-note@-1: the copy, a wait for it and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[1][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before any copy into it is issued
    if (K + 1 < Tiles)
      copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + (K + 1) * 128]);
      // expect-note@-1: first copy into these bytes issued here
    commit();
    Slot ^= 1;
  }
}

KERNEL other_slot_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    if (K + 1 < Tiles)
      copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
    Slot ^= 1;
  }
}

// An atomic operation reads, too.
KERNEL atomic_bad(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  Out[I] = atomicAdd(&Tile[threadIdx.x], 0u);
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL atomic_ok(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = atomicAdd(&Tile[threadIdx.x], 0u);
}

// However many bytes it takes.
KERNEL memory_copy_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const size_t Bytes = 2 * Tiles; // eight tiles
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
    memcpy(&Out[Base + K * 128], &Tile[threadIdx.x], Bytes);
    // expect-note@-1: thread 0 reads 'Tile[0].x' here
    // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
    // expect-skipped@-3: number of bytes of this access to shared memory is not known
    // expect-warning@-4{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    waitGroup<0>();
  }
}

KERNEL memory_copy_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const size_t Bytes = 2 * Tiles; // eight tiles
  for (int K = 0; K < Tiles; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    commit();
    waitGroup<0>();
    memcpy(&Out[Base + K * 128], &Tile[threadIdx.x], Bytes);
    // expect-skipped@-1: number of bytes of this access to shared memory is not known
  }
}

// What is aligned to words is copied asynchronously, whatever its type.
KERNEL shorts_of_group_bad(const short *In, short *Out) {
  __shared__ alignas(16) short Tile[128];
  const int First = blockIdx.x * 128;
  auto Block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(Block, Tile, In + First, sizeof(Tile));
  // expect-note@-1: committed here
  // expect-note@-2: copy issued here
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL shorts_of_group_ok(const short *In, short *Out) {
  __shared__ alignas(16) short Tile[128];
  const int First = blockIdx.x * 128;
  auto Block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(Block, Tile, In + First, sizeof(Tile));
  cooperative_groups::wait(Block);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// A thread may read its own copy after the wait, with no barrier.
KERNEL no_barrier_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// One slot is read while the copy into the other is in flight.
KERNEL other_slot_in_flight_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  float4 *Front = Tile[0], *Back = Tile[1];
  copy16(&Front[threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    if (K + 1 < Tiles)
      copy16(&Back[threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
    Out[Base + K * 128] = Front[threadIdx.x];
    float4 *Swap = Front;
    Front = Back;
    Back = Swap;
  }
}

// Only warp 0 copies, so only warp 0 has to wait.
KERNEL one_thread_waits_for_its_own_ok(const float4 *In, float4 *Out) {
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

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

struct WaitAtEnd {
  __device__ ~WaitAtEnd() { waitGroup<0>(); }
};

// A temporary ends at once, a variable with its scope.
KERNEL temporary_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  WaitAtEnd Wait;
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL temporary_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  WaitAtEnd();
  Out[I] = Tile[threadIdx.x];
}

struct Policy {
  __device__ virtual void wait() { waitGroup<0>(); }
};
struct LeavesItToOthers : Policy {
  __device__ void wait() override {}
};
__device__ float4 waitAndRead(Policy &How, const float4 *Tile) {
  How.wait();
  return *Tile;
}

KERNEL overrider_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  LeavesItToOthers How;
  Out[I] = waitAndRead(How, &Tile[threadIdx.x]);
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL overrider_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  Policy How;
  Out[I] = waitAndRead(How, &Tile[threadIdx.x]);
}

// A bulk copy reads what cp.async has not brought yet.
KERNEL stored_on_bad(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  fenceProxyAsync();
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'waitGroup<0>();'
  if (threadIdx.x == 0)
    bulkStore(&Out[First], Tile, sizeof(Tile));
    // expect-note@-1: thread 0 reads byte 0 of 'Tile' here
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL stored_on_ok(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  fenceProxyAsync();
  __syncthreads();
  if (threadIdx.x == 0)
    bulkStore(&Out[First], Tile, sizeof(Tile));
}

//===----------------------------------------------------------------------===//
// Clusters: PTX ISA, "cp.async.bulk", ".shared::cluster.shared::cta"
//===----------------------------------------------------------------------===//

#undef KERNEL
#define KERNEL                                                                 \
  __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)

__device__ uint32_t otherBlock(const void *Here) {
  uint32_t There;
  asm volatile("{\n"
               ".reg .b32 Rank;\n"
               "mov.u32 Rank, %%cluster_ctarank;\n"
               "xor.b32 Rank, Rank, 1;\n"
               "mapa.shared::cluster.u32 %0, %1, Rank;\n"
               "}"
               : "=r"(There)
               : "r"(sharedAddress(Here)));
  return There;
}
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(B)),
               "r"(Count)
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(B))
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(To)),
               "l"(From), "r"(Bytes), "r"(sharedAddress(B))
               : "memory");
}
__device__ void waitForPhase(uint64_t *B, uint32_t Parity) {
  for (uint32_t Done = 0; !Done;)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(Done)
                 : "r"(sharedAddress(B)), "r"(Parity)
                 : "memory");
}
__device__ void send(uint32_t To, const void *From, uint32_t Bytes,
                     uint32_t Barrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(To),
               "r"(sharedAddress(From)), "r"(Bytes), "r"(Barrier)
               : "memory");
}
__device__ void sendNumber(uint32_t To, float Number, uint32_t Barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 "
               "[%0], %1, [%2];" ::"r"(To),
               "f"(Number), "r"(Barrier)
               : "memory");
}

// The other block's tile has been sent, and is not here yet.
KERNEL sent_bad(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[128], Come[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  Tile[threadIdx.x] = In[blockIdx.x * 128 + threadIdx.x];
  fenceProxyAsync();
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Come));
    send(otherBlock(Come), Tile, sizeof(Tile), otherBlock(&Full));
    // expect-note@-1: copy issued here
  }
  __syncthreads();
  Out[(blockIdx.x ^ 1) * 128 + threadIdx.x] = Come[threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 of block 1 reads 'Come[0]' here, copied by thread 0 of block 0
  // expect-warning@-3{cpasync-unwaited-read}: 'Come' is read before the asynchronous copy into it has completed
  waitForPhase(&Full, 0);
  meet();
}

KERNEL sent_ok(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[128], Come[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  Tile[threadIdx.x] = In[blockIdx.x * 128 + threadIdx.x];
  fenceProxyAsync();
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Come));
    send(otherBlock(Come), Tile, sizeof(Tile), otherBlock(&Full));
  }
  waitForPhase(&Full, 0);
  Out[(blockIdx.x ^ 1) * 128 + threadIdx.x] = Come[threadIdx.x];
  meet();
}

// The same of single numbers. PTX ISA, "st.async".
KERNEL store_sent_bad(const float *In, float *Out) {
  __shared__ float Come[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  meet();
  if (threadIdx.x == 0)
    arriveAndExpect(&Full, sizeof(Come));
  sendNumber(otherBlock(&Come[threadIdx.x]),
  // expect-note@-1: copy issued here
             In[blockIdx.x * 128 + threadIdx.x], otherBlock(&Full));
  __syncthreads();
  Out[(blockIdx.x ^ 1) * 128 + threadIdx.x] = Come[threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 of block 1 reads 'Come[0]' here, copied by thread 0 of block 0
  // expect-warning@-3{cpasync-unwaited-read}: 'Come' is read before the asynchronous copy into it has completed
  waitForPhase(&Full, 0);
  meet();
}

KERNEL store_sent_ok(const float *In, float *Out) {
  __shared__ float Come[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  meet();
  if (threadIdx.x == 0)
    arriveAndExpect(&Full, sizeof(Come));
  sendNumber(otherBlock(&Come[threadIdx.x]),
             In[blockIdx.x * 128 + threadIdx.x], otherBlock(&Full));
  waitForPhase(&Full, 0);
  Out[(blockIdx.x ^ 1) * 128 + threadIdx.x] = Come[threadIdx.x];
  meet();
}

// From sm_90 on it is one bulk copy, which completes with its own barrier: a
// later phase of another one does not wait for it, as it does for cp.async.
KERNEL other_barrier_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> Full, Next;
  if (threadIdx.x == 0) {
    init(&Full, 128);
    init(&Next, 128);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    cuda::memcpy_async(Tile, In + blockIdx.x * 128,
    // expect-note@-1: copy issued here
                       cuda::aligned_size_t<16>(sizeof(Tile)), Full);
  auto Token = Full.arrive();
  Next.arrive_and_wait();
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  Full.wait(static_cast<decltype(Token) &&>(Token));
}

KERNEL other_barrier_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> Full, Next;
  if (threadIdx.x == 0) {
    init(&Full, 128);
    init(&Next, 128);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    cuda::memcpy_async(Tile, In + blockIdx.x * 128,
                       cuda::aligned_size_t<16>(sizeof(Tile)), Full);
  auto Token = Full.arrive();
  Next.arrive_and_wait();
  Full.wait(static_cast<decltype(Token) &&>(Token));
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}

// Other threads fill the slot, and every barrier is there: the loop begins with
// the slot that is filled in it.
template <int First> __device__ void readFrom(const float4 *In, float4 *Out,
                                              int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[0][threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<0>();
    __syncthreads();
    Out[Base + K * 128 + Other] = Tile[(K + First) % 2][Other];
    // expect-note@-1: the copy, a wait for it and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[1][32]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before any copy into it is issued
    __syncthreads();
    if (K + 1 < Tiles)
      copy16(&Tile[(K + 1) % 2][threadIdx.x],
      // expect-note@-1: first copy into these bytes issued here
             &In[Base + (K + 1) * 128 + threadIdx.x]);
    commit();
  }
}
KERNEL slot_of_others_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  readFrom<1>(In, Out, Tiles);
  // expect-note@-1: 'readFrom' called here
}
KERNEL slot_of_others_ok(const float4 *In, float4 *Out, int Tiles) {
  readFrom<0>(In, Out, Tiles);
}

// A ring that one warp fills and three read. A new barrier lets those pass who
// wait for parity 1: where the parity flips with each slot, not with each round
// of the ring, slot 1 is read before it is filled, and one round behind then.
struct Place {
  int Slot = 0;
  uint32_t Parity;
  __device__ explicit Place(uint32_t Parity) : Parity(Parity) {}
  template <bool Each> __device__ void advance() {
    const bool IsLast = Slot == 2;
    Slot = IsLast ? 0 : Slot + 1;
    if (Each || IsLast)
      Parity ^= 1;
  }
};

template <bool Each>
__device__ void fillAndRead(const float *In, float *Out, int Tiles) {
  alignas(128) __shared__ float Ring[3][128];
  __shared__ uint64_t Full[3], Empty[3];
  if (threadIdx.x == 0)
    for (int S = 0; S < 3; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 3);
    }
  __syncthreads();
  const int Warp = threadIdx.x / 32, Base = blockIdx.x * Tiles * 128;
  if (Warp == 3) {
    Place At(1);
    if (threadIdx.x == 96)
      for (int K = 0; K < Tiles; ++K, At.advance<Each>()) {
      // expect-note@-1: in the iteration of this loop with K = 1
        waitForPhase(&Empty[At.Slot], At.Parity);
        arriveAndExpect(&Full[At.Slot], sizeof(Ring[0]));
        load(Ring[At.Slot], &In[Base + K * 128], sizeof(Ring[0]),
        // expect-note@-1: first copy into these bytes issued here
             &Full[At.Slot]);
      }
  } else {
    Place At(0);
    for (int K = 0; K < Tiles; ++K, At.advance<Each>()) {
    // expect-note@-1: in the iteration of this loop with K = 1
      waitForPhase(&Full[At.Slot], At.Parity);
      for (int I = threadIdx.x; I < 128; I += 96)
        Out[Base + K * 128 + I] = Ring[At.Slot][I];
        // expect-note@-1: the copy, a wait for it and a barrier belong before this read
        // expect-note@-2: thread 0 reads 'Ring[1][0]' here
        // expect-warning@-3{cpasync-unwaited-read}: 'Ring' may be read before any copy into it is issued
      __syncwarp();
      if (threadIdx.x % 32 == 0)
        arrive(&Empty[At.Slot]);
    }
  }
}
KERNEL parity_flips_with_slot_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  fillAndRead<true>(In, Out, Tiles);
  // expect-note@-1: 'fillAndRead' called here
}
KERNEL parity_flips_with_slot_ok(const float *In, float *Out, int Tiles) {
  fillAndRead<false>(In, Out, Tiles);
}

// A ring of three slots, and the slot to fill begins again behind the fourth:
// what goes there is lost, and from then on another slot than the one that is
// free is filled.
template <int Slots>
__device__ void beginAgainBehind(const float *In, float *Out, int Tiles) {
  __shared__ float Ring[3][128];
  const int T = threadIdx.x, Base = blockIdx.x * Tiles * 128;
  for (int K = 0; K < 2; ++K) {
    if (K < Tiles)
      __pipeline_memcpy_async(&Ring[K][T], &In[Base + K * 128 + T], 4);
    __pipeline_commit();
  }
  int Read = 0, Fill = 2;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 2
  // expect-note@-2: in the iteration of this loop with K = 3
  // expect-note@-3: in the iteration of this loop with K = 6
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Ring' may be in the newest one
    __syncthreads();
    if (K + 2 < Tiles)
      __pipeline_memcpy_async(&Ring[Fill][T], &In[Base + (K + 2) * 128 + T], 4);
      // expect-note@-1: copy issued here
      // expect-skipped@-2: in a round of the loop, 'Ring' is left, and in a later one it is not
    __pipeline_commit();
    // expect-note@-1: committed here
    // expect-note@-2: committed here as the newest group
    Out[Base + K * 128 + 127 - T] = Ring[Read][127 - T];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Ring[0][127]' here, copied by thread 127
    // expect-warning@-3{cpasync-unwaited-read}: 'Ring' may be read before the asynchronous copy into it has completed
    Read = Read == 2 ? 0 : Read + 1;
    Fill = Fill == Slots - 1 ? 0 : Fill + 1;
  }
}
KERNEL begins_again_late_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 5
// expect-note@-2: with Tiles = 9
  beginAgainBehind<4>(In, Out, Tiles);
  // expect-note@-1: 'beginAgainBehind' called here
}
KERNEL begins_again_late_ok(const float *In, float *Out, int Tiles) {
  beginAgainBehind<3>(In, Out, Tiles);
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(straight_line, Stale), TWINS(barrier_only, Stale),
          TWINS(branch, Stale), TWINS(loop_tail, Stale), TWINS(prologue, Stale),
          TWINS(wrapper, Stale), TWINS(lambda, Stale),
          TWINS(shared_address, Stale), TWINS(ldmatrix, Stale),
          TWINS(readers_wait, Stale), TWINS(ring2, Stale), TWINS(ring3, Stale),
          TWINS(multistage3, Stale), TWINS(multistage4, Stale),
          TWINS(other_slot, Stale), TWINS(atomic, Stale),
          TWINS(memory_copy, Stale), TWINS(shorts_of_group, Stale),
          TWINS(temporary, Stale), TWINS(overrider, Stale),
          TWINS(stored_on, Stale), TWINS(sent, Stale), TWINS(store_sent, Stale),
          TWINS(other_barrier, Stale), TWINS(slot_of_others, Stale),
          TWINS(parity_flips_with_slot, Stale),
          TWINS(begins_again_late, Stale),
          OK(no_barrier_ok), OK(other_slot_in_flight_ok),
          OK(one_thread_waits_for_its_own_ok))
#endif
