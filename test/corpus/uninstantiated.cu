//===- uninstantiated.cu - Templates as a header has them -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here instantiates them. Instances are made with arguments for which
// everything compiles, and findings say with which.
//
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

// A ring of slots; the wait counts one group too many.
template <typename T, int Stages, int TileElems>
__global__ void ring_bad(const T *In, T *Out, int Tiles) {
// expect-note@-1: assuming blocks of 128 threads
// expect-note@-2: instantiated with T = __half, Stages = 4, TileElems = 256, as nothing in this file does
// expect-note@-3: with Tiles = 1
  static_assert(Stages >= 3, "two slots are in flight");
  static_assert(sizeof(T) == 2, "pairs");
  __shared__ __align__(16) T Ring[Stages][TileElems];
  const int I = threadIdx.x * 8;
  for (int S = 0; S < Stages - 1; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (S < Tiles && I < TileElems)
      __pipeline_memcpy_async(&Ring[S][I], In + S * TileElems + I, 16);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    __pipeline_wait_prior(Stages - 1);
    // expect-note@-1: wait until at most 2 groups are in flight
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 3 groups in flight, but only 2 may be newer than the copy into 'Ring'
    __syncthreads();
    for (int J = threadIdx.x; J < TileElems; J += blockDim.x)
      Out[K * TileElems + J] = Ring[K % Stages][J];
      // expect-note@-1: thread 0 reads 'Ring[0][0]' here
    __syncthreads();
    const int Next = K + Stages - 1;
    if (Next < Tiles && I < TileElems)
      __pipeline_memcpy_async(&Ring[Next % Stages][I], In + Next * TileElems + I,
                              16);
    __pipeline_commit();
  }
}

template <typename T, int Stages, int TileElems>
__global__ void ring_ok(const T *In, T *Out, int Tiles) {
  static_assert(Stages >= 3, "two slots are in flight");
  static_assert(sizeof(T) == 2, "pairs");
  __shared__ __align__(16) T Ring[Stages][TileElems];
  const int I = threadIdx.x * 8;
  for (int S = 0; S < Stages - 1; ++S) {
    if (S < Tiles && I < TileElems)
      __pipeline_memcpy_async(&Ring[S][I], In + S * TileElems + I, 16);
    __pipeline_commit();
  }
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    for (int J = threadIdx.x; J < TileElems; J += blockDim.x)
      Out[K * TileElems + J] = Ring[K % Stages][J];
    __syncthreads();
    const int Next = K + Stages - 1;
    if (Next < Tiles && I < TileElems)
      __pipeline_memcpy_async(&Ring[Next % Stages][I], In + Next * TileElems + I,
                              16);
    __pipeline_commit();
  }
}

// How many groups may be left its caller knows.
template <int Left>
__device__ void stage_and_wait_ok(float *To, const float *From, float *Out) {
  __pipeline_memcpy_async(To + threadIdx.x, From + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(Left);
  __syncthreads();
  Out[threadIdx.x] = To[127 - threadIdx.x];
}

// A member is run for an object that its constructor has made.
template <int Rows> class Loader {
public:
  __device__ Loader(float (&Tile)[Rows][128]) : Tile(Tile) {}

  __device__ void next_bad(const float *In, float *Out) {
  // expect-note@-1: assuming blocks of 128 threads
  // expect-note@-2: instantiated with Rows = 64, as nothing in this file does
    fetch(In);
    // expect-note@-1: 'fetch' called here
    __pipeline_wait_prior(1);
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' was copied in the newest one
    *Out = Tile[Row - 1][threadIdx.x];
    // expect-note@-1: thread 0 reads byte 0 of 'Tile' here
  }
  __device__ void next_ok(const float *In, float *Out) {
    fetch(In);
    __pipeline_wait_prior(0);
    *Out = Tile[Row - 1][threadIdx.x];
  }

private:
  __device__ void fetch(const float *In) {
    __pipeline_memcpy_async(&Tile[Row][threadIdx.x], In + threadIdx.x, 4);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here as the newest group
    ++Row;
  }
  float (&Tile)[Rows][128];
  int Row = 0;
};

// Which of the copies it is given is not said: each is tried.
struct Whole {
  __device__ void operator()(float *To, const float *From) const {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(To)),
                 "l"(From));
  }
};
struct Half {
  __device__ void operator()(float *To, const float *From) const {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 8;" ::"r"(
    // expect-note@-1: copy with '.ca', which takes 4, 8 or 16 bytes
                     (unsigned)__cvta_generic_to_shared(To)),
                 "l"(From));
  }
};
template <class Copy>
__global__ void copies_with_bad(Copy Do, const float *In, float *Out) {
// expect-note@-1: instantiated with Copy = Half, as nothing in this file does
  __shared__ __align__(16) float Tile[128][4];
  Do(Tile[threadIdx.x], In + threadIdx.x * 4);
  // expect-warning@-1{cpasync-invalid-copy-size}: copy size 8 is not 16, the only one '.cg' takes
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x][0];
}
