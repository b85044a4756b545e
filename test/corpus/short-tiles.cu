//===- short-tiles.cu - Items of a list that end in any length ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An item has as many rows as a table says: whole tiles, and a shorter one at
// its end. A warp gathers the rows of a tile, each with a copy of its own; four
// warps add them up. The place in the ring is kept by itself, or hangs on how
// many tiles there have been in all items, which nothing else is asked of.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Columns = 128, Warps = 4;

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
__device__ void copyPiece(float *To, const float *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(toShared(To)),
               "l"(From)
               : "memory");
}
__device__ void arriveBehindCopies(uint64_t *B) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                   toShared(B))
               : "memory");
}

template <int Stages> struct Place {
  int Slot = 0;
  uint32_t Phase = 0;
  __device__ void next() {
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
};

/// Begins holds where the rows of each item begin; the last one's end.
/// GivesBackEarly: the slot, before it is read.
template <int Stages, int Rows, bool Counted, bool GivesBackEarly>
__device__ void rows(const float *In, const int *Index, float *Out,
                     const int *Begins, int Items) {
  __shared__ alignas(128) float Tile[Stages][Rows][Columns];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
      initBarrier(&Full[I], 32);
      initBarrier(&Empty[I], Warps);
    }
  __syncthreads();
  Place<Stages> At;
  int Tiles = 0;
  if (Warp == Warps) {
    for (int Item = blockIdx.x; Item < Items; Item += gridDim.x) {
    // expect-note@-1: in the 6th iteration of this loop
    // expect-note@-2: in the 7th iteration of this loop
      const int End = Begins[Item + 1];
      for (int Base = Begins[Item]; Base < End; Base += Rows) {
      // expect-note@-1: in the first iteration of this loop
      // expect-note@-2: loop skipped here
        const int Count = min(Rows, End - Base);
        const int Slot = Counted ? Tiles % Stages : At.Slot;
        waitParity(&Empty[Slot], (Counted ? Tiles / Stages & 1 : At.Phase) ^ 1);
        for (int R = 0; R < Count; ++R)
        // expect-note@-1: in the iteration of this loop with R = 0
          copyPiece(&Tile[Slot][R][Lane * 4],
          // expect-note@-1: a barrier belongs between the read in line +20 and this overwrite in a later iteration
          // expect-note@-2: thread 128 overwrites 'Tile[0][0][0]' here, read by thread 0
          // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
                    In + Index[Base + R] * Columns + Lane * 4);
        arriveBehindCopies(&Full[Slot]);
        At.next();
        ++Tiles;
      }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    return;
  }
  for (int Item = blockIdx.x; Item < Items; Item += gridDim.x) {
  // expect-note@-1: in the third iteration of this loop
    const int End = Begins[Item + 1];
    float Sum = 0;
    for (int Base = Begins[Item]; Base < End; Base += Rows) {
    // expect-note@-1: in the first iteration of this loop
      const int Count = min(Rows, End - Base);
      const int Slot = Counted ? Tiles % Stages : At.Slot;
      waitParity(&Full[Slot], Counted ? Tiles / Stages & 1 : At.Phase);
      if (GivesBackEarly && Lane == 0)
        arrive(&Empty[Slot]);
      for (int R = 0; R < Count; ++R)
        Sum += Tile[Slot][R][threadIdx.x];
        // expect-note@-1: read here
      __syncwarp();
      if (!GivesBackEarly && Lane == 0)
        arrive(&Empty[Slot]);
      At.next();
      ++Tiles;
    }
    Out[Item * Columns + threadIdx.x] = Sum;
  }
}

#define KERNEL(Name, ...)                                                      \
  __global__ void __launch_bounds__(32 * (Warps + 1))                          \
      Name(const float *In, const int *Index, float *Out, const int *Begins,   \
           int Items) {                                                        \
    rows<__VA_ARGS__>(In, Index, Out, Begins, Items);                          \
  }

KERNEL(rows_ok, 3, 8, false, false)
KERNEL(early_return_bad, 3, 8, false, true)
KERNEL(counted_ok, 2, 4, true, false)
KERNEL(counted_early_return_bad, 2, 4, true, true)
// expect-note@-1: 'rows' called here
// expect-note@-2: with blockIdx.x = 0, Items = 16, gridDim.x = 1
