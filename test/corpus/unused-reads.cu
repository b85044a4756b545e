//===- unused-reads.cu - Registers loaded for a step that never comes -----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each round loads the registers of the next. The load of the last round reads
// bytes that are being overwritten, by the result of a faster warp or by a copy
// that is still on its way. That does no harm while nothing uses what it
// loaded; each kernel that does is a bad one.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_fp16.h>
#include <mma.h>

constexpr int Threads = 128;
constexpr int Stages = 3;

__device__ void copy16(void *Shared, const void *Global) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// Tile T + Stages - 1 to its slot, if there is one; tile T + 1 is complete.
template <typename Slot>
__device__ void advance(Slot *Ring, const float4 *Src, int T, int Tiles) {
  const int Next = T + Stages - 1;
  if (Next < Tiles)
    copy16(&Ring[Next % Stages][threadIdx.x],
           Src + Next * Threads + threadIdx.x);
  commit();
  wait<Stages - 2>();
}
template <typename Slot>
__device__ void fill(Slot *Ring, const float4 *Src, int Tiles) {
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles)
      copy16(&Ring[S][threadIdx.x], Src + S * Threads + threadIdx.x);
    commit();
  }
  wait<Stages - 2>();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

__global__ __launch_bounds__(Threads) void scalar_ok(const float4 *Src,
                                                     float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  float Next = Ring[0][Other].x;
  for (int T = 0; T < Tiles; ++T) {
    const float Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next = Ring[(T + 1) % Stages][Other].x;
    Sum += Now * Now;
  }
  Ring[0][threadIdx.x].x = Sum;
  __syncthreads();
  Dst[threadIdx.x] = Ring[0][Other].x;
}

__global__
__launch_bounds__(Threads) void used_in_epilogue_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                     float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  float Next = Ring[0][Other].x;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    const float Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next = Ring[(T + 1) % Stages][Other].x;
    // expect-note@-1: read here
    Sum += Now * Now;
  }
  Ring[0][threadIdx.x].x = Sum;
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  __syncthreads();
  if (Next > 0.0f)
    Sum = 0.0f;
  Dst[threadIdx.x] = Ring[0][Other].x + Sum;
}

__global__
__launch_bounds__(Threads) void stored_to_global_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                     float4 *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  fill(Ring, Src, Tiles);
  __syncthreads();
  float4 Next = Ring[0][Other];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    const float4 Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next = Ring[(T + 1) % Stages][Other];
    // expect-note@-1: read here
    Dst[T * Threads + threadIdx.x] = Now;
  }
  Ring[0][threadIdx.x] = Src[threadIdx.x];
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  Dst[Tiles * Threads + threadIdx.x] = Next;
}

__device__ float length(float4 V) { return V.x * V.x + V.y * V.y; }

__global__ __launch_bounds__(Threads) void by_value_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                        float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  float4 Next = Ring[0][Other];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    const float4 Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next = Ring[(T + 1) % Stages][Other];
    // expect-note@-1: read here
    Sum += length(Now);
  }
  Ring[0][threadIdx.x].x = Sum;
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  Dst[threadIdx.x] = length(Next);
}

// The value goes from hand to hand before somebody looks at it.
__device__ float first(const float4 *From) { return From->x; }
// expect-note@-1: read here

__global__ __launch_bounds__(Threads) void returned_ok(const float4 *Src,
                                                       float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  float Next = first(&Ring[0][Other]);
  for (int T = 0; T < Tiles; ++T) {
    const float Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next = first(&Ring[(T + 1) % Stages][Other]);
    Sum += Now * Now;
  }
  Ring[0][threadIdx.x].x = Sum;
  __syncthreads();
  Dst[threadIdx.x] = Ring[0][Other].x;
}

__global__ __launch_bounds__(Threads) void handed_on_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                         float *Dst,
                                                         int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f, Last = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  float Next = first(&Ring[0][Other]);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    const float Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next = first(&Ring[(T + 1) % Stages][Other]);
    // expect-note@-1: 'first' called here
    Last = Next;
    Sum += Now * Now;
  }
  Ring[0][threadIdx.x].x = Sum;
  // expect-note@-1: a barrier belongs between the read in line -39 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  __syncthreads();
  Next = 0.0f;
  Dst[threadIdx.x] = Ring[0][Other].x + Last;
}

