//===- stage-rows.cu - Stages as rows of one array, wmma readers ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All stages of both operands are rows of 'smem[][LD]'; a stage is a row
// offset. Readers are ldmatrix or wmma::load_matrix_sync.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define LD 32 // halfs in a row
#define ROWS_A 64
#define ROWS_B 64
#define STAGE_ROWS (ROWS_A + ROWS_B)
#define COPY_BYTES 16

__device__ inline size_t divCeil(size_t A, size_t B) { return (A + B - 1) / B; }

#define CP_ASYNC(dst, src)                                                     \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(dst),       \
               "l"(src), "n"(COPY_BYTES))
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))

// One group is issued in two halves, around the change of the read offset;
// rows rotate their 16-byte columns.
template <size_t STAGES>
__global__ void row_offsets_ok(const half *__restrict__ A,
                               const half *__restrict__ B, uint32_t *Out,
                               size_t K) {
  extern __shared__ half smem[][LD];
  const size_t tiles = divCeil(K, LD);
  const size_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const half *a_warp = A + warp * 16 * K;
  const half *b_warp = B + warp * 16 * K;
  size_t store_idx = 0, load_idx = 0;
  size_t store_off = 0, load_off = 0;
  uint32_t sum = 0;

  auto issue = [&](const half *src, size_t row, size_t tile) {
    row += lane / 4;
    const int4 *ptr = (const int4 *)(src + tile * LD + lane / 4 * K) + lane % 4;
#pragma unroll
    for (size_t i = 0; i < 2; ++i) {
      uint32_t dst = __cvta_generic_to_shared(&smem[row][0]) +
                     ((lane % 4 + row % 8 / 2) % 4) * COPY_BYTES;
      CP_ASYNC(dst, ptr);
      ptr = (const int4 *)((const half *)ptr + 8 * K);
      row += 8;
    }
  };
  auto consume = [&]() {
#pragma unroll
    for (size_t k_step = 0; k_step < 2; ++k_step) {
      size_t row = load_off + warp * 16 + lane % 16;
      uint32_t addr = __cvta_generic_to_shared(
          &smem[row][(k_step * 16 + lane / 16 * 8 + row % 8 / 2 * 8) % LD]);
      uint32_t r0, r1, r2, r3;
      asm volatile(
          "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"
          : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
          : "r"(addr));
      row = load_off + ROWS_A + (3 - warp) * 16 + lane % 16;
      addr = __cvta_generic_to_shared(
          &smem[row][(k_step * 16 + lane / 16 * 8 + row % 8 / 2 * 8) % LD]);
      uint32_t s0, s1, s2, s3;
      asm volatile(
          "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"
          : "=r"(s0), "=r"(s1), "=r"(s2), "=r"(s3)
          : "r"(addr));
      sum += r0 * s0 + r1 * s1 + r2 * s2 + r3 * s3;
    }
  };

  for (size_t s = 0; s < STAGES - 1; ++s) {
    if (s < tiles) {
      issue(a_warp, store_off + warp * 16, s);
      issue(b_warp, store_off + ROWS_A + warp * 16, s);
    }
    COMMIT();
    store_idx = (store_idx + 1) % STAGES;
    store_off = store_idx * STAGE_ROWS;
  }
  WAIT(STAGES - 2);
  __syncthreads();
  for (size_t t = 0; t < tiles; ++t) {
    const size_t next = t + STAGES - 1;
    if (next < tiles)
      issue(a_warp, store_off + warp * 16, next);
    consume();
    load_idx = (load_idx + 1) % STAGES;
    load_off = load_idx * STAGE_ROWS;
    if (next < tiles)
      issue(b_warp, store_off + ROWS_A + warp * 16, next);
    COMMIT();
    store_idx = (store_idx + 1) % STAGES;
    store_off = store_idx * STAGE_ROWS;
    WAIT(STAGES - 2);
    __syncthreads();
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int STAGES>
__global__ __launch_bounds__(128) void wmma_readers_ok(const half *A,
                                                       const half *B, float *C,
                                                       int K) {
  __shared__ half a[STAGES][64][16 + 8], b[STAGES][16][32 + 8];
  const int tid = threadIdx.x, warp = tid / 32;
  const int row_a = tid / 2, col_a = tid % 2 * 8;
  const int row_b = tid / 4 % 16, col_b = tid % 4 * 8;
  const int tiles = K / 16;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2];
  for (int j = 0; j < 2; ++j)
    wmma::fill_fragment(acc[j], 0.0f);

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    CP_ASYNC((uint32_t)__cvta_generic_to_shared(&a[s][row_a][col_a]),
             A + row_a * K + s * 16 + col_a);
    if (tid < 64)
      CP_ASYNC((uint32_t)__cvta_generic_to_shared(&b[s][row_b][col_b]),
               B + (s * 16 + row_b) * 32 + col_b);
    COMMIT();
  }
  for (int t = 0; t < tiles; ++t) {
    WAIT(STAGES - 2);
    __syncthreads();
    const int next = t + STAGES - 1, fill = next % STAGES;
    if (next < tiles) {
      CP_ASYNC((uint32_t)__cvta_generic_to_shared(&a[fill][row_a][col_a]),
               A + row_a * K + next * 16 + col_a);
      if (tid < 64)
        CP_ASYNC((uint32_t)__cvta_generic_to_shared(&b[fill][row_b][col_b]),
                 B + (next * 16 + row_b) * 32 + col_b);
    }
    COMMIT();

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
    wmma::load_matrix_sync(fa, &a[t % STAGES][warp * 16][0], 16 + 8);
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      wmma::load_matrix_sync(fb[j], &b[t % STAGES][0][j * 16], 32 + 8);
      wmma::mma_sync(acc[j], fa, fb[j], acc[j]);
    }
  }
  for (int j = 0; j < 2; ++j)
    wmma::store_matrix_sync(C + warp * 16 * 32 + j * 16, acc[j], 32,
                            wmma::mem_row_major);
}

// The accumulators pass through the drained tile on their way out.
__global__ __launch_bounds__(32) void wmma_staged_output_ok(const half *A,
                                                            float *C) {
  __shared__ __align__(32) unsigned char pool[16 * 16 * sizeof(float)];
  half(*tile)[16] = reinterpret_cast<half(*)[16]>(pool);
  float *out = reinterpret_cast<float *>(pool);
  CP_ASYNC((uint32_t)__cvta_generic_to_shared(
               &tile[threadIdx.x / 2][threadIdx.x % 2 * 8]),
           A + threadIdx.x * 8);
  COMMIT();
  WAIT(0);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::load_matrix_sync(fa, &tile[0][0], 16);
  wmma::load_matrix_sync(fb, &tile[0][0], 16);
  wmma::fill_fragment(acc, 0.0f);
  wmma::mma_sync(acc, fa, fb, acc);
  __syncwarp();
  wmma::store_matrix_sync(out, acc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32)
    C[i] = out[i];
}

void launchRows(const half *A, const half *B, uint32_t *Out, float *C, int K) {
  constexpr int Threads = 4 * 32;
  dim3 block(Threads);
  row_offsets_ok<2><<<1, block, 2 * STAGE_ROWS * LD * 2>>>(A, B, Out, K);
  row_offsets_ok<3><<<1, block, 3 * STAGE_ROWS * LD * 2>>>(A, B, Out, K);
  row_offsets_ok<4><<<1, block, 4 * STAGE_ROWS * LD * 2>>>(A, B, Out, K);
  wmma_readers_ok<2><<<1, 128>>>(A, B, C, K);
  wmma_readers_ok<3><<<1, 128>>>(A, B, C, K);
}
