//===- FootprintSet.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/FootprintSet.h"
#include "llvm/Support/MathExtras.h"

using namespace cpasync;

int64_t cpasync::reachOf(const Footprint *F) {
  int64_t Bytes = 0;
  if (F->Lo == INT64_MIN)
    return 0;
  return llvm::SubOverflow(F->Hi, F->Lo, Bytes) ? INT64_MAX : Bytes;
}

bool FootprintSet::insert(const Footprint *F) {
  auto I = llvm::lower_bound(Sorted, F, comesBefore);
  if (I != Sorted.end() && *I == F)
    return false;
  Reach = std::max(Reach, reachOf(F));
  Sorted.insert(I, F);
  return true;
}

void FootprintSet::replace(
    llvm::function_ref<const Footprint *(const Footprint *)> New) {
  const llvm::SmallVector<const Footprint *, 8> Old = std::move(Sorted);
  Sorted.clear();
  for (const Footprint *F : Old)
    insert(New(F));
}
