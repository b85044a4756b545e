//===- SizedRuns.h - Runs with sizes that were chosen -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where addresses in shared memory hang on numbers that a function is given,
// and it is not fully analysed, it is run with such numbers chosen. One choice
// that it is followed to its end with is enough to call it analysed, for these;
// what is found has to be found with another, too, as nothing tells which the
// function is for.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_SIZEDRUNS_H
#define CPASYNC_LIB_ENGINE_SIZEDRUNS_H

#include "lib/engine/Runs.h"

namespace cpasync {

/// \p First: what was found with no size chosen; some are open.
RunResult runWithSizes(AnalysedProgram &P, const AnalysisOptions &Options,
                       const RunAssumptions &Found, Budget &Cost,
                       const clang::FunctionDecl *F, const KernelReport &Empty,
                       RunResult First);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_SIZEDRUNS_H
