//===- one-cause.cu - One mistake, all its places ---------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

// Three reads, one barrier that is missing.
KERNEL reads(const float *In, float *Out) {
  __shared__ float A[128], B[128];
  __pipeline_memcpy_async(&A[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_memcpy_async(&B[threadIdx.x], &In[128 + threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  float X = A[127 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'A[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unsynchronized-read}: 'A' is read with no barrier after the wait for its copy
  float Y = B[127 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'B[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unsynchronized-read}: 'B' is read with no barrier after the wait for its copy
  float Z = A[threadIdx.x ^ 64];
  // expect-note@-1: a barrier belongs between the wait in line -3 and this read
  // expect-note@-2: thread 0 reads 'A[64]' here, copied by thread 64
  // expect-warning@-3{cpasync-unsynchronized-read}: 'A' is read with no barrier after the wait for its copy
  Out[threadIdx.x] = X + Y + Z;
}

// One edit repairs both: it is offered once.
KERNEL unwaited(const float *In, float *Out) {
  __shared__ float A[128], B[128];
  __pipeline_memcpy_async(&A[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_memcpy_async(&B[threadIdx.x], &In[128 + threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  __syncthreads();
  // expect-note@-1: the edit that is offered here repairs this as well
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  float X = A[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'A[127]' here, copied by thread 127
  // expect-warning@-2{cpasync-unwaited-read}: 'A' is read before the asynchronous copy into it has completed
  float Y = B[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'B[127]' here, copied by thread 127
  // expect-warning@-2{cpasync-unwaited-read}: 'B' is read before the asynchronous copy into it has completed
  Out[threadIdx.x] = X + Y;
}

// Each copy is a place of its own.
KERNEL uncommitted(const float *In, float *Out) {
  __shared__ float A[128], B[128];
  __pipeline_memcpy_async(&A[threadIdx.x], &In[threadIdx.x], 4);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'A' is uncommitted at the wait
  __pipeline_memcpy_async(&B[threadIdx.x], &In[128 + threadIdx.x], 4);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'B' is uncommitted at the wait
  __pipeline_wait_prior(0);
  // expect-note@-1: commit the copy: insert '__pipeline_commit();'
  // expect-note@-2: the edit that is offered here repairs this as well
  // expect-note@-3: wait for all groups is here
  __syncthreads();
  float X = A[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'A[127]' here, copied by thread 127
  float Y = B[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'B[127]' here, copied by thread 127
  Out[threadIdx.x] = X + Y;
}

// The overwrite is told, with all reads that it comes too early for.
KERNEL refills(const float *In, float *Out, int N) {
// expect-note@-1: with N = 2
  __shared__ float A[128], B[128];
  for (int K = 0; K < N; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    __pipeline_memcpy_async(&A[threadIdx.x], &In[K * 256 + threadIdx.x], 4);
    // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'A[0]' here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'A' may be overwritten while other threads still read it
    __pipeline_memcpy_async(&B[threadIdx.x], &In[K * 256 + 128 + threadIdx.x],
    // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'B[0]' here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'B' may be overwritten while other threads still read it
                            4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float X = A[127 - threadIdx.x];
    // expect-note@-1: read here
    float Y = B[127 - threadIdx.x];
    // expect-note@-1: read here
    float Z = A[threadIdx.x ^ 64];
    // expect-note@-1: also read here
    Out[K * 128 + threadIdx.x] = X + Y + Z;
  }
}

// A wait that is too weak for two reads stands for both.
KERNEL weak(const float *In, float *Out) {
  __shared__ float A[128];
  __pipeline_memcpy_async(&A[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here as the newest group
  __pipeline_wait_prior(1);
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'A' was copied in the newest one
  __syncthreads();
  float X = A[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'A[127]' here, copied by thread 127
  float Y = A[threadIdx.x ^ 64];
  // expect-note@-1: also read here
  Out[threadIdx.x] = X + Y;
}

// A helper that others call rightly: the call is wrong.
__device__ float sum(const float *Tile) {
  return Tile[127 - threadIdx.x] + Tile[threadIdx.x ^ 64];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

KERNEL called_rightly(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = sum(Tile);
}

KERNEL called_too_early(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = sum(Tile);
  // expect-note@-1: 'sum' called here
  // expect-note@-2: a barrier belongs between the wait in line -1 and this call
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// One that only this kernel calls is a part of it.
__device__ float own(const float *Tile) { return Tile[127 - threadIdx.x]; }
// expect-note@-1: a barrier belongs between the wait in line +6 and this read
// expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
// expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy

KERNEL only_caller(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = own(Tile);
  // expect-note@-1: 'own' called here
}

// Both calls are wrong, and told.
__device__ float both(const float *Tile) { return Tile[127 - threadIdx.x]; }
// expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127

KERNEL first_caller(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = both(Tile);
  // expect-note@-1: 'both' called here
  // expect-note@-2: a barrier belongs between the wait in line -1 and this call
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL second_caller(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = both(Tile);
  // expect-note@-1: 'both' called here
  // expect-note@-2: a barrier belongs between the wait in line -1 and this call
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// A lambda that is called where it may be, and later where it may not.
KERNEL called_twice(const float *In, float *Out) {
  __shared__ float Tile[128];
  auto Fetch = [&](int Part) {
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[Part * 128 + threadIdx.x],
    // expect-note@-1: thread 0 overwrites 'Tile[0]' here, read by thread 127
                            4);
    __pipeline_commit();
  };
  Fetch(0);
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: read here
  Fetch(1);
  // expect-note@-1: 'Fetch' called here
  // expect-note@-2: a barrier belongs between the read in line -1 and this call
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while other threads still read it
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[128 + threadIdx.x] = Tile[127 - threadIdx.x];
}

// A block that is no row: who that is, the source says in coordinates.
__global__ void square(const float *In, float *Out) {
  __shared__ float Tile[256];
  const int T = threadIdx.y * 16 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[T], &In[T], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[T] = Tile[255 - T];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 (0, 0) reads 'Tile[255]' here, copied by thread 255 (15, 15)
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

void launch(const float *In, float *Out) {
  square<<<1, dim3(16, 16)>>>(In, Out);
  // expect-note@-1: launched here with blocks of 16x16 threads
}
