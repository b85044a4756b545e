//===- whole-tiles.cu - Whole tiles, and what is left for the last one ----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The length of a tile is the smaller of a constant and of what is left: before
// it is used, the path decides which. With whole tiles a loop repeats; after the
// rest there is no tile.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Tile = 1024;
constexpr int Stages = 3;
constexpr int Readers = 128;

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void init(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void expect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
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
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}

enum Mistake { None, NoWaitForEmpty, WholeTileAnnounced, HalfOfIt };

// A producer and its readers go through the tiles of their block.
template <Mistake Has>
__device__ void ring(const float *In, float *Out, int Length) {
  __shared__ alignas(128) float Slots[Stages][Tile];
  __shared__ alignas(8) uint64_t Full[Stages], Empty[Stages];
  if (threadIdx.x == 0)
    for (int S = 0; S < Stages; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 2
      init(&Full[S], 1);
      // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
      init(&Empty[S], Readers / 32);
    }
  __syncthreads();
  const int Tiles = (Length + Tile - 1) / Tile;
  int Slot = 0;
  uint32_t Phase = 0;
  if (threadIdx.x >= Readers) {
    if (threadIdx.x == Readers)
      for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
      // expect-note@-1: in the 4th iteration of this loop
      // expect-note@-2: in the first iteration of this loop
        if (Has != NoWaitForEmpty)
          waitParity(&Empty[Slot], Phase ^ 1);
        const uint32_t Bytes = min(Tile, Length - T * Tile) * 4;
        expect(&Full[Slot], Has == WholeTileAnnounced ? Tile * 4 : Bytes);
        // expect-note@-1: bytes of the phase announced here
        load(Slots[Slot], In + T * Tile, Bytes, &Full[Slot]);
        // expect-note@-1: a wait for the copy belongs before this overwrite
        // expect-note@-2: copy issued here
        // expect-note@-3: taken when this condition is true
        // expect-note@-4: thread 128 overwrites 'Slots[0][0]' here, copied by thread 128
        // expect-warning@-5{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while a copy into it is in flight
        if (++Slot == Stages) {
          Slot = 0;
          Phase ^= 1;
        }
      }
  } else {
    float Sum = 0;
    for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
    // expect-note@-1: in the first iteration of this loop
      const int Count = min(Tile, Length - T * Tile);
      waitParity(&Full[Slot], Phase);
      // expect-note@-1: announce as many bytes as are copied in each phase
      // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: at least 4 bytes more announced than copied
      for (int I = threadIdx.x; I < Count; I += Readers)
      // expect-skipped@-1: step budget of 250000 exceeded
        Sum += Slots[Slot][I];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: thread 0 reads 'Slots[0][0]' here, copied by thread 128
        // expect-skipped@-3: a clash here was found more than 100 times; another cause of it may be missing
        // expect-warning@-4{cpasync-unwaited-read}: 'Slots' may be read before the asynchronous copy into it has completed
      __syncwarp();
      if (threadIdx.x % 32 == 0)
        arrive(&Empty[Slot]);
      if (++Slot == Stages) {
        Slot = 0;
        Phase ^= 1;
      }
    }
    Out[blockIdx.x * Readers + threadIdx.x] = Sum;
  }
}

__global__ void __launch_bounds__(Readers + 32)
    ring_ok(const float *In, float *Out, int Length) {
  ring<None>(In, Out, Length);
}
__global__ void __launch_bounds__(Readers + 32)
    ring_not_emptied(const float *In, float *Out, int Length) {
    // expect-note@-1: with blockIdx.x = 0, Length = 3073, gridDim.x = 1
  ring<NoWaitForEmpty>(In, Out, Length);
  // expect-note@-1: 'ring' called here
}
__global__ void __launch_bounds__(Readers + 32)
    ring_announced(const float *In, float *Out, int Length) {
    // expect-note@-1: with blockIdx.x = 0, Length = 1
  ring<WholeTileAnnounced>(In, Out, Length);
  // expect-note@-1: 'ring' called here
}

