//===- mixed-group-kind.cu - Two kinds of groups ---------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies have groups of their own: cp.async.commit_group does not commit
// them, cp.async.bulk.commit_group commits nothing else, and so for the waits.
// Every `_bad` kernel gives wrong data on a GPU of compute capability 9.0,
// every `_ok` kernel copies In to Out.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ unsigned sharedAddress(const void *Pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(Pointer));
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
__device__ void bulkStore(void *Dst, const void *Src, int Bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n" ::"l"(
          Dst),
      "r"(sharedAddress(Src)), "r"(Bytes)
      : "memory");
}
__device__ void bulkCommit() {
  asm volatile("cp.async.bulk.commit_group;\n" ::: "memory");
}
template <int N> __device__ void bulkWait() {
  asm volatile("cp.async.bulk.wait_group %0;\n" ::"n"(N) : "memory");
}
template <int N> __device__ void bulkWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;\n" ::"n"(N) : "memory");
}
// Makes ordinary stores visible to the bulk copies that follow.
__device__ void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

//===----------------------------------------------------------------------===//
// Copies from global to shared memory
//===----------------------------------------------------------------------===//

// The commit is that of bulk copies; the copy stays in no group.
KERNEL straight_line_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  bulkCommit();
  // expect-note@-1: copies that are not bulk copies are committed by 'cp.async.commit_group'
  // expect-warning@-2{cpasync-mixed-group-kind}: commit of bulk copies does not commit the copy into 'Tile'
  waitGroup<0>();
  // expect-note@-1: wait for all groups is here
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

// The wait is that of bulk copies, of which there are none.
KERNEL wait_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  bulkWait<0>();
  // expect-note@-1: copies that are not bulk copies are waited for by 'cp.async.wait_group'
  // expect-warning@-2{cpasync-mixed-group-kind}: wait for bulk copies does not wait for the copy into 'Tile'
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL wait_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// The same with `.read`; thread 0 reads a copy of thread 32.
KERNEL wait_read_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  bulkWaitRead<0>();
  // expect-note@-1: copies that are not bulk copies are waited for by 'cp.async.wait_group'
  // expect-warning@-2{cpasync-mixed-group-kind}: wait for bulk copies does not wait for the copy into 'Tile'
  __syncthreads();
  Out[First + Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[32]' here, copied by thread 32
}

KERNEL wait_read_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

template <bool Bulk> __device__ void commitGroup() {
  if constexpr (Bulk)
    bulkCommit();
  else
    commit();
}
template <bool Bulk> __device__ void waitForAll() {
  if constexpr (Bulk)
    bulkWait<0>();
  else
    waitGroup<0>();
}

// Both, chosen by a template argument.
KERNEL wrapper_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commitGroup<true>();
  // expect-note@-1: copies that are not bulk copies are committed by 'cp.async.commit_group'
  // expect-warning@-2{cpasync-mixed-group-kind}: commit of bulk copies does not commit the copy into 'Tile'
  waitForAll<true>();
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL wrapper_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commitGroup<false>();
  waitForAll<false>();
  Out[I] = Tile[threadIdx.x];
}

// The primitives, with one instruction written by hand.
KERNEL primitives_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], sizeof(float4));
  // expect-note@-1: copy issued here
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  // expect-note@-1: copies that are not bulk copies are committed by 'cp.async.commit_group'
  // expect-warning@-2{cpasync-mixed-group-kind}: commit of bulk copies does not commit the copy into 'Tile'
  __pipeline_wait_prior(0);
  // expect-note@-1: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL primitives_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

// When Flag is not set, the commit is that of bulk copies.
KERNEL branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  if (Flag)
  // expect-note@-1: taken when this condition is false
    commit();
  else
    bulkCommit();
    // expect-note@-1: copies that are not bulk copies are committed by 'cp.async.commit_group'
    // expect-warning@-2{cpasync-mixed-group-kind}: commit of bulk copies does not commit the copy into 'Tile'
  waitGroup<0>();
  // expect-note@-1: wait for all groups is here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL branch_ok(const float4 *In, float4 *Out, bool Flag) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  if (Flag)
    commit();
  else
    commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// One statement, addresses as 32-bit numbers.
KERNEL shared_address_bad(const float4 *In, float4 *Out) {
  extern __shared__ float4 Pool[];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Pool) + 2048 + threadIdx.x * 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
  // expect-note@-1: committed here
  // expect-note@-2: copies that are not bulk copies are waited for by 'cp.async.wait_group'
  // expect-note@-3: copy issued here
  // expect-warning@-4{cpasync-mixed-group-kind}: wait for bulk copies does not wait for the copy into 'Pool'
               "cp.async.commit_group;\n\t"
               "cp.async.bulk.wait_group 0;\n" ::"r"(Slot),
               "l"(In + I)
               : "memory");
  float4 V;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
  // expect-note@-1: thread 0 reads byte 2048 of 'Pool' here
               : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
               : "r"(Slot)
               : "memory");
  Out[I] = V;
}

