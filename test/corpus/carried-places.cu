//===- carried-places.cu - Rings that go on with the next job -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ring goes on where the job before has left it: by as many slots as that had
// tiles, which is a number of the caller's.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Stages = 2, Threads = 128;

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void waitParity(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra AGAIN_%=;\n}" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}
__device__ void loadBulk(void *To, const void *From, uint32_t Bytes,
                         uint64_t *B) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
  // expect-note@-1: a barrier belongs between the read in line +56 and this overwrite
  // expect-note@-2: copy issued here
  // expect-note@-3: thread 128 overwrites 'Slots[0]' here, read by thread 0
  // expect-warning@-4{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while other threads still read it
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}

struct Place {
  int Slot = 0;
  uint32_t Phase = 0, Rounds = 0;
  __device__ void next() {
    ++Rounds;
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
  __device__ void advance(uint32_t N) {
    if (N < Stages && Slot + N >= Stages)
      Phase ^= 1;
    if (N >= Stages && (Slot + N) / Stages % 2 == 1)
      Phase ^= 1;
    Slot = (Slot + N) % Stages;
    Rounds += N;
  }
};

template <bool Carries>
__device__ void jobs(const float *In, float *Out, int Length, int Jobs) {
  __shared__ alignas(128) float Slots[Stages][Threads];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
    // expect-note@-1: in the iteration of this loop with I = 1
      initBarrier(&Full[I], 1);
      initBarrier(&Empty[I], Threads);
      // expect-note@-1: 'Empty' initialised here, a phase expects 128 arrivals
    }
  __syncthreads();
  const int Tiles = (Length + Threads - 1) / Threads;
  if (threadIdx.x == Threads) {
    Place Begin;
    for (int Job = blockIdx.x; Job < Jobs; Job += gridDim.x) {
    // expect-note@-1: in the second iteration of this loop
    // expect-note@-2: in the third iteration of this loop
      Place Fill = Begin;
      for (int Left = Tiles; Left > 0; --Left) {
      // expect-note@-1: in the iteration of this loop with Left = 1
      // expect-note@-2: in the iteration of this loop with Left = 3
        waitParity(&Empty[Fill.Slot], Fill.Phase ^ 1);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 128 arrivals came
        loadBulk(Slots[Fill.Slot], In + Job * Length, sizeof(Slots[0]),
        // expect-note@-1: 'loadBulk' called here
                 &Full[Fill.Slot]);
        Fill.next();
      }
      Begin.advance(Tiles);
    }
  } else if (threadIdx.x < Threads) {
    Place Begin;
    for (int Job = blockIdx.x; Job < Jobs; Job += gridDim.x) {
    // expect-note@-1: in the second iteration of this loop
    // expect-note@-2: in the third iteration of this loop
      Place Read = Begin;
      float Sum = 0;
      for (int Left = Tiles; Left > 0; --Left) {
      // expect-note@-1: in the iteration of this loop with Left = 1
      // expect-note@-2: in the iteration of this loop with Left = 2
        waitParity(&Full[Read.Slot], Read.Phase);
        Sum += Slots[Read.Slot][threadIdx.x];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: read here
        // expect-note@-3: thread 0 reads 'Slots[1][0]' here, copied by thread 128
        // expect-warning@-4{cpasync-unwaited-read}: 'Slots' may be read before the asynchronous copy into it has completed
        arrive(&Empty[Read.Slot]);
        // expect-note@-1: arrived at 'Empty' here
        Read.next();
      }
      Out[Job * Threads + threadIdx.x] = Sum;
      if (Carries)
        Begin.advance(Tiles);
    }
  }
}

__global__ void __launch_bounds__(160)
    carried_ok(const float *In, float *Out, int Length, int Jobs) {
  jobs<true>(In, Out, Length, Jobs);
}

__global__ void __launch_bounds__(160)
    begun_anew_bad(const float *In, float *Out, int Length, int Jobs) {
    // expect-note@-1: with blockIdx.x = 0, Jobs = 2, Length = 129, gridDim.x = 1
    // expect-note@-2: with blockIdx.x = 0, Jobs = 2, Length = 257, gridDim.x = 1
    // expect-note@-3: with blockIdx.x = 0, Jobs = 3, Length = 1, gridDim.x = 1
  jobs<false>(In, Out, Length, Jobs);
  // expect-note@-1: 'jobs' called here
}
