//===- memory-reuse.cu - Shared memory with a second life -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ring's bytes serve again: as output staging after a full drain, for the
// next tile of a persistent block, at another offset of the dynamic pool.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;

__device__ void copy16(void *Shared, const float4 *Global) {
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// Sums rotated tiles through a ring of three slots; leaves groups in flight.
__device__ float4 sumTiles(float4 (*Ring)[Threads], const float4 *Src,
                           int Tiles) {
  const int Tid = threadIdx.x;
  float4 Sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      copy16(&Ring[S][Tid], Src + S * Threads + Tid);
    commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    wait<1>();
    __syncthreads();
    if (T + 2 < Tiles)
      copy16(&Ring[(T + 2) % 3][Tid], Src + (T + 2) * Threads + Tid);
    commit();
    float4 V = Ring[T % 3][Threads - 1 - Tid];
    Sum.x += V.x;
    Sum.y += V.y;
    Sum.z += V.z;
    Sum.w += V.w;
  }
  return Sum;
}

__global__
__launch_bounds__(Threads) void staging_after_drain_ok(const float4 *Src,
                                                       float4 *Dst, int Tiles) {
  __shared__ float4 Ring[3][Threads];
  float4 Sum = sumTiles(Ring, Src, Tiles);
  wait<0>();
  __syncthreads();
  Ring[0][threadIdx.x] = Sum;
  __syncthreads();
  Dst[threadIdx.x] = Ring[0][Threads - 1 - threadIdx.x];
}

union Storage {
  float4 Ring[3][Threads];
  float Out[Threads * 4];
};

__global__
__launch_bounds__(Threads) void union_after_drain_ok(const float4 *Src,
                                                     float *Dst, int Tiles) {
  __shared__ Storage S;
  float4 Sum = sumTiles(S.Ring, Src, Tiles);
  wait<0>();
  __syncthreads();
  S.Out[threadIdx.x] = Sum.x;
  S.Out[threadIdx.x + Threads] = Sum.y;
  __syncthreads();
  Dst[threadIdx.x] = S.Out[threadIdx.x * 2] + S.Out[threadIdx.x * 2 + 1];
}

// One block works on several rows; the ring starts over for each of them.
__global__ __launch_bounds__(Threads) void persistent_block_ok(
    const float4 *Src, float4 *Dst, int Rows, int Tiles) {
  __shared__ float4 Ring[3][Threads];
  for (int Row = blockIdx.x; Row < Rows; Row += gridDim.x) {
    float4 Sum = sumTiles(Ring, Src + Row * Tiles * Threads, Tiles);
    wait<0>();
    __syncthreads();
    Dst[Row * Threads + threadIdx.x] = Sum;
  }
}

// The pipeline never drains between rows: tiles are counted through.
__global__ __launch_bounds__(Threads) void persistent_pipeline_ok(
    const float4 *Src, float4 *Dst, int Rows, int TilesPerRow) {
  __shared__ float4 Ring[3][Threads];
  const int Tid = threadIdx.x;
  const int Total = Rows * TilesPerRow;
  for (int S = 0; S < 2; ++S) {
    if (S < Total)
      copy16(&Ring[S][Tid], Src + S * Threads + Tid);
    commit();
  }
  int Tile = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    float Sum = 0.0f;
    for (int T = 0; T < TilesPerRow; ++T, ++Tile) {
      wait<1>();
      __syncthreads();
      if (Tile + 2 < Total)
        copy16(&Ring[(Tile + 2) % 3][Tid], Src + (Tile + 2) * Threads + Tid);
      commit();
      Sum += Ring[Tile % 3][Threads - 1 - Tid].x;
    }
    Dst[Row * Threads + Tid] = make_float4(Sum, 0.0f, 0.0f, 0.0f);
  }
}

// Tiles of A and B and the output have their own places in one pool.
__global__ __launch_bounds__(Threads) void places_in_a_pool_ok(const float4 *A,
                                                               const float4 *B,
                                                               float *Out,
                                                               int Tiles) {
  extern __shared__ __align__(16) unsigned char Pool[];
  constexpr int TileBytes = Threads * sizeof(float4);
  unsigned char *PoolA = Pool;
  unsigned char *PoolB = PoolA + 2 * TileBytes;
  float *Staging = reinterpret_cast<float *>(PoolB + 2 * TileBytes);
  const int Tid = threadIdx.x;
  float Sum = 0.0f;

  auto fetch = [&](int T) {
    const int Off = (T & 1) * TileBytes + Tid * 16;
    if (T < Tiles) {
      copy16(PoolA + Off, A + T * Threads + Tid);
      copy16(PoolB + Off, B + T * Threads + Tid);
    }
    commit();
  };
  fetch(0);
  for (int T = 0; T < Tiles; ++T) {
    fetch(T + 1);
    Staging[Tid] = Sum; // beside the ring, so it may be written at any time
    wait<1>();
    __syncthreads();
    const float4 *RowA =
        reinterpret_cast<const float4 *>(PoolA + (T & 1) * TileBytes);
    const float4 *RowB =
        reinterpret_cast<const float4 *>(PoolB + (T & 1) * TileBytes);
    Sum += RowA[Threads - 1 - Tid].x * RowB[Threads - 1 - Tid].y +
           Staging[Threads - 1 - Tid];
    __syncthreads();
  }
  Out[blockIdx.x * Threads + Tid] = Sum;
}

// Zeroed once, then filled where there is data.
__global__
__launch_bounds__(Threads) void zeroed_before_copy_ok(const float4 *Src,
                                                      float4 *Dst, int Valid) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  Tile[Tid] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  __syncthreads();
  if (Tid < Valid)
    copy16(&Tile[Tid], Src + Tid);
  commit();
  wait<0>();
  __syncthreads();
  Dst[Tid] = Tile[Threads - 1 - Tid];
}

// Ordinary stores into one half of an array while a copy fills the other.
__global__ __launch_bounds__(Threads) void stores_beside_a_copy_ok(
    const float4 *Src, const float4 *Scale, float4 *Dst) {
  __shared__ float4 Tile[2][Threads];
  const int Tid = threadIdx.x;
  copy16(&Tile[0][Tid], Src + Tid);
  commit();
  Tile[1][Tid] = Scale[Tid];
  float Own = Tile[1][Tid].x;
  wait<0>();
  __syncthreads();
  float4 V = Tile[0][Threads - 1 - Tid];
  V.x *= Tile[1][Threads - 1 - Tid].x + Own;
  Dst[Tid] = V;
}
