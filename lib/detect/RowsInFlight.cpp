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
    return Events[Access].K == Event::Kind::Read && isBlank(S, Bytes, {Lo, Hi});
  });
}

bool RowsInFlight::isBlank(const State &S, const Footprint *Read,
                           Interval Bytes) {
  return !S.Copies.history().mayBeWritten(
      Run.Written, Footprints.get(Read->Obj, V.constant(Bytes.Lo),
                                  Bytes.Hi - Bytes.Lo, Read->Mask));
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

Overlap RowsInFlight::ofOneThread(const Footprint *Bytes,
                                  const Footprint *Read) {
  const Footprint *Others = Footprints.restrict(
      Read, L.except(Read->Mask, L.inStepWith(Bytes->Mask)));
  const std::optional<unsigned> Reader = Footprints.coveredThread(
      Others, {Bytes}, [](int64_t, int64_t) { return false; });
  if (!Reader)
    return {Overlap::Kind::Unknown};
  return {Overlap::Kind::Clash, L.first(Bytes->Mask), int(*Reader)};
}

/// Which thread it is says nothing of the number, but by what it loads: where
/// several copy, a thread may read just what its own warp does.
static bool isOfAnyThread(const Int *I) {
  return I->base()->isUniform() &&
         llvm::all_of(I->terms(), [](const Int::Term &T) {
           if (T.A->isName())
             return true;
           const bool IsChosen = T.A->Kind == Atom::Op::Select;
           return llvm::all_of(
               llvm::ArrayRef{T.A->A, T.A->B, T.A->C}.drop_front(IsChosen),
               [](const Int *X) { return !X || isOfAnyThread(X); });
         });
}

Overlap RowsInFlight::ofUnordered(const State &S, EventId Copy,
                                  const Footprint *Bytes, EventId Read,
                                  const Footprint *Place) {
  if (Shape.Assumed || !Place->Offset)
    return {Overlap::Kind::Unknown};
  if (L.count(Bytes->Mask) == 1)
    return ofOneThread(Bytes, Place);
  if (!isOfAnyThread(Place->Offset))
    return {Overlap::Kind::Unknown};
  llvm::SmallVector<const Footprint *, 8> Copied = {Bytes};
  S.Copies.unordered().any([&](const Access &A) {
    if (Events[A.Event].K == Event::Kind::Copy && A.Bytes->Obj == Bytes->Obj &&
        !Exclusive.areExclusive(S, A.Event, Read) &&
        !Exclusive.areExclusive(S, A.Event, Copy))
      Copied.push_back(A.Bytes);
    return false;
  });
  const std::optional<unsigned> Reader =
      Footprints.coveredThread(Place, Copied, [&](int64_t Lo, int64_t Hi) {
        return isBlank(S, Place, {Lo, Hi});
      });
  if (!Reader)
    return {Overlap::Kind::Unknown};
  auto Only = [&](unsigned T) {
    std::vector<int64_t> Mask(L.threads(), 0);
    Mask[T] = 1;
    return L.perThread(Mask);
  };
  const PerThread *Apart = L.except(Bytes->Mask, L.inStepWith(Only(*Reader)));
  const Footprint *Own = Footprints.restrict(Place, Only(*Reader));
  for (unsigned T = 0; T < L.threads(); ++T)
    if ((*Apart)[T] &&
        Footprints.overlap(Footprints.restrict(Bytes, Only(T)), Own).K !=
            Overlap::Kind::Disjoint)
      return {Overlap::Kind::Clash, int(T), int(*Reader)};
  return {Overlap::Kind::Unknown};
}