// Looks at it only where there is a next round.
__global__ __launch_bounds__(Threads) void used_if_there_is_more_ok(
    const float4 *Src, float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    const float Next = Ring[(T + 1) % Stages][Other].x;
    if (T + 1 < Tiles)
      Sum += Next;
  }
  Ring[0][threadIdx.x].x = Sum;
}

__global__ __launch_bounds__(Threads) void used_if_there_is_none_bad(
// expect-note@-1: with Tiles = 3
    const float4 *Src, float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  fill(Ring, Src, Tiles);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    const float Next = Ring[(T + 1) % Stages][Other].x;
    // expect-note@-1: read here
    if (T + 1 >= Tiles)
      Sum += Next;
  }
  Ring[0][threadIdx.x].x = Sum;
  // expect-note@-1: a barrier belongs between the read in line -4 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
}

//===----------------------------------------------------------------------===//
// A copy that is still on its way
//===----------------------------------------------------------------------===//

// Two slots; the copy of the last round brings a tile that nobody needs.
__global__ __launch_bounds__(Threads) void in_flight_ok(const float4 *Src,
                                                        float *Dst, int Tiles) {
  __shared__ float4 Ring[2][Threads];
  float Sum = 0.0f;
  copy16(&Ring[0][threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  float Next = Ring[0][threadIdx.x].x;
  for (int T = 0; T < Tiles; ++T) {
    const float Now = Next;
    copy16(&Ring[(T + 1) % 2][threadIdx.x],
           Src + (T + 1) * Threads + threadIdx.x);
    commit();
    if (T + 1 < Tiles)
      wait<0>();
    Next = Ring[(T + 1) % 2][threadIdx.x].x;
    Sum += Now;
  }
  wait<0>();
  Dst[threadIdx.x] = Sum;
}

__global__ __launch_bounds__(Threads) void in_flight_bad(const float4 *Src,
// expect-note@-1: with Tiles = 1
                                                         float *Dst,
                                                         int Tiles) {
  __shared__ float4 Ring[2][Threads];
  float Sum = 0.0f;
  copy16(&Ring[0][threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  float Next = Ring[0][threadIdx.x].x;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    const float Now = Next;
    copy16(&Ring[(T + 1) % 2][threadIdx.x],
    // expect-note@-1: copy issued here
           Src + (T + 1) * Threads + threadIdx.x);
    commit();
    // expect-note@-1: committed here
    if (T + 1 < Tiles)
    // expect-note@-1: taken when this condition is false
      wait<0>();
    Next = Ring[(T + 1) % 2][threadIdx.x].x;
    // expect-note@-1: thread 0 reads 'Ring[1][0].x' here
    // expect-note@-2: wait for all copies: insert 'wait<0>();'
    // expect-warning@-3{cpasync-unwaited-read}: 'Ring' may be read before the asynchronous copy into it has completed
    Sum += Now;
  }
  wait<0>();
  Dst[threadIdx.x] = Sum + Next;
}

// The wait is there, the barrier is not.
__global__ __launch_bounds__(Threads) void unsynchronized_ok(const float4 *Src,
                                                             float *Dst,
                                                             int Tiles) {
  __shared__ float4 Ring[2][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  copy16(&Ring[0][threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  float Next = Ring[0][Other].x;
  for (int T = 0; T < Tiles; ++T) {
    const float Now = Next;
    __syncthreads();
    copy16(&Ring[(T + 1) % 2][threadIdx.x],
           Src + (T + 1) * Threads + threadIdx.x);
    commit();
    wait<0>();
    if (T + 1 < Tiles)
      __syncthreads();
    Next = Ring[(T + 1) % 2][Other].x;
    Sum += Now;
  }
  Dst[threadIdx.x] = Sum;
}

__global__ __launch_bounds__(Threads) void unsynchronized_bad(const float4 *Src,
// expect-note@-1: with Tiles = 1
                                                              float *Dst,
                                                              int Tiles) {
  __shared__ float4 Ring[2][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  copy16(&Ring[0][threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  float Next = Ring[0][Other].x;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    const float Now = Next;
    __syncthreads();
    copy16(&Ring[(T + 1) % 2][threadIdx.x],
    // expect-note@-1: copy issued here
           Src + (T + 1) * Threads + threadIdx.x);
    commit();
    wait<0>();
    // expect-note@-1: its thread waits for the copy here
    if (T + 1 < Tiles)
    // expect-note@-1: taken when this condition is false
      __syncthreads();
    Next = Ring[(T + 1) % 2][Other].x;
    // expect-note@-1: a barrier belongs between the wait in line -3 and this read
    // expect-note@-2: thread 0 reads 'Ring[1][127].x' here, copied by thread 127
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Ring' may be read with no barrier after the wait for its copy
    Sum += Now;
  }
  Dst[threadIdx.x] = Sum + Next;
}

//===----------------------------------------------------------------------===//
// Arrays, members
//===----------------------------------------------------------------------===//

// The loops that compute know nothing of copies.
__global__ __launch_bounds__(Threads) void array_ok(const float4 *Src,
                                                    float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  float A[2][4], Sums[4][4] = {};
  fill(Ring, Src, Tiles);
  __syncthreads();
  for (int I = 0; I < 4; ++I)
    A[0][I] = Ring[0][(threadIdx.x + 32 * I) % Threads].x;
  for (int T = 0; T < Tiles; ++T) {
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    for (int I = 0; I < 4; ++I)
      A[(T + 1) % 2][I] =
          Ring[(T + 1) % Stages][(threadIdx.x + 32 * I) % Threads].x;
    for (int I = 0; I < 4; ++I)
      for (int J = 0; J < 4; ++J)
        Sums[I][J] += A[T % 2][I] * A[T % 2][J];
  }
  for (int I = 0; I < 4; ++I)
    Ring[0][threadIdx.x].x += Sums[I][I];
}

// One element of the wrong half.
__global__ __launch_bounds__(Threads) void array_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                     float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  float A[2][4], Sums[4][4] = {};
  fill(Ring, Src, Tiles);
  __syncthreads();
  for (int I = 0; I < 4; ++I)
    A[0][I] = Ring[0][(threadIdx.x + 32 * I) % Threads].x;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    for (int I = 0; I < 4; ++I)
      A[(T + 1) % 2][I] =
          Ring[(T + 1) % Stages][(threadIdx.x + 32 * I) % Threads].x;
          // expect-note@-1: read here
    for (int I = 0; I < 4; ++I)
      for (int J = 0; J < 4; ++J)
        Sums[I][J] += A[T % 2][I] * A[(T + (I == 3)) % 2][J];
  }
  for (int I = 0; I < 4; ++I)
    Ring[0][threadIdx.x].x += Sums[I][I];
    // expect-note@-1: a barrier belongs between the read in line -6 and this overwrite
    // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 96
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
}

struct Registers {
  float4 A;
  float B;
};

__global__ __launch_bounds__(Threads) void members_ok(const float4 *Src,
                                                      float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  Registers Next, Now;
  fill(Ring, Src, Tiles);
  __syncthreads();
  Next.A = Ring[0][Other];
  Next.B = Ring[0][Other].w;
  for (int T = 0; T < Tiles; ++T) {
    Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next.A = Ring[(T + 1) % Stages][Other];
    Next.B = Ring[(T + 1) % Stages][Other].w;
    Sum += Now.A.x * Now.B;
  }
  Ring[0][threadIdx.x].w = Sum;
}

__device__ void addTo(float &Sum, const Registers &R) { Sum += R.B; }

__global__ __launch_bounds__(Threads) void reference_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                         float *Dst,
                                                         int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  float Sum = 0.0f;
  Registers Next, Now;
  fill(Ring, Src, Tiles);
  __syncthreads();
  Next.A = Ring[0][Other];
  Next.B = Ring[0][Other].w;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    Now = Next;
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    Next.A = Ring[(T + 1) % Stages][Other];
    Next.B = Ring[(T + 1) % Stages][Other].w;
    // expect-note@-1: read here
    addTo(Sum, Now);
  }
  Ring[0][threadIdx.x].w = Sum;
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0].w' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  addTo(Sum, Next);
  Dst[threadIdx.x] = Sum;
}

//===----------------------------------------------------------------------===//
// Matrix fragments
//===----------------------------------------------------------------------===//

struct Fragment {
  uint32_t R[4];
};
struct Sums {
  float R[4];
};

__device__ void load(Fragment &To, const void *From) {
  unsigned At = static_cast<unsigned>(__cvta_generic_to_shared(From));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];\n"
               : "=r"(To.R[0]), "=r"(To.R[1]), "=r"(To.R[2]), "=r"(To.R[3])
               : "r"(At));
}
__device__ void multiply(Sums &D, const Fragment &A) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%4, %5}, "
               "{%0, %1, %2, %3};\n"
               : "+f"(D.R[0]), "+f"(D.R[1]), "+f"(D.R[2]), "+f"(D.R[3])
               : "r"(A.R[0]), "r"(A.R[1]), "r"(A.R[2]), "r"(A.R[3]));
}

