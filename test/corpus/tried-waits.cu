//===- tried-waits.cu - Waits that give up ---------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A try to wait may return before the phase is complete. Whoever then tries
// again, waits, leaves or stops has done what is needed; whoever goes on has
// not.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void loadBulk(void *To, const void *From, uint32_t Bytes,
                         uint64_t *B) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
  // expect-note@-1: copy issued here
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
__device__ bool tryWait(uint64_t *B, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n.reg .pred done;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
               "selp.u32 %0, 1, 0, done;\n}"
               : "=r"(Done)
               : "r"(toShared(B)), "r"(Parity)
               : "memory");
  return Done;
}
__device__ void waitParity(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra AGAIN_%=;\n}" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}

constexpr int Threads = 128;

__device__ void begin(uint64_t *Full, float *Tile, const float *In) {
  if (threadIdx.x == 0)
    initBarrier(Full, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    loadBulk(Tile, In, Threads * sizeof(float), Full);
    // expect-note@-1: 'loadBulk' called here
}

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(Threads) Name(const float *In, float *Out)

KERNEL(twice_bad) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  // expect-note@-1: 'begin' called here
  if (!tryWait(&Full, 0))
  // expect-note@-1: when this gives up before the phase is complete
    tryWait(&Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// Whoever comes here after a hundred tries reads what there is.
KERNEL(bounded_bad) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  // expect-note@-1: 'begin' called here
  for (int I = 0; I < 100; ++I)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with I = 0
    if (tryWait(&Full, 0))
    // expect-note@-1: when this gives up before the phase is complete
      break;
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL(bounded_by_condition_bad) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  // expect-note@-1: 'begin' called here
  int Tries = 0;
  while (!tryWait(&Full, 0) && Tries < 1000)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop that begins with Tries = 0
  // expect-note@-3: when this gives up before the phase is complete
    ++Tries;
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL(again_and_again_ok) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  while (!tryWait(&Full, 0))
    ;
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(variable_ok) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  bool Done = tryWait(&Full, 0);
  while (!Done)
    Done = tryWait(&Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// As pipelines hand a token from the try to the wait.
KERNEL(then_waits_ok) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  const bool Token = tryWait(&Full, 0);
  if (!Token)
    waitParity(&Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(stops_ok) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  for (int Tries = 0; !tryWait(&Full, 0); ++Tries)
    if (Tries == 1000000)
      __trap();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL(leaves_ok) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  bool Done = tryWait(&Full, 0);
  if (!Done)
    Done = tryWait(&Full, 0);
  if (!Done)
    return;
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// Something else is done as long as there is nothing to read.
KERNEL(meanwhile_ok) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin(&Full, Tile, In);
  float Sum = 0;
  for (bool Done = false; !Done;) {
    Done = tryWait(&Full, 0);
    if (Done)
      Sum += Tile[threadIdx.x];
    else
      Sum += 1;
  }
  Out[threadIdx.x] = Sum;
}
