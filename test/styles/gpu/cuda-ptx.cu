//===- cuda-ptx.cu - Runs the kernel of that name --------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <cuda-ptx.cu>

#include "check.h"

int main() {
  gpucheck::begin("cuda-ptx");
  const int Sizes[][2] = {{4, 1},
                          {3 * 1024, 2},
                          {50 * 1024 + 100, 3},
                          {132 * 9 * 1024, 132},
                          {2000 * 1024 + 516, 264}};
  const float Alpha = 1.5f;
  const float Beta = 0.25f;
  for (const auto &Size : Sizes) {
    const int Count = Size[0];
    const int Blocks = Size[1];
    std::vector<float> X(Count);
    std::vector<double> Expected(Count);
    for (int I = 0; I < Count; ++I) {
      X[I] = gpucheck::random(I, 0.25f, 1.75f);
      Expected[I] = static_cast<double>(Alpha) * X[I] + Beta;
    }
    float *DX = gpucheck::toDevice(X);
    float *DY = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "count%d,blocks%d", Count, Blocks);
    gpucheck::compare(Label, DY, Expected, [&] {
      return launchScaleAndShift(DX, DY, Count, Alpha, Beta, Blocks, nullptr);
    });
    gpucheck::release({DX, DY});
  }
  return gpucheck::finish();
}
