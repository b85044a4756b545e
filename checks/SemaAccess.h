//===- SemaAccess.h - Clang's Sema, for a check -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy hands a check the syntax tree, not the Sema that made it and can
// instantiate more of it. A consumer beside the one of clang-tidy is told.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_SEMAACCESS_H
#define CPASYNC_CHECKS_SEMAACCESS_H

namespace clang {
class Sema;
}

namespace cpasync {

/// From now on, Clang's actions in this process tell which Sema is at work.
void watchSema();

/// That of the translation unit being looked at; null: nobody told.
clang::Sema *currentSema();

} // namespace cpasync

#endif // CPASYNC_CHECKS_SEMAACCESS_H
