//===- mixed-arrive.cu - Runs the kernel of that name ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <mixed-arrive.cu>

#include "check.h"

int main() {
  gpucheck::begin("mixed-arrive");
  const int Sizes[][2] = {{1, 1}, {3, 1}, {40, 3}, {1320, 132}, {4001, 264}};
  for (const auto &Size : Sizes) {
    const int TileCount = Size[0];
    const int Blocks = Size[1];
    std::vector<float> In(static_cast<size_t>(TileCount) * TileFloats);
    std::vector<float> Weights(Cols);
    std::vector<double> Expected(In.size());
    for (int C = 0; C < Cols; ++C)
      Weights[C] = gpucheck::random(C + 77777, 0.5f, 2.0f);
    for (size_t I = 0; I < In.size(); ++I) {
      In[I] = gpucheck::random(I, 0.25f, 1.75f);
      Expected[I] = static_cast<double>(In[I]) * Weights[I % Cols];
    }
    float *DIn = gpucheck::toDevice(In);
    float *DWeights = gpucheck::toDevice(Weights);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "tiles%d,blocks%d", TileCount, Blocks);
    gpucheck::compare(Label, DOut, Expected, [&] {
      return launchScaleTiles(DIn, DWeights, DOut, TileCount, Blocks, nullptr);
    });
    gpucheck::release({DIn, DWeights, DOut});
  }
  return gpucheck::finish();
}
