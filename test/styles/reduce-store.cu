//===- reduce-store.cu - Split sums with bulk reductions -------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Sums a stack of matrices over its depth. Every block sums a part of the depth
// for some rows and adds its partial row to the global row by a bulk reduction.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>

constexpr int Threads = 96;
constexpr int PerThread = 4;
constexpr int Columns = Threads * PerThread;

#if MISTAKE == 6
// MISTAKE 6: two floats of padding, the second buffer is aligned to 8 bytes
constexpr int Pitch = Columns + 2;
#else
constexpr int Pitch = Columns + 4;
#endif

#if MISTAKE == 5
// MISTAKE 5: two floats too few
constexpr uint32_t RowBytes = Columns * sizeof(float) - 8;
#else
constexpr uint32_t RowBytes = Columns * sizeof(float);
#endif

// In: Depth x Rows x Columns floats. Out: Rows x Columns floats, zeroed by the
// host and aligned to 16 bytes. Blocks in y split the depth in parts of
// DepthPart layers, blocks in x share the rows.
__global__ void __launch_bounds__(Threads)
    sumDepth(const float *__restrict__ In, float *Out, int Depth, int DepthPart,
             int Rows) {
  __shared__ alignas(16) float Partial[2][Pitch];

  const int First = blockIdx.y * DepthPart;
  const int Last = min(First + DepthPart, Depth);
  int Buffer = 0;

  for (int Row = blockIdx.x; Row < Rows; Row += gridDim.x) {
    float Sums[PerThread] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int Layer = First; Layer < Last; ++Layer) {
      const float *Source =
          In + (static_cast<size_t>(Layer) * Rows + Row) * Columns;
#pragma unroll
      for (int I = 0; I < PerThread; ++I)
        Sums[I] += Source[I * Threads + threadIdx.x];
    }

    // At most the reduction of the other buffer may be under way.
#if MISTAKE == 3
    // MISTAKE 3: another thread than the one that commits waits
    if (threadIdx.x == Threads - 1)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
#elif MISTAKE == 2
    // MISTAKE 2: two groups may be under way
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
#else
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
#endif
    __syncthreads();

#pragma unroll
    for (int I = 0; I < PerThread; ++I) {
      // AT 2 (in-flight-overwrite): the reduction of two rows ago may still
      // read this buffer
      // AT 3 (in-flight-overwrite): thread 0's reductions were not waited for
      // AT 4 (in-flight-overwrite): no wait tells that a reduction has read
      // this buffer
      // AT 8 (in-flight-overwrite): the last row's reduction may still read
      // this buffer
      Partial[Buffer][I * Threads + threadIdx.x] = Sums[I];
    }
#if MISTAKE != 1
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
    // MISTAKE 1: __threadfence_block is no fence between proxies
    __threadfence_block();
#endif
#if MISTAKE != 7
    __syncthreads();
#else
    // MISTAKE 7: joins only the threads of each warp
    __syncwarp();
#endif

    if (threadIdx.x == 0) {
      const uint32_t Source =
          static_cast<uint32_t>(__cvta_generic_to_shared(Partial[Buffer]));
      const size_t Target =
          __cvta_generic_to_global(Out + static_cast<size_t>(Row) * Columns);
      // AT 1 (unfenced-bulk-copy): the sums were written by the generic proxy,
      // without proxy fence
      // AT 5 (invalid-copy-size): the size is no multiple of 16
      // AT 6 (misaligned-copy): the second buffer is not aligned to 16 bytes
      // AT 7 (unfenced-bulk-copy): the other warps may not have written their
      // sums yet
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
                   "[%0], [%1], %2;" ::"l"(Target),
                   "r"(Source), "r"(RowBytes)
                   : "memory");
#if MISTAKE == 4
      // MISTAKE 4: the reduction is in no group
#else
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
    }
#if MISTAKE == 8
    // MISTAKE 8: the buffers are not swapped
#else
    Buffer ^= 1;
#endif
  }

  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
