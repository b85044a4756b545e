//===- in-flight-overwrite.cu - Memory that is still in use ----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy must not land where other threads may still read, and nothing may be
// stored where a copy is still to land. A barrier orders the former, a wait the
// latter. Every `_bad` kernel gives wrong data on a GPU, every `_ok` kernel
// copies In to Out.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>
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
__device__ void copyOrZero(void *Dst, const void *Src, bool Valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(
                   sharedAddress(Dst)),
               "l"(Src), "r"(Valid ? 16 : 0)
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
template <int N> __device__ void bulkWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;\n" ::"n"(N) : "memory");
}
// Makes ordinary stores visible to the bulk copies that follow.
__device__ void fenceProxyAsync() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}
__device__ void barrierSync(int Id, int Count) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}
__device__ void barrierArrive(int Id, int Count) {
  asm volatile("bar.arrive %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}

// Only the timing depends on these: warps drift apart in real kernels too.
__device__ void lag() {
  const long long Start = clock64();
  while (clock64() - Start < 20000)
    ;
}
__device__ void lagOddWarps() {
  if (threadIdx.x / 32 % 2 == 1)
    lag();
}

//===----------------------------------------------------------------------===//
// Refilled while others read
//===----------------------------------------------------------------------===//

// One slot, no barrier on the back edge: in iteration 1 thread 0 copies where
// thread 32 reads in iteration 0.
KERNEL single_buffer_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 32
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
    commit();
    waitGroup<0>();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Tile[Other];
    // expect-note@-1: read here
  }
}

KERNEL single_buffer_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  for (int K = 0; K < Tiles; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    waitGroup<0>();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Tile[Other];
    __syncthreads();
  }
}

// Fetches ahead before the barrier: in iteration 1 thread 0 copies into the
// slot that thread 32 reads in iteration 0.
KERNEL toggle_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[0][threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    if (K + 1 < Tiles)
      copy16(&Tile[Slot ^ 1][threadIdx.x],
      // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Tile[0][0]' here, read by thread 32
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
             &In[Base + (K + 1) * 128 + threadIdx.x]);
    commit();
    waitGroup<1>();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Tile[Slot][Other];
    // expect-note@-1: read here
  }
}

KERNEL toggle_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[0][threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
    if (K + 1 < Tiles)
      copy16(&Tile[Slot ^ 1][threadIdx.x],
             &In[Base + (K + 1) * 128 + threadIdx.x]);
    commit();
    waitGroup<1>();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Tile[Slot][Other];
    __syncthreads();
  }
}

// Three slots, the refill stands before the barrier that protects it: in
// iteration 1 thread 0 copies where thread 32 reads in iteration 0.
KERNEL ring3_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  __shared__ float4 Ring[3][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Ring[S][threadIdx.x], &In[Base + S * 128 + threadIdx.x]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    waitGroup<1>();
    if (K + 2 < Tiles)
      copy16(&Ring[(K + 2) % 3][threadIdx.x],
      // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 32
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
             &In[Base + (K + 2) * 128 + threadIdx.x]);
    commit();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Ring[K % 3][Other];
    // expect-note@-1: read here
  }
}

KERNEL ring3_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[3][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Ring[S][threadIdx.x], &In[Base + S * 128 + threadIdx.x]);
    commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<1>();
    __syncthreads();
    if (K + 2 < Tiles)
      copy16(&Ring[(K + 2) % 3][threadIdx.x],
             &In[Base + (K + 2) * 128 + threadIdx.x]);
    commit();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Ring[K % 3][Other];
  }
}

#define FETCH(K)                                                               \
  if ((K) < Tiles)                                                             \
    __pipeline_memcpy_async(&Ring[(K) % 3][threadIdx.x],                       \
                            &In[Base + (K) * 128 + threadIdx.x], 16);          \
  __pipeline_commit()

