//===- cleared-masks.cu - Predicates that a later decision clears ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `Mask = N == 1 ? 0 : Mask;`, and a copy under that: on a path that finds out
// later that N is 1, nothing was copied.
//
//===----------------------------------------------------------------------===//

__device__ __forceinline__ void copy4(float *To, const float *From,
                                      unsigned Mask) {
  const unsigned A = __cvta_generic_to_shared(To);
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0;"
               "  @p cp.async.ca.shared.global [%0], [%1], 4; }" ::"r"(A),
               "l"(From), "r"(Mask));
}

#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT_ALL() asm volatile("cp.async.wait_group 0;")

__global__ __launch_bounds__(128) void selected_ok(const float *In, float *Out,
                                                   int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  Mask = N == 1 ? 0u : Mask;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask & 1);
  COMMIT();
  if (N > 1)
    WAIT_ALL();
  if (N >= 1)
    Out[T] = Tile[T];
}

__global__ __launch_bounds__(128) void selected_bad(const float *In, float *Out,
// expect-note@-1: with N = 2, Mask = 1
                                                    int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  Mask = N == 1 ? 0u : Mask;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask & 1);
  // expect-note@-1: copy issued here
  COMMIT();
  // expect-note@-1: committed here
  if (N > 2)
  // expect-note@-1: taken when this condition is false
    WAIT_ALL();
  if (N >= 1)
    Out[T] = Tile[T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

__global__ __launch_bounds__(128) void cleared_ok(const float *In, float *Out,
                                                  int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (N == 1)
    Mask = 0;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask & 1);
  COMMIT();
  if (N > 1)
    WAIT_ALL();
  if (N >= 1)
    Out[T] = Tile[T];
}

__global__ __launch_bounds__(128) void cleared_bad(const float *In, float *Out,
// expect-note@-1: with N = 2, Mask = 1
                                                   int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  if (N == 1)
    Mask = 0;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask & 1);
  // expect-note@-1: copy issued here
  COMMIT();
  // expect-note@-1: committed here
  if (N > 2)
  // expect-note@-1: taken when this condition is false
    WAIT_ALL();
  if (N >= 1)
    Out[T] = Tile[T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

__global__ __launch_bounds__(128) void whole_ok(const float *In, float *Out,
                                                int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  Mask = N == 1 ? 0u : Mask;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask);
  COMMIT();
  if (N > 1)
    WAIT_ALL();
  if (N >= 1)
    Out[T] = Tile[T];
}

__global__ __launch_bounds__(128) void whole_bad(const float *In, float *Out,
// expect-note@-1: with N = 2, Mask = 1
                                                 int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  Mask = N == 1 ? 0u : Mask;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask);
  // expect-note@-1: copy issued here
  COMMIT();
  // expect-note@-1: committed here
  if (N > 2)
  // expect-note@-1: taken when this condition is false
    WAIT_ALL();
  if (N >= 1)
    Out[T] = Tile[T];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

__global__ __launch_bounds__(128) void shifted_ok(const float *In, float *Out,
                                                  int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  Mask = N <= 1 ? 0u : Mask;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask >> 3);
  COMMIT();
  if (N > 1)
    WAIT_ALL();
  Out[T] = Tile[T];
}

__global__ __launch_bounds__(128) void shifted_bad(const float *In, float *Out,
// expect-note@-1: with N = 2, Mask = 8
                                                   int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  Mask = N <= 1 ? 0u : Mask;
  Tile[T] = 0;
  copy4(&Tile[T], &In[T], Mask >> 3);
  // expect-note@-1: copy issued here
  COMMIT();
  // expect-note@-1: committed here
  if (N > 2)
  // expect-note@-1: taken when this condition is false
    WAIT_ALL();
  Out[T] = Tile[T];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'WAIT_ALL();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}

__global__ __launch_bounds__(128) void by_lane_ok(const float *In, float *Out,
                                                  int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  const unsigned Mine = N > 1 ? Mask >> T % 32 & 1 : 0;
  Tile[T] = 0;
  if (Mine)
    copy4(&Tile[T], &In[T], 1);
  COMMIT();
  if (N > 1)
    WAIT_ALL();
  Out[T] = Tile[T];
}

__global__ __launch_bounds__(128) void by_lane_bad(const float *In, float *Out,
// expect-note@-1: with N = 2
                                                   int N, unsigned Mask) {
  __shared__ float Tile[128];
  const int T = threadIdx.x;
  const unsigned Mine = N > 1 ? Mask >> T % 32 & 1 : 0;
  Tile[T] = 0;
  if (Mine)
    copy4(&Tile[T], &In[T], 1);
    // expect-note@-1: copy issued here
  COMMIT();
  // expect-note@-1: committed here
  if (N > 2)
  // expect-note@-1: taken when this condition is false
    WAIT_ALL();
  Out[T] = Tile[T];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert 'WAIT_ALL();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
