//===- wrong-wait-group.cu - Waits that leave too many groups --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `wait_group N` leaves the newest N groups in flight. Every `_bad` kernel
// reads one of those and gets stale data on a GPU (or, where its comment says
// so, waits longer than was asked for); every `_ok` kernel copies In to Out.
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

// Both groups are read, and the newest may still be in flight.
KERNEL straight_line_bad(const float2 *In, float2 *Out) {
  __shared__ float X[128], Y[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int J = blockIdx.x * 128 + 127 - threadIdx.x;
  copy4(&X[threadIdx.x], &In[I].x);
  commit();
  copy4(&Y[threadIdx.x], &In[J].y);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  waitGroup<1>();
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Y' was copied in the newest one
  Out[I].x = X[threadIdx.x];
  Out[J].y = Y[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Y[0]' here
}

KERNEL straight_line_ok(const float2 *In, float2 *Out) {
  __shared__ float X[128], Y[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int J = blockIdx.x * 128 + 127 - threadIdx.x;
  copy4(&X[threadIdx.x], &In[I].x);
  commit();
  copy4(&Y[threadIdx.x], &In[J].y);
  commit();
  waitGroup<0>();
  Out[I].x = X[threadIdx.x];
  Out[J].y = Y[threadIdx.x];
}

// The wait comes before the commit that closes the group.
KERNEL before_commit_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  waitGroup<0>();
  // expect-note@-1: this wait belongs behind the commit in line +1
  // expect-warning@-2{cpasync-wrong-wait-group}: wait runs before the copy into 'Tile' is committed
  commit();
  // expect-note@-1: committed here
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL before_commit_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// Without the second copy, one group fewer follows the first.
KERNEL branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  if (Flag) {
  // expect-note@-1: taken when this condition is false
    copy16(&Tile[1][threadIdx.x], &In[I]);
    commit();
  }
  waitGroup<1>();
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
  Out[I] = Tile[0][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0][0]' here
}

KERNEL branch_ok(const float4 *In, float4 *Out, bool Flag) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[I]);
  commit();
  if (Flag) {
    copy16(&Tile[1][threadIdx.x], &In[I]);
  }
  commit();
  waitGroup<1>();
  Out[I] = Tile[0][threadIdx.x];
}

// The last iteration takes the first rung, though no newer group exists.
KERNEL ladder_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K + 1 < Tiles) {
    // expect-note@-1: taken when this condition is false
      copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + (K + 1) * 128]);
      commit();
    }
    // expect-note@-1: commit also where nothing is copied: insert 'else { commit(); }'
    if (K < Tiles)
      waitGroup<1>();
      // expect-warning@-1{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    else
      waitGroup<0>();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
  }
}

KERNEL ladder_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    if (K + 1 < Tiles) {
      copy16(&Tile[(K + 1) % 2][threadIdx.x], &In[Base + (K + 1) * 128]);
      commit();
    }
    if (K + 1 < Tiles)
      waitGroup<1>();
    else
      waitGroup<0>();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
}

// No commit in the last iteration, and the count stays 1.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here as the newest group
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K + 1 < Tiles) {
    // expect-note@-1: taken when this condition is false
      __pipeline_memcpy_async(&Tile[(K + 1) % 2][threadIdx.x],
                              &In[Base + (K + 1) * 128], 16);
      __pipeline_commit();
    }
    // expect-note@-1: commit also where nothing is copied: insert 'else { __pipeline_commit(); }'
    __pipeline_wait_prior(1);
    // expect-warning@-1{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
  }
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], 16);
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
    if (K + 1 < Tiles) {
      __pipeline_memcpy_async(&Tile[(K + 1) % 2][threadIdx.x],
                              &In[Base + (K + 1) * 128], 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
}

// Two tiles in one group, while the loop counts a group for each tile.
KERNEL prologue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
      // expect-note@-1: copy issued here
  }
  commit();
  // expect-note@-1: committed here as the newest group
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<1>();
    // expect-note@-1: wait for all groups; slow: better commit each copy before the loop by itself
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
  }
}

