//===- reduce-store.cu - Runs the kernel of that name ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <reduce-store.cu>

#include "check.h"

int main() {
  gpucheck::begin("reduce-store");
  // Depth, part of the depth, rows, blocks that share the rows.
  const int Sizes[][4] = {{1, 1, 1, 1},
                          {3, 3, 6, 1},
                          {10, 4, 37, 2},
                          {6, 1, 1500, 22},
                          {32, 8, 400, 33}};
  for (const auto &Size : Sizes) {
    const int Depth = Size[0];
    const int DepthPart = Size[1];
    const int Rows = Size[2];
    const dim3 Grid(Size[3], (Depth + DepthPart - 1) / DepthPart);
    const size_t Layer = static_cast<size_t>(Rows) * Columns;
    std::vector<float> In(Depth * Layer);
    std::vector<double> Expected(Layer);
    for (int D = 0; D < Depth; ++D)
      for (size_t I = 0; I < Layer; ++I) {
        In[D * Layer + I] =
            gpucheck::random(D * Layer + I, 0.25f, 1.75f) * (1 + D % 5);
        Expected[I] += In[D * Layer + I];
      }
    float *DIn = gpucheck::toDevice(In);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "depth%d,part%d,rows%d,blocks%dx%d", Depth,
             DepthPart, Rows, Grid.x, Grid.y);
    gpucheck::compare(
        Label, DOut, Expected,
        [&] {
          sumDepth<<<Grid, Threads>>>(DIn, DOut, Depth, DepthPart, Rows);
          return cudaGetLastError();
        },
        1e-3, /*Fill=*/0);
    gpucheck::release({DIn, DOut});
  }
  return gpucheck::finish();
}
