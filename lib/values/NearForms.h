//===- NearForms.h - Sums that differ by little -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_NEARFORMS_H
#define CPASYNC_LIB_VALUES_NEARFORMS_H

#include "lib/values/Value.h"
#include <optional>

namespace cpasync {

/// An atom and how often it is added.
struct Addition {
  const Atom *A;
  int64_t Times;
};

/// Counts that are added to a sum, one for each that a path has not decided.
inline constexpr size_t MaxAdded = 8;
using Additions = llvm::SmallVector<Addition, MaxAdded>;

/// What has to be added to \p Sign times \p Of to get \p Form, if they have
/// something in common: one atom, or several of which \p Of has none.
std::optional<Additions> additions(const Int *Form, const Int *Of, int Sign);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_NEARFORMS_H
