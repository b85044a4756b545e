//===- item-lists.cu - Roles that read one list, each for itself ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many tiles an item has is a number in global memory. A producer and its
// consumers look it up, each in its own time, and go round one ring with what
// they found: an item may have no tile, or more than the ring has slots.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Stages = 3, Threads = 128;

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
// expect-skipped@-1: path budget of 4096 exceeded
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
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
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
  OneMore,    // consumers take a tile more than an item has
  BegunAnew,  // they begin each item where the ring begins
  KeepsLast,  // they do not give the last tile of an item back
  LeavesItem, // they leave the last item to nobody
};

/// Begins holds where the tiles of each item begin; the last one's end.
template <Mistake M>
__device__ void items(const float *In, float *Out, const int *Begins,
                      int Items) {
  __shared__ alignas(128) float Slots[Stages][Threads];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the iteration of this loop with I = 2
      initBarrier(&Full[I], 1);
      // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
      initBarrier(&Empty[I], Threads);
      // expect-note@-1: 'Empty' initialised here, a phase expects 128 arrivals
    }
  __syncthreads();
  if (threadIdx.x == Threads) {
    Place Fill;
    for (int Item = blockIdx.x; Item < Items; Item += gridDim.x) {
    // expect-note@-1: in the 9th iteration of this loop
    // expect-note@-2: in the first iteration of this loop
    // expect-note@-3: loop run for 3 iterations
    // expect-note@-4: loop run for 9 iterations
      const int Tiles = Begins[Item + 1] - Begins[Item];
      for (int T = 0; T < Tiles; ++T) {
      // expect-note@-1: in the iteration of this loop with T = 0
      // expect-note@-2: in the iteration of this loop with T = 3
      // expect-note@-3: loop run for 1 iteration
        waitParity(&Empty[Fill.Slot], Fill.Phase ^ 1);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 128 arrivals came
        loadBulk(Slots[Fill.Slot], In + (Begins[Item] + T) * Threads,
        // expect-note@-1: 'loadBulk' called here
                 sizeof(Slots[0]), &Full[Fill.Slot]);
        Fill.next();
      }
    }
  } else if (threadIdx.x < Threads) {
    Place Read;
    const int End = M == Mistake::LeavesItem ? Items - 1 : Items;
    for (int Item = blockIdx.x; Item < End; Item += gridDim.x) {
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the 9th iteration of this loop
    // expect-note@-3: in the third iteration of this loop
    // expect-note@-4: loop skipped here
      int Tiles = Begins[Item + 1] - Begins[Item];
      if (M == Mistake::OneMore)
        ++Tiles;
      if (M == Mistake::BegunAnew)
        Read = Place();
      float Sum = 0;
      for (int T = 0; T < Tiles; ++T) {
      // expect-note@-1: in the iteration of this loop with T = 0
        waitParity(&Full[Read.Slot], Read.Phase);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 0 of 1 arrival came
        Sum += Slots[Read.Slot][threadIdx.x];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: thread 0 reads 'Slots[0][0]' here, copied by thread 128
        // expect-warning@-3{cpasync-unwaited-read}: 'Slots' may be read before the asynchronous copy into it has completed
        if (M != Mistake::KeepsLast || T + 1 < Tiles)
          arrive(&Empty[Read.Slot]);
        Read.next();
      }
      Out[Item * Threads + threadIdx.x] = Sum;
    }
  }
}

#define KERNEL(Name, M)                                                        \
  __global__ void __launch_bounds__(160)                                       \
      Name(const float *In, float *Out, const int *Begins, int Items) {        \
    items<Mistake::M>(In, Out, Begins, Items);                                 \
  }

KERNEL(items_ok, None)
KERNEL(one_more_bad, OneMore)
// expect-note@-1: 'items' called here
// expect-note@-2: with blockIdx.x = 0, Items = 16, Begins[Item + 1] = 0, Begins[Item] = 1, gridDim.x = 6
KERNEL(begun_anew_bad, BegunAnew)
// expect-note@-1: 'items' called here
// expect-note@-2: whether a run takes this path is not decided within the budget
KERNEL(keeps_last_bad, KeepsLast)
KERNEL(leaves_item_bad, LeavesItem)
// expect-note@-1: 'items' called here
// expect-note@-2: with blockIdx.x = 0, Items = 1, Begins[Item + 1] = 0, Begins[Item] = -4
