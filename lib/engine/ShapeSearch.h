//===- ShapeSearch.h - Runs for blocks nobody tells of ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where neither a launch nor the user tells how many threads a block has, or
// how they lie, the kernel is run for the shapes that it may be for. A shape
// does not fit if a thread leaves an array, if bytes are read that nobody
// wrote, if threads copy over each other in one instruction, or if nobody is
// the thread that is asked for. What is found has to be found with all shapes
// that fit, as far as they are tried.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_SHAPESEARCH_H
#define CPASYNC_LIB_ENGINE_SHAPESEARCH_H

#include "lib/engine/Runs.h"
#include "lib/launch/LaunchTable.h"

namespace cpasync {

/// \p Told: by launches or __launch_bounds__, if they do. Of several launches,
/// what only some show names theirs.
RunResult runForItsShapes(AnalysedProgram &P, const AnalysisOptions &Options,
                          const KernelLaunches &Told, Budget &Cost,
                          const clang::FunctionDecl *F,
                          const KernelReport &Empty);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_SHAPESEARCH_H
