//===- MadeUpRuns.h - Runs with arguments nobody gave -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_MADEUPRUNS_H
#define CPASYNC_LIB_ENGINE_MADEUPRUNS_H

#include "lib/engine/ShapeSearch.h"
#include "lib/templates/Uninstantiated.h"

namespace cpasync {

struct MadeUpRuns {
  RunResult Together;
  /// The instances that it is about.
  std::vector<const clang::FunctionDecl *> Meant;
};

/// Runs the instances of \p Of, which has some. Arguments are not meant if no
/// block fits them, or if ptxas would refuse a copy that it takes with others.
/// What is found with any others is told with them. One that is followed to the
/// end is enough.
MadeUpRuns runForInstances(AnalysedProgram &P, const AnalysisOptions &Options,
                           const LaunchTable &Launches, Budget &Cost,
                           const UninstantiatedTemplate &Of,
                           const KernelReport &Empty);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_MADEUPRUNS_H
