//===- tutorial-multistage.cu - A printed multi-stage sample, as it is ----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The multi-stage loop that tutorials print, with its logic left alone: the
// prologue fills slots 0 .. Stages-2, then the loop starts at tile Stages-1,
// computes on slot 'K % Stages', which nothing has filled yet, and only
// afterwards copies tile K into that same slot. Group counting looks right, so
// dynamic race checkers see no hazard, yet every result is wrong.
//
//===----------------------------------------------------------------------===//

#define COPY_16(Dst, Src)                                                      \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(Dst),       \
               "l"(Src), "n"(16))
#define COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT_GROUP(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))

template <int Stages>
__global__
__launch_bounds__(128) void tutorial_multistage_bad(const float4 *Data,
// expect-note@-1: in instantiation of 'tutorial_multistage_bad<2>', and in 2 more kernels
// expect-note@-2: with Tiles = 2
                                                    float4 *Out, int Tiles) {
  __shared__ float4 Buffer[Stages][128];
  int Tid = threadIdx.x;
  float4 Sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  for (int K = 0; K < Stages - 1; ++K) {
    unsigned Dst = __cvta_generic_to_shared(&Buffer[K][Tid]);
    COPY_16(Dst, &Data[K * 128 + Tid]);
    COMMIT_GROUP();
  }
  WAIT_GROUP(Stages - 2);
  __syncthreads();

  for (int K = Stages - 1; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 1
    int Stage = K % Stages;

    float4 V = Buffer[Stage][127 - Tid];
    // expect-note@-1: the copy, a wait for it and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Buffer[1][127]' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Buffer' may be read before any copy into it is issued
    Sum.x += V.x;
    Sum.y += V.y;
    Sum.z += V.z;
    Sum.w += V.w;
    __syncthreads();

    unsigned Dst = __cvta_generic_to_shared(&Buffer[Stage][Tid]);
    COPY_16(Dst, &Data[K * 128 + Tid]);
    // expect-note@-1: first copy into these bytes issued here
    COMMIT_GROUP();
    WAIT_GROUP(Stages - 2);
    __syncthreads();
  }
  Out[blockIdx.x * 128 + Tid] = Sum;
}

void launchTutorial(const float4 *Data, float4 *Out, int Tiles, int Blocks) {
  tutorial_multistage_bad<2><<<Blocks, 128>>>(Data, Out, Tiles);
  // expect-note@-1: launched here with blocks of 128 threads
  tutorial_multistage_bad<3><<<Blocks, 128>>>(Data, Out, Tiles);
  tutorial_multistage_bad<4><<<Blocks, 128>>>(Data, Out, Tiles);
}
