//===- UnorderedAccesses.cpp ----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnorderedAccesses.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

void UnorderedAccesses::insert(const Access &A) {
  if (!llvm::is_contained(Accesses, A))
    Accesses.push_back(A);
}

void UnorderedAccesses::add(LanesContext &L, EventId Event, EventId Wait,
                            const Footprint *Bytes, uint64_t Before) {
  if (L.threads() > WarpThreads && !LanesContext::isEmpty(Bytes->Mask))
    insert({Event, Wait, Bytes, L.none(), Before});
}

void UnorderedAccesses::arrive(LanesContext &L, FootprintTable &F,
                               int64_t Barrier, const Lanes *Threads) {
  llvm::SmallVector<Access, 4> Old;
  std::swap(Old, Accesses);
  for (const Access &A : Old) {
    const Lanes *Came = L.both(A.Bytes->Mask, Threads);
    if (!LanesContext::isEmpty(L.both(A.After, Threads)))
      Came = A.Bytes->Mask; // through a thread that comes after all of it
    const Lanes *Missed = L.except(A.Bytes->Mask, Came);
    // What was told apart before stays so.
    if (!LanesContext::isEmpty(Missed))
      Accesses.push_back(
          {A.Event, A.Wait, F.restrict(A.Bytes, Missed), A.After, A.Before});
    if (!LanesContext::isEmpty(Came))
      Accesses.push_back({A.Event, A.Wait, F.restrict(A.Bytes, Came), A.After,
                          A.Before | bit(Barrier)});
  }
}

void UnorderedAccesses::release(LanesContext &L, int64_t Barrier,
                                const Lanes *Threads, const Lanes *Living) {
  llvm::SmallVector<Access, 4> Old;
  std::swap(Old, Accesses);
  for (Access &A : Old) {
    if (A.Before & bit(Barrier)) {
      A.After = L.either(A.After, Threads);
      A.Before &= ~bit(Barrier);
    }
    if (!LanesContext::isEmpty(L.except(Living, A.After)))
      insert(A);
  }
}

void UnorderedAccesses::complete(int64_t Open, int64_t Done) {
  llvm::SmallVector<Access, 4> Old;
  std::swap(Old, Accesses);
  for (Access &A : Old) {
    if (A.Before & bit(Open))
      A.Before = (A.Before & ~bit(Open)) | bit(Done);
    insert(A);
  }
}

void UnorderedAccesses::pass(LanesContext &L, int64_t Barrier,
                             const Lanes *Threads, const Lanes *Living) {
  llvm::SmallVector<Access, 4> Old;
  std::swap(Old, Accesses);
  for (Access &A : Old) {
    if (A.Before & bit(Barrier))
      A.After = L.either(A.After, Threads);
    if (!LanesContext::isEmpty(L.except(Living, A.After)))
      insert(A);
  }
}

void UnorderedAccesses::unite(const UnorderedAccesses &Other) {
  for (const Access &A : Other.Accesses)
    insert(A);
}

void UnorderedAccesses::forEach(llvm::function_ref<void(Access &)> Change) {
  llvm::SmallVector<Access, 4> Old;
  std::swap(Old, Accesses);
  for (Access &A : Old) {
    Change(A);
    insert(A); // what differed in the address alone is one now
  }
}

void UnorderedAccesses::addTo(Fingerprint &F) const {
  F.addList(Accesses, [&](const Access &A) {
    F.add(uint64_t(A.Event) << 32 | A.Wait);
    F.add(A.Bytes);
    F.add(A.After);
    F.add(A.Before);
  });
}
