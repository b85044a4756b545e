//===- Solver.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/solve/Solver.h"
#include "llvm/Config/llvm-config.h"

using namespace cpasync;

/// Z3 counts them as "rlimit": where products are many, all take some 200 ms.
static constexpr unsigned FewSteps = 100000, MaxSteps = 200000;

llvm::SMTSolverRef cpasync::makeSolver() {
#if LLVM_WITH_Z3
  return llvm::CreateZ3Solver();
#else
  return nullptr; // asked for one, LLVM would end the process
#endif
}

std::optional<bool> cpasync::check(llvm::SMTSolver &Solver, Effort Most) {
  Solver.setUnsignedParam("rlimit",
                          Most == Effort::Little ? FewSteps : MaxSteps);
  return Solver.check();
}
