//===- chosen-images.cu - Where only chosen numbers say what is read ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block walks down a strip of an image through a window of rows, and reads
// those beyond the edges at the edge. Which row of the window that is hangs on
// the image's height and on where the strip begins: a few rows are chosen for
// both, and the loop settles without.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

constexpr int Width = 32, Step = 4, Window = 3 * Step, Radius = 2;

template <bool Meets>
__device__ void blur(const float *Image, float *Out, int Height, int PerBlock) {
  __shared__ float Rows[Window][Width];
  const int X = threadIdx.x, Begin = blockIdx.y * PerBlock;
  if (Begin >= Height)
  // expect-note@-1: taken when this condition is false
    return;
  const int End = min(Height, Begin + PerBlock), Base = Begin - Radius;
  const int Last = min(Height, End + Radius);
  const auto Load = [&](int Batch) {
    const int Place = Batch * Step + threadIdx.y, Row = Base + Place;
    if (Row >= 0 && Row < Last)
      __pipeline_memcpy_async(&Rows[Place % Window][X], Image + Row * Width + X,
      // expect-note@-1: thread 64 (0, 2) overwrites 'Rows[2][0]' here, read by thread 0 (0, 0)
                              4);
    __pipeline_commit();
  };
  Load(0);
  Load(1);
  for (int S = 0; S < (End - Begin + Step - 1) / Step; ++S) {
  // expect-note@-1: in the iteration of this loop with S = 0
  // expect-note@-2: in the iteration of this loop with S = 1
    Load(S + 2);
    // expect-note@-1: 'Load' called here
    // expect-note@-2: a barrier belongs between the read in line +7 and this call in a later iteration
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Rows' may be overwritten while other threads still read it
    __pipeline_wait_prior(1);
    __syncthreads();
    const int Y = Begin + S * Step + threadIdx.y;
    if (Y < End) {
      float Sum = 0;
      for (int D = -Radius; D <= Radius; ++D)
        Sum += Rows[(min(max(Y + D, 0), Height - 1) - Base) % Window][X];
        // expect-note@-1: read here
      Out[Y * Width + X] = Sum;
    }
    if (Meets)
      __syncthreads();
  }
}

__global__ void __launch_bounds__(Width *Step)
    blur_ok(const float *Image, float *Out, int Height, int PerBlock) {
  blur<true>(Image, Out, Height, PerBlock);
}

__global__ void __launch_bounds__(Width *Step)
    overtakes_bad(const float *Image, float *Out, int Height, int PerBlock) {
    // expect-note@-1: with Height = 32, PerBlock = 32, blockIdx.y = 0
  blur<false>(Image, Out, Height, PerBlock);
  // expect-note@-1: 'blur' called here
}

void run(const float *Image, float *Out, int Height, int PerBlock) {
  const dim3 Grid(1, (Height + PerBlock - 1) / PerBlock), Block(Width, Step);
  blur_ok<<<Grid, Block>>>(Image, Out, Height, PerBlock);
  overtakes_bad<<<Grid, Block>>>(Image, Out, Height, PerBlock);
  // expect-note@-1: launched here with blocks of 32x4 threads
}
