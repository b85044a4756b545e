//===- tile-stores.cu - Tiles that are stored from several slots ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here says how large the box of the map is: a tile fills its slot.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda.h>

constexpr int Rows = 16, Columns = 64, Threads = 192, Slots = 2;

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void meet() {
  asm volatile("bar.sync 1, 192;" ::: "memory");
}
__device__ void store(const CUtensorMap *Map, const void *From, int X, int Y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
  // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this copy
  // expect-note@-2: bulk copy of thread 0 reads 'Slot[2]' here, stored by thread 128
  // expect-note@-3: copy issued here
  // expect-warning@-4{cpasync-unfenced-bulk-copy}: 'Slot' is copied in bulk with no proxy fence behind the stores to it
               "[%0, {%1, %2}], [%3];" ::"l"(Map),
               "r"(X), "r"(Y), "r"(toShared(From))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int N> __device__ void waitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(Threads)                                   \
      Name(const __grid_constant__ CUtensorMap Out, const float *In, int Tiles)

KERNEL(two_slots_ok) {
  __shared__ alignas(128) float Slot[Slots][Rows][Columns];
  for (int T = 0; T < Tiles; ++T) {
    if (threadIdx.x == 0)
      waitRead<1>();
    meet();
    for (int I = threadIdx.x; I < Rows * Columns; I += Threads)
      Slot[T & 1][I / Columns][I % Columns] = 2 * In[T * Rows * Columns + I];
    fence();
    meet();
    if (threadIdx.x == 0)
      store(&Out, Slot[T & 1], 0, T * Rows);
  }
  if (threadIdx.x == 0)
    waitRead<0>();
}

// Only the thread that waits knows that the slot is free.
KERNEL(no_barrier_behind_wait_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ alignas(128) float Slot[Slots][Rows][Columns];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
  // expect-note@-3: in the iteration of this loop with T = 2
    if (threadIdx.x == 0)
      waitRead<1>();
    for (int I = threadIdx.x; I < Rows * Columns; I += Threads)
      Slot[T & 1][I / Columns][I % Columns] = 2 * In[T * Rows * Columns + I];
      // expect-note@-1: a wait by 'cp.async.bulk.wait_group.read' and a barrier belong before this overwrite
      // expect-note@-2: thread 32 overwrites 'Slot[0][0][32]' here, copied in bulk by thread 0
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' may be overwritten while a bulk copy still reads it
    fence();
    meet();
    // expect-note@-1: barrier is here
    if (threadIdx.x == 0)
      store(&Out, Slot[T & 1], 0, T * Rows);
      // expect-note@-1: 'store' called here
  }
  if (threadIdx.x == 0)
    waitRead<0>();
}

// The last warps write, and do not fence.
KERNEL(some_do_not_fence_bad) {
  __shared__ alignas(128) float Slot[Rows][Columns];
  for (int I = threadIdx.x; I < Rows * Columns; I += Threads)
    Slot[I / Columns][I % Columns] = 2 * In[I];
    // expect-note@-1: stored here
  if (threadIdx.x < 128)
    fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(&Out, Slot, 0, 0);
    // expect-note@-1: 'store' called here
    waitRead<0>();
  }
}

// A tile in each half of the array, one behind the other.
KERNEL(halves_ok) {
  __shared__ alignas(128) float Slot[Rows][Columns];
  for (int Half = 0; Half < 2; ++Half) {
    float *To = Slot[Half * Rows / 2];
    for (int I = threadIdx.x; I < Rows * Columns / 2; I += Threads)
      To[I] = 2 * In[Half * Rows * Columns / 2 + I];
    fence();
    __syncthreads();
    if (threadIdx.x == 0)
      store(&Out, To, 0, Half * Rows / 2);
  }
  if (threadIdx.x == 0)
    waitRead<0>();
}

// Each group of warps has a tile and a barrier of its own, and its first thread
// fences for it.
__global__ void __launch_bounds__(256)
    each_group_its_own_ok(const __grid_constant__ CUtensorMap Out,
                          const float *In) {
  __shared__ alignas(128) float Slot[2][Rows][Columns];
  const int Group = threadIdx.x / 128, Lane = threadIdx.x % 128;
  for (int I = Lane; I < Rows * Columns; I += 128)
    Slot[Group][I / Columns][I % Columns] = In[Group * Rows * Columns + I];
  asm volatile("bar.sync %0, 128;" ::"r"(Group + 1) : "memory");
  if (Lane == 0) {
    fence();
    store(&Out, Slot[Group], 0, Group * Rows);
    waitRead<0>();
  }
}
