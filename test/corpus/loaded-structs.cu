//===- loaded-structs.cu - Structs that are copied whole ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number in a struct that was loaded from global memory is one number
// wherever the kernel asks for it: who copies in one loop waits in the other.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

struct Params {
  const float *In;
  float *Out;
  int Tiles, Mode;
};
struct Job {
  Params P;
  int Sizes[2];
};
struct Longer : Params {
  int More;
};

#define RUN(N, From, To)                                                       \
  __shared__ float Tile[128];                                                  \
  for (int I = 0; I < N; ++I)                                                  \
    if (I == 0) {                                                              \
      __pipeline_memcpy_async(&Tile[threadIdx.x], &From[threadIdx.x], 4);      \
      __pipeline_commit();                                                     \
    }                                                                          \
  for (int I = 0; I < N; ++I)                                                  \
    if (I == 0)                                                                \
      __pipeline_wait_prior(0);                                                \
  __syncthreads();                                                             \
  if (N > 0)                                                                   \
  To[threadIdx.x] = Tile[127 - threadIdx.x]

__global__ __launch_bounds__(128) void copied_ok(const Params *All) {
  const Params P = All[blockIdx.x];
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void nested_ok(const Job *All) {
  const Job J = All[blockIdx.x];
  RUN(J.P.Tiles, J.P.In, J.P.Out);
}

__global__ __launch_bounds__(128) void array_ok(const Job *All) {
  const Job J = All[blockIdx.x];
  RUN(J.Sizes[1], J.P.In, J.P.Out);
}

__global__ __launch_bounds__(128) void part_ok(const Job *All) {
  const Params P = All[blockIdx.x].P;
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void assigned_ok(const Params *All) {
  Params P;
  P = All[blockIdx.x];
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void base_ok(const Longer *All) {
  const Longer P = All[blockIdx.x];
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void vector_ok(const int4 *All,
                                                 const float *In, float *Out) {
  const int4 P = All[blockIdx.x];
  RUN(P.y, In, Out);
}

__device__ void runOf(Params P) { RUN(P.Tiles, P.In, P.Out); }

__global__ __launch_bounds__(128) void by_value_ok(const Params *All) {
  runOf(All[blockIdx.x]);
}

__device__ void copyOf(const Params &From) {
  const Params P = From;
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void by_reference_ok(const Params *All) {
  copyOf(All[blockIdx.x]);
}

__device__ Params get(const Params *All, int I) { return All[I]; }

__global__ __launch_bounds__(128) void returned_ok(const Params *All) {
  const Params P = get(All, blockIdx.x);
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void shared_ok(const Params *All) {
  __shared__ Params Mine;
  if (threadIdx.x == 0)
    Mine = All[blockIdx.x];
  __syncthreads();
  const Params P = Mine;
  RUN(P.Tiles, P.In, P.Out);
}

__constant__ Params InConstant;

__global__ __launch_bounds__(128) void constant_ok() {
  const Params P = InConstant;
  RUN(P.Tiles, P.In, P.Out);
}

__global__ __launch_bounds__(128) void other_member_bad(const Params *All) {
  __shared__ float Tile[128];
  const Params P = All[blockIdx.x];
  if (P.Tiles > 0)
    __pipeline_memcpy_async(&Tile[threadIdx.x], &P.In[threadIdx.x], 4);
    // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (P.Mode > 0)
  // expect-note@-1: taken when this condition is false
    __pipeline_wait_prior(0);
  __syncthreads();
  // expect-note@-1: wait for all copies: insert '__pipeline_wait_prior(0);'
  if (P.Tiles > 0)
    P.Out[threadIdx.x] = Tile[127 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
