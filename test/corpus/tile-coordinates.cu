//===- tile-coordinates.cu - Which part of a tensor is copied -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Persistent roles: every tile has coordinates of its own, which nothing that
// is analysed depends on. The rounds are alike but for those.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

struct alignas(64) TensorMap {
  uint64_t Opaque[16];
};

struct Coordinates {
  int Inner, Outer;
};

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

__device__ void waitFor(uint64_t *Barrier, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again_%=;\n}" ::"r"(addressOf(Barrier)),
               "r"(Parity)
               : "memory");
}

__device__ void arrive(uint64_t *Barrier) {
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(addressOf(Barrier))
      : "memory");
}

__device__ void announce(uint64_t *Barrier, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(Barrier)),
               "r"(Bytes)
               : "memory");
}

__device__ void loadTile(void *To, const TensorMap *Map, uint64_t *Barrier,
                         int Inner, int Outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          addressOf(To)),
      "l"(Map), "r"(Inner), "r"(Outer), "r"(addressOf(Barrier))
      : "memory");
}

__device__ void loadAt(void *To, const TensorMap *Map, uint64_t *Barrier,
                       const Coordinates &Of) {
  loadTile(To, Map, Barrier, Of.Inner, Of.Outer);
}

__device__ void loadAt(void *To, const TensorMap *Map, uint64_t *Barrier,
                       const int (&Of)[2]) {
  loadTile(To, Map, Barrier, Of[0], Of[1]);
}

constexpr int Stages = 3;

struct Shared {
  alignas(128) float Tile[Stages][1024];
  uint64_t Full[Stages];
  uint64_t Empty[Stages];
};

struct Place {
  int Slot = 0;
  uint32_t Phase = 0;
  __device__ void advance() {
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
};

__device__ void prepare(Shared &S) {
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
          addressOf(&S.Full[I])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(
          addressOf(&S.Empty[I])));
    }
  __syncthreads();
}

__global__ void __launch_bounds__(256)
    tiles_ok(const __grid_constant__ TensorMap Map, float *Out, int Tiles,
             int Columns, int Depth) {
  __shared__ Shared S;
  prepare(S);
  Place At;
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
        const int Row = Tile / Columns * 32, Column = Tile % Columns * 32;
        for (int K = 0; K < Depth; ++K, At.advance()) {
          waitFor(&S.Empty[At.Slot], At.Phase ^ 1);
          announce(&S.Full[At.Slot], sizeof(S.Tile[0]));
          loadTile(S.Tile[At.Slot], &Map, &S.Full[At.Slot], K * 32 + Column,
                   Row);
        }
      }
  } else {
    for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
      float Sum = 0;
      for (int K = 0; K < Depth; ++K, At.advance()) {
        waitFor(&S.Full[At.Slot], At.Phase);
        Sum += S.Tile[At.Slot][threadIdx.x];
        arrive(&S.Empty[At.Slot]);
      }
      const int Row = Tile / Columns, Column = Tile % Columns;
      Out[(Row * Columns + Column) * 128 + threadIdx.x] = Sum;
    }
  }
}

__global__ void __launch_bounds__(256)
    array_ok(const __grid_constant__ TensorMap Map, float *Out, int Tiles,
             int Columns) {
  __shared__ Shared S;
  prepare(S);
  Place At;
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int Tile = blockIdx.x; Tile < Tiles;
           Tile += gridDim.x, At.advance()) {
        const int Of[] = {Tile % Columns * 32, Tile / Columns * 32};
        waitFor(&S.Empty[At.Slot], At.Phase ^ 1);
        announce(&S.Full[At.Slot], sizeof(S.Tile[0]));
        loadAt(S.Tile[At.Slot], &Map, &S.Full[At.Slot], Of);
      }
  } else {
    for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x, At.advance()) {
      waitFor(&S.Full[At.Slot], At.Phase);
      Out[Tile * 128 + threadIdx.x] = S.Tile[At.Slot][threadIdx.x];
      arrive(&S.Empty[At.Slot]);
    }
  }
}

// The slot is given back before it is read.
__global__ void __launch_bounds__(256)
    tiles_bad(const __grid_constant__ TensorMap Map, float *Out, int Tiles,
    // expect-note@-1: with blockIdx.x = 0, Tiles = 1, Depth = 4
              int Columns, int Depth) {
  __shared__ Shared S;
  prepare(S);
  Place At;
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
      // expect-note@-1: in the first iteration of this loop
        const Coordinates Of = {Tile % Columns * 32, Tile / Columns * 32};
        for (int K = 0; K < Depth; ++K, At.advance()) {
        // expect-note@-1: in the iteration of this loop with K = 3
          waitFor(&S.Empty[At.Slot], At.Phase ^ 1);
          announce(&S.Full[At.Slot], sizeof(S.Tile[0]));
          // expect-note@-1: a tile has 4096 bytes by what is announced here
          loadAt(S.Tile[At.Slot], &Map, &S.Full[At.Slot], Of);
          // expect-note@-1: a barrier belongs between the read in line +9 and this overwrite
          // expect-note@-2: thread 128 overwrites 'S.Tile[0]' here, read by thread 0
          // expect-warning@-3{cpasync-in-flight-overwrite}: 'S' may be overwritten while other threads still read it
        }
      }
  } else {
    for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
    // expect-note@-1: in the first iteration of this loop
      float Sum = 0;
      for (int K = 0; K < Depth; ++K, At.advance()) {
      // expect-note@-1: in the iteration of this loop with K = 0
        waitFor(&S.Full[At.Slot], At.Phase);
        arrive(&S.Empty[At.Slot]);
        Sum += S.Tile[At.Slot][threadIdx.x];
        // expect-note@-1: read here
      }
      Out[Tile * 128 + threadIdx.x] = Sum;
    }
  }
}

// A parity that is computed from the tile is no coordinate.
__global__ void __launch_bounds__(256)
    parity_bad(const __grid_constant__ TensorMap Map, float *Out, int Columns) {
  __shared__ Shared S;
  prepare(S);
  for (int Tile = 0; Tile < 4; ++Tile) {
  // expect-note@-1: in the iteration of this loop with Tile = 1
    const int Which = Tile / 2;
    if (threadIdx.x == 0) {
      announce(&S.Full[0], sizeof(S.Tile[0]));
      // expect-note@-1: a tile has 4096 bytes by what is announced here
      loadTile(S.Tile[0], &Map, &S.Full[0], Which * 32, 0);
      // expect-note@-1: copy issued here
    }
    waitFor(&S.Full[0], Which & 1);
    // expect-note@-1: wait may return at once: parity 0 is that of the phase before
    Out[Tile * 256 + threadIdx.x] = S.Tile[0][threadIdx.x];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'S.Tile[0][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'S' is read before the asynchronous copy into it has completed
    __syncthreads();
  }
}
