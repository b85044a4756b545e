//===- generated.cu - What kernel generators emit -------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flat index arithmetic, one helper function an instruction, casts at every
// use, a dynamic pool of bytes, fully constant tiles.
//
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>

__forceinline__ __device__ void gen_ptx_cp_async_cg_16(void *dst, void *src,
                                                       unsigned long long) {
  unsigned int addr = (unsigned int)__cvta_generic_to_shared(dst);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(addr),
               "l"(src));
}
__forceinline__ __device__ void gen_ptx_cp_async_ca_8(void *dst, void *src) {
  unsigned int addr = (unsigned int)__cvta_generic_to_shared(dst);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(addr),
               "l"(src));
}
__forceinline__ __device__ void gen_ptx_cp_async_ca_4(void *dst, void *src) {
  unsigned int addr = (unsigned int)__cvta_generic_to_shared(dst);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(addr),
               "l"(src));
}
__forceinline__ __device__ void gen_ptx_cp_async_commit_group() {
  asm volatile("cp.async.commit_group;");
}
__forceinline__ __device__ void gen_ptx_cp_async_wait_group_0() {
  asm volatile("cp.async.wait_group 0;");
}
__forceinline__ __device__ void gen_ptx_cp_async_wait_group_1() {
  asm volatile("cp.async.wait_group 1;");
}

// 128x32 halfs, 128 threads, 16 bytes each, four rounds.
extern "C" __global__ void __launch_bounds__(128)
    gen_copy_16_ok(half *__restrict__ A, half *__restrict__ B) {
  __shared__ alignas(128) half A_smem[4096];
  for (int f = 0; f < 4; ++f) {
    half *s_ptr = &(A_smem[((f * 1024) + (((int)threadIdx.x) * 8))]);
    half *g_ptr = &(A[((f * 1024) + (((int)threadIdx.x) * 8))]);
    gen_ptx_cp_async_cg_16(s_ptr, g_ptr, 0ULL);
  }
  gen_ptx_cp_async_commit_group();
  gen_ptx_cp_async_wait_group_0();
  __syncthreads();
  for (int f = 0; f < 4; ++f)
    *(uint4 *)(B + ((f * 1024) + (((int)threadIdx.x) * 8))) =
        *(uint4 *)(A_smem + ((f * 1024) + (((int)threadIdx.x) * 8)));
}

extern "C" __global__ void __launch_bounds__(128)
    gen_copy_8_ok(half *__restrict__ A, half *__restrict__ B) {
  __shared__ half A_smem[4096];
  for (int f = 0; f < 8; ++f)
    gen_ptx_cp_async_ca_8(A_smem + (f * 512 + ((int)threadIdx.x) * 4),
                          A + (f * 512 + ((int)threadIdx.x) * 4));
  gen_ptx_cp_async_commit_group();
  gen_ptx_cp_async_wait_group_0();
  __syncthreads();
  for (int f = 0; f < 32; ++f)
    B[(f * 128) + ((int)threadIdx.x)] =
        A_smem[4095 - ((f * 128) + ((int)threadIdx.x))];
}

extern "C" __global__ void __launch_bounds__(128)
    gen_copy_4_ok(float *__restrict__ A, float *__restrict__ B) {
  __shared__ float A_smem[2048];
#pragma unroll
  for (int f = 0; f < 16; ++f)
    gen_ptx_cp_async_ca_4((void *)(&(A_smem[f * 128 + ((int)threadIdx.x)])),
                          (void *)(&(A[f * 128 + ((int)threadIdx.x)])));
  gen_ptx_cp_async_commit_group();
  gen_ptx_cp_async_wait_group_0();
  __syncthreads();
#pragma unroll
  for (int f = 0; f < 16; ++f)
    B[f * 128 + ((int)threadIdx.x)] =
        A_smem[((f * 128 + ((int)threadIdx.x)) * 5) & 2047];
}

// A pool of bytes for both operands; the loop peeled by one, as a software
// pipeliner prints it.
extern "C" __global__ void __launch_bounds__(128)
    gen_pipelined_ok(half *__restrict__ A, half *__restrict__ B,
                     float *__restrict__ C) {
  extern __shared__ __align__(1024) unsigned char buf_dyn_shmem[];
  float C_local[1];
  C_local[0] = 0.000000e+00f;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    gen_ptx_cp_async_cg_16(
        buf_dyn_shmem + ((i * 2048) + (((int)threadIdx.x) * 16)),
        A + ((i * 65536) + ((((int)threadIdx.x) >> 2) * 2048) +
             ((((int)threadIdx.x) & 3) * 8)),
        0ULL);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    gen_ptx_cp_async_cg_16(
        buf_dyn_shmem + (((i * 2048) + (((int)threadIdx.x) * 16)) + 8192),
        B + ((i * 65536) + ((((int)threadIdx.x) >> 2) * 2048) +
             ((((int)threadIdx.x) & 3) * 8)),
        0ULL);
  }
  gen_ptx_cp_async_commit_group();
  for (int ko = 0; ko < 63; ++ko) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      gen_ptx_cp_async_cg_16(
          buf_dyn_shmem + (((((ko + 1) & 1) * 4096) + (i * 2048)) +
                           (((int)threadIdx.x) * 16)),
          A + (((((i * 65536) + ((((int)threadIdx.x) >> 2) * 2048)) +
                 (ko * 32)) +
                ((((int)threadIdx.x) & 3) * 8)) +
               32),
          0ULL);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      gen_ptx_cp_async_cg_16(
          buf_dyn_shmem + ((((((ko + 1) & 1) * 4096) + (i * 2048)) +
                            (((int)threadIdx.x) * 16)) +
                           8192),
          B + (((((i * 65536) + ((((int)threadIdx.x) >> 2) * 2048)) +
                 (ko * 32)) +
                ((((int)threadIdx.x) & 3) * 8)) +
               32),
          0ULL);
    }
    gen_ptx_cp_async_commit_group();
    gen_ptx_cp_async_wait_group_1();
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      C_local[0] =
          (C_local[0] +
           (__half2float(((half *)buf_dyn_shmem)[(
                (((ko & 1) * 2048) + ((((int)threadIdx.x) >> 1) * 32)) + k)]) *
            __half2float(((half *)buf_dyn_shmem)[(
                ((((ko & 1) * 2048) + ((((int)threadIdx.x) & 63) * 32)) + k) +
                4096)])));
    }
  }
  gen_ptx_cp_async_wait_group_0();
  __syncthreads();
  for (int k = 0; k < 32; ++k) {
    C_local[0] =
        (C_local[0] +
         (__half2float(
              ((half *)buf_dyn_shmem)[(((((int)threadIdx.x) >> 1) * 32) + k) +
                                      2048]) *
          __half2float(
              ((half *)buf_dyn_shmem)[(((((int)threadIdx.x) & 63) * 32) + k) +
                                      6144])));
  }
  C[((((int)blockIdx.x) * 128) + ((int)threadIdx.x))] = C_local[0];
}
