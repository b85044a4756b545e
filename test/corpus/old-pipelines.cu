//===- old-pipelines.cu - nvcuda::experimental ----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline and the barrier that CUDA had before libcu++ did. What is smaller
// than 4 bytes is copied as usual.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

namespace old = nvcuda::experimental;

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float4 *In, float4 *Out)

KERNEL(waited_ok) {
  __shared__ float4 Tile[Threads];
  old::pipeline Pipe;
  old::memcpy_async(Tile[threadIdx.x], In[threadIdx.x], Pipe);
  Pipe.commit();
  Pipe.wait_prior<0>();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(waited_bad) {
  __shared__ float4 Tile[Threads];
  old::pipeline Pipe;
  old::memcpy_async(Tile[threadIdx.x], In[threadIdx.x], Pipe);
  // expect-note@-1: copy issued here
  Pipe.commit();
  // expect-note@-1: committed here as the newest group
  Pipe.wait_prior<1>();
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' was copied in the newest one
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

KERNEL(at_once_ok) {
  __shared__ float4 Tile[Threads];
  old::pipeline Pipe;
  old::memcpy_async(Tile[threadIdx.x], In[threadIdx.x], Pipe);
  Pipe.commit_and_wait();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(batches_ok) {
  __shared__ float4 Tile[2][Threads];
  old::pipeline Pipe;
  old::memcpy_async(Tile[0][threadIdx.x], In[threadIdx.x], Pipe);
  Pipe.commit();
  old::memcpy_async(Tile[1][threadIdx.x], In[Threads + threadIdx.x], Pipe);
  const size_t Second = Pipe.commit();
  Pipe.wait(Second);
  Out[threadIdx.x] = Tile[0][threadIdx.x];
}

// CUDA's header waits for one batch fewer than it is asked to.
KERNEL(batches_bad) {
  __shared__ float4 Tile[2][Threads];
  old::pipeline Pipe;
  old::memcpy_async(Tile[0][threadIdx.x], In[threadIdx.x], Pipe);
  Pipe.commit();
  old::memcpy_async(Tile[1][threadIdx.x], In[Threads + threadIdx.x], Pipe);
  // expect-note@-1: copy issued here
  const size_t Second = Pipe.commit();
  // expect-note@-1: committed here as the newest group
  Pipe.wait(Second);
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' was copied in the newest one
  Out[threadIdx.x] = Tile[1][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[1][0]' here
}

__global__ __launch_bounds__(Threads) void rows_ok(const float4 *In, float *Out) {
  __shared__ alignas(16) float Tile[Threads][4];
  old::pipeline Pipe;
  old::memcpy_async(&Tile[threadIdx.x],
                    reinterpret_cast<const float (*)[2]>(&In[threadIdx.x]), Pipe);
  Pipe.commit_and_wait();
  Out[threadIdx.x] = Tile[threadIdx.x][3];
}
__global__ __launch_bounds__(Threads) void rows_bad(const float4 *In, float *Out) {
  __shared__ alignas(16) float Tile[Threads][4];
  old::pipeline Pipe;
  old::memcpy_async(&Tile[threadIdx.x],
  // expect-note@-1: copy issued here
                    reinterpret_cast<const float (*)[2]>(&In[threadIdx.x]), Pipe);
  Pipe.commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = Tile[threadIdx.x][3];
  // expect-note@-1: thread 0 reads 'Tile[0][3]' here
  // expect-note@-2: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

__global__ __launch_bounds__(Threads) void bytes_ok(const char *In, char *Out) {
  __shared__ char Tile[Threads];
  old::pipeline Pipe;
  old::memcpy_async(Tile[threadIdx.x], In[threadIdx.x], Pipe);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(barrier_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ old::awbarrier Full;
  if (threadIdx.x == 0)
    old::init(&Full, Threads);
  __syncthreads();
  old::pipeline Pipe;
  old::memcpy_async(Tile[threadIdx.x], In[threadIdx.x], Pipe);
  Pipe.arrive_on(Full);
  Full.wait(Full.arrive());
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}
KERNEL(barrier_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ old::awbarrier Full;
  if (threadIdx.x == 0)
    old::init(&Full, Threads);
  __syncthreads();
  old::pipeline Pipe;
  old::memcpy_async(Tile[threadIdx.x], In[threadIdx.x], Pipe);
  // expect-note@-1: copy issued here
  Full.wait(Full.arrive());
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