// As many stages as slots: thread 0 refills the slot that thread 32 is reading
// in the same iteration.
KERNEL stages3_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  __shared__ float4 Ring[3][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  FETCH(0);
  FETCH(1);
  FETCH(2);
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_wait_prior(2);
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Ring[K % 3][Other];
    // expect-note@-1: read here
    FETCH(K + 3);
    // expect-note@-1: a barrier belongs between the read in line -1 and this overwrite
    // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 32
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  }
}

KERNEL stages3_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[3][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  FETCH(0);
  FETCH(1);
  FETCH(2);
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(2);
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Ring[K % 3][Other];
    __syncthreads();
    FETCH(K + 3);
  }
}

// A warp's barrier on the back edge, through lambdas: in iteration 1 thread 0
// copies where thread 127, in another warp, reads in iteration 0.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  auto Load = [&](int K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
    commit();
  };
  auto Use = [&](int K) {
    lagOddWarps();
    Out[Base + K * 128 + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
    // expect-note@-1: read here
  };
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    Load(K);
    // expect-note@-1: 'Load' called here
    waitGroup<0>();
    __syncthreads();
    Use(K);
    // expect-note@-1: 'Use' called here
    __syncwarp();
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  auto Load = [&](int K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
  };
  auto Use = [&](int K) {
    lagOddWarps();
    Out[Base + K * 128 + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
  };
  for (int K = 0; K < Tiles; ++K) {
    Load(K);
    waitGroup<0>();
    __syncthreads();
    Use(K);
    __syncthreads();
  }
}

// Two steps a tile, barriers inside it, none between tiles: the prologue of
// tile 1, by thread 0, meets the last read of tile 0, by thread 32.
KERNEL persistent_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  __shared__ float4 Ring[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  for (int T = 0; T + 1 < Tiles; T += 2) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 2
    for (int S = 0; S < 2; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 1
      copy16(&Ring[S][threadIdx.x], &In[Base + (T + S) * 128 + threadIdx.x]);
      // expect-note@-1: a barrier belongs between the read in line +7 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Ring[1][0]' here, read by thread 32
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
      commit();
    }
    for (int S = 0; S < 2; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 1
      waitGroup<0>();
      __syncthreads();
      lagOddWarps();
      Out[Base + (T + S) * 128 + Other] = Ring[S][Other];
      // expect-note@-1: read here
    }
  }
}

KERNEL persistent_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  for (int T = 0; T + 1 < Tiles; T += 2) {
    for (int S = 0; S < 2; ++S) {
      copy16(&Ring[S][threadIdx.x], &In[Base + (T + S) * 128 + threadIdx.x]);
      commit();
    }
    for (int S = 0; S < 2; ++S) {
      waitGroup<0>();
      __syncthreads();
      lagOddWarps();
      Out[Base + (T + S) * 128 + Other] = Ring[S][Other];
    }
    __syncthreads();
  }
}

// "Nothing is copied after the last tile": a source size of 0 writes zeros.
// In the last iteration thread 0 zeroes what thread 32 is reading.
KERNEL zero_fill_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const bool More = K + 1 < Tiles;
    waitGroup<0>();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Tile[Other];
    // expect-note@-1: read here
    if (More)
    // expect-note@-1: taken when this condition is false
      __syncthreads();
    const int Next = More ? K + 1 : 0;
    copyOrZero(&Tile[threadIdx.x], &In[Base + Next * 128 + threadIdx.x], More);
    // expect-note@-1: a barrier belongs between the read in line -4 and this overwrite
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 32
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
    commit();
  }
}

KERNEL zero_fill_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  copy16(&Tile[threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    const bool More = K + 1 < Tiles;
    waitGroup<0>();
    __syncthreads();
    lagOddWarps();
    Out[Base + K * 128 + Other] = Tile[Other];
    __syncthreads();
    const int Next = More ? K + 1 : 0;
    copyOrZero(&Tile[threadIdx.x], &In[Base + Next * 128 + threadIdx.x], More);
    commit();
  }
}

