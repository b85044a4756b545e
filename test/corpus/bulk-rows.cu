//===- bulk-rows.cu - A bulk copy for each row of a tile --------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One phase completes with as many copies as the kernel is given rows: by one
// thread or by the lanes of a warp, of rows whose length is known or not.
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
__device__ void announce(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
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

__global__ __launch_bounds__(96) void by_one_ok(const float *In, float *Out,
                                                int Rows) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    announce(&Full, Rows * 64 * sizeof(float));
    for (int R = 0; R < Rows; ++R)
      load(Tile + R * 64, In + R * 64, 64 * sizeof(float), &Full);
  }
  wait(&Full, 0);
  for (int I = threadIdx.x; I < Rows * 64; I += blockDim.x)
    Out[I] = Tile[I];
}
__global__ __launch_bounds__(96) void by_one_bad(const float *In, float *Out,
// expect-note@-1: with Rows = 1
                                                 int Rows) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  if (threadIdx.x == 0) {
    announce(&Full, Rows * 64);
    // expect-note@-1: bytes of the phase announced here
    for (int R = 0; R < Rows; ++R)
    // expect-note@-1: in the iteration of this loop with R = 0
    // expect-note@-2: loop run for 1 iteration
      load(Tile + R * 64, In + R * 64, 64 * sizeof(float), &Full);
      // expect-note@-1: copy issued here
  }
  wait(&Full, 0);
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 192 bytes more copied than announced
  for (int I = threadIdx.x; I < Rows * 64; I += blockDim.x)
    Out[I] = Tile[I];
}

// Each lane has rows of its own.
__global__ __launch_bounds__(96) void by_lanes_ok(const float *In, float *Out,
                                                  int Rows) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      announce(&Full, Rows * 64 * sizeof(float));
    __syncwarp();
    for (int R = threadIdx.x; R < Rows; R += 32)
      load(Tile + R * 64, In + R * 64, 64 * sizeof(float), &Full);
  }
  wait(&Full, 0);
  for (int I = threadIdx.x; I < Rows * 64; I += blockDim.x)
    Out[I] = Tile[I];
}
__global__ __launch_bounds__(96) void by_lanes_bad(const float *In, float *Out,
// expect-note@-1: with Rows = 32
                                                   int Rows) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      announce(&Full, Rows * 64 * sizeof(float));
    __syncwarp();
    for (int R = threadIdx.x; R < Rows; R += 32)
    // expect-note@-1: in the first iteration of this loop
    // expect-note@-2: loop run for 1 iteration
      load(Tile + R * 64, In + R * 64, 64 * sizeof(float), &Full);
      // expect-note@-1: copy issued here
    wait(&Full, 0);
    // expect-note@-1: its thread waits for the copy here
  }
  for (int I = threadIdx.x; I < Rows * 64; I += blockDim.x)
    Out[I] = Tile[I];
    // expect-note@-1: a barrier belongs between the wait in line -3 and this read
    // expect-note@-2: thread 32 reads 'Tile[32]' here, copied by thread 0
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
}

// How long a row is, the kernel is given, too.
__global__ __launch_bounds__(96) void of_length_ok(const float *In, float *Out,
                                                   int Rows, int Length) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      announce(&Full, Rows * Length * sizeof(float));
    __syncwarp();
    for (int R = threadIdx.x; R < Rows; R += 32)
      load(Tile + R * Length, In + R * Length, Length * sizeof(float), &Full);
  }
  wait(&Full, 0);
  for (int I = threadIdx.x; I < Rows * Length; I += blockDim.x)
    Out[I] = Tile[I];
}

// The tile is copied again, for the next phase, before all have read it.
__global__ __launch_bounds__(96) void tiles_ok(const float *In, float *Out,
                                               int Rows, int Tiles) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
    if (threadIdx.x == 0) {
      announce(&Full, Rows * 64 * sizeof(float));
      for (int R = 0; R < Rows; ++R)
        load(Tile + R * 64, In + (T * Rows + R) * 64, 64 * sizeof(float),
             &Full);
    }
    wait(&Full, T & 1);
    for (int I = threadIdx.x; I < Rows * 64; I += blockDim.x)
      Out[T * Rows * 64 + I] = Tile[I];
    __syncthreads();
  }
}
__global__ __launch_bounds__(96) void tiles_bad(const float *In, float *Out,
// expect-note@-1: with Tiles = 2, Rows = 1
                                                int Rows, int Tiles) {
  extern __shared__ __align__(128) float Tile[];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (threadIdx.x == 0) {
      announce(&Full, Rows * 64 * sizeof(float));
      for (int R = 0; R < Rows; ++R)
      // expect-note@-1: in the iteration of this loop with R = 0
        load(Tile + R * 64, In + (T * Rows + R) * 64, 64 * sizeof(float),
        // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
        // expect-note@-2: thread 0 overwrites 'Tile[32]' here, read by thread 32
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
             &Full);
    }
    wait(&Full, T & 1);
    for (int I = threadIdx.x; I < Rows * 64; I += blockDim.x)
      Out[T * Rows * 64 + I] = Tile[I];
      // expect-note@-1: read here
  }
}
