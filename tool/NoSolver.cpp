//===- NoSolver.cpp - The static binary asks no solver --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's archives leave the Z3 solver to a shared library, which is not there:
// findings are told without the numbers that show them, and none is refuted.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/SMTAPI.h"

llvm::SMTSolverRef llvm::CreateZ3Solver() { return nullptr; }