// Warp 0 copies, warps 1 to 3 read and never say that they are done: in
// iteration 1 thread 0 copies where thread 32 reads in iteration 0.
KERNEL handover_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    if (threadIdx.x < 32) {
      for (int C = threadIdx.x; C < 128; C += 32)
      // expect-note@-1: in the first iteration of this loop
        copy16(&Tile[C], &In[Base + K * 128 + C]);
        // expect-note@-1: a barrier belongs between the read in line +8 and this overwrite in a later iteration
        // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 32
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
      commit();
      waitGroup<0>();
      barrierSync(1, 128);
    } else {
      barrierSync(1, 128);
      lag();
      for (int C = threadIdx.x - 32; C < 128; C += 96)
        Out[Base + K * 128 + C] = Tile[C];
        // expect-note@-1: read here
    }
  }
}

KERNEL handover_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128;
  for (int K = 0; K < Tiles; ++K) {
    if (threadIdx.x < 32) {
      for (int C = threadIdx.x; C < 128; C += 32)
        copy16(&Tile[C], &In[Base + K * 128 + C]);
      commit();
      waitGroup<0>();
      barrierSync(1, 128);
      barrierSync(2, 128);
    } else {
      barrierSync(1, 128);
      lag();
      for (int C = threadIdx.x - 32; C < 128; C += 96)
        Out[Base + K * 128 + C] = Tile[C];
      barrierArrive(2, 128);
    }
  }
}

//===----------------------------------------------------------------------===//
// Stored to while a copy is in flight
//===----------------------------------------------------------------------===//

// Thread 96 patches its element before the copy it issued there has landed.
KERNEL patch_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const float4 Patch = In[First + threadIdx.x];
  lag();
  const int Source = threadIdx.x < 96 ? threadIdx.x : 95;
  copy16(&Tile[threadIdx.x], &In[First + Source]);
  // expect-note@-1: copy issued here
  commit();
  if (threadIdx.x >= 96)
    Tile[threadIdx.x] = Patch;
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: thread 96 overwrites 'Tile[96]' here, copied by thread 96
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  waitGroup<0>();
  __syncthreads();
  Out[First + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
}

KERNEL patch_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  const float4 Patch = In[First + threadIdx.x];
  lag();
  const int Source = threadIdx.x < 96 ? threadIdx.x : 95;
  copy16(&Tile[threadIdx.x], &In[First + Source]);
  commit();
  waitGroup<0>();
  if (threadIdx.x >= 96)
    Tile[threadIdx.x] = Patch;
  __syncthreads();
  Out[First + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
}

// Thread 127 zeroes the halo that thread 0 is still copying into.
KERNEL halo_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Row[129];
  const int First = blockIdx.x * 128;
  for (int C = threadIdx.x; C < 129; C += 128)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the second iteration of this loop
    copy16(&Row[C], &In[First + C % 128]);
    // expect-note@-1: copy issued here
  commit();
  if (threadIdx.x == 127)
    Row[128] = make_float4(0, 0, 0, 0);
    // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
    // expect-note@-2: thread 127 overwrites 'Row[128]' here, copied by thread 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Row' is overwritten while a copy into it is in flight
  waitGroup<0>();
  __syncthreads();
  float4 V = Row[threadIdx.x];
  V.x += Row[128].x;
  Out[First + threadIdx.x] = V;
}

KERNEL halo_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Row[129];
  const int First = blockIdx.x * 128;
  for (int C = threadIdx.x; C < 129; C += 128)
    copy16(&Row[C], &In[First + C % 128]);
  commit();
  waitGroup<0>();
  __syncthreads();
  if (threadIdx.x == 127)
    Row[128] = make_float4(0, 0, 0, 0);
  __syncthreads();
  float4 V = Row[threadIdx.x];
  V.x += Row[128].x;
  Out[First + threadIdx.x] = V;
}

