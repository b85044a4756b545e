//===- remembered-calls.cu - Calls whose result hangs on the path ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function gives the same for the same argument, unless it asks for what only
// one path has decided, or who runs it. So does one that calls it.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ int isPositive(int N) { return N > 0 ? 1 : 0; }
__device__ int slotFor(int N) { return isPositive(N); }

template <bool ReadsOther>
__device__ void copyToSlot(const float *In, float *Out, int N) {
  __shared__ float Tile[2][64];
  const int T = threadIdx.x;
  if (N > 0)
    __syncthreads();
  const int Side = isPositive(N);
  const int Slot = slotFor(N);
  __pipeline_memcpy_async(&Tile[Slot][T], &In[T], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (N > 0)
    Out[T] = Tile[ReadsOther ? 0 : 1][T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[1][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  else
    Out[T] = Tile[ReadsOther ? 1 : 0][T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0][0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
  Out[64 + T] = Tile[Slot][T] + Side;
}

KERNEL other_slot_ok(const float *In, float *Out, int N) {
  copyToSlot<true>(In, Out, N);
}

KERNEL slot_in_flight_bad(const float *In, float *Out, int N) {
// expect-note@-1: with N = 0
// expect-note@-2: with N = 1
  copyToSlot<false>(In, Out, N);
  // expect-note@-1: 'copyToSlot' called here
}

// What only hands on a number gives it, whichever number that is; what computes
// with it gives another for each.
struct Place {
  int Slot, Column;
};
__device__ const int &slotOf(const Place &P) { return P.Slot; }
__device__ Place at(int Slot, int Column) { return {Slot, Column}; }
__device__ int otherSlot(const Place &P) { return 1 - slotOf(P); }
__device__ bool isUpper() { return threadIdx.x >= 32; }

template <bool ReadsOther>
__device__ void handOn(const float *In, float *Out, int N) {
  __shared__ float Tile[2][64];
  const Place Full = at(N & 1, threadIdx.x);
  const Place Free = at(1 - (N & 1), Full.Column);
  Tile[slotOf(Full)][Full.Column] = 0;
  __pipeline_memcpy_async(&Tile[slotOf(Free)][Free.Column], &In[Full.Column],
  // expect-note@-1: copy issued here
                          4);
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[Full.Column] = Tile[slotOf(ReadsOther ? Full : Free)][Full.Column];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  Out[Full.Column] += Tile[otherSlot(Free)][Full.Column];
  __pipeline_wait_prior(0);
}

KERNEL handed_on_ok(const float *In, float *Out, int N) {
  handOn<true>(In, Out, N);
}

KERNEL handed_on_bad(const float *In, float *Out, int N) {
  handOn<false>(In, Out, N);
  // expect-note@-1: 'handOn' called here
}

// The same object, which holds something else by then.
template <bool Moves>
__device__ void readAgain(const float *In, float *Out) {
  __shared__ float Tile[2][64];
  Place P = at(0, threadIdx.x);
  Tile[1][P.Column] = 0;
  __pipeline_memcpy_async(&Tile[slotOf(P)][P.Column], &In[P.Column], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Moves)
    P.Slot = 1;
  Out[P.Column] = Tile[slotOf(P)][P.Column];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0][0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
}

KERNEL moved_ok(const float *In, float *Out) { readAgain<true>(In, Out); }

KERNEL not_moved_bad(const float *In, float *Out) { readAgain<false>(In, Out); }
// expect-note@-1: 'readAgain' called here

// It hangs on who calls.
template <bool ReadsOther>
__device__ void byThreads(const float *In, float *Out) {
  __shared__ float Tile[2][64];
  const int T = threadIdx.x;
  int Mine;
  if (T < 32)
    Mine = isUpper() ? 1 : 0;
  else
    Mine = isUpper() ? 1 : 0;
  Tile[T < 32][T] = 0;
  __pipeline_memcpy_async(&Tile[Mine][T], &In[T], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[T] = Tile[ReadsOther ? (T < 32) : (T >= 32)][T];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0][0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
}

KERNEL by_threads_ok(const float *In, float *Out) { byThreads<true>(In, Out); }

KERNEL by_threads_bad(const float *In, float *Out) {
  byThreads<false>(In, Out);
  // expect-note@-1: 'byThreads' called here
}

// It hangs on a flag that some threads have.
__device__ int slotIf(bool IsSecond) {
  if (IsSecond)
    return 1;
  return 0;
}

template <bool ReadsOther>
__device__ void byFlag(const float *In, float *Out) {
  __shared__ float Tile[2][64];
  const int T = threadIdx.x;
  const bool IsLow = T < 32, IsHigh = T >= 32;
  const int Free = slotIf(IsLow), Full = slotIf(IsHigh);
  Tile[Full][T] = 0;
  __pipeline_memcpy_async(&Tile[Free][T], &In[T], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[T] = Tile[ReadsOther ? Full : Free][T];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[1][0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
}

KERNEL by_flag_ok(const float *In, float *Out) { byFlag<true>(In, Out); }

KERNEL by_flag_bad(const float *In, float *Out) { byFlag<false>(In, Out); }
// expect-note@-1: 'byFlag' called here
