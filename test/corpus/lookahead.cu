//===- lookahead.cu - Registers loaded one step ahead ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The next tile's data go to registers before this tile is used. After the
// last tile the load still happens: it reads a slot that holds nothing of
// interest, perhaps nothing at all, into registers that nobody uses.
//
//===----------------------------------------------------------------------===//

constexpr int Threads = 128;

__device__ void copy16(float4 *Shared, const float4 *Global) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

template <int Stages>
__global__ __launch_bounds__(Threads) void one_tile_ahead_ok(const float4 *Src,
                                                             float4 *Dst,
                                                             int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Tid = threadIdx.x;
  float4 Regs[2];
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles)
      copy16(&Ring[S][Tid], Src + S * Threads + Tid);
    commit();
  }
  wait<Stages - 2>();
  __syncthreads();
  Regs[0] = Ring[0][Threads - 1 - Tid];

  for (int T = 0; T < Tiles; ++T) {
    if (T + Stages - 1 < Tiles)
      copy16(&Ring[(T + Stages - 1) % Stages][Tid],
             Src + (T + Stages - 1) * Threads + Tid);
    commit();
    wait<Stages - 2>();
    __syncthreads();
    Regs[(T + 1) % 2] = Ring[(T + 1) % Stages][Threads - 1 - Tid];
    Dst[T * Threads + Tid] = Regs[T % 2];
  }
}

// A block works through rows of different length. A short first row leaves
// slots empty that the look-ahead reads and a later row fills. Two nested loops
// with unknown trip counts do not settle: it is followed for a few rows.
__global__ __launch_bounds__(Threads) void ahead_of_a_short_row_ok(
    const float4 *Src, float4 *Dst, const int *Lengths, int Rows) {
  constexpr int Stages = 4;
  __shared__ float4 Ring[Stages][Threads];
  const int Tid = threadIdx.x;
  int Tile = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    const int Tiles = Lengths[Row];
    for (int S = 0; S < Stages - 1; ++S) {
      if (S < Tiles)
        copy16(&Ring[S][Tid], Src + (Tile + S) * Threads + Tid);
      commit();
    }
    wait<Stages - 2>();
    __syncthreads();
    float4 Next = Ring[0][Threads - 1 - Tid];
    for (int T = 0; T < Tiles; ++T, ++Tile) {
      float4 Now = Next;
      if (T + Stages - 1 < Tiles)
        copy16(&Ring[(T + Stages - 1) % Stages][Tid],
               Src + (Tile + Stages - 1) * Threads + Tid);
      commit();
      wait<Stages - 2>();
      __syncthreads();
      Next = Ring[(T + 1) % Stages][Threads - 1 - Tid];
      Dst[Tile * Threads + Tid] = Now;
    }
    wait<0>();
    __syncthreads();
  }
}

void launchLookahead(const float4 *Src, float4 *Dst, int Tiles) {
  one_tile_ahead_ok<2><<<1, Threads>>>(Src, Dst, Tiles);
  one_tile_ahead_ok<3><<<1, Threads>>>(Src, Dst, Tiles);
  one_tile_ahead_ok<4><<<1, Threads>>>(Src, Dst, Tiles);
}