__global__ __launch_bounds__(Threads) void ldmatrix_ok(const float4 *Src,
                                                       float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  Fragment Frag[2];
  Sums D = {};
  fill(Ring, Src, Tiles);
  __syncthreads();
  load(Frag[0], &Ring[0][Other]);
  for (int T = 0; T < Tiles; ++T) {
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    load(Frag[(T + 1) % 2], &Ring[(T + 1) % Stages][Other]);
    multiply(D, Frag[T % 2]);
  }
  Ring[0][threadIdx.x].x = D.R[0];
}

__global__ __launch_bounds__(Threads) void payload_call_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                            float *Dst,
                                                            int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  Fragment Frag[2];
  Sums D = {};
  fill(Ring, Src, Tiles);
  __syncthreads();
  load(Frag[0], &Ring[0][Other]);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    load(Frag[(T + 1) % 2], &Ring[(T + 1) % Stages][Other]);
    // expect-note@-1: read here
    multiply(D, Frag[T % 2]);
  }
  Ring[0][threadIdx.x].x = D.R[0];
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  multiply(D, Frag[Tiles % 2]);
  Dst[threadIdx.x] = D.R[0];
}

// All registers captured by reference; quantised weights on the way to halves.
template <int Group>
__global__ __launch_bounds__(Threads) void lambdas_ok(const float4 *Src,
                                                      float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  Fragment FragA[2];
  int4 Quantised[2];
  half2 Scales[2][4];
  Sums D[4] = {};
  auto LoadAhead = [&](int K, int T) {
    if (Group > 0)
      reinterpret_cast<float4 *>(&Scales[K % 2])[0] = Ring[T % Stages][Other];
    load(FragA[K % 2], &Ring[T % Stages][Other]);
    Quantised[K % 2] = *reinterpret_cast<int4 *>(&Ring[T % Stages][Other]);
  };
  auto Multiply = [&](int K) {
    for (int J = 0; J < 4; ++J) {
      int Quarter = reinterpret_cast<int *>(&Quantised[K % 2])[J];
      half2 Weight = __half2half2(__int2half_rn(Quarter >> 8));
      if (Group > 0)
        Weight = __hmul2(Weight, Scales[K % 2][J]);
      D[J].R[0] += __low2float(Weight);
      multiply(D[J], FragA[K % 2]);
    }
  };
  fill(Ring, Src, Tiles);
  __syncthreads();
  LoadAhead(0, 0);
  for (int T = 0; T < Tiles; ++T) {
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    LoadAhead(T + 1, T + 1);
    Multiply(T);
  }
  for (int J = 0; J < 4; ++J)
    Ring[J % Stages][threadIdx.x].x = D[J].R[0];
}

