//===- memory-operations.cu - Atomics, memcpy and memset -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atomic operation reads and writes what a copy in flight writes; among
// themselves they are no race. memcpy and memset touch bytes also where
// it is not known how many.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const int *In, int *Out,     \
                                                  int N)

__device__ void copy(int *To, const int *From) {
  __pipeline_memcpy_async(To, From, sizeof(int));
  // expect-note@-1: copy issued here
  // expect-note@-2: first copy into these bytes issued here
  __pipeline_commit();
  // expect-note@-1: committed here
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

KERNEL(counts_in_flight_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  atomicAdd(&Tile[threadIdx.x], 1);
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(counts_in_flight_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __pipeline_wait_prior(0);
  atomicAdd(&Tile[threadIdx.x], 1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(counted_by_builtin_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  __nv_atomic_fetch_add(&Tile[threadIdx.x], 1, __NV_ATOMIC_RELAXED,
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
                        __NV_THREAD_SCOPE_BLOCK);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(counted_by_builtin_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  while (__nv_atomic_load_n(&Out[Threads], __NV_ATOMIC_ACQUIRE) == 0)
    ;
  __pipeline_wait_prior(0);
  __nv_atomic_add(&Tile[threadIdx.x], 1, __NV_ATOMIC_RELAXED);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

__device__ void reduceTo(int *Place, int X) {
  asm volatile("red.add.s32 [%0], %1;" ::"l"(Place), "r"(X) : "memory");
}
KERNEL(reduces_without_barrier_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  reduceTo(&Tile[Threads - 1 - threadIdx.x], N);
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(reduces_without_barrier_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __pipeline_wait_prior(0);
  __syncthreads();
  reduceTo(&Tile[Threads - 1 - threadIdx.x], N);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

__device__ int exchangeShared(unsigned Place, int X) {
  int Old;
  asm volatile("atom.shared.exch.b32 %0, [%1], %2;"
               : "=r"(Old)
               : "r"(Place), "r"(X)
               : "memory");
  return Old;
}
KERNEL(exchanges_in_flight_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  Out[threadIdx.x] = exchangeShared(
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
      (unsigned)__cvta_generic_to_shared(&Tile[threadIdx.x]), N);
  __pipeline_wait_prior(0);
}
KERNEL(exchanges_in_flight_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = exchangeShared(
      (unsigned)__cvta_generic_to_shared(&Tile[threadIdx.x]), N);
}

// Other places, also in global memory; a histogram, whose threads meet.
KERNEL(counters_ok) {
  __shared__ int Tile[Threads], Counts[4];
  if (threadIdx.x < 4)
    Counts[threadIdx.x] = 0;
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __syncthreads();
  atomicAdd(&Counts[threadIdx.x % 4], 1);
  atomicMax(Out + Threads, N);
  __pipeline_wait_prior(0);
  __syncthreads();
  atomicAdd(&Tile[In[threadIdx.x] & (Threads - 1)], 1);
  __syncthreads();
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x] + Counts[threadIdx.x % 4];
}

// Each of them, on a place of its own and when the tile is complete.
KERNEL(all_of_them_ok) {
  __shared__ int Tile[Threads], Counts[11];
  if (threadIdx.x < 11)
    Counts[threadIdx.x] = 0;
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __syncthreads();
  atomicAdd_block(&Counts[0], 1);
  atomicSub(&Counts[1], 1);
  atomicExch(&Counts[2], 1);
  atomicMin(&Counts[3], N);
  atomicMax_system(&Counts[4], N);
  atomicInc(reinterpret_cast<unsigned *>(&Counts[5]), 7);
  atomicDec(reinterpret_cast<unsigned *>(&Counts[6]), 7);
  atomicCAS(&Counts[7], 0, N);
  atomicAnd(&Counts[8], N);
  atomicOr(&Counts[9], N);
  atomicXor(&Counts[10], N);
  __pipeline_wait_prior(0);
  atomicXor(&Tile[threadIdx.x], N);
  __syncthreads();
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x] + Counts[threadIdx.x % 11];
}
KERNEL(compares_in_flight_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  atomicCAS_block(&Tile[threadIdx.x], 0, N);
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// What an atomic stores elsewhere says nothing about the slot.
KERNEL(wrong_slot_bad) {
  __shared__ int Ring[2][Threads], Count;
  atomicAdd(&Count, 1);
  copy(&Ring[0][threadIdx.x], In + threadIdx.x);
  Out[threadIdx.x] = Ring[1][threadIdx.x];
  // expect-note@-1: the copy, a wait for it and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Ring[1][0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Ring' is read before any copy into it is issued
  copy(&Ring[1][threadIdx.x], In + Threads + threadIdx.x);
  // expect-note@-1: 'copy' called here
  __pipeline_wait_prior(0);
  Out[threadIdx.x] += Ring[0][threadIdx.x] + Ring[1][threadIdx.x];
}

// The built-ins of nvcc.
KERNEL(builtin_in_flight_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  __nv_atomic_fetch_max(&Tile[threadIdx.x], 1, __NV_ATOMIC_RELAXED,
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
                        __NV_THREAD_SCOPE_BLOCK);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(builtin_load_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  Out[threadIdx.x] = __nv_atomic_load_n(&Tile[threadIdx.x], __NV_ATOMIC_RELAXED,
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
                                        __NV_THREAD_SCOPE_BLOCK);
}
KERNEL(builtins_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __pipeline_wait_prior(0);
  int Expected = 0;
  __nv_atomic_compare_exchange_n(&Tile[threadIdx.x], &Expected, N, false,
                                 __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                 __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_add(&Tile[threadIdx.x], Expected, __NV_ATOMIC_RELAXED);
  Out[threadIdx.x] = __nv_atomic_load_n(&Tile[threadIdx.x], __NV_ATOMIC_RELAXED);
}

//===----------------------------------------------------------------------===//
// memcpy, memset
//===----------------------------------------------------------------------===//

KERNEL(clears_in_flight_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  if (threadIdx.x == 0)
    memset(Tile, 0, N);
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, copied by thread 0
    // expect-skipped@-3: number of bytes of this access to shared memory is not known
    // expect-warning@-4{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(saves_in_flight_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  if (threadIdx.x == 0)
    memcpy(Out, Tile, N * sizeof(int));
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-skipped@-3: number of bytes of this access to shared memory is not known
    // expect-warning@-4{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
KERNEL(saves_when_complete_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x == 0)
    memcpy(Out, Tile, N * sizeof(int));
}

//===----------------------------------------------------------------------===//
// Functions of one's own
//===----------------------------------------------------------------------===//

// The lesser one.
__device__ int umax(int A, int B) { return A < B ? A : B; }

KERNEL(own_umax_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  if (umax(0, 1) == 1)
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
KERNEL(own_umax_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  if (umax(0, 1) == 0)
    __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Ranges of cases
//===----------------------------------------------------------------------===//

KERNEL(range_without_wait_bad) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  switch (N) {
  case 0 ... 3:
  // expect-note@-1: taken in this case
  // expect-skipped@-2: nvcc takes only the first value of a range of cases
    break;
  default:
    __pipeline_wait_prior(0);
  }
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
KERNEL(ranges_are_all_ok) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  switch (N & 7) {
  case 4 ... 7:
  // expect-skipped@-1: nvcc takes only the first value of a range of cases
  case 0 ... 2:
  // expect-skipped@-1: nvcc takes only the first value of a range of cases
  case 3:
    __pipeline_wait_prior(0);
  }
  Out[threadIdx.x] = Tile[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Parameters that stand for something else
//===----------------------------------------------------------------------===//

__global__ __launch_bounds__(Threads) void parameter_moves_bad(const int *In,
                                                               int *Out,
                                                               const int *P) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: 'copy' called here
  P = Tile;
  Out[threadIdx.x] = P[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
__global__ __launch_bounds__(Threads) void parameter_moves_ok(const int *In,
                                                              int *Out,
                                                              const int *P) {
  __shared__ int Tile[Threads];
  copy(&Tile[threadIdx.x], In + threadIdx.x);
  Out[threadIdx.x] = P[threadIdx.x];
  P = Tile;
  __pipeline_wait_prior(0);
  Out[threadIdx.x] += P[threadIdx.x];
}
