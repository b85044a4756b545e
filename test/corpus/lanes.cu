//===- lanes.cu - What brings the lanes of a warp together -----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane copies its element and reads that of another lane. By the letter a
// barrier has to stand between, though no GPU is known that needs one where the
// lanes have not gone apart.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void fetch(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  // expect-note@-1: copy issued here
  // expect-note@-2: thread 0 overwrites byte 0 of 'Tile' here, read by thread 31
  // expect-warning@-3{cpasync-unsynchronized-lanes}: 'Tile' may be overwritten with no barrier of the warp after other lanes read it
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
}


//===----------------------------------------------------------------------===//
// Nothing does
//===----------------------------------------------------------------------===//

KERNEL nothing(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
  // expect-note@-1: thread 0 reads byte 124 of 'Tile' here, copied by thread 31
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
}

// Those that are named do not read each other's.
KERNEL wrong_mask(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  __syncwarp(0xffffu << (Lane / 16 * 16));
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
  // expect-note@-1: thread 16 reads byte 60 of 'Tile' here, copied by thread 15
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
}

KERNEL small_tile(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  auto Part = cg::tiled_partition<8>(cg::this_thread_block());
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  Part.sync();
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
  // expect-note@-1: thread 24 reads byte 28 of 'Tile' here, copied by thread 7
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
}

// Before the wait it says nothing of the copy.
KERNEL before_wait(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  __pipeline_memcpy_async(&Tile[Warp][Lane], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __syncwarp();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
  // expect-note@-1: thread 0 reads byte 124 of 'Tile' here, copied by thread 31
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
}

// One lane copies for its warp.
KERNEL one_for_all(const float *In, float *Out) {
  __shared__ float4 Tile[4];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane == 0) {
    __pipeline_memcpy_async(&Tile[Warp], &In[Warp * 4], 16);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    __pipeline_wait_prior(0);
    // expect-note@-1: its thread waits for the copy here
  }
  Out[threadIdx.x] = Tile[Warp].x;
  // expect-note@-1: thread 1 reads byte 0 of 'Tile' here, copied by thread 0
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
}

// The barrier after the read is missing.
KERNEL refilled(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
  // expect-note@-2: in iteration 1 of this loop, counted from 0
    fetch(&Tile[Warp][Lane], &In[K * 128 + threadIdx.x]);
    __syncwarp();
    Out[K * 128 + threadIdx.x] = Tile[Warp][31 - Lane];
    // expect-note@-1: read here
  }
}

KERNEL stored_over(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  __syncwarp();
  const float X = Tile[Warp][31 - Lane];
  // expect-note@-1: read here
  Tile[Warp][Lane] = X;
  // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, read by thread 31
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is overwritten with no barrier of the warp after other lanes read it
}

// Threads of other warps race as well: that is told alone.
KERNEL whole_block(const float *In, float *Out) {
  __shared__ float Tile[128];
  fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[(threadIdx.x + 1) % 128];
  // expect-note@-1: thread 31 reads byte 128 of 'Tile' here, copied by thread 32
  // expect-warning@-2{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

KERNEL ordered(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int K = 0; K < Tiles; ++K) {
    fetch(&Tile[Warp][Lane], &In[K * 128 + threadIdx.x]);
    __syncwarp();
    Out[K * 128 + threadIdx.x] = Tile[Warp][31 - Lane];
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  }
}

KERNEL of_the_block(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  __syncthreads();
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
}

KERNEL of_two_warps(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  asm volatile("bar.sync %0, 64;" ::"r"(1 + Warp / 2) : "memory");
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
}

KERNEL in_memory(const float *In, float *Out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> Bar;
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    init(&Bar, 128);
  __syncthreads();
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  Bar.arrive_and_wait();
  Out[threadIdx.x] = Tile[Warp][31 - Lane];
}

