//===- tile-references.cu - Tiles of halves, seen in two ways -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tile of halves holds reaches no address, but where the tile lies does:
// references to arrays of tiles in the dynamic pool, one made of another.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_fp16.h>

struct alignas(16) Tile {
  half Data[32 * 8];
};

extern __shared__ Tile Pool[];

// A warp copies a tile, 16 bytes a lane.
__device__ void copyTile(Tile &To, const half *From) {
  const int Lane = threadIdx.x % 32;
  uint32_t Shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(&To.Data[Lane * 8]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(Shared),
  // expect-note@-1: copy issued here
               "l"(From + Lane * 8));
  asm volatile("cp.async.commit_group;\n" ::);
  // expect-note@-1: committed here
}

__device__ void loadMatrices(uint32_t (&Registers)[4], const Tile &From) {
  uint32_t Shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(&From.Data[0]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
               "{%0, %1, %2, %3}, [%4];\n"
               : "=r"(Registers[0]), "=r"(Registers[1]), "=r"(Registers[2]),
                 "=r"(Registers[3])
               : "r"(Shared + threadIdx.x % 32 * 16));
}

__global__
__launch_bounds__(128) void one_view_made_of_another_bad(const half *Src,
                                                         uint32_t *Dst) {
  Tile(&Stages)[2][3] = *reinterpret_cast<Tile(*)[2][3]>(Pool);
  Tile(&OfWarp)[4] = reinterpret_cast<Tile(&)[4]>(Stages);
  const int Warp = threadIdx.x / 32;
  uint32_t Registers[4];
  copyTile(OfWarp[Warp], Src);
  // expect-note@-1: 'copyTile' called here
  loadMatrices(Registers, OfWarp[Warp]);
  // expect-note@-1: thread 0 reads byte 0 of 'Pool' here
  // expect-note@-2: wait for all copies: insert 'asm volatile("cp.async.wait_all;\n" ::);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Pool' is read before the asynchronous copy into it has completed
  Dst[threadIdx.x] = Registers[0];
}

__global__
__launch_bounds__(128) void one_view_made_of_another_ok(const half *Src,
                                                        uint32_t *Dst) {
  Tile(&Stages)[2][3] = *reinterpret_cast<Tile(*)[2][3]>(Pool);
  Tile(&OfWarp)[4] = reinterpret_cast<Tile(&)[4]>(Stages);
  const int Warp = threadIdx.x / 32;
  uint32_t Registers[4];
  copyTile(OfWarp[Warp], Src);
  asm volatile("cp.async.wait_all;\n" ::);
  __syncwarp();
  loadMatrices(Registers, OfWarp[Warp]);
  // The other view of the same bytes; other warps read them.
  __syncthreads();
  copyTile(Stages[0][0], Src);
  asm volatile("cp.async.wait_all;\n" ::);
  __syncthreads();
  Tile &First = Stages[0][0];
  Dst[threadIdx.x] = Registers[0] + __half2int_rz(First.Data[threadIdx.x]);
}
