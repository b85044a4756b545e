//===- products.cu - Matrix products, and what comes with them ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90a

#include "interfaces.h"

struct Wgmma : Ptx {
  static __device__ uint64_t descriptor(const void *P) {
    return uint64_t((at(P) & 0x3FFFF) >> 4) | uint64_t(1) << 62;
  }
  static __device__ void multiply(float (&D)[4], const void *A, const void *B) {
    ASM("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
        : "l"(descriptor(A)), "l"(descriptor(B)));
  }
  static __device__ void begin() { ASM("wgmma.fence.sync.aligned;" ::); }
  static __device__ void commit() {
    ASM("wgmma.commit_group.sync.aligned;" ::);
  }
  template <int N> static __device__ void wait() {
    ASM("wgmma.wait_group.sync.aligned %0;" ::"n"(N));
  }
};

// Brings both operands, multiplies and brings the next.
#define MULTIPLIED(...)                                                        \
  __shared__ alignas(128) float Tile[4 * Threads];                             \
  __shared__ uint64_t Full;                                                    \
  float D[4] = {};                                                             \
  begin<Ptx>(Full, 1);                                                         \
  for (int Round = 0; Round < 2; ++Round) {                                    \
    if (threadIdx.x == 0) {                                                    \
      Ptx::arriveExpect(Full, 4 * Bytes);                                      \
      Ptx::load(Tile, In, 4 * Bytes, Full);                                    \
    }                                                                          \
    Ptx::waitParity(Full, Round);                                              \
    __VA_ARGS__;                                                               \
    __syncthreads();                                                           \
  }                                                                            \
  Wgmma::wait<0>();                                                            \
  Out[threadIdx.x] = D[0]

//--- wgmma.mma_async, operands in shared memory
// Limit: of an operand the 16 bytes at the address in its descriptor are followed;
// strides and swizzles are not.

BODY(multiply) {
  MULTIPLIED({
    Wgmma::begin();
    Wgmma::multiply(D, Tile, Tile + 2 * Threads);
    Wgmma::commit();
    if (Right)
      Wgmma::wait<0>();
  });
}
KERNELS(multiply)
PAIR(multiply, Wgmma)

BODY(multiplyEnd) {
  __shared__ alignas(128) float Tile[4 * Threads];
  __shared__ uint64_t Full;
  float D[4] = {};
  begin<Ptx>(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    Ptx::load(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  Wgmma::begin();
  Wgmma::multiply(D, Tile, Tile + 64);
  Wgmma::commit();
  Tile[Threads / 2 - 1] = 0;
  Wgmma::wait<0>();
  Out[threadIdx.x] = D[0];
}
KERNEL(multiplyEnd, missed, false)
USE(multiplyEnd_missed, Wgmma)

//--- wgmma.commit_group

BODY(commitProducts) {
  MULTIPLIED({
    Wgmma::begin();
    Wgmma::multiply(D, Tile, Tile + 2 * Threads);
    if (Right)
      Wgmma::commit();
    Wgmma::wait<0>();
  });
}
KERNELS(commitProducts)
PAIR(commitProducts, Wgmma)

//--- wgmma.wait_group
// Limit: results in registers that are read before the wait are not found.

BODY(waitProducts) {
  MULTIPLIED({
    Wgmma::begin();
    Wgmma::multiply(D, Tile, Tile + 2 * Threads);
    Wgmma::commit();
    Wgmma::wait<Right ? 0 : 1>();
  });
}
KERNELS(waitProducts)
PAIR(waitProducts, Wgmma)

BODY(readResult) {
  MULTIPLIED({
    Wgmma::begin();
    Wgmma::multiply(D, Tile, Tile + 2 * Threads);
    Wgmma::commit();
    Out[threadIdx.x] = D[0];
    Wgmma::wait<0>();
  });
}
KERNEL(readResult, missed, false)
USE(readResult_missed, Wgmma)

//--- wgmma.fence
// Limit: a fence that is missing is not found.

BODY(fenceProducts) {
  MULTIPLIED({
    if (Right)
      Wgmma::begin();
    Wgmma::multiply(D, Tile, Tile + 2 * Threads);
    Wgmma::commit();
    Wgmma::wait<0>();
  });
}
KERNEL(fenceProducts, ok, true)
KERNEL(fenceProducts, missed, false)
USE(fenceProducts_ok, Wgmma)
USE(fenceProducts_missed, Wgmma)

//--- elect.sync

BODY(elect) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin<Ptx>(Full, 1);
  uint32_t Elected;
  ASM("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
      : "=r"(Elected) :);
  if ((Right ? threadIdx.x / 32 == 0 : true) && Elected) {
    Ptx::arriveExpect(Full, Bytes);
    Ptx::load(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(elect)
PAIR(elect, Ptx)

//--- setmaxnreg
// Limit: how many registers a block has is not counted.

BODY(registers) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin<Ptx>(Full, Threads);
  ASM("setmaxnreg.dec.sync.aligned.u32 40;" ::);
  bring(Tile, In, Full);
  Ptx::arrive(Full);
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(registers, ok, true)
USE(registers_ok, Ptx)

//--- griddepcontrol
// Limit: what the grid before writes is not followed, so that a read before the wait is
// not found.

BODY(dependent) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin<Ptx>(Full, Threads);
  if (Right)
    ASM("griddepcontrol.wait;" ::);
  bring(Tile, In, Full);
  Ptx::arrive(Full);
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  if (!Right)
    ASM("griddepcontrol.wait;" ::);
  ASM("griddepcontrol.launch_dependents;" ::);
}
KERNEL(dependent, ok, true)
KERNEL(dependent, missed, false)
USE(dependent_ok, Ptx)
USE(dependent_missed, Ptx)
