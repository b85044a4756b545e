//===- structs.cu - Pipelines kept in structs and iterators ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers and counters live in members: tiles with a settable pointer, a ring
// position with index and phase, an iterator over global tiles, shared memory
// laid out as a struct.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

constexpr int Threads = 128;

struct Async {
  static __device__ void copy(void *Shared, const void *Global) {
    uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
                 "l"(Global));
  }
  static __device__ void commit() { asm volatile("cp.async.commit_group;\n"); }
  template <int N> static __device__ void wait() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
  }
};

class SharedTile {
public:
  __device__ explicit SharedTile(float4 *Ptr) : Ptr(Ptr) {}
  __device__ void set_ptr(float4 *P) { Ptr = P; }
  __device__ float4 *ptr() const { return Ptr; }
  __device__ void fill(const float4 *Global) const {
    Async::copy(Ptr + threadIdx.x, Global + threadIdx.x);
  }
  __device__ float4 operator[](int I) const { return Ptr[I]; }

private:
  float4 *Ptr;
};

__global__ __launch_bounds__(Threads) void set_pointer_ok(const float4 *Src,
                                                          float4 *Dst,
                                                          int Tiles) {
  __shared__ float4 Pool[2][Threads];
  SharedTile Ready(Pool[0]), Fill(Pool[1]);
  Ready.fill(Src);
  Async::commit();
  for (int T = 0; T < Tiles; ++T) {
    Async::wait<0>();
    __syncthreads();
    if (T + 1 < Tiles) {
      Fill.fill(Src + (T + 1) * Threads);
      Async::commit();
    }
    Dst[T * Threads + threadIdx.x] = Ready[Threads - 1 - threadIdx.x];
    float4 *Old = Ready.ptr();
    Ready.set_ptr(Fill.ptr());
    Fill.set_ptr(Old);
  }
}

template <int Stages> struct RingPosition {
  int Index = 0;
  int Phase = 0;
  __device__ RingPosition &operator++() {
    if (++Index == Stages) {
      Index = 0;
      Phase ^= 1;
    }
    return *this;
  }
};

__global__ __launch_bounds__(Threads) void index_and_phase_ok(const float4 *Src,
                                                              float4 *Dst,
                                                              int Tiles) {
  __shared__ float4 Ring[3][Threads];
  RingPosition<3> Write, Read;
  for (int S = 0; S < 2; ++S, ++Write) {
    if (S < Tiles)
      Async::copy(&Ring[Write.Index][threadIdx.x],
                  Src + S * Threads + threadIdx.x);
    Async::commit();
  }
  for (int T = 0; T < Tiles; ++T) {
    Async::wait<1>();
    __syncthreads();
    if (T + 2 < Tiles)
      Async::copy(&Ring[Write.Index][threadIdx.x],
                  Src + (T + 2) * Threads + threadIdx.x);
    Async::commit();
    ++Write;
    Dst[T * Threads + threadIdx.x] = Ring[Read.Index][127 - threadIdx.x];
    ++Read;
  }
}

class TileIterator {
public:
  __device__ TileIterator(const float4 *Base, int Stride)
      : Ptr(Base + threadIdx.x), Stride(Stride) {}
  __device__ TileIterator &operator++() {
    Ptr += Stride;
    return *this;
  }
  __device__ const float4 *operator*() const { return Ptr; }

private:
  const float4 *Ptr;
  int Stride;
};

struct Storage {
  float4 A[2][Threads];
  float4 B[2][Threads];
  float Scale[Threads];
};

__global__ __launch_bounds__(Threads) void shared_struct_ok(const float4 *A,
                                                            const float4 *B,
                                                            float *Out,
                                                            int Tiles) {
  __shared__ Storage S;
  TileIterator NextA(A, Threads), NextB(B, Threads);
  S.Scale[threadIdx.x] = 0.5f;
  Async::copy(&S.A[0][threadIdx.x], *NextA);
  Async::copy(&S.B[0][threadIdx.x], *NextB);
  Async::commit();
  float Sum = 0.0f;
  for (int T = 0; T < Tiles; ++T) {
    ++NextA;
    ++NextB;
    if (T + 1 < Tiles) {
      Async::copy(&S.A[(T + 1) & 1][threadIdx.x], *NextA);
      Async::copy(&S.B[(T + 1) & 1][threadIdx.x], *NextB);
    }
    Async::commit();
    Async::wait<1>();
    __syncthreads();
    const int Other = Threads - 1 - threadIdx.x;
    Sum += S.A[T & 1][Other].x * S.B[T & 1][Other].y * S.Scale[Other];
    __syncthreads();
  }
  Out[blockIdx.x * Threads + threadIdx.x] = Sum;
}

