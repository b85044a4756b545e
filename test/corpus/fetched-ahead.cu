//===- fetched-ahead.cu - Tiles that are counted twice --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles that are fetched are counted apart from those that are used, so far
// ahead as there are stages: none is fetched into a stage before it is released.
// Where that is too early, a run shows it.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

template <int Stages, bool IsEarly>
__device__ void scale(const float4 *In, float *Out, const int *Skip,
                      int Rows) {
  constexpr int Tile = 8, Warps = 4;
  __shared__ float4 Ring[Stages][Tile][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      State;
  auto Block = cg::this_thread_block();
  auto Warp = cg::tiled_partition<32>(Block);
  auto Pipe = cuda::make_pipeline(Block, &State);
  const int Tiles = (Rows + Tile - 1) / Tile;
  auto Produce = [&](int T, int Stage) {
    Pipe.producer_acquire();
    for (int R = threadIdx.x / 32; R < Tile; R += Warps) {
    // expect-note@-1: in the first iteration of this loop
      if (T * Tile + R >= Rows)
        break;
      cuda::memcpy_async(Warp, Ring[Stage][R], In + (T * Tile + R) * 64,
      // expect-note@-1: thread 0 overwrites 'Ring[0][0][32]' here, read by thread 33
                         cuda::aligned_size_t<16>(1024), Pipe);
    }
    Pipe.producer_commit();
  };
  int Ahead = blockIdx.x;
  for (int S = 0; S < Stages && Ahead < Tiles; ++S, Ahead += gridDim.x)
    Produce(Ahead, S);
  int Stage = 0;
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
    Pipe.consumer_wait();
    if (IsEarly)
      Pipe.consumer_release();
    for (int E = threadIdx.x; E < Tile * 64; E += 128) {
      if (T * Tile + E / 64 >= Rows)
        break;
      if (Skip[T * Tile + E / 64])
        continue;
      Out[T * Tile * 64 + E] = Ring[Stage][E / 64][E % 64 ^ 1].x;
      // expect-note@-1: read here
    }
    if (!IsEarly)
      Pipe.consumer_release();
    if (Ahead < Tiles) {
    // expect-note@-1: taken when this condition is true
      Produce(Ahead, Stage);
      // expect-note@-1: 'Produce' called here
      // expect-note@-2: a barrier belongs between the read in line -5 and this call
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
      Ahead += gridDim.x;
    }
    Stage = Stage + 1 == Stages ? 0 : Stage + 1;
  }
}

__global__ __launch_bounds__(128) void two_ok(const float4 *In, float *Out,
                                         const int *Skip, int Rows) {
  scale<2, false>(In, Out, Skip, Rows);
}

__global__ __launch_bounds__(128) void three_ok(const float4 *In, float *Out,
                                         const int *Skip, int Rows) {
  scale<3, false>(In, Out, Skip, Rows);
}

__global__ __launch_bounds__(128) void two_bad(const float4 *In, float *Out,
// expect-note@-1: with blockIdx.x = 0, Rows = 20, gridDim.x = 1
                                         const int *Skip, int Rows) {
  scale<2, true>(In, Out, Skip, Rows);
  // expect-note@-1: 'scale' called here
}
