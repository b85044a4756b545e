//===- raw-ptx-roles.cu - Runs the kernel of that name ---------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <raw-ptx-roles.cu>

#include "check.h"

int main() {
  gpucheck::begin("raw-ptx-roles");
  const int Sizes[][4] = {{1, 1, 1, 2},  {2, 1, 7, 2},   {7, 3, 9, 3},
                          {20, 10, 16, 4}, {66, 4, 33, 6}, {132, 3, 24, 2}};
  for (const auto &Size : Sizes) {
    const int Rows = Size[0];
    const int Panels = Size[1];
    const int Tiles = Size[2];
    const int Stages = Size[3];
    const int Depth = Tiles * TileK;
    std::vector<float> A(static_cast<size_t>(Rows) * Depth);
    std::vector<float> B(static_cast<size_t>(Panels) * Depth * TileN);
    std::vector<double> Expected(static_cast<size_t>(Rows) * Panels * TileN);
    for (size_t I = 0; I < A.size(); ++I)
      A[I] = gpucheck::random(I + 77777777, 0.25f, 1.75f) *
             (1 + (I / TileK) % 3);
    for (size_t I = 0; I < B.size(); ++I)
      B[I] =
          gpucheck::random(I, 0.25f, 1.75f) * (1 + (I / (TileK * TileN)) % 5);
    for (int R = 0; R < Rows; ++R)
      for (int P = 0; P < Panels; ++P)
        for (int K = 0; K < Depth; ++K)
          for (int C = 0; C < TileN; ++C)
            Expected[(static_cast<size_t>(R) * Panels + P) * TileN + C] +=
                static_cast<double>(A[static_cast<size_t>(R) * Depth + K]) *
                B[(static_cast<size_t>(P) * Depth + K) * TileN + C];
    float *DA = gpucheck::toDevice(A);
    float *DB = gpucheck::toDevice(B);
    float *DC = gpucheck::outputs(Expected.size());
    char Label[64];
    snprintf(Label, sizeof Label, "rows%d,panels%d,tiles%d,stages%d", Rows,
             Panels, Tiles, Stages);
    gpucheck::compare(Label, DC, Expected, [&] {
      return multiplyRows(DA, DB, DC, Rows, Panels, Tiles, Stages, nullptr);
    });
    gpucheck::release({DA, DB, DC});
  }
  return gpucheck::finish();
}
