//===- bulk-loads.cu - Bulk copies that complete on mbarriers --*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk from global to shared memory: single tiles, rings, roles,
// persistent loops. What is read before its phase, and slots that are refilled
// too early.
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
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ bool tryWait(uint64_t *B, uint32_t Parity) {
  uint32_t Done;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}\n"
               : "=r"(Done)
               : "r"(toShared(B)), "r"(Parity)
               : "memory");
  return Done;
}
__device__ void wait(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n"
               ".reg .pred P;\n"
               "AGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1;\n"
               "@P bra DONE;\n"
               "bra AGAIN;\n"
               "DONE:\n"
               "}\n" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}

#define KERNEL __global__ void __launch_bounds__(160)

enum Mistake { None, NoWait, OldParity, EveryRound, NoBarrier, NoRelease };

template <Mistake M> __device__ void single(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, In + blockIdx.x * 1024, sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
  }
  if (M == NoWait)
    __syncthreads();
  else
    while (!tryWait(&Full, M == OldParity))
      ;
  for (int I = threadIdx.x; I < 1024; I += 160)
    Out[blockIdx.x * 1024 + I] = Tile[I];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
KERNEL single_ok(const float *In, float *Out) { single<None>(In, Out); }
KERNEL single_no_wait_bad(const float *In, float *Out) {
  single<NoWait>(In, Out);
  // expect-note@-1: 'single' called here
}
KERNEL single_parity_bad(const float *In, float *Out) {
  single<OldParity>(In, Out);
}

template <int Stages, Mistake M>
__device__ void ring(const float *In, float *Out, int Tiles) {
  __shared__ alignas(128) float Slot[Stages][1024];
  __shared__ uint64_t Full[Stages];
  auto Fill = [&](int T) {
    arriveAndExpect(&Full[T % Stages], 4096);
    load(Slot[T % Stages], In + T * 1024, 4096, &Full[T % Stages]);
    // expect-note@-1: copy issued here
    // expect-note@-2: thread 0 overwrites 'Slot[0][32]' here, read by thread 32
  };
  if (threadIdx.x == 0)
    for (int S = 0; S < Stages; ++S)
      initBarrier(&Full[S], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int T = 0; T < Stages && T < Tiles; ++T)
    // expect-note@-1: in the iteration of this loop with T = 1
    // expect-note@-2: loop run for 2 iterations
      Fill(T);
      // expect-note@-1: 'Fill' called here
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    wait(&Full[T % Stages], (M == EveryRound ? T : T / Stages) & 1);
    // expect-note@-1: wait may return at once: parity 1 is that of the phase before
    for (int I = threadIdx.x; I < 1024; I += 160)
      Sum += Slot[T % Stages][I];
      // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
      // expect-note@-2: read here
      // expect-note@-3: thread 0 reads 'Slot[1][0]' here
      // expect-warning@-4{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
    if (M != NoBarrier)
      __syncthreads();
    if (threadIdx.x == 0 && T + Stages < Tiles)
    // expect-note@-1: taken when this condition is true
      Fill(T + Stages);
      // expect-note@-1: 'Fill' called here
      // expect-note@-2: a barrier belongs between the read in line -4 and this call
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' may be overwritten while other threads still read it
  }
  Out[threadIdx.x] = Sum;
}
KERNEL ring_ok(const float *In, float *Out, int Tiles) {
  ring<3, None>(In, Out, Tiles);
}
KERNEL ring_parity_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  ring<3, EveryRound>(In, Out, Tiles);
  // expect-note@-1: 'ring' called here
}
KERNEL ring_no_barrier_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 4
  ring<3, NoBarrier>(In, Out, Tiles);
  // expect-note@-1: 'ring' called here
}

