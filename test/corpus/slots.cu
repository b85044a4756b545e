//===- slots.cu - Ways to name the slot that is next ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Toggles, pointer swaps, XORed offsets, counters that wrap, arrays of
// addresses. In all of them the slot that is read is not the one being filled.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;

__device__ __forceinline__ void copy16(uint32_t To, const float4 *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
               "l"(From));
}

__device__ __forceinline__ uint32_t address(const void *Ptr) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Ptr));
}

#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT(N) asm volatile("cp.async.wait_group %0;" ::"n"(N))

__global__ __launch_bounds__(Threads) void xor_index_ok(const float4 *Src,
                                                        float4 *Dst,
                                                        int Tiles) {
  __shared__ float4 Buf[2][Threads];
  int Tid = threadIdx.x, Cur = 0;
  copy16(address(&Buf[Cur][Tid]), Src + Tid);
  COMMIT();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      copy16(address(&Buf[Cur ^ 1][Tid]), Src + (T + 1) * Threads + Tid);
    COMMIT();
    WAIT(1);
    __syncthreads();
    Dst[T * Threads + Tid] = Buf[Cur][Threads - 1 - Tid];
    __syncthreads();
    Cur ^= 1;
  }
}

__global__ __launch_bounds__(Threads) void one_minus_index_ok(const float4 *Src,
                                                              float4 *Dst,
                                                              int Tiles) {
  __shared__ float4 Buf[2][Threads];
  int Tid = threadIdx.x, Cur = 0;
  copy16(address(&Buf[0][Tid]), Src + Tid);
  COMMIT();
  for (int T = 0; T < Tiles; ++T) {
    WAIT(0);
    __syncthreads();
    if (T + 1 < Tiles) {
      copy16(address(&Buf[1 - Cur][Tid]), Src + (T + 1) * Threads + Tid);
      COMMIT();
    }
    Dst[T * Threads + Tid] = Buf[Cur][Threads - 1 - Tid];
    Cur = 1 - Cur;
  }
}

__global__ __launch_bounds__(Threads) void pointer_swap_ok(const float4 *Src,
                                                           float4 *Dst,
                                                           int Tiles) {
  __shared__ float4 Even[Threads], Odd[Threads];
  int Tid = threadIdx.x;
  float4 *Ready = Even, *Fill = Odd;
  copy16(address(&Ready[Tid]), Src + Tid);
  COMMIT();
  WAIT(0);
  __syncthreads();
  for (int T = 1; T < Tiles; ++T) {
    copy16(address(&Fill[Tid]), Src + T * Threads + Tid);
    COMMIT();
    Dst[(T - 1) * Threads + Tid] = Ready[Threads - 1 - Tid];
    WAIT(0);
    __syncthreads();
    float4 *Tmp = Ready;
    Ready = Fill;
    Fill = Tmp;
  }
  Dst[(Tiles - 1) * Threads + Tid] = Ready[Threads - 1 - Tid];
}

__global__ __launch_bounds__(Threads) void xor_offset_ok(const float4 *Src,
                                                         float4 *Dst,
                                                         int Tiles) {
  __shared__ __align__(4096) unsigned char Pool[2 * Threads * sizeof(float4)];
  constexpr unsigned Other = Threads * sizeof(float4);
  unsigned FillOff = 0, ReadyOff = Other;
  int Tid = threadIdx.x;
  uint32_t Base = address(Pool);
  copy16(Base + FillOff + Tid * 16, Src + Tid);
  COMMIT();
  WAIT(0);
  __syncthreads();
  for (int T = 1; T < Tiles; ++T) {
    FillOff ^= Other;
    ReadyOff ^= Other;
    copy16(Base + FillOff + Tid * 16, Src + T * Threads + Tid);
    COMMIT();
    Dst[(T - 1) * Threads + Tid] = *reinterpret_cast<const float4 *>(
        Pool + ReadyOff + (Threads - 1 - Tid) * sizeof(float4));
    WAIT(0);
    __syncthreads();
  }
  Dst[(Tiles - 1) * Threads + Tid] = *reinterpret_cast<const float4 *>(
      Pool + FillOff + (Threads - 1 - Tid) * sizeof(float4));
}

