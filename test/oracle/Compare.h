//===- Compare.h - Do oracle and analysis agree? ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_COMPARE_H
#define CPASYNC_TEST_ORACLE_COMPARE_H

#include "Engine.h"
#include "Oracle.h"

namespace oracle {

enum class Scope {
  OwnThread,  ///< what a thread reads of its own copies
  AllThreads, ///< every defect
};

struct Disagreement {
  enum class Kind {
    FalseAlarm,   ///< a finding that no launch bears out
    Missed,       ///< a defect that no finding speaks of
    NotLookedAt,  ///< the analysis has no report
    Contradiction ///< the oracle is at odds with itself
  };
  Kind K;
  std::string Text; ///< what and, after a colon, where
  /// Shrinking a kernel should not lead to another one.
  bool isLike(const Disagreement &D) const {
    return K == D.K &&
           Text.substr(0, Text.find(':')) == D.Text.substr(0, D.Text.find(':'));
  }
};

/// Nothing if they agree, or if the analysis says that it cannot know.
std::optional<Disagreement> compare(const Kernel &K, const Verdict &V,
                                    const EngineReport &E, Scope S);

std::string describe(const Kernel &K, const EngineFinding &E);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_COMPARE_H
