//===- control-flow.cu - Loops and jumps of every kind --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same correct pipelines under 'while', 'do', endless loops with 'break',
// 'continue', counters that run down, a switch that picks the wait.
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

__global__ __launch_bounds__(Threads) void while_loop_ok(const float4 *Src,
                                                         float4 *Dst,
                                                         int Tiles) {
  __shared__ float4 Ring[2][Threads];
  const int Tid = threadIdx.x;
  int T = 0;
  copy16(&Ring[0][Tid], Src + Tid);
  commit();
  while (T < Tiles) {
    ++T;
    if (T < Tiles)
      copy16(&Ring[T & 1][Tid], Src + T * Threads + Tid);
    commit();
    wait<1>();
    __syncthreads();
    Dst[(T - 1) * Threads + Tid] = Ring[(T - 1) & 1][Threads - 1 - Tid];
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void do_loop_ok(const float4 *Src,
                                                      float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  do {
    copy16(&Tile[Tid], Src + Tid);
    commit();
    wait<0>();
    __syncthreads();
    Dst[Tid] = Tile[Threads - 1 - Tid];
    __syncthreads();
    Src += Threads;
    Dst += Threads;
  } while (--Tiles > 0);
}

__global__ __launch_bounds__(Threads) void break_in_the_middle_ok(
    const float4 *Src, float4 *Dst, unsigned Tiles) {
  __shared__ float4 Ring[2][Threads];
  const unsigned Tid = threadIdx.x;
  copy16(&Ring[0][Tid], Src + Tid);
  commit();
  for (unsigned T = 0;; ++T) {
    wait<0>();
    __syncthreads();
    if (T + 1 >= Tiles) {
      Dst[T * Threads + Tid] = Ring[T % 2][Threads - 1 - Tid];
      break;
    }
    copy16(&Ring[(T + 1) % 2][Tid], Src + (T + 1) * Threads + Tid);
    commit();
    Dst[T * Threads + Tid] = Ring[T % 2][Threads - 1 - Tid];
  }
}

__global__ __launch_bounds__(Threads) void continue_past_the_fetch_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][Threads];
  const int Tid = threadIdx.x;
  copy16(&Ring[0][Tid], Src + Tid);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    wait<0>();
    __syncthreads();
    float4 V = Ring[T & 1][Threads - 1 - Tid];
    Dst[T * Threads + Tid] = V;
    if (T + 1 == Tiles)
      continue;
    copy16(&Ring[(T + 1) & 1][Tid], Src + (T + 1) * Threads + Tid);
    commit();
  }
}

// The counter is what is left, as in many K loops.
__global__ __launch_bounds__(Threads) void counting_down_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Left) {
  __shared__ float4 Ring[3][Threads];
  const int Tid = threadIdx.x;
  const float4 *Next = Src + Tid;
  int Fill = 0, Ready = 0;
  for (int S = 0; S < 2; ++S) {
    if (Left > S)
      copy16(&Ring[Fill][Tid], Next);
    commit();
    Next += Threads;
    ++Fill;
  }
  for (; Left > 0; --Left) {
    wait<1>();
    __syncthreads();
    if (Left > 2)
      copy16(&Ring[Fill][Tid], Next);
    commit();
    Next += Threads;
    Fill = Fill == 2 ? 0 : Fill + 1;
    *Dst = Ring[Ready][Threads - 1 - Tid];
    Dst += Threads;
    Ready = Ready == 2 ? 0 : Ready + 1;
  }
}

__device__ void waitAtMost(int N) {
  switch (N) {
  case 0:
    wait<0>();
    break;
  case 1:
    wait<1>();
    break;
  default:
    wait<2>();
    break;
  }
}

__global__ __launch_bounds__(Threads) void wait_chosen_by_switch_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[4][Threads];
  const int Tid = threadIdx.x;
  for (int S = 0; S < 3 && S < Tiles; ++S) {
    copy16(&Ring[S][Tid], Src + S * Threads + Tid);
    commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    const int Newer = Tiles - 1 - T;
    waitAtMost(Newer < 2 ? Newer : 2);
    __syncthreads();
    if (T + 3 < Tiles) {
      copy16(&Ring[(T + 3) % 4][Tid], Src + (T + 3) * Threads + Tid);
      commit();
    }
    Dst[T * Threads + Tid] = Ring[T % 4][Threads - 1 - Tid];
  }
}

// Groups of four tiles first, then the rest one by one.
__global__ __launch_bounds__(Threads) void main_loop_and_remainder_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Batch[4][Threads];
  const int Tid = threadIdx.x;
  int T = 0;
  for (; T + 4 <= Tiles; T += 4) {
#pragma unroll
    for (int S = 0; S < 4; ++S) {
      copy16(&Batch[S][Tid], Src + (T + S) * Threads + Tid);
      commit();
    }
    wait<3>();
    __syncthreads();
    Dst[T * Threads + Tid] = Batch[0][Threads - 1 - Tid];
    wait<2>();
    __syncthreads();
    Dst[(T + 1) * Threads + Tid] = Batch[1][Threads - 1 - Tid];
    wait<0>();
    __syncthreads();
    Dst[(T + 2) * Threads + Tid] = Batch[2][Threads - 1 - Tid];
    Dst[(T + 3) * Threads + Tid] = Batch[3][Threads - 1 - Tid];
    __syncthreads();
  }
  for (; T < Tiles; ++T) {
    copy16(&Batch[0][Tid], Src + T * Threads + Tid);
    commit();
    wait<0>();
    __syncthreads();
    Dst[T * Threads + Tid] = Batch[0][Threads - 1 - Tid];
    __syncthreads();
  }
}

// Below 2 and not 1: there is no tile, and nothing reads what was copied.
__global__ __launch_bounds__(Threads) void two_tiles_or_none_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  if (Tiles < 2) {
    if (Tiles == 1)
      Tile[Tid] = Src[Tid];
    else
      copy16(&Tile[Tid], Src + Tid);
    for (int T = 0; T < Tiles; ++T)
      Dst[T * Threads + Tid] = Tile[Tid];
  }
}

// The first read is for no tiles, the copies are for some.
__global__ __launch_bounds__(Threads) void zeros_or_tiles_ok(const float4 *Src,
                                                             float4 *Dst,
                                                             int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  Tile[Tid] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  __syncthreads();
  if (Tiles < 1)
    Dst[Tid] = Tile[Threads - 1 - Tid];
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Tile[Tid], Src + T * Threads + Tid);
    commit();
    wait<0>();
    __syncthreads();
    Dst[T * Threads + Tid] = Tile[Threads - 1 - Tid];
    __syncthreads();
  }
}

// Each round of the outer loop compares once more than the one before.
template <int When>
__device__ void waitInTriangle(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[Threads];
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  for (int I = 0; I < 64; ++I)
    for (int J = 0; J < I; ++J)
      if (J == When)
        wait<0>();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
__global__ __launch_bounds__(Threads) void triangle_ok(const float4 *Src,
                                                       float4 *Dst) {
  waitInTriangle<62>(Src, Dst);
}
__global__ __launch_bounds__(Threads) void triangle_bad(const float4 *Src,
                                                        float4 *Dst) {
  waitInTriangle<63>(Src, Dst);
  // expect-note@-1: 'waitInTriangle' called here
}
