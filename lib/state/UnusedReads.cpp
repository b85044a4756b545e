//===- UnusedReads.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/UnusedReads.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace cpasync;

bool UnusedReads::isHeldBy(const Object *O) const {
  return llvm::any_of(Places, [&](const Place &P) { return P.Obj == O; });
}

bool UnusedReads::contains(EventId Id) const {
  return llvm::any_of(Reads, [&](const Read &R) { return R.Id == Id; });
}

llvm::SmallVector<EventId, 2> UnusedReads::reads() const {
  return llvm::map_to_vector<2>(Reads, [](const Read &R) { return R.Id; });
}

bool UnusedReads::containsAll(EventId Id) const {
  return llvm::any_of(
      Reads, [&](const Read &R) { return R.Id == Id && !R.UsedBefore; });
}

void UnusedReads::begin(EventId Id, bool Before) {
  const bool UsedBefore = Before && !containsAll(Id);
  if (isLost(Id))
    use(Id);
  for (Held &H : Findings)
    H.OfBefore |= H.Read == Id;
  for (Read &R : Reads)
    if (R.Id == Id) {
      R.UsedBefore = UsedBefore;
      return;
    }
  Reads.push_back({Id, UsedBefore, {}});
}

void UnusedReads::settle(EventId Id) {
  // What an earlier run of it loaded is gone, or was moved elsewhere.
  const bool Lost = isLost(Id);
  llvm::erase_if(Findings, [&](Held &H) {
    return H.Read == Id && std::exchange(H.OfBefore, false) && Lost;
  });
}

bool UnusedReads::isLost(EventId Id) const {
  return llvm::none_of(Places,
                       [&](const Place &P) { return P.Bytes.Read == Id; });
}

void UnusedReads::hold(Held H) {
  if (!llvm::is_contained(Findings, H))
    Findings.push_back(std::move(H));
}

bool UnusedReads::hasFindings(EventId Id) const {
  return llvm::any_of(Findings, [&](const Held &H) { return H.Read == Id; });
}

void UnusedReads::blame(EventId Id, EventId Copy) {
  for (Read &R : Reads)
    if (R.Id == Id && !llvm::is_contained(R.Blamed, Copy))
      R.Blamed.push_back(Copy);
}

UnusedReads::Used
UnusedReads::use(EventId Id, llvm::function_ref<bool(const Held &)> Waits) {
  Used Now;
  for (Read &R : Reads)
    if (R.Id == Id)
      Now.Blamed = std::exchange(R.Blamed, {});
  llvm::erase_if(Findings, [&](const Held &H) {
    const bool IsUsed = H.Read == Id && !Waits(H);
    if (IsUsed)
      Now.Findings.push_back(H);
    return IsUsed;
  });
  if (hasFindings(Id))
    return Now;
  llvm::erase_if(Reads, [&](const Read &R) { return R.Id == Id; });
  llvm::erase_if(Places, [&](const Place &P) { return P.Bytes.Read == Id; });
  return Now;
}

void UnusedReads::forgetBytes(EventId Id,
                              llvm::function_ref<EventId(EventId)> Somewhere) {
  const EventId New = Somewhere(Id);
  const auto Old =
      llvm::find_if(Reads, [&](const Read &R) { return R.Id == Id; });
  const Read Was = *Old;
  Reads.erase(Old);
  const auto Known =
      llvm::find_if(Reads, [&](const Read &R) { return R.Id == New; });
  if (Known == Reads.end())
    Reads.push_back({New, Was.UsedBefore, {}});
  else
    Known->UsedBefore |= Was.UsedBefore;
  for (EventId Copy : Was.Blamed)
    blame(New, Copy);
  llvm::SmallVector<Place, 1> AllPlaces;
  std::swap(Places, AllPlaces);
  for (Place &P : AllPlaces) {
    if (P.Bytes.Read == Id)
      P.Bytes.Read = New;
    place(P.Obj, 0, P.Bytes);
  }
  llvm::SmallVector<Held, 1> AllFindings;
  std::swap(Findings, AllFindings);
  for (Held &H : AllFindings) {
    if (H.Read == Id) {
      H.Read = New;
      H.Other = Somewhere(H.Other);
    }
    hold(std::move(H));
  }
}

