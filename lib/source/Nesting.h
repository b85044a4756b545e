//===- Nesting.h - How deep code is looked into -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis follows the syntax tree by recursion, and so does Clang when it
// builds a control-flow graph: what is nested deeper than any code that people
// write would overflow the stack.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_NESTING_H
#define CPASYNC_LIB_SOURCE_NESTING_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cpasync {

/// Levels of statements and expressions, one within the other, that are looked
/// into. The C++ standard recommends 256; generated sums and chains of
/// `else if` have been seen with some hundreds.
inline constexpr unsigned MaxNesting = 2000;

bool isNestedTooDeeply(const clang::Stmt *S);

/// Calls \p Do with every part of \p S, those that it is made of before it,
/// without recursion.
void forPartsFirst(const clang::Stmt *S,
                   llvm::function_ref<void(const clang::Stmt *)> Do);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_NESTING_H
