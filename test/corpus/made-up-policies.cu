//===- made-up-policies.cu - Policies that nothing instantiates ----------- ===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of a library is given its numbers by a class, and the class is a
// template. What its assertions and constants ask for is found before Clang is
// asked; instances differ, as a wait may be right for one number of stages.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

template <int Threads_, int Chunk_, int Stages_> struct Lines {
  static constexpr int Threads = Threads_, Chunk = Chunk_, Stages = Stages_;
  static_assert(Chunk % 4 == 0, "whole lines");
};

// No number is the only one with rest 0: Chunk = 0 copies nothing.
template <class P, bool Ends>
__device__ void sumLines(const float *In, float *Out, int Tiles) {
  __shared__ alignas(16) float Ring[P::Stages][P::Chunk];
  const auto Fetch = [&](int T) {
    if (T < Tiles)
      for (int I = threadIdx.x * 4; I < P::Chunk; I += P::Threads * 4)
      // expect-note@-1: in the first iteration of this loop
        __pipeline_memcpy_async(&Ring[T % P::Stages][I], In + T * P::Chunk + I,
        // expect-note@-1: thread 32 overwrites 'Ring[0][128]' here, read by thread 127
                                16);
    __pipeline_commit();
  };
  for (int T = 0; T < P::Stages; ++T)
    Fetch(T);
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    __pipeline_wait_prior(P::Stages - 1);
    __syncthreads();
    for (int I = threadIdx.x; I < P::Chunk; I += P::Threads)
      Sum += Ring[T % P::Stages][P::Chunk - 1 - I];
      // expect-note@-1: read here
    if (Ends)
      __syncthreads();
    Fetch(T + P::Stages);
    // expect-note@-1: 'Fetch' called here
    // expect-note@-2: a barrier belongs between the read in line -3 and this call
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
  }
  Out[blockIdx.x * P::Threads + threadIdx.x] = Sum;
}
template <class P>
__global__ void __launch_bounds__(P::Threads)
lines_ok(const float *In, float *Out, int Tiles) {
  sumLines<P, true>(In, Out, Tiles);
}
template <class P>
__global__ void __launch_bounds__(P::Threads)
lines_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: instantiated with P = Lines<128, 256, 2>, as nothing in this file does
// expect-note@-2: with Tiles = 3
  sumLines<P, false>(In, Out, Tiles);
  // expect-note@-1: 'sumLines' called here
}

// Right for three stages, and for no other number.
template <int Stages_> struct Deep {
  static constexpr int Stages = Stages_;
  static_assert(Stages >= 3 && Stages < 9, "two are ahead");
};
template <class P>
__global__ void __launch_bounds__(128)
three_stages_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: instantiated with P = Deep<4>, as nothing in this file does
// expect-note@-2: with Tiles = 1
  __shared__ float Ring[P::Stages][128];
  const int I = threadIdx.x;
  for (int T = 0; T < P::Stages - 1; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    if (T < Tiles)
      __pipeline_memcpy_async(&Ring[T][I], In + T * 128 + I, 4);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
    __pipeline_wait_prior(P::Stages == 3 ? 1 : 3);
    // expect-note@-1: leave at most 2 groups in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 3 groups in flight, but only 2 may be newer than the copy into 'Ring'
    __syncthreads();
    Out[T * 128 + I] = Ring[T % P::Stages][127 - I];
    // expect-note@-1: thread 0 reads 'Ring[0][127]' here, copied by thread 127
    __syncthreads();
    if (const int Next = T + P::Stages - 1; Next < Tiles)
      __pipeline_memcpy_async(&Ring[Next % P::Stages][I], In + Next * 128 + I,
                              4);
    __pipeline_commit();
  }
}

// What the kernel does with a member is asked of what the class is given for
// it; and a shift has to be one.
struct Larger {
  static constexpr float First = 0;
  __device__ float operator()(float A, float B) const { return A < B ? B : A; }
};
template <class Op_, int Bits> struct Scan {
  using Op = Op_;
  static constexpr int Items = 1 << Bits;
};
template <class P>
__global__ void __launch_bounds__(64) scan_bad(const float *In, float *Out) {
// expect-note@-1: instantiated with P = Scan<Larger, 8>, as nothing in this file does
  __shared__ float Tile[P::Items];
  const typename P::Op Combine{};
  for (int I = threadIdx.x; I < P::Items; I += 64)
    __pipeline_memcpy_async(&Tile[I], In + I, 4);
    // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  float Most = P::Op::First;
  for (int I = threadIdx.x; I < P::Items; I += 64)
    Most = Combine(Most, Tile[I]);
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  Out[threadIdx.x] = Most;
}

// Nothing is copied with what is tried: it is not checked.
template <int Vec>
__global__ void __launch_bounds__(64) copies_later(const float *In, float *Out) {
// expect-skipped@-1: template is never instantiated: it does not copy with the arguments that were tried
  __shared__ alignas(16) float Tile[1024];
  if constexpr (Vec > 4000) {
    __pipeline_memcpy_async(&Tile[threadIdx.x * 4], In + threadIdx.x * 4, 16);
    __pipeline_commit();
  }
  Out[threadIdx.x] = Tile[threadIdx.x];
}
template <int Vec>
__global__ void __launch_bounds__(64) copies_more(const float *In, float *Out) {
// expect-skipped@-1: template is never instantiated: nothing is copied with Vec = 4
  __shared__ alignas(16) float Tile[1024];
  for (int I = 4000; I < Vec; ++I)
    __pipeline_memcpy_async(&Tile[threadIdx.x * 4], In + threadIdx.x * 4, 16);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