// Two slots for the pieces of a row, whose length is in memory.
template <Mistake Has>
__device__ void pieces(const float *In, const int *Begins, float *Out) {
  constexpr int Piece = 256;
  __shared__ alignas(128) float Slots[2][Piece];
  __shared__ alignas(8) uint64_t Full[2];
  const int Begin = Begins[blockIdx.x], End = Begins[blockIdx.x + 1];
  if (Begin == End)
    return;
  if (threadIdx.x == 0) {
    init(&Full[0], 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
    init(&Full[1], 1);
  }
  __syncthreads();
  const int Count = (End - Begin + Piece - 1) / Piece;
  auto Fetch = [&](int C) {
    const int Length = min(Piece, End - Begin - C * Piece);
    const uint32_t Bytes = (Length * 4 + 15) & ~15;
    expect(&Full[C & 1], Has == HalfOfIt ? Bytes / 2 : Bytes);
    // expect-note@-1: bytes of the phase announced here
    // expect-note@-2: taken when this condition is false
    load(Slots[C & 1], In + C * Piece, Bytes, &Full[C & 1]);
    // expect-note@-1: copy issued here
  };
  if (threadIdx.x == 0)
    Fetch(0);
    // expect-note@-1: 'Fetch' called here
  float Sum = 0;
  for (int C = 0; C < Count; ++C) {
  // expect-note@-1: in the iteration of this loop with C = 0
    if (threadIdx.x == 0 && C + 1 < Count)
    // expect-note@-1: taken when this condition is false
      Fetch(C + 1);
    waitParity(&Full[C & 1], C >> 1 & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 512 bytes more copied than announced
    const int Length = min(Piece, End - Begin - C * Piece);
    for (int I = threadIdx.x; I < Length; I += 128)
      Sum += Slots[C & 1][I];
    __syncthreads();
  }
  Out[blockIdx.x * 128 + threadIdx.x] = Sum;
}

__global__ void __launch_bounds__(128)
    pieces_ok(const float *In, const int *Begins, float *Out) {
  pieces<None>(In, Begins, Out);
}
__global__ void __launch_bounds__(128)
    pieces_announced(const float *In, const int *Begins, float *Out) {
    // expect-note@-1: with Begins[blockIdx.x] = 0, Begins[blockIdx.x + 1] = 1
  pieces<HalfOfIt>(In, Begins, Out);
  // expect-note@-1: 'pieces' called here
}

// Results go out in bulk, from one of two places: the rest is shorter.
template <bool WaitsForBoth>
__device__ void scaled(const float *In, float *Out, int Length) {
  __shared__ alignas(128) float Results[2][Tile];
  const int Tiles = (Length + Tile - 1) / Tile;
  int Round = 0;
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x, ++Round) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: in the third iteration of this loop
    const int Count = min(Tile, Length - T * Tile);
    float *To = Results[Round & 1];
    if (threadIdx.x == 0) {
      if (WaitsForBoth)
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      else
        asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
        // expect-note@-1: leave fewer than 2 groups of bulk copies in flight here
        // expect-note@-2: wait leaves 2 groups of bulk copies in flight
    }
    __syncthreads();
    for (int I = threadIdx.x; I < Count; I += 128)
      To[I] = In[T * Tile + I] * 2;
      // expect-note@-1: thread 0 overwrites 'Results[0][0]' here, copied in bulk by thread 0
      // expect-warning@-2{cpasync-in-flight-overwrite}: 'Results' may be overwritten while a bulk copy still reads it
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
      // expect-note@-1: copy issued here
                   "%2;" ::"l"(Out + T * Tile),
                   "r"(toShared(To)), "r"(Count * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void __launch_bounds__(128)
    scaled_ok(const float *In, float *Out, int Length) {
  scaled<true>(In, Out, Length);
}
__global__ void __launch_bounds__(128)
    scaled_bad(const float *In, float *Out, int Length) {
    // expect-note@-1: with blockIdx.x = 0, Length = 2049, gridDim.x = 1
  scaled<false>(In, Out, Length);
  // expect-note@-1: 'scaled' called here
}

// How far the copy reads is not known: the store may lie among it.
__global__ void __launch_bounds__(128)
    stored_behind(const float *In, float *Out, int Length) {
  __shared__ alignas(128) float Results[Tile];
  const int Count = min(Tile, Length);
  if (threadIdx.x < Count)
    Results[threadIdx.x] = In[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                 "%2;" ::"l"(Out),
                 "r"(toShared(Results)), "r"(Count * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (Length < Tile)
      Results[8] = 0;
      // expect-skipped@-1: address of a write to 'Results' is not known while a bulk copy reads it
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// What was decided of the length in vectors holds for whichever it is.
__global__ void __launch_bounds__(128)
    vectors_ok(const float *In, float *Out, int Length) {
  __shared__ alignas(128) float Slot[Tile];
  __shared__ alignas(8) uint64_t Full;
  const int Begin = blockIdx.x * Tile;
  if (Begin >= Length)
    return;
  const int Count = min(Tile, Length - Begin), InVectors = Count & ~3;
  if (threadIdx.x == 0)
    init(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    if (InVectors > 0)
      load(Slot, In + Begin, InVectors * 4, &Full);
    expect(&Full, InVectors * 4);
  }
  waitParity(&Full, 0);
  for (int I = threadIdx.x; I < Count; I += 128)
    Out[Begin + I] = I < InVectors ? Slot[I] : In[Begin + I];
}

// Nobody launches it so: less than nothing is copied.
__global__ void __launch_bounds__(128)
    less_than_nothing(const float *In, float *Out, int Length) {
  __shared__ alignas(128) float Slot[Tile];
  __shared__ alignas(8) uint64_t Full;
  if (Length != -1)
    return;
  if (threadIdx.x == 0)
    init(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&Full, Length * 16);
    load(Slot, In, Length * 16, &Full);
  }
  waitParity(&Full, 0);
  // expect-skipped@-1: finding left out: only negative or huge numbers lead there, by line 291
  Out[threadIdx.x] = Slot[threadIdx.x];
}
