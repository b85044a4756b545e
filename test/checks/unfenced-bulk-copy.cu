//===- unfenced-bulk-copy.cu - Bulk copies of unfinished data --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel stages In in shared memory, 16 KiB a block, and copies it to Out
// in bulk. Stores to one bank take their time. PTX ISA, "Async proxy": the bulk
// copy sees what threads stored only behind a fence.proxy.async of theirs and a
// barrier.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void store(void *To, const void *From, uint32_t Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
               "cp.async.bulk.commit_group;\n"
               "cp.async.bulk.wait_group 0;\n" ::"l"(To),
               "r"(toShared(From)), "r"(Bytes)
               : "memory");
}
__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
#define KERNEL __global__ void __launch_bounds__(128)

constexpr int Each = 8; // of a thread

__device__ void stage(float4 *Tile, const float4 *In) {
  float4 Mine[Each];
  for (int I = 0; I < Each; ++I)
    Mine[I] = In[threadIdx.x * Each + I];
  for (int I = 0; I < Each; ++I)
    Tile[threadIdx.x * Each + I] = Mine[I];
    // expect-note@-1: stored here
}

// Tiles is Each.
KERNEL no_fence_bad(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  // expect-note@-1: 'stage' called here
  __syncthreads();
  if (threadIdx.x == 0)
    store(&Out[First], Tile, sizeof(Tile));
    // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this copy
    // expect-note@-2: bulk copy of thread 0 reads byte 0 of 'Tile' here, stored by thread 0
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' is copied in bulk with no proxy fence behind the stores to it
}
KERNEL no_fence_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  fence();
  __syncthreads();
  if (threadIdx.x == 0)
    store(&Out[First], Tile, sizeof(Tile));
}

KERNEL no_barrier_bad(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  // expect-note@-1: 'stage' called here
  fence();
  if (threadIdx.x == 0)
    store(&Out[First], Tile, sizeof(Tile));
    // expect-note@-1: a barrier belongs between the stores and this copy
    // expect-note@-2: bulk copy of thread 0 reads 'Tile[256]' here, stored by thread 32
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' is copied in bulk with no barrier behind the stores to it
}
KERNEL no_barrier_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  fence();
  __syncthreads();
  if (threadIdx.x == 0)
    store(&Out[First], Tile, sizeof(Tile));
}

// The fence stands before the stores that it is for.
KERNEL fence_first_bad(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  fence();
  stage(Tile, In + First);
  // expect-note@-1: 'stage' called here
  __syncthreads();
  if (threadIdx.x == 0)
    store(&Out[First], Tile, sizeof(Tile));
    // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this copy
    // expect-note@-2: bulk copy of thread 0 reads byte 0 of 'Tile' here, stored by thread 0
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' is copied in bulk with no proxy fence behind the stores to it
}
KERNEL fence_first_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  fence();
  __syncthreads();
  if (threadIdx.x == 0)
    store(&Out[First], Tile, sizeof(Tile));
}

// A fence of the thread that copies, behind the barrier, was not seen to fail.
KERNEL fence_of_copier_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  __syncthreads();
  if (threadIdx.x == 0) {
    fence();
    store(&Out[First], Tile, sizeof(Tile));
  }
}

// What another warp stored elsewhere is nothing to this copy.
KERNEL others_elsewhere_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[4][8][32];
  const int First = blockIdx.x * Tiles * 128, Warp = threadIdx.x / 32;
  for (int T = 0; T < Tiles; ++T)
    Tile[Warp][T % 8][threadIdx.x % 32] =
        In[First + Warp * 32 * Tiles + T * 32 + threadIdx.x % 32];
  fence();
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    store(&Out[First + Warp * 32 * Tiles], Tile[Warp], sizeof(Tile[0]));
}

// Products of ones with these halves: the sum of the halves that it reads, in
// every element, whatever the tile's layout.
__device__ void multiply(float (&D)[4], const uint4 *Tile) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, {%4, %4, %4, %4}, %5, 1, 1, 1, 0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "r"(0x3C003C00), "l"((toShared(Tile) & 0x3FFFF) >> 4 |
                                      uint64_t(8) << 16 | uint64_t(8) << 32));
}
__device__ void beginProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void waitForProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ bool areAll(const float (&D)[4], float Right) {
  return D[0] == Right && D[1] == Right && D[2] == Right && D[3] == Right;
}
__device__ void fill(uint4 *Tile, int Round) {
  const uint32_t Half = 0x3C00 + (Round & 1) * 0x400; // 1 or 2
  const uint32_t Two = Half << 16 | Half;
  for (int I = 0; I < Each; ++I)
    Tile[threadIdx.x * Each + I] = uint4{Two, Two, Two, Two};
    // expect-note@-1: stored here
}

