//===- single-copies.cu - One copy per thread: sizes and caches -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of each legal size with each cache operator and prefetch hint, one
// group, one wait. The pool has no alignment attribute, as in most real code.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__global__ __launch_bounds__(256) void copy_4_bytes_ok(const float *Src,
                                                       float *Dst) {
  extern __shared__ float Pool[];
  int Tid = threadIdx.x;
  int Index = blockIdx.x * blockDim.x + Tid;
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Pool + Tid));

  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(To),
               "l"(Src + Index), "n"(sizeof(float)));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_all;\n" ::);
  Dst[Index] = Pool[Tid];
}

__global__ __launch_bounds__(256) void copy_8_bytes_ok(const float2 *Src,
                                                       float2 *Dst) {
  extern __shared__ float Pool[];
  int Tid = threadIdx.x;
  int Index = blockIdx.x * blockDim.x + Tid;
  uint32_t To =
      __cvta_generic_to_shared(reinterpret_cast<float2 *>(Pool) + Tid);

  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(To),
               "l"(Src + Index));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  Dst[Index] = reinterpret_cast<float2 *>(Pool)[Tid];
}

__global__ __launch_bounds__(256) void copy_16_bytes_ca_ok(const float4 *Src,
                                                           float4 *Dst) {
  __shared__ float4 Tile[256];
  int Tid = threadIdx.x;
  uint32_t To = __cvta_generic_to_shared(&Tile[Tid]);

  asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], 16;" ::"r"(To),
               "l"(Src + blockIdx.x * 256 + Tid));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  Dst[blockIdx.x * 256 + Tid] = Tile[255 - Tid];
}

__global__ __launch_bounds__(256) void copy_16_bytes_cg_ok(float *Src,
                                                           float *Dst) {
  extern __shared__ float Pool[];
  int Tid = threadIdx.x;
  int First = blockIdx.x * blockDim.x * 4;
  float *From = Src + First + Tid * 4;
  uint32_t To = static_cast<uint32_t>(
      __cvta_generic_to_shared(reinterpret_cast<float4 *>(Pool) + Tid));

  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(To),
               "l"(From), "n"(sizeof(float4)));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_all;\n" ::);
  reinterpret_cast<float4 *>(Dst + First)[Tid] =
      reinterpret_cast<float4 *>(Pool)[Tid];
}

__global__
__launch_bounds__(64) void several_copies_one_group_ok(const float *Src,
                                                       float *Dst) {
  __shared__ alignas(16) float Tile[8][64];
  int Tid = threadIdx.x;
#pragma unroll
  for (int Row = 0; Row < 8; ++Row) {
    uint32_t To = __cvta_generic_to_shared(&Tile[Row][Tid]);
    asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], 4;" ::"r"(To),
                 "l"(Src + Row * 64 + Tid));
  }
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();

  float Sum = 0.0f;
  for (int Col = 0; Col < 64; ++Col)
    Sum += Tile[Tid % 8][Col];
  Dst[Tid] = Sum;
}
