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
// warps add them up.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Stages = 3, Rows = 8, Columns = 128, Warps = 4;

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

struct Place {
  int Slot = 0;
  uint32_t Phase = 0;
  __device__ void next() {
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
};

enum class Mistake {
  None,
  EarlyReturn, // the slot is given back before it is read
};

/// Begins holds where the rows of each item begin; the last one's end.
template <Mistake M>
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
  Place At;
  if (Warp == Warps) {
    for (int Item = blockIdx.x; Item < Items; Item += gridDim.x) {
    // expect-note@-1: in the 8th iteration of this loop
    // expect-note@-2: in the 9th iteration of this loop
      const int End = Begins[Item + 1];
      for (int Base = Begins[Item]; Base < End; Base += Rows) {
      // expect-note@-1: in the first iteration of this loop
      // expect-note@-2: loop skipped here
        const int Count = min(Rows, End - Base);
        waitParity(&Empty[At.Slot], At.Phase ^ 1);
        for (int R = 0; R < Count; ++R)
        // expect-note@-1: in the iteration of this loop with R = 0
          copyPiece(&Tile[At.Slot][R][Lane * 4],
          // expect-note@-1: a barrier belongs between the read in line +18 and this overwrite in a later iteration
          // expect-note@-2: thread 128 overwrites 'Tile[0][0][0]' here, read by thread 0
          // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
                    In + Index[Base + R] * Columns + Lane * 4);
        arriveBehindCopies(&Full[At.Slot]);
        At.next();
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
      waitParity(&Full[At.Slot], At.Phase);
      if (M == Mistake::EarlyReturn && Lane == 0)
        arrive(&Empty[At.Slot]);
      for (int R = 0; R < Count; ++R)
        Sum += Tile[At.Slot][R][threadIdx.x];
        // expect-note@-1: read here
      __syncwarp();
      if (M != Mistake::EarlyReturn && Lane == 0)
        arrive(&Empty[At.Slot]);
      At.next();
    }
    Out[Item * Columns + threadIdx.x] = Sum;
  }
}

#define KERNEL(Name, M)                                                        \
  __global__ void __launch_bounds__(32 * (Warps + 1))                          \
      Name(const float *In, const int *Index, float *Out, const int *Begins,   \
           int Items) {                                                        \
    rows<Mistake::M>(In, Index, Out, Begins, Items);                           \
  }

KERNEL(rows_ok, None)
KERNEL(early_return_bad, EarlyReturn)
// expect-note@-1: 'rows' called here
// expect-note@-2: with blockIdx.x = 0, Items = 64, gridDim.x = 1