void UnusedReads::place(const Object *O, int64_t Begin,
                        const LoadedPart &Part) {
  Place New{O, Part};
  New.Bytes.Begin += Begin;
  New.Bytes.End += Begin;
  if (!llvm::is_contained(Places, New))
    Places.push_back(New);
}

void UnusedReads::overwrite(PerThreadContext &L, const Object *O, int64_t Begin,
                            int64_t End, const PerThread *Threads) {
  llvm::SmallVector<Place, 1> Left;
  for (const Place &P : Places) {
    const LoadedPart &Old = P.Bytes;
    if (P.Obj != O || Old.End <= Begin || End <= Old.Begin) {
      Left.push_back(P);
      continue;
    }
    auto Keep = [&](int64_t From, int64_t To, const PerThread *Of) {
      if (From < To && !PerThreadContext::isEmpty(Of))
        Left.push_back(
            {O, {Old.Read, From, To, Of, Old.From + From - Old.Begin}});
    };
    Keep(Old.Begin, std::min(Old.End, Begin), Old.Threads);
    Keep(std::max(Old.Begin, Begin), std::min(Old.End, End),
         L.except(Old.Threads, Threads));
    Keep(std::max(Old.Begin, End), Old.End, Old.Threads);
  }
  Places = std::move(Left);
}

void UnusedReads::erase(llvm::function_ref<bool(const Object *)> Gone) {
  llvm::erase_if(Places, [&](const Place &P) { return Gone(P.Obj); });
}

void UnusedReads::forEach(
    const Object *O,
    llvm::function_ref<void(int64_t Begin, int64_t End)> Do) const {
  for (const Place &P : Places)
    if (P.Obj == O)
      Do(P.Bytes.Begin, P.Bytes.End);
}

LoadedParts UnusedReads::at(PerThreadContext &L, const Object *O, int64_t Begin,
                            int64_t End, const PerThread *Threads) const {
  LoadedParts Found;
  for (const Place &P : Places) {
    const LoadedPart &B = P.Bytes;
    const PerThread *Of = L.both(B.Threads, Threads);
    if (P.Obj == O && B.Begin < End && Begin < B.End &&
        !PerThreadContext::isEmpty(Of))
      Found.push_back({B.Read, std::max(B.Begin, Begin) - Begin,
                       std::min(B.End, End) - Begin, Of,
                       B.From + std::max<int64_t>(Begin - B.Begin, 0)});
  }
  return Found;
}

void UnusedReads::unite(const UnusedReads &O) {
  for (const Read &R : O.Reads) {
    if (!contains(R.Id))
      Reads.push_back(R);
    for (EventId Copy : R.Blamed)
      blame(R.Id, Copy);
    for (Read &Mine : Reads)
      if (Mine.Id == R.Id)
        Mine.UsedBefore |= R.UsedBefore;
  }
  for (const Place &P : O.Places)
    place(P.Obj, 0, P.Bytes);
  for (const Held &H : O.Findings)
    hold(H);
}

void UnusedReads::addTo(Fingerprint &F) const {
  F.addList(Reads, [&](const Read &R) {
    F.add(uint64_t(R.Id) << 1 | R.UsedBefore);
    F.addList(R.Blamed, [&](EventId Copy) { F.add(uint64_t(Copy)); });
  });
  F.addList(Places, [&](const Place &P) {
    F.add(P.Obj);
    F.add(uint64_t(P.Bytes.Read));
    F.add(uint64_t(P.Bytes.Begin));
    F.add(uint64_t(P.Bytes.End));
    F.add(P.Bytes.Threads);
    F.add(uint64_t(P.Bytes.From));
  });
  F.addList(Findings, [&](const Held &H) {
    F.add(uint64_t(H.Read) << 32 | H.Other);
    F.add(uint64_t(H.Kind));
  });
}
