//===- tries.cu - Waits that may give up ----------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// try_wait and test_wait may return before the phase is complete. Where nobody
// asks for their result, they wait for nothing. PTX ISA, "mbarrier.try_wait".
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

__device__ bool tryWait(uint64_t *Barrier, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n.reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n}"
               : "=r"(Done)
               : "r"(addressOf(Barrier)), "r"(Parity)
               : "memory");
  return Done != 0;
}

__device__ void load(float *To, const float *From, uint64_t *Barrier) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
        addressOf(Barrier)));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::
                     "r"(addressOf(Barrier))
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
    // expect-note@-1: copy issued here
                 "bytes [%0], [%1], 512, [%2];" ::"r"(addressOf(To)),
                 "l"(From), "r"(addressOf(Barrier))
                 : "memory");
  }
}

#define KERNEL __global__ void __launch_bounds__(128)

KERNEL again_until_done(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, In, &Full);
  while (!tryWait(&Full, 0))
    __nanosleep(32);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL again_or_trap(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, In, &Full);
  bool Done = false;
  for (int I = 0; I < 1000 && !Done; ++I)
    Done = tryWait(&Full, 0);
  if (!Done)
    __trap();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// A look first, then the wait.
KERNEL peek(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, In, &Full);
  const bool IsThere = tryWait(&Full, 0);
  if (!IsThere)
    while (!tryWait(&Full, 0))
      ;
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL forgotten(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, In, &Full);
  // expect-note@-1: 'load' called here
  tryWait(&Full, 0);
  // expect-note@-1: this may return before the phase is complete, and nothing asks
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// In asm, and through two functions.
__device__ void tryIt(uint64_t *Barrier) {
  uint32_t Done;
  asm volatile("{\n.reg .pred p;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n"
               "selp.u32 %0, 1, 0, p;\n}"
               : "=r"(Done)
               : "r"(addressOf(Barrier))
               : "memory");
}
__device__ void justTry(uint64_t *Barrier) { tryIt(Barrier); }

KERNEL forgotten_inside(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, In, &Full);
  // expect-note@-1: 'load' called here
  justTry(&Full);
  // expect-note@-1: this may return before the phase is complete, and nothing asks
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL looped_inside(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full;
  load(Tile, In, &Full);
  asm volatile("{\n.reg .pred p;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
               "@!p bra again_%=;\n}" ::"r"(addressOf(&Full))
               : "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}
