//===- ComparisonLog.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/ComparisonLog.h"

using namespace clang;
using namespace cpasync;

void ComparisonLog::note(State &S, const Int *Difference) {
  if (!Difference)
    return;
  // What the path has pinned down is known, too, and changes with the rounds.
  Difference = Run.simplify(S, Value::integer(Difference)).I;
  if (!Difference->isKnown())
    return;
  if (Paused) {
    ++Paused->Count;
    return;
  }
  compared().push_back(Difference);
  S.Compared = new (Nodes.Allocate()) Comparison(Difference, S.Compared);
}

std::vector<const Int *> &ComparisonLog::compared() {
  if (Run.Effects.anySince(std::exchange(ComparedSince, Run.Effects.now())))
    Compared.clear();
  return Compared;
}
