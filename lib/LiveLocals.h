//===- LiveLocals.h - Locals whose value is still wanted --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two paths that differ only in what a counter of a finished loop holds have
// the same future. At the beginning of each block this names the locals that
// nothing reads any more before they are written or end. A local that can be
// reached in another way than by its name (its address is taken, a reference is
// bound to it, a lambda captures it) is never named.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LIVELOCALS_H
#define CPASYNC_LIB_LIVELOCALS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class CFG;
class CFGBlock;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace cpasync {

class LiveLocals {
public:
  LiveLocals(const clang::FunctionDecl *F, const clang::CFG &Graph);

  /// Locals and parameters whose value nothing needs at the beginning of \p B.
  using Locals = llvm::SmallPtrSet<const void *, 8>;
  const Locals &deadAt(const clang::CFGBlock *B) const {
    return Dead.find(B)->second;
  }

private:
  llvm::DenseMap<const clang::CFGBlock *, Locals> Dead; ///< of all blocks
};

} // namespace cpasync

#endif // CPASYNC_LIB_LIVELOCALS_H
