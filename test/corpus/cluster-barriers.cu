//===- cluster-barriers.cu - Barriers of a whole cluster ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the threads of one block the barrier of its cluster is one of the block
// (PTX ISA, "barrier.cluster"): what came before arriving comes before what
// follows the wait.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void copyAndWait(float4 *To, const float4 *From) {
  __pipeline_memcpy_async(&To[threadIdx.x], &From[threadIdx.x], 16);
  // expect-note@-1: copy issued here
  // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 63
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
}

KERNEL none(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  // expect-note@-1: 'copyAndWait' called here
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -6 and this read
  // expect-note@-2: thread 0 reads 'Tile[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL of_group(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  cg::this_cluster().sync();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

KERNEL of_ptx(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

KERNEL of_builtins(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  __nvvm_barrier_cluster_arrive();
  __nvvm_barrier_cluster_wait();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

KERNEL of_runtime(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

// A thread arrives before it has waited for its copy.
KERNEL wait_comes_late(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __cluster_barrier_arrive();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  __cluster_barrier_wait();
  // expect-note@-1: barrier is here
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// Arrived, but not waited.
KERNEL no_wait(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  // expect-note@-1: 'copyAndWait' called here
  __cluster_barrier_arrive();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -56 and this read
  // expect-note@-2: thread 0 reads 'Tile[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
  __cluster_barrier_wait();
}

// Every round needs its own: the first protects the slot before it is filled
// again, the second what was copied.
KERNEL rounds(const float4 *In, float4 *Out, int N) {
  __shared__ float4 Tile[64];
  for (int K = 0; K < N; ++K) {
    copyAndWait(Tile, In + 64 * K);
    cg::this_cluster().sync();
    Out[64 * K + threadIdx.x] = Tile[63 - threadIdx.x];
    cg::this_cluster().sync();
  }
}

KERNEL rounds_without(const float4 *In, float4 *Out, int N) {
// expect-note@-1: with N = 2
  __shared__ float4 Tile[64];
  for (int K = 0; K < N; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    copyAndWait(Tile, In + 64 * K);
    // expect-note@-1: 'copyAndWait' called here
    // expect-note@-2: a barrier belongs between the read in line +2 and this call in a later iteration
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
    cg::this_cluster().sync();
    Out[64 * K + threadIdx.x] = Tile[63 - threadIdx.x];
    // expect-note@-1: read here
  }
}

KERNEL relaxed(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  __cluster_barrier_arrive_relaxed();
  // expect-skipped@-1: what a relaxed cluster barrier orders is not known
  __cluster_barrier_wait();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

KERNEL relaxed_builtin(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  copyAndWait(Tile, In);
  __nvvm_barrier_cluster_arrive_relaxed();
  // expect-skipped@-1: what a relaxed cluster barrier orders is not known
  __nvvm_barrier_cluster_wait();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}
