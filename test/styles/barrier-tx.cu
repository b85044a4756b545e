//===- barrier-tx.cu - Weighted sum of chunks, cuda::barrier ---*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each block adds up its chunks of 768 floats and multiplies the sum by a
// vector of weights. Thread 0 fetches the chunks into two stages with
// memcpy_async_tx on cuda::barrier, and all threads consume.
//
// Host contract: blocks of 192 threads; In holds gridDim.x * Chunks chunks,
// Params 768 weights, then a scale and three unused floats, Out gridDim.x
// chunks. All pointers are aligned to 16 bytes.
//===----------------------------------------------------------------------===//

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cuda/barrier>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

namespace {

constexpr int BlockThreads = 192;
constexpr int Stages = 2;
constexpr int ChunkFloats = 4 * BlockThreads;
constexpr int ChunkBytes = ChunkFloats * sizeof(float);
// The scale follows the weights, padded to 16 bytes.
constexpr int ParamFloats = ChunkFloats + 4;
#if MISTAKE == 7
// MISTAKE 7: only what is used, without the padding
constexpr int ParamBytes = (ChunkFloats + 1) * sizeof(float);
#else
constexpr int ParamBytes = ParamFloats * sizeof(float);
#endif

} // namespace

__global__ void __launch_bounds__(192)
    weightedSum(const float *In, const float *Params, float *Out, int Chunks) {
  __shared__ alignas(128) float Slots[Stages][ChunkFloats];
  __shared__ alignas(16) float ParamSlot[ParamFloats];
  __shared__ alignas(128) float Result[ChunkFloats];
  __shared__ Barrier Full[Stages];
  __shared__ Barrier Drained[Stages];
  __shared__ Barrier ParamsReady;

  if (threadIdx.x == 0) {
    for (int Stage = 0; Stage < Stages; ++Stage) {
#if MISTAKE == 1
      // MISTAKE 1: counts the announcing thread only, but all threads arrive
      init(&Full[Stage], 1);
#else
      init(&Full[Stage], BlockThreads);
#endif
      init(&Drained[Stage], BlockThreads);
    }
    init(&ParamsReady, BlockThreads);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();

  // The parameters travel on a barrier of their own and are needed at the end.
  if (threadIdx.x == 0) {
    cuda::device::barrier_expect_tx(ParamsReady, ParamBytes);
    // AT 7 (invalid-copy-size): the size is no multiple of 16 bytes
    cuda::device::memcpy_async_tx(ParamSlot, Params,
                                  cuda::aligned_size_t<16>(ParamBytes),
                                  ParamsReady);
  }
  Barrier::arrival_token ParamsToken = ParamsReady.arrive();

  const float *Source =
      In + static_cast<size_t>(blockIdx.x) * Chunks * ChunkFloats;
  Barrier::arrival_token Token[Stages];
  for (int Stage = 0; Stage < Stages && Stage < Chunks; ++Stage) {
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(
          Slots[Stage], Source + static_cast<size_t>(Stage) * ChunkFloats,
          cuda::aligned_size_t<16>(ChunkBytes), Full[Stage]);
      Token[Stage] =
          cuda::device::barrier_arrive_tx(Full[Stage], 1, ChunkBytes);
    } else {
      Token[Stage] = Full[Stage].arrive();
    }
  }

  float4 Sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int Chunk = 0; Chunk < Chunks; ++Chunk) {
    const int Stage = Chunk % Stages;
    // AT 2 (mismatched-phase): the copy brings four times as many bytes as
    // announced
    // AT 3 (mismatched-phase): never returns from the third chunk on
    Full[Stage].wait(std::move(Token[Stage]));

#if MISTAKE == 6
    // MISTAKE 6: the stage that is still being filled
    const auto *Slot = reinterpret_cast<const float4 *>(Slots[Stage ^ 1]);
#else
    const auto *Slot = reinterpret_cast<const float4 *>(Slots[Stage]);
#endif
    // AT 1 (unsynchronized-read): one arrival ends the phase, not all threads'
    // AT 6 (unwaited-read): reads a slot whose copy was not waited for
    float4 Value = Slot[threadIdx.x];
    Sum.x += Value.x;
    Sum.y += Value.y;
    Sum.z += Value.z;
    Sum.w += Value.w;

    // Only thread 0 waits until all threads have read the slot.
    Barrier::arrival_token ReadToken = Drained[Stage].arrive();
    const int Next = Chunk + Stages;
    if (Next < Chunks) {
      if (threadIdx.x == 0) {
#if MISTAKE == 4
        // MISTAKE 4: refills without waiting for the other threads
#else
        Drained[Stage].wait(std::move(ReadToken));
#endif
        // AT 4 (in-flight-overwrite): overwrites the slot that other threads
        // may still be reading
        cuda::device::memcpy_async_tx(
            Slots[Stage], Source + static_cast<size_t>(Next) * ChunkFloats,
            cuda::aligned_size_t<16>(ChunkBytes), Full[Stage]);
      }
#if MISTAKE == 3
      // MISTAKE 3: every thread announces the bytes, but only one copies
      Token[Stage] =
          cuda::device::barrier_arrive_tx(Full[Stage], 1, ChunkBytes);
#else
      if (threadIdx.x == 0)
#if MISTAKE == 2
        // MISTAKE 2: announces floats, not bytes
        Token[Stage] =
            cuda::device::barrier_arrive_tx(Full[Stage], 1, ChunkFloats);
#else
        Token[Stage] =
            cuda::device::barrier_arrive_tx(Full[Stage], 1, ChunkBytes);
#endif
      else
        Token[Stage] = Full[Stage].arrive();
#endif
    }
  }

#if MISTAKE == 5
  // MISTAKE 5: arrived, but never waited for the parameters
  (void)ParamsToken;
#else
  ParamsReady.wait(std::move(ParamsToken));
#endif
  // AT 5 (unwaited-read): the parameters may not have landed
  const float Scale = ParamSlot[ChunkFloats];
  const float4 Weight =
      reinterpret_cast<const float4 *>(ParamSlot)[threadIdx.x];
  reinterpret_cast<float4 *>(Result)[threadIdx.x] =
      make_float4(Scale * Weight.x * Sum.x, Scale * Weight.y * Sum.y,
                  Scale * Weight.z * Sum.z, Scale * Weight.w * Sum.w);

#if MISTAKE == 8
  // MISTAKE 8: no proxy fence behind the results
#else
  cde::fence_proxy_async_shared_cta();
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    // AT 8 (unfenced-bulk-copy): may store what was there before
    cde::cp_async_bulk_shared_to_global(
        Out + static_cast<size_t>(blockIdx.x) * ChunkFloats, Result,
        ChunkBytes);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}
