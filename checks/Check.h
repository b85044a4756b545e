//===- Check.h - What a check is --------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check is two functions over a finding: is it mine, and what is wrong where.
// It never walks the AST. The trace behind a finding and its fixes read the
// same for every check: Messages.h.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_CHECK_H
#define CPASYNC_CHECKS_CHECK_H

#include "lib/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cpasync {

/// The warning itself: the fact, at the place the user must look at.
struct Primary {
  clang::SourceLocation Loc;
  std::string Text;
};

enum class CheckGroup {
  Groups,      ///< commits, waits and reads: is the data there yet
  Ordering,    ///< barriers: do threads keep out of each other's way
  Lanes,       ///< the same of lanes of one warp, if they do not run in step
  Operands,    ///< one instruction's own operands
  Performance, ///< right results, late
};

struct CheckInfo {
  llvm::StringRef Name; ///< without "cpasync-"
  CheckGroup Group;
  bool OnByDefault;
  llvm::StringRef Summary;
  bool (*Owns)(const Finding &);
  Primary (*Describe)(const Finding &);
};

/// Sorted by name.
llvm::ArrayRef<CheckInfo> allChecks();

/// Options that every check has.
inline constexpr llvm::StringLiteral AnalysisOptionNames[] = {
    "AssumedThreads", "StepBudget", "PathBudget", "TimeBudget", "MemoryBudget"};

/// A boolean option of a check, off by default: findings of this kind are told
/// only if it is on.
struct CheckOption {
  llvm::StringRef Check; ///< without "cpasync-"
  llvm::StringRef Name;
  FindingKind Kind;
};
llvm::ArrayRef<CheckOption> checkOptions();

/// "groups", "ordering", "lanes", "operands", "performance".
llvm::StringRef groupName(CheckGroup Group);

// Each struct is defined in the file named after its check.
#define CHECK(Class, Name, Group, Default, Summary)                            \
  struct Class {                                                               \
    static bool owns(const Finding &F);                                        \
    static Primary describe(const Finding &F);                                 \
  };
#include "checks/Checks.def"
#undef CHECK

} // namespace cpasync

#endif // CPASYNC_CHECKS_CHECK_H
