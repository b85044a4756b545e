//===- RowsInFlight.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/RowsInFlight.h"

using namespace cpasync;

std::optional<unsigned> RowsInFlight::threadOf(const State &S, EventId Access) {
  // For a block that is assumed, it would be a guess upon a guess.
  if (Shape.Assumed)
    return std::nullopt;
  const Footprint *Bytes = Events[Access].Bytes;
  llvm::SmallVector<const Footprint *, 8> InFlight;
  std::optional<EventId> First;
  auto Add = [&](const BlockCopies::ThreadClass &C, EventId Copy) {
    // All of them in one run.
    if (Events[Copy].Bytes->Obj != Bytes->Obj ||
        Exclusive.areExclusive(S, Copy, Access) ||
        (First && Exclusive.areExclusive(S, Copy, *First)))
      return;
    if (!First)
      First = Copy;
    InFlight.push_back(Footprints.restrict(Events[Copy].Bytes, C.Mask));
  };
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    for (const Group &G : C.Queue.groups())
      for (EventId Copy : G.Copies)
        Add(C, Copy);
    for (EventId Copy : C.Queue.open())
      Add(C, Copy);
  }
  return Footprints.coveredThread(Bytes, InFlight, [&](int64_t Lo, int64_t Hi) {
    return Events[Access].K == Event::Kind::Read &&
           !S.Copies.history().mayBeWritten(
               Run.Written, Footprints.get(Bytes->Obj, V.constant(Lo), Hi - Lo,
                                           Bytes->Mask));
  });
}

Overlap RowsInFlight::clash(const State &S, Meeting &Of,
                            const Footprint *Bytes) {
  if (!Of.Thread)
    Of.Thread = threadOf(S, Of.Access);
  const std::optional<unsigned> Thread = *Of.Thread;
  if (!Thread)
    return {Overlap::Kind::Unknown};
  std::vector<int64_t> Only(L.threads(), 0);
  Only[*Thread] = 1;
  const Footprint *Own =
      Footprints.restrict(Events[Of.Access].Bytes, L.perThread(Only));
  if (Footprints.overlap(Own, Bytes).K == Overlap::Kind::Disjoint)
    return {Overlap::Kind::Disjoint};
  return {Overlap::Kind::Clash, int(*Thread), L.first(Bytes->Mask)};
}

Overlap RowsInFlight::ofOneCopy(const Footprint *Bytes, const Footprint *Read) {
  if (Shape.Assumed || L.count(Bytes->Mask) != 1)
    return {Overlap::Kind::Unknown};
  const Footprint *Others = Footprints.restrict(
      Read, L.except(Read->Mask, L.inStepWith(Bytes->Mask)));
  const std::optional<unsigned> Reader = Footprints.coveredThread(
      Others, {Bytes}, [](int64_t, int64_t) { return false; });
  if (!Reader)
    return {Overlap::Kind::Unknown};
  return {Overlap::Kind::Clash, L.first(Bytes->Mask), int(*Reader)};
}
