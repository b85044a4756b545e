//===- store-double.cu - Tensor stores from two staging tiles --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Applies x * sigmoid(x) to a matrix; the results go through two staging tiles,
// so that a tile is computed while the tensor store of the other one runs.

#ifndef MISTAKE
#define MISTAKE 0
#endif

#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

constexpr int Rows = 4096;
constexpr int Cols = 2048;
constexpr int TileRows = 32;
constexpr int TileCols = 64;
constexpr int TileFloats = TileRows * TileCols;
constexpr int Threads = 256;
constexpr int PerThread = TileFloats / Threads;
constexpr int Slots = 2;

#if MISTAKE == 6
// MISTAKE 6: 16 bytes of padding, the second tile is not aligned to 128 bytes
constexpr int SlotFloats = TileFloats + 4;
#else
constexpr int SlotFloats = TileFloats;
#endif

__device__ inline uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

__device__ inline void tensorStore(const CUtensorMap *Map, const void *Shared,
                                   int X, int Y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
               "[%0, {%2, %3}], [%1];"
               :
               : "l"(reinterpret_cast<uint64_t>(Map)),
                 "r"(sharedAddress(Shared)), "r"(X), "r"(Y)
               : "memory");
}

__device__ inline void storeArrive() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int Pending> __device__ inline void storeWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(Pending) : "memory");
}

__device__ inline void storeDrain() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ inline void storeFence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// One block column for each stripe of TileCols columns; the blocks of a column
// share its RowTiles tiles.
__global__ void __launch_bounds__(Threads)
    siluStripes(const __grid_constant__ CUtensorMap OutMap,
                const float *__restrict__ In, int RowTiles) {
  __shared__ alignas(128) float Tiles[Slots][SlotFloats];

  const int X = blockIdx.x * TileCols;
  int Slot = 0;

  for (int RowTile = blockIdx.y; RowTile < RowTiles; RowTile += gridDim.y) {
    const int Y = RowTile * TileRows;

    float Values[PerThread];
#pragma unroll
    for (int I = 0; I < PerThread; ++I) {
      int Index = I * Threads + threadIdx.x;
      int Row = Y + Index / TileCols;
      int Col = X + Index % TileCols;
      float Value = In[static_cast<size_t>(Row) * Cols + Col];
      Values[I] = Value / (1.0f + __expf(-Value));
    }

    // One store may be on its way: that of the other slot.
    if (threadIdx.x == 0) {
#if MISTAKE == 1
      // MISTAKE 1: lets two stores be on their way, this slot's among them
      storeWaitRead<2>();
#else
      storeWaitRead<1>();
#endif
    }
#if MISTAKE == 8
    // MISTAKE 8: no barrier after the elected thread's wait
#else
    __syncthreads();
#endif

#pragma unroll
    for (int I = 0; I < PerThread; ++I) {
      // AT 1 (in-flight-overwrite): the store of two rounds ago may still read
      // this slot
      // AT 2 (in-flight-overwrite): the store of two rounds ago is in no group
      // that was waited for
      // AT 8 (in-flight-overwrite): written before thread 0 has seen the slot's
      // store finish reading
      // AT 3 (in-flight-overwrite): the store of the last round may still read
      // this slot
      // AT 7 (in-flight-overwrite): the store reads the other slot, too
      Tiles[Slot][I * Threads + threadIdx.x] = Values[I];
    }

#if MISTAKE == 4
    // MISTAKE 4: only the issuer fences, the others' writes are not covered
    if (threadIdx.x == 0)
      storeFence();
#else
    storeFence();
#endif
#if MISTAKE == 5
    // MISTAKE 5: no barrier between the writers and the issuer
#else
    __syncthreads();
#endif

    if (threadIdx.x == 0) {
#if MISTAKE == 3
      // MISTAKE 3: stores the slot that is written next
      tensorStore(&OutMap, Tiles[Slot ^ 1], X, Y);
#elif MISTAKE == 4
      // AT 4 (unfenced-bulk-copy): reads writes of other threads that no proxy
      // fence covers
      tensorStore(&OutMap, Tiles[Slot], X, Y);
#elif MISTAKE == 5
      // AT 5 (unfenced-bulk-copy): the other threads may not have written their
      // values yet
      tensorStore(&OutMap, Tiles[Slot], X, Y);
#elif MISTAKE == 6
      // AT 6 (misaligned-copy): the second slot is not aligned to 128 bytes
      tensorStore(&OutMap, Tiles[Slot], X, Y);
#else
      tensorStore(&OutMap, Tiles[Slot], X, Y);
#endif
#if MISTAKE == 2
      // MISTAKE 2: no commit
#else
      storeArrive();
#endif
    }
    Slot ^= 1;
  }

  if (threadIdx.x == 0)
    storeDrain();
}

// In and Out are matrices of Rows x Cols floats, Out aligned to 16 bytes;
// BlocksPerStripe is between 1 and 65535.
cudaError_t siluMatrix(const float *In, float *Out, int BlocksPerStripe,
                       cudaStream_t Stream) {
  CUtensorMap OutMap;
  const cuuint64_t Dims[2] = {Cols, Rows};
  const cuuint64_t Strides[1] = {Cols * sizeof(float)};
#if MISTAKE == 7
  // MISTAKE 7: the box has twice the rows of a tile
  const cuuint32_t Box[2] = {TileCols, 2 * TileRows};
#else
  const cuuint32_t Box[2] = {TileCols, TileRows};
#endif
  const cuuint32_t ElementStrides[2] = {1, 1};
  CUresult Result = cuTensorMapEncodeTiled(
      &OutMap, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, Out, Dims, Strides, Box,
      ElementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (Result != CUDA_SUCCESS)
    return cudaErrorInvalidValue;

  dim3 Grid(Cols / TileCols, BlocksPerStripe);
  siluStripes<<<Grid, 256, 0, Stream>>>(OutMap, In, Rows / TileRows);
  return cudaGetLastError();
}