// The loop always fetches one tile ahead; the last fetch is in flight when the
// epilogue stages the result in slot 0 of the same memory.
KERNEL epilogue_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  extern __shared__ float4 Pool[];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  if (Tiles < 1)
  // expect-note@-1: taken when this condition is false
    return;
  float4 Last;
  copy16(&Pool[threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: in the iteration of this loop with K = 1
  // expect-note@-2: loop run for 2 iterations
    waitGroup<0>();
    __syncthreads();
    const int Next = K + 1 < Tiles ? K + 1 : 0;
    copy16(&Pool[(Slot ^ 1) * 128 + threadIdx.x],
    // expect-note@-1: copy issued here
           &In[Base + Next * 128 + threadIdx.x]);
    commit();
    // expect-note@-1: committed here
    Last = Pool[Slot * 128 + Other];
    if (K + 1 < Tiles)
      Out[Base + K * 128 + Other] = Last;
  }
  __syncthreads();
  Pool[Other] = Last;
  // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
  // expect-note@-2: thread 0 overwrites 'Pool[32]' here, copied by thread 32
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Pool' may be overwritten while a copy into it is in flight
  lagOddWarps();
  __syncthreads();
  Out[Base + (Tiles - 1) * 128 + threadIdx.x] = Pool[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Pool[0]' here
  // expect-note@-2: wait for all copies: insert 'waitGroup<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Pool' may be read before the asynchronous copy into it has completed
}

KERNEL epilogue_ok(const float4 *In, float4 *Out, int Tiles) {
  extern __shared__ float4 Pool[];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  if (Tiles < 1)
    return;
  float4 Last;
  copy16(&Pool[threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
    waitGroup<0>();
    __syncthreads();
    const int Next = K + 1 < Tiles ? K + 1 : 0;
    copy16(&Pool[(Slot ^ 1) * 128 + threadIdx.x],
           &In[Base + Next * 128 + threadIdx.x]);
    commit();
    Last = Pool[Slot * 128 + Other];
    if (K + 1 < Tiles)
      Out[Base + K * 128 + Other] = Last;
  }
  waitGroup<0>();
  __syncthreads();
  Pool[Other] = Last;
  lagOddWarps();
  __syncthreads();
  Out[Base + (Tiles - 1) * 128 + threadIdx.x] = Pool[threadIdx.x];
}

union Storage {
  float4 Ring[2][128];
  float Staging[1024];
};

// The copy into slot 1 is in flight when thread 0 stores to bytes 2048 to 2063.
KERNEL union_bad(const float4 *In, float *Out) {
  __shared__ Storage S;
  const int First = blockIdx.x * 128;
  copy16(&S.Ring[0][threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  copy16(&S.Ring[1][threadIdx.x], &In[First + 127 - threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  const float4 V = S.Ring[0][threadIdx.x];
  float *Staging = &S.Staging[512 + threadIdx.x * 4];
  Staging[0] = V.x, Staging[1] = V.y, Staging[2] = V.z, Staging[3] = V.w;
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Staging[0]' (byte 2048 of 'S') here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'S' is overwritten while a copy into it is in flight
  waitGroup<0>();
  __syncthreads();
  for (int C = threadIdx.x; C < 512; C += 128)
    Out[First * 4 + C] = S.Staging[512 + C];
}

KERNEL union_ok(const float4 *In, float *Out) {
  __shared__ Storage S;
  const int First = blockIdx.x * 128;
  copy16(&S.Ring[0][threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  copy16(&S.Ring[1][threadIdx.x], &In[First + 127 - threadIdx.x]);
  commit();
  const float4 V = S.Ring[0][threadIdx.x];
  waitGroup<0>();
  float *Staging = &S.Staging[512 + threadIdx.x * 4];
  Staging[0] = V.x, Staging[1] = V.y, Staging[2] = V.z, Staging[3] = V.w;
  __syncthreads();
  for (int C = threadIdx.x; C < 512; C += 128)
    Out[First * 4 + C] = S.Staging[512 + C];
}

struct Buffers {
  float4 A[128];
  float4 B[128];
  float4 Scratch[128];
};

// An offset that forgets A: thread 0 stores where it is copying into B.
KERNEL scratch_bad(const float4 *In, float4 *Out) {
  __shared__ Buffers S;
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 64;
  const float4 V = In[First + threadIdx.x];
  lag();
  copy16(&S.A[threadIdx.x], &In[First + Other]);
  copy16(&S.B[threadIdx.x], &In[First + Other]);
  // expect-note@-1: copy issued here
  commit();
  float4 *Scratch =
      reinterpret_cast<float4 *>(reinterpret_cast<char *>(&S) + sizeof(S.B));
  Scratch[threadIdx.x] = V;
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'S.B[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'S' is overwritten while a copy into it is in flight
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Scratch[Other];
}

KERNEL scratch_ok(const float4 *In, float4 *Out) {
  __shared__ Buffers S;
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 64;
  const float4 V = In[First + threadIdx.x];
  lag();
  copy16(&S.A[threadIdx.x], &In[First + Other]);
  copy16(&S.B[threadIdx.x], &In[First + Other]);
  commit();
  float4 *Scratch = reinterpret_cast<float4 *>(reinterpret_cast<char *>(&S) +
                                               sizeof(S.A) + sizeof(S.B));
  Scratch[threadIdx.x] = V;
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Scratch[Other];
}

// A copy, then zeros into the same bytes, by the same thread: the zeros land
// first.
KERNEL two_copies_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128], Halo[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  copy16(&Halo[threadIdx.x], &In[I]);
  // expect-note@-1: copy issued here
  copyOrZero(&Halo[threadIdx.x], &In[I], false);
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Halo[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Halo' is overwritten while a copy into it is in flight
  commit();
  waitGroup<0>();
  float4 V = Tile[threadIdx.x];
  V.x += Halo[threadIdx.x].x;
  Out[I] = V;
}

KERNEL two_copies_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128], Halo[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Tile[threadIdx.x], &In[I]);
  copy16(&Halo[threadIdx.x], &In[I]);
  commit();
  waitGroup<0>();
  copyOrZero(&Halo[threadIdx.x], &In[I], false);
  commit();
  waitGroup<0>();
  float4 V = Tile[threadIdx.x];
  V.x += Halo[threadIdx.x].x;
  Out[I] = V;
}

// Thread 64 copies what Out holds to where thread 0 copies the data; no barrier
// says which comes first.
KERNEL two_writers_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x >= 64) {
    lag();
    for (int C = threadIdx.x - 64; C < 128; C += 64)
    // expect-note@-1: in the first iteration of this loop
      copy16(&Tile[C], &Out[First + C]);
      // expect-note@-1: copy issued here
  }
  if (threadIdx.x < 64)
    for (int C = threadIdx.x; C < 128; C += 64)
    // expect-note@-1: in the first iteration of this loop
      copy16(&Tile[C], &In[First + C]);
      // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
      // expect-note@-2: thread 0 overwrites 'Tile[0]' here, copied by thread 64
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

KERNEL two_writers_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x >= 64) {
    lag();
    for (int C = threadIdx.x - 64; C < 128; C += 64)
      copy16(&Tile[C], &Out[First + C]);
  }
  commit();
  waitGroup<0>();
  __syncthreads();
  if (threadIdx.x < 64)
    for (int C = threadIdx.x; C < 128; C += 64)
      copy16(&Tile[C], &In[First + C]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// The row is missing where the copy goes: eight threads fill each place.
KERNEL missing_row_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[8][16];
  const int First = blockIdx.x * 128;
  const int Row = threadIdx.x / 16, Column = threadIdx.x % 16;
  copy16(&Tile[0][Column], &In[First + threadIdx.x]);
  // expect-note@-1: thread 16 overwrites 'Tile[0][0]' here, copied by thread 0
  // expect-note@-2: threads that copy different data need places of their own, or a barrier between them
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[Row][Column];
  // expect-note@-1: read here
}

KERNEL missing_row_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[8][16];
  const int First = blockIdx.x * 128;
  const int Row = threadIdx.x / 16, Column = threadIdx.x % 16;
  copy16(&Tile[Row][Column], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[Row][Column];
}

//===----------------------------------------------------------------------===//
// Bulk copies from shared to global memory
//===----------------------------------------------------------------------===//

struct Row {
  float4 Part[16];
};

// Two conditions, one inside the other: of all threads one stores the tile, if
// the data say so. All clear it while it is still read.
KERNEL chosen_store_bad(const Row *In, Row *Out) {
  alignas(128) __shared__ Row Tile[128];
  const int First = blockIdx.x * 128;
  Tile[threadIdx.x] = In[First + threadIdx.x];
  fenceProxyAsync();
  __syncthreads();
  if (threadIdx.x == 96)
    if (In[First].Part[0].x > 0)
      bulkStore(&Out[First], Tile, sizeof(Tile));
      // expect-note@-1: copy issued here
  bulkCommit();
  __syncthreads();
  for (int K = 0; K < 16; ++K)
    Tile[127 - threadIdx.x].Part[K] = float4();
    // expect-note@-1: a wait by 'cp.async.bulk.wait_group.read' and a barrier belong before this overwrite
    // expect-note@-2: thread 96 overwrites 'Tile[31].Part[0]' here, copied in bulk by thread 96
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a bulk copy still reads it
  bulkWaitRead<0>();
}

KERNEL chosen_store_ok(const Row *In, Row *Out) {
  alignas(128) __shared__ Row Tile[128];
  const int First = blockIdx.x * 128;
  Tile[threadIdx.x] = In[First + threadIdx.x];
  fenceProxyAsync();
  __syncthreads();
  if (threadIdx.x == 96)
    if (In[First].Part[0].x > 0)
      bulkStore(&Out[First], Tile, sizeof(Tile));
  bulkCommit();
  bulkWaitRead<0>();
  __syncthreads();
  for (int K = 0; K < 16; ++K)
    Tile[127 - threadIdx.x].Part[K] = float4();
  bulkWaitRead<0>();
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// The block ends while its store reads shared memory: by the PTX ISA it should
// wait.
KERNEL ends_before_ok(const Row *In, Row *Out) {
  alignas(128) __shared__ Row Tile[128];
  const int First = blockIdx.x * 128;
  Tile[threadIdx.x] = In[First + threadIdx.x];
  fenceProxyAsync();
  __syncthreads();
  if (threadIdx.x == 0)
    bulkStore(&Out[First], Tile, sizeof(Tile));
  bulkCommit();
}

// Each thread refills what only it reads: no barrier anywhere.
KERNEL own_slot_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    lagOddWarps();
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    commit();
    waitGroup<0>();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

// The result is staged in the slot that no copy is in flight into.
KERNEL staged_in_free_slot_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Ring[2][128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  copy16(&Ring[0][threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  copy16(&Ring[1][threadIdx.x], &In[First + threadIdx.x]);
  commit();
  const float4 V = Ring[0][Other];
  __syncthreads();
  Ring[0][threadIdx.x] = V;
  __syncthreads();
  Out[First + threadIdx.x] = Ring[0][Other];
}

//===----------------------------------------------------------------------===//
// Operands of a matrix product (sm_90a): they are read until the wait.

constexpr int Halves = 8192;

// Every half is 1 or 2, a round over; the product with ones is 1024 times that.
__device__ void fillHalves(uint4 *Tile, int Round) {
  const unsigned Half = Round % 2 ? 0x4000 : 0x3C00, Two = Half << 16 | Half;
  for (int I = threadIdx.x; I < Halves / 8; I += 128)
    Tile[I] = uint4{Two, Two, Two, Two};
    // expect-note@-1: thread 0 overwrites 'Tile[0]' here, used in a matrix product by thread 0
}
__device__ unsigned long long descriptorOf(const uint4 *Tile) {
  return (sharedAddress(Tile) & 0x3FFFF) >> 4 | 8ull << 16 | 8ull << 32;
}
__device__ void beginProduct(float (&D)[4], const uint4 *Ones,
                             const uint4 *Tile) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int I = 0; I < Halves / 128; ++I)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
    // expect-note@-1: matrix product issued here
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
                 : "l"(descriptorOf(Ones)), "l"(descriptorOf(Tile) + I * 16));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void waitForProduct(float (&D)[4]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])::"memory");
}
__device__ bool isProduct(const float (&D)[4], int Round) {
  const float Right = Halves / 8 * (Round % 2 ? 2 : 1);
  return D[0] == Right && D[1] == Right && D[2] == Right && D[3] == Right;
}

KERNEL product_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ alignas(128) uint4 Tile[Halves / 8], Ones[128];
  Ones[threadIdx.x] = uint4{0x3C003C00, 0x3C003C00, 0x3C003C00, 0x3C003C00};
  fillHalves(Tile, 0);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    fenceProxyAsync();
    __syncthreads();
    float D[4] = {};
    beginProduct(D, Ones, Tile);
    // expect-note@-1: 'beginProduct' called here
    fillHalves(Tile, T + 1);
    // expect-note@-1: 'fillHalves' called here
    // expect-note@-2: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this call
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a matrix product still reads it
    waitForProduct(D);
    const int At = (blockIdx.x * Tiles + T) * 128 + threadIdx.x;
    Out[At] = isProduct(D, T) ? In[At] : 0;
  }
}
KERNEL product_ok(const float *In, float *Out, int Tiles) {
  __shared__ alignas(128) uint4 Tile[Halves / 8], Ones[128];
  Ones[threadIdx.x] = uint4{0x3C003C00, 0x3C003C00, 0x3C003C00, 0x3C003C00};
  fillHalves(Tile, 0);
  for (int T = 0; T < Tiles; ++T) {
    fenceProxyAsync();
    __syncthreads();
    float D[4] = {};
    beginProduct(D, Ones, Tile);
    waitForProduct(D);
    __syncthreads();
    fillHalves(Tile, T + 1);
    const int At = (blockIdx.x * Tiles + T) * 128 + threadIdx.x;
    Out[At] = isProduct(D, T) ? In[At] : 0;
  }
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

// One of eight.
__device__ float4 ifAllAreEqual(const float4 *Of) {
  float4 One = Of[0];
  for (int K = 1; K < 8; ++K)
    if (Of[K].x != One.x)
      One = float4();
  return One;
}

// Each block sends its tile to the other one and stores the next into it: that the
// other has read it, only the other one knows.
KERNEL sent_bad(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[1024], Come[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  for (int K = 0; K < 8; ++K)
    Tile[threadIdx.x * 8 + K] = In[blockIdx.x * 128 + threadIdx.x];
  fenceProxyAsync();
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Come));
    send(otherBlock(Come), Tile, sizeof(Tile), otherBlock(&Full));
    // expect-note@-1: copy issued here
  }
  __syncthreads();
  for (int K = 0; K < 8; ++K)
    Tile[1023 - threadIdx.x * 8 - K] = float4();
    // expect-note@-1: a wait in the block that gets it and then a barrier of the cluster belong before this overwrite
    // expect-note@-2: thread 0 of block 0 overwrites 'Tile[1023]' here, copied in bulk by thread 0 of block 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a bulk copy still reads it
  waitForPhase(&Full, 0);
  Out[(blockIdx.x ^ 1) * 128 + threadIdx.x] = ifAllAreEqual(Come + threadIdx.x * 8);
  meet();
}
KERNEL sent_ok(const float4 *In, float4 *Out) {
  alignas(128) __shared__ float4 Tile[1024], Come[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  for (int K = 0; K < 8; ++K)
    Tile[threadIdx.x * 8 + K] = In[blockIdx.x * 128 + threadIdx.x];
  fenceProxyAsync();
  meet();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Come));
    send(otherBlock(Come), Tile, sizeof(Tile), otherBlock(&Full));
  }
  waitForPhase(&Full, 0);
  meet();
  for (int K = 0; K < 8; ++K)
    Tile[1023 - threadIdx.x * 8 - K] = float4();
  Out[(blockIdx.x ^ 1) * 128 + threadIdx.x] = ifAllAreEqual(Come + threadIdx.x * 8);
  meet();
}

