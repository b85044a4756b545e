//===- role-conditions.cu - Roles with conditions that are not known ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A role goes on in what it holds itself behind a condition that is not known.
// And what it takes a kernel to be launched for less than nothing for is no
// finding.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Stages = 3;

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
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
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: copy issued here
  // expect-note@-3: thread 128 overwrites 'Slots[0]' here, copied by thread 128
  // expect-note@-4: thread 128 overwrites 'Slots[0]' here, read by thread 0
  // expect-warning@-5{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while a copy into it is in flight
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}

template <bool IsWrong>
__device__ void columns(const float *In, float *Out, const int *Wanted,
                        int Tiles) {
  constexpr int Columns = 128;
  __shared__ alignas(128) float Slots[Stages][Columns];
  __shared__ alignas(8) uint64_t Full[Stages], Empty[Stages];
  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                       toShared(&Full[S])),
                   "r"(1)
                   : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                       toShared(&Empty[S])),
                   "r"(Columns)
                   : "memory");
    }
  }
  __syncthreads();
  if (threadIdx.x >= Columns) {
    if (threadIdx.x == Columns) {
      int Slot = 0;
      uint32_t Phase = 1;
      for (int T = 0; T < Tiles; ++T) {
      // expect-note@-1: in the iteration of this loop with T = 0
      // expect-note@-2: in the iteration of this loop with T = 3
      // expect-note@-3: in the iteration of this loop with T = 6
      // expect-note@-4: loop run for 1 iteration
        waitParity(&Empty[Slot], Phase);
        load(Slots[Slot], In + T * Columns, sizeof(Slots[0]), &Full[Slot]);
        // expect-note@-1: 'load' called here
        // expect-note@-2: a barrier belongs between the read in line +16 and this call
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while other threads still read it
        if (++Slot == Stages) {
          Slot = 0;
          Phase ^= 1;
        }
      }
    }
    return;
  }
  float Sum = 0;
  int Slot = 0;
  uint32_t Phase = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 3
  // expect-note@-3: loop run for 4 iterations
    if (!IsWrong)
      waitParity(&Full[Slot], Phase);
    if (Wanted[T])
      Sum += Slots[Slot][threadIdx.x];
      // expect-note@-1: a wait for the copy and a barrier belong before this read
      // expect-note@-2: read here
      // expect-note@-3: thread 0 reads 'Slots[0][0]' here, copied by thread 128
      // expect-warning@-4{cpasync-unwaited-read}: 'Slots' may be read before the asynchronous copy into it has completed
    arrive(&Empty[Slot]);
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
  Out[threadIdx.x] = Sum;
}
__global__ __launch_bounds__(160) void role_ok(const float *In, float *Out,
                                               const int *Wanted, int Tiles) {
  columns<false>(In, Out, Wanted, Tiles);
}
__global__ __launch_bounds__(160) void role_bad(const float *In, float *Out,
// expect-note@-1: with Tiles = 1, Wanted[T] = 1
// expect-note@-2: with Tiles = 10
// expect-note@-3: with Tiles = 4, Wanted[T] = 1
                                                const int *Wanted, int Tiles) {
  columns<true>(In, Out, Wanted, Tiles);
  // expect-note@-1: 'columns' called here
}

// No kernel is launched for less than no planes.
__global__ __launch_bounds__(128) void planes_ok(const float *In, float *Out,
                                                 int Inner) {
  constexpr int Plane = 128;
  __shared__ alignas(128) float Slots[2][Plane];
  __shared__ alignas(8) uint64_t Full[2];
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                       toShared(&Full[S])),
                   "r"(1)
                   : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    for (int P = 0; P < 2 && P < Inner + 2; ++P)
      load(Slots[P], In + P * Plane, sizeof(Slots[0]), &Full[P]);
  waitParity(&Full[0], 0);
  waitParity(&Full[1], 0);
  Out[threadIdx.x] = Slots[0][threadIdx.x] + Slots[1][threadIdx.x];
}

// Nor are blocks behind the last that has planes.
__global__ __launch_bounds__(128) void share_ok(const float *In, float *Out,
                                                int Planes) {
  constexpr int Plane = 128, Share = 64;
  __shared__ alignas(128) float Slots[2][Plane];
  __shared__ alignas(8) uint64_t Full[2];
  const int First = int(blockIdx.x) * Share;
  const int Left = Planes - First < Share ? Planes - First : Share;
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                       toShared(&Full[S])),
                   "r"(1)
                   : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    for (int P = 0; P < 2 && P < Left + 2; ++P)
      load(Slots[P], In + (First + P) * Plane, sizeof(Slots[0]), &Full[P]);
  waitParity(&Full[0], 0);
  waitParity(&Full[1], 0);
  Out[threadIdx.x] = Slots[0][threadIdx.x] + Slots[1][threadIdx.x];
}
// One plane may be all.
__global__ __launch_bounds__(128) void share_bad(const float *In, float *Out,
// expect-note@-1: with Planes = 1, blockIdx.x = 0
                                                 int Planes) {
  constexpr int Plane = 128, Share = 64;
  __shared__ alignas(128) float Slots[2][Plane];
  __shared__ alignas(8) uint64_t Full[2];
  const int First = int(blockIdx.x) * Share;
  const int Left = Planes - First < Share ? Planes - First : Share;
  // expect-note@-1: taken when this condition is true
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S)
    // expect-note@-1: in the iteration of this loop with S = 1
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
      // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
                       toShared(&Full[S])),
                   "r"(1)
                   : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    for (int P = 0; P < 2 && P < Left; ++P)
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the iteration of this loop with P = 0
      load(Slots[P], In + (First + P) * Plane, sizeof(Slots[0]), &Full[P]);
  waitParity(&Full[0], 0);
  waitParity(&Full[1], 0);
  // expect-note@-1: as many must arrive in each phase as the initialisation says
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 0 of 1 arrival came
  Out[threadIdx.x] = Slots[0][threadIdx.x] + Slots[1][threadIdx.x];
}
