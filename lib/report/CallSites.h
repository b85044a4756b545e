//===- CallSites.h - Which call makes it wrong ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_CALLSITES_H
#define CPASYNC_LIB_REPORT_CALLSITES_H

#include "lib/Finding.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
}

namespace cpasync {

/// A helper is right by itself if only one of its calls goes wrong: gives those
/// of \p Findings the outermost call that others of the same function do not
/// share it with. Walks the translation unit if there is anything to ask.
void blameCalls(llvm::MutableArrayRef<Finding> Findings,
                clang::ASTContext &Ctx);

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_CALLSITES_H
