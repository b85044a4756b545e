//===- ResultUses.h - Whether anybody looks at a result ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_RESULTUSES_H
#define CPASYNC_LIB_SOURCE_RESULTUSES_H

#include "llvm/ADT/DenseMap.h"

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cpasync {

/// What becomes of the result of a call or of the outputs of an asm statement.
enum class ResultUse {
  None,     ///< nothing
  Returned, ///< the function that it is in returns it, and that is all
  Repeats,  ///< a loop that does nothing else asks whether to go on
  Some      ///< something else
};

class ResultUses {
public:
  /// \p Of is in the body of \p F.
  ResultUse of(const clang::FunctionDecl *F, const clang::Stmt *Of);

private:
  llvm::DenseMap<const clang::Stmt *, ResultUse> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_RESULTUSES_H
