//===- ShortTiles.h - Lengths that stand for others -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `Rows = min(32, End - Begin)`: an item of a list ends in a tile that may have
// any length up to that of a whole one. As many tiles as a ring has slots are
// under way, so that there is a state for each way that all of them may be
// short. Where that is too much, a short tile is taken to have one row, or
// none: a guess. What rows do they do alike, as a rule: who reads one too many,
// copies one too few, or announces other bytes than he copies, does so where
// there is one row, too. What is wrong with, say, an odd number of rows above
// one is not seen.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_SHORTTILES_H
#define CPASYNC_LIB_INFERENCE_SHORTTILES_H

#include "lib/values/PathCondition.h"

namespace cpasync {

/// A path that knows \p Decided has chosen \p Rest rows instead of \p Whole:
/// the condition that it has one row at most. Null: these are no tile's rows,
/// or they are known.
const Int *shortTile(ValueContext &V, const PathCondition &Decided,
                     const Int *Rest, const Int *Whole);

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_SHORTTILES_H