// A pipeline object whose methods hide the asm, kept in a local variable.
template <int Stages> class Pipeline {
public:
  __device__ Pipeline(float4 (*Slots)[Threads], const float4 *Global, int Tiles)
      : Slots(Slots), Global(Global), Tiles(Tiles) {
    for (int S = 0; S < Stages - 1; ++S)
      produce();
  }
  __device__ const float4 *acquire() {
    Async::wait<Stages - 2>();
    __syncthreads();
    return Slots[Consumed % Stages];
  }
  __device__ void release() {
    ++Consumed;
    __syncthreads();
    produce();
  }

private:
  __device__ void produce() {
    if (Produced < Tiles)
      Async::copy(&Slots[Produced % Stages][threadIdx.x],
                  Global + Produced * Threads + threadIdx.x);
    Async::commit();
    ++Produced;
  }

  float4 (*Slots)[Threads];
  const float4 *Global;
  int Tiles;
  int Produced = 0;
  int Consumed = 0;
};

__global__ __launch_bounds__(Threads) void pipeline_object_ok(const float4 *Src,
                                                              float4 *Dst,
                                                              int Tiles) {
  __shared__ float4 Slots[4][Threads];
  Pipeline<4> Pipe(Slots, Src, Tiles);
  for (int T = 0; T < Tiles; ++T) {
    const float4 *Tile = Pipe.acquire();
    Dst[T * Threads + threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
    Pipe.release();
  }
}

struct StageBuffers {
  float4 *A;
  float4 *B;
};

__global__ __launch_bounds__(Threads) void array_of_structs_ok(const float4 *A,
                                                               const float4 *B,
                                                               float *Out,
                                                               int Tiles) {
  extern __shared__ __align__(16) unsigned char Pool[];
  constexpr int Stages = 3, Bytes = Threads * sizeof(float4);
  StageBuffers Stage[Stages];
#pragma unroll
  for (int S = 0; S < Stages; ++S) {
    Stage[S].A = reinterpret_cast<float4 *>(Pool + S * 2 * Bytes);
    Stage[S].B = reinterpret_cast<float4 *>(Pool + S * 2 * Bytes + Bytes);
  }
  float Sum = 0.0f;
  for (int T = -(Stages - 1); T < Tiles; ++T) {
    int Ahead = T + Stages - 1;
    if (T >= 0) {
      Async::wait<Stages - 2>();
      __syncthreads();
    }
    if (Ahead < Tiles) {
      const StageBuffers &Fill = Stage[Ahead % Stages];
      Async::copy(&Fill.A[threadIdx.x], A + Ahead * Threads + threadIdx.x);
      Async::copy(&Fill.B[threadIdx.x], B + Ahead * Threads + threadIdx.x);
    }
    Async::commit();
    if (T >= 0) {
      const StageBuffers &Ready = Stage[T % Stages];
      Sum += Ready.A[127 - threadIdx.x].x * Ready.B[127 - threadIdx.x].x;
    }
  }
  Out[blockIdx.x * Threads + threadIdx.x] = Sum;
}

__device__ int ownRow() { return threadIdx.x; }

struct Place {
  int Row = ownRow();
  int Stage = 2 * 0;
};

__global__ __launch_bounds__(Threads) void default_members_bad(
    const float4 *Src, float4 *Dst) {
  __shared__ float4 Slots[2][Threads];
  Place At;
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with S = 1
    Async::copy(&Slots[S][At.Row], Src + S * Threads + threadIdx.x);
    // expect-note@-1: copy issued here
    Async::commit();
    // expect-note@-1: committed here as the newest group
  }
  Async::wait<1>();
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slots' was copied in the newest one
  Dst[threadIdx.x] = Slots[At.Stage][At.Row];
  Dst[Threads + threadIdx.x] = Slots[At.Stage + 1][At.Row];
  // expect-note@-1: thread 0 reads 'Slots[1][0]' here
}

__global__ __launch_bounds__(Threads) void captured_row_bad(const float4 *Src,
                                                            float4 *Dst) {
  __shared__ float4 Slots[2][Threads];
  auto At = [&, Row = ownRow()](int S) { return &Slots[S][Row]; };
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with S = 1
    Async::copy(At(S), Src + S * Threads + threadIdx.x);
    // expect-note@-1: copy issued here
    Async::commit();
    // expect-note@-1: committed here as the newest group
  }
  Async::wait<1>();
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slots' was copied in the newest one
  Dst[threadIdx.x] = *At(0);
  Dst[Threads + threadIdx.x] = *At(1);
  // expect-note@-1: thread 0 reads 'Slots[1][0]' here
}
