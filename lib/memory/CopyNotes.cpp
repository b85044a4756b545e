//===- CopyNotes.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/CopyNotes.h"

using namespace cpasync;

void CopyNotes::dropMixed(FootprintTable &F, const Footprint *Written) {
  llvm::erase_if(Mixed, [&](const MixedCopy &M) {
    return F.overlap(Written, M.Bytes).K != Overlap::Kind::Disjoint;
  });
}

void CopyNotes::fence(FootprintTable &F, const UnorderedAccesses &Unordered,
                      const PerThread *Threads) {
  PerThreadContext &L = F.lanes();
  llvm::SmallVector<Unfenced, 2> Left;
  for (const Unfenced &S : Stores) {
    const PerThread *Others = L.none();
    Unordered.any([&](const Access &A) {
      if (A.Event == S.Store &&
          PerThreadContext::isEmpty(L.both(Threads, A.After)))
        Others = L.either(Others, A.Bytes->Mask);
      return false;
    });
    const PerThread *Rest = L.both(L.except(S.Bytes->Mask, Threads), Others);
    if (!PerThreadContext::isEmpty(Rest))
      Left.push_back({S.Store, F.restrict(S.Bytes, Rest)});
  }
  Stores = std::move(Left);
}

void CopyNotes::unite(const CopyNotes &Other) {
  for (EventId C : Other.Blamed)
    blame(C);
  for (const MixedCopy &M : Other.Mixed)
    addMixed(M);
  for (const Unfenced &U : Other.Stores)
    addUnfenced(U);
  InitsAreFenced |= Other.InitsAreFenced;
}

void CopyNotes::forget(
    llvm::function_ref<bool(const Footprint *)> Depends,
    llvm::function_ref<void(EventId &)> Forget,
    llvm::function_ref<const Footprint *(const Footprint *)> Somewhere) {
  llvm::erase_if(Mixed, [&](const MixedCopy &M) { return Depends(M.Bytes); });
  for (Unfenced &U : Stores)
    if (Depends(U.Bytes)) {
      Forget(U.Store);
      U.Bytes = Somewhere(U.Bytes);
    }
}

void CopyNotes::addTo(Fingerprint &F) const {
  F.addList(Blamed, [&](EventId C) { F.add(C); });
  F.addList(Mixed, [&](const MixedCopy &M) {
    F.add(M.Copy);
    F.add(M.Bytes);
  });
  F.addList(Stores, [&](const Unfenced &U) {
    F.add(U.Store);
    F.add(U.Bytes);
  });
  F.add(InitsAreFenced);
}
