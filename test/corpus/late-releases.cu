//===- late-releases.cu - Slots that are given back a round later ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of eight slots the consumers keep one or two: the producer is held up every
// seventh or sixth round, while the ring repeats after eight.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Stages = 8, Threads = 128;

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
  // expect-note@-1: copy issued here
  // expect-note@-2: thread 128 overwrites 'Slots[0]' here, read by thread 0
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}

struct Place {
  int Slot = 0;
  uint32_t Phase = 0;
  int Rounds = 0;
  __device__ void advance(int N) {
    Phase ^= (Slot + N) / Stages & 1;
    Slot = (Slot + N) % Stages;
  }
  __device__ void next() {
    ++Rounds;
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
};

/// \p Early: slots that are given back before they are read.
template <int Kept, int Early>
__device__ void ring(const float *In, float *Out, int *Last, int Tiles) {
  __shared__ alignas(128) float Slots[Stages][Threads];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
      initBarrier(&Full[I], 1);
      initBarrier(&Empty[I], Threads);
    }
  __syncthreads();
  if (threadIdx.x == Threads) {
    Place Fill;
    for (int Left = Tiles; Left > 0; --Left) {
    // expect-note@-1: in the iteration of this loop with Left = 1
      waitParity(&Empty[Fill.Slot], Fill.Phase ^ 1);
      loadBulk(Slots[Fill.Slot], In + Fill.Rounds * Threads, sizeof(Slots[0]),
      // expect-note@-1: 'loadBulk' called here
      // expect-note@-2: a barrier belongs between the read in line +14 and this call
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while other threads still read it
               &Full[Fill.Slot]);
      Fill.next();
    }
    *Last = Fill.Rounds;
  } else if (threadIdx.x < Threads) {
    Place Read, Release;
    float Sum = 0;
    for (int Left = Tiles; Left > 0; --Left) {
    // expect-note@-1: in the iteration of this loop with Left = 9
      waitParity(&Full[Read.Slot], Read.Phase);
      if (Read.Rounds >= Kept - Early) {
        arrive(&Empty[Release.Slot]);
        Release.next();
      }
      Sum += Slots[Read.Slot][threadIdx.x];
      // expect-note@-1: read here
      Read.next();
    }
    Out[threadIdx.x] = Sum;
  }
}

__global__ void __launch_bounds__(160)
    one_is_kept_ok(const float *In, float *Out, int *Last, int Tiles) {
  ring<1, 0>(In, Out, Last, Tiles);
}

__global__ void __launch_bounds__(160)
    two_are_kept_ok(const float *In, float *Out, int *Last, int Tiles) {
  ring<2, 0>(In, Out, Last, Tiles);
}

__global__ void __launch_bounds__(160)
    given_back_before_it_is_read_bad(const float *In, float *Out, int *Last,
    // expect-note@-1: with Tiles = 9
                                     int Tiles) {
  ring<1, 1>(In, Out, Last, Tiles);
  // expect-note@-1: 'ring' called here
}

// Where a drained ring goes on is a number of the path: its slots are counted
// round, too.
template <int Drained>
__device__ void drainedRing(const float *In, float *Out, int Tiles) {
  __shared__ alignas(128) float Slots[Stages][Threads];
  __shared__ uint64_t Full[Stages], Empty[Stages], Again;
  if (threadIdx.x == 0) {
    for (int I = 0; I < Stages; ++I) {
      initBarrier(&Full[I], 1);
      initBarrier(&Empty[I], Threads);
    }
    initBarrier(&Again, 1);
  }
  __syncthreads();
  if (threadIdx.x == Threads) {
    Place Fill, Drain;
    for (int Left = Tiles; Left > 0; --Left) {
      waitParity(&Empty[Fill.Slot], Fill.Phase ^ 1);
      loadBulk(Slots[Fill.Slot], In, sizeof(Slots[0]), &Full[Fill.Slot]);
      Fill.next();
    }
    Drain.advance(Tiles);
    for (int I = 0; I < Drained; ++I) {
      waitParity(&Empty[Drain.Slot], Drain.Phase ^ 1);
      Drain.next();
    }
    loadBulk(Slots[0], In, sizeof(Slots[0]), &Again);
    // expect-note@-1: 'loadBulk' called here
    waitParity(&Again, 0);
    // expect-note@-1: its thread waits for the copy here
    Out[Threads] = Slots[0][0];
    // expect-note@-1: a barrier belongs between the wait in line +5 and this read
    // expect-note@-2: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-3: thread 128 reads 'Slots[0][0]' here
    // expect-warning@-4{cpasync-unsynchronized-read}: 'Slots' may be read with no barrier after the wait for its copy
    // expect-warning@-5{cpasync-unwaited-read}: 'Slots' may be read before the asynchronous copy into it has completed
  } else if (threadIdx.x < Threads) {
    Place Read;
    float Sum = 0;
    for (int Left = Tiles; Left > 0; --Left) {
    // expect-note@-1: in the iteration of this loop with Left = 1
      waitParity(&Full[Read.Slot], Read.Phase);
      Sum += Slots[Read.Slot][threadIdx.x];
      // expect-note@-1: a barrier belongs between the wait in line -7 and this read
      // expect-note@-2: thread 0 reads 'Slots[0][0]' here, copied by thread 128
      // expect-warning@-3{cpasync-unsynchronized-read}: 'Slots' may be read with no barrier after the wait for its copy
      arrive(&Empty[Read.Slot]);
      Read.next();
    }
    Out[threadIdx.x] = Sum;
  }
}

__global__ void __launch_bounds__(160)
    all_are_drained_ok(const float *In, float *Out, int Tiles) {
  drainedRing<Stages>(In, Out, Tiles);
}

__global__ void __launch_bounds__(160)
    too_few_are_drained_bad(const float *In, float *Out, int Tiles) {
    // expect-note@-1: with Tiles = 1
    // expect-note@-2: with Tiles = 9
  drainedRing<Stages - 1>(In, Out, Tiles);
  // expect-note@-1: 'drainedRing' called here
}
