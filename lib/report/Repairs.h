//===- Repairs.h - What an edit would change --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_REPAIRS_H
#define CPASYNC_LIB_REPORT_REPAIRS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Expr;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// An operand where its value is written, in the function \p In.
struct WrittenOperand {
  const clang::Expr *E = nullptr;
  clang::SourceRange Range;
  const clang::FunctionDecl *In = nullptr;
  bool IsText = false; ///< a number in the text of an asm statement
};

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_REPAIRS_H
