//===- SlotLanes.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/SlotLanes.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;
using llvm::StringRef;
using Step = ReportedPipeline::Step;

/// A reader cannot follow more.
static constexpr size_t MaxSlots = 10;

/// "Slot" of "Slot[1]".
static StringRef objectOf(const Step &S) {
  return StringRef(S.Slot).take_until([](char C) { return C == '['; });
}

// Where bytes are not known, it may be any slot, and is none of those that are.
bool SlotLanes::Lane::holds(const Step &S) const {
  if (Object != objectOf(S) || (Begin < 0) != (S.Begin < 0))
    return false;
  return Begin < 0 || (S.Begin < End && Begin < S.End);
}

void SlotLanes::add(const Step &S) {
  Lane New{S.Slot, objectOf(S), S.Begin, S.End, S.End - S.Begin, S.Clashes};
  // All that it shares bytes with become one.
  auto Into = Lanes.end();
  for (auto It = Lanes.begin(); It != Lanes.end();) {
    if (!It->holds(S)) {
      ++It;
      continue;
    }
    if (It->Widest >= New.Widest) {
      New.Name = It->Name;
      New.Widest = It->Widest;
    }
    if (New.Begin >= 0) {
      New.Begin = std::min(New.Begin, It->Begin);
      New.End = std::max(New.End, It->End);
    }
    New.Clashes |= It->Clashes;
    Into = It = Lanes.erase(It);
  }
  Lanes.insert(Into, std::move(New));
}

SlotLanes::SlotLanes(llvm::ArrayRef<TimelineEvent> Events) {
  for (const TimelineEvent &E : Events)
    if (isCopy(E.S) && E.Lane.empty())
      add(E.S);
  for (const TimelineEvent &E : Events)
    if (E.Lane.empty()) {
      if (of(E.S).empty())
        add(E.S);
      for (size_t I : of(E.S))
        Lanes[I].Clashes |= E.S.Clashes;
    }
  // Objects in the order in which they are used, their slots by place.
  std::vector<StringRef> Objects;
  for (const TimelineEvent &E : Events)
    if (E.Lane.empty() && !llvm::is_contained(Objects, objectOf(E.S)))
      Objects.push_back(objectOf(E.S));
  llvm::sort(Lanes, [&](const Lane &A, const Lane &B) {
    const auto Number = [&](const Lane &L) {
      return llvm::find(Objects, L.Object) - Objects.begin();
    };
    return std::pair(Number(A), A.Begin) < std::pair(Number(B), B.Begin);
  });
  while (Lanes.size() > MaxSlots) {
    const auto Last = llvm::find_if(llvm::reverse(Lanes),
                                    [](const Lane &L) { return !L.Clashes; });
    if (Last == Lanes.rend())
      break;
    Lanes.erase(std::prev(Last.base()));
    ++Others;
  }
}

std::vector<size_t> SlotLanes::of(const Step &S) const {
  std::vector<size_t> Found;
  for (const auto &[I, L] : llvm::enumerate(Lanes))
    if (L.holds(S))
      Found.push_back(I);
  return Found;
}
