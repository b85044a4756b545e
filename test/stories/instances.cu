//===- instances.cu - Instances and blocks that a witness is of -- -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

// Both are wrong: one is told, the other counts.
template <int Stages, int Threads>
__global__ void __launch_bounds__(Threads)
    ring(const float *In, float *Out, int Tiles) {
    // expect-note@-1: in instantiation of 'ring<3, 128>' and of 'ring<4, 256>'
    // expect-note@-2: with Tiles = 1
  __shared__ float Slot[Stages][Threads];
  for (int K = 0; K < Stages - 1; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (K < Tiles)
      __pipeline_memcpy_async(&Slot[K][threadIdx.x],
      // expect-note@-1: copy issued here
                              &In[K * Threads + threadIdx.x], 4);
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_wait_prior(Stages - 1);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Slot'
    __syncthreads();
    Out[K * Threads + threadIdx.x] = Slot[K % Stages][Threads - 1 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slot[0][127]' here, copied by thread 127
    __syncthreads();
    if (K + Stages - 1 < Tiles)
      __pipeline_memcpy_async(
          &Slot[(K + Stages - 1) % Stages][threadIdx.x],
          &In[(K + Stages - 1) * Threads + threadIdx.x], 4);
    __pipeline_commit();
  }
}
template __global__ void ring<3, 128>(const float *, float *, int);
template __global__ void ring<4, 256>(const float *, float *, int);

__global__ void launched(const float *In, float *Out) {
  __shared__ float Tile[96];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = Tile[95 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[95]' here, copied by thread 95
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

void launch(const float *In, float *Out) { launched<<<1, 96>>>(In, Out); }
// expect-note@-1: launched here with blocks of 96 threads
