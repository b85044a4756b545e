//===- bulk-stores.cu - What bulk copies to global memory find ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atomic operation on shared memory is a write like any other to a bulk copy
// that reads it. The destination lies at a multiple of 16 bytes, too. PTX ISA,
// "cp.async.bulk", "cp.reduce.async.bulk".
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}
__device__ void addTo(unsigned *To, const unsigned *From, uint32_t Bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
               "[%0], [%1], %2;" ::"l"(To),
               "r"(addressOf(From)), "r"(Bytes)
               : "memory");
}
__device__ void store(float *To, const float *From, uint32_t Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
                   "l"(To),
               "r"(addressOf(From)), "r"(Bytes)
               : "memory");
}
__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void finish() {
  asm volatile("cp.async.bulk.commit_group;\n"
               "cp.async.bulk.wait_group.read 0;" ::
                   : "memory");
}

#define KERNEL __global__ void __launch_bounds__(128)

KERNEL counted_ok(const unsigned *In, unsigned *Out, int N) {
  __shared__ alignas(16) unsigned Sums[128];
  Sums[threadIdx.x] = 0;
  for (int I = threadIdx.x; I < N; I += 128)
    atomicAdd(&Sums[threadIdx.x], In[I]);
  fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    addTo(Out, Sums, sizeof(Sums));
    finish();
  }
}

KERNEL no_barrier_bad(const unsigned *In, unsigned *Out, int N) {
// expect-note@-1: with N = 128
  __shared__ alignas(16) unsigned Sums[128];
  Sums[threadIdx.x] = 0;
  __syncthreads();
  for (int I = threadIdx.x; I < N; I += 128)
    atomicAdd(&Sums[threadIdx.x], In[I]);
    // expect-note@-1: stored here
  fence();
  if (threadIdx.x == 0) {
    addTo(Out, Sums, sizeof(Sums));
    // expect-note@-1: a barrier belongs between the stores and this copy
    // expect-note@-2: bulk copy of thread 0 reads 'Sums[32]' here, stored by thread 32
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Sums' may be copied in bulk with no barrier behind the stores to it
    finish();
  }
}

KERNEL no_fence_bad(const unsigned *In, unsigned *Out, int N) {
// expect-note@-1: with N = 128
  __shared__ alignas(16) unsigned Sums[128];
  Sums[threadIdx.x] = 0;
  fence();
  __syncthreads();
  for (int I = threadIdx.x; I < N; I += 128)
    atomicAdd(&Sums[threadIdx.x], In[I]);
    // expect-note@-1: stored here
  __syncthreads();
  if (threadIdx.x == 0) {
    addTo(Out, Sums, sizeof(Sums));
    // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this copy
    // expect-note@-2: bulk copy of thread 0 reads byte 0 of 'Sums' here, stored by thread 0
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Sums' may be copied in bulk with no proxy fence behind the stores to it
    finish();
  }
}

// Which bin is not known.
KERNEL histogram_ok(const unsigned *In, unsigned *Out, int Images, int N) {
  __shared__ alignas(16) unsigned Bins[128];
  for (int Image = blockIdx.x; Image < Images; Image += gridDim.x) {
    Bins[threadIdx.x] = 0;
    __syncthreads();
    for (int I = threadIdx.x; I < N; I += 128)
      atomicAdd(&Bins[In[Image * N + I] % 128], 1);
    fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      addTo(Out + Image * 128, Bins, sizeof(Bins));
      finish();
    }
    __syncthreads();
  }
}

KERNEL rows_ok(const float *In, float *Out, int Rows) {
  __shared__ alignas(16) float Row[128];
  Row[threadIdx.x] = In[blockIdx.x * 128 + threadIdx.x];
  fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(&Out[blockIdx.x * 128], Row, sizeof(Row));
    finish();
  }
}

// Behind a header of one element.
KERNEL rows_bad(const float *In, float *Out, int Rows) {
  __shared__ alignas(16) float Row[128];
  Row[threadIdx.x] = In[blockIdx.x * 128 + threadIdx.x];
  fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(&Out[1 + blockIdx.x * 128], Row, sizeof(Row));
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: assuming that 'Out' is aligned to 16 bytes
    // expect-note@-3: thread 0 uses a misaligned address here
    // expect-warning@-4{cpasync-misaligned-copy}: destination 'Out' of the asynchronous copy is 4 bytes past a multiple of 16
    finish();
  }
}

// A pitch that the caller knows.
KERNEL pitch_ok(const float *In, float *Out, int Pitch) {
  __shared__ alignas(16) float Row[128];
  Row[threadIdx.x] = In[blockIdx.x * 128 + threadIdx.x];
  fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(&Out[blockIdx.x * Pitch], Row, sizeof(Row));
    finish();
  }
}