__global__
__launch_bounds__(Threads) void wrapping_counter_ok(const float4 *Src,
                                                    float4 *Dst, int Tiles) {
  constexpr int Stages = 3;
  __shared__ float4 Buf[Stages][Threads];
  int Tid = threadIdx.x;
  int Fill = 0, Ready = 0;
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles)
      copy16(address(&Buf[Fill][Tid]), Src + S * Threads + Tid);
    COMMIT();
    if (++Fill == Stages)
      Fill = 0;
  }
  for (int T = 0; T < Tiles; ++T) {
    WAIT(Stages - 2);
    __syncthreads();
    if (T + Stages - 1 < Tiles)
      copy16(address(&Buf[Fill][Tid]), Src + (T + Stages - 1) * Threads + Tid);
    COMMIT();
    Dst[T * Threads + Tid] = Buf[Ready][Threads - 1 - Tid];
    if (++Fill == Stages)
      Fill = 0;
    Ready = Ready + 1 < Stages ? Ready + 1 : 0;
  }
}

__global__ __launch_bounds__(Threads) void address_array_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Tiles) {
  constexpr int Stages = 4;
  __shared__ float4 Buf[Stages][Threads];
  int Tid = threadIdx.x;
  uint32_t Fill[Stages];
  const float4 *Ready[Stages];
#pragma unroll
  for (int S = 0; S < Stages; ++S) {
    Fill[S] = address(&Buf[S][Tid]);
    Ready[S] = &Buf[S][Threads - 1 - Tid];
  }
#pragma unroll
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles)
      copy16(Fill[S], Src + S * Threads + Tid);
    COMMIT();
  }
  for (int T = 0; T < Tiles; ++T) {
    WAIT(Stages - 2);
    __syncthreads();
    int Ahead = T + Stages - 1;
    if (Ahead < Tiles)
      copy16(Fill[Ahead & (Stages - 1)], Src + Ahead * Threads + Tid);
    COMMIT();
    Dst[T * Threads + Tid] = *Ready[T & (Stages - 1)];
  }
}

__global__ __launch_bounds__(Threads) void two_arrays_ok(const float4 *Src,
                                                         float4 *Dst,
                                                         int Tiles) {
  __shared__ float4 Even[Threads];
  __shared__ float4 Odd[Threads];
  int Tid = threadIdx.x;
  copy16(address(&Even[Tid]), Src + Tid);
  COMMIT();
  for (int T = 0; T < Tiles; ++T) {
    WAIT(0);
    __syncthreads();
    if (T + 1 < Tiles)
      copy16(address((T & 1) ? &Even[Tid] : &Odd[Tid]),
             Src + (T + 1) * Threads + Tid);
    COMMIT();
    const float4 *Ready = (T % 2 == 0) ? Even : Odd;
    Dst[T * Threads + Tid] = Ready[Threads - 1 - Tid];
  }
}

// Unrolled by two: the slots are literals.
__global__ __launch_bounds__(Threads) void unrolled_by_two_ok(const float4 *Src,
                                                              float4 *Dst,
                                                              int Pairs) {
  __shared__ float4 Buf[2][Threads];
  int Tid = threadIdx.x;
  copy16(address(&Buf[0][Tid]), Src + Tid);
  COMMIT();
  for (int P = 0; P < Pairs; ++P) {
    copy16(address(&Buf[1][Tid]), Src + (2 * P + 1) * Threads + Tid);
    COMMIT();
    WAIT(1);
    __syncthreads();
    Dst[2 * P * Threads + Tid] = Buf[0][Threads - 1 - Tid];
    __syncthreads();
    if (P + 1 < Pairs)
      copy16(address(&Buf[0][Tid]), Src + (2 * P + 2) * Threads + Tid);
    COMMIT();
    WAIT(1);
    __syncthreads();
    Dst[(2 * P + 1) * Threads + Tid] = Buf[1][Threads - 1 - Tid];
    __syncthreads();
  }
}
