//===- conditional-commits.cu - Commits and waits under conditions --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right because every wait is for zero groups, because both branches commit,
// because a ladder picks the wait that fits, or because the condition is a
// constant in each iteration.
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

__global__
__launch_bounds__(Threads) void every_wait_is_zero_ok(const float4 *Src,
                                                      float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][Threads];
  int Tid = threadIdx.x;
  if (Tiles > 0) {
    copy16(&Ring[0][Tid], Src + Tid);
    commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    wait<0>();
    __syncthreads();
    if (T + 1 < Tiles) {
      copy16(&Ring[(T + 1) & 1][Tid], Src + (T + 1) * Threads + Tid);
      commit();
    }
    Dst[T * Threads + Tid] = Ring[T & 1][Threads - 1 - Tid];
  }
}

__global__ __launch_bounds__(Threads) void weaker_wait_while_fetching_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][Threads];
  int Tid = threadIdx.x;
  copy16(&Ring[0][Tid], Src + Tid);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles) {
      copy16(&Ring[(T + 1) & 1][Tid], Src + (T + 1) * Threads + Tid);
      commit();
      wait<1>();
    } else {
      wait<0>();
    }
    __syncthreads();
    Dst[T * Threads + Tid] = Ring[T & 1][Threads - 1 - Tid];
    __syncthreads();
  }
}

// No empty groups; the wait is chosen by how many tiles are left.
__global__
__launch_bounds__(Threads) void ladder_in_the_tail_ok(const float4 *Src,
                                                      float4 *Dst, int Tiles) {
  __shared__ float4 Ring[4][Threads];
  int Tid = threadIdx.x;
  for (int S = 0; S < 3; ++S)
    if (S < Tiles) {
      copy16(&Ring[S][Tid], Src + S * Threads + Tid);
      commit();
    }
  for (int T = 0; T < Tiles; ++T) {
    if (T + 2 < Tiles)
      wait<2>();
    else if (T + 1 < Tiles)
      wait<1>();
    else
      wait<0>();
    __syncthreads();
    if (T + 3 < Tiles) {
      copy16(&Ring[(T + 3) % 4][Tid], Src + (T + 3) * Threads + Tid);
      commit();
    }
    Dst[T * Threads + Tid] = Ring[T % 4][Threads - 1 - Tid];
  }
}

__global__ __launch_bounds__(Threads) void both_branches_commit_ok(
    const float4 *A, const float4 *B, float4 *Dst, int Tiles, bool UseB) {
  __shared__ float4 Ring[3][Threads];
  int Tid = threadIdx.x;
  auto fetch = [&](int Tile) {
    if (Tile >= Tiles) {
      commit();
      return;
    }
    if (UseB) {
      copy16(&Ring[Tile % 3][Tid], B + Tile * Threads + Tid);
      commit();
    } else {
      copy16(&Ring[Tile % 3][Tid], A + Tile * Threads + Tid);
      commit();
    }
  };
  fetch(0);
  fetch(1);
  for (int T = 0; T < Tiles; ++T) {
    wait<1>();
    __syncthreads();
    fetch(T + 2);
    Dst[T * Threads + Tid] = Ring[T % 3][Threads - 1 - Tid];
  }
}

// Four quarters of a tile are fetched between four compute steps; the group
// is closed after the last of them, the wait comes one step before its end.
__global__ __launch_bounds__(Threads) void commit_in_nested_loop_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  constexpr int Steps = 4;
  __shared__ float4 Ring[3][Steps][Threads];
  int Tid = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      for (int Q = 0; Q < Steps; ++Q)
        copy16(&Ring[S][Q][Tid], Src + (S * Steps + Q) * Threads + Tid);
    commit();
  }
  wait<1>();
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
#pragma unroll
    for (int Q = 0; Q < Steps; ++Q) {
      if (T + 2 < Tiles)
        copy16(&Ring[(T + 2) % 3][Q][Tid],
               Src + ((T + 2) * Steps + Q) * Threads + Tid);
      Dst[(T * Steps + Q) * Threads + Tid] = Ring[T % 3][Q][Threads - 1 - Tid];
      if (Q == Steps - 1) {
        commit();
        wait<1>();
        __syncthreads();
      }
    }
  }
}

// The copy and its wait hang on the same unknown.
__global__ __launch_bounds__(Threads) void same_condition_twice_ok(
    const float4 *Src, float4 *Dst, bool Staged) {
  __shared__ float4 Tile[Threads];
  int Tid = threadIdx.x;
  if (Staged) {
    copy16(&Tile[Tid], Src + Tid);
    commit();
  }
  float4 V = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (Staged) {
    wait<0>();
    __syncthreads();
    V = Tile[Threads - 1 - Tid];
  }
  Dst[Tid] = V;
}

__global__ __launch_bounds__(Threads) void leave_before_copying_ok(
    const float4 *Src, float4 *Dst, int Blocks) {
  __shared__ float4 Tile[Threads];
  if (static_cast<int>(blockIdx.x) >= Blocks)
    return;
  copy16(&Tile[threadIdx.x], Src + blockIdx.x * Threads + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  Dst[blockIdx.x * Threads + threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// Rows and Cols are multiples of 16, so that whole blocks leave, although the
// condition is written for each thread.
__global__ __launch_bounds__(Threads) void leave_thread_by_thread_ok(
    const float4 *Src, float4 *Dst, int Rows, int Cols, int Tiles) {
  __shared__ float4 Ring[2][16][8];
  int Row = threadIdx.x / 8, Col = threadIdx.x % 8;
  if (static_cast<int>(blockIdx.y) * 16 + Row >= Rows ||
      static_cast<int>(blockIdx.x) * 8 + Col >= Cols)
    return;
  copy16(&Ring[0][Row][Col], Src + Row * Cols + Col);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      copy16(&Ring[(T + 1) & 1][Row][Col],
             Src + Row * Cols + (T + 1) * 8 + Col);
    commit();
    wait<1>();
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Ring[T & 1][15 - Row][7 - Col];
    __syncthreads();
  }
}
