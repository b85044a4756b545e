//===- BlockShape.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/BlockShape.h"

using namespace cpasync;

std::string BlockShape::text() const {
  std::string Text = std::to_string(X);
  if (Y * Z > 1)
    Text += "x" + std::to_string(Y);
  if (Z > 1)
    Text += "x" + std::to_string(Z);
  Text += threadsOfBlock() == 1 ? " thread" : " threads";
  if (Cluster.Assumed)
    Text += " in clusters of " + std::to_string(Cluster.blocks()) +
            (Cluster.blocks() == 1 ? " block" : " blocks");
  return Text;
}
