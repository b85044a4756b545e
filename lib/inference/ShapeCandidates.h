//===- ShapeCandidates.h - Shapes that a kernel may be for ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// How many threads a block has where nothing tells, and how they lie: a guess,
// from what the kernel does with their numbers. A run of the kernel is the
// judge of each (engine/ShapeSearch).
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_SHAPECANDIDATES_H
#define CPASYNC_LIB_INFERENCE_SHAPECANDIDATES_H

#include "lib/source/BlockShape.h"
#include "lib/state/ShapeClues.h"
#include <vector>

namespace cpasync {

struct ShapeCandidate {
  BlockShape Shape;
  /// The kernel goes on by so many threads: none of the others is as likely.
  bool IsStated;
  /// Nothing in the kernel speaks for it: other kernels are for such blocks.
  bool IsUsual = false;
};

/// The likely ones first, each once. \p Of: the shape that was tried first. If
/// it is not assumed, as many threads as it has come before other numbers.
std::vector<ShapeCandidate> shapeCandidates(const ShapeClues &Clues,
                                            BlockShape Of);

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_SHAPECANDIDATES_H
