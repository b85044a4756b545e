//===- thread-scope-pipelines.cu - cuda::pipeline of one thread -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline of thread scope has the groups of the thread: a commit closes one,
// and pipeline_consumer_wait_prior<N> leaves N of them in flight.
//
//===----------------------------------------------------------------------===//

#include <cuda/annotated_ptr>
#include <cuda/pipeline>

constexpr int Threads = 128;

#define KERNEL __global__ void __launch_bounds__(Threads)

KERNEL aligned_tile_ok(const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[2][Threads];
  auto Pipe = cuda::make_pipeline();
  const auto Size = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
  cuda::memcpy_async(&Tile[0][threadIdx.x], Src + threadIdx.x, Size, Pipe);
  Pipe.producer_commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      cuda::memcpy_async(&Tile[(T + 1) & 1][threadIdx.x],
                         Src + (T + 1) * Threads + threadIdx.x, Size, Pipe);
    Pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(Pipe);
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Tile[T & 1][Threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

KERNEL one_wait_too_weak_bad(const float4 *Src, float4 *Dst, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][Threads];
  auto Pipe = cuda::make_pipeline();
  const auto Size = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
  cuda::memcpy_async(&Tile[0][threadIdx.x], Src + threadIdx.x, Size, Pipe);
  // expect-note@-1: copy issued here
  Pipe.producer_commit();
  // expect-note@-1: committed here
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    if (T + 1 < Tiles)
      cuda::memcpy_async(&Tile[(T + 1) & 1][threadIdx.x],
                         Src + (T + 1) * Threads + threadIdx.x, Size, Pipe);
    Pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<2>(Pipe);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Tile'
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Tile[T & 1][Threads - 1 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[0][127]' here, copied by thread 127
    __syncthreads();
  }
}

KERNEL plain_size_ok(const float *Src, float *Dst) {
  __shared__ float Tile[Threads];
  auto Pipe = cuda::make_pipeline();
  cuda::memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, sizeof(float),
                     Pipe);
  Pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(Pipe);
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

KERNEL no_commit_bad(const float *Src, float *Dst) {
  __shared__ float Tile[Threads];
  auto Pipe = cuda::make_pipeline();
  cuda::memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, sizeof(float),
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
                     Pipe);
  cuda::pipeline_consumer_wait_prior<0>(Pipe);
  // expect-note@-1: commit the copy: insert 'asm volatile("cp.async.commit_group;" ::: "memory");'
  // expect-note@-2: wait for all groups is here
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}

// The pointer is an object of its own, and no source.
template <bool Waits> __device__ void annotated(const float *Src, float *Dst) {
  __shared__ float Tile[Threads];
  auto Pipe = cuda::make_pipeline();
  cuda::annotated_ptr<const float, cuda::access_property::streaming> From{
      Src + threadIdx.x};
  Pipe.producer_acquire();
  cuda::memcpy_async(&Tile[threadIdx.x], From, sizeof(float), Pipe);
  // expect-note@-1: copy issued here
  Pipe.producer_commit();
  // expect-note@-1: committed here
  if (Waits)
    Pipe.consumer_wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
KERNEL annotated_ok(const float *Src, float *Dst) { annotated<true>(Src, Dst); }
KERNEL annotated_bad(const float *Src, float *Dst) {
  annotated<false>(Src, Dst);
  // expect-note@-1: 'annotated' called here
}
