//===- Substitution.h - One number in the place of another ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_SUBSTITUTION_H
#define CPASYNC_LIB_VALUES_SUBSTITUTION_H

#include "lib/values/Value.h"

namespace cpasync {

/// \p I with \p New wherever it is computed from the symbol \p Old, in
/// operations and where tables are looked at, too.
const Int *replaced(ValueContext &V, const Int *I, const Atom *Old,
                    const Int *New);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_SUBSTITUTION_H
