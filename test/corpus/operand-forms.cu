//===- operand-forms.cu - Optional operands of a copy ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// src-size, ignore-src, cache policies, the '::cta' qualifier and address
// offsets. A copy with fewer source bytes still writes all of its destination.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t sharedAddress(const void *Ptr) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Ptr));
}

__device__ void finish() {
  asm volatile("cp.async.commit_group;\n");
  asm volatile("cp.async.wait_group 0;\n");
  __syncthreads();
}

__global__
__launch_bounds__(128) void src_size_equals_cp_size_ok(const float *Src,
                                                       float *Dst) {
  __shared__ float Tile[128];
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x), "n"(4), "n"(4));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void src_size_half_ok(const float4 *Src,
                                                        float4 *Dst) {
  __shared__ float4 Tile[128];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, 8;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

// The source size acts as the predicate: 0 bytes read, 16 zeros written.
__global__ __launch_bounds__(128) void src_size_register_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Valid) {
  __shared__ float4 Tile[128];
  int Bytes = static_cast<int>(threadIdx.x) < Valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x), "n"(16), "r"(Bytes));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

// The last vector of a row may hold 1 to 3 floats.
__global__ __launch_bounds__(128) void src_size_remaining_ok(const float *Src,
                                                             float4 *Dst,
                                                             int Count) {
  __shared__ float4 Tile[128];
  int Left = Count - static_cast<int>(threadIdx.x) * 4;
  int Floats = Left < 0 ? 0 : (Left > 4 ? 4 : Left);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x * 4), "r"(Floats * 4));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void ignore_src_ok(const float *Src,
                                                     float *Dst, int Valid) {
  __shared__ float Tile[128];
  asm volatile("{\n"
               "  .reg .pred skip;\n"
               "  setp.eq.u32 skip, %2, 0;\n"
               "  cp.async.ca.shared.global [%0], [%1], 4, skip;\n"
               "}\n" ::"r"(sharedAddress(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x),
               "r"(static_cast<int>(threadIdx.x < Valid)));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void cache_policy_ok(const float4 *Src,
                                                       float4 *Dst) {
  __shared__ float4 Tile[128];
  uint64_t Policy;
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 "
               "%0, 0.25;\n"
               : "=l"(Policy));
  asm volatile(
      "cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;\n" ::"r"(
          sharedAddress(&Tile[threadIdx.x])),
      "l"(Src + threadIdx.x), "l"(Policy));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

// The local register is called 'p' and is a policy, not a predicate.
__global__ __launch_bounds__(128) void local_policy_ok(const float4 *Src,
                                                       float4 *Dst) {
  __shared__ float4 Tile[128];
  asm volatile("{\n"
               "  .reg .b64 p;\n"
               "  createpolicy.fractional.L2::evict_first.b64 p, 1.0;\n"
               "  cp.async.cg.shared.global.L2::cache_hint [%0], [%1], %2, p;\n"
               "}\n" ::"r"(sharedAddress(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x), "n"(16));
  finish();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void address_offsets_ok(const float4 *Src,
                                                          float4 *Dst) {
  __shared__ float4 Tile[256];
  uint32_t To = sharedAddress(&Tile[threadIdx.x * 2]);
  const float4 *From = Src + threadIdx.x * 2;
  asm volatile(
      "cp.async.cg.shared::cta.global [%0], [%1], 16;\n"
      "cp.async.cg.shared::cta.global [%0 + 16], [%1 + 16], 16;\n" ::"r"(To),
      "l"(From));
  finish();
  Dst[threadIdx.x] = Tile[255 - threadIdx.x];
}
