//===- PathHistory.h - What a path decided, in order ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PathCondition forgets: what is decided about a number that nothing holds any
// more lets no two paths differ. Here nothing is forgotten. A symbol stands for
// several numbers one after the other; where it begins to stand for another is
// part of the history.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_PATHHISTORY_H
#define CPASYNC_LIB_STATE_PATHHISTORY_H

#include "lib/values/SymbolSet.h"
#include "clang/Basic/SourceLocation.h"
#include <deque>
#include <functional>

namespace cpasync {

/// One step of the history; a list that forks share.
struct PastDecision {
  const Int *Condition = nullptr; ///< is true, or false, in the threads Where
  bool Holds = false;
  const PerThread *Where = nullptr;
  const Atom *Renewed = nullptr; ///< or else: this symbol got another meaning
  clang::SourceLocation Loc;
  const PastDecision *Prev = nullptr;
  unsigned Number = 0; ///< among all, from 1
};

/// The histories of all paths of the runs that share their numbers.
class PathHistory {
public:
  void decide(const PastDecision *&Newest, const Int *Condition, bool Holds,
              const PerThread *Where, clang::SourceLocation Loc);
  void renew(const PastDecision *&Newest, const Atom *Symbol);
  /// In the order in which it happened, up to the step of that number; 0:
  /// nothing has happened yet.
  llvm::SmallVector<const PastDecision *, 32> upTo(unsigned Number) const;

  /// Whether a run decides all that a path did, up to the step of that number;
  /// null: nobody asks.
  std::function<bool(unsigned)> IsPossible;

  size_t bytes() const { return All.size() * sizeof(PastDecision); }

private:
  void add(const PastDecision *&Newest, PastDecision New);

  std::deque<PastDecision> All;
  SymbolSet Asked; ///< something was decided about them
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_PATHHISTORY_H