KERNEL prologue_ok(const float4 *In, float4 *Out, int Tiles) {
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

template <int Stages, int Slack> __device__ void waitForOldest() {
  waitGroup<Stages - Slack>();
}

// Three stages, wait then prefetch: only Stages - 2 groups are newer.
KERNEL wrapper_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
      // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitForOldest<3, 1>();
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Tile'
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
  }
}

KERNEL wrapper_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    waitForOldest<3, 2>();
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
  }
}

// Fetch commits only when Pred is set.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int Slot, int K, bool Pred) {
    if (Pred) {
    // expect-note@-1: taken when this condition is false
      copy16(&Tile[Slot][threadIdx.x], &In[Base + K * 128]);
      // expect-note@-1: copy issued here
      commit();
      // expect-note@-1: committed here as the newest group
    }
  };
  for (int S = 0; S < 2; ++S)
  // expect-note@-1: in the iteration of this loop with S = 0
  // expect-note@-2: in the iteration of this loop with S = 1
    Fetch(S, S, S < Tiles);
    // expect-note@-1: 'Fetch' called here
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Fetch((K + 2) % 3, K + 2, K + 2 < Tiles);
    waitGroup<2>();
    // expect-note@-1: wait for all groups; slow: better commit also where nothing is copied
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but 'Tile' may be in the newest one
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  auto Fetch = [&](int Slot, int K, bool Pred) {
    if (Pred) {
      copy16(&Tile[Slot][threadIdx.x], &In[Base + K * 128]);
    }
    commit();
  };
  for (int S = 0; S < 2; ++S)
    Fetch(S, S, S < Tiles);
  for (int K = 0; K < Tiles; ++K) {
    Fetch((K + 2) % 3, K + 2, K + 2 < Tiles);
    waitGroup<2>();
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
  }
}

// Addresses as 32-bit numbers; the newest group is the one that is read.
KERNEL shared_address_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float Tile[2 * 128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    float Value;
    asm volatile("{\n\t"
    // expect-note@-1: committed here as the newest group
    // expect-note@-2: copy issued here
    // expect-note@-3: leave no group in flight here
    // expect-note@-4: thread 0 reads 'Tile[0]' here
    // expect-warning@-5{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
                 "cp.async.ca.shared.global [%1], [%2], 4;\n\t"
                 "cp.async.commit_group;\n\t"
                 "cp.async.wait_group 1;\n\t"
                 "ld.shared.f32 %0, [%1];\n\t"
                 "}\n"
                 : "=f"(Value)
                 : "r"(Slot), "l"(In + Base + K * 128)
                 : "memory");
    Out[Base + K * 128] = Value;
    Slot ^= 128 * 4;
  }
}

KERNEL shared_address_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2 * 128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  for (int K = 0; K < Tiles; ++K) {
    float Value;
    asm volatile("{\n\t"
                 "cp.async.ca.shared.global [%1], [%2], 4;\n\t"
                 "cp.async.commit_group;\n\t"
                 "cp.async.wait_group 0;\n\t"
                 "ld.shared.f32 %0, [%1];\n\t"
                 "}\n"
                 : "=f"(Value)
                 : "r"(Slot), "l"(In + Base + K * 128)
                 : "memory");
    Out[Base + K * 128] = Value;
    Slot ^= 128 * 4;
  }
}

// Two slots, wait then prefetch: the only group in flight is the one read.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<1>();
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    Out[Base + K * 128] = Tile[Slot][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
    Slot = 1 - Slot;
    if (K + 1 < Tiles)
      copy16(&Tile[Slot][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
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
    Slot = 1 - Slot;
    if (K + 1 < Tiles)
      copy16(&Tile[Slot][threadIdx.x], &In[Base + (K + 1) * 128]);
    commit();
  }
}

// Four slots, prefetch then wait: three groups are newer, not four.
KERNEL ring4_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[4][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Write = 0, Read = 0;
  for (int S = 0; S < 3; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Tiles)
      copy16(&Tile[Write][threadIdx.x], &In[Base + S * 128]);
      // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here
    ++Write;
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K + 3 < Tiles)
      copy16(&Tile[Write][threadIdx.x], &In[Base + (K + 3) * 128]);
    commit();
    waitGroup<4>();
    // expect-note@-1: wait until at most 3 groups are in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 4 groups in flight, but only 3 may be newer than the copy into 'Tile'
    Out[Base + K * 128] = Tile[Read][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here
    Write = (Write + 1) % 4;
    Read = (Read + 1) % 4;
  }
}

