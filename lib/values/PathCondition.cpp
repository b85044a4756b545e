//===- PathCondition.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/PathCondition.h"
#include "lib/values/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace cpasync;

// Truth of "lane value + [Lo, Hi] satisfies Test at both ends".
template <typename Fn>
static const PerThread *lanesWhere(ValueContext &V, const PerThread *Base,
                                   Fn Test) {
  PerThreadContext &L = V.lanes();
  if (Base->isUniform())
    return L.uniform(Test(Base->min()));
  std::vector<int64_t> R(L.threads());
  for (unsigned T = 0; T < L.threads(); ++T)
    R[T] = Test((*Base)[T]);
  return L.perThread(R);
}

Truth PathCondition::Choice::truth(PerThreadContext &L) const {
  const PerThread *Where = OnlyIn ? OnlyIn : L.all();
  const PerThread *Elsewhere = L.except(L.all(), Where);
  return Holds ? Truth{Where, Elsewhere} : Truth{Elsewhere, Where};
}

static Truth negated(Truth T) { return {T.False, T.True}; }

const PathCondition::Bound *PathCondition::find(const Int *Form) const {
  const auto *I =
      llvm::lower_bound(Bounds, Form->id(), [](const Bound &B, unsigned Id) {
        return B.Form->id() < Id;
      });
  return I != Bounds.end() && I->Form == Form ? I : nullptr;
}

const PathCondition::Choice *
PathCondition::findChoice(const Int *Condition) const {
  const auto *I = llvm::lower_bound(
      Choices, Condition->id(),
      [](const Choice &K, unsigned Id) { return K.Condition->id() < Id; });
  return I != Choices.end() && I->Condition == Condition ? I : nullptr;
}

Truth PathCondition::decide(ValueContext &V, const Int *C) const {
  V.Uses.note(C);
  PerThreadContext &L = V.lanes();
  if (C->isKnown()) {
    const PerThread *T = L.apply(LaneOp::Ne, C->base(), L.uniform(0));
    return {T, L.except(L.all(), T)};
  }
  if (Facts && Facts->Open.contains(Asked.By, C)) {
    ++Asked.Times;
    return {L.none(), L.none()};
  }
  FactTable::Question Q(Facts);
  const Truth T = decideOpen(V, C);
  const bool IsOpen =
      PerThreadContext::isEmpty(T.True) && PerThreadContext::isEmpty(T.False);
  if (!IsOpen) {
    Q.answer();
    return T;
  }
  Q.dismiss();
  if (Facts)
    Facts->Open.add(Asked.By, C);
  return T;
}

Truth PathCondition::chosen(PerThreadContext &L, const Choice &K) const {
  mention(K.Fact);
  return K.truth(L);
}

Truth PathCondition::decideChain(ValueContext &V, const Atom *A) const {
  PerThreadContext &L = V.lanes();
  // "a && b && c" is a chain of as many operations: from the innermost one,
  // as each is part of the next.
  llvm::SmallVector<const Atom *, 8> Chain = {A};
  auto Inner = [&] { return Chain.back()->A; };
  for (const Atom *X = asAtom(Inner());
       X && (X->Kind == Atom::Op::LAnd || X->Kind == Atom::Op::LOr) &&
       !findChoice(Inner());
       X = asAtom(Inner()))
    Chain.push_back(X);
  FactTable::Question Q(Facts);
  Truth R = decide(V, Inner());
  for (const Atom *X : llvm::reverse(Chain)) {
    const Truth Y = decide(V, X->B);
    R = X->Kind == Atom::Op::LAnd
            ? Truth{L.both(R.True, Y.True), L.either(R.False, Y.False)}
            : Truth{L.either(R.True, Y.True), L.both(R.False, Y.False)};
    if (PerThreadContext::isEmpty(R.True) && PerThreadContext::isEmpty(R.False))
      Q.dismiss();
  }
  return R;
}

// Some threads have a number in it that nobody knows, and others have none.
static Truth decideWhereKnown(const PathCondition &Path, ValueContext &V,
                              const Int *D, bool IsLt) {
  PerThreadContext &L = V.lanes();
  const PerThread *Zero = L.uniform(0), *Open = L.none();
  for (const Int::Term &T : D->terms())
    Open = L.either(Open, L.apply(LaneOp::Ne, T.Coefficient, Zero));
  const PerThread *Known = L.except(L.all(), Open);
  const PerThread *Holds =
      L.apply(IsLt ? LaneOp::Lt : LaneOp::Eq, D->base(), Zero);
  Truth R{L.both(Known, Holds), L.except(Known, Holds)};
  const Int *Rest = asIn(V, D, Open);
  if (PerThreadContext::isEmpty(Known) || !hasUniformCoefficients(Rest))
    return R;
  const Truth OfRest =
      Path.decide(V, IsLt ? V.isNegative(Rest) : V.isZero(Rest));
  R.True = L.either(R.True, L.both(Open, OfRest.True));
  R.False = L.either(R.False, L.both(Open, OfRest.False));
  return R;
}

