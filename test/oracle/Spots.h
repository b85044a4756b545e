//===- Spots.h - All statements of a kernel, to change one ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_SPOTS_H
#define CPASYNC_TEST_ORACLE_SPOTS_H

#include "Kernel.h"

namespace oracle {

/// A statement, as its place in a block.
struct Spot {
  Block *In;
  size_t I;
  Stmt &stmt() const { return (*In)[I]; }
  void erase() const { In->erase(In->begin() + I); }
  void insert(const Block &B) const {
    In->insert(In->begin() + I, B.begin(), B.end());
  }
};

inline void collect(Block &B, std::vector<Spot> &Spots) {
  for (size_t I = 0; I < B.size(); ++I) {
    Spots.push_back({&B, I});
    collect(B[I].Body, Spots);
    collect(B[I].Else, Spots);
  }
}

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_SPOTS_H