// A producer warp, four that consume; the tiles of a persistent block.
template <int Stages, Mistake M>
__device__ void roles(const float *In, float *Out, int Tiles) {
  __shared__ alignas(128) float Slot[Stages][1024];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  if (threadIdx.x == 0)
    for (int S = 0; S < Stages; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 4);
    }
  __syncthreads();
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  int S = 0;
  uint32_t Phase = 0;
  auto Next = [&] {
    if (++S == Stages) {
      S = 0;
      Phase ^= 1;
    }
  };
  if (Warp == 4) {
    if (Lane == 0)
      for (int T = blockIdx.x; T < Tiles; T += gridDim.x, Next()) {
      // expect-note@-1: in the 5th iteration of this loop
      // expect-note@-2: in the first iteration of this loop
      // expect-note@-3: loop run for 5 iterations
      // expect-skipped@-4: loop does not settle within 64 iterations
        if (M != NoRelease)
          wait(&Empty[S], Phase ^ 1);
        arriveAndExpect(&Full[S], 4096);
        load(Slot[S], In + T * 1024, 4096, &Full[S]);
        // expect-note@-1: a wait for the copy belongs before this overwrite
        // expect-note@-2: copy issued here
        // expect-note@-3: thread 128 overwrites 'Slot[0]' here, copied by thread 128
        // expect-warning@-4{cpasync-in-flight-overwrite}: 'Slot' may be overwritten while a copy into it is in flight
      }
  } else {
    for (int T = blockIdx.x; T < Tiles; T += gridDim.x, Next()) {
    // expect-note@-1: in the first iteration of this loop
      wait(&Full[S], Phase);
      float Sum = 0;
      for (int I = threadIdx.x; I < 1024; I += 128)
        Sum += Slot[S][I];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: thread 0 reads 'Slot[0][0]' here, copied by thread 128
        // expect-skipped@-3: a clash here was found more than 100 times; another cause of it may be missing
        // expect-warning@-4{cpasync-unwaited-read}: 'Slot' may be read before the asynchronous copy into it has completed
      __syncwarp();
      if (Lane == 0)
        arrive(&Empty[S]);
      Out[T * 128 + threadIdx.x] = Sum;
    }
  }
}
KERNEL roles_ok(const float *In, float *Out, int Tiles) {
  roles<4, None>(In, Out, Tiles);
}
KERNEL roles_no_release_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with blockIdx.x = 0, Tiles = 5, gridDim.x = 1
  roles<4, NoRelease>(In, Out, Tiles);
  // expect-note@-1: 'roles' called here
}

// Slots are released before they are read.
KERNEL early_release_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: with Tiles = 3
  __shared__ alignas(128) float Slot[2][1024];
  __shared__ uint64_t Full[2], Empty[2];
  if (threadIdx.x < 2) {
    initBarrier(&Full[threadIdx.x], 1);
    initBarrier(&Empty[threadIdx.x], 128);
  }
  __syncthreads();
  if (threadIdx.x == 128)
    for (int T = 0; T < Tiles; ++T) {
    // expect-note@-1: in the iteration of this loop with T = 2
      wait(&Empty[T % 2], (T / 2 & 1) ^ 1);
      arriveAndExpect(&Full[T % 2], 4096);
      load(Slot[T % 2], In + T * 1024, 4096, &Full[T % 2]);
      // expect-note@-1: a barrier belongs between the read in line +8 and this overwrite
      // expect-note@-2: thread 128 overwrites 'Slot[0]' here, read by thread 0
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' may be overwritten while other threads still read it
    }
  if (threadIdx.x < 128)
    for (int T = 0; T < Tiles; ++T) {
    // expect-note@-1: in the iteration of this loop with T = 0
      wait(&Full[T % 2], T / 2 & 1);
      arrive(&Empty[T % 2]);
      float Sum = 0;
      for (int I = threadIdx.x; I < 1024; I += 128)
        Sum += Slot[T % 2][I];
        // expect-note@-1: read here
      Out[T * 128 + threadIdx.x] = Sum;
    }
}