template <int Group>
__global__ __launch_bounds__(Threads) void lambdas_bad(const float4 *Src,
// expect-note@-1: in instantiation of 'lambdas_bad<0>'
// expect-note@-2: with Tiles = 3
                                                       float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  const int Other = Threads - 1 - threadIdx.x;
  Fragment FragA[2];
  int4 Quantised[2];
  Sums D[4] = {};
  auto LoadAhead = [&](int K, int T) {
    load(FragA[K % 2], &Ring[T % Stages][Other]);
    Quantised[K % 2] = *reinterpret_cast<int4 *>(&Ring[T % Stages][Other]);
    // expect-note@-1: read here
  };
  auto Multiply = [&](int K) {
    for (int J = 0; J < 4; ++J) {
      int Quarter = reinterpret_cast<int *>(&Quantised[(K + J / 3) % 2])[J];
      D[J].R[0] += __half2float(__int2half_rn(Quarter >> 8));
      multiply(D[J], FragA[K % 2]);
    }
  };
  fill(Ring, Src, Tiles);
  __syncthreads();
  LoadAhead(0, 0);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    LoadAhead(T + 1, T + 1);
    // expect-note@-1: 'LoadAhead' called here
    Multiply(T);
  }
  for (int J = 0; J < 4; ++J)
    Ring[J % Stages][threadIdx.x].x = D[J].R[0];
    // expect-note@-1: a barrier belongs between the read in line -19 and this overwrite
    // expect-note@-2: thread 0 overwrites 'Ring[0][0].x' here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
}

