//===- tile-loaders.cu - Swizzled tile loaders for tensor cores -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaders that place 16-byte columns of A and B tiles by a row-dependent
// rotation, through address macros; the readers are ldmatrix on 32-bit shared
// addresses with the same rotation.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_fp16.h>

#define TILE_K 32   // halfs in a row: four 16-byte columns
#define A_ROWS 128  // 32 rows a warp
#define B_ROWS 64   // 16 rows a warp
#define PASS_ROWS 8 // rows that one warp copies at once
#define SMEM_A(row, col) (smem_a + (row) * TILE_K + (col))
#define SMEM_B(row, col) (smem_b + (row) * TILE_K + (col))
#define GLOBAL_ROW(base, row, col) ((base) + (size_t)(row) * K + (col) * 8)

#define CP_ASYNC_CG(dst, src, Bytes)                                           \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(dst),       \
               "l"(src), "n"(Bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(N)                                                 \
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N))

#define LDMATRIX_X4(R0, R1, R2, R3, addr)                                      \
  asm volatile(                                                                \
      "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"     \
      : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                                 \
      : "r"(addr))
#define LDMATRIX_X2(R0, R1, addr)                                              \
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];\n"    \
               : "=r"(R0), "=r"(R1)                                            \
               : "r"(addr))
#define MMA_16816(D0, D1, A0, A1, A2, A3, B0, B1)                              \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "            \
               "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};\n"             \
               : "+r"(D0), "+r"(D1)                                            \
               : "r"(A0), "r"(A1), "r"(A2), "r"(A3), "r"(B0), "r"(B1))

__device__ __inline__ void load_a_async(size_t warp, size_t lane, const half *a,
                                        size_t tile_k, size_t K, half *smem_a) {
  const half *tile = a + tile_k * TILE_K;
  size_t lane_row = lane >> 2, lane_col = lane & 3;
  size_t row = (warp << 5) + lane_row;
  size_t col = (lane_col + ((row & 7) >> 1)) & 3;
  float4 *src = (float4 *)GLOBAL_ROW(tile, row, lane_col);

#pragma unroll
  for (size_t i = 0; i < 4; ++i) {
    uint32_t dst =
        __cvta_generic_to_shared(SMEM_A(row, 0)) + col * sizeof(float4);
    CP_ASYNC_CG(dst, src, sizeof(float4));
    src = (float4 *)((half *)src + PASS_ROWS * K);
    row += PASS_ROWS;
  }
}

__device__ __inline__ void load_b_async(size_t warp, size_t lane, const half *b,
                                        size_t tile_k, size_t K, half *smem_b) {
  const half *tile = b + tile_k * TILE_K;
  int lane_col = lane & 3, lane_row = lane >> 2;
  size_t row = (warp << 4) + lane_row;
  size_t col = (lane_col + ((row & 7) >> 1)) & 3;
  float4 *src = (float4 *)GLOBAL_ROW(tile, row, lane_col);

#pragma unroll
  for (size_t i = 0; i < 2; ++i) {
    uint32_t dst =
        __cvta_generic_to_shared(SMEM_B(row, 0)) + col * sizeof(float4);
    CP_ASYNC_CG(dst, src, sizeof(float4));
    src = (float4 *)((half *)src + PASS_ROWS * K);
    row += PASS_ROWS;
  }
}

// One warp multiplies its 32 rows of A by the 64 rows of B.
__device__ __inline__ void compute(size_t warp, size_t lane, half *smem_a,
                                   half *smem_b, uint32_t acc[2][8][2]) {
#pragma unroll
  for (size_t k_step = 0; k_step < 2; ++k_step) {
    uint32_t ra[2][4], rb[8][2];
#pragma unroll
    for (size_t i = 0; i < 2; ++i) {
      size_t row = warp * 32 + i * 16 + lane % 16;
      size_t col = (k_step * 2 + lane / 16 + ((row & 7) >> 1)) & 3;
      uint32_t addr = __cvta_generic_to_shared(SMEM_A(row, 0)) + col * 16;
      LDMATRIX_X4(ra[i][0], ra[i][1], ra[i][2], ra[i][3], addr);
    }
#pragma unroll
    for (size_t j = 0; j < 8; ++j) {
      size_t row = j * 8 + lane % 8;
      size_t col = (k_step * 2 + lane / 8 % 2 + ((row & 7) >> 1)) & 3;
      uint32_t addr = __cvta_generic_to_shared(SMEM_B(row, 0)) + col * 16;
      LDMATRIX_X2(rb[j][0], rb[j][1], addr);
    }
#pragma unroll
    for (size_t i = 0; i < 2; ++i)
#pragma unroll
      for (size_t j = 0; j < 8; ++j)
        MMA_16816(acc[i][j][0], acc[i][j][1], ra[i][0], ra[i][1], ra[i][2],
                  ra[i][3], rb[j][0], rb[j][1]);
  }
}