// What is selected is known for some threads: what those have is compared.
static Truth decideBySelection(const PathCondition &Path, ValueContext &V,
                               const Int *D, bool IsLt) {
  PerThreadContext &L = V.lanes();
  Truth R{L.none(), L.none()};
  for (const Int::Term &T : D->terms()) {
    if (T.A->Kind != Atom::Op::Select || T.A->A->isUniform())
      continue;
    const Truth By = Path.decide(V, T.A->A);
    const PerThread *Open = L.except(L.all(), L.either(By.True, By.False));
    if (PerThreadContext::isEmpty(Open) || Open == L.all())
      continue;
    for (const auto &[Threads, Is] :
         {std::pair{By.True, T.A->B}, std::pair{By.False, T.A->C}}) {
      if (PerThreadContext::isEmpty(Threads))
        continue;
      const Int *Here = asIn(
          V, V.add(D, V.mul(V.sub(Is, T.A->Alone), V.known(T.Coefficient))),
          Threads);
      const Truth X =
          Path.decide(V, IsLt ? V.isNegative(Here) : V.isZero(Here));
      R.True = L.either(R.True, L.both(Threads, X.True));
      R.False = L.either(R.False, L.both(Threads, X.False));
    }
    break;
  }
  return R;
}

Truth PathCondition::decideComparison(ValueContext &V, const Atom *A) const {
  using End = FactTable::End;
  const Int *D = A->A;
  if (A->Kind == Atom::Op::Eq)
    if (const Atom *Inner = asAtom(D)) {
      if (Inner->Range == Interval{0, 1})
        return negated(decide(V, D));
      if (const Choice *K = findChoice(D))
        return negated(chosen(V.lanes(), *K));
    }
  const bool IsLt = A->Kind == Atom::Op::Lt;
  if (!hasUniformCoefficients(D))
    return decideWhereKnown(*this, V, D, IsLt);
  const Truth Apart = decideBySelection(*this, V, D, IsLt);
  FactTable::Question Q(Facts);
  Interval R = bounds(V, V.sub(D, V.known(D->base())), MaxDepth);
  auto True = [&](int64_t B) -> int64_t {
    return IsLt ? R.Hi != INT64_MAX && plus(R.Hi, B) < 0
                : R.isPoint() && plus(R.Lo, B) == 0;
  };
  auto False = [&](int64_t B) -> int64_t {
    if (IsLt)
      return R.Lo != INT64_MIN && plus(R.Lo, B) >= 0;
    return (R.Lo != INT64_MIN && plus(R.Lo, B) > 0) ||
           (R.Hi != INT64_MAX && plus(R.Hi, B) < 0);
  };
  PerThreadContext &L = V.lanes();
  const Truth Found = {L.either(Apart.True, lanesWhere(V, D->base(), True)),
                       L.either(Apart.False, lanesWhere(V, D->base(), False))};
  // Which end said so.
  End Of = End::Any;
  if (IsLt && PerThreadContext::isEmpty(Found.False))
    Of = End::High;
  else if (IsLt && PerThreadContext::isEmpty(Found.True))
    Of = End::Low;
  else if (!IsLt && D->base()->isUniform() && Found.False->isUniform(1))
    Of = R.Lo != INT64_MIN && plus(R.Lo, D->base()->min()) > 0 ? End::Low
                                                               : End::High;
  Q.answer(Of);
  return Found;
}

Truth PathCondition::decideOpen(ValueContext &V, const Int *C) const {
  using End = FactTable::End;
  PerThreadContext &L = V.lanes();
  Truth Unknown{L.none(), L.none()};
  ++Asked.Times;
  const Atom *A = asAtom(C);
  if (!A) {
    return negated(decide(V, V.isZero(C)));
  }
  if (const Choice *K = findChoice(C))
    return chosen(L, *K);
  switch (A->Kind) {
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
    return decideChain(V, A);
  case Atom::Op::Any: {
    const Truth X = decide(V, A->A);
    const PerThread *Voters = A->B->base();
    auto Some = [&](const PerThread *Mask) {
      return L.anyAmong(L.both(Voters, Mask), A->C->constant());
    };
    return {Some(X.True), L.except(L.all(), Some(L.except(L.all(), X.False)))};
  }
  case Atom::Op::Eq:
  case Atom::Op::Lt:
    return decideComparison(V, A);
  default: {
    const Int *Zero = V.isZero(C);
    if (const Choice *K = findChoice(Zero))
      return negated(chosen(L, *K));
    FactTable::Question Q(Facts);
    Interval R = bounds(V, C, MaxDepth);
    Q.answer(R.Lo > 0 ? End::Low : R.Hi < 0 ? End::High : End::Any);
    if (R.Lo > 0 || R.Hi < 0)
      return {L.all(), L.none()};
    if (R == Interval{0, 0})
      return {L.none(), L.all()};
    return Unknown;
  }
  }
}

