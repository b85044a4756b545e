//===- Footprint.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cpasync;

const Footprint *FootprintTable::get(const Object *Obj, const Int *Offset,
                                     int64_t Size, const Lanes *Mask) {
  const Footprint *&F = Table[{Obj, Offset, Size, Mask}];
  if (!F) {
    Pool.push_back(std::make_unique<Footprint>(
        Footprint{Obj, Offset, Size, Mask, unsigned(Pool.size() + 1)}));
    F = Pool.back().get();
  }
  return F;
}

const Overlap &FootprintTable::overlap(const Footprint *A, const Footprint *B) {
  auto [I, New] = Results.try_emplace((uint64_t(A->Id) << 32) | B->Id);
  if (New)
    I->second = compare(*A, *B);
  return I->second;
}

Overlap FootprintTable::compare(const Footprint &A, const Footprint &B) {
  if (A.Obj != B.Obj || LanesContext::isEmpty(A.Mask) ||
      LanesContext::isEmpty(B.Mask))
    return {};
  if (!A.Offset || !B.Offset)
    return {Overlap::Kind::Unknown};
  unsigned Threads = V.lanes().threads();

  // The same thread: the unknown part cancels whatever it is.
  const Int *D = V.sub(A.Offset, B.Offset);
  if (!D->isKnown())
    return {Overlap::Kind::Unknown};
  bool Known = A.Offset->isKnown();
  const Lanes *Both = V.lanes().both(A.Mask, B.Mask);
  if (!LanesContext::isEmpty(Both))
    for (unsigned T = 0; T < Threads; ++T) {
      if (!(*Both)[T])
        continue;
      int64_t Distance = (*D->base())[T]; // A - B
      if (Distance < B.Size && -Distance < A.Size)
        return {Overlap::Kind::Clash, int(T), int(T),
                Known ? (*A.Offset->base())[T] + (Distance < 0 ? -Distance : 0)
                      : -1};
    }

  // Different threads: the unknown part must be the same in all of them.
  for (const Int::Term &T : A.Offset->terms())
    if (!T.A->Uniform || !T.Coefficient->isUniform())
      return {Overlap::Kind::Unknown};
  const Lanes *LA = A.Offset->base(), *LB = B.Offset->base();
  if (LA->max() + A.Size <= LB->min() || LB->max() + B.Size <= LA->min())
    return {};
  std::vector<std::pair<int64_t, int>> Sorted;
  for (unsigned T = 0; T < Threads; ++T)
    if ((*B.Mask)[T])
      Sorted.push_back({(*LB)[T], int(T)});
  llvm::sort(Sorted);
  for (unsigned T = 0; T < Threads; ++T) {
    if (!(*A.Mask)[T])
      continue;
    int64_t Begin = (*LA)[T], End = Begin + A.Size;
    // The first B that ends after Begin.
    auto I = llvm::upper_bound(
        Sorted, std::pair<int64_t, int>(Begin - B.Size, INT32_MAX));
    if (I != Sorted.end() && I->first < End)
      return {Overlap::Kind::Clash, int(T), I->second,
              Known ? std::max(Begin, I->first) : -1};
  }
  return {};
}
