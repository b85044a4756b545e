//===- libcu-memcpy.cu - Runs the kernel of that name ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <libcu-memcpy.cu>

#include "check.h"

int main() {
  gpucheck::begin("libcu-memcpy");
  const int Sizes[][2] = {{1, 1}, {2, 1}, {50, 7}, {3000, 132}, {6001, 528}};
  for (const auto &Size : Sizes) {
    const int Count = Size[0];
    const int Blocks = Size[1];
    std::vector<float> In(static_cast<size_t>(Count) * MatrixFloats);
    std::vector<double> Expected(In.size());
    for (int M = 0; M < Count; ++M)
      for (int Y = 0; Y < Side; ++Y)
        for (int X = 0; X < Side; ++X) {
          const size_t Base = static_cast<size_t>(M) * MatrixFloats;
          In[Base + Y * Side + X] =
              gpucheck::random(Base + Y * Side + X, 0.25f, 1.75f);
          Expected[Base + X * Side + Y] = In[Base + Y * Side + X];
        }
    float *DIn = gpucheck::toDevice(In);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "count%d,blocks%d", Count, Blocks);
    gpucheck::compare(Label, DOut, Expected, [&] {
      return transposeMatrices(DIn, DOut, Count, Blocks, nullptr);
    });
    gpucheck::release({DIn, DOut});
  }
  return gpucheck::finish();
}
