//===- Subsumption.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/Subsumption.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

// Of one meeting; what is read further back is written anew in most kernels.
static constexpr size_t MaxNeeded = 256;

bool Subsumption::isCovered(const Meeting &M, const State &S) {
  const WriteHistory::Blanks Blanks = S.Copies.history().blanks();
  if (!S.Condition.implies(M.Decided) || !M.Blanks.hasReadsOf(Blanks))
    return false;
  // No read is blind after such a decision.
  if (S.ChoseNotToCopy)
    return true;
  if (M.Before.ChoseNotToCopy)
    return false;
  if (M.Blanks.include(Written, Blanks))
    return true;
  return M.Known && !M.NeedsAll &&
         llvm::all_of(M.Needed, [&](const Footprint *Read) {
           return Written.mayTouch(Blanks.Written, Read);
         });
}

std::optional<Spot> Subsumption::before(Fingerprint::Digest Is, State &S,
                                        size_t Waiting, Spot Here,
                                        bool ButUnordered) {
  llvm::SmallVector<Number, 1> &Before = InState[Is];
  // Each access clashes by itself with what follows, which is the same.
  UnorderedAccesses::List Left;
  if (ButUnordered && !Before.empty())
    Left = S.Copies.unordered().inOrder();
  llvm::SmallVector<Number, 4> Useful;
  for (Number N : Before) {
    const Meeting &M = All[N];
    if (!isCovered(M, S))
      continue;
    const size_t Others = Left.size();
    if (M.Unordered)
      llvm::erase_if(Left,
                     [&](auto &A) { return M.Unordered->includes(Events, A); });
    if (Left.size() < Others || Left.empty())
      Useful.push_back(N);
    if (!Left.empty())
      continue;
    for (Number X : Useful)
      end(S, X);
    noteLess(M, S);
    return M.Here;
  }
  const Number New = All.size();
  Before.push_back(New);
  Running.push_back(New);
  Unknown.push_back(New);
  Numbers[Here] = New;
  std::optional<UnorderedAccesses> Unordered;
  if (ButUnordered)
    Unordered = S.Copies.unordered();
  All.push_back({S.Condition, std::move(Unordered), S.Copies.history().blanks(),
                 Waiting, Here, New, Facts.nextMoment(), S.Length, Way::of(S)});
  S.Copies.history().meet(Written, New);
  return std::nullopt;
}

void Subsumption::noteLess(const Meeting &M, const State &S) {
  constexpr size_t MaxLess = 4;
  const WrittenBytes *Mine = S.Copies.history().written();
  if (S.ChoseNotToCopy && S.Decided && S.Trace->Copied &&
      WroteLess.size() < MaxLess &&
      Written.unite(Mine, M.Blanks.Written) != Mine)
    WroteLess.push_back(S.Decided->Number);
}

void Subsumption::repeat(Spot Before, const State &S) {
  const auto N = Numbers.find(Before);
  if (N != Numbers.end() && S.Condition.implies(All[N->second].Decided)) {
    end(S, N->second);
    return;
  }
  S.Condition.useAll();
  needAll(S.Copies.history().sinceMeeting().Meeting);
}

void Subsumption::end(const State &S, Number Before) {
  Meeting &Then = All[Before];
  const PathCondition &Decided = S.Condition;
  if (!Then.Known)
    Then.Ended.push_back(Way::of(S));
  if (Then.NeedsAll)
    needAll(S.Copies.history().sinceMeeting().Meeting);
  for (const Footprint *Read : llvm::to_vector(Then.Needed))
    need(Way::of(S), Read);
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

void Subsumption::need(const State &S, const Footprint *Read) {
  need(Way::of(S), Read);
}

void Subsumption::need(Way From, const Footprint *Read) {
  llvm::SmallVector<Way, 4> Work{From};
  while (!Work.empty()) {
    const Way At = Work.pop_back_val();
    if (At.Since.Meeting == At.Since.None ||
        Written.mayTouch(At.Since.Written, Read))
      continue;
    Meeting &M = All[At.Since.Meeting];
    // Whoever comes by there decides so too.
    if (M.Length < At.ChoseNotToCopy)
      continue;
    if (M.NeedsAll || !M.Needed.insert(Read).second)
      continue;
    const bool IsKnown = Read->Offset && Read->Offset->isKnown();
    if (!IsKnown || M.Needed.size() > MaxNeeded) {
      needAll(At.Since.Meeting);
      continue;
    }
    Work.push_back(M.Before);
    Work.append(M.Ended.begin(), M.Ended.end());
  }
}

void Subsumption::needAll(Number N) {
  llvm::SmallVector<Number, 4> Work{N};
  while (!Work.empty()) {
    const Number At = Work.pop_back_val();
    if (At == WriteHistory::SinceMeeting::None ||
        std::exchange(All[At].NeedsAll, true))
      continue;
    Meeting &M = All[At];
    M.Needed.clear();
    Work.push_back(M.Before.Since.Meeting);
    for (const Way &E : M.Ended)
      Work.push_back(E.Since.Meeting);
  }
}

void Subsumption::forgetAll() {
  All.clear();
  Numbers.clear();
  InState.clear();
  Running.clear();
  Unknown.clear();
  Uses.clear();
}

void Subsumption::close(size_t Waiting, Budget *Cost) {
  while (!Running.empty() && All[Running.back()].Waiting >= Waiting &&
         !(Cost && Cost->isSpent())) {
    const Number N = Running.back();
    Running.pop_back();
    exhaust(N, Cost);
  }
}

void Subsumption::exhaust(Number N, Budget *Cost) {
  Meeting &M = All[N];
  M.End = Facts.nextMoment();
  Facts.nextMoment();
  if (M.First == N) {
    settle(N, Cost);
    return;
  }
  M.Decided.keepIf(
      [&](FactId F) { return Facts.mayBeUsed(F, M.Begin, M.End); });
  Number &First = All[Running.back()].First;
  First = std::min(First, M.First);
}

void Subsumption::settle(Number First, Budget *Cost) {
  const uint64_t Begin = All[First].Begin;
  auto Mine =
      llvm::drop_begin(Uses, llvm::partition_point(Uses, [&](const UseIf &U) {
                               return U.Moment < Begin;
                             }) - Uses.begin());
  for (bool More = true; More;) {
    More = false;
    for (const UseIf &U : Mine) {
      if (Cost && Cost->isSpent())
        return;
      if (const Meeting &M = All[U.Before];
          Facts.isUsed(U.Needed, M.Begin, M.End) &&
          !Facts.isUsed(U.Fact, U.Moment, U.Moment)) {
        Facts.use(U.Fact, U.Moment);
        More = true;
      }
    }
  }
  for (const UseIf &U : Mine) {
    if (Cost && Cost->isSpent())
      return;
    Facts.forgetMayUse(U.Fact, U.Moment);
  }
  Uses.erase(Mine.begin(), Mine.end());
  while (!Unknown.empty() && Unknown.back() >= First) {
    Meeting &M = All[Unknown.back()];
    Unknown.pop_back();
    M.Known = true;
    M.Ended.clear();
    M.Decided.keepIf([&](FactId F) { return Facts.isUsed(F, M.Begin, M.End); });
  }
}
