//===- drained-tails.cu - Loops that leave tiles for a tail ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop over K stops fetching when the last tile is on its way; the tiles
// still in the ring are computed after it. The tail drains all groups first,
// or lets one more complete at each step.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

#define COPY_CG(Dst, Src)                                                      \
  asm volatile(                                                                \
      "cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(Dst),       \
      "l"(Src), "n"(16))
#define COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT_GROUP(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))

__device__ inline int ceilDiv(int A, int B) {
  return A % B != 0 ? A / B + 1 : A / B;
}

// Computes tile K - (Stages - 1) from slot (K + 1) % Stages while tile K goes
// to slot K % Stages.
template <int Stages, int Pad>
__global__ __launch_bounds__(256) void drain_then_tail_ok(const float *A,
                                                          float *Out, int K) {
  constexpr int Rows = 64, Cols = 16;
  __shared__ float Tile[Stages][Rows][Cols + Pad];
  const int Tiles = ceilDiv(K, Cols);
  const int Tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int Row = Tid / 4, Col = Tid % 4 * 4;
  uint32_t Base = __cvta_generic_to_shared(Tile);
  constexpr int SlotSize = Rows * (Cols + Pad);
  float Sum = 0.0f;

#pragma unroll
  for (int S = 0; S < Stages - 1; ++S) {
    uint32_t To =
        Base + (S * SlotSize + Row * (Cols + Pad) + Col) * sizeof(float);
    COPY_CG(To, &A[Row * K + S * Cols + Col]);
    COMMIT_GROUP();
  }
  WAIT_GROUP(Stages - 2);
  __syncthreads();

#pragma unroll
  for (int T = Stages - 1; T < Tiles; ++T) {
    int Ready = (T + 1) % Stages;
    int Fill = T % Stages;
    uint32_t To =
        Base + (Fill * SlotSize + Row * (Cols + Pad) + Col) * sizeof(float);
    COPY_CG(To, &A[Row * K + T * Cols + Col]);
    COMMIT_GROUP();
    for (int I = 0; I < Cols; ++I)
      Sum += Tile[Ready][Rows - 1 - Row][I];
    WAIT_GROUP(Stages - 2);
    __syncthreads();
  }

  if constexpr (Stages - 2 > 0) {
    WAIT_GROUP(0);
    __syncthreads();
  }
#pragma unroll
  for (int S = 0; S < Stages - 1; ++S) {
    int Ready = (Tiles - (Stages - 1) + S) % Stages;
    for (int I = 0; I < Cols; ++I)
      Sum += Tile[Ready][Rows - 1 - Row][I];
  }
  Out[blockIdx.x * 256 + Tid] = Sum;
}

// Four slots, one more tile complete at each step of the tail.
__global__ __launch_bounds__(128) void stepwise_tail_ok(const float4 *Src,
                                                        float4 *Dst,
                                                        int Tiles) {
  __shared__ float4 Ring[4][128];
  const int Tid = threadIdx.x;
  unsigned Store = 0, Load = 0;
  for (int S = 0; S < 3; ++S) {
    COPY_CG((uint32_t)__cvta_generic_to_shared(&Ring[Store][Tid]),
            Src + S * 128 + Tid);
    COMMIT_GROUP();
    Store = (Store + 1) % 4;
  }
  WAIT_GROUP(2);
  __syncthreads();

  for (int T = 3; T < Tiles; ++T) {
    Dst[(T - 3) * 128 + Tid] = Ring[Load][127 - Tid];
    COPY_CG((uint32_t)__cvta_generic_to_shared(&Ring[Store][Tid]),
            Src + T * 128 + Tid);
    COMMIT_GROUP();
    Store = (Store + 1) % 4;
    Load = (Load + 1) % 4;
    WAIT_GROUP(2);
    __syncthreads();
  }

  Dst[Tid] = Ring[Load][127 - Tid];
  Load = (Load + 1) % 4;
  WAIT_GROUP(1);
  __syncthreads();
  Dst[128 + Tid] = Ring[Load][127 - Tid];
  Load = (Load + 1) % 4;
  WAIT_GROUP(0);
  __syncthreads();
  Dst[256 + Tid] = Ring[Load][127 - Tid];
}

// The next tile's first half is read right after the wait that covers it; the
// second half at the start of the next iteration.
template <int Stages>
__global__ __launch_bounds__(128) void half_a_tile_ahead_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Tiles) {
  __shared__ float4 Ring[Stages][2][64];
  const int Tid = threadIdx.x;
  const int Half = Tid / 64, Lane = Tid % 64;
#pragma unroll
  for (int S = 0; S < Stages - 1; ++S) {
    COPY_CG((uint32_t)__cvta_generic_to_shared(&Ring[S][Half][Lane]),
            Src + S * 128 + Tid);
    COMMIT_GROUP();
  }
  WAIT_GROUP(Stages - 2);
  __syncthreads();
  float4 First = Ring[0][0][63 - Lane];

  for (int T = Stages - 1; T < Tiles; ++T) {
    int Ready = (T + 1) % Stages;
    COPY_CG((uint32_t)__cvta_generic_to_shared(&Ring[T % Stages][Half][Lane]),
            Src + T * 128 + Tid);
    COMMIT_GROUP();
    float4 Second = Ring[Ready][1][63 - Lane];
    Dst[T * 128 + Tid] = make_float4(First.x, First.y, Second.z, Second.w);
    WAIT_GROUP(Stages - 2);
    __syncthreads();
    First = Ring[(Ready + 1) % Stages][0][63 - Lane];
  }
  Dst[Tid] = First;
}

