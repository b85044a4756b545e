//===- SteadyStates.h - What moves on in each round -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a path knows at the head of a loop, in three rounds that follow each
// other: the same but for what grows by as much from the first to the second as
// from the second to the third. Of copies, that is BlockCopies::growSteadily.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_STEADYSTATES_H
#define CPASYNC_LIB_ENGINE_STEADYSTATES_H

#include "lib/state/State.h"
#include "lib/values/PathCondition.h"

namespace cpasync {

/// \p B - \p A; null if they are not of one kind, or point to other objects.
const Int *difference(ValueContext &V, Value A, Value B);

/// The same places, with the same numbers or such as grow.
bool growsSteadily(ValueContext &V, const Memory &A, const Memory &B,
                   const Memory &C);

/// What was decided before is still decided the same way, on bounds that move
/// steadily; each round adds as many decisions on new expressions. In the
/// threads of \p Where.
bool growsSteadily(ValueContext &V, const PathCondition &A,
                   const PathCondition &B, const PathCondition &C,
                   const PerThread *Where);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_STEADYSTATES_H