KERNEL ring4_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[4][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  int Write = 0, Read = 0;
  for (int S = 0; S < 3; ++S) {
    if (S < Tiles)
      copy16(&Tile[Write][threadIdx.x], &In[Base + S * 128]);
    commit();
    ++Write;
  }
  for (int K = 0; K < Tiles; ++K) {
    if (K + 3 < Tiles)
      copy16(&Tile[Write][threadIdx.x], &In[Base + (K + 3) * 128]);
    commit();
    waitGroup<3>();
    Out[Base + K * 128] = Tile[Read][threadIdx.x];
    Write = (Write + 1) % 4;
    Read = (Read + 1) % 4;
  }
}

#define CP_ASYNC_WAIT_GROUP(N)                                                 \
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory")

// A negative count is encoded as 63: it waits for nothing.
KERNEL negative_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  CP_ASYNC_WAIT_GROUP(-1);
  // expect-note@-1: wait for all groups
  // expect-note@-2: wait leaves up to 63 groups in flight
  // expect-warning@-3{cpasync-wrong-wait-group}: 'cp.async.wait_group' takes the count -1 for 63
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL negative_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  CP_ASYNC_WAIT_GROUP(0);
  Out[I] = Tile[threadIdx.x];
}

// __pipeline_wait_prior clamps at 8: it also waits for the second group.
// Out is the time that the wait took. The first source is warm.
KERNEL wait_prior_9_bad(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[10][128], Warm[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Warm[threadIdx.x] = In[Base];
  __syncthreads();
  for (int S = 0; S < 10; ++S) {
    copy4(&Tile[S][threadIdx.x], &In[Base + (S % Tiles) * 128]);
    commit();
  }
  const long long Begin = clock64();
  __pipeline_wait_prior(9);
  // expect-note@-1: a count is from 0 to 8 here
  // expect-warning@-2{cpasync-wrong-wait-group}: '__pipeline_wait_prior' takes the count 9 for 8
  const float First = Tile[0][threadIdx.x];
  Out[Base] = static_cast<float>(clock64() - Begin) +
              0.0f * (First - Warm[threadIdx.x]);
}

// Out is the time that the wait took. The first source is warm.
KERNEL wait_prior_9_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[10][128], Warm[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Warm[threadIdx.x] = In[Base];
  __syncthreads();
  for (int S = 0; S < 10; ++S) {
    copy4(&Tile[S][threadIdx.x], &In[Base + (S % Tiles) * 128]);
    commit();
  }
  const long long Begin = clock64();
  waitGroup<9>();
  const float First = Tile[0][threadIdx.x];
  Out[Base] = static_cast<float>(clock64() - Begin) +
              0.0f * (First - Warm[threadIdx.x]);
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// Stages - 1 is right here: the prefetch of this iteration is a newer group.
KERNEL prefetch_then_wait_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[3][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Tile[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    if (K + 2 < Tiles)
      copy16(&Tile[(K + 2) % 3][threadIdx.x], &In[Base + (K + 2) * 128]);
    commit();
    waitGroup<2>();
    Out[Base + K * 128] = Tile[K % 3][threadIdx.x];
  }
}

// 63 is the largest count there is; nothing is read after it.
KERNEL count_63_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  commit();
  CP_ASYNC_WAIT_GROUP(63);
  __pipeline_wait_prior(8);
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(straight_line, Stale), TWINS(before_commit, Stale),
          TWINS(branch, Stale), TWINS(ladder, Stale), TWINS(loop_tail, Stale),
          TWINS(prologue, Stale), TWINS(wrapper, Stale), TWINS(lambda, Stale),
          TWINS(shared_address, Stale), TWINS(ring2, Stale),
          TWINS(ring4, Stale), TWINS(negative, Stale),
          BAD(wait_prior_9_bad, Slow), TIMED(wait_prior_9_ok),
          OK(prefetch_then_wait_ok), OK(count_63_ok))
#endif