using namespace nvcuda;

__global__ __launch_bounds__(Threads) void wmma_ok(const float4 *Src,
                                                   float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A[2];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
  wmma::fill_fragment(B, __float2half(1.0f));
  wmma::fill_fragment(C, 0.0f);
  fill(Ring, Src, Tiles);
  __syncthreads();
  wmma::load_matrix_sync(A[0], reinterpret_cast<half *>(Ring[0]), 16);
  for (int T = 0; T < Tiles; ++T) {
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    wmma::load_matrix_sync(
        A[(T + 1) % 2], reinterpret_cast<half *>(Ring[(T + 1) % Stages]), 16);
    wmma::mma_sync(C, A[T % 2], B, C);
  }
  wmma::store_matrix_sync(reinterpret_cast<float *>(Ring[0]), C, 16,
                          wmma::mem_row_major);
}

__global__ __launch_bounds__(Threads) void wmma_bad(const float4 *Src,
// expect-note@-1: with Tiles = 3
                                                    float *Dst, int Tiles) {
  __shared__ float4 Ring[Stages][Threads];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A[2];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
  wmma::fill_fragment(B, __float2half(1.0f));
  wmma::fill_fragment(C, 0.0f);
  fill(Ring, Src, Tiles);
  __syncthreads();
  wmma::load_matrix_sync(A[0], reinterpret_cast<half *>(Ring[0]), 16);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with T = 2
    advance(Ring, Src, T, Tiles);
    __syncthreads();
    wmma::load_matrix_sync(
    // expect-note@-1: read here
        A[(T + 1) % 2], reinterpret_cast<half *>(Ring[(T + 1) % Stages]), 16);
    wmma::mma_sync(C, A[(T + 1) % 2], B, C);
  }
  wmma::store_matrix_sync(reinterpret_cast<float *>(Ring[0]), C, 16,
  // expect-note@-1: a barrier belongs between the read in line -4 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Ring[0][0]' here, read by thread 32
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
                          wmma::mem_row_major);
}

//===----------------------------------------------------------------------===//
// Paths that meet between the read and the write that races with it
//===----------------------------------------------------------------------===//

__device__ float afterBarrier(const float4 *Tile, int At) {
  __syncthreads();
  return Tile[At].x;
}

// The same read on both ways, and on none of them is it used.
__global__ __launch_bounds__(Threads) void neither_way_ok(const float4 *Src,
                                                          float *Dst,
                                                          int Flag) {
  __shared__ float4 Tile[Threads];
  const int Other = Threads - 1 - threadIdx.x;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  float Sum = 0.0f, Next;
  if (Flag) {
    Next = afterBarrier(Tile, Other);
    Sum += 1.0f;
  } else {
    Next = afterBarrier(Tile, Other);
  }
  copy16(&Tile[threadIdx.x], Src + Threads + threadIdx.x);
  commit();
  wait<0>();
  Next = Tile[threadIdx.x].x;
  Dst[threadIdx.x] = Sum + Next;
}

