#pragma once
#include <staged/ring.cuh>

namespace staged {

template <class T, int Stages, int Threads>
__global__ void reverse(const T *In, T *Out, int Tiles) {
  using Tiles_t = Ring<T, Stages, Threads>;
  __shared__ typename Tiles_t::Storage Slots;
  Tiles_t Ring(Slots, In, Tiles);
  Ring.prologue();
  for (int Tile = 0; Tile < Tiles; ++Tile) {
    const T *Front = Ring.front(Tile);
    for (int I = threadIdx.x; I < Tiles_t::Elements; I += Threads)
      Out[Tile * Tiles_t::Elements + I] = Front[Tiles_t::Elements - 1 - I];
    Ring.fetch(Tile + Stages - 1);
  }
}

// Wrong: the next tile is fetched into the slot that others still read.
template <class T, int Stages, int Threads>
__global__ void reverseEagerly(const T *In, T *Out, int Tiles) {
  using Tiles_t = Ring<T, Stages, Threads>;
  __shared__ typename Tiles_t::Storage Slots;
  Tiles_t Ring(Slots, In, Tiles);
  Ring.prologue();
  for (int Tile = 0; Tile < Tiles; ++Tile) {
    const T *Front = Ring.front(Tile);
    for (int I = threadIdx.x; I < Tiles_t::Elements; I += Threads)
      Out[Tile * Tiles_t::Elements + I] = Front[Tiles_t::Elements - 1 - I];
    Ring.fetch(Tile + Stages);
  }
}

} // namespace staged
