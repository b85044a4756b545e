//===- ShortTiles.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/ShortTiles.h"

using namespace cpasync;

const Int *cpasync::shortTile(ValueContext &V, const PathCondition &Decided,
                              const Int *Rest, const Int *Whole) {
  const Int *Rows = Decided.simplify(V, Rest, V.lanes().all());
  if (!Whole->isConstant() || Rows->isKnown())
    return nullptr;
  // The greater of two numbers has no end.
  const int64_t Most = Decided.bounds(V, Rows).Hi;
  return Most > 1 && Most <= Whole->constant()
             ? V.isNegative(V.sub(Rows, V.constant(2)))
             : nullptr;
}
