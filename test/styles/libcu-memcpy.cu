//===- libcu-memcpy.cu - Two stages of cuda::memcpy_async ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Transposes many small square matrices. A block loads the next matrix with
// cuda::memcpy_async while it writes out the transposed current one.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int Stages = 2;
constexpr int Side = 32;
constexpr int MatrixFloats = Side * Side;
constexpr size_t MatrixBytes = MatrixFloats * sizeof(float);
constexpr int BlockSide = 16;
constexpr int BlockThreads = BlockSide * BlockSide;

#if MISTAKE == 7
// MISTAKE 7: two floats of padding, the second stage is aligned to 8 bytes
constexpr int StageFloats = MatrixFloats + 2;
#else
constexpr int StageFloats = MatrixFloats;
#endif

// In and Out hold Count matrices of Side x Side floats, aligned to 16 bytes.
__global__ void __launch_bounds__(BlockThreads)
    transposeSmall(const float *In, float *Out, int Count) {
  __shared__ alignas(128) float Stage[Stages][StageFloats];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier Ready[Stages];

  cg::thread_block Block = cg::this_thread_block();
  if (Block.thread_rank() == 0) {
    for (int S = 0; S < Stages; ++S) {
#if MISTAKE == 1
      // MISTAKE 1: the block has two dimensions
      init(&Ready[S], blockDim.x);
#else
      init(&Ready[S], Block.size());
#endif
    }
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release,
                                   cuda::ptx::scope_cluster);
  }
  Block.sync();

  Barrier::arrival_token Tokens[Stages];
  int Current = 0;

  if (blockIdx.x < Count) {
    const float *Source = In + static_cast<size_t>(blockIdx.x) * MatrixFloats;
#if MISTAKE == 6
    // MISTAKE 6: the number of floats is taken for the number of bytes
    cuda::memcpy_async(Block, Stage[0], Source,
                       cuda::aligned_size_t<16>(MatrixFloats), Ready[0]);
#else
    cuda::memcpy_async(Block, Stage[0], Source,
                       cuda::aligned_size_t<16>(MatrixBytes), Ready[0]);
#endif
    Tokens[0] = Ready[0].arrive();
  }

  for (int Matrix = blockIdx.x; Matrix < Count; Matrix += gridDim.x) {
    const int Next = Current ^ 1;
    const int NextMatrix = Matrix + gridDim.x;

    if (NextMatrix < Count) {
      const float *Source = In + static_cast<size_t>(NextMatrix) * MatrixFloats;
#if MISTAKE == 5
      // AT 5 (in-flight-overwrite): other threads may still read this stage for
      // the last matrix
      cuda::memcpy_async(Block, Stage[Next], Source,
                         cuda::aligned_size_t<16>(MatrixBytes), Ready[Next]);
#elif MISTAKE == 8
      // MISTAKE 8: loads into the current stage
      // AT 8 (in-flight-overwrite): this stage holds the matrix that is read
      // below
      cuda::memcpy_async(Block, Stage[Current], Source,
                         cuda::aligned_size_t<16>(MatrixBytes), Ready[Next]);
#else
      // AT 7 (misaligned-copy): the second stage is not aligned to 16 bytes
      cuda::memcpy_async(Block, Stage[Next], Source,
                         cuda::aligned_size_t<16>(MatrixBytes), Ready[Next]);
#endif
#if MISTAKE == 4
      // MISTAKE 4: one thread arrives for the block, with a count of one
      if (Block.thread_rank() == 0)
        Tokens[Next] = Ready[Next].arrive();
#else
      Tokens[Next] = Ready[Next].arrive();
#endif
    }

#if MISTAKE == 2
    // MISTAKE 2: no wait
#elif MISTAKE == 3
    // MISTAKE 3: waits for the stage that was just begun
    Ready[Next].wait(cuda::std::move(Tokens[Next]));
#else
    // AT 4 (mismatched-phase): 255 arrivals are missing from the second matrix
    // on
    // AT 1 (mismatched-phase): the phase waits for other arrivals than come
    Ready[Current].wait(cuda::std::move(Tokens[Current]));
#endif

    float *Target = Out + static_cast<size_t>(Matrix) * MatrixFloats;
    for (int Y = threadIdx.y; Y < Side; Y += BlockSide) {
      for (int X = threadIdx.x; X < Side; X += BlockSide) {
        // AT 2 (unwaited-read): nothing has waited for the copy
        // AT 3 (unwaited-read): the wait was for the other stage
        // AT 6 (unwaited-read): copies a quarter of the matrix
        float Value = Stage[Current][X * Side + Y];
        Target[Y * Side + X] = Value;
      }
    }

#if MISTAKE == 5
    // MISTAKE 5: the stage is refilled without a barrier
#else
    Block.sync();
#endif
    Current = Next;
  }
}

cudaError_t transposeMatrices(const float *In, float *Out, int Count,
                              int Blocks, cudaStream_t Stream) {
  if (Count < 0 || Blocks <= 0)
    return cudaErrorInvalidValue;
  dim3 Threads(16, 16);
  transposeSmall<<<Blocks, Threads, 0, Stream>>>(In, Out, Count);
  return cudaGetLastError();
}
