//===- rows-of-flat-arrays.cu - Where a row ends --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ring whose slots are rows of one array, filled as far as the caller says:
// no row ends in the next. What a kernel does wrong with its rows is told.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

#define KERNEL __global__ __launch_bounds__(Threads) void

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

// The prologue says nothing of slots.
KERNEL toggle_ok(const float4 *Src, float *Dst, int N, int Tiles) {
  extern __shared__ float4 Ring[];
  int Slot = 0;
  for (int I = threadIdx.x; I < N; I += Threads)
    __pipeline_memcpy_async(Ring + I, Src + I, 16);
  __pipeline_commit();
  for (int T = 1; T <= Tiles; ++T) {
    const int Next = Slot ^ 1;
    if (T < Tiles)
      for (int I = threadIdx.x; I < N; I += Threads)
        __pipeline_memcpy_async(Ring + Next * 64 + I, Src + T * N + I, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float Sum = 0.0f;
    for (int I = threadIdx.x; I < N; I += Threads)
      Sum += Ring[Slot * 64 + N - 1 - I].x;
    Dst[T * Threads + threadIdx.x] = Sum;
    __syncthreads();
    Slot = Next;
  }
}

// Nothing keeps the slot that others still read from being filled.
KERNEL toggle_bad(const float4 *Src, float *Dst, int N, int Tiles) {
// expect-note@-1: with N = 128, Tiles = 3
  extern __shared__ float4 Ring[];
  int Slot = 0;
  for (int I = threadIdx.x; I < N; I += Threads)
    __pipeline_memcpy_async(Ring + I, Src + I, 16);
  __pipeline_commit();
  for (int T = 1; T <= Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
  // expect-note@-2: in the iteration of this loop with T = 2
    const int Next = Slot ^ 1;
    if (T < Tiles)
      for (int I = threadIdx.x; I < N; I += Threads)
      // expect-note@-1: in the first iteration of this loop
        __pipeline_memcpy_async(Ring + Next * 64 + I, Src + T * N + I, 16);
        // expect-note@-1: a barrier belongs between the read in line +6 and this overwrite in a later iteration
        // expect-note@-2: thread 0 overwrites 'Ring[0]' here, read by thread 127
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float Sum = 0.0f;
    for (int I = threadIdx.x; I < N; I += Threads)
      Sum += Ring[Slot * 64 + N - 1 - I].x;
      // expect-note@-1: read here
    Dst[T * Threads + threadIdx.x] = Sum;
    Slot = Next;
  }
}

// The wait leaves in flight what is read.
KERNEL wait_bad(const float4 *Src, float *Dst, int N, int Tiles) {
// expect-note@-1: with Tiles = 1, N = 128
  extern __shared__ float4 Ring[];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    for (int I = threadIdx.x; I < N; I += Threads)
      __pipeline_memcpy_async(Ring + T % 3 * 64 + I, Src + T * N + I, 16);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Ring' may be in the newest one
    __syncthreads();
    float Sum = 0.0f;
    for (int I = threadIdx.x; I < N; I += Threads)
      Sum += Ring[T % 3 * 64 + N - 1 - I].x;
      // expect-note@-1: thread 0 reads byte 2032 of 'Ring' here, copied by thread 127
    Dst[T * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

template <int Stages, int Row>
KERNEL stages_ok(const float *Src, float *Dst, int N, int Tiles) {
  extern __shared__ float Words[];
  auto Load = [&](int T) {
    float *Slot = Words + T % Stages * Row;
    for (int I = threadIdx.x; I < N; I += blockDim.x)
      __pipeline_memcpy_async(Slot + I, Src + T * N + I, 4);
  };
  for (int T = 0; T < Stages - 1; ++T) {
    if (T < Tiles)
      Load(T);
    __pipeline_commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    if (T + Stages - 1 < Tiles)
      Load(T + Stages - 1);
    __pipeline_commit();
    const float *Slot = Words + T % Stages * Row;
    float Sum = 0.0f;
    for (int I = threadIdx.x; I < N; I += blockDim.x)
      Sum += Slot[N - 1 - I];
    Dst[T * Threads + threadIdx.x] = Sum;
  }
}
template __global__ void stages_ok<3, 256>(const float *, float *, int, int);
template __global__ void stages_ok<4, 1024>(const float *, float *, int, int);

// Two rings in one pool, the second from where the first ends.
KERNEL two_rings_ok(const float4 *X, const float4 *Y, float *Dst, int N,
                    int Tiles) {
  extern __shared__ float4 Pool[];
  float4 *A = Pool, *B = Pool + 2 * 64;
  for (int T = 0; T <= Tiles; ++T) {
    if (T < Tiles)
      for (int I = threadIdx.x; I < N; I += Threads) {
        __pipeline_memcpy_async(&A[(T & 1) * 64 + I], X + T * N + I, 16);
        __pipeline_memcpy_async(&B[(T & 1) * 64 + I], Y + T * N + I, 16);
      }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float Sum = 0.0f;
    if (T > 0)
      for (int I = threadIdx.x; I < N; I += Threads)
        Sum += A[(T + 1 & 1) * 64 + N - 1 - I].x *
               B[(T + 1 & 1) * 64 + N - 1 - I].x;
    Dst[T * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

// One slot for two tiles in flight.
KERNEL one_slot_bad(const float4 *Src, float *Dst, int N, int Tiles) {
// expect-note@-1: with Tiles = 2, N = 128
  extern __shared__ float4 Ring[];
  int Slot = 0;
  for (int T = 0; T <= Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (T < Tiles)
      for (int I = threadIdx.x; I < N; I += Threads)
      // expect-note@-1: in the first iteration of this loop
        __pipeline_memcpy_async(Ring + Slot * 64 + I, Src + T * N + I, 16);
        // expect-note@-1: a wait for the copy belongs before this overwrite
        // expect-note@-2: copy issued here
        // expect-note@-3: thread 0 overwrites 'Ring[0]' here, copied by thread 0
        // expect-warning@-4{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while a copy into it is in flight
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float Sum = 0.0f;
    if (T > 0)
      for (int I = threadIdx.x; I < N; I += Threads)
        Sum += Ring[Slot * 64 + N - 1 - I].x;
    Dst[T * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

//===----------------------------------------------------------------------===//
// Slots that a member function finds
//===----------------------------------------------------------------------===//

template <int Slots> struct Queue {
  static constexpr int Length = 128;
  float4 *Base;
  int Head = 0, Tail = 0;

  __device__ float4 *at(int T) { return Base + T % Slots * Length; }
  __device__ void push(const float4 *Src, int N) {
    for (int I = threadIdx.x; I < N; I += Threads)
      __pipeline_memcpy_async(at(Head) + I, Src + I, 16);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    ++Head;
  }
  __device__ const float4 *front() {
    __pipeline_wait_prior(1);
    __syncthreads();
    return at(Tail);
  }
};

template <int Slots>
__device__ void throughRing(const float4 *Src, float4 *Dst, int N, int Tiles) {
  extern __shared__ float4 Pool[];
  Queue<Slots> R{Pool};
  R.push(Src, N);
  R.push(Src + N, N);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    const float4 *Tile = R.front();
    R.push(Src + (T + 2) * N, N);
    // expect-note@-1: 'push' called here
    for (int I = threadIdx.x; I < N; I += Threads)
      Dst[T * N + I] = Tile[N - 1 - I];
      // expect-note@-1: a wait for the copy and a barrier belong before this read
      // expect-note@-2: thread 0 reads 'Tile[127]' (byte 2032 of 'Pool') here, copied by thread 127
      // expect-warning@-3{cpasync-unwaited-read}: 'Pool' may be read before the asynchronous copy into it has completed
    ++R.Tail;
  }
}

KERNEL members_ok(const float4 *Src, float4 *Dst, int N, int Tiles) {
  throughRing<3>(Src, Dst, N, Tiles);
}

// The slot that is read is filled.
KERNEL members_bad(const float4 *Src, float4 *Dst, int N, int Tiles) {
// expect-note@-1: with N = 128, Tiles = 1
  throughRing<2>(Src, Dst, N, Tiles);
  // expect-note@-1: 'throughRing' called here
}

//===----------------------------------------------------------------------===//
// Lines of a tile
//===----------------------------------------------------------------------===//

__global__ __launch_bounds__(128) void lines_ok(const float *Src, float *Dst,
                                                int Rows, int Columns,
                                                int Stride) {
  __shared__ float Tile[2 * 32 * 33];
  for (int T = 0; T < 2; ++T) {
    float *Half = Tile + T * 32 * 33;
    for (int R = threadIdx.y; R < Rows; R += blockDim.y)
      for (int C = threadIdx.x; C < Columns; C += blockDim.x)
        __pipeline_memcpy_async(&Half[R * 33 + C],
        // expect-skipped@-1: no block that was tried fits: of 32x4 threads, thread 0 accesses 'Tile' beyond its end
                                Src + T * Rows * Stride + R * Stride + C, 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  float Sum = 0.0f;
  for (int C = 0; C < Columns; ++C)
    Sum += Tile[threadIdx.x * 33 + C];
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int C = 0; C < Columns; ++C)
    Sum += Tile[32 * 33 + threadIdx.x * 33 + C];
  Dst[threadIdx.x] = Sum;
}

// Nine lines of sixteen where a slot has eight: the kernel says so itself.
KERNEL lines_bad(const float4 *Src, float4 *Dst, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[2 * 8 * 16];
  for (int T = 0; T <= Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (T < Tiles)
      for (int R = threadIdx.x / 16; R < 9; R += 8)
      // expect-note@-1: in the first iteration of this loop
      // expect-note@-2: in the second iteration of this loop
        __pipeline_memcpy_async(
        // expect-note@-1: a wait for the copy belongs before this overwrite
        // expect-note@-2: copy issued here
        // expect-note@-3: thread 0 overwrites 'Tile[128]' here, copied by thread 0
        // expect-skipped@-4: in a round of the loop, 'Tile' is left, and in a later one it is not
        // expect-warning@-5{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a copy into it is in flight
            &Tile[(T & 1) * 8 * 16 + R * 16 + threadIdx.x % 16],
            Src + T * Threads + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    if (T > 0)
      Dst[T * Threads + threadIdx.x] =
          Tile[(T + 1 & 1) * 8 * 16 + 127 - threadIdx.x];
    __syncthreads();
  }
}

//===----------------------------------------------------------------------===//
// A row for each warp, with slots in it
//===----------------------------------------------------------------------===//

KERNEL warps_ok(const float4 *Src, float4 *Dst, int N, int Tiles) {
  extern __shared__ float4 Rings[];
  float4 *Ring = Rings + threadIdx.x / 32 * 2 * 64;
  const int Lane = threadIdx.x % 32;
  for (int I = Lane; I < N; I += 32)
    __pipeline_memcpy_async(Ring + I, Src + I, 16);
  __pipeline_commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      for (int I = Lane; I < N; I += 32)
        __pipeline_memcpy_async(Ring + (T + 1) % 2 * 64 + I,
                                Src + (T + 1) * N + I, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncwarp();
    for (int I = Lane; I < N; I += 32)
      Dst[T * N + I] = Ring[T % 2 * 64 + N - 1 - I];
    __syncwarp();
  }
}

// What threads have each, in chunks of four.
KERNEL chunks_ok(const float4 *Src, float4 *Dst, int N, int Tiles) {
  extern __shared__ float4 Chunks[];
  for (int T = 0; T < Tiles; ++T) {
    for (int I = 0; I < N; ++I)
      __pipeline_memcpy_async(&Chunks[threadIdx.x * 4 + I],
                              Src + (T * Threads + threadIdx.x) * N + I, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int I = 0; I < N; ++I)
      Dst[(T * Threads + threadIdx.x) * N + I] = Chunks[threadIdx.x * 4 + I];
  }
}

// All threads together, further with each round: that is no row.
KERNEL rounds_bad(const float4 *Src, float4 *Dst, int N) {
// expect-note@-1: with N = 1
  extern __shared__ float4 Tile[];
  for (int I = 0; I < N; ++I)
    __pipeline_memcpy_async(&Tile[I * Threads + threadIdx.x],
    // expect-note@-1: copy issued here
                            Src + I * Threads + threadIdx.x, 16);
  __pipeline_commit();
  // expect-note@-1: committed here
  for (int I = 0; I < N; ++I)
    Dst[I * Threads + threadIdx.x] = Tile[I * Threads + threadIdx.x];
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  __pipeline_wait_prior(0);
}

//===----------------------------------------------------------------------===//
// Elements of a structure
//===----------------------------------------------------------------------===//

struct Stage {
  float4 Tile[64];
  float Bias[64];
};

KERNEL structures_ok(const float4 *Src, const float *Of, float *Dst, int N,
                     int Tiles) {
  __shared__ Stage Stages[2];
  for (int T = 0; T <= Tiles; ++T) {
    if (T < Tiles) {
      Stage &S = Stages[T & 1];
      for (int I = threadIdx.x; I < N; I += Threads) {
        __pipeline_memcpy_async(&S.Tile[I], Src + T * N + I, 16);
        __pipeline_memcpy_async(&S.Bias[I], Of + T * N + I, 4);
      }
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float Sum = 0.0f;
    if (T > 0)
      for (int I = threadIdx.x; I < N; I += Threads)
        Sum += Stages[T + 1 & 1].Tile[N - 1 - I].x *
               Stages[T + 1 & 1].Bias[N - 1 - I];
    Dst[T * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

//===----------------------------------------------------------------------===//
// An index that changes as it is used changes once
//===----------------------------------------------------------------------===//

// The wait is for the first two.
KERNEL increment_bad(const float4 *Src, float4 *Dst) {
  extern __shared__ float4 Chunks[];
  for (int I = 0; I < 4;) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop that begins with I = 2
    __pipeline_memcpy_async(&Chunks[threadIdx.x * 4 + I++], Src + threadIdx.x,
    // expect-note@-1: copy issued here
                            16);
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  __pipeline_wait_prior(2);
  // expect-note@-1: wait until at most 1 group is in flight
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 is newer than the copy into 'Chunks'
  Dst[threadIdx.x] = Chunks[threadIdx.x * 4 + 1];
  Dst[threadIdx.x] = Chunks[threadIdx.x * 4 + 2];
  // expect-note@-1: thread 0 reads 'Chunks[2]' here
  __pipeline_wait_prior(0);
}

//===----------------------------------------------------------------------===//
// How long rows are in global memory
//===----------------------------------------------------------------------===//

// That the last loop may end at any N says nothing of N.
KERNEL length_ok(const float *Src, float *Dst, int N, int Tiles) {
  extern __shared__ float Words[];
  for (int T = 0; T < Tiles; ++T) {
    for (int I = threadIdx.x * 4; I < N; I += Threads * 4)
      __pipeline_memcpy_async(Words + I, Src + T * N + I, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float Sum = 0.0f;
    for (int I = threadIdx.x; I < N; I += Threads)
      Sum += Words[N - 1 - I];
    Dst[T * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

KERNEL length_bad(const float *Src, float *Dst, int N, int Tiles) {
// expect-note@-1: with Tiles = 2
  extern __shared__ float Words[];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    __pipeline_memcpy_async(Words + threadIdx.x * 4,
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: assuming that 'Src' is aligned to 16 bytes
    // expect-note@-3: thread 0 uses a misaligned address here
    // expect-warning@-4{cpasync-misaligned-copy}: source 'Src' of the asynchronous copy may be 8 bytes past a multiple of 16
                            Src + T * 510 + threadIdx.x * 4, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Words[threadIdx.x];
    __syncthreads();
  }
}

// A hundred rounds are known, and then their end is not.
KERNEL late_end_ok(const float *Src, float *Dst, int N) {
  extern __shared__ float Words[];
  if (N < 100)
    return;
  __pipeline_memcpy_async(Words + threadIdx.x * 4, Src + threadIdx.x * 4, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float Sum = 0.0f;
  for (int I = 0; I < N; ++I)
    Sum += Words[I];
  Dst[threadIdx.x] = Sum;
}
