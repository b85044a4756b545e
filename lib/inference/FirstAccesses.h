//===- FirstAccesses.h - Who accesses before it meets others ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that do not wait with one of their warp may be ahead of it. That only
// matters of those that access shared memory before a barrier, of whatever
// kind, holds them back: of an elected thread that waits and copies alone the
// others go to the end of the kernel. What is called is not looked into: it
// accesses first if it accesses at all.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_FIRSTACCESSES_H
#define CPASYNC_LIB_INFERENCE_FIRSTACCESSES_H

#include "lib/state/State.h"

namespace cpasync {

class FirstAccesses {
public:
  FirstAccesses(Program &P, PerThreadContext &L) : P(P), L(L) {}

  /// Of \p Threads, which wait at joins of \p C, those that may access shared
  /// memory before they come to a barrier; and those that wait at none.
  const PerThread *among(const Context &C, const PerThread *Threads);

private:
  /// What comes first on the ways from somewhere in a function.
  struct First {
    bool Accesses = false; ///< on some way, before any barrier
    bool Ends = false;     ///< on some way there is neither
  };
  First firstFrom(const clang::CFGBlock *B);
  /// In \p B itself, from \p Element on; Ends if there is neither.
  First firstIn(const clang::CFGBlock *B, unsigned Element);

  Program &P;
  PerThreadContext &L;
  llvm::DenseMap<const clang::CFGBlock *, First> FirstFrom;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_FIRSTACCESSES_H