std::optional<int64_t> PathCondition::onlyValue(ValueContext &V,
                                                const Int *I) const {
  FactTable::Question Q(Facts);
  const Interval R = bounds(V, I, MaxDepth);
  if (!R.isPoint())
    return std::nullopt;
  Q.answer();
  return R.Lo;
}

// A comparison, or a chain of them, of other operands.
static const Int *compared(ValueContext &V, Atom::Op Op, const Int *X,
                           const Int *Y) {
  switch (Op) {
  case Atom::Op::Eq:
    return V.isZero(X);
  case Atom::Op::Lt:
    return V.isNegative(X);
  case Atom::Op::LAnd:
    return V.logicalAnd(X, Y);
  default:
    return V.logicalOr(X, Y);
  }
}

using Selection = PathCondition::Selection;

// A selection, or the smaller or the greater of a number that is known and one
// that is not; where they are the same it is the one that is known.
static std::optional<Selection> selectionBy(ValueContext &V, const Atom *A) {
  if (A->Kind == Atom::Op::Select)
    return Selection{A->A, A->B, A->C};
  if ((A->Kind != Atom::Op::Min && A->Kind != Atom::Op::Max) ||
      A->A->isConstant() == A->B->isConstant())
    return std::nullopt;
  const auto [Known, Open] =
      A->A->isConstant() ? std::pair(A->A, A->B) : std::pair(A->B, A->A);
  const Int *Apart =
      A->Kind == Atom::Op::Min ? V.sub(Open, Known) : V.sub(Known, Open);
  return Selection{V.isNegative(Apart), Open, Known};
}

const Int *PathCondition::simplify(ValueContext &V, const Int *I,
                                   const PerThread *Where,
                                   unsigned Depth) const {
  if (!I || I->isKnown() || Depth == 0)
    return I;
  ++Asked.Times;
  PerThreadContext &L = V.lanes();
  auto Chosen = [&](const Atom *A) -> const Int * {
    const auto Of = selectionBy(V, A);
    if (!Of)
      return nullptr;
    const Truth Known = decide(V, Of->By);
    return PerThreadContext::isEmpty(L.except(Where, Known.True))    ? Of->IfSo
           : PerThreadContext::isEmpty(L.except(Where, Known.False)) ? Of->IfNot
                                                                     : nullptr;
  };
  const Int *R = V.known(I->base());
  for (const Int::Term &T : I->terms()) {
    const Int *Atomic = T.A->Alone, *New = Atomic;
    if (const std::optional<int64_t> Value = onlyValue(V, Atomic)) {
      New = V.constant(*Value);
    } else if (const Int *One = Chosen(T.A)) {
      New = simplify(V, One, Where, Depth - 1);
    } else if (T.A->Kind >= Atom::Op::Eq && T.A->Kind <= Atom::Op::LOr) {
      Truth Known = decide(V, Atomic);
      if (PerThreadContext::isEmpty(L.except(Where, Known.True)))
        New = V.constant(1);
      else if (PerThreadContext::isEmpty(L.except(Where, Known.False)))
        New = V.constant(0);
      else if (const Int *X = simplify(V, T.A->A, Where, Depth - 1),
               *Y = simplify(V, T.A->B, Where, Depth - 1);
               X != T.A->A || Y != T.A->B)
        New = compared(V, T.A->Kind, X, Y);
    } else if (T.A->Kind >= Atom::Op::Mul && T.A->Kind <= Atom::Op::Max) {
      const Int *X = simplify(V, T.A->A, Where, Depth - 1),
                *Y = simplify(V, T.A->B, Where, Depth - 1);
      if (X != T.A->A || Y != T.A->B)
        New = V.apply(T.A->Kind, X, Y);
    } else if (T.A->Kind == Atom::Op::Within) {
      const Int *X = simplify(V, T.A->A, Where, Depth - 1);
      if (X != T.A->A)
        New = V.within(X, T.A->B->constant());
    }
    R = V.add(R, V.mul(New, V.known(T.Coefficient)));
  }
  return R;
}

const Int *cpasync::asChosen(ValueContext &V, const PathCondition &Decided,
                             const Int *I) {
  const Int *R = V.known(I->base());
  for (const Int::Term &T : I->terms()) {
    const Int *New = T.A->Alone;
    if (const auto Of = selectionBy(V, T.A)) {
      const Truth Known = Decided.decide(V, Of->By);
      if (Known.True->isUniform(1))
        New = Of->IfSo;
      else if (Known.False->isUniform(1))
        New = Of->IfNot;
    }
    R = V.add(R, V.mul(New, V.known(T.Coefficient)));
  }
  return R;
}

