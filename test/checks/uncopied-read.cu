//===- uncopied-read.cu - Copies shorter than what is read -----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel copies In to Out. A `_bad` one reads bytes that no copy and no
// store of any path writes.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(128)

// 16 threads copy 16 bytes each, where 32 are needed.
KERNEL too_few_threads_bad(const float *In, float *Out) {
  __shared__ __align__(16) float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 16)
    __pipeline_memcpy_async(&Tile[threadIdx.x * 4], &In[First + threadIdx.x * 4],
    // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
    // expect-note@-2: copy issued here
                            16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 64 reads 'Tile[64]' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
}

KERNEL too_few_threads_ok(const float *In, float *Out) {
  __shared__ __align__(16) float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32)
    __pipeline_memcpy_async(&Tile[threadIdx.x * 4], &In[First + threadIdx.x * 4],
                            16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// A group is told the number of elements, and takes bytes.
KERNEL elements_as_bytes_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int First = blockIdx.x * 128;
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile, In + First, 128);
  // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
  // expect-note@-2: copy issued here
  cg::wait(Block);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 32 reads 'Tile[32]' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
}

KERNEL elements_as_bytes_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int First = blockIdx.x * 128;
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile, In + First, sizeof(Tile));
  cg::wait(Block);
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// The size of a pointer.
KERNEL size_of_pointer_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  float4 *Mine = &Tile[threadIdx.x];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(Mine, &In[I], sizeof(Mine));
  // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
  // expect-note@-2: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0].z' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
}

KERNEL size_of_pointer_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  float4 *Mine = &Tile[threadIdx.x];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(Mine, &In[I], sizeof(*Mine));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

// Seven rows of eight.
KERNEL last_row_bad(const float *In, float *Out) {
  __shared__ float Tile[8][16];
  const int First = blockIdx.x * 128, Row = threadIdx.x / 16,
            Column = threadIdx.x % 16;
  if (Row < 7)
    __pipeline_memcpy_async(&Tile[Row][Column], &In[First + threadIdx.x], 4);
    // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
    // expect-note@-2: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int Other = 127 - threadIdx.x;
  const float X = Tile[Other / 16][Other % 16];
  // expect-note@-1: thread 0 reads 'Tile[7][15]' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
  Out[First + Other] = X;
}

KERNEL last_row_ok(const float *In, float *Out) {
  __shared__ float Tile[8][16];
  const int First = blockIdx.x * 128, Row = threadIdx.x / 16,
            Column = threadIdx.x % 16;
  if (Row < 8)
    __pipeline_memcpy_async(&Tile[Row][Column], &In[First + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int Other = 127 - threadIdx.x;
  const float X = Tile[Other / 16][Other % 16];
  Out[First + Other] = X;
}

// Both slots of a ring are read whole and filled by half.
KERNEL ring_bad(const float *In, float *Out, int Tiles) {
  __shared__ __align__(16) float Ring[2][128];
  auto Fetch = [&](int T) {
    if (T < Tiles && threadIdx.x < 16)
    // expect-note@-1: taken when this condition is true
      __pipeline_memcpy_async(&Ring[T % 2][threadIdx.x * 4],
      // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
      // expect-note@-2: copy issued here
                              &In[(blockIdx.x * Tiles + T) * 128 +
                                  threadIdx.x * 4],
                              16);
    __pipeline_commit();
  };
  Fetch(0);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    Fetch(T + 1);
    // expect-note@-1: 'Fetch' called here
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[(blockIdx.x * Tiles + T) * 128 + threadIdx.x] = Ring[T % 2][threadIdx.x];
    // expect-note@-1: thread 64 reads 'Ring[0][64]' here
    // expect-warning@-2{cpasync-uncopied-read}: 'Ring' may be read where no copy or store writes to it
    __syncthreads();
  }
}

KERNEL ring_ok(const float *In, float *Out, int Tiles) {
  __shared__ __align__(16) float Ring[2][128];
  auto Fetch = [&](int T) {
    if (T < Tiles && threadIdx.x < 32)
      __pipeline_memcpy_async(&Ring[T % 2][threadIdx.x * 4],
                              &In[(blockIdx.x * Tiles + T) * 128 +
                                  threadIdx.x * 4],
                              16);
    __pipeline_commit();
  };
  Fetch(0);
  for (int T = 0; T < Tiles; ++T) {
    Fetch(T + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[(blockIdx.x * Tiles + T) * 128 + threadIdx.x] = Ring[T % 2][threadIdx.x];
    __syncthreads();
  }
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// The rest is stored, by other threads.
KERNEL rest_stored_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 64)
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x], 4);
  else
    Tile[threadIdx.x] = In[First + threadIdx.x];
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
}

