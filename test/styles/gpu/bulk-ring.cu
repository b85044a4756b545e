//===- bulk-ring.cu - Runs the kernel of that name -------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <bulk-ring.cu>

#include "check.h"

int main() {
  gpucheck::begin("bulk-ring");
  const int Sizes[][2] = {
      {5, 512}, {132, 4096}, {17, 1000}, {528, 12388}, {3, 4}};
  for (const auto &Size : Sizes) {
    const int Rows = Size[0];
    const int Count = Size[1];
    std::vector<float> In(static_cast<size_t>(Rows) * Count);
    std::vector<double> Expected(Rows);
    for (int R = 0; R < Rows; ++R)
      for (int I = 0; I < Count; ++I) {
        const size_t At = static_cast<size_t>(R) * Count + I;
        // The chunks differ by size, so that mixing them up shows.
        In[At] =
            gpucheck::random(At, 0.25f, 1.75f) * (1 + (I / SlotFloats) % 5);
        Expected[R] += static_cast<double>(In[At]) * In[At];
      }
    float *DIn = gpucheck::toDevice(In);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "rows%d,count%d", Rows, Count);
    gpucheck::compare(Label, DOut, Expected, [&] {
      return launchSquareNorms(DIn, DOut, Rows, Count, nullptr);
    });
    gpucheck::release({DIn, DOut});
  }
  return gpucheck::finish();
}
