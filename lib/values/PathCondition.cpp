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
  PerThreadContext &L = V.lanes();
  if (C->isKnown()) {
    const PerThread *T = L.apply(LaneOp::Ne, C->base(), L.uniform(0));
    return {T, L.except(L.all(), T)};
  }
  FactTable::Question Q(Facts);
  const Truth T = decideOpen(V, C);
  if (PerThreadContext::isEmpty(T.True) && PerThreadContext::isEmpty(T.False))
    Q.dismiss();
  else
    Q.answer();
  return T;
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
  auto Chosen = [&](const Choice &K) {
    mention(K.Fact);
    return K.truth(L);
  };
  if (const Choice *K = findChoice(C))
    return Chosen(*K);
  switch (A->Kind) {
  case Atom::Op::LAnd:
  case Atom::Op::LOr: {
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
      if (PerThreadContext::isEmpty(R.True) &&
          PerThreadContext::isEmpty(R.False))
        Q.dismiss();
    }
    return R;
  }
  case Atom::Op::Any: {
    const Truth X = decide(V, A->A);
    const PerThread *Voters = A->B->base();
    auto Some = [&](const PerThread *Mask) {
      return L.anyAmong(L.both(Voters, Mask), A->C->constant());
    };
    return {Some(X.True), L.except(L.all(), Some(L.except(L.all(), X.False)))};
  }
  case Atom::Op::Eq:
  case Atom::Op::Lt: {
    const Int *D = A->A;
    if (A->Kind == Atom::Op::Eq)
      if (const Atom *Inner = asAtom(D)) {
        if (Inner->Range == Interval{0, 1})
          return negated(decide(V, D));
        if (const Choice *K = findChoice(D))
          return negated(Chosen(*K));
      }
    if (!hasUniformCoefficients(D))
      return Unknown;
    FactTable::Question Q(Facts);
    Interval R = bounds(V, V.sub(D, V.known(D->base())), MaxDepth);
    bool IsLt = A->Kind == Atom::Op::Lt;
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
    const Truth Found = {lanesWhere(V, D->base(), True),
                         lanesWhere(V, D->base(), False)};
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
  default: {
    const Int *Zero = V.isZero(C);
    if (const Choice *K = findChoice(Zero))
      return negated(Chosen(*K));
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

// The value that Form is known not to have.
static std::optional<int64_t> excludedValue(ValueContext &V,
                                            const PathCondition::Choice &K,
                                            const Int *Form) {
  const Atom *A = asAtom(K.Condition);
  if (!A || A->Kind != Atom::Op::Eq || K.Holds || K.OnlyIn || A->A->isKnown() ||
      !hasUniformCoefficients(A->A) || !A->A->base()->isUniform())
    return std::nullopt;
  int64_t Factor;
  if (llvm::ArrayRef<Int::Term> Terms = A->A->terms(); Terms.size() == 1) {
    if (Terms[0].A->Alone != Form) // the most frequent ones, without arithmetic
      return std::nullopt;
    Factor = Terms[0].Coefficient->min();
  } else if (canonicalForm(V, A->A, Factor) != Form) {
    return std::nullopt;
  }
  const int64_t Base = A->A->base()->min();
  if (Base % Factor != 0)
    return std::nullopt;
  return -Base / Factor;
}

bool PathCondition::narrow(ValueContext &V, const Int *Form, Interval To,
                           llvm::ArrayRef<FactId> Because) {
  using End = FactTable::End;
  FactTable::Question Q(Facts);
  const Interval Known = formBounds(V, Form, MaxDepth);
  llvm::SmallVector<FactId, 4> Low = Q.take(End::Low), High = Q.take(End::High);
  Low.append(Because.begin(), Because.end());
  High.append(Because.begin(), Because.end());
  Q.dismiss();
  Interval R = intersect(Known, To);
  // Excluded values at the ends; each may uncover the next one.
  llvm::SmallVector<std::pair<int64_t, FactId>, 2> Excluded;
  for (const Choice &K : Choices)
    if (std::optional<int64_t> Value = excludedValue(V, K, Form))
      Excluded.push_back({*Value, K.Fact});
  auto IsExcluded = [&](int64_t Value, llvm::SmallVectorImpl<FactId> &By) {
    for (const auto &[X, Fact] : Excluded)
      if (X == Value && !R.isEmpty()) {
        By.push_back(Fact);
        return true;
      }
    return false;
  };
  while (IsExcluded(R.Lo, Low))
    ++R.Lo;
  while (IsExcluded(R.Hi, High))
    --R.Hi;
  if (R.isEmpty()) {
    for (FactId F : llvm::concat<FactId>(Low, High))
      mention(F);
    Q.answer();
    return false;
  }
  auto I =
      llvm::lower_bound(Bounds, Form->id(), [](const Bound &B, unsigned Id) {
        return B.Form->id() < Id;
      });
  if (I == Bounds.end() || I->Form != Form)
    I = Bounds.insert(I, Bound{Form, {}});
  // An end that was just decided follows from that alone.
  if (R.Lo != I->Range.Lo)
    I->Lo = add(R.Lo == To.Lo ? Because : Low);
  if (R.Hi != I->Range.Hi)
    I->Hi = add(R.Hi == To.Hi ? Because : High);
  I->Range = R;
  const FactId OfLo = I->Lo, OfHi = I->Hi;
  const Atom *A = asAtom(Form);
  // A condition whose value is known holds, or does not.
  if (A && R.isPoint() && A->isUniform() &&
      (A->Kind == Atom::Op::Lt || A->Kind == Atom::Op::Eq))
    return assume(V, A->Alone, R.Lo != 0, V.lanes().all(), {OfLo, OfHi});
  // A bound on x / c bounds x.
  if (!A || A->Kind != Atom::Op::Div || !A->B->isConstant() ||
      A->B->constant() <= 0 || !hasUniformCoefficients(A->A) ||
      A->A->isKnown() || !A->A->base()->isUniform())
    return true;
  int64_t C = A->B->constant(), Base = A->A->base()->min(), Factor;
  const Int *X = canonicalForm(V, A->A, Factor);
  if (Factor != 1)
    return true;
  Interval XR;
  if (R.Lo != INT64_MIN && R.Lo > 0)
    XR.Lo = saturate(static_cast<__int128>(R.Lo) * C - Base);
  if (R.Hi != INT64_MAX)
    XR.Hi = saturate(static_cast<__int128>(R.Hi) * C + C - 1 - Base);
  return narrow(V, X, XR, {OfLo, OfHi});
}

bool PathCondition::choose(PerThreadContext &L, const Int *Condition,
                           bool Holds, const PerThread *Where,
                           llvm::ArrayRef<FactId> Because) {
  const Choice *Known = findChoice(Condition);
  if (!Known) {
    Choices.insert(llvm::lower_bound(Choices, Condition->id(),
                                     [](const Choice &K, unsigned Id) {
                                       return K.Condition->id() < Id;
                                     }),
                   Choice{Condition, Holds, nullptr, add(Because)});
    return true;
  }
  bool Agrees = Known->Holds == Holds;
  if (Known->OnlyIn) {
    const Truth T = Known->truth(L);
    Agrees =
        PerThreadContext::isEmpty(L.except(Where, Holds ? T.True : T.False));
  }
  if (!Agrees) {
    FactTable::Question Q(Facts);
    for (FactId F : Because)
      mention(F);
    mention(Known->Fact);
    Q.answer();
  }
  return Agrees;
}

// A bound near the ends of int64 is none.
static int64_t lower(__int128 X) {
  const int64_t Bound = saturate(X);
  return Bound == INT64_MAX ? INT64_MIN : Bound;
}

static int64_t upper(__int128 X) {
  const int64_t Bound = saturate(X);
  return Bound == INT64_MIN ? INT64_MAX : Bound;
}

bool PathCondition::assume(ValueContext &V, const Int *C, bool Holds,
                           const PerThread *Where,
                           llvm::ArrayRef<FactId> Because) {
  if (C->isKnown()) {
    for (unsigned T = 0; T < V.lanes().threads(); ++T)
      if ((*Where)[T] && ((*C->base())[T] != 0) != Holds)
        return false;
    return true;
  }
  const Atom *A = asAtom(C);
  if (!A)
    return assume(V, V.isZero(C), !Holds, Where, Because);
  auto Choose = [&](const Int *Condition, bool Value) {
    return choose(V.lanes(), Condition, Value, Where, Because);
  };
  switch (A->Kind) {
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
    // Both operands follow from "a && b" and from "!(a || b)".
    if (Holds == (A->Kind == Atom::Op::LAnd))
      return assume(V, A->A, Holds, Where, Because) &&
             assume(V, A->B, Holds, Where, Because);
    // Or it is known that one of them is not to blame.
    for (const auto &[X, Y] : {std::pair(A->A, A->B), std::pair(A->B, A->A)}) {
      const Truth Known = decide(V, X);
      if (PerThreadContext::isEmpty(
              V.lanes().except(Where, Holds ? Known.False : Known.True)))
        return assume(V, Y, Holds, Where, Because);
    }
    return Choose(C, Holds);
  case Atom::Op::Any: {
    // "In none" says it of each; "in some" does not say in which.
    const PerThread *Voters = V.lanes().both(Where, A->B->base());
    return Choose(C, Holds) && (Holds || PerThreadContext::isEmpty(Voters) ||
                                assume(V, A->A, false, Voters, Because));
  }
  case Atom::Op::Eq:
  case Atom::Op::Lt: {
    const Int *D = A->A;
    if (A->Kind == Atom::Op::Eq)
      if (const Atom *Inner = asAtom(D)) {
        if (Inner->Range == Interval{0, 1})
          return assume(V, D, !Holds, Where, Because);
      }
    if (D->isKnown() || !hasUniformCoefficients(D))
      return Choose(C, Holds);
    // Bounds over the threads in question only.
    int64_t Min = INT64_MAX, Max = INT64_MIN;
    for (unsigned T = 0; T < V.lanes().threads(); ++T)
      if ((*Where)[T]) {
        Min = std::min(Min, (*D->base())[T]);
        Max = std::max(Max, (*D->base())[T]);
      }
    if (Min > Max)
      return true;
    Interval To; // of D without its base
    llvm::SmallVector<FactId, 4> Grounds(Because.begin(), Because.end());
    if (A->Kind == Atom::Op::Lt) {
      if (Holds)
        To.Hi = upper(-static_cast<__int128>(Max) - 1);
      else
        To.Lo = lower(-static_cast<__int128>(Min));
    } else if (Holds) {
      if (Min != Max)
        return Choose(C, Holds);
      To = {lower(-static_cast<__int128>(Min)),
            upper(-static_cast<__int128>(Min))};
    } else {
      if (Min == INT64_MIN)
        return Choose(C, Holds);
      Interval Now = bounds(V, V.sub(D, V.known(D->base())), Grounds);
      if (Min != Max || (Now.Lo != -Min && Now.Hi != -Min))
        return Choose(C, Holds);
      if (Now.Lo == -Min)
        To.Lo = lower(-static_cast<__int128>(Min) + 1);
      else
        To.Hi = upper(-static_cast<__int128>(Min) - 1);
    }
    int64_t Factor;
    const Int *Form = canonicalForm(V, D, Factor);
    // Factor * form in To: divide, rounding inwards.
    if (Factor < 0) {
      To = scaled(To, -1);
      Factor = -Factor;
    }
    auto Floor = [&](int64_t X) { return X / Factor - (X % Factor < 0); };
    if (To.Lo != INT64_MIN)
      To.Lo = -Floor(-To.Lo);
    if (To.Hi != INT64_MAX)
      To.Hi = Floor(To.Hi);
    return narrow(V, Form, To, Grounds);
  }
  case Atom::Op::Rem:
    if (A->Range == Interval{0, 1})
      return narrow(V, C, Holds ? Interval{1, 1} : Interval{0, 0}, Because);
    [[fallthrough]];
  default:
    return Choose(C, Holds);
  }
}

bool PathCondition::assumeOnlyIn(ValueContext &V, const Int *C,
                                 const PerThread *In) {
  PerThreadContext &L = V.lanes();
  const PerThread *Others = L.except(L.all(), In);
  const Truth Known = decide(V, C);
  if (!PerThreadContext::isEmpty(L.both(Known.True, Others)) ||
      !PerThreadContext::isEmpty(L.both(Known.False, In)))
    return false;
  if (L.either(Known.True, Known.False) == L.all())
    return true;
  const Atom *A = asAtom(C);
  if (!A)
    return assumeOnlyIn(V, V.isZero(C), Others);
  const Atom *Inner = A->Kind == Atom::Op::Eq ? asAtom(A->A) : nullptr;
  if (Inner && Inner->Range == Interval{0, 1})
    return assumeOnlyIn(V, A->A, Others);
  Choices.insert(llvm::upper_bound(Choices, C->id(),
                                   [](unsigned Id, const Choice &K) {
                                     return Id < K.Condition->id();
                                   }),
                 Choice{C, true, In, add({})});
  return true;
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

const Int *PathCondition::simplify(ValueContext &V, const Int *I,
                                   const PerThread *Where,
                                   unsigned Depth) const {
  if (!I || I->isKnown() || Depth == 0)
    return I;
  ++Asked.Times;
  PerThreadContext &L = V.lanes();
  const Int *R = V.known(I->base());
  for (const Int::Term &T : I->terms()) {
    const Int *Atomic = T.A->Alone, *New = Atomic;
    if (const std::optional<int64_t> Value = onlyValue(V, Atomic)) {
      New = V.constant(*Value);
    } else if (T.A->Kind == Atom::Op::Select) {
      Truth Known = decide(V, T.A->A);
      if (PerThreadContext::isEmpty(L.except(Where, Known.True)))
        New = simplify(V, T.A->B, Where, Depth - 1);
      else if (PerThreadContext::isEmpty(L.except(Where, Known.False)))
        New = simplify(V, T.A->C, Where, Depth - 1);
    } else if (T.A->Kind >= Atom::Op::Eq && T.A->Kind <= Atom::Op::LOr) {
      Truth Known = decide(V, Atomic);
      if (PerThreadContext::isEmpty(L.except(Where, Known.True)))
        New = V.constant(1);
      else if (PerThreadContext::isEmpty(L.except(Where, Known.False)))
        New = V.constant(0);
    } else if (T.A->Kind >= Atom::Op::Mul && T.A->Kind <= Atom::Op::Max) {
      const Int *X = simplify(V, T.A->A, Where, Depth - 1),
                *Y = simplify(V, T.A->B, Where, Depth - 1);
      if (X != T.A->A || Y != T.A->B)
        New = V.apply(T.A->Kind, X, Y);
    }
    R = V.add(R, V.mul(New, V.known(T.Coefficient)));
  }
  return R;
}

const Int *PathCondition::undecidedSelection(ValueContext &V, const Int *I,
                                             unsigned Depth) const {
  if (!I || I->isKnown() || Depth == 0)
    return nullptr;
  ++Asked.Times;
  for (const Int::Term &T : I->terms()) {
    if (T.A->Kind == Atom::Op::Select && T.A->A->isUniform()) {
      Truth Known = decide(V, T.A->A);
      if (!Known.True->isUniform(1) && !Known.False->isUniform(1))
        return T.A->A;
    }
    for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
      if (const Int *C = undecidedSelection(V, Operand, Depth - 1))
        return C;
  }
  return nullptr;
}

void PathCondition::forget(const Atom *A) {
  forgetIf([&](const Int *I) { return dependsOn(I, A); });
}

void PathCondition::forgetIf(llvm::function_ref<bool(const Int *)> IsDead) {
  llvm::erase_if(Bounds, [&](const Bound &B) { return IsDead(B.Form); });
  llvm::erase_if(Choices, [&](const Choice &C) { return IsDead(C.Condition); });
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