std::optional<Selection>
PathCondition::undecidedSelection(ValueContext &V, const Int *I,
                                  unsigned Depth) const {
  if (!I || I->isKnown() || Depth == 0)
    return std::nullopt;
  ++Asked.Times;
  for (const Int::Term &T : I->terms()) {
    if (const auto Of = selectionBy(V, T.A); Of && Of->By->isUniform()) {
      Truth Known = decide(V, Of->By);
      if (!Known.True->isUniform(1) && !Known.False->isUniform(1))
        return Of;
    }
    if (T.A->isName()) // where a table is looked at
      continue;
    for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
      if (const auto Of = undecidedSelection(V, Operand, Depth - 1))
        return Of;
  }
  return std::nullopt;
}

void PathCondition::forget(const Atom *A) {
  forgetIf([&](const Int *I) { return dependsOn(I, A); });
}

void PathCondition::forgetIf(llvm::function_ref<bool(const Int *)> IsDead) {
  const size_t Before = Bounds.size() + Choices.size();
  llvm::erase_if(Bounds, [&](const Bound &B) { return IsDead(B.Form); });
  llvm::erase_if(Choices, [&](const Choice &C) { return IsDead(C.Condition); });
  if (Bounds.size() + Choices.size() != Before)
    Asked.renew(Facts);
}

bool PathCondition::implies(const PathCondition &O) const {
  // Both are sorted by the same ids.
  const Bound *B = Bounds.begin();
  for (const Bound &Wanted : O.Bounds) {
    B = std::find_if(B, Bounds.end(),
                     [&](const Bound &X) { return X.Form == Wanted.Form; });
    if (B == Bounds.end() || B->Range.Lo < Wanted.Range.Lo ||
        B->Range.Hi > Wanted.Range.Hi)
      return false;
  }
  const Choice *C = Choices.begin();
  return llvm::all_of(O.Choices, [&](const Choice &Wanted) {
    C = std::find(C, Choices.end(), Wanted);
    return C != Choices.end();
  });
}

void PathCondition::keepIf(llvm::function_ref<bool(FactId)> Needed) {
  llvm::erase_if(Bounds, [&](Bound &B) {
    if (!Needed(B.Lo))
      B.Range.Lo = INT64_MIN;
    if (!Needed(B.Hi))
      B.Range.Hi = INT64_MAX;
    return B.Range == Interval();
  });
  llvm::erase_if(Choices, [&](const Choice &C) { return !Needed(C.Fact); });
  Asked.renew(Facts);
}

void PathCondition::forGrounds(
    const PathCondition &O, llvm::function_ref<void(FactId, FactId)> Do) const {
  for (const Bound &Other : O.Bounds) {
    const Bound *B = find(Other.Form);
    if (Other.Range.Lo != INT64_MIN)
      Do(Other.Lo, B->Lo);
    if (Other.Range.Hi != INT64_MAX)
      Do(Other.Hi, B->Hi);
  }
  for (const Choice &Other : O.Choices)
    Do(Other.Fact, findChoice(Other.Condition)->Fact);
}

llvm::SmallVector<const Int *, 2>
PathCondition::usedSince(uint64_t Moment) const {
  auto IsUsed = [&](FactId F) { return Facts->isUsed(F, Moment, UINT64_MAX); };
  llvm::SmallVector<const Int *, 2> Used;
  for (const Bound &B : Bounds)
    if (IsUsed(B.Lo) || IsUsed(B.Hi))
      Used.push_back(B.Form);
  for (const Choice &C : Choices)
    if (IsUsed(C.Fact))
      Used.push_back(C.Condition);
  return Used;
}

void PathCondition::use(llvm::ArrayRef<const Int *> Known) const {
  for (const Int *I : Known) {
    if (const Bound *B = find(I)) {
      Facts->use(B->Lo);
      Facts->use(B->Hi);
    }
    if (const Choice *C = findChoice(I))
      Facts->use(C->Fact);
  }
}

void PathCondition::useAll() const {
  for (const Bound &B : Bounds) {
    Facts->use(B.Lo);
    Facts->use(B.Hi);
  }
  for (const Choice &C : Choices)
    Facts->use(C.Fact);
}

void PathCondition::addTo(Fingerprint &F) const {
  F.addList(Bounds, [&](const Bound &B) {
    F.add(B.Form);
    F.add(B.Range.Lo);
    F.add(B.Range.Hi);
  });
  F.addList(Choices, [&](const Choice &C) {
    F.add(C.Condition);
    F.add(C.Holds);
    F.add(C.OnlyIn);
  });
}
