//===- PathHistory.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/PathHistory.h"
#include <algorithm>

using namespace cpasync;

void PathHistory::add(const PastDecision *&Newest, PastDecision New) {
  New.Prev = Newest;
  New.Number = All.size() + 1;
  Newest = &All.emplace_back(New);
}

void PathHistory::decide(const PastDecision *&Newest, const Int *Condition,
                         bool Holds, const PerThread *Where,
                         clang::SourceLocation Loc) {
  if (Condition->isKnown())
    return;
  Asked.add(Condition);
  PastDecision New{Condition, Holds, Where};
  New.Loc = Loc;
  add(Newest, New);
}

void PathHistory::renew(const PastDecision *&Newest, const Atom *Symbol) {
  // Whatever a path has decided, it has asked about before.
  if (!Newest || !Asked.contains(Symbol))
    return;
  PastDecision New;
  New.Renewed = Symbol;
  add(Newest, New);
}

llvm::SmallVector<const PastDecision *, 32>
PathHistory::upTo(unsigned Number) const {
  llvm::SmallVector<const PastDecision *, 32> Steps;
  for (const PastDecision *N = Number ? &All[Number - 1] : nullptr; N;
       N = N->Prev)
    Steps.push_back(N);
  std::reverse(Steps.begin(), Steps.end());
  return Steps;
}
