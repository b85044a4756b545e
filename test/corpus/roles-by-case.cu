//===- roles-by-case.cu - Roles that a switch gives -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp takes its own case: a loader, two that read, and one with nothing
// to do. They run beside each other, as the sides of a branch do.
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>
#include <cstdint>

constexpr int Stages = 2, Floats = 256;

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
  uint32_t Done;
  do
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(Done)
                 : "r"(toShared(B)), "r"(Parity)
                 : "memory");
  while (!Done);
}

struct Ring {
  alignas(128) float Slot[Stages][Floats];
  uint64_t Full[Stages], Empty[Stages];
};

__device__ void load(Ring &R, const float *In, int Tiles) {
  if (threadIdx.x % 32 != 0)
    return;
  for (int I = 0; I < Tiles; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
  // expect-note@-2: in the iteration of this loop with I = 2
    waitParity(&R.Empty[I % Stages], I / Stages % 2 ^ 1);
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'R' waited for here may never complete: 1 of 2 arrivals came
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
    // expect-note@-1: bytes of the phase announced here
                     toShared(&R.Full[I % Stages])),
                 "r"(4 * Floats)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
    // expect-note@-1: a barrier belongs between the read in line +18 and this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: first copy into these bytes issued here
    // expect-note@-4: thread 0 overwrites 'R.Slot[0]' here, read by thread 32
    // expect-warning@-5{cpasync-in-flight-overwrite}: 'R' may be overwritten while other threads still read it
                 "bytes [%0], [%1], %2, [%3];" ::"r"(
                     toShared(R.Slot[I % Stages])),
                 "l"(In + I * Floats), "r"(4 * Floats),
                 "r"(toShared(&R.Full[I % Stages]))
                 : "memory");
  }
}

enum Mistake { None, NoWait, NoRelease, BlockBarrier };

template <Mistake Has>
__device__ void read(Ring &R, float *Out, int Tiles, int Half) {
  const int Lane = threadIdx.x % 32;
  for (int I = 0; I < Tiles; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
  // expect-note@-2: loop run for 1 iteration
    if (Has != NoWait)
      waitParity(&R.Full[I % Stages], I / Stages % 2);
    for (int J = Lane; J < Floats / 2; J += 32)
      Out[I * Floats + Half + J] = R.Slot[I % Stages][Half + J];
      // expect-note@-1: read here
      // expect-note@-2: the copy, a wait for it and a barrier belong before this read
      // expect-note@-3: thread 32 reads 'R.Slot[0][0]' here
      // expect-warning@-4{cpasync-unwaited-read}: 'R' may be read before any copy into it is issued
    if (Has == BlockBarrier)
      __syncthreads();
      // expect-note@-1: barrier reached here only by threads 32-63
    else
      __syncwarp();
    if (Has != NoRelease && Lane == 0)
      arrive(&R.Empty[I % Stages]);
  }
}

template <Mistake Has>
__global__ void __launch_bounds__(128) by_case(const float *In, float *Out,
// expect-note@-1: in instantiation of 'by_case<BlockBarrier>'
// expect-note@-2: in instantiation of 'by_case<NoRelease>', and in 2 more kernels
// expect-note@-3: in instantiation of 'by_case<NoWait>'
// expect-note@-4: with Tiles = 1
// expect-note@-5: with Tiles = 3
// expect-note@-6: with Tiles = 4
// expect-note@-7: with Tiles = 7
                                               int Tiles) {
  __shared__ Ring R;
  if (threadIdx.x == 0) {
    for (uint64_t &B : R.Full)
    // expect-note@-1: in the second iteration of this loop
      initBarrier(&B, 1);
      // expect-note@-1: 'R' initialised here, a phase expects 1 arrival
    for (uint64_t &B : R.Empty)
    // expect-note@-1: in the second iteration of this loop
      initBarrier(&B, 2);
      // expect-note@-1: 'R' initialised here, a phase expects 2 arrivals
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  switch (threadIdx.x / 32) {
  case 0:
    load(R, In, Tiles);
    // expect-note@-1: 'load' called here
    break;
  case 1:
    read<Has>(R, Out, Tiles, 0);
    // expect-note@-1: 'read' called here
    break;
  case 3:
    break;
  default:
    read<None>(R, Out, Tiles, Floats / 2);
    // expect-note@-1: arrived at 'R' here
    // expect-note@-2: as many must arrive in each phase as the initialisation says
    // expect-warning@-3{cpasync-mismatched-phase}: phase of 'R' waited for here may never complete: 0 of 1 arrival came
  }
}
template __global__ void by_case<None>(const float *, float *, int);
template __global__ void by_case<NoWait>(const float *, float *, int);
template __global__ void by_case<NoRelease>(const float *, float *, int);
template __global__ void by_case<BlockBarrier>(const float *, float *, int);

// Lanes of a warp, too; one case goes on into the next.
__global__ void __launch_bounds__(32) by_lane(const float *In, float *Out) {
  __shared__ float Tile[32];
  const int T = threadIdx.x;
  switch (T % 4) {
  case 0:
    Out[T] = 0;
  case 1:
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     toShared(&Tile[T])),
                 "l"(In + T)
                 : "memory");
    break;
  default:
    Tile[T] = 0;
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  Out[T] += Tile[31 - T];
}