KERNEL of_tiles(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  auto Part = cg::tiled_partition<32>(cg::this_thread_block());
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  Part.sync();
  const float X = Tile[Warp][31 - Lane];
  cg::sync(Part);
  cg::memcpy_async(Part, Tile[Warp], In + 128 + Warp * 32, 32 * sizeof(float));
  cg::wait(Part);
  Out[threadIdx.x] = X + Tile[Warp][31 - Lane];
}

KERNEL of_those_that_are_there(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane < 8) {
    auto Part = cg::coalesced_threads();
    fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
    Part.sync();
    Out[threadIdx.x] = Tile[Warp][7 - Lane];
  }
}

// Each side comes to it for itself.
KERNEL in_both_sides(const float *In, float *Out) {
  __shared__ float Tile[4][16];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane < 16) {
    fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
    __syncwarp();
  } else {
    __syncwarp();
    Out[threadIdx.x] = Tile[Warp][Lane - 16];
  }
}

// A lane that has left cannot be waited for.
KERNEL some_have_left(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  if (Lane >= 24)
    return;
  __syncwarp(0xffffff);
  Out[threadIdx.x] = Tile[Warp][23 - Lane];
}

//===----------------------------------------------------------------------===//
// What makes lanes wait for each other, and has no order of memory
//===----------------------------------------------------------------------===//

KERNEL shuffled(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  float Sum = In[threadIdx.x];
  for (int By = 16; By > 0; By /= 2)
    Sum += __shfl_xor_sync(0xffffffff, Sum, By);
  Out[threadIdx.x] = Tile[Warp][31 - Lane] + Sum;
}

KERNEL voted(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  auto Part = cg::tiled_partition<32>(cg::this_thread_block());
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  const bool Any = Part.any(In[threadIdx.x] > 0);
  Out[threadIdx.x] = Tile[Warp][31 - Lane] + Any;
}

KERNEL reduced(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  auto Part = cg::tiled_partition<32>(cg::this_thread_block());
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  const float Sum = cg::reduce(Part, In[threadIdx.x], cg::plus<float>());
  Out[threadIdx.x] = Tile[Warp][31 - Lane] + Sum;
}

// Nobody has to come to it.
KERNEL asked(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fetch(&Tile[Warp][Lane], &In[threadIdx.x]);
  const unsigned Mask = __activemask();
  Out[threadIdx.x] = Tile[Warp][31 - Lane] + Mask;
  // expect-note@-1: thread 0 reads byte 124 of 'Tile' here, copied by thread 31
  // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
}

__device__ void mma(float *D, const unsigned *A, const unsigned *B) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "r"(A[0]), "r"(A[1]), "r"(B[0]));
}

KERNEL multiplied(const float *In, float *Out, int Tiles) {
  __shared__ unsigned Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  float Sum[4] = {};
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_memcpy_async(&Tile[Warp][Lane], &In[K * 128 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    unsigned A[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(A[0])
                 : "r"((unsigned)__cvta_generic_to_shared(
                     &Tile[Warp][Lane % 8 * 4])));
    A[1] = A[0];
    mma(Sum, A, A);
  }
  Out[threadIdx.x] = Sum[0] + Sum[3];
}

KERNEL fragments(const half *In, half *Out) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half Tile[4][256];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  fragment<matrix_a, 16, 16, 16, half, row_major> A;
  fragment<matrix_b, 16, 16, 16, half, row_major> B;
  fragment<accumulator, 16, 16, 16, half> C;
  fill_fragment(C, 0.0f);
  fill_fragment(B, 1.0f);
  for (int K = 0; K < 4; ++K) {
    __pipeline_memcpy_async(&Tile[Warp][Lane * 8],
                            &In[(K * 4 + Warp) * 256 + Lane * 8], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    load_matrix_sync(A, Tile[Warp], 16);
    mma_sync(C, A, B, C);
  }
  store_matrix_sync(Out + Warp * 256, C, 16, mem_row_major);
}
