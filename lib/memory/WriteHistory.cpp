//===- WriteHistory.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/WriteHistory.h"

using namespace cpasync;

void WriteHistory::issue(WrittenBytesTable &W, const Footprint *F) {
  W.note(F);
  Written = W.with(Written, F);
  Since.Written = W.with(Since.Written, F);
}

void WriteHistory::fill(const Object *O) {
  if (O->K != Object::Kind::Shared)
    return;
  auto I = llvm::lower_bound(Filled, O,
                             [](auto *A, auto *B) { return A->Id < B->Id; });
  if (I == Filled.end() || *I != O)
    Filled.insert(I, O);
}

void WriteHistory::unite(WrittenBytesTable &W, const WriteHistory &Other) {
  Written = W.unite(Written, Other.Written);
  for (const Object *O : Other.Filled)
    fill(O);
  WroteAnywhere |= Other.WroteAnywhere;
  for (EventId Read : Other.Blind)
    addBlindRead(Read);
  OrderIsLost |= Other.OrderIsLost;
}

void WriteHistory::forget(WrittenBytesTable &W, const EventTable &E,
                          const Atom *A,
                          llvm::function_ref<bool(const Footprint *)> Depends) {
  Written = W.forget(Written, A);
  Since.Written = W.forget(Since.Written, A);
  llvm::erase_if(Blind, [&](EventId R) { return Depends(E[R].Bytes); });
}

bool WriteHistory::Blanks::include(WrittenBytesTable &W,
                                   const Blanks &O) const {
  return W.unite(Written, O.Written) == O.Written && hasReadsOf(O);
}

bool WriteHistory::Blanks::hasReadsOf(const Blanks &O) const {
  return llvm::includes(Reads, O.Reads) && OrderIsLost <= O.OrderIsLost;
}

void WriteHistory::addBlanksTo(Fingerprint &F) const {
  F.add(Written);
  F.addList(Blind, [&](EventId Read) { F.add(Read); });
  F.add(OrderIsLost);
}

void WriteHistory::addMostTo(Fingerprint &F) const {
  F.addList(Filled, [&](const Object *O) { F.add(O); });
  F.add(WroteAnywhere);
}
