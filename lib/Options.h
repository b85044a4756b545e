//===- Options.h - What may be assumed, and what it may cost ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_OPTIONS_H
#define CPASYNC_LIB_OPTIONS_H

#include "lib/support/Budget.h"
#include "lib/support/LaunchIndex.h"
#include "lib/support/WorkDivider.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <functional>
#include <vector>

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace cpasync {

class KeptStates;

struct AnalysisOptions {
  /// Threads of a block along x, y and z where neither __launch_bounds__ nor a
  /// launch tells; at most 1024 together. 0: what the kernel suggests.
  std::array<unsigned, 3> AssumedBlock = {0, 1, 1};
  /// By name, qualified or not, with template arguments or without ("gemm",
  /// "ns::ring<3, 128>"): what the user says that a kernel is launched with. It
  /// counts before what the code says.
  LaunchIndex ToldBlocks;
  /// Launches in other files; null: none are known. They count for kernels that
  /// their own file does not launch.
  const LaunchIndex *LaunchesElsewhere = nullptr;
  /// Say what the file launches, and which kernels it does not.
  bool TellsLaunches = false;
  /// Device functions that hang on template parameters and are to be looked at,
  /// with an instance or without; kernels always are. Null: none.
  std::function<bool(const clang::FunctionDecl *)> IsAskedFor;
  /// Makes instances of those that have none, if MayMake says so; null: nothing
  /// does.
  clang::Sema *MakesInstances = nullptr;
  std::function<bool(const clang::FunctionDecl *)> MayMake;
  /// Lanes of a warp come after each other only where a barrier says so, or
  /// __syncwarp(); if not, they run in step.
  bool LanesApart = false;
  /// Elements executed per kernel before giving up (named in the gap).
  unsigned StepBudget = 4000000;
  /// States forked per kernel before giving up.
  unsigned PathBudget = 4096;
  /// Divides the kernels of the file among processes; null: all is done here.
  /// The result is the same.
  WorkDivider Divide;
  /// Of one kernel, all its runs together.
  CostLimits Cost;
  /// Looks at every state after each step: one that cannot be ends the process.
#ifdef NDEBUG
  bool Verify = false;
#else
  bool Verify = true;
#endif
  /// Where the translation unit does not compile.
  std::vector<clang::SourceLocation> ErrorLocs;
  /// Takes each line of --print-state, without its end; null: nobody does.
  std::function<void(llvm::StringRef Line)> PrintState;
  /// Have the result tell what is in flight behind each operation.
  bool TellsStates = false;
  KeptStates *States = nullptr; ///< where a root keeps them; null: nowhere
};

} // namespace cpasync

#endif // CPASYNC_LIB_OPTIONS_H
