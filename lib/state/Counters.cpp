//===- Counters.cpp - Known numbers of rounds -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that begins with round 0 has another number in every round, and what
// differs from path to path inside it (how many rows a tile has, which was
// loaded) never comes to one state twice: it does not settle. In a run that
// knows of such a loop from the one before, its counters are taken for any
// number of such periods as what is computed from them has (CounterUses.h), and
// what is known beside them moves along: `Tiles > 6` where K is 6 is `Tiles >
// K`.
//
//===----------------------------------------------------------------------===//

#include "lib/source/CounterUses.h"
#include "lib/state/Symbols.h"
#include "lib/values/Bounds.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;
using namespace cpasync;

void Symbols::findCounters(const State &S, CountedLoop &Loop) {
  const auto &H = S.Loops.back().History;
  const Memory &Once = H[H.size() - 1]->Mem, &Twice = H[H.size() - 2]->Mem;
  for (const auto &[O, Bytes] : S.Mem.entries()) {
    if (Once.find(O) == Bytes)
      continue;
    for (const Cell &C : *Bytes) {
      const CellRef At(O, C.Offset);
      const Int *Old = heldAt(Once, At), *Older = heldAt(Twice, At);
      // Where global data lies matters for its alignment only.
      if (!Old || !Older || !C.V.I || (C.V.isPtr() && !C.V.Obj->isShared()))
        continue;
      const Int *By = V.sub(C.V.I, Old);
      if (By->isConstant() && By->constant() != 0 && V.sub(Old, Older) == By)
        Loop.Counters.push_back({At, By->constant()});
    }
  }
  // The least goes first: others may be multiples of it. One that is the same
  // for all, if there is any.
  Counter *First = nullptr;
  auto IsFirst = [&](const Counter &C) {
    const Int *I = heldAt(S.Mem, C.At);
    if (C.By <= 0 || !I->isKnown())
      return false;
    const bool FirstIsForAll = First && heldAt(S.Mem, First->At)->isConstant();
    return !First || std::pair(!I->isConstant(), C.By) <
                         std::pair(!FirstIsForAll, First->By);
  };
  for (Counter &C : Loop.Counters)
    if (IsFirst(C))
      First = &C;
  if (!First) {
    Loop.Counters.clear();
    return;
  }
  std::swap(Loop.Counters.front(), *First);
  const PerThread *Of = heldAt(S.Mem, Loop.Counters.front().At)->base();
  Loop.Apart = V.sub(V.known(Of), V.constant(Of->min()));
  llvm::SmallVector<const VarDecl *, 4> Variables;
  for (const Counter &C : Loop.Counters)
    if (!C.At.first->Name.empty()) // no temporary
      Variables.push_back(static_cast<const VarDecl *>(C.At.first->Origin));
  int64_t Period = 1;
  for (const Frame &F : S.Frames) {
    const auto Uses = CounterUses::in(P, F.Fn->decl(), Variables);
    Period = std::lcm(Period, Uses.Period);
    Loop.First = std::max(Loop.First, Uses.LargestCompared);
  }
  // What is not kept of a number cannot answer for it.
  if (Period && Period <= CounterUses::LongestPeriod &&
      Loop.First <= MaxKeptBound)
    Loop.Step = Period * Loop.Counters.front().By;
}

void Symbols::nameFirst(State &S, const CountedLoop &Loop) {
  const Counter &First = Loop.Counters.front();
  const int64_t Now = heldAt(S.Mem, First.At)->base()->min();
  llvm::SmallVector<std::pair<CellRef, int64_t>, 4> Along;
  for (const Counter &C : llvm::drop_begin(Loop.Counters)) {
    const Int *I = heldAt(S.Mem, C.At);
    if (I && C.By % First.By == 0)
      Along.push_back({C.At, C.By / First.By});
  }
  // Ends that move along with the counter: so far from it they stay.
  llvm::SmallVector<MovedFact, 4> Moving;
  const PathCondition &Before = S.Loops.back().History.back()->Condition;
  for (PathCondition::Bound B : S.Condition.bounds()) {
    const auto Then = llvm::find_if(
        Before.bounds(), [&](const auto &X) { return X.Form == B.Form; });
    if (Then == Before.bounds().end() || Then->Range.Lo == INT64_MIN ||
        B.Range.Lo == INT64_MIN)
      continue;
    const int64_t By = B.Range.Lo - Then->Range.Lo, Times = By / First.By;
    if (By == 0 || By % First.By != 0)
      continue;
    B.Range.Hi = INT64_MAX;
    Moving.push_back({-Times, V.add(B.Form, V.constant(Times * Now)), B});
  }
  const auto Renamed = rename(S, First.At);
  const auto IsStale = [&](const Int *I) {
    return llvm::any_of(Renamed,
                        [&](const Atom *Old) { return dependsOn(I, Old); });
  };
  const Int *Name =
      V.mul(V.constant(Loop.Step), symbolFor(First.At, Uniformity::Block));
  Patterns[First.At] = {Loop.Apart->base(), Loop.Step, Uniformity::Block};
  S.Condition.forget(asAtom(symbolFor(First.At, Uniformity::Block)));
  hold(V, S.Mem, First.At, V.add(Name, Loop.Apart));
  keepBounds(S, Value::integer(Name), {Now, INT64_MAX}, {}, {});
  const Int *Moved = V.sub(Name, V.constant(Now));
  for (const auto &[At, Times] : Along)
    if (const Int *I = heldAt(S.Mem, At); I && !IsStale(I))
      hold(V, S.Mem, At, V.add(I, V.mul(V.constant(Times), Moved)));
  llvm::erase_if(Moving, [&](const MovedFact &F) { return IsStale(F.Rest); });
  assumeMoved(S, Name, Moving);
  S.Loops.back().History.clear();
}

void Symbols::nameCounters(State &S) {
  const LoopVisit &Visit = S.Loops.back();
  if (!Unsettled.contains(Visit.Head) || Visit.History.empty())
    return;
  CountedLoop &Loop = Counted[{Visit.Head, S.frame().Number}];
  if (Loop.Counters.empty() && Visit.History.size() > 1)
    findCounters(S, Loop);
  if (Loop.Counters.empty() || Loop.Step == 0)
    return;
  const Counter &First = Loop.Counters.front();
  const Int *Held = heldAt(S.Mem, First.At);
  if (!Held)
    return;
  const Int *Now = V.sub(Held, Loop.Apart); // of those who count least
  const Int *Name =
      V.mul(V.constant(Loop.Step), symbolFor(First.At, Uniformity::Block));
  const Int *Beyond = Now->isConstant() ? Now : V.sub(Now, Name);
  if (!Beyond->isConstant() || Beyond->constant() < Loop.Step ||
      Beyond->constant() % Loop.Step != 0)
    return;
  Run.Effects.note();
  if (!Now->isConstant()) {
    std::vector<CellRef> Together = {First.At};
    moveOn(S, {First.At, Held, V.constant(First.By), /*InAll=*/true}, Together,
           [&](CellRef, int64_t, const Int *) { return L.all(); });
    return;
  }
  const Int *Old = heldAt(Visit.History.back()->Mem, First.At);
  if (Now->constant() >= Loop.First && Old &&
      V.sub(Held, Old)->isConstant(First.By))
    nameFirst(S, Loop);
}