KERNEL shared_address_ok(const float4 *In, float4 *Out) {
  extern __shared__ float4 Pool[];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Pool) + 2048 + threadIdx.x * 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
               "cp.async.commit_group;\n\t"
               "cp.async.wait_group 0;\n" ::"r"(Slot),
               "l"(In + I)
               : "memory");
  float4 V;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
               : "r"(Slot)
               : "memory");
  Out[I] = V;
}

// In iteration 0 thread 0 reads what it copied in the prologue.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K + 1 < Tiles)
      copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
    bulkWait<1>();
    // expect-note@-1: copies that are not bulk copies are waited for by 'cp.async.wait_group'
    // expect-warning@-2{cpasync-mixed-group-kind}: wait for bulk copies does not wait for the copy into 'Tile'
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
    if (K + 1 < Tiles)
      copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
    waitGroup<1>();
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
  }
}

// After the loop: the last copy is waited for as a bulk copy.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 0
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  for (int K = 1; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: loop skipped here
    waitGroup<0>();
    copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + K * 128]);
    commit();
    Out[Base + (K - 1) * 128] = Tile[Slot][threadIdx.x];
  }
  bulkWait<0>();
  // expect-note@-1: copies that are not bulk copies are waited for by 'cp.async.wait_group'
  // expect-warning@-2{cpasync-mixed-group-kind}: wait for bulk copies does not wait for the copy into 'Tile'
  Out[Base + (Tiles - 1) * 128] = Tile[Slot][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0][0]' here
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 1; K < Tiles; ++K, Slot ^= 1) {
    waitGroup<0>();
    copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + K * 128]);
    commit();
    Out[Base + (K - 1) * 128] = Tile[Slot][threadIdx.x];
  }
  waitGroup<0>();
  Out[Base + (Tiles - 1) * 128] = Tile[Slot][threadIdx.x];
}

// Only the prologue commits as if it copied in bulk; iteration 0 reads it.
KERNEL prologue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Ring[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    copy16(&Ring[S][threadIdx.x], &In[Base + S * 128]);
    // expect-note@-1: copy issued here
    bulkCommit();
    // expect-note@-1: copies that are not bulk copies are committed by 'cp.async.commit_group'
    // expect-warning@-2{cpasync-mixed-group-kind}: commit of bulk copies does not commit the copy into 'Ring'
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<1>();
    // expect-note@-1: wait leaves up to 1 group in flight
    Out[Base + K * 128] = Ring[K % 3][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Ring[0][0]' here
    if (K + 2 < Tiles)
      copy16(&Ring[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
  }
}

KERNEL prologue_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    copy16(&Ring[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<1>();
    Out[Base + K * 128] = Ring[K % 3][threadIdx.x];
    if (K + 2 < Tiles)
      copy16(&Ring[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
  }
}

// Fetch commits, Use waits for another kind.
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
  auto Use = [&](int K) {
    bulkWait<0>();
    Out[Base + K * 128] = Tile[K & 1][threadIdx.x];
  };
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch(K);
    // expect-note@-1: 'Fetch' called here
    Use(K);
    // expect-note@-1: copies that are not bulk copies are waited for by 'cp.async.wait_group'
    // expect-note@-2: thread 0 reads 'Tile[0][0]' here
    // expect-warning@-3{cpasync-mixed-group-kind}: wait for bulk copies does not wait for the copy into 'Tile'
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int K) {
    copy16(&Tile[K & 1][threadIdx.x], &In[Base + K * 128]);
    commit();
  };
  auto Use = [&](int K) {
    waitGroup<0>();
    Out[Base + K * 128] = Tile[K & 1][threadIdx.x];
  };
  for (int K = 0; K < Tiles; ++K) {
    Fetch(K);
    Use(K);
  }
}

//===----------------------------------------------------------------------===//
// Bulk copies from shared to global memory
//===----------------------------------------------------------------------===//

struct Row {
  float4 Part[4];
};

// Thread 0's bulk copy is in no bulk group; it still reads Tile when thread 0
// stores to it in iteration 1.
KERNEL store_commit_bad(const Row *In, Row *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  alignas(128) __shared__ Row Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  Row Next = In[Base + threadIdx.x];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    Tile[threadIdx.x] = Next;
    // expect-note@-1: thread 0 overwrites 'Tile[0]' here, copied in bulk by thread 0
    fenceProxyAsync();
    if (K + 1 < Tiles)
      Next = In[Base + (K + 1) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(&Out[Base + K * 128], Tile, sizeof(Tile));
      // expect-note@-1: copy issued here
      commit();
      // expect-note@-1: bulk copies are committed by 'cp.async.bulk.commit_group'
      // expect-warning@-2{cpasync-mixed-group-kind}: commit of copies does not commit the bulk copy from 'Tile'
      bulkWaitRead<0>();
    }
    __syncthreads();
  }
}

KERNEL store_commit_ok(const Row *In, Row *Out, int Tiles) {
  alignas(128) __shared__ Row Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  Row Next = In[Base + threadIdx.x];
  for (int K = 0; K < Tiles; ++K) {
    Tile[threadIdx.x] = Next;
    fenceProxyAsync();
    if (K + 1 < Tiles)
      Next = In[Base + (K + 1) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(&Out[Base + K * 128], Tile, sizeof(Tile));
      bulkCommit();
      bulkWaitRead<0>();
    }
    __syncthreads();
  }
}

// Committed as it should be, waited for as if it were not a bulk copy.
KERNEL store_wait_bad(const Row *In, Row *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  alignas(128) __shared__ Row Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  Row Next = In[Base + threadIdx.x];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    Tile[threadIdx.x] = Next;
    // expect-note@-1: thread 0 overwrites 'Tile[0]' here, copied in bulk by thread 0
    fenceProxyAsync();
    if (K + 1 < Tiles)
      Next = In[Base + (K + 1) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(&Out[Base + K * 128], Tile, sizeof(Tile));
      // expect-note@-1: copy issued here
      bulkCommit();
      waitGroup<0>();
      // expect-note@-1: bulk copies are waited for by 'cp.async.bulk.wait_group'
      // expect-warning@-2{cpasync-mixed-group-kind}: wait for copies does not wait for the bulk copy from 'Tile'
    }
    __syncthreads();
  }
}

