//===- barrier-tx.cu - Runs the kernel of that name ------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <barrier-tx.cu>

#include "check.h"

int main() {
  gpucheck::begin("barrier-tx");
  const int Sizes[][2] = {{1, 1}, {3, 2}, {7, 5}, {132, 16}, {528, 33}};
  for (const auto &Size : Sizes) {
    const int Blocks = Size[0];
    const int Chunks = Size[1];
    std::vector<float> In(static_cast<size_t>(Blocks) * Chunks * ChunkFloats);
    std::vector<float> Params(ParamFloats);
    std::vector<double> Expected(static_cast<size_t>(Blocks) * ChunkFloats);
    for (int I = 0; I < ParamFloats; ++I)
      Params[I] = gpucheck::random(I + 77777, 0.5f, 2.0f);
    for (int B = 0; B < Blocks; ++B)
      for (int C = 0; C < Chunks; ++C)
        for (int I = 0; I < ChunkFloats; ++I) {
          const size_t At =
              (static_cast<size_t>(B) * Chunks + C) * ChunkFloats + I;
          In[At] = gpucheck::random(At, 0.25f, 1.75f) * (1 + C % 5);
          Expected[static_cast<size_t>(B) * ChunkFloats + I] += In[At];
        }
    for (size_t I = 0; I < Expected.size(); ++I)
      Expected[I] *=
          static_cast<double>(Params[ChunkFloats]) * Params[I % ChunkFloats];
    float *DIn = gpucheck::toDevice(In);
    float *DParams = gpucheck::toDevice(Params);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "blocks%d,chunks%d", Blocks, Chunks);
    gpucheck::compare(Label, DOut, Expected, [&] {
      weightedSum<<<Blocks, BlockThreads>>>(DIn, DParams, DOut, Chunks);
      return cudaGetLastError();
    });
    gpucheck::release({DIn, DParams, DOut});
  }
  return gpucheck::finish();
}
