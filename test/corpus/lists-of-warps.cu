//===- lists-of-warps.cu - Lists that warps count --------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp takes lists in turn and copies them piece by piece to its own part
// of the memory; how long a piece is nobody knows, only the most. No barrier of
// the block orders anything: the parts do.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

constexpr int Threads = 128;
constexpr int Warps = Threads / 32;
constexpr int Piece = 256;
constexpr int Bins = 16;

using Warp = cg::thread_block_tile<32>;

// Pitch: elements from the pieces of one warp to those of the next.
template <int Pitch>
__device__ void count(const unsigned *Keys, const int *Begins, int *Out,
                      int Lists) {
  extern __shared__ __align__(16) unsigned Memory[];
  const Warp Mine = cg::tiled_partition<32>(cg::this_thread_block());
  const int Lane = Mine.thread_rank();
  unsigned *Pieces = Memory + Mine.meta_group_rank() * Pitch;
  int *Counts = reinterpret_cast<int *>(Memory + Warps * 2 * Piece) +
                Mine.meta_group_rank() * Bins;
  for (int List = blockIdx.x * Warps + Mine.meta_group_rank(); List < Lists;
       List += gridDim.x * Warps) {
    const int Begin = Begins[List], Size = Begins[List + 1] - Begin;
    const auto Fetch = [&](int At) {
      cg::memcpy_async(Mine, Pieces + At / Piece % 2 * Piece, Keys + Begin + At,
                       sizeof(unsigned) * min(Piece, Size - At));
    };
    if (Lane < Bins)
      Counts[Lane] = 0;
    Mine.sync();
    if (Size > 0)
      Fetch(0);
      // expect-skipped@-1: address of a write to 'Memory' is not known while nothing orders it after another access
    for (int At = 0; At < Size; At += Piece) {
      if (At + Piece < Size) {
        Fetch(At + Piece);
        // expect-skipped@-1: address of a write to 'Memory' is not known while copies into it are in flight
        // expect-skipped@-2: address of a write to 'Memory' is not known while nothing orders it after another access
        cg::wait_prior<1>(Mine);
      } else {
        cg::wait(Mine);
      }
      const unsigned *Now = Pieces + At / Piece % 2 * Piece;
      for (int I = Lane; I < min(Piece, Size - At); I += 32)
        atomicAdd(&Counts[Now[I] >> 28], 1);
        // expect-skipped@-1: address of a read of 'Memory' is not known before a barrier after the copies into it
        // expect-skipped@-2: address of a read of 'Memory' is not known while copies into it are in flight
      Mine.sync();
    }
    if (Lane < Bins)
      Out[List * Bins + Lane] = Counts[Lane];
    Mine.sync();
  }
}
__global__ void count_ok(const unsigned *Keys, const int *Begins, int *Out,
                         int Lists) {
  count<2 * Piece>(Keys, Begins, Out, Lists);
}
// The second piece of a warp is the first of the next.
__global__ void count_bad(const unsigned *Keys, const int *Begins, int *Out,
                          int Lists) {
  count<Piece>(Keys, Begins, Out, Lists);
}

void launch(const unsigned *Keys, const int *Begins, int *Out, int Lists) {
  const int Bytes = Warps * (2 * Piece + Bins) * 4;
  count_ok<<<132, Threads, Bytes>>>(Keys, Begins, Out, Lists);
  count_bad<<<132, Threads, Bytes>>>(Keys, Begins, Out, Lists);
}
