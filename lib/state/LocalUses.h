//===- LocalUses.h - Who asks for what a local holds ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_LOCALUSES_H
#define CPASYNC_LIB_STATE_LOCALUSES_H

#include "lib/state/State.h"

namespace cpasync {

/// The threads that run in \p C may read \p Local of a call they are in, in the
/// block where they are or behind it.
bool usesLocal(const Context &C, const Object *Local);

/// The threads that may read \p Local: those that run, wait or have stopped, or
/// have not begun their side of a branch. \p S is at the beginning of a block.
const PerThread *threadsThatUse(const State &S, PerThreadContext &L,
                                const Object *Local);

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_LOCALUSES_H
