//===- split-ranges.cu - Ends that long expressions give ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks share the tiles of a sum. Where a block begins and ends hangs on so
// much that the numbers are given names; what begins there goes by the same one.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Threads = 128;

template <int Stages, bool IsWrong>
__device__ void sumPart(const float4 *In, float *Out, int Elements) {
  __shared__ float4 Ring[Stages][Threads];
  const int Total = Elements / 16;
  const int Each = (Total + gridDim.z - 1) / gridDim.z;
  const int Begin = min(Total, (int)blockIdx.z * Each);
  const int End = min(Total, Begin + Each);
  int Write = 0, Read = 0, Next = Begin;
  auto Push = [&] {
    __pipeline_memcpy_async(&Ring[Write][threadIdx.x],
                            In + Next * Threads + threadIdx.x, 16);
    Write = Write + 1 == Stages ? 0 : Write + 1;
  };
  for (int S = 0; S < Stages - 1; ++S, ++Next) {
  // expect-note@-1: in the iteration of this loop with S = 0
    if (Next < End)
      Push();
      // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  float Sum = 0;
  for (int T = Begin; T < End; ++T, ++Next) {
  // expect-note@-1: in the first iteration of this loop
    __pipeline_wait_prior(IsWrong ? Stages - 1 : Stages - 2);
    // expect-note@-1: leave at most 1 group in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Ring'
    __syncthreads();
    if (Next < End)
      Push();
    __pipeline_commit();
    Sum += Ring[Read][threadIdx.x ^ 1].x;
    // expect-note@-1: thread 0 reads 'Ring[0][1].x' here, copied by thread 1
    Read = Read + 1 == Stages ? 0 : Read + 1;
  }
  atomicAdd(Out + threadIdx.x, Sum);
}
__global__ __launch_bounds__(Threads) void three_ok(const float4 *In,
                                                    float *Out, int Elements) {
  sumPart<3, false>(In, Out, Elements);
}
__global__ __launch_bounds__(Threads) void five_ok(const float4 *In, float *Out,
                                                   int Elements) {
  sumPart<5, false>(In, Out, Elements);
}
__global__ __launch_bounds__(Threads) void three_bad(const float4 *In,
                                                     float *Out, int Elements) {
  sumPart<3, true>(In, Out, Elements);
  // expect-note@-1: 'sumPart' called here
}
