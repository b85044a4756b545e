//===- persistent.cu - Runs the kernel of that name ------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In angle brackets: in quotes, the name would be that of this file.
#include <persistent.cu>

#include "check.h"

// The size of the matrix is a constant of the kernel's file.
int main() {
  gpucheck::begin("persistent");
  std::vector<float> Matrix(static_cast<size_t>(MatrixRows) * MatrixColumns);
  std::vector<double> Expected(MatrixRows);
  for (int R = 0; R < MatrixRows; ++R) {
    // The tiles differ by size, and so do the steps.
    const int Factor = 1 + (R / BoxRows) % 3;
    double Sum = 0.0;
    for (int C = 0; C < MatrixColumns; ++C) {
      const size_t At = static_cast<size_t>(R) * MatrixColumns + C;
      const float Value = gpucheck::random(At, 0.25f, 1.75f) *
                          (Factor + (C / BoxColumns) % 5);
      Matrix[At] = Value;
      Sum += static_cast<double>(Value) * Value;
    }
    Expected[R] = std::sqrt(Sum / MatrixColumns);
  }
  gpucheck::arm();
  float *DMatrix = gpucheck::toDevice(Matrix);
  float *DNorms = gpucheck::outputs(Expected.size());
  char Label[64];
  snprintf(Label, sizeof Label, "%dx%d", MatrixRows, MatrixColumns);
  gpucheck::compare(Label, DNorms, Expected, [&] {
    if (launchRowNorms(DMatrix, DNorms, nullptr))
      return cudaSuccess;
    const cudaError_t Error = cudaGetLastError();
    return Error == cudaSuccess ? cudaErrorInvalidValue : Error;
  });
  return gpucheck::finish();
}