// Nobody knows which warp does what.
__global__ void __launch_bounds__(64) by_what_is_read(const float *In,
                                                      const int *Roles,
                                                      float *Out) {
  __shared__ float Tile[64];
  const int T = threadIdx.x;
  switch (Roles[T]) {
  // expect-skipped@-1: switch on a value that differs by thread
  case 0:
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     toShared(&Tile[T])),
                 "l"(In + T)
                 : "memory");
    break;
  default:
    Tile[T] = 0;
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  Out[T] += Tile[63 - T];
}

// How many bytes come differs by warp: only what is known is followed.
template <bool IsKnown>
__global__ void __launch_bounds__(64) sizes_by_warp(const float *In, float *Out,
                                                    int Length) {
  __shared__ alignas(128) float Rows[2][128];
  __shared__ uint64_t Full[2];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (threadIdx.x < 2)
    initBarrier(&Full[threadIdx.x], 1);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
  const int Left = Length - 512 * Warp;
  const int Bytes = IsKnown ? 256 + 256 * Warp : Left < 512 ? Left : 512;
  if (Lane == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     toShared(&Full[Warp])),
                 "r"(Bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
    // expect-skipped@-1: size of the copy differs by thread and is not known
                 "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(Rows[Warp])),
                 "l"(In + 128 * Warp), "r"(Bytes), "r"(toShared(&Full[Warp]))
                 : "memory");
  }
  waitParity(&Full[Warp], 0);
  for (int I = Lane; I < Bytes / 4; I += 32)
    Out[128 * Warp + I] = Rows[Warp][I];
}
template __global__ void sizes_by_warp<true>(const float *, float *, int);
template __global__ void sizes_by_warp<false>(const float *, float *, int);

// The other threads leave the pointer as it was: who copies has the one array.
__global__ void __launch_bounds__(64) pointer_of_one_role(const float *In,
                                                          float *Out) {
  __shared__ alignas(128) float Row[64];
  __shared__ uint64_t Full;
  const int T = threadIdx.x;
  float *To = nullptr;
  if (T == 0) {
    initBarrier(&Full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    To = Row;
  }
  __syncthreads();
  if (T == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(
                     toShared(&Full))
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], 256, [%2];" ::"r"(toShared(To)),
                 "l"(In), "r"(toShared(&Full))
                 : "memory");
  }
  waitParity(&Full, 0);
  Out[T] = Row[T];
}

// Lanes without a row have no number that says where it is.
__global__ void __launch_bounds__(64) rows_of_some_lanes(const float *In,
                                                         const int *Index,
                                                         float *Out, int N) {
  __shared__ alignas(128) float Rows[8][64], Kept[24][64];
  __shared__ uint64_t Full;
  const int T = threadIdx.x;
  if (T == 0)
    initBarrier(&Full, 1);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  for (int I = 0; I < 24; ++I)
    Kept[I][T] = In[T];
  __syncthreads();
  if (T < 32) {
    const int Row = T < 8 && T < N ? Index[T] : -1;
    const bool Has = Row >= 0;
    const unsigned All = __ballot_sync(0xffffffffu, Has);
    if (T == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                       toShared(&Full)),
                   "r"(256 * __popc(All))
                   : "memory");
    __syncwarp();
    if (Has)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx:"
                   ":bytes [%0], [%1], 256, [%2];" ::"r"(toShared(Rows[T])),
                   "l"(In + 64 * Row), "r"(toShared(&Full))
                   : "memory");
  } else {
    Out[T] = Kept[T - 32 < 24 ? T - 32 : 0][T]; // behind the rows
  }
}
