//===- map-parameters.cu - Parameters that hold a tensor map --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries hide __grid_constant__ behind a macro that is empty where Clang
// compiles: the parameter is taken to be what nvcc makes of it. The map of
// another parameter is not. CUDA, "__grid_constant__ Parameters".
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda.h>

#ifdef __clang__
#define LIB_GRID_CONSTANT
#else
#define LIB_GRID_CONSTANT __grid_constant__
#endif
#define PARAMETER

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

struct Maps {
  CUtensorMap In;
};

__device__ void load(float *Tile, const Maps &From, uint64_t *Full) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(addressOf(Full))
                 : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;\n"
    // expect-warning@-1{cpasync-wrong-state-space}: tensor map 'From' is in local memory, where a tensor copy cannot read it
                 "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::"
                 "complete_tx::bytes [%1], [%2, {%3}], [%0];" ::"r"(
                     addressOf(Full)),
                 "r"(addressOf(Tile)), "l"(&From.In), "r"(0)
                 : "memory");
  uint32_t Done = 0;
  while (!Done)
    asm volatile("{\n"
                 ".reg .pred P;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, P;\n"
                 "}"
                 : "=r"(Done)
                 : "r"(addressOf(Full))
                 : "memory");
}

#define KERNEL __global__ void __launch_bounds__(128)

template <class All>
KERNEL hidden_ok(LIB_GRID_CONSTANT typename All::Type const From, float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, From, &Full);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
template <class All>
KERNEL not_hidden_bad(LIB_GRID_CONSTANT float *const Out,
// expect-note@-1: in instantiation of 'not_hidden_bad<All>'
                      PARAMETER typename All::Type const From) {
                      // expect-note@-1: pass the map as a 'const __grid_constant__' parameter of the kernel, and its address from there
  __shared__ alignas(128) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, From, &Full);
  // expect-note@-1: 'load' called here
  // expect-note@-2: while analysing the call to 'load' here
  Out[threadIdx.x] = Tile[threadIdx.x];
}
struct All {
  using Type = Maps;
};
template __global__ void hidden_ok<All>(const Maps, float *);
template __global__ void not_hidden_bad<All>(float *const, const Maps);