//===----------------------------------------------------------------------===//
// Phases that one lane waits for
//===----------------------------------------------------------------------===//

__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(B))
               : "memory");
}
__device__ void arriveWithCopies(uint64_t *B) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                   sharedAddress(B))
               : "memory");
}

// The other lanes refill the slot as soon as they come there.
KERNEL freed_for_one_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[128];
  __shared__ uint64_t Full, Empty;
  if (threadIdx.x == 0) {
    initBarrier(&Full, 32);
    initBarrier(&Empty, 96);
  }
  __syncthreads();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    const int Base = (blockIdx.x * Tiles + K) * 128;
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0)
        waitForPhase(&Empty, (K & 1) ^ 1);
      for (int I = threadIdx.x; I < 128; I += 32)
      // expect-note@-1: in the first iteration of this loop
        copy16(&Tile[I], &In[Base + I]);
        // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
        // expect-note@-2: thread 1 overwrites 'Tile[1]' here, read by thread 33
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
      arriveWithCopies(&Full);
    } else {
      waitForPhase(&Full, K & 1);
      lagOddWarps();
      for (int I = threadIdx.x - 32; I < 128; I += 96)
        Out[Base + I] = Tile[I];
        // expect-note@-1: read here
      arrive(&Empty);
    }
  }
}

