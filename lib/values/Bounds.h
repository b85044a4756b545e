//===- Bounds.h - Between which numbers an integer lies ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PathCondition's bounds of linear forms and atoms are computed in Bounds.cpp;
// this is the arithmetic on intervals that it shares with PathCondition.cpp.
// Bounds saturate: anything near the ends of int64 counts as unbounded.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_BOUNDS_H
#define CPASYNC_LIB_VALUES_BOUNDS_H

#include "lib/values/PathCondition.h"

namespace cpasync {

int64_t saturate(__int128 V);
int64_t plus(int64_t A, int64_t B);
Interval scaled(Interval R, int64_t By);
Interval intersect(Interval A, Interval B);

/// The atom if \p I is exactly one atom, unscaled.
const Atom *asAtom(const Int *I);
bool hasUniformCoefficients(const Int *I);
/// \p I without its base, divided by the common factor of its coefficients:
/// I == base + Factor * form.
const Int *canonicalForm(ValueContext &V, const Int *I, int64_t &Factor);
/// \p R, in which \p Form lies, but for what is beyond the least or the
/// greatest of two in it; the answer hangs on what \p BoundsOf mentions.
Interval cutOff(ValueContext &V, FactTable *Facts, const Int *Form, Interval R,
                llvm::function_ref<Interval(const Int *)> BoundsOf);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_BOUNDS_H