KERNEL store_wait_ok(const Row *In, Row *Out, int Tiles) {
  alignas(128) __shared__ Row Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  Row Next = In[Base + threadIdx.x];
  for (int K = 0; K < Tiles; ++K) {
    Tile[threadIdx.x] = Next;
    fenceProxyAsync();
    if (K + 1 < Tiles)
      Next = In[Base + (K + 1) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(&Out[Base + K * 128], Tile, sizeof(Tile));
      bulkCommit();
      bulkWait<0>();
    }
    __syncthreads();
  }
}

// The primitive waits for copies from global memory only.
KERNEL store_wait_all_bad(const Row *In, Row *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  alignas(128) __shared__ Row Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  Row Next = In[Base + threadIdx.x];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    Tile[threadIdx.x] = Next;
    // expect-note@-1: thread 0 overwrites 'Tile[0]' here, copied in bulk by thread 0
    fenceProxyAsync();
    if (K + 1 < Tiles)
      Next = In[Base + (K + 1) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(&Out[Base + K * 128], Tile, sizeof(Tile));
      // expect-note@-1: copy issued here
      bulkCommit();
      __pipeline_wait_prior(0);
      // expect-note@-1: bulk copies are waited for by 'cp.async.bulk.wait_group'
      // expect-warning@-2{cpasync-mixed-group-kind}: wait for copies does not wait for the bulk copy from 'Tile'
    }
    __syncthreads();
  }
}

KERNEL store_wait_all_ok(const Row *In, Row *Out, int Tiles) {
  alignas(128) __shared__ Row Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  Row Next = In[Base + threadIdx.x];
  for (int K = 0; K < Tiles; ++K) {
    Tile[threadIdx.x] = Next;
    fenceProxyAsync();
    if (K + 1 < Tiles)
      Next = In[Base + (K + 1) * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(&Out[Base + K * 128], Tile, sizeof(Tile));
      bulkCommit();
      bulkWaitRead<0>();
    }
    __syncthreads();
  }
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// Both kinds in one kernel, each with its own commit and wait.
KERNEL each_its_own_ok(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  fenceProxyAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulkStore(&Out[First], Tile, sizeof(Tile));
    bulkCommit();
    bulkWait<0>();
  }
}

// A wait for bulk copies besides the one that is needed.
KERNEL both_waits_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  bulkWait<0>();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(straight_line, Stale), TWINS(wait, Stale),
          TWINS(wait_read, Stale), TWINS(wrapper, Stale),
          TWINS(primitives, Stale), TWINS(branch, Stale),
          TWINS(shared_address, Stale), TWINS(ring2, Stale),
          TWINS(loop_tail, Stale), TWINS(prologue, Stale), TWINS(lambda, Stale),
          TWINS(store_commit, Stale), TWINS(store_wait, Stale),
          TWINS(store_wait_all, Stale), OK(each_its_own_ok), OK(both_waits_ok))
#endif
