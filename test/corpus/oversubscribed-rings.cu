//===- oversubscribed-rings.cu - More tiles than slots --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is copied into a slot that another is still on its way to. Who reads
// the slot next meets the newer one in flight, and the wait is right for the
// older: that is the same mistake, and waiting for more would not mend it.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128, Slots = 4;

__device__ void copyTile(float4 *Slot, const float4 *Src, int Tile) {
  __pipeline_memcpy_async(&Slot[threadIdx.x],
                          Src + Tile * Threads + threadIdx.x, sizeof(float4));
}

// `<=` where `<` was meant: five tiles for four slots.
__global__ __launch_bounds__(Threads) void one_tile_too_many_bad(
// expect-note@-1: with Tiles = 5
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[Slots][Threads];
  const int Tid = threadIdx.x;
  for (int T = 0, Fetched = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    for (; Fetched <= T + Slots; ++Fetched) {
    // expect-note@-1: in the iteration of this loop with Fetched = 0
    // expect-note@-2: in the iteration of this loop with Fetched = 4
      if (Fetched < Tiles)
        copyTile(Ring[Fetched % Slots], Src, Fetched);
        // expect-note@-1: a wait for the copy belongs before this overwrite
        // expect-note@-2: copy issued here
        // expect-note@-3: thread 0 overwrites 'Ring[0][0]' here, copied by thread 0
        // expect-warning@-4{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while a copy into it is in flight
      __pipeline_commit();
    }
    __pipeline_wait_prior(Slots);
    __syncthreads();
    Dst[T * Threads + Tid] = Ring[T % Slots][Threads - 1 - Tid];
    __syncthreads();
  }
}

__global__ __launch_bounds__(Threads) void as_many_as_slots_ok(
    const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Ring[Slots][Threads];
  const int Tid = threadIdx.x;
  for (int T = 0, Fetched = 0; T < Tiles; ++T) {
    for (; Fetched < T + Slots; ++Fetched) {
      if (Fetched < Tiles)
        copyTile(Ring[Fetched % Slots], Src, Fetched);
      __pipeline_commit();
    }
    __pipeline_wait_prior(Slots - 1);
    __syncthreads();
    Dst[T * Threads + Tid] = Ring[T % Slots][Threads - 1 - Tid];
    __syncthreads();
  }
}

// Two mistakes: the wait would be too weak for the first tile, too.
__global__ __launch_bounds__(Threads) void too_many_and_waits_too_little_bad(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Slot[Threads];
  const int Tid = threadIdx.x;
  copyTile(Slot, Src, 0);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  copyTile(Slot, Src, 1);
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Slot[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' is overwritten while a copy into it is in flight
  __pipeline_commit();
  __pipeline_wait_prior(2);
  // expect-note@-1: wait for all groups
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 is newer than the copy into 'Slot'
  __syncthreads();
  Dst[Tid] = Slot[Threads - 1 - Tid];
  // expect-note@-1: thread 0 reads 'Slot[127]' here, copied by thread 127
}

// Two mistakes: no commit belongs to the second tile.
__global__ __launch_bounds__(Threads) void too_many_and_not_committed_bad(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Slot[Threads];
  const int Tid = threadIdx.x;
  copyTile(Slot, Src, 0);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  copyTile(Slot, Src, 1);
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Slot[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' is overwritten while a copy into it is in flight
  // expect-warning@-4{cpasync-uncommitted-copy}: asynchronous copy into 'Slot' is uncommitted at the wait
  __pipeline_wait_prior(0);
  // expect-note@-1: commit the copy: insert '__pipeline_commit();'
  // expect-note@-2: wait for all groups is here
  __syncthreads();
  Dst[Tid] = Slot[Threads - 1 - Tid];
  // expect-note@-1: thread 0 reads 'Slot[127]' here, copied by thread 127
}
