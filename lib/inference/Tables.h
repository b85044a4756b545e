//===- Tables.h - Memory that holds the same all along ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_TABLES_H
#define CPASYNC_LIB_INFERENCE_TABLES_H

#include "lib/values/Value.h"

namespace clang {
class Expr;
} // namespace clang

namespace cpasync {

/// \p Load, of an integer from \p From, finds the same there whenever the
/// kernel asks. A guess: the kernel was given a pointer to const. Nothing keeps
/// the host from giving it the same memory twice, once to write to, or another
/// kernel from writing there. A member function that is const promises nothing:
/// what it is called for may be written to between two calls.
bool isTable(const Object *From, const clang::Expr *Load);

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_TABLES_H