// One way uses it; the other is run first, and both go on from there as one.
__global__ __launch_bounds__(Threads) void one_way_bad(const float4 *Src,
// expect-note@-1: with Flag = 1
                                                       float *Dst, int Flag) {
  __shared__ float4 Tile[Threads];
  const int Other = Threads - 1 - threadIdx.x;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  float Sum = 0.0f, Next;
  if (Flag) {
  // expect-note@-1: taken when this condition is true
    Next = afterBarrier(Tile, Other);
    // expect-note@-1: read here
    Sum += Next;
  } else {
    Next = afterBarrier(Tile, Other);
  }
  copy16(&Tile[threadIdx.x], Src + Threads + threadIdx.x);
  // expect-note@-1: a barrier belongs between the read in line -5 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
  commit();
  wait<0>();
  Next = Tile[threadIdx.x].x;
  Dst[threadIdx.x] = Sum + Next;
}

__global__ __launch_bounds__(Threads) void other_way_bad(const float4 *Src,
// expect-note@-1: with Flag = 0
                                                         float *Dst,
                                                         int Flag) {
  __shared__ float4 Tile[Threads];
  const int Other = Threads - 1 - threadIdx.x;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  float Sum = 0.0f, Next;
  if (Flag) {
  // expect-note@-1: taken when this condition is false
    Next = afterBarrier(Tile, Other);
  } else {
    Next = afterBarrier(Tile, Other);
    // expect-note@-1: read here
    Sum += Next;
  }
  copy16(&Tile[threadIdx.x], Src + Threads + threadIdx.x);
  // expect-note@-1: a barrier belongs between the read in line -3 and this overwrite
  // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 127
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
  commit();
  wait<0>();
  Next = Tile[threadIdx.x].x;
  Dst[threadIdx.x] = Sum + Next;
}

// What was read ahead is overwritten, and a call after that writes the same
// array.
__device__ void loadWord(float &To, const float4 *Tile, int At) {
  To = Tile[At].x;
}

__global__ __launch_bounds__(Threads) void overwritten_ok(const float4 *Src,
                                                          float *Dst) {
  __shared__ float4 Tile[Threads];
  const int Other = Threads - 1 - threadIdx.x;
  copy16(&Tile[threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  float Ahead[2];
  loadWord(Ahead[0], Tile, Other);
  copy16(&Tile[threadIdx.x], Src + Threads + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  Ahead[0] = Tile[Other].x;
  loadWord(Ahead[1], Tile, threadIdx.x);
  Dst[threadIdx.x] = Ahead[0] + Ahead[1];
}

//===----------------------------------------------------------------------===//
// A kernel that is run twice: what its rows are is known too late
//===----------------------------------------------------------------------===//

__global__ __launch_bounds__(Threads) void
late_rows_ok(const float4 *Src, const float *Of, int N, int Tiles) {
  extern __shared__ float4 Pool[][Threads];
  __shared__ float Table[2 * 64];
  const int Other = Threads - 1 - threadIdx.x;
  Fragment Frag[2][2];
  Sums D = {};
  if (threadIdx.x < N)
    Table[threadIdx.x] = Of[threadIdx.x];
  auto Fetch = [&](int K, int From) {
    for (int I = 0; I < 2; ++I)
      load(Frag[K % 2][I], &Pool[From][(Other + I) % Threads]);
  };
  fill(Pool, Src, Tiles);
  __syncthreads();
  Fetch(0, 0);
  for (int T = 0; T < Tiles; ++T) {
    advance(Pool, Src, T, Tiles);
    __syncthreads();
    Fetch(T + 1, (T + 1) % Stages);
    multiply(D, Frag[T % 2][0]);
    multiply(D, Frag[T % 2][1]);
  }
  Pool[0][threadIdx.x].x = D.R[0];
  for (int T = 0; T < Tiles; ++T)
    if (threadIdx.x < N)
      Table[T % 2 * 64 + threadIdx.x] = Of[T * N + threadIdx.x];
}

void launchUnusedReads(const float4 *Src, float *Dst, int Tiles) {
  lambdas_ok<0><<<1, Threads>>>(Src, Dst, Tiles);
  lambdas_ok<1><<<1, Threads>>>(Src, Dst, Tiles);
  lambdas_bad<0><<<1, Threads>>>(Src, Dst, Tiles);
  // expect-note@-1: launched here with blocks of 128 threads
}
