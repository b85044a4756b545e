//===- Nesting.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Nesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

using namespace clang;

bool cpasync::isNestedTooDeeply(const Stmt *S) {
  llvm::SmallVector<std::pair<const Stmt *, unsigned>, 64> Work = {{S, 0}};
  while (!Work.empty()) {
    const auto [Part, Depth] = Work.pop_back_val();
    if (!Part)
      continue;
    if (Depth == MaxNesting)
      return true;
    for (const Stmt *Child : Part->children())
      Work.push_back({Child, Depth + 1});
  }
  return false;
}

void cpasync::forPartsFirst(const Stmt *S,
                            llvm::function_ref<void(const Stmt *)> Do) {
  // Whole before part, so backwards.
  llvm::SmallVector<const Stmt *, 64> Work = {S}, Order;
  while (!Work.empty()) {
    const Stmt *Part = Work.pop_back_val();
    if (!Part)
      continue;
    Order.push_back(Part);
    llvm::append_range(Work, Part->children());
  }
  for (const Stmt *Part : llvm::reverse(Order))
    Do(Part);
}
