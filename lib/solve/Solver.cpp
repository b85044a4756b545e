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

/// Z3 counts them as "rlimit": about 40 ms.
[[maybe_unused]] static constexpr unsigned MaxSteps = 200000;

llvm::SMTSolverRef cpasync::makeSolver() {
#if LLVM_WITH_Z3
  llvm::SMTSolverRef Solver = llvm::CreateZ3Solver();
  if (Solver)
    Solver->setUnsignedParam("rlimit", MaxSteps);
  return Solver;
#else
  return nullptr; // asked for one, LLVM would end the process
#endif
}
