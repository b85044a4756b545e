//===- launches.cu - Kernels that host code launches in several ways ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is looked at with each block that it is launched with; what only
// some of them show names it. How host code comes to its blocks is told by
// test/unit/LaunchesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ void copy4(float *Shared, const float *Global) {
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(To),
               "l"(Global));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// A warp of its own needs no barrier of the block.
__global__ void neighbours_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  Out[threadIdx.x] = Tile[blockDim.x - 1 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[95]' here, copied by thread 95
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

__global__ void neighbours_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  commit();
  wait<0>();
  __syncwarp();
  Out[threadIdx.x] = Tile[blockDim.x - 1 - threadIdx.x];
}

// Wrong with each: nothing is named.
__global__ void forgotten_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'wait<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

template <class Kernel>
void launch(Kernel Run, int Threads, const float *In, float *Out) {
  dim3 Block;
  Block.x = Threads;
  Run<<<1, Block>>>(In, Out);
  // expect-note@-1: launched here with blocks of 96 threads
  // expect-skipped@-2: 6 different blocks are launched, and 128 threads and later ones not looked at
}

void all(const float *In, float *Out, bool IsLarge) {
  launch(neighbours_bad, IsLarge ? 96 : 32, In, Out);
  for (int Threads = 8; Threads <= 32; Threads *= 2)
    launch(neighbours_ok, Threads, In, Out);
  for (int Threads : {32, 64})
    launch(forgotten_bad, Threads, In, Out);
}

// More kinds than are looked at.
__global__ void often(const float *In, float *Out) {
  __shared__ float Tile[256];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  Out[threadIdx.x] = Tile[blockDim.x - 1 - threadIdx.x];
}

void launchesOften(const float *In, float *Out) {
  for (int Threads = 8; Threads <= 256; Threads *= 2)
    launch(often, Threads, In, Out);
}