KERNEL freed_for_one_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  __shared__ uint64_t Full, Empty;
  if (threadIdx.x == 0) {
    initBarrier(&Full, 32);
    initBarrier(&Empty, 96);
  }
  __syncthreads();
  for (int K = 0; K < Tiles; ++K) {
    const int Base = (blockIdx.x * Tiles + K) * 128;
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0)
        waitForPhase(&Empty, (K & 1) ^ 1);
      __syncwarp();
      for (int I = threadIdx.x; I < 128; I += 32)
        copy16(&Tile[I], &In[Base + I]);
      arriveWithCopies(&Full);
    } else {
      waitForPhase(&Full, K & 1);
      lagOddWarps();
      for (int I = threadIdx.x - 32; I < 128; I += 96)
        Out[Base + I] = Tile[I];
      arrive(&Empty);
    }
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(product, Stale), TWINS(single_buffer, Stale), TWINS(toggle, Stale),
          TWINS(ring3, Stale), TWINS(stages3, Stale), TWINS(lambda, Stale),
          TWINS(persistent, Stale), TWINS(zero_fill, Stale),
          TWINS(handover, Stale), TWINS(patch, Stale), TWINS(halo, Stale),
          TWINS(epilogue, Stale), TWINS(union, Stale), TWINS(scratch, Stale),
          TWINS(two_copies, Stale), TWINS(two_writers, Stale), TWINS(missing_row, Stale),
          TWINS(chosen_store, Stale), TWINS(sent, Stale),
          TWINS(freed_for_one, Trap), OK(own_slot_ok),
          OK(staged_in_free_slot_ok), OK(ends_before_ok))
#endif
