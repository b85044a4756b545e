//===- Assumptions.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a path decides: bounds become narrower, choices are made. False: no run
// takes the path.
//
//===----------------------------------------------------------------------===//

#include "lib/values/Bounds.h"
#include "lib/values/PathCondition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace cpasync;

// A fact that follows from others; 0 where nobody keeps account.
static FactId added(FactTable *Facts, llvm::ArrayRef<FactId> From) {
  return Facts ? Facts->add(From) : 0;
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
    I->Lo = added(Facts, R.Lo == To.Lo ? Because : Low);
  if (R.Hi != I->Range.Hi)
    I->Hi = added(Facts, R.Hi == To.Hi ? Because : High);
  I->Range = R;
  Asked.renew(Facts);
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
                   Choice{Condition, Holds, nullptr, added(Facts, Because)});
    Asked.renew(Facts);
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

bool PathCondition::assumeComparison(ValueContext &V, const Int *C,
                                     const Atom *A, bool Holds,
                                     const PerThread *Where,
                                     llvm::ArrayRef<FactId> Because) {
  const Int *D = A->A;
  if (A->Kind == Atom::Op::Eq)
    if (const Atom *Inner = asAtom(D)) {
      if (Inner->Range == Interval{0, 1})
        return assume(V, D, !Holds, Where, Because);
    }
  if (D->isKnown() || !hasUniformCoefficients(D))
    return choose(V.lanes(), C, Holds, Where, Because);
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
      return choose(V.lanes(), C, Holds, Where, Because);
    To = {lower(-static_cast<__int128>(Min)),
          upper(-static_cast<__int128>(Min))};
  } else {
    if (Min == INT64_MIN)
      return choose(V.lanes(), C, Holds, Where, Because);
    Interval Now = bounds(V, V.sub(D, V.known(D->base())), Grounds);
    if (Min != Max || (Now.Lo != -Min && Now.Hi != -Min))
      return choose(V.lanes(), C, Holds, Where, Because);
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
  case Atom::Op::Lt:
    return assumeComparison(V, C, A, Holds, Where, Because);
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
                 Choice{C, true, In, added(Facts, {})});
  Asked.renew(Facts);
  return true;
}

void cpasync::assumeIfOpen(ValueContext &V, PathCondition &Known,
                           const Int *Condition, bool Holds,
                           llvm::ArrayRef<FactId> Because) {
  PerThreadContext &L = V.lanes();
  const Truth Now = Known.decide(V, Condition);
  if (PerThreadContext::isEmpty(L.either(Now.True, Now.False)))
    Known.assume(V, Condition, Holds, L.all(), Because);
}

void cpasync::assumeIfOpen(ValueContext &V, PathCondition &Known,
                           const Int *Form, const PathCondition::Bound &Of) {
  if (Of.Range.Lo != INT64_MIN)
    assumeIfOpen(V, Known, V.isNegative(V.sub(Form, V.constant(Of.Range.Lo))),
                 false, Of.Lo);
  if (Of.Range.Hi != INT64_MAX)
    assumeIfOpen(V, Known, V.isNegative(V.sub(V.constant(Of.Range.Hi), Form)),
                 false, Of.Hi);
}
