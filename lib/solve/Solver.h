//===- Solver.h - LLVM's door to an SMT solver ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOLVE_SOLVER_H
#define CPASYNC_LIB_SOLVE_SOLVER_H

#include "llvm/Support/SMTAPI.h"

namespace cpasync {

/// Null where LLVM has none.
llvm::SMTSolverRef makeSolver();

/// How many of its steps a question may take.
enum class Effort {
  Little, ///< where questions about less may answer in its place
  All
};

/// Whether all that \p Solver holds can be. A question that takes more steps
/// has no answer: which those are is the same on every machine.
std::optional<bool> check(llvm::SMTSolver &Solver, Effort Most = Effort::All);

} // namespace cpasync

#endif // CPASYNC_LIB_SOLVE_SOLVER_H
