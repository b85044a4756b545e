//===- choices.cu - Pointers to one of several arrays --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which array is read or copied to hangs on the thread, on a round or on what
// the kernel was given.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 64;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(                             \
      const float4 *Src, float *Dst, const int *Flags, int N)

__device__ void copy(void *To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
  // expect-skipped@-1: which array the copy goes to is not known
               :
               : "r"((unsigned)__cvta_generic_to_shared(To)), "l"(From));
}
__device__ void commit() { __pipeline_commit(); }
template <int N> __device__ void wait() { __pipeline_wait_prior(N); }

//===----------------------------------------------------------------------===//
// By a number that the kernel was given
//===----------------------------------------------------------------------===//

KERNEL(either_bad) {
// expect-note@-1: with N = 1
  __shared__ float4 A[Threads], B[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float4 *From = N ? A : B;
  Dst[threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'A[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'A' may be read before the asynchronous copy into it has completed
  wait<0>();
}
KERNEL(either_ok) {
  __shared__ float4 A[Threads], B[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  commit();
  const float4 *From = N ? A : B;
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
}
KERNEL(branch_bad) {
// expect-note@-1: with N = 1
  __shared__ float4 A[Threads], B[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float4 *From = B;
  if (N)
    From = A;
  Dst[threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'A[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'A' may be read before the asynchronous copy into it has completed
  wait<0>();
}
KERNEL(reference_bad) {
// expect-note@-1: with N = 1
  __shared__ float4 A[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  float4 Mine = {};
  const float4 &From = N ? A[Threads - 1 - threadIdx.x] : Mine;
  Dst[threadIdx.x] = From.x;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'A[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'A' may be read before the asynchronous copy into it has completed
  wait<0>();
}
KERNEL(global_bad) {
// expect-note@-1: with N = 1
  __shared__ float4 A[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float4 *From = N ? &A[Threads - 1 - threadIdx.x] : Src;
  Dst[threadIdx.x] = From->x;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'A[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'A' may be read before the asynchronous copy into it has completed
  wait<0>();
}
KERNEL(null_bad) {
// expect-note@-1: with N = 1
  __shared__ float4 A[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float4 *From = N ? &A[Threads - 1 - threadIdx.x] : nullptr;
  if (From)
  // expect-note@-1: taken when this condition is true
    Dst[threadIdx.x] = From->x;
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'A[63].x' here, copied by thread 63
    // expect-warning@-3{cpasync-unwaited-read}: 'A' may be read before the asynchronous copy into it has completed
  wait<0>();
}
KERNEL(swapped_ok) {
  __shared__ float4 A[Threads], B[Threads];
  float4 *To = N & 1 ? A : B, *From = N & 1 ? B : A;
  copy(&To[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = 1; T < N; ++T) {
    float4 *Filled = To;
    To = From;
    From = Filled;
    wait<0>();
    __syncthreads();
    copy(&To[threadIdx.x], Src + T * Threads + threadIdx.x);
    commit();
    Dst[T * Threads + threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
  }
  wait<0>();
}
KERNEL(swapped_bad) {
// expect-note@-1: with N = 3
  __shared__ float4 A[Threads], B[Threads];
  float4 *To = N & 1 ? A : B, *From = N & 1 ? B : A;
  copy(&To[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = 1; T < N; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
  // expect-note@-2: in the iteration of this loop with T = 2
    float4 *Filled = To;
    To = From;
    From = Filled;
    copy(&To[threadIdx.x], Src + T * Threads + threadIdx.x);
    // expect-note@-1: a barrier belongs between the read in line +4 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'A[0]' here, read by thread 63
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'A' may be overwritten while other threads still read it
    commit();
    wait<1>();
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
    // expect-note@-1: read here
  }
  wait<0>();
}

//===----------------------------------------------------------------------===//
// By the round
//===----------------------------------------------------------------------===//

KERNEL(toggled_ok) {
  __shared__ float4 A[Threads], B[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = 0; T < N; ++T) {
    float4 *From = T & 1 ? B : A, *To = T & 1 ? A : B;
    wait<0>();
    __syncthreads();
    if (T + 1 < N)
      copy(&To[threadIdx.x], Src + (T + 1) * Threads + threadIdx.x);
    commit();
    Dst[T * Threads + threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
  }
}
KERNEL(toggled_bad) {
// expect-note@-1: with N = 3
  __shared__ float4 A[Threads], B[Threads];
  copy(&A[threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = 0; T < N; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    float4 *From = T & 1 ? B : A, *To = T & 1 ? A : B;
    if (T + 1 < N)
      copy(&To[threadIdx.x], Src + (T + 1) * Threads + threadIdx.x);
      // expect-note@-1: a barrier belongs between the read in line +4 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'A[0]' here, read by thread 63
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'A' may be overwritten while other threads still read it
    commit();
    wait<1>();
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = From[Threads - 1 - threadIdx.x].x;
    // expect-note@-1: read here
  }
}
// Which element is copied first is not known, and so which one all others are.
KERNEL(table_ok) {
  __shared__ float4 A[Threads], B[Threads], C[Threads];
  float4 *Ring[3] = {A, B, C};
  const int First = Flags[0];
  copy(&Ring[First % 3][threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = First; T < N; ++T) {
    if (T + 1 < N)
      copy(&Ring[(T + 1) % 3][threadIdx.x], Src + T * Threads + threadIdx.x);
    commit();
    wait<1>();
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Ring[T % 3][Threads - 1 - threadIdx.x].x;
    // expect-skipped@-1: which array is read is not known
  }
}

//===----------------------------------------------------------------------===//
// By the thread
//===----------------------------------------------------------------------===//

KERNEL(warps_bad) {
  __shared__ float4 A[32], B[32];
  const int Lane = threadIdx.x % 32;
  float4 *Mine = threadIdx.x < 32 ? A : B, *Theirs = threadIdx.x < 32 ? B : A;
  copy(&Mine[Lane], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  Dst[threadIdx.x] = Theirs[31 - Lane].x;
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'B[31].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'B' is read with no barrier after the wait for its copy
}
KERNEL(warps_ok) {
  __shared__ float4 A[32], B[32];
  const int Lane = threadIdx.x % 32;
  float4 *Mine = threadIdx.x < 32 ? A : B, *Theirs = threadIdx.x < 32 ? B : A;
  copy(&Mine[Lane], Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Theirs[31 - Lane].x;
}
KERNEL(stored_bad) {
  __shared__ float4 A[32], B[32];
  const int Lane = threadIdx.x % 32;
  float4 *Mine = threadIdx.x < 32 ? A : B, *Theirs = threadIdx.x < 32 ? B : A;
  copy(&Mine[Lane], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  Theirs[Lane].x = 0;
  // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
  // expect-note@-2: thread 0 overwrites 'B[0].x' here, copied by thread 32
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'B' is overwritten while a copy into it is in flight
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Mine[Lane].x;
}
KERNEL(loaded_flag_ok) {
  __shared__ float4 A[Threads], B[Threads];
  float4 *To = Flags[threadIdx.x] ? A : B;
  copy(&To[threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  Dst[threadIdx.x] = To[threadIdx.x].x;
}
KERNEL(loaded_flag_bad) {
  __shared__ float4 A[Threads], B[Threads];
  float4 *To = Flags[threadIdx.x] ? A : B;
  copy(&To[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  Dst[threadIdx.x] = To[threadIdx.x].x;
  // expect-note@-1: thread 0 reads 'A[0].x' here
  // expect-note@-2: wait for all copies: insert 'wait<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'A' may be read before the asynchronous copy into it has completed
  wait<0>();
}
KERNEL(three_bad) {
// expect-note@-1: with N = 0
  __shared__ float4 A[32], B[32], C[32];
  const int Lane = threadIdx.x % 32;
  float4 *To = N > 2 ? A : threadIdx.x < 32 ? B : C;
  copy(&To[Lane], Src + Lane);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  Dst[threadIdx.x] = C[Lane].x;
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 32 reads 'C[0].x' here
  // expect-warning@-3{cpasync-unwaited-read}: 'C' may be read before the asynchronous copy into it has completed
  wait<0>();
}
