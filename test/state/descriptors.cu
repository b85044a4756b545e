//===- descriptors.cu - Operands that a descriptor names -------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product reads what its descriptors name until it is waited for. Where that is
// not known, and copies could be what it reads, it is not passed over.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ uint64_t describe(const void *Shared) {
  const uint64_t Address = __cvta_generic_to_shared(Shared);
  return (Address & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32;
}

__device__ void multiply(uint64_t A, uint64_t B, float *Out) {
  float D[4] = {};
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
  // expect-skipped@-1: shared operands of wgmma and tcgen05 are not followed
  // expect-state@-2: matrix product: threads 0-127: groups [] open {} wgmma groups 0 open {A B}
  // expect-state@-3: matrix product: threads 0-127: groups [] open {} wgmma groups 0 open {A}
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "l"(A), "l"(B));
  asm volatile("wgmma.commit_group.sync.aligned;");
  // expect-state@-1: wgmma commit: threads 0-127: groups [] open {}
  // expect-state@-2: wgmma commit: threads 0-127: groups [] open {} wgmma groups 1 open {}
  asm volatile("wgmma.wait_group.sync.aligned 0;");
  // expect-state@-1: wgmma wait: threads 0-127: groups [] open {}
  Out[threadIdx.x] = D[0];
}

KERNEL product(const float4 *In, float *Out) {
  __shared__ __align__(128) float4 A[128], B[128];
  const unsigned To = __cvta_generic_to_shared(&A[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
  // expect-state@-1: copy: threads 0-127: groups [] open {A}
               "l"(&In[threadIdx.x]));
  asm volatile("cp.async.wait_all;");
  // expect-state@-1: wait: threads 0-127: groups [] open {}; unordered copies {A}
  __syncthreads();
  // expect-state@-1: barrier: threads 0-127: groups [] open {}
  multiply(describe(A), describe(B), Out);
}
// expect-state@-1: exit: threads 0-127: groups [] open {}

KERNEL given(const float4 *In, float *Out, uint64_t Descriptor) {
  __shared__ __align__(128) float4 A[128];
  const unsigned To = __cvta_generic_to_shared(&A[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
  // expect-state@-1: copy: threads 0-127: groups [] open {A}
               "l"(&In[threadIdx.x]));
  asm volatile("cp.async.wait_all;");
  // expect-state@-1: wait: threads 0-127: groups [] open {}; unordered copies {A}
  __syncthreads();
  // expect-state@-1: barrier: threads 0-127: groups [] open {}
  multiply(Descriptor, Descriptor + 2, Out);
}
// expect-state@-1: exit: threads 0-127: groups [] open {}