// How far the copies go, and the reads, hangs on one number.
KERNEL guarded_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[256];
  const int Count = Tiles * 16;
  for (int T = 0; T < Tiles; ++T) {
    const int First = (blockIdx.x * Tiles + T) * 128;
    for (int I = threadIdx.x; I < Count; I += 128)
      __pipeline_memcpy_async(&Tile[I], &In[First + I], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (128 < Count)
      Out[First + threadIdx.x] = Tile[threadIdx.x + 128];
    Out[First + threadIdx.x] = Tile[threadIdx.x];
    __syncthreads();
  }
}

// Zeros that fill are written, too.
KERNEL zero_filled_ok(const float *In, float *Out) {
  __shared__ float Tile[256];
  const int First = blockIdx.x * 128;
  for (int I = threadIdx.x; I < 256; I += 128)
    __pipeline_memcpy_async(&Tile[I], &In[First + I % 128], 4, I < 128 ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x] + Tile[threadIdx.x + 128];
}

// The last thread reads one element too many and does not use it.
KERNEL neighbour_ok(const float *In, float *Out) {
  __shared__ float Tile[129];
  const int First = blockIdx.x * 128;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float Next = Tile[threadIdx.x + 1];
  if (threadIdx.x < 127)
    Out[First + threadIdx.x + 1] = Next;
  if (threadIdx.x == 0)
    Out[First] = Tile[0];
}

// Three of four words are copied and used.
KERNEL three_of_four_ok(const float *In, float *Out) {
  __shared__ float4 Tile[32];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32) {
    for (int I = 0; I < 3; ++I)
      __pipeline_memcpy_async(reinterpret_cast<float *>(&Tile[threadIdx.x]) + I,
                              &In[First + threadIdx.x * 4 + I], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    const float4 Mine = Tile[threadIdx.x];
    Out[First + threadIdx.x * 4] = Mine.x;
    Out[First + threadIdx.x * 4 + 1] = Mine.y;
    Out[First + threadIdx.x * 4 + 2] = Mine.z;
    Out[First + threadIdx.x * 4 + 3] = In[First + threadIdx.x * 4 + 3];
  }
}

// Threads that have nothing to store leave before they copy.
KERNEL left_early_bad(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Lanes = 112 - Tiles;
  if (T >= Lanes)
  // expect-note@-1: all threads must come to the copies of the block; what they store may depend on the condition
  // expect-note@-2: taken when this condition is true only in threads 65-127
  // expect-warning@-3{cpasync-uncopied-read}: some threads may leave here before they copy what others read of 'Tile'
    return;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const int First = (blockIdx.x * Tiles + K) * 128;
    __pipeline_memcpy_async(&Tile[T], &In[First + T], 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (T < Lanes) {
      Out[First + T] = Tile[T];
      Out[First + 127 - T] = Tile[127 - T];
      // expect-note@-1: thread 0 reads 'Tile[127]' here
    }
    __syncthreads();
  }
}

KERNEL left_early_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, Lanes = 112 - Tiles;
  for (int K = 0; K < Tiles; ++K) {
    const int First = (blockIdx.x * Tiles + K) * 128;
    __pipeline_memcpy_async(&Tile[T], &In[First + T], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (T < Lanes) {
      Out[First + T] = Tile[T];
      Out[First + 127 - T] = Tile[127 - T];
    }
    __syncthreads();
  }
}

// Half of what is read whole.
KERNEL half_of_vector_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x],
  // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
  // expect-note@-2: copy issued here
                          sizeof(float2));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + (threadIdx.x ^ 1)] = Tile[threadIdx.x ^ 1];
  // expect-note@-1: thread 0 reads 'Tile[1].z' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
}

