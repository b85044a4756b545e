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

/// Null where LLVM has none. A question that takes more than a fixed number of
/// its steps has no answer: which those are is the same on every machine.
/// Null: LLVM was built without one.
llvm::SMTSolverRef makeSolver();

/// How much it takes for an answer before there is none.
enum class Effort {
  Little, ///< what many small questions may answer in its place
  All
};

std::optional<bool> check(llvm::SMTSolver &Solver, Effort Most = Effort::All);

} // namespace cpasync

#endif // CPASYNC_LIB_SOLVE_SOLVER_H