KERNEL no_fence_product_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ alignas(128) uint4 Tile[128 * Each];
  for (int T = 0; T < Tiles; ++T) {
    fill(Tile, T);
    // expect-note@-1: 'fill' called here
    __syncthreads();
    float D[4] = {};
    beginProducts();
    for (int I = 0; I < 8 * Each; ++I)
      multiply(D, Tile + I * 16);
      // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this product
      // expect-note@-2: matrix product of thread 0 reads 'Tile[0]' here, stored by thread 0
      // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' may be read by a matrix product with no proxy fence behind the stores to it
    waitForProducts();
    const int At = (blockIdx.x * Tiles + T) * 128 + threadIdx.x;
    Out[At] = areAll(D, 128 * Each * (1 + T % 2)) ? In[At] : 0;
    __syncthreads();
  }
}
KERNEL no_fence_product_ok(const float *In, float *Out, int Tiles) {
  __shared__ alignas(128) uint4 Tile[128 * Each];
  for (int T = 0; T < Tiles; ++T) {
    fill(Tile, T);
    fence();
    __syncthreads();
    float D[4] = {};
    beginProducts();
    for (int I = 0; I < 8 * Each; ++I)
      multiply(D, Tile + I * 16);
    waitForProducts();
    const int At = (blockIdx.x * Tiles + T) * 128 + threadIdx.x;
    Out[At] = areAll(D, 128 * Each * (1 + T % 2)) ? In[At] : 0;
    __syncthreads();
  }
}

// The warps of a warpgroup come together at a product, however late one is; no
// barrier is needed behind what they have stored and fenced.
KERNEL late_warp_product_ok(const float *In, float *Out, int Tiles) {
  __shared__ alignas(128) uint4 Tile[128 * Each];
  for (int T = 0; T < Tiles; ++T) {
    if (threadIdx.x / 32 == T % 4)
      for (const long long Begin = clock64(); clock64() - Begin < 20000;)
        ;
    fill(Tile, T);
    fence();
    float D[4] = {};
    beginProducts();
    for (int I = 0; I < 8 * Each; ++I)
      multiply(D, Tile + I * 16);
    waitForProducts();
    const int At = (blockIdx.x * Tiles + T) * 128 + threadIdx.x;
    Out[At] = areAll(D, 128 * Each * (1 + T % 2)) ? In[At] : 0;
    __syncthreads();
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
               : "r"(toShared(Here)));
  return There;
}
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
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
                 : "r"(toShared(B)), "r"(Parity)
                 : "memory");
}
__device__ void send(uint32_t To, const void *From, uint32_t Bytes,
                     uint32_t Barrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(To),
               "r"(toShared(From)), "r"(Bytes), "r"(Barrier)
               : "memory");
}

KERNEL to_other_block_bad(const float4 *In, float4 *Out, int Tiles) {
  alignas(128) __shared__ float4 Tile[128 * Each];
  alignas(128) __shared__ float4 Come[128 * Each];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  meet();
  stage(Tile, In + blockIdx.x * 128 * Each);
  // expect-note@-1: 'stage' called here
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Come));
    send(otherBlock(Come), Tile, sizeof(Tile), otherBlock(&Full));
    // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this copy
    // expect-note@-2: bulk copy of thread 0 of block 0 reads byte 0 of 'Tile' here, stored by thread 0 of block 0
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' is copied in bulk with no proxy fence behind the stores to it
  }
  waitForPhase(&Full, 0);
  for (int I = 0; I < Each; ++I)
    Out[(blockIdx.x ^ 1) * 128 * Each + I * 128 + threadIdx.x] =
        Come[I * 128 + threadIdx.x];
  meet();
}
KERNEL to_other_block_ok(const float4 *In, float4 *Out, int Tiles) {
  alignas(128) __shared__ float4 Tile[128 * Each];
  alignas(128) __shared__ float4 Come[128 * Each];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  meet();
  stage(Tile, In + blockIdx.x * 128 * Each);
  fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Come));
    send(otherBlock(Come), Tile, sizeof(Tile), otherBlock(&Full));
  }
  waitForPhase(&Full, 0);
  for (int I = 0; I < Each; ++I)
    Out[(blockIdx.x ^ 1) * 128 * Each + I * 128 + threadIdx.x] =
        Come[I * 128 + threadIdx.x];
  meet();
}

// By the PTX ISA, `.read` waits until Tile was read, not until Out was written.
__device__ unsigned Finished;
__device__ bool isLast() {
  __shared__ bool IsLast;
  if (threadIdx.x == 0) {
    __threadfence();
    IsLast = atomicInc(&Finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return IsLast;
}
KERNEL told_behind_read_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ alignas(128) float4 Tile[128 * Each];
  const int First = blockIdx.x * 128 * Each;
  stage(Tile, In + First);
  fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group.read 0;\n" ::"l"(&Out[First]),
                 "r"(toShared(Tile)), "r"(uint32_t{sizeof(Tile)})
                 : "memory");
  }
  if (!isLast())
    return;
  const int All = gridDim.x * 128 * Each;
  for (int I = threadIdx.x; I < All; I += 128) { // its own comes first
    const int At = (First + I) % All;
    if (__ldcg(&Out[At].x) != In[At].x)
      Out[At].x = -1;
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(no_fence, Stale), TWINS(no_barrier, Stale),
          TWINS(fence_first, Stale), OK(fence_of_copier_ok),
          OK(others_elsewhere_ok), TWINS(no_fence_product, Stale),
          OK(late_warp_product_ok), TWINS(to_other_block, Stale),
          OK(told_behind_read_ok))
#endif
