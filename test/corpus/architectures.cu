//===- architectures.cu - Instructions of later architectures -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcu++ calls a function that nobody defines, and whose name says why, where
// the architecture that is compiled for lacks an instruction. Nothing of that
// kernel is known then.
//
//===----------------------------------------------------------------------===//

extern "C" __device__ void
__cuda_ptx_cp_async_bulk_is_not_supported_before_SM_90__();
extern "C" __device__ void
__cuda_ptx_tcgen05_cp_is_only_supported_on_SM_100a_family__();

template <int Arch> __device__ void copyBulk(float *To, const float *From) {
  if constexpr (Arch < 90)
    __cuda_ptx_cp_async_bulk_is_not_supported_before_SM_90__();
    // expect-skipped@-1: this needs sm_90, and another architecture is compiled for
}

__global__ void too_early(const float *In, float *Out) {
  __shared__ float Tile[32];
  if (threadIdx.x == 0)
    copyBulk<80>(Tile, In);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

__global__ void of_a_family() {
  __cuda_ptx_tcgen05_cp_is_only_supported_on_SM_100a_family__();
  // expect-skipped@-1: this needs sm_100a, and another architecture is compiled for
}
