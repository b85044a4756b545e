//===- PathControl.h - What walks the paths ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_PATHCONTROL_H
#define CPASYNC_LIB_INTERP_PATHCONTROL_H

#include "lib/state/State.h"

namespace cpasync {

/// What the interpreter asks of whoever walks the paths.
class PathControl {
public:
  /// The path goes on at \p B.
  virtual Step enter(State &S, const clang::CFGBlock *B) = 0;
  virtual void executeStmt(State &S, const clang::Stmt *St) = 0;

protected:
  ~PathControl() = default;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_PATHCONTROL_H
