//===- row-bulk.cu - Transpose with one bulk load for each row -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Transposes a tall matrix. One warp loads a tile row by row into rows of a
// padded pitch, and all threads of the block write the tile out by columns.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>

constexpr int Threads = 128;
constexpr int TILE_ROWS = 64;
constexpr int Cols = 128;
constexpr uint32_t RowBytes = Cols * sizeof(float);

// Padded, so that a column does not lie in one bank.
#if MISTAKE == 6
// MISTAKE 6: one float of padding, most rows are aligned to 4 bytes only
constexpr int Pitch = Cols + 1;
#else
constexpr int Pitch = Cols + 4;
#endif

__device__ inline uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ inline void initBarrier(uint64_t *Barrier, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\t"
               "fence.mbarrier_init.release.cluster;"
               :
               : "r"(sharedAddress(Barrier)), "r"(Count)
               : "memory");
}

__device__ inline void arriveExpectTx(uint64_t *Barrier, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(sharedAddress(Barrier)), "r"(Bytes)
               : "memory");
}

__device__ inline bool tryWait(uint64_t *Barrier, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n\t"
               ".reg .pred P;\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 P, [%1], %2;\n\t"
               "selp.b32 %0, 1, 0, P;\n\t"
               "}"
               : "=r"(Done)
               : "r"(sharedAddress(Barrier)), "r"(Parity)
               : "memory");
  return Done;
}

__device__ inline void bulkLoad(void *Shared, const void *Global,
                                uint32_t Bytes, uint64_t *Barrier) {
  asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];"
               :
               : "r"(sharedAddress(Shared)),
                 "l"(__cvta_generic_to_global(Global)), "r"(Bytes),
                 "r"(sharedAddress(Barrier))
               : "memory");
}

// In: Rows x Cols floats, aligned to 16 bytes. Out: Cols x Rows floats.
__global__ void __launch_bounds__(Threads)
    transposeTall(const float *__restrict__ In, float *__restrict__ Out,
                  int Rows) {
  __shared__ alignas(128) float Tile[TILE_ROWS][Pitch];
  __shared__ alignas(8) uint64_t Full;

  const int Warp = threadIdx.x / 32;
  const int Lane = threadIdx.x % 32;

  if (threadIdx.x == 0) {
#if MISTAKE == 4
    // MISTAKE 4: counts the lanes that load, but only lane 0 arrives
    initBarrier(&Full, 32);
#else
    initBarrier(&Full, 1);
#endif
  }
  __syncthreads();

  uint32_t Phase = 0;
  const int Step = gridDim.x * TILE_ROWS;
  for (int Row0 = blockIdx.x * TILE_ROWS; Row0 < Rows; Row0 += Step) {
    const int Height = min(TILE_ROWS, Rows - Row0);

    if (Warp == 0) {
#if MISTAKE == 1
      // MISTAKE 1: announces a whole tile for the short one, too
      if (Lane == 0)
        arriveExpectTx(&Full, TILE_ROWS * RowBytes);
#elif MISTAKE == 3
      // MISTAKE 3: all lanes announce all bytes
      // AT 3 (mismatched-phase): the barrier counts one arrival, these are 32
      arriveExpectTx(&Full, Height * RowBytes);
#else
      if (Lane == 0)
        arriveExpectTx(&Full, Height * RowBytes);
#endif
      __syncwarp();

#if MISTAKE == 8
      // MISTAKE 8: loads a whole tile although fewer rows are announced
      for (int R = Lane; R < TILE_ROWS; R += 32) {
        const float *Source = In + static_cast<size_t>(Row0 + R) * Cols;
        bulkLoad(Tile[R], Source, RowBytes, &Full);
      }
#else
      for (int R = Lane; R < Height; R += 32) {
        const float *Source = In + static_cast<size_t>(Row0 + R) * Cols;
        // AT 6 (misaligned-copy): only every fourth row is aligned to 16 bytes
        // AT 5 (in-flight-overwrite): other warps may still read the tile
        // before
        bulkLoad(Tile[R], Source, RowBytes, &Full);
      }
#endif
    }

#if MISTAKE == 1
    // AT 1 (mismatched-phase): the phase of a short tile never completes
    while (!tryWait(&Full, Phase)) {
    }
#elif MISTAKE == 7
    // MISTAKE 7: only the warp that loads waits
    if (Warp == 0) {
      while (!tryWait(&Full, Phase)) {
      }
    }
#else
    // AT 4 (mismatched-phase): 31 arrivals are missing, the phase never
    // completes
    // AT 8 (mismatched-phase): more bytes come than were announced
    while (!tryWait(&Full, Phase)) {
    }
#endif
#if MISTAKE == 2
    // MISTAKE 2: the phase does not toggle
#else
    Phase ^= 1;
#endif

    for (int I = threadIdx.x; I < TILE_ROWS * Cols; I += Threads) {
      const int R = I % TILE_ROWS;
      const int C = I / TILE_ROWS;
      if (R < Height) {
        // AT 2 (unwaited-read): from the second tile on, the wait returns
        // before the load ends
        // AT 7 (unsynchronized-read): the warps that do not load read without
        // having waited
        float Value = Tile[R][C];
        Out[static_cast<size_t>(C) * Rows + Row0 + R] = Value;
      }
    }
#if MISTAKE == 5
    // MISTAKE 5: the next load does not wait for the readers
#else
    __syncthreads();
#endif
  }
}
