//===- store-double.cu - Runs the kernel of that name ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <store-double.cu>

#include "check.h"

// The size of the matrix is a constant of the kernel's file; what differs is
// how many blocks share a stripe of 128 tiles.
int main() {
  gpucheck::begin("store-double");
  std::vector<float> In(static_cast<size_t>(Rows) * Cols);
  std::vector<double> Expected(In.size());
  for (size_t I = 0; I < In.size(); ++I) {
    In[I] = gpucheck::random(I, -4.0f, 4.0f);
    Expected[I] = In[I] / (1.0 + std::exp(-static_cast<double>(In[I])));
  }
  gpucheck::arm();
  float *DIn = gpucheck::toDevice(In);
  float *DOut = gpucheck::outputs(Expected.size());
  for (const int Blocks : {128, 8, 17, 200}) {
    char Label[64];
    snprintf(Label, sizeof Label, "%dx%d,blocks%d", Rows, Cols, Blocks);
    gpucheck::compare(Label, DOut, Expected, [&] {
      return siluMatrix(DIn, DOut, Blocks, nullptr);
    });
  }
  return gpucheck::finish();
}
