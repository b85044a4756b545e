//===- multicast.cu - Runs the kernel of that name -------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <multicast.cu>

#include "check.h"

int main() {
  gpucheck::begin("multicast");
  const int Sizes[][2] = {{1, 1}, {1, 2}, {3, 5}, {66, 16}, {200, 41}};
  for (const auto &Size : Sizes) {
    const int Pairs = Size[0];
    const int Tiles = Size[1];
    const int Depth = Tiles * TileRows;
    const int Rows = 2 * Pairs;
    std::vector<float> X(static_cast<size_t>(Rows) * Depth);
    std::vector<float> W(static_cast<size_t>(Depth) * TileColumns);
    std::vector<double> Expected(static_cast<size_t>(Rows) * TileColumns);
    for (size_t I = 0; I < X.size(); ++I)
      X[I] = gpucheck::random(I + 77777777, 0.25f, 1.75f);
    for (size_t I = 0; I < W.size(); ++I)
      W[I] =
          gpucheck::random(I, 0.25f, 1.75f) * (1 + (I / (TileFloats / 2)) % 5);
    for (int R = 0; R < Rows; ++R)
      for (int K = 0; K < Depth; ++K)
        for (int C = 0; C < TileColumns; ++C)
          Expected[static_cast<size_t>(R) * TileColumns + C] +=
              static_cast<double>(X[static_cast<size_t>(R) * Depth + K]) *
              W[static_cast<size_t>(K) * TileColumns + C];
    float *DX = gpucheck::toDevice(X);
    float *DW = gpucheck::toDevice(W);
    float *DOut = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "pairs%d,tiles%d", Pairs, Tiles);
    gpucheck::compare(Label, DOut, Expected, [&] {
      return launchRowsTimesTiles(DX, DW, DOut, Pairs, Tiles, nullptr);
    });
    gpucheck::release({DX, DW, DOut});
  }
  return gpucheck::finish();
}