KERNEL half_of_vector_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x],
                          sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + (threadIdx.x ^ 1)] = Tile[threadIdx.x ^ 1];
}

// The read hangs on what the kernel is given.
KERNEL under_condition_bad(const float *In, float *Out, bool Reversed) {
  __shared__ __align__(16) float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 31)
    __pipeline_memcpy_async(&Tile[threadIdx.x * 4], &In[First + threadIdx.x * 4],
    // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
    // expect-note@-2: copy issued here
                            16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (!Reversed)
    Out[First + threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: thread 124 reads 'Tile[124]' here
    // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
}

KERNEL under_condition_ok(const float *In, float *Out, bool Reversed) {
  __shared__ __align__(16) float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32)
    __pipeline_memcpy_async(&Tile[threadIdx.x * 4], &In[First + threadIdx.x * 4],
                            16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (!Reversed)
    Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// The same of as many as are left: with whichever number, there are more bytes
// than elements.
template <bool InBytes>
__device__ void readInParts(const float *In, float *Out, int Count) {
  __shared__ float Part[256];
  auto Block = cg::this_thread_block();
  const int First = blockIdx.x * Count;
  for (int At = 0; At < Count; At += 256) {
  // expect-note@-1: in the iteration of this loop with At = 0
    const int Here = min(256, Count - At);
    cg::memcpy_async(Block, Part, In + First + At,
    // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
    // expect-note@-2: copy issued here
                     InBytes ? Here * sizeof(float) : Here);
    cg::wait(Block);
    for (int I = threadIdx.x; I < Here; I += 128)
      Out[First + At + I] = Part[I];
      // expect-note@-1: thread 64 reads 'Part[64]' here
      // expect-warning@-2{cpasync-uncopied-read}: 'Part' may be read where no copy or store writes to it
    Block.sync();
  }
}
KERNEL rest_as_elements_bad(const float *In, float *Out, int Tiles) {
  readInParts<false>(In, Out, Tiles * 128);
  // expect-note@-1: 'readInParts' called here
}
KERNEL rest_as_elements_ok(const float *In, float *Out, int Tiles) {
  readInParts<true>(In, Out, Tiles * 128);
}

// Behind the end of a row there is nothing to copy, and to each element
// something of what is there is added.
template <bool Fills>
__device__ void addBehind(const float *In, float *Out, int Rows, int Count) {
  __shared__ float Row[132];
  for (int K = 0; K < Rows; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const int First = (blockIdx.x * Rows + K) * Count;
    for (int I = threadIdx.x; I < 132; I += 128) {
      if (Fills)
        __pipeline_memcpy_async(&Row[I], &In[I < Count ? First + I : 0], 4,
                                I < Count ? 0 : 4);
      else if (I < Count)
        __pipeline_memcpy_async(&Row[I], &In[First + I], 4);
        // expect-note@-1: left out here where a condition around the copy does not hold
        // expect-note@-2: where there is nothing to copy, a source size of 0 fills with zeros; or store what is to be read
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (threadIdx.x < Count)
      Out[First + threadIdx.x] = Row[threadIdx.x] + Row[128 + threadIdx.x % 4];
      // expect-note@-1: thread 0 reads 'Row[128]' here
      // expect-note@-2: what is made of it is stored here
      // expect-warning@-3{cpasync-uncopied-read}: 'Row' is read where no copy or store writes to it
    __syncthreads();
  }
}
KERNEL left_out_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  addBehind<false>(In, Out, Tiles, Tiles * 16);
  // expect-note@-1: 'addBehind' called here
}
KERNEL left_out_ok(const float *In, float *Out, int Tiles) {
  addBehind<true>(In, Out, Tiles, Tiles * 16);
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(too_few_threads, Stale), TWINS(elements_as_bytes, Stale),
          TWINS(rest_as_elements, Stale), TWINS(left_out, Stale),
          TWINS(size_of_pointer, Stale), TWINS(last_row, Stale),
          TWINS(ring, Stale), TWINS(left_early, Stale),
          TWINS(half_of_vector, Stale), TWINS(under_condition, Stale),
          OK(rest_stored_ok),
          OK(guarded_ok), OK(zero_filled_ok), OK(neighbour_ok),
          OK(three_of_four_ok))
#endif