// No lane is elected: all of a warp announce and copy.
KERNEL all_lanes_bad(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  if (threadIdx.x < 32) {
    arriveAndExpect(&Full, sizeof(Tile));
    // expect-note@-1: initialise the mbarrier with as many arrivals as come in a phase
    // expect-warning@-2{cpasync-mismatched-phase}: 32 arrivals at once in a phase of 'Full' that waits for 1
    load(Tile, In, sizeof(Tile), &Full);
  }
  wait(&Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

__device__ void loadTile(void *To, const void *Map, int T, uint64_t *B) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
      "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(toShared(To)),
      "l"(Map), "r"(T), "r"(0), "r"(toShared(B))
      : "memory");
}

// Tiles of tensors: their bytes are those that were announced.
KERNEL tensor_ok(const __grid_constant__ int MapA,
                 const __grid_constant__ int MapB, float *Out, int Tiles) {
  __shared__ alignas(128) float A[2][1024], B[2][512];
  __shared__ uint64_t Full[2];
  auto Fill = [&](int T) {
    arriveAndExpect(&Full[T % 2], 6144);
    loadTile(A[T % 2], &MapA, T, &Full[T % 2]);
    loadTile(B[T % 2], &MapB, T, &Full[T % 2]);
  };
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S)
      initBarrier(&Full[S], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    Fill(0);
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
    if (threadIdx.x == 0 && T + 1 < Tiles)
      Fill(T + 1);
    wait(&Full[T % 2], T / 2 & 1);
    for (int I = threadIdx.x; I < 512; I += 160)
      Sum += A[T % 2][I] * B[T % 2][I];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

// The first warp waits. That the second has issued the copy tells it nothing.
KERNEL issuer_reads_bad(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 32) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, In, sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
  }
  if (threadIdx.x < 32)
    wait(&Full, 0);
    // expect-note@-1: its thread waits for the copy here
  if (threadIdx.x < 64)
    Out[threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: a barrier belongs between the wait in line -2 and this read
    // expect-note@-2: thread 32 reads 'Tile[32]' here
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}
KERNEL issuer_reads_behind_barrier_ok(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 32) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, In, sizeof(Tile), &Full);
  }
  if (threadIdx.x < 32)
    wait(&Full, 0);
  __syncthreads();
  if (threadIdx.x < 64)
    Out[threadIdx.x] = Tile[threadIdx.x];
}

// Who has seen the phase complete that he arrived in waits for the next one.
KERNEL waits_twice_bad(const float *In, float *Out) {
  __shared__ alignas(128) float Tile[1024];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    // expect-note@-1: bytes of the phase announced here
    load(Tile, In, sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
    wait(&Full, 0);
    wait(&Full, 1);
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here never completes: 0 of 1 arrival came
  }
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// How many tiles there are says the host twice: that both say the same is its
// affair. A role that waits for rounds which the other does not have goes on by
// a guess, and what follows from that is none of its mistakes.
KERNEL counted_twice_ok(const float *In, float *Out, int Loads, int Reads) {
  __shared__ alignas(128) float Tile[2][1024];
  __shared__ uint64_t Full[2], Empty[2];
  if (threadIdx.x == 0)
    for (int S = 0; S < 2; ++S) {
      initBarrier(&Full[S], 1);
      initBarrier(&Empty[S], 128);
    }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int T = 0; T < Loads; ++T) {
        wait(&Empty[T % 2], (T / 2 & 1) ^ 1);
        arriveAndExpect(&Full[T % 2], 4096);
        load(Tile[T % 2], In + T * 1024, 4096, &Full[T % 2]);
      }
    return;
  }
  float Sum = 0;
  for (int T = 0; T < Reads; ++T) {
    wait(&Full[T % 2], T / 2 & 1);
    Sum += Tile[T % 2][threadIdx.x];
    arrive(&Empty[T % 2]);
  }
  Out[threadIdx.x] = Sum;
}
