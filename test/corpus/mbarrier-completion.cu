//===- mbarrier-completion.cu - Copies that complete on an mbarrier -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No group and no wait: each thread's copies arrive on an mbarrier, and
// everybody waits for its phase. With '.noinc' the arrivals are those that the
// barrier was initialised for.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;

__device__ uint32_t toShared(const void *Ptr) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Ptr));
}

__device__ void waitForPhase(uint32_t Barrier, uint32_t Parity) {
  uint32_t Done = 0;
  while (!Done)
    asm volatile("{\n"
                 "  .reg .pred p;\n"
                 "  mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "  selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(Done)
                 : "r"(Barrier), "r"(Parity)
                 : "memory");
}

__global__
__launch_bounds__(Threads) void arrive_on_mbarrier_ok(const float4 *Src,
                                                      float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  __shared__ alignas(8) uint64_t Full;
  const int Tid = threadIdx.x;
  if (Tid == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(toShared(&Full)),
                 "r"(Threads));
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(toShared(&Tile[Tid])),
        "l"(Src + T * Threads + Tid));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
        toShared(&Full)));
    waitForPhase(toShared(&Full), T & 1);
    Dst[T * Threads + Tid] = Tile[Threads - 1 - Tid];
    __syncthreads();
  }
}
