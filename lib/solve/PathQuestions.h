//===- PathQuestions.h - One path after the other ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that asks of each decision whether any run makes it asks of paths that
// begin alike: what the solver was given for one stays there for the next, as
// far as they have decided the same.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOLVE_PATHQUESTIONS_H
#define CPASYNC_LIB_SOLVE_PATHQUESTIONS_H

#include "lib/solve/Terms.h"
#include "lib/state/MemoizedCalls.h"
#include <optional>
#include <vector>

namespace cpasync {

class PathQuestions {
public:
  /// Until it is last asked, nobody else uses \p Solver.
  PathQuestions(const clang::ASTContext &Ctx, SharedValues &Shared,
                llvm::SMTSolver &Solver);

  /// No run decides all that was decided up to the step \p Decided of the
  /// history; of what differs by thread the first and the last are asked.
  bool isImpossible(unsigned Decided);

private:
  /// A decision, and what had been said of numbers before it.
  struct Step {
    const PastDecision *Decision;
    Terms Before;
  };
  void enter(const PastDecision *Decision);
  /// All but so many.
  void leave(size_t Kept);

  SharedValues &Shared;
  llvm::SMTSolver &Solver;
  std::optional<Terms> Now; ///< what was said of numbers
  std::vector<Step> Given;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOLVE_PATHQUESTIONS_H
