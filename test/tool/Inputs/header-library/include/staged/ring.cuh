#pragma once
#include <staged/copy.cuh>

namespace staged {

// A tile of Threads * Vector elements in each of Stages slots.
template <class T, int Stages, int Threads> class Ring {
  static_assert(Stages >= 2);
  static constexpr int Vector = 16 / sizeof(T);

public:
  static constexpr int Elements = Threads * Vector;
  using Storage = T[Stages][Elements];

  __device__ Ring(Storage &Slots, const T *From, int Tiles)
      : Slots(Slots), From(From), Tiles(Tiles) {}

  __device__ void prologue() {
    for (int Stage = 0; Stage < Stages - 1; ++Stage)
      fetch(Stage);
  }
  __device__ void fetch(int Tile) {
    if (Tile < Tiles)
      copy<16>(&Slots[Tile % Stages][threadIdx.x * Vector],
               &From[Tile * Elements + threadIdx.x * Vector]);
    commit();
  }
  // The oldest tile is there.
  __device__ const T *front(int Tile) {
    wait<Stages - 2>();
    __syncthreads();
    return Slots[Tile % Stages];
  }

private:
  Storage &Slots;
  const T *From;
  int Tiles;
};

} // namespace staged
