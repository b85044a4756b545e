//===- PureCalls.h - Calls that only compute, remembered --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept of a call while it runs and of its result; how, and which calls:
// see PureCalls.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PURECALLS_H
#define CPASYNC_LIB_PURECALLS_H

#include "Fingerprint.h"
#include "Value.h"

namespace cpasync {

/// A call that is being run for the first time with its arguments.
struct PureCall {
  unsigned *Fruitless = nullptr; ///< of the function; null: not recorded
  Fingerprint::Digest Key;
  llvm::SmallVector<const Object *, 8> Reached;
  uint64_t Noise = 0;  ///< when it began
  size_t Compared = 0; ///< the same
  unsigned Touched = 0;
};
struct PureResult {
  bool Holds = false; ///< anything is known of what it returned
  llvm::SmallVector<Cell, 1> Bytes;
  /// Cells that point to an object the arguments lead to, and which.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 1> Places;
  llvm::SmallVector<const Int *, 0> Compared;
};

} // namespace cpasync

#endif // CPASYNC_LIB_PURECALLS_H
