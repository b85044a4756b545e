//===- asm-forms.cu - Spellings of inline PTX -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same correct round trip, written in the ways found in real code: address
// conversion in PTX, 64-bit destinations, operands in another order, several
// instructions in a string, comments, labels, '__asm__', no 'volatile',
// strings glued from macros.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t convertInPtx(const void *Ptr) {
  uint32_t Address;
  asm("{\n"
      "  .reg .u64 wide;\n"
      "  cvta.to.shared.u64 wide, %1;\n"
      "  cvt.u32.u64 %0, wide;\n"
      "}\n"
      : "=r"(Address)
      : "l"(Ptr));
  return Address;
}

__global__ __launch_bounds__(128) void address_from_ptx_ok(const float4 *Src,
                                                           float4 *Dst) {
  __shared__ float4 Tile[128];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   convertInPtx(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void wide_destination_ok(const float4 *Src,
                                                           float4 *Dst) {
  __shared__ float4 Tile[128];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"l"(
                   __cvta_generic_to_shared(&Tile[threadIdx.x])),
               "l"(__cvta_generic_to_global(Src + threadIdx.x)));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void there_and_back_ok(const float4 *Src,
                                                         float4 *Dst) {
  __shared__ float4 Tile[128];
  const size_t From = __cvta_generic_to_global(Src + threadIdx.x);
  const size_t To = __cvta_generic_to_shared(&Tile[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"l"(To),
               "l"(__cvta_global_to_generic(From)));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__
__launch_bounds__(128) void converted_in_one_string_ok(const float *Src,
                                                       float *Dst) {
  __shared__ float Tile[128];
  asm volatile(
      "{ .reg .u64 a; .reg .u32 d;\n"
      "cvta.to.shared.u64 a, %0; cvt.u32.u64 d, a;\n"
      "cp.async.ca.shared.global [d], [%1], 4; }" ::"l"(&Tile[threadIdx.x]),
      "l"(Src + threadIdx.x)
      : "memory");
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void other_operand_order_ok(const float4 *Src,
                                                              float4 *Dst) {
  __shared__ float4 Tile[128];
  asm volatile(
      "cp.async.cg.shared.global [%2], [%0], %1;" ::"l"(Src + threadIdx.x),
      "n"(16), "r"(convertInPtx(&Tile[threadIdx.x])));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(0));
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__
__launch_bounds__(128) void whole_round_trip_in_asm_ok(const float4 *Src,
                                                       float4 *Dst) {
  __shared__ float4 Tile[256];
  uint32_t To =
      static_cast<uint32_t>(__cvta_generic_to_shared(Tile)) + threadIdx.x * 16;
  __asm__ __volatile__("// two vectors, one group\n\t"
                       "cp.async.cg.shared.global [%0], [%1], 16;\n\t"
                       "cp.async.cg.shared.global [%0 + 2048], [%1+2048], 16;"
                       "/* nothing is waited for\n\t yet */\n\t"
                       "cp.async.commit_group;\n\t" ::"r"(To),
                       "l"(Src + threadIdx.x));
  __asm__ __volatile__("cp.async.wait_group 0;\n\t"
                       "bar.sync 0;\n\t" ::
                           : "memory");
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
  Dst[128 + threadIdx.x] = Tile[255 - threadIdx.x];
}

__global__ __launch_bounds__(128) void not_volatile_ok(const float4 *Src,
                                                       float4 *Dst) {
  __shared__ float4 Tile[128];
  asm("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
          convertInPtx(&Tile[threadIdx.x])),
      "l"(Src + threadIdx.x));
  asm("cp.async.commit_group;");
  asm("cp.async.wait_group 0;");
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 12
#define L2_HINT ".L2::128B"
#else
#define L2_HINT ""
#endif
#define CP_ASYNC(CACHE, BYTES)                                                 \
  "cp.async." CACHE ".shared.global" L2_HINT " [%0], [%1], " #BYTES ";\n"

__global__ __launch_bounds__(128) void glued_from_macros_ok(const float4 *Src,
                                                            const float *Small,
                                                            float4 *Dst) {
  __shared__ float4 Tile[128];
  __shared__ float Scale[128];
  asm volatile(CP_ASYNC("cg", 16)::"r"(convertInPtx(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x));
  asm volatile(CP_ASYNC("ca", 4)::"r"(convertInPtx(&Scale[threadIdx.x])),
               "l"(Small + threadIdx.x));
  asm volatile("cp.async.commit_group;\n"
#if __CUDA_ARCH__ >= 800
               "cp.async.wait_group 0;\n"
#endif
               "bar.sync 0, 128;\n");
  float4 V = Tile[127 - threadIdx.x];
  V.x *= Scale[127 - threadIdx.x];
  Dst[threadIdx.x] = V;
}

// A loop inside the asm statement that has nothing to do with the copy.
__global__ __launch_bounds__(128) void label_and_loop_ok(const float4 *Src,
                                                         float4 *Dst) {
  __shared__ float4 Tile[128];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   convertInPtx(&Tile[threadIdx.x])),
               "l"(Src + threadIdx.x));
  asm volatile("cp.async.commit_group;");
  asm volatile("{\n"
               "  .reg .pred again;\n"
               "  .reg .u32 left;\n"
               "  mov.u32 left, 16;\n"
               "SPIN:\n"
               "  sub.u32 left, left, 1;\n"
               "  setp.ne.u32 again, left, 0;\n"
               "  @again bra SPIN;\n"
               "}\n");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

// Readers that are not C++ loads.
__global__ __launch_bounds__(32) void read_by_asm_ok(const uint4 *Src,
                                                     uint4 *Dst) {
  __shared__ uint4 Tile[32];
  uint32_t Base = convertInPtx(Tile);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   Base + threadIdx.x * 16),
               "l"(Src + threadIdx.x));
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;");
  __syncwarp();
  uint4 A, B;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(A.x), "=r"(A.y), "=r"(A.z), "=r"(A.w)
               : "r"(Base + (31 - threadIdx.x) * 16));
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(B.x), "=r"(B.y), "=r"(B.z), "=r"(B.w)
      : "r"(Base + threadIdx.x * 16));
  Dst[threadIdx.x] = make_uint4(A.x + B.x, A.y + B.y, A.z + B.z, A.w + B.w);
}
