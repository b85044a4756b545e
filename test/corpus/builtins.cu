//===- builtins.cu - Clang's builtins for cp.async ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only clang has them; nvcc sees the equivalent inline PTX.
//
//===----------------------------------------------------------------------===//

#ifdef __clang__
#define SHARED(Ptr) ((__attribute__((address_space(3))) void *)(Ptr))
#define GLOBAL(Ptr) ((__attribute__((address_space(1))) const void *)(Ptr))
#define COPY_CA_4(Dst, Src)                                                    \
  __nvvm_cp_async_ca_shared_global_4(SHARED(Dst), GLOBAL(Src))
#define COPY_CG_16(Dst, Src)                                                   \
  __nvvm_cp_async_cg_shared_global_16(SHARED(Dst), GLOBAL(Src))
#define COPY_CG_16_OF(Dst, Src, Bytes)                                         \
  __nvvm_cp_async_cg_shared_global_16(SHARED(Dst), GLOBAL(Src), Bytes)
#define COMMIT() __nvvm_cp_async_commit_group()
#define WAIT(N) __nvvm_cp_async_wait_group(N)
#define WAIT_ALL() __nvvm_cp_async_wait_all()
#else
#define ADDRESS(Ptr) static_cast<unsigned>(__cvta_generic_to_shared(Ptr))
#define COPY_CA_4(Dst, Src)                                                    \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(ADDRESS(Dst)), \
               "l"(Src))
#define COPY_CG_16(Dst, Src)                                                   \
  asm volatile(                                                                \
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ADDRESS(Dst)),         \
      "l"(Src))
#define COPY_CG_16_OF(Dst, Src, Bytes)                                         \
  asm volatile(                                                                \
      "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(ADDRESS(Dst)),     \
      "l"(Src), "r"(Bytes))
#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT(N) asm volatile("cp.async.wait_group %0;" ::"n"(N))
#define WAIT_ALL() asm volatile("cp.async.wait_all;")
#endif

__global__ __launch_bounds__(128) void builtin_round_trip_ok(const float *Src,
                                                             float *Dst) {
  __shared__ float Tile[128];
  COPY_CA_4(&Tile[threadIdx.x], Src + threadIdx.x);
  WAIT_ALL();
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}

__global__ __launch_bounds__(128) void builtin_ring_ok(const float4 *Src,
                                                       float4 *Dst, int Tiles) {
  __shared__ float4 Ring[3][128];
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      COPY_CG_16(&Ring[S][threadIdx.x], Src + S * 128 + threadIdx.x);
    COMMIT();
  }
  for (int T = 0; T < Tiles; ++T) {
    WAIT(1);
    __syncthreads();
    if (T + 2 < Tiles)
      COPY_CG_16(&Ring[(T + 2) % 3][threadIdx.x],
                 Src + (T + 2) * 128 + threadIdx.x);
    COMMIT();
    Dst[T * 128 + threadIdx.x] = Ring[T % 3][127 - threadIdx.x];
  }
}

__global__ __launch_bounds__(128) void builtin_zero_fill_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Valid) {
  __shared__ float4 Tile[128];
  COPY_CG_16_OF(&Tile[threadIdx.x], Src + threadIdx.x,
                static_cast<int>(threadIdx.x) < Valid ? 16 : 0);
  COMMIT();
  WAIT(0);
  __syncthreads();
  Dst[threadIdx.x] = Tile[127 - threadIdx.x];
}
