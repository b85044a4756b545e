//===- row-walkers.cu - Two walks over the same rows ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block has every so many rows. The thread that copies has a walk of its
// own, two rows ahead of the one that all threads are on: what it decides about
// a row to come all others find when they are there.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 96, Row = 768, Stages = 4;

__device__ inline unsigned sharedAddress(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}

struct Walk {
  long long Now, End, Step;
  __device__ bool isDone() const { return Now >= End; }
  __device__ void next() { Now += Step; }
};

struct Slot {
  int Index = 0;
  unsigned Phase = 0;
  __device__ void next() {
    if (++Index == Stages) {
      Index = 0;
      Phase ^= 1;
    }
  }
};

__device__ inline void init(uint64_t *Bar) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                   sharedAddress(Bar))
               : "memory");
}

__device__ inline void load(int *Dst, const int *Src, uint64_t *Bar) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(Bar)),
               "r"(Row * 4)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier"
  // expect-note@-1: thread 0 overwrites 'Buf[0]' here, copied in bulk by thread 0
               "::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(Dst)),
               "l"(Src), "r"(Row * 4), "r"(sharedAddress(Bar))
               : "memory");
}

__device__ inline void await(uint64_t *Bar, unsigned Parity) {
  asm volatile("{\n.reg .pred p;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra again;\n}" ::"r"(sharedAddress(Bar)),
               "r"(Parity)
               : "memory");
}

__device__ inline void store(int *Dst, const int *Src) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
  // expect-note@-1: copy issued here
                   "l"(Dst),
               "r"(sharedAddress(Src)), "r"(Row * 4)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// The buffer that is filled next was stored from Stages - Ahead rows ago.
template <int Ahead, int Left>
__device__ void negateRows(const int *In, int *Out, long long Rows) {
  __shared__ alignas(128) int Buf[Stages][Row];
  __shared__ uint64_t Full[Stages];
  const bool IsLeader = threadIdx.x == 0;
  if (IsLeader) {
    for (int S = 0; S < Stages; ++S)
      init(&Full[S]);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  Walk Head{blockIdx.x, Rows, gridDim.x}, Here = Head;
  Slot Fill, Use;
  if (IsLeader)
    for (int I = 0; I < Ahead && !Head.isDone(); ++I, Head.next(), Fill.next())
      load(Buf[Fill.Index], In + Head.Now * Row, &Full[Fill.Index]);
  for (; !Here.isDone(); Here.next(), Use.next()) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: in the third iteration of this loop
    if (IsLeader && !Head.isDone()) {
    // expect-note@-1: taken when this condition is true
      asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
      // expect-note@-1: leave fewer than 2 groups of bulk copies in flight here
      // expect-note@-2: wait leaves 2 groups of bulk copies in flight
      load(Buf[Fill.Index], In + Head.Now * Row, &Full[Fill.Index]);
      // expect-note@-1: 'load' called here
      // expect-warning@-2{cpasync-in-flight-overwrite}: 'Buf' may be overwritten while a bulk copy still reads it
      Head.next();
      Fill.next();
    }
    await(&Full[Use.Index], Use.Phase);
    for (int I = threadIdx.x; I < Row; I += Threads)
      Buf[Use.Index][I] = -Buf[Use.Index][I];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (IsLeader)
      store(Out + Here.Now * Row, Buf[Use.Index]);
      // expect-note@-1: 'store' called here
  }
  if (IsLeader)
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__global__ __launch_bounds__(Threads) void two_ahead_ok(const int *In, int *Out,
                                                        long long Rows) {
  negateRows<2, 1>(In, Out, Rows);
}

// The wait leaves the store from the buffer that is filled next.
__global__ __launch_bounds__(Threads) void two_ahead_bad(const int *In,
// expect-note@-1: with blockIdx.x = 0, Rows = 5, gridDim.x = 1
                                                         int *Out,
                                                         long long Rows) {
  negateRows<2, 2>(In, Out, Rows);
  // expect-note@-1: 'negateRows' called here
}
