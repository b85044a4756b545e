//===- SymbolSet.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/SymbolSet.h"

using namespace cpasync;

void SymbolSet::add(const Int *I) {
  if (!I || I->isKnown() || !Seen.insert(I).second)
    return;
  for (const Int::Term &T : I->terms()) {
    if (T.A->isName())
      Symbols.insert(T.A);
    for (const Int *Part : {T.A->A, T.A->B, T.A->C})
      add(Part);
  }
}
