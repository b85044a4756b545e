//===- structured-bindings.cu - Slots with names of their own -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slots of a ring are the two halves of what a function returns; the names
// are read in one round and made anew in the next.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>
#include <utility>

struct Slots {
  int Now, Next;
};

__device__ Slots slotsOf(int Tile) { return {Tile & 1, (Tile + 1) & 1}; }

template <int Left>
__device__ void tiles(const int4 *In, int4 *Out, int Count) {
  __shared__ int4 Ring[2][64];
  const int Tid = threadIdx.x;
  auto [First, Second] = slotsOf(0);
  __pipeline_memcpy_async(&Ring[First][Tid], &In[Tid], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  for (int Tile = 0; Tile < Count; ++Tile) {
  // expect-note@-1: in the iteration of this loop with Tile = 0
    auto [Now, Next] = slotsOf(Tile);
    if (Tile + 1 < Count)
      __pipeline_memcpy_async(&Ring[Next][Tid], &In[Tile * 64 + Tid], 16);
    __pipeline_commit();
    __pipeline_wait_prior(Left);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    Out[Tile * 64 + Tid] = Ring[Now][Tid];
    // expect-note@-1: thread 0 reads 'Ring[0][0]' here
  }
}

__global__ void __launch_bounds__(64) bound_slots_ok(const int4 *In, int4 *Out,
                                                     int Count) {
  tiles<1>(In, Out, Count);
}

__global__ void __launch_bounds__(64) bound_slots_bad(const int4 *In, int4 *Out,
// expect-note@-1: with Count = 1
                                                      int Count) {
  tiles<2>(In, Out, Count);
  // expect-note@-1: 'tiles' called here
}

// What is like a tuple has a variable for each name, which lives as long.
struct Halves {
  int4 *Of;
  template <std::size_t I> __device__ int4 *get() const { return Of + 64 * I; }
};
namespace std {
template <> struct tuple_size<Halves> {
  static constexpr size_t value = 2;
};
template <size_t I> struct tuple_element<I, Halves> {
  using type = int4 *;
};
} // namespace std

template <int Left>
__device__ void halves(const int4 *In, int4 *Out, int Count) {
  __shared__ int4 Ring[2][64];
  const int Tid = threadIdx.x;
  auto [Even, Odd] = Halves{&Ring[0][0]};
  __pipeline_memcpy_async(&Even[Tid], &In[Tid], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  for (int Tile = 0; Tile < Count; ++Tile) {
  // expect-note@-1: in the iteration of this loop with Tile = 0
    if (Tile + 1 < Count)
      __pipeline_memcpy_async(Tile % 2 ? &Even[Tid] : &Odd[Tid],
                              &In[Tile * 64 + Tid], 16);
    __pipeline_commit();
    __pipeline_wait_prior(Left);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    Out[Tile * 64 + Tid] = Tile % 2 ? Odd[Tid] : Even[Tid];
    // expect-note@-1: thread 0 reads 'Ring[0][0]' here
  }
}

__global__ void __launch_bounds__(64) bound_like_a_tuple_ok(const int4 *In,
                                                            int4 *Out,
                                                            int Count) {
  halves<1>(In, Out, Count);
}

__global__ void __launch_bounds__(64) bound_like_a_tuple_bad(const int4 *In,
// expect-note@-1: with Count = 1
                                                             int4 *Out,
                                                             int Count) {
  halves<2>(In, Out, Count);
  // expect-note@-1: 'halves' called here
}
