//===- LiveLocals.h - Locals whose value is still wanted --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two paths that differ only in what a counter of a finished loop holds have
// the same future. This knows, for the beginning of each block, the locals that
// nothing reads any more before they are written or end. A local that can be
// reached in another way than by its name (its address is taken, a reference is
// bound to it, a lambda captures it) is not one of them.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_LIVELOCALS_H
#define CPASYNC_LIB_SOURCE_LIVELOCALS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SparseBitVector.h"
#include <vector>

namespace clang {
class CFG;
class CFGBlock;
class FunctionDecl;
} // namespace clang

namespace cpasync {

class LiveLocals {
public:
  LiveLocals(const clang::FunctionDecl *F, const clang::CFG &Graph);

  /// \p Local is a local or a parameter whose value nothing needs at the
  /// beginning of \p B.
  bool isDead(const void *Local, const clang::CFGBlock *B) const;
  /// The same, wherever in \p B a path stands.
  bool isDeadWithin(const void *Local, const clang::CFGBlock *B) const;

private:
  using Set = llvm::SparseBitVector<>;
  bool isNoneOf(const void *Local, const Set &Needed) const;

  llvm::DenseMap<const void *, unsigned> Numbers;
  /// By the id of the block; few are needed anywhere.
  std::vector<Set> NeededAt, NeededWithin;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_LIVELOCALS_H
