# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints kernels in which a statement does not compile for want of a header."""

PREAMBLE = """#include "missing.h"
#include <cuda_pipeline.h>

template <int N> __device__ void waitGroups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N));
}
__device__ void helper() { missingWait(); }
template <class T> __device__ void waitAs() {
  T::missing();
  waitGroups<0>();
}
"""
KERNEL = """
__global__ void __launch_bounds__(64) {name}(const float *In, float *Out) {{
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
{hole}
  Out[threadIdx.x] = Tile[threadIdx.x];
}}
"""
HOLES = {
    "wait_constant": "  waitGroups<MissingConstant>();",
    "wait_call": "  missingWait();",
    "wait_method": "  MissingType Pipe; Pipe.wait();",
    "wait_in_callee": "  helper();",
    "wait_in_template": "  waitAs<float4>();",
    "conditional_wait": "  if (MissingCondition) __pipeline_wait_prior(0);",
    # Nothing is missing here.
    "compiles": "  __pipeline_wait_prior(1);",
}

print(PREAMBLE)
for name, hole in HOLES.items():
    print(KERNEL.format(name=name, hole=hole))
