//===- assertions.cu - What a kernel asserts, holds ------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that stop, by assert(), trap or a helper, where their block or a number
// is not what they need. Nobody runs them to see that: rows of a warp's own are no
// matter for other warps, and a ring of one stage is none. A kernel that stops for
// the very block it is launched with was not analysed.
//
//===----------------------------------------------------------------------===//

#include <cassert>
#include <cstdint>
#include <cstdio>

__device__ void copy4(void *To, const void *From) {
  uint32_t Shared = static_cast<uint32_t>(__cvta_generic_to_shared(To));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(Shared), "l"(From)
               : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

__device__ void need(bool Holds) {
  if (!Holds) {
    printf("not so\n");
    __trap();
  }
}
__device__ void needInAsm(bool Holds) {
  if (!Holds)
    asm volatile("trap;");
}

// A row of each warp: no other warp reads it.
template <bool IsOwn> __device__ void reverseRows(const int *In, int *Out) {
  __shared__ int Rows[256];
  assert(blockDim.x == 32 && blockDim.y == 8);
  const int Of = threadIdx.y * 32;
  copy4(&Rows[Of + threadIdx.x], In + Of + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  Out[Of + threadIdx.x] = Rows[(IsOwn ? Of + 31 : 255 - Of) - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 (0, 0) reads 'Rows[255]' here, copied by thread 255 (31, 7)
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Rows' is read with no barrier after the wait for its copy
}
__global__ void __launch_bounds__(256) rowsOfWarps(const int *In, int *Out) {
  reverseRows<true>(In, Out);
}
__global__ void __launch_bounds__(256) rowsOfWarps_bad(const int *In, int *Out) {
// expect-note@-1: assuming blocks of 32x8 threads
  reverseRows<false>(In, Out);
  // expect-note@-1: 'reverseRows' called here
}

// With one stage the only slot is refilled while it is read.
template <int NeededStages>
__device__ void reverseTiles(const int *In, int *Out, int Tiles, int Stages) {
  __shared__ int Slots[4][64];
  need(Stages == NeededStages);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    copy4(&Slots[T % Stages][threadIdx.x], In + T * 64 + threadIdx.x);
    // expect-note@-1: a barrier belongs between the read in line +4 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Slots[0][0]' here, read by thread 63
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slots' may be overwritten while other threads still read it
    commit();
    wait<0>();
    __syncthreads();
    Out[T * 64 + threadIdx.x] = Slots[T % Stages][63 - threadIdx.x];
    // expect-note@-1: read here
  }
}
__global__ void __launch_bounds__(64)
    ring(const int *In, int *Out, int Tiles, int Stages) {
  reverseTiles<4>(In, Out, Tiles, Stages);
}
__global__ void __launch_bounds__(64)
    ring_bad(const int *In, int *Out, int Tiles, int Stages) {
    // expect-note@-1: with Stages = 1, Tiles = 2
  reverseTiles<1>(In, Out, Tiles, Stages);
  // expect-note@-1: 'reverseTiles' called here
}

// Each thread may find what stops all: those that go on have not.
template <int LeftInOtherMode>
__device__ void reverseChecked(const int *In, int *Out, int Mode) {
  __shared__ int Tile[64];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here as the newest group
  needInAsm(In[threadIdx.x] >= 0);
  switch (Mode) {
  case 0:
    wait<0>();
    break;
  case 1:
  // expect-note@-1: taken in this case
    wait<LeftInOtherMode>();
    // expect-note@-1: leave no group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    break;
  default:
    assert(false && "no such mode");
  }
  __syncthreads();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[63]' here, copied by thread 63
}
__global__ void __launch_bounds__(64) checked(const int *In, int *Out, int Mode) {
  reverseChecked<0>(In, Out, Mode);
}
__global__ void __launch_bounds__(64) checked_bad(const int *In, int *Out, int Mode) {
// expect-note@-1: with Mode = 1
  reverseChecked<1>(In, Out, Mode);
  // expect-note@-1: 'reverseChecked' called here
}

__global__ void stops(const int *In, int *Out) {
  __shared__ int Tile[64];
  assert(blockDim.x == 64);
  // expect-skipped@-1: the kernel stops here in every run that was followed
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
void launch(const int *In, int *Out) { stops<<<1, 128>>>(In, Out); }
