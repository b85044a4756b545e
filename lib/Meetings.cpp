//===- Meetings.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meetings.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

std::optional<Spot> Meetings::before(Fingerprint::Digest State,
                                     const PathCondition &Decided,
                                     const BlockCopies::Blanks &Blanks,
                                     size_t Waiting, Spot Here) {
  llvm::SmallVector<Number, 1> &Before = InState[State];
  for (Number N : Before)
    if (Decided.implies(All[N].Decided) &&
        All[N].Blanks.include(Written, Blanks)) {
      end(Decided, N);
      return All[N].Here;
    }
  const Number New = All.size();
  Before.push_back(New);
  Running.push_back(New);
  Unknown.push_back(New);
  All.push_back({Decided, Blanks, Waiting, Here, New, Facts.nextMoment()});
  return std::nullopt;
}

void Meetings::end(const PathCondition &Decided, Number Before) {
  const Meeting &Then = All[Before];
  const uint64_t Moment = Facts.nextMoment();
  if (!Running.empty() && !Then.Known) {
    Number &First = All[Running.back()].First;
    First = std::min(First, Then.First);
  }
  Decided.forGrounds(Then.Decided, [&](FactId Needed, FactId Fact) {
    if (Then.Known) {
      Facts.use(Fact);
      return;
    }
    Facts.mayUse(Fact, Moment);
    Uses.push_back({Before, Needed, Fact, Moment});
  });
  Facts.nextMoment();
}

void Meetings::forgetAll() {
  All.clear();
  InState.clear();
  Running.clear();
  Unknown.clear();
  Uses.clear();
}

void Meetings::close(size_t Waiting) {
  while (!Running.empty() && All[Running.back()].Waiting >= Waiting) {
    const Number N = Running.back();
    Running.pop_back();
    exhaust(N);
  }
}

void Meetings::exhaust(Number N) {
  Meeting &M = All[N];
  M.End = Facts.nextMoment();
  Facts.nextMoment();
  if (M.First == N) {
    settle(N);
    return;
  }
  M.Decided.keepIf(
      [&](FactId F) { return Facts.mayBeUsed(F, M.Begin, M.End); });
  Number &First = All[Running.back()].First;
  First = std::min(First, M.First);
}

void Meetings::settle(Number First) {
  const uint64_t Begin = All[First].Begin;
  auto Mine =
      llvm::drop_begin(Uses, llvm::partition_point(Uses, [&](const UseIf &U) {
                               return U.Moment < Begin;
                             }) - Uses.begin());
  for (bool More = true; More;) {
    More = false;
    for (const UseIf &U : Mine)
      if (const Meeting &M = All[U.Before];
          Facts.isUsed(U.Needed, M.Begin, M.End) &&
          !Facts.isUsed(U.Fact, U.Moment, U.Moment)) {
        Facts.use(U.Fact, U.Moment);
        More = true;
      }
  }
  for (const UseIf &U : Mine)
    Facts.forgetMayUse(U.Fact, U.Moment);
  Uses.erase(Mine.begin(), Mine.end());
  while (!Unknown.empty() && Unknown.back() >= First) {
    Meeting &M = All[Unknown.back()];
    Unknown.pop_back();
    M.Known = true;
    M.Decided.keepIf([&](FactId F) { return Facts.isUsed(F, M.Begin, M.End); });
  }
}
