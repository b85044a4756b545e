//===- Choices.cpp - Pointers to one of several objects -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `Warp < 2 ? A : B`, where A and B are arrays in shared memory. Such a pointer
// points into an object of its own, whose bytes stand for those of A and of B:
// a range of numbers for each (ValueContext::choose). So it is added to, named
// and forgotten as every other; what it points to is asked for at an access.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

using namespace clang;
using namespace cpasync;

// Conditions that one pointer may hang on.
static constexpr unsigned MaxConditions = 4;

// The first condition that I selects by; null: none.
static const Int *firstCondition(const Int *I) {
  for (const Int::Term &T : I->terms())
    if (T.A->Kind == Atom::Op::Select)
      return T.A->A;
  return nullptr;
}

bool Executor::forEachChosen(State &S, Value P,
                             llvm::function_ref<void(Value)> Do,
                             unsigned Depth) {
  if (!P.isPtr() || P.Obj->K != Object::Kind::Choice) {
    if (P.isPtr() && P.Obj->isShared())
      Do(P);
    return true;
  }
  P = simplify(S, P);
  if (!P.I || Depth > MaxConditions)
    return false;
  if (P.I->isKnown()) {
    const Lanes *Threads = S.Active, *Left = Threads;
    while (!LanesContext::isEmpty(Left)) {
      const Object *One =
          V.chosen(P.Obj, (*P.I->base())[unsigned(L.first(Left))]);
      const Lanes *Here = V.choosing(P, One);
      if (One && One->isShared()) {
        S.Active = L.both(Left, Here);
        Do(V.asChosen(P, One));
      }
      Left = L.except(Left, Here);
    }
    S.Active = Threads;
    return true;
  }
  const Int *C = firstCondition(P.I);
  if (!C)
    return false;
  ++Noise; // who calls has a say in it
  const Truth Known = S.Condition.decide(V, C);
  const Lanes *Threads = S.Active;
  const PathCondition Before = S.Condition;
  bool All = true;
  for (const bool Holds : {true, false}) {
    const Lanes *Not = Holds ? Known.False : Known.True;
    const Lanes *Open = L.except(L.except(Threads, Known.True), Known.False);
    S.Active = L.except(Threads, Not);
    if (LanesContext::isEmpty(S.Active) ||
        (!LanesContext::isEmpty(Open) &&
         !S.Condition.assume(V, C, Holds, Open)))
      continue;
    hold(C);
    S.May.push_back({C, Holds});
    All &= forEachChosen(S, P, Do, Depth + 1);
    S.May.pop_back();
    S.Condition = Before;
  }
  S.Active = Threads;
  return All;
}
