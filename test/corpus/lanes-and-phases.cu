//===- lanes-and-phases.cu - Phases that one lane waits for ----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other lanes of its warp go on, before or behind it, until they meet it at
// __syncwarp or a barrier. That matters if they access shared memory before.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>

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
__device__ void load(float *To, const float *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
  // expect-note@-1: copy issued here
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
__device__ void wait(uint64_t *B, uint32_t Parity) {
  for (uint32_t Done = 0; !Done;)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(Done)
                 : "r"(toShared(B)), "r"(Parity)
                 : "memory");
}
__device__ void waitForOne(uint64_t *B, uint32_t Parity) {
  if (threadIdx.x % 32 == 0)
    wait(B, Parity);
}

// The elected lane does all that its warp does.
__global__ __launch_bounds__(128) void elected_ok(const float *In, float *Out,
                                                  int N) {
  __shared__ alignas(128) float Tile[96];
  __shared__ uint64_t Full, Empty;
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Empty, 96);
  }
  __syncthreads();
  if (threadIdx.x >= 96) {
    if (threadIdx.x == 96)
      for (int K = 0; K < N; ++K) {
        wait(&Empty, (K & 1) ^ 1);
        load(Tile, In + K * 96, sizeof(Tile), &Full);
      }
  } else {
    for (int K = 0; K < N; ++K) {
      wait(&Full, K & 1);
      Out[K * 96 + threadIdx.x] = Tile[threadIdx.x];
      arrive(&Empty);
    }
  }
}

// Its warp goes round with it, and has nothing else to do.
__global__ __launch_bounds__(128) void together_ok(const float *In, float *Out,
                                                   int N) {
  __shared__ alignas(128) float Tile[96];
  __shared__ uint64_t Full, Empty;
  if (threadIdx.x == 0) {
    initBarrier(&Full, 1);
    initBarrier(&Empty, 96);
  }
  __syncthreads();
  for (int K = 0; K < N; ++K) {
    if (threadIdx.x >= 96) {
      if (threadIdx.x == 96) {
        wait(&Empty, (K & 1) ^ 1);
        load(Tile, In + K * 96, sizeof(Tile), &Full);
      }
    } else {
      wait(&Full, K & 1);
      Out[K * 96 + threadIdx.x] = Tile[threadIdx.x];
      arrive(&Empty);
    }
  }
}

// A lane waits for its warp in a function of its own.
__global__ __launch_bounds__(128) void called_bad(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    load(Tile, In, sizeof(Tile), &Full);
    // expect-note@-1: 'load' called here
  waitForOne(&Full, 0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 1 reads 'Tile[1]' here, copied by thread 0
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}
__global__ __launch_bounds__(128) void called_ok(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    load(Tile, In, sizeof(Tile), &Full);
  waitForOne(&Full, 0);
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// What they read first lies behind a pointer, a reference, a view.
__device__ float elementOf(const float *P, int I) { return P[I]; }
// expect-note@-1: a barrier belongs between the wait in line +15 and this read
// expect-note@-2: thread 1 reads 'Tile[1]' here, copied by thread 0
// expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
__device__ float lastOf(const float (&Row)[128]) { return Row[threadIdx.x]; }
// expect-note@-1: a barrier belongs between the wait in line +27 and this read
// expect-note@-2: thread 1 reads 'Tile[1]' here, copied by thread 0
// expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
struct View {
  const float *Data;
  __device__ float operator()(int I) const { return Data[I]; }
  // expect-note@-1: a barrier belongs between the wait in line +38 and this read
  // expect-note@-2: thread 1 reads 'Tile[1]' here, copied by thread 0
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
};
__global__ __launch_bounds__(128) void by_pointer_bad(const float *In,
                                                      float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    load(Tile, In, sizeof(Tile), &Full);
    // expect-note@-1: 'load' called here
    wait(&Full, 0);
    // expect-note@-1: its thread waits for the copy here
  }
  Out[threadIdx.x] = elementOf(Tile, threadIdx.x);
  // expect-note@-1: 'elementOf' called here
}
__global__ __launch_bounds__(128) void by_reference_bad(const float *In,
                                                        float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    load(Tile, In, sizeof(Tile), &Full);
    // expect-note@-1: 'load' called here
    wait(&Full, 0);
    // expect-note@-1: its thread waits for the copy here
  }
  Out[threadIdx.x] = lastOf(Tile);
  // expect-note@-1: 'lastOf' called here
}
__global__ __launch_bounds__(128) void by_view_bad(const float *In,
                                                   float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  View Seen{Tile};
  if (threadIdx.x == 0) {
    load(Tile, In, sizeof(Tile), &Full);
    // expect-note@-1: 'load' called here
    wait(&Full, 0);
    // expect-note@-1: its thread waits for the copy here
  }
  Out[threadIdx.x] = Seen(threadIdx.x);
  // expect-note@-1: 'operator()' called here
}

// The others of its warp read nothing before the barrier of the block.
__global__ __launch_bounds__(128) void block_ok(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    load(Tile, In, sizeof(Tile), &Full);
    wait(&Full, 0);
  }
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// They read in a round in which it does not wait.
__global__ __launch_bounds__(32) void rounds_bad(const float *In, float *Out,
// expect-note@-1: with N = 1
                                                 int N) {
  __shared__ alignas(128) float Tile[2][32];
  __shared__ uint64_t Full[2];
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 0
      initBarrier(&Full[S], 1);
      load(Tile[S], In + S * 32, sizeof(Tile[S]), &Full[S]);
      // expect-note@-1: 'load' called here
    }
  __syncwarp();
  for (int K = 0; K < N; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const int S = K & 1;
    if (threadIdx.x == 0)
      wait(&Full[S], K / 2 & 1);
      // expect-note@-1: its thread waits for the copy here
    Out[K * 32 + threadIdx.x] = Tile[S][threadIdx.x];
    // expect-note@-1: a barrier belongs between the wait in line -1 and this read
    // expect-note@-2: thread 1 reads 'Tile[0][1]' here, copied by thread 0
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
    __syncwarp();
    if (threadIdx.x == 0)
      load(Tile[S], In + (K + 2) * 32, sizeof(Tile[S]), &Full[S]);
  }
}
__global__ __launch_bounds__(32) void rounds_ok(const float *In, float *Out,
                                                int N) {
  __shared__ alignas(128) float Tile[2][32];
  __shared__ uint64_t Full[2];
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
      initBarrier(&Full[S], 1);
      load(Tile[S], In + S * 32, sizeof(Tile[S]), &Full[S]);
    }
  __syncwarp();
  for (int K = 0; K < N; ++K) {
    const int S = K & 1;
    if (threadIdx.x == 0)
      wait(&Full[S], K / 2 & 1);
    __syncwarp();
    Out[K * 32 + threadIdx.x] = Tile[S][threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0)
      load(Tile[S], In + (K + 2) * 32, sizeof(Tile[S]), &Full[S]);
  }
}
