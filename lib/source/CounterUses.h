//===- CounterUses.h - What is asked of numbers of rounds -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_COUNTERUSES_H
#define CPASYNC_LIB_SOURCE_COUNTERUSES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace clang {
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace cpasync {

class Program;

/// What a function and those that it calls ask of numbers that count rounds:
/// the slot `K % Stages`, the phase `K / Stages & 1`, whether `K < Stages - 1`.
struct CounterUses {
  /// Longer periods are nothing that a ring has.
  static constexpr int64_t LongestPeriod = 64;

  /// The least multiple of all periods; 0: it is above LongestPeriod.
  int64_t Period = 1;
  /// No comparison with a constant has another outcome above it.
  int64_t LargestCompared = 0;

  /// Of what is computed from \p Counters, variables of \p F or its callers.
  static CounterUses in(Program &P, const clang::FunctionDecl *F,
                        llvm::ArrayRef<const clang::VarDecl *> Counters);
  /// Of a local that goes on by constants, if nothing else is asked of it: from
  /// LargestCompared on, all is as it was a period before. Else the period is
  /// 0.
  static CounterUses ofRing(Program &P, const clang::VarDecl *Counter);
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_COUNTERUSES_H
