//===- mbarriers.cu - What is done with an mbarrier ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90a

#include "interfaces.h"

// As most kernels here begin; the barrier is for all threads.
#define TILE(Api)                                                              \
  __shared__ alignas(128) float Tile[Threads];                                 \
  __shared__ typename Api::Bar Full;                                           \
  typename Api::Token T

//--- mbarrier.init

BODY(init) {
  TILE(Api);
  begin<Api>(Full, Right ? Threads : Threads + 1);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(init)
PAIR(init, Ptx)
PAIR(init, CudaPtx)
PAIR(init, Barrier)
PAIR(init, Primitives)
PAIR(init, Awbarrier)
PAIR_BUILTINS(init)

//--- mbarrier.inval
// Limit: who uses the mbarrier afterwards without initialising it is not found.

BODY(inval) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    Api::inval(Full);
    if (Right)
      Api::init(Full, Threads);
  }
  __syncthreads();
  bring(Tile, In + Threads, Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[Threads + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(inval, ok, true)
KERNEL(inval, missed, false)
USE(inval_ok, Ptx)
USE(inval_missed, Ptx)
USE(inval_ok, Primitives)
USE(inval_missed, Primitives)
USE(inval_ok, Awbarrier)
USE(inval_missed, Awbarrier)
USE_BUILTINS(inval_ok)
USE_BUILTINS(inval_missed)

//--- mbarrier.arrive

BODY(arrive) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  if (Right || threadIdx.x >= 32) {
    T = Api::arrive(Full);
    Api::wait(Full, T);
    Out[threadIdx.x] = Tile[threadIdx.x];
  }
}
KERNELS(arrive)
PAIR(arrive, Ptx)
PAIR(arrive, CudaPtx)
PAIR(arrive, Barrier)
PAIR(arrive, Primitives)
PAIR(arrive, Awbarrier)
PAIR_BUILTINS(arrive)

//--- mbarrier.arrive.noComplete

BODY(noComplete) {
  TILE(Api);
  begin<Api>(Full, 2 * Threads);
  bring(Tile, In, Full);
  Api::arriveNoComplete(Full, Right || threadIdx.x != 0 ? 1 : 2);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(noComplete)
PAIR(noComplete, Ptx)
PAIR(noComplete, CudaPtx)
PAIR_BUILTINS(noComplete)

//--- mbarrier.arrive.expect_tx

BODY(arriveExpect) {
  TILE(Api);
  begin<Api>(Full, Threads);
  if (threadIdx.x == 0) {
    T = Api::arriveExpect(Full, Right ? Bytes : 2 * Bytes);
    Ptx::load(Tile, In, Bytes, reinterpret_cast<uint64_t &>(Full));
  } else {
    T = Api::arrive(Full);
  }
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(arriveExpect)
PAIR(arriveExpect, Ptx)
PAIR(arriveExpect, CudaPtx)
PAIR(arriveExpect, Barrier)

//--- mbarrier.expect_tx

BODY(expect) {
  TILE(Api);
  begin<Api>(Full, Threads);
  if (threadIdx.x == 0) {
    Api::expect(Full, Right ? Bytes : 2 * Bytes);
    Ptx::load(Tile, In, Bytes, reinterpret_cast<uint64_t &>(Full));
  }
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(expect)
PAIR(expect, Ptx)
PAIR(expect, CudaPtx)
PAIR(expect, Barrier)

BODY(expectLate) {
  TILE(Api);
  begin<Api>(Full, Threads);
  T = Api::arrive(Full);
  __syncthreads();
  if (threadIdx.x == 0) {
    Api::expect(Full, Bytes);
    Ptx::load(Tile, In, Bytes, reinterpret_cast<uint64_t &>(Full));
  }
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(expectLate, bad, false)
USE(expectLate_bad, Ptx)
USE(expectLate_bad, CudaPtx)
USE(expectLate_bad, Barrier)

//--- mbarrier.complete_tx

BODY(completeTx) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  if (threadIdx.x == 0) {
    Api::expect(Full, Right ? 16 : 32);
    ASM("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(
            at(&Full)));
  }
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(completeTx)
PAIR(completeTx, Ptx)

//--- mbarrier.arrive_drop
// On an H100 the phase that 32 of 128 are dropped in still waits for 128 arrivals, the
// next for 96, whether 32 threads drop one each or one drops 32.

BODY(drop) {
  TILE(Api);
  begin<Api>(Full, Threads);
  for (int Round = 0; Round < 2; ++Round) {
    if (threadIdx.x >= 96) {
      if (Round == 0 && Right)
        Api::drop(Full);
      if (Round == 0 && !Right)
        Api::arrive(Full);
      continue;
    }
    bring(Tile, In, Full);
    T = Api::arrive(Full);
    Api::wait(Full, T);
    Out[threadIdx.x] = Tile[threadIdx.x];
    asm volatile("bar.sync 1, 96;" ::: "memory");
  }
}
KERNELS(drop)
PAIR(drop, Ptx)
PAIR(drop, Barrier)
PAIR(drop, Primitives)
PAIR(drop, Awbarrier)
PAIR_BUILTINS(drop)

BODY(dropSeveral) {
  TILE(Api);
  begin<Api>(Full, Threads);
  if (threadIdx.x == 96)
    Api::dropSeveral(Full, Right ? 32 : 31);
  for (int Round = 0; Round < 2 && threadIdx.x < 96; ++Round) {
    bring(Tile, In, Full);
    T = Api::arrive(Full);
    Api::wait(Full, T);
    Out[threadIdx.x] = Tile[threadIdx.x];
    asm volatile("bar.sync 1, 96;" ::: "memory");
  }
}
KERNELS(dropSeveral)
PAIR(dropSeveral, Ptx)

//--- arrive_and_wait

BODY(arriveAndWait) {
  TILE(Api);
  begin<Api>(Full, Right ? Threads : Threads + 1);
  bring(Tile, In, Full);
  Api::arriveAndWait(Full);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(arriveAndWait)
PAIR(arriveAndWait, Barrier)
PAIR(arriveAndWait, Awbarrier)

//--- mbarrier.test_wait, timed_wait

BODY(testWait) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  if (Right)
    while (!Api::testWait(Full, T))
      ;
  else
    Api::testWait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(testWait)
PAIR(testWait, Ptx)
PAIR(testWait, CudaPtx)
PAIR(testWait, Primitives)
PAIR(testWait, Awbarrier)
PAIR_BUILTINS(testWait)

//--- mbarrier.try_wait

BODY(tryWait) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  if (Right)
    while (!Api::tryWait(Full, T))
      ;
  else
    Api::tryWait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(tryWait)
PAIR(tryWait, Ptx)
PAIR(tryWait, CudaPtx)
PAIR(tryWait, Barrier)
PAIR(tryWait, Primitives)
PAIR(tryWait, Awbarrier)

//--- wait for a token, without a try

BODY(wait) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  if (Right)
    Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(wait)
PAIR(wait, Barrier)
PAIR(wait, Awbarrier)

//--- mbarrier.test_wait.parity, timed_wait_parity

BODY(testParity) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  while (!Api::testParity(Full, Right ? 0 : 1))
    ;
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(testParity)
PAIR(testParity, Ptx)
PAIR(testParity, CudaPtx)
PAIR(testParity, Primitives)
PAIR(testParity, Awbarrier)

//--- mbarrier.try_wait.parity

BODY(tryParity) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  while (!Api::tryParity(Full, Right ? 0 : 1))
    ;
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(tryParity)
PAIR(tryParity, Ptx)
PAIR(tryParity, CudaPtx)
PAIR(tryParity, Barrier)
PAIR(tryParity, Primitives)
PAIR(tryParity, Awbarrier)

//--- mbarrier.arrive.relaxed, mbarrier.try_wait.relaxed
// Limit: they count as if they released and acquired.

BODY(relaxed) {
  TILE(Api);
  __shared__ typename Api::Bar Empty;
  begin<Api>(Empty, Threads);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x];
  if (Right)
    Api::arrive(Empty);
  else
    Api::arriveRelaxed(Empty);
  while (!(Right ? Api::tryParity(Empty, 0) : Api::tryRelaxed(Empty, 0)))
    ;
  bring(Tile, In + Threads, Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[Threads + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(relaxed, ok, true)
KERNEL(relaxed, missed, false)
USE(relaxed_ok, Ptx)
USE(relaxed_missed, Ptx)

//--- mbarrier.pending_count
// Limit: what it returns is not known.

BODY(pendingCount) {
  TILE(Api);
  begin<Api>(Full, Threads);
  bring(Tile, In, Full);
  T = Api::arrive(Full);
  const uint32_t Left = Api::pendingCount(T);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[threadIdx.x] + Left;
}
KERNEL(pendingCount, ok, true)
USE(pendingCount_ok, Ptx)
USE(pendingCount_ok, Primitives)
USE(pendingCount_ok, Awbarrier)
USE_BUILTINS(pendingCount_ok)

//--- cp.async.mbarrier.arrive

BODY(copiesArrive) {
  TILE(Api);
  begin<Api>(Full, Threads);
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  if (Right)
    Api::copiesArrive(Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}
KERNELS(copiesArrive)
PAIR(copiesArrive, Ptx)
PAIR(copiesArrive, CudaPtx)
PAIR(copiesArrive, Primitives)
PAIR_BUILTINS(copiesArrive)

//--- cp.async.mbarrier.arrive.noinc

BODY(copiesArriveNoinc) {
  TILE(Api);
  begin<Api>(Full, 2 * Threads);
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  if (Right)
    Api::copiesArriveNoinc(Full);
  else
    Api::copiesArrive(Full);
  T = Api::arrive(Full);
  Api::wait(Full, T);
  Out[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}
KERNELS(copiesArriveNoinc)
PAIR(copiesArriveNoinc, Ptx)
PAIR(copiesArriveNoinc, CudaPtx)
PAIR_BUILTINS(copiesArriveNoinc)
