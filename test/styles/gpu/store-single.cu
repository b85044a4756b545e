//===- store-single.cu - Runs the kernel of that name ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <store-single.cu>

#include "check.h"

int main() {
  gpucheck::begin("store-single");
  const int Sizes[][2] = {{1, 1}, {1, 2}, {3, 5}, {132, 40}, {1056, 6}};
  for (const auto &Size : Sizes) {
    const int Blocks = Size[0];
    const int Rounds = Size[1];
    const size_t BlockFloats = static_cast<size_t>(Rounds) * TileFloats;
    std::vector<float> Accum(Blocks * BlockFloats);
    std::vector<float> Scale(Blocks);
    std::vector<float> Bias(Blocks);
    std::vector<double> Expected(Accum.size());
    for (int B = 0; B < Blocks; ++B) {
      Scale[B] = gpucheck::random(B + 77777777, 0.5f, 2.0f);
      Bias[B] = gpucheck::random(B + 88888888, 0.0f, 0.5f);
      for (size_t I = 0; I < BlockFloats; ++I) {
        const size_t At = B * BlockFloats + I;
        Accum[At] = gpucheck::random(At, -1.0f, 2.0f);
        Expected[At] = std::fmax(
            static_cast<double>(Accum[At]) * Scale[B] + Bias[B], 0.0);
      }
    }
    float *DAccum = gpucheck::toDevice(Accum);
    float *DScale = gpucheck::toDevice(Scale);
    float *DBias = gpucheck::toDevice(Bias);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "blocks%d,rounds%d", Blocks, Rounds);
    gpucheck::compare(
        Label, DOut, Expected,
        [&] {
          scaleBiasRelu<<<Blocks, Threads>>>(DAccum, DScale, DBias, DOut,
                                             Rounds);
          return cudaGetLastError();
        },
        /*Floor=*/1e-2); // sums near zero
    gpucheck::release({DAccum, DScale, DBias, DOut});
  }
  return gpucheck::finish();
}
