// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_pipeline.h>

// Clang refuses the text of a side that not every instance has.
template <int Left> __device__ void waitFor() {
  if constexpr (Left < 0) {
    asm volatile("mov.u32 %0, %3;" ::"r"(Left));
  } else {
    __pipeline_wait_prior(Left);
  }
}

template <int Left>
__global__ void __launch_bounds__(64) copied(const float *In, float *Out) {
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  waitFor<Left>();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

void launch(const float *In, float *Out) {
  copied<0><<<1, 64>>>(In, Out);
  copied<1><<<1, 64>>>(In, Out);
  copied<-1><<<1, 64>>>(In, Out);
}
