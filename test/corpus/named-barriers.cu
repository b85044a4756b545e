//===- named-barriers.cu - Barriers of so many threads --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier with a number of threads is complete when as many have come, whole
// warps; those that have left do not count. PTX ISA, "bar, barrier".
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

#define KERNEL __global__ void __launch_bounds__(160)

template <int Id> __device__ void meet(int Threads) {
  asm volatile("bar.sync %0, %1;" ::"n"(Id), "r"(Threads) : "memory");
}
template <int Id> __device__ void arrive(int Threads) {
  asm volatile("bar.arrive %0, %1;" ::"n"(Id), "r"(Threads) : "memory");
}
__device__ void copy(float *To, const float *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   unsigned(__cvta_generic_to_shared(To))),
               "l"(From)
               : "memory");
}
__device__ void waitForAll() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

// Five warps, of which the last has left.
KERNEL too_many(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (T >= 128)
    return;
  copy(&Tile[T], &In[T]);
  waitForAll();
  meet<1>(blockDim.x);
  // expect-note@-1: barrier reached here only by threads 0-127
  // expect-note@-2: give the barrier as many threads as come to it, in whole warps
  // expect-warning@-3{cpasync-mismatched-phase}: barrier 1 waited for here never completes: 128 of 160 threads came
  Out[T] = Tile[127 - T];
}
KERNEL as_many(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (T >= 128)
    return;
  copy(&Tile[T], &In[T]);
  waitForAll();
  meet<1>(128);
  Out[T] = Tile[127 - T];
}

// Three warps are enough, and which three nobody knows: the fourth waits for
// two more.
KERNEL too_few(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (T >= 128)
    return;
  copy(&Tile[T], &In[T]);
  waitForAll();
  meet<1>(96);
  // expect-note@-1: barrier reached here by threads 0-127
  // expect-note@-2: give the barrier as many threads as come to it, in whole warps
  // expect-warning@-3{cpasync-mismatched-phase}: 128 threads at once at barrier 1 that waits for 96
  Out[T] = Tile[127 - T];
}

// All go on, and half of them before the others have copied.
KERNEL half_as_many(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (T >= 128)
    return;
  copy(&Tile[T], &In[T]);
  waitForAll();
  meet<1>(64);
  // expect-note@-1: barrier reached here by threads 0-127
  // expect-note@-2: give the barrier as many threads as come to it, in whole warps
  // expect-warning@-3{cpasync-mismatched-phase}: 128 threads at once at barrier 1 that waits for 64
  Out[T] = Tile[127 - T];
}

// One role hands tiles to the other, which arrives once less often: the last is
// waited for in vain.
KERNEL one_short(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (T < 128) {
    for (int I = 0; I < 4; ++I) {
    // expect-note@-1: in the iteration of this loop with I = 3
      copy(&Tile[T], &In[I * 128 + T]);
      waitForAll();
      arrive<1>(160);
      meet<2>(160);
      // expect-note@-1: barrier reached here only by threads 0-127
      // expect-note@-2: give the barrier as many threads as come to it, in whole warps
      // expect-warning@-3{cpasync-mismatched-phase}: barrier 2 waited for here never completes: 128 of 160 threads came
    }
    return;
  }
  for (int I = 0; I < 4; ++I) {
    meet<1>(160);
    for (int J = T - 128; J < 128; J += 32)
      Out[I * 128 + J] = Tile[J];
    if (I < 3)
      arrive<2>(160);
  }
}
KERNEL handed_over(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (T < 128) {
    for (int I = 0; I < Tiles; ++I) {
      copy(&Tile[T], &In[I * 128 + T]);
      waitForAll();
      arrive<1>(160);
      meet<2>(160);
    }
    return;
  }
  for (int I = 0; I < Tiles; ++I) {
    meet<1>(160);
    for (int J = T - 128; J < 128; J += 32)
      Out[I * 128 + J] = Tile[J];
    arrive<2>(160);
  }
}

// Each half has its own.
KERNEL halves(const float *In, float *Out) {
  __shared__ float Tile[160];
  const int T = threadIdx.x;
  copy(&Tile[T], &In[T]);
  waitForAll();
  if (T < 64)
    meet<1>(64);
  else
    meet<2>(96);
  Out[T] = Tile[T < 128 ? T ^ 32 : T];
}

// The block is of any number of warps; as many as it has come.
__global__ void of_any_size(const float *In, float *Out, int Rest) {
  extern __shared__ float Tiles[];
  const int T = threadIdx.x;
  copy(&Tiles[T], &In[T]);
  waitForAll();
  asm volatile("bar.sync 3, %0;" ::"r"(blockDim.x) : "memory");
  Out[T] = Tiles[T ^ 32];
}

// How many rows there are is asked in two places: the host gives what agrees.
KERNEL asked_twice(const float *In, float *Out, int Rows, int Columns) {
  __shared__ float Tile[160];
  const int T = threadIdx.x;
  if (T < 128) {
    if (Rows > 0) {
      copy(&Tile[T], &In[T]);
      waitForAll();
      meet<1>(160);
    }
    return;
  }
  if (Columns > 0) {
    meet<1>(160);
    Out[T] = Tile[T - 128];
  }
}

// A barrier counts who comes, and a warp that does not wait may come again: for
// the first time, one warp of each half says that the tile is free, as later
// the copying warp does. So the half that waits for that counts five warps.
template <int Id, int Again> __device__ void hand_over(const float *In,
                                                       float *Out, int Tiles) {
  __shared__ __align__(128) float Tile[128];
  const int T = threadIdx.x;
  if (T >= 128) {
    for (int I = 0; I < Tiles; ++I) {
    // expect-note@-1: in the iteration of this loop with I = 0
      meet<Id + 1>(160);
      // expect-note@-1: barrier reached here only by threads 128-159
      // expect-note@-2: give the barrier as many threads as come to it, in whole warps
      // expect-warning@-3{cpasync-mismatched-phase}: barrier 2 waited for here never completes: 32 of 160 threads came
      for (int J = T - 128; J < 128; J += 32)
        Out[I * 128 + J] = Tile[J];
      arrive<Id>(160);
    }
  } else {
    if (T < 32 * Again)
      arrive<Id>(160);
    for (int I = 0; I < Tiles; ++I) {
    // expect-note@-1: in the iteration of this loop with I = 0
      meet<Id>(160);
      // expect-note@-1: barrier reached here by threads 0-127
      // expect-note@-2: give the barrier as many threads as come to it, in whole warps
      // expect-warning@-3{cpasync-mismatched-phase}: 192 threads at once at barrier 1 that waits for 160
      copy(&Tile[T], &In[I * 128 + T]);
      waitForAll();
      arrive<Id + 1>(160);
    }
  }
}
KERNEL arrives_again(const float *In, float *Out) { hand_over<1, 1>(In, Out, 4); }
KERNEL nobody_first(const float *In, float *Out) { hand_over<1, 0>(In, Out, 4); }
// expect-note@-1: 'hand_over' called here
KERNEL arrives_too_often(const float *In, float *Out) {
  hand_over<1, 2>(In, Out, 4);
  // expect-note@-1: 'hand_over' called here
}
