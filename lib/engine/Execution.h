//===- Execution.h - One run, and who makes it ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_EXECUTION_H
#define CPASYNC_LIB_ENGINE_EXECUTION_H

#include "lib/engine/Executor.h"

namespace cpasync {

struct Execution {
  Execution(Program &P, const AnalysisOptions &Options, SharedValues &Shared,
            RunAssumptions Known, Budget &Cost, bool ElectLast = false)
      : Run(P, Options, Shared),
        Interp(Run, Paths, std::move(Known), ElectLast), Paths(Interp, Cost) {}
  KernelRun Run;
  Interpreter Interp;
  Executor Paths;
};

/// For another run of what has been run.
inline AnalysisOptions silent(AnalysisOptions Options) {
  Options.PrintState = nullptr;
  Options.States = nullptr;
  return Options;
}

/// One run has not seen what the other has.
bool hasOtherGaps(const KernelReport &Run, const KernelReport &Other);

/// Drops findings about reads whose value nothing uses. To know that, the
/// function is run again, with what touches the variables it goes to.
void dropUnusedReads(Program &P, const AnalysisOptions &Options,
                     const RunAssumptions &Known, Budget &Cost,
                     const clang::FunctionDecl *F,
                     std::optional<Execution> &First, KernelReport &Report,
                     std::vector<Finding> &Findings);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_EXECUTION_H
