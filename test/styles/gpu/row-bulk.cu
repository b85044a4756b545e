//===- row-bulk.cu - Runs the kernel of that name --------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <row-bulk.cu>

#include "check.h"

int main() {
  gpucheck::begin("row-bulk");
  const int Sizes[][2] = {
      {64, 1}, {10, 1}, {256, 2}, {337, 2}, {64 * 600, 132}, {64 * 900 + 3, 264}};
  for (const auto &Size : Sizes) {
    const int Rows = Size[0];
    const int Blocks = Size[1];
    std::vector<float> In(static_cast<size_t>(Rows) * Cols);
    std::vector<double> Expected(In.size());
    for (int R = 0; R < Rows; ++R)
      for (int C = 0; C < Cols; ++C) {
        const size_t At = static_cast<size_t>(R) * Cols + C;
        In[At] = gpucheck::random(At, 0.25f, 1.75f);
        Expected[static_cast<size_t>(C) * Rows + R] = In[At];
      }
    float *DIn = gpucheck::toDevice(In);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "rows%d,blocks%d", Rows, Blocks);
    gpucheck::compare(Label, DOut, Expected, [&] {
      transposeTall<<<Blocks, Threads>>>(DIn, DOut, Rows);
      return cudaGetLastError();
    });
    gpucheck::release({DIn, DOut});
  }
  return gpucheck::finish();
}
