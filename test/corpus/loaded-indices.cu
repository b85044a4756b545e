//===- loaded-indices.cu - Columns that nobody knows ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index that was loaded is a column of the slot that the other terms name.
// Any column: it is in flight for certain where all of the slot is.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

__device__ __forceinline__ void fetch(float *To, const float *In, int Tile) {
  __pipeline_memcpy_async(To, &In[Tile * Threads + threadIdx.x], 4);
}

__global__ __launch_bounds__(Threads) void row_ok(const float *In,
                                                  const int *Perm, float *Out,
                                                  int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[T]];
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void row_bad(const float *In,
// expect-note@-1: with N = 1
                                                   const int *Perm, float *Out,
                                                   int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[T]];
    // expect-note@-1: thread 0 reads 'Ring' here
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void flat_ok(const float *In,
                                                   const int *Perm, float *Out,
                                                   int N) {
  __shared__ float Flat[3 * Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Flat[S * Threads + T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    const int Slot = I % 3;
    Out[I * Threads + T] = Flat[Slot * Threads + Perm[T]];
    if (I + 2 < N)
      fetch(&Flat[((I + 2) % 3) * Threads + T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void flat_bad(const float *In,
// expect-note@-1: with N = 1
                                                    const int *Perm, float *Out,
                                                    int N) {
  __shared__ float Flat[3 * Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Flat[S * Threads + T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Flat'
    __syncthreads();
    const int Slot = I % 3;
    Out[I * Threads + T] = Flat[Slot * Threads + Perm[T]];
    // expect-note@-1: thread 0 reads 'Flat' here
    if (I + 2 < N)
      fetch(&Flat[((I + 2) % 3) * Threads + T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void padded_row_ok(const float *In,
                                                         const int *Perm,
                                                         float *Out, int N) {
  __shared__ float Ring[3][Threads + 8];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[T]];
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void padded_row_bad(const float *In,
// expect-note@-1: with N = 1
                                                          const int *Perm,
                                                          float *Out, int N) {
  __shared__ float Ring[3][Threads + 8];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[T]];
    // expect-note@-1: thread 0 reads 'Ring' here
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void two_tables_ok(const float *In,
                                                         const int *Perm,
                                                         float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[Perm[T] + 1]];
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void two_tables_bad(const float *In,
// expect-note@-1: with N = 1
                                                          const int *Perm,
                                                          float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[Perm[T] + 1]];
    // expect-note@-1: thread 0 reads 'Ring' here
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void shifted_ok(const float *In,
                                                      const int *Perm,
                                                      float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[0] + T];
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void shifted_bad(const float *In,
// expect-note@-1: with N = 1
                                                       const int *Perm,
                                                       float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    Out[I * Threads + T] = Ring[I % 3][Perm[0] + T];
    // expect-note@-1: thread 0 reads 'Ring' here
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void atomic_ok(const float *In,
                                                     const int *Perm,
                                                     float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    atomicAdd(&Ring[I % 3][Perm[T]], 1.0f);
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void atomic_bad(const float *In,
// expect-note@-1: with N = 1
                                                      const int *Perm,
                                                      float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    atomicAdd(&Ring[I % 3][Perm[T]], 1.0f);
    // expect-note@-1: thread 0 reads 'Ring' here
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void scatter_ok(const float *In,
                                                      const int *Perm,
                                                      float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    Ring[I % 3][Perm[T]] = 1.0f;
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void scatter_bad(const float *In,
// expect-note@-1: with N = 1
                                                       const int *Perm,
                                                       float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    __syncthreads();
    Ring[I % 3][Perm[T]] = 1.0f;
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: thread 0 overwrites 'Ring' here, copied by thread 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while a copy into it is in flight
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void pointer_ok(const float *In,
                                                      const int *Perm,
                                                      float *Out, int N) {
  __shared__ float Flat[3 * Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Flat[S * Threads + T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    const float *Row = Flat + I % 3 * Threads;
    Out[I * Threads + T] = Row[Perm[T]];
    if (I + 2 < N)
      fetch(&Flat[((I + 2) % 3) * Threads + T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void pointer_bad(const float *In,
// expect-note@-1: with N = 1
                                                       const int *Perm,
                                                       float *Out, int N) {
  __shared__ float Flat[3 * Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Flat[S * Threads + T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Flat'
    __syncthreads();
    const float *Row = Flat + I % 3 * Threads;
    Out[I * Threads + T] = Row[Perm[T]];
    // expect-note@-1: thread 0 reads 'Flat' here
    if (I + 2 < N)
      fetch(&Flat[((I + 2) % 3) * Threads + T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void each_time_ok(const float *In,
                                                        const int *Perm,
                                                        float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
    if (S < N)
      fetch(&Ring[S][T], In, S);
    __pipeline_commit();
  }
  for (int I = 0; I < N; ++I) {
    __pipeline_wait_prior(1);
    __syncthreads();
    float Sum = 0;
    for (int J = 0; J < 4; ++J) {
      const int P = Perm[J * Threads + T];
      Sum += Ring[I % 3][P];
    }
    Out[I * Threads + T] = Sum;
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

__global__ __launch_bounds__(Threads) void each_time_bad(const float *In,
// expect-note@-1: with N = 1
                                                         const int *Perm,
                                                         float *Out, int N) {
  __shared__ float Ring[3][Threads];
  const int T = threadIdx.x;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < N)
      fetch(&Ring[S][T], In, S);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int I = 0; I < N; ++I) {
  // expect-note@-1: in the iteration of this loop with I = 0
    __pipeline_wait_prior(2);
    // expect-note@-1: wait until at most 1 group is in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    float Sum = 0;
    for (int J = 0; J < 4; ++J) {
      const int P = Perm[J * Threads + T];
      Sum += Ring[I % 3][P];
      // expect-note@-1: thread 0 reads 'Ring' here
    }
    Out[I * Threads + T] = Sum;
    if (I + 2 < N)
      fetch(&Ring[(I + 2) % 3][T], In, I + 2);
    __pipeline_commit();
  }
}

// Where the rows begin is not said: any of them may be read.
__global__ __launch_bounds__(Threads) void no_row(const float *In,
                                                  const int *Start,
                                                  float *Out) {
  __shared__ float Tile[4 * Threads];
  const int T = threadIdx.x;
  for (int I = 0; I < 2; ++I) {
    fetch(&Tile[I * Threads + T], In, I);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  Tile[3 * Threads + T] = 0;
  for (int I = 0; I < 2; ++I)
    Out[I * Threads + T] = Tile[Start[T] + I * Threads];
    // expect-skipped@-1: address of a read of 'Tile' is not known while copies into it are in flight
}
