//===- large-constants.cu - Numbers at the ends of 64 bits -----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutants of other kernels on which the sanitizers' build ended: addresses and
// bounds that do not fit into 64 bits with a sign. Nobody writes these, but a
// linter meets what is being typed.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

__global__ void __launch_bounds__(128)
    factor_is_unsigned(const float *In, float *Out, int Rows) {
  __shared__ float Tile[2][128];
  for (int I = 0; I < Rows; ++I) {
    __pipeline_memcpy_async(
        &Tile[I % 2][I * 18446744073709551615u + threadIdx.x],
        &In[I * 128 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  Out[threadIdx.x] = Tile[0][threadIdx.x];
}

__global__ void __launch_bounds__(128)
    factor_is_largest(const float *In, float *Out, long long Rows) {
  __shared__ float4 Tile[256];
  for (long long I = 0; I < Rows; I += 9223372036854775807) {
    __pipeline_memcpy_async(&Tile[I + threadIdx.x], &In[threadIdx.x * 4], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  Out[threadIdx.x] = Tile[threadIdx.x].x;
}

__global__ void __launch_bounds__(128)
    bound_is_smallest(const float *In, float *Out, long long Rows) {
  __shared__ float Tile[128];
  if (Rows + 9223372036854775807 < blockIdx.x)
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (Rows - 9223372036854775807 - 1 < 0)
    Out[threadIdx.x] = Tile[threadIdx.x];
}

// No launch and no bound: an index tells how many threads there are.
__global__ void staircase_is_largest(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x % 128], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] =
      Tile[threadIdx.x % 128] + Tile[threadIdx.x / 16 * 9223372036854775807];
  for (long long I = threadIdx.x - 1; I < 1000; I += 9223372036854775807)
    Out[I] = Tile[0];
}
