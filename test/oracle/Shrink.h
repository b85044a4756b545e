//===- Shrink.h - The smallest kernel with a property -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_SHRINK_H
#define CPASYNC_TEST_ORACLE_SHRINK_H

#include "Kernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace oracle {

/// Makes \p K smaller, one statement or expression at a time, as long as
/// \p Holds of it.
Kernel shrink(Kernel K, llvm::function_ref<bool(const Kernel &)> Holds);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_SHRINK_H
