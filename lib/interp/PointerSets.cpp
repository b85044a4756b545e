//===- PointerSets.cpp - Pointers to one of several objects ---------------===//
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

#include "lib/interp/PointerSets.h"
#include "lib/interp/Interpreter.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Each object of a choice has a range of so many bits, with 0 in its middle.
static constexpr unsigned ChoiceBits = 56;
static constexpr size_t MaxChoices = 8;

Value ValueContext::choose(const Int *Condition, Value A, Value B) {
  Uses.note(Condition);
  auto MayBeShared = [](Value X) { return X.isPtr() && X.Obj->isShared(); };
  if (!MayBeShared(A) && !MayBeShared(B))
    return Value::unknown();
  std::vector<const Object *> From;
  for (const Value &X : {A, B}) {
    if (!X.isPtr())
      From.push_back(nullptr);
    else if (X.Obj->K == Object::Kind::Choice)
      llvm::append_range(From, Choices[X.Obj->Number]);
    else
      From.push_back(X.Obj);
  }
  auto Before = [](const Object *X, const Object *Y) {
    return (X ? X->Id : 0) < (Y ? Y->Id : 0);
  };
  llvm::sort(From, Before);
  From.erase(llvm::unique(From), From.end());
  size_t Number = llvm::find(Choices, From) - Choices.begin();
  if (Number == Choices.size())
    Choices.push_back(From);
  Object O{Object::Kind::Choice};
  O.Number = Number;
  const Object *Choice = object(O);
  const Int *X = offsetInChoice(Choice, A), *Y = offsetInChoice(Choice, B);
  const bool IsKnown = X && Y && From.size() <= MaxChoices;
  return Value::pointer(Choice, IsKnown ? select(Condition, X, Y) : nullptr);
}

const Int *ValueContext::offsetInChoice(const Object *Choice, Value P) {
  const std::vector<const Object *> &From = Choices[Choice->Number];
  auto Begin = [&](const Object *O) {
    return int64_t(llvm::find(From, O) - From.begin()) << ChoiceBits;
  };
  if (!P.isPtr())
    return constant(Begin(nullptr));
  if (!P.Obj->isShared()) // where in it does not matter
    return constant(Begin(P.Obj));
  if (!P.I || P.Obj == Choice)
    return P.I;
  if (P.Obj->K != Object::Kind::Choice)
    return add(P.I, constant(Begin(P.Obj)));
  // Of a smaller choice: where its ranges lie in this one is known thread by
  // thread only.
  if (!P.I->isKnown())
    return nullptr;
  std::vector<int64_t> At;
  for (unsigned T = 0; T < L.threads(); ++T) {
    const Object *One = chosen(P.Obj, (*P.I->base())[T]);
    At.push_back((*asChosen(P, One).I->base())[T] + Begin(One));
  }
  return known(L.perThread(At));
}

const Object *ValueContext::chosen(const Object *Choice, int64_t At) const {
  const std::vector<const Object *> &From = Choices[Choice->Number];
  const int64_t Index = (At + (int64_t(1) << (ChoiceBits - 1))) >> ChoiceBits;
  return Index >= 0 && size_t(Index) < From.size() ? From[Index] : nullptr;
}

const PerThread *ValueContext::choosing(Value P, const Object *One) {
  Uses.note(P.I);
  std::vector<int64_t> Mask;
  for (unsigned T = 0; T < L.threads(); ++T)
    Mask.push_back(chosen(P.Obj, (*P.I->base())[T]) == One);
  return L.perThread(Mask);
}

Value ValueContext::asChosen(Value P, const Object *One) {
  Uses.note(P.I);
  const std::vector<const Object *> &From = Choices[P.Obj->Number];
  const int64_t Begin = int64_t(llvm::find(From, One) - From.begin())
                        << ChoiceBits;
  return Value::pointer(One, sub(P.I, constant(Begin)));
}

Value cpasync::chosenBy(ValueContext &V, Value P, const PerThread *Threads) {
  PerThreadContext &L = V.lanes();
  if (!P.isPtr() || P.Obj->K != Object::Kind::Choice || !P.I ||
      PerThreadContext::isEmpty(Threads))
    return P;
  const Int *Here = asIn(V, P.I, Threads);
  auto Selects = [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Select;
  };
  if (llvm::any_of(Here->terms(), Selects))
    return P;
  auto OneOf = [&](unsigned T) { return V.chosen(P.Obj, (*Here->base())[T]); };
  const Object *One = OneOf(unsigned(L.first(Threads)));
  for (unsigned T = 0; T < L.threads(); ++T)
    if ((*Threads)[T] && OneOf(T) != One)
      return P;
  return One && One->isShared() ? V.asChosen(Value::pointer(P.Obj, Here), One)
                                : P;
}

// Conditions that one pointer may hang on.
static constexpr unsigned MaxConditions = 4;

// The first condition that I selects by; null: none.
static const Int *firstCondition(const Int *I) {
  for (const Int::Term &T : I->terms())
    if (T.A->Kind == Atom::Op::Select)
      return T.A->A;
  return nullptr;
}

bool PointerSets::forEachChosen(State &S, Value P,
                                llvm::function_ref<void(Value)> Do,
                                unsigned Depth) {
  if (P.Obj->K != Object::Kind::Choice) {
    Do(P);
    return true;
  }
  P = Run.simplify(S, P);
  if (!P.I || Depth > MaxConditions)
    return false;
  if (P.I->isKnown()) {
    const PerThread *Threads = S.Active, *Left = Threads;
    while (!PerThreadContext::isEmpty(Left)) {
      const Object *One =
          V.chosen(P.Obj, (*P.I->base())[unsigned(L.first(Left))]);
      const PerThread *Here = V.choosing(P, One);
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
  Run.Effects.note(); // who calls has a say in it
  const Truth Known = S.Condition.decide(V, C);
  const PerThread *Threads = S.Active;
  const PathCondition Before = S.Condition;
  bool All = true;
  for (const bool Holds : {true, false}) {
    const PerThread *Not = Holds ? Known.False : Known.True;
    const PerThread *Open =
        L.except(L.except(Threads, Known.True), Known.False);
    S.Active = L.except(Threads, Not);
    const bool CanBe = !PerThreadContext::isEmpty(S.Active) &&
                       (PerThreadContext::isEmpty(Open) ||
                        S.Condition.assume(V, C, Holds, Open));
    if (CanBe) {
      Names.hold(C);
      S.May.push_back({C, Holds});
      All &= forEachChosen(S, P, Do, Depth + 1);
      S.May.pop_back();
    }
    S.Condition = Before;
  }
  S.Active = Threads;
  return All;
}