__device__ __inline__ void store(uint32_t *c, uint32_t acc[2][8][2]) {
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      c[((blockIdx.x * 128 + threadIdx.x) * 16 + i * 8 + j) * 2] = acc[i][j][0];
      c[((blockIdx.x * 128 + threadIdx.x) * 16 + i * 8 + j) * 2 + 1] =
          acc[i][j][1];
    }
}

__global__ __launch_bounds__(128) void rotated_columns_one_stage_ok(
    const half *a, const half *b, uint32_t *c, size_t K) {
  __shared__ half smem_a[A_ROWS * TILE_K];
  __shared__ half smem_b[B_ROWS * TILE_K];
  const size_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  uint32_t acc[2][8][2] = {};

  for (size_t tile_k = 0; tile_k < K / TILE_K; ++tile_k) {
    load_a_async(warp, lane, a, tile_k, K, smem_a);
    load_b_async(warp, lane, b, tile_k, K, smem_b);
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(0);
    __syncthreads();
    compute(warp, lane, smem_a, smem_b, acc);
    __syncthreads();
  }
  store(c, acc);
}

template <int STAGES>
__global__ __launch_bounds__(128) void rotated_columns_ring_ok(const half *a,
                                                               const half *b,
                                                               uint32_t *c,
                                                               size_t K) {
  extern __shared__ half smem[];
  half *ring_a = smem;
  half *ring_b = smem + STAGES * A_ROWS * TILE_K;
  const size_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const size_t tiles = K / TILE_K;
  uint32_t acc[2][8][2] = {};

#pragma unroll
  for (size_t s = 0; s < STAGES - 1; ++s) {
    if (s < tiles) {
      load_a_async(warp, lane, a, s, K, ring_a + s * A_ROWS * TILE_K);
      load_b_async(warp, lane, b, s, K, ring_b + s * B_ROWS * TILE_K);
    }
    CP_ASYNC_COMMIT_GROUP();
  }
  for (size_t t = 0; t < tiles; ++t) {
    CP_ASYNC_WAIT_GROUP(STAGES - 2);
    __syncthreads();
    size_t ahead = t + STAGES - 1, fill = ahead % STAGES, ready = t % STAGES;
    if (ahead < tiles) {
      load_a_async(warp, lane, a, ahead, K, ring_a + fill * A_ROWS * TILE_K);
      load_b_async(warp, lane, b, ahead, K, ring_b + fill * B_ROWS * TILE_K);
    }
    CP_ASYNC_COMMIT_GROUP();
    compute(warp, lane, ring_a + ready * A_ROWS * TILE_K,
            ring_b + ready * B_ROWS * TILE_K, acc);
  }
  store(c, acc);
}

// Only 32-bit addresses: one base, the slot added, the k step XORed in.
__global__ __launch_bounds__(128) void xor_addresses_ok(const half *a,
                                                        uint32_t *c, size_t K) {
  constexpr uint32_t SLOT_BYTES = 128 * 64;
  __shared__ __align__(128) unsigned char ring[3 * SLOT_BYTES];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(ring));
  const uint32_t tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const uint32_t fill_row = base + tid * 64;
  const uint32_t read_row = base + (warp * 32 + lane % 16) * 64;
  const uint32_t fill_swizzle = (tid / 2 % 4) * 16;
  const uint32_t read_swizzle = ((lane % 16) / 2 % 4) * 16 ^ (lane / 16) * 16;
  const int tiles = static_cast<int>(K / TILE_K);
  uint32_t sum = 0;

  auto fetch = [&](int tile) {
    if (tile < tiles)
#pragma unroll
      for (uint32_t col = 0; col < 4; ++col)
        CP_ASYNC_CG(fill_row + tile % 3 * SLOT_BYTES +
                        ((col * 16) ^ fill_swizzle),
                    a + tid * K + tile * TILE_K + col * 8, 16);
    CP_ASYNC_COMMIT_GROUP();
  };

  fetch(0);
  fetch(1);
  for (int t = 0; t < tiles; ++t) {
    CP_ASYNC_WAIT_GROUP(1);
    __syncthreads();
    fetch(t + 2);
    uint32_t addr = read_row + t % 3 * SLOT_BYTES + read_swizzle;
#pragma unroll
    for (int k_step = 0; k_step < 2; ++k_step) {
      uint32_t r0, r1, r2, r3;
      LDMATRIX_X4(r0, r1, r2, r3, addr ^ (k_step * 32));
      sum += r0 + r1 + r2 + r3;
    }
  }
  c[blockIdx.x * 128 + tid] = sum;
}

void launch_tile_loaders(const half *a, const half *b, uint32_t *c, size_t K) {
  rotated_columns_ring_ok<2><<<16, 128, 2 * 12288>>>(a, b, c, K);
  rotated_columns_ring_ok<3><<<16, 128, 3 * 12288>>>(a, b, c, K);
  rotated_columns_ring_ok<4><<<16, 128, 4 * 12288>>>(a, b, c, K);
}