// Two slots, everything complete at the end of each iteration, the last tile
// after the loop.
__global__
__launch_bounds__(128) void last_tile_after_loop_ok(const float4 *Src,
                                                    float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][128];
  const int Tid = threadIdx.x;
  {
    uint32_t To = __cvta_generic_to_shared(&Ring[0][Tid]);
    COPY_CG(To, Src + Tid);
    COMMIT_GROUP();
    WAIT_GROUP(0);
  }
  __syncthreads();
  for (int T = 1; T < Tiles; ++T) {
    int Ready = (T - 1) & 1;
    int Fill = T & 1;
    uint32_t To = __cvta_generic_to_shared(&Ring[Fill][Tid]);
    COPY_CG(To, Src + T * 128 + Tid);
    Dst[(T - 1) * 128 + Tid] = Ring[Ready][127 - Tid];
    COMMIT_GROUP();
    WAIT_GROUP(0);
    __syncthreads();
  }
  Dst[(Tiles - 1) * 128 + Tid] = Ring[(Tiles - 1) & 1][127 - Tid];
}

// Tiles four at a time. The first of the last four has three behind it, whatever
// the number of tiles: the second copy is always made, and the wait leaves it.
template <int Behind>
__device__ void lastOfFour(const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Slot[2][128];
  const int Tid = threadIdx.x;
  if (Tiles < 4)
  // expect-note@-1: taken when this condition is false
    return;
  const int First = (Tiles / 4 - 1) * 4;
  uint32_t To = __cvta_generic_to_shared(&Slot[0][Tid]);
  COPY_CG(To, Src + First * 128 + Tid);
  // expect-note@-1: copy issued here
  COMMIT_GROUP();
  // expect-note@-1: committed here as the newest group
  if (First + Behind < Tiles) {
  // expect-note@-1: taken when this condition is false
    uint32_t Next = __cvta_generic_to_shared(&Slot[1][Tid]);
    COPY_CG(Next, Src + (First + 1) * 128 + Tid);
    COMMIT_GROUP();
  }
  WAIT_GROUP(1);
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slot' may be in the newest one
  __syncthreads();
  Dst[First * 128 + Tid] = Slot[0][127 - Tid];
  // expect-note@-1: thread 0 reads 'Slot[0][127]' here, copied by thread 127
  WAIT_GROUP(0);
}

__global__ void three_behind_ok(const float4 *Src, float4 *Dst, int Tiles) {
  lastOfFour<3>(Src, Dst, Tiles);
}
__global__ void four_behind_bad(const float4 *Src, float4 *Dst, int Tiles) {
// expect-note@-1: with Tiles = 4
  lastOfFour<4>(Src, Dst, Tiles);
  // expect-note@-1: 'lastOfFour' called here
}

void launchTails(const float *A, float *Out, const float4 *Src, float4 *Dst,
                 int K) {
  dim3 Block(256);
  drain_then_tail_ok<2, 0><<<1, Block>>>(A, Out, K);
  drain_then_tail_ok<3, 4><<<1, Block>>>(A, Out, K);
  drain_then_tail_ok<4, 4><<<1, Block>>>(A, Out, K);
  half_a_tile_ahead_ok<2><<<1, 128>>>(Src, Dst, K);
  half_a_tile_ahead_ok<3><<<1, 128>>>(Src, Dst, K);
  half_a_tile_ahead_ok<4><<<1, 128>>>(Src, Dst, K);
  three_behind_ok<<<1, 128>>>(Src, Dst, K);
  four_behind_bad<<<1, 128>>>(Src, Dst, K);
  // expect-note@-1: launched here with blocks of 128 threads
}
