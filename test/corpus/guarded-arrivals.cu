//===- guarded-arrivals.cu - Copies of some rows, arrivals for all --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which threads have a row to copy, nobody knows; that all arrive is known all
// the same. PTX ISA, "cp.async.mbarrier.arrive".
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_runtime.h>

constexpr int Rows = 32, Readers = 64;

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}
__device__ void prepare(uint64_t *B, int Arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(B)),
               "r"(Arrivals)
               : "memory");
}
__device__ void waitFor(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again_%=;\n}" ::"r"(addressOf(B)),
               "r"(Parity)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(addressOf(B))
               : "memory");
}
__device__ void copy(float4 *To, const float4 *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   addressOf(To)),
               "l"(From)
               : "memory");
}
__device__ void arriveWithCopies(uint64_t *B) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                   addressOf(B))
               : "memory");
}
/// Raises the count first: the arrival is one that nobody waits for.
__device__ void arriveBesides(uint64_t *B) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(
                   addressOf(B))
               : "memory");
}

#define KERNEL __global__ void __launch_bounds__(Readers + Rows)
#define GATHER(NAME, ARRIVALS, ARRIVE)                                         \
  KERNEL NAME(const float4 *In, const int *Which, float *Out, int Given,       \
              int Tiles) {                                                     \
    __shared__ float4 Slot[2][Rows];                                           \
    __shared__ uint64_t Full[2], Empty[2];                                     \
    const int T = threadIdx.x;                                                 \
    if (T < 2) {                                                               \
      prepare(&Full[T], ARRIVALS);                                             \
      prepare(&Empty[T], Readers);                                             \
    }                                                                          \
    __syncthreads();                                                           \
    if (T >= Readers) {                                                        \
      const int Row = T - Readers;                                             \
      const bool Exists = blockIdx.x * Rows + Row < Given;                     \
      for (int I = 0; I < Tiles; ++I) {                                        \
        waitFor(&Empty[I % 2], I / 2 & 1 ^ 1);                                 \
        if (Exists)                                                            \
          copy(&Slot[I % 2][Row], &In[Which[Row] + I]);                        \
        ARRIVE(&Full[I % 2]);                                                  \
      }                                                                        \
      return;                                                                  \
    }                                                                          \
    float Sum = 0;                                                             \
    for (int I = 0; I < Tiles; ++I) {                                          \
      waitFor(&Full[I % 2], I / 2 & 1);                                        \
      Sum += Slot[I % 2][T / 2].x;                                             \
      arrive(&Empty[I % 2]);                                                   \
    }                                                                          \
    Out[T] = Sum;                                                              \
  }

GATHER(all_arrive, Rows, arriveWithCopies)

GATHER(one_too_few, Rows + 1, arriveWithCopies)
// expect-note@-1: 'Empty' initialised here, a phase expects 64 arrivals
// expect-note@-2: 'Full' initialised here, a phase expects 33 arrivals
// expect-note@-3: arrived at 'Full' here
// expect-note@-4: as many must arrive in each phase as the initialisation says
// expect-note@-5: in the iteration of this loop with I = 0
// expect-note@-6: in the iteration of this loop with I = 2
// expect-note@-7: in the iteration of this loop with I = 5
// expect-note@-8: in the iteration of this loop with I = 6
// expect-note@-9: phase of 'Full' waited for here
// expect-note@-10: with Tiles = 3
// expect-note@-11: with Tiles = 7
// expect-warning@-12{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 64 arrivals came

GATHER(one_too_many, Rows - 1, arriveWithCopies)
// expect-note@-1: 'Full' initialised here, a phase expects 31 arrivals
// expect-note@-2: in the iteration of this loop with I = 0
// expect-note@-3: initialise the mbarrier with as many arrivals as come in a phase
// expect-note@-4: with Tiles = 1
// expect-warning@-5{cpasync-mismatched-phase}: 32 arrivals at once in a phase of 'Full' that waits for 31

GATHER(besides, Rows, arriveBesides)
// expect-note@-1: 'Empty' initialised here, a phase expects 64 arrivals
// expect-note@-2: as many must arrive in each phase as the initialisation says
// expect-note@-3: in the iteration of this loop with I = 0
// expect-note@-4: with Tiles = 3
// expect-warning@-5{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 64 arrivals came

// Only those arrive that have a row.
#define IF_IT_EXISTS(BARRIER)                                                  \
  if (Exists)                                                                  \
  arriveWithCopies(BARRIER)
GATHER(some_arrive, Rows, IF_IT_EXISTS)
// expect-note@-1: 'Empty' initialised here, a phase expects 64 arrivals
// expect-note@-2: as many must arrive in each phase as the initialisation says
// expect-note@-3: in the iteration of this loop with I = 0
// expect-note@-4: taken when this condition is false
// expect-note@-5: with Tiles = 3, blockIdx.x = 0, Given = 0
// expect-warning@-6{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 64 arrivals came
