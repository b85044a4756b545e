//===- Shifts.h - The same number in a later round --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_SHIFTS_H
#define CPASYNC_LIB_VALUES_SHIFTS_H

#include "lib/values/Value.h"

namespace cpasync {

/// \p B is \p A, but for numbers that were added to others in it, the same
/// whenever the kernel asks for them: what the next round of a loop computes.
/// Null is like null. In the threads of \p Where.
bool isShifted(ValueContext &V, const Int *A, const Int *B,
               const PerThread *Where);

/// \p B is \p A, but for indices that nobody knows: they have gone on within
/// the parts that both are taken to lie in (Atom::Op::Within).
bool isElsewhereWithin(ValueContext &V, const Int *A, const Int *B,
                       const PerThread *Where);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_SHIFTS_H
