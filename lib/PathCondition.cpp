//===- PathCondition.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathCondition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace cpasync;

// Bounds saturate: anything near the ends of int64 counts as unbounded.
static constexpr int64_t Infinite = INT64_MAX / 4;

static int64_t saturate(__int128 V) {
  if (V >= Infinite)
    return INT64_MAX;
  if (V <= -Infinite)
    return INT64_MIN;
  return static_cast<int64_t>(V);
}

static Interval scaled(Interval R, int64_t By) {
  auto Mul = [&](int64_t V) -> int64_t {
    if (V == INT64_MAX || V == INT64_MIN)
      return (V > 0) == (By > 0) ? INT64_MAX : INT64_MIN;
    return saturate(static_cast<__int128>(V) * By);
  };
  if (By == 0)
    return {0, 0};
  return By > 0 ? Interval{Mul(R.Lo), Mul(R.Hi)}
                : Interval{Mul(R.Hi), Mul(R.Lo)};
}

static int64_t plus(int64_t A, int64_t B) {
  if (A == INT64_MAX || A == INT64_MIN)
    return A;
  if (B == INT64_MAX || B == INT64_MIN)
    return B;
  return saturate(static_cast<__int128>(A) + B);
}

static Interval intersect(Interval A, Interval B) {
  return {std::max(A.Lo, B.Lo), std::min(A.Hi, B.Hi)};
}

// The atom if I is exactly one atom, unscaled.
static const Atom *asAtom(const Int *I) {
  if (I->terms().size() != 1 || !I->base()->isUniform(0) ||
      !I->terms()[0].Coefficient->isUniform(1))
    return nullptr;
  return I->terms()[0].A;
}

static bool hasUniformCoefficients(const Int *I) {
  return llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.Coefficient->isUniform();
  });
}

// I without its base, divided by the common factor of its coefficients:
// I == base + Factor * form.
static const Int *canonicalForm(ValueContext &V, const Int *I,
                                int64_t &Factor) {
  Factor = 0;
  for (const Int::Term &T : I->terms())
    Factor = std::gcd(Factor, T.Coefficient->min());
  if (I->terms()[0].Coefficient->min() < 0)
    Factor = -Factor;
  const Int *Form = V.constant(0);
  for (const Int::Term &T : I->terms())
    Form = V.add(Form,
                 V.mul(T.A->Alone, V.constant(T.Coefficient->min() / Factor)));
  return Form;
}

// Whether X is 0 if Condition is Holds.
static bool isZeroIf(const Int *Condition, bool Holds, const Int *X) {
  while (const Atom *C = asAtom(Condition)) {
    if (C->Kind != Atom::Op::Eq)
      break;
    Condition = C->A;
    Holds = !Holds;
  }
  return !Holds && Condition == X;
}

// Narrows R, the bounds of X, by what Condition says when it is Holds.
static void narrowBy(ValueContext &V, const Int *Condition, bool Holds,
                     const Int *X, Interval &R, unsigned Depth) {
  const Atom *C = asAtom(Condition);
  if (!C || Depth == 0)
    return;
  --Depth;
  const bool Both = (C->Kind == Atom::Op::LOr && !Holds) ||
                    (C->Kind == Atom::Op::LAnd && Holds);
  if (Both) {
    narrowBy(V, C->A, Holds, X, R, Depth);
    narrowBy(V, C->B, Holds, X, R, Depth);
  } else if (C->Kind == Atom::Op::Eq) {
    narrowBy(V, C->A, !Holds, X, R, Depth);
  } else if (C->Kind == Atom::Op::Lt) {
    // X is as far from what is compared, or its negative, as that constant.
    if (const Int *D = V.sub(X, C->A); D->isConstant()) {
      if (Holds)
        R.Hi = std::min(R.Hi, D->constant() - 1);
      else
        R.Lo = std::max(R.Lo, D->constant());
    }
    if (const Int *D = V.add(X, C->A); D->isConstant()) {
      if (Holds)
        R.Lo = std::max(R.Lo, D->constant() + 1);
      else
        R.Hi = std::min(R.Hi, D->constant());
    }
  }
}

Interval PathCondition::atomBounds(ValueContext &V, const Atom *A,
                                   unsigned Depth) const {
  Interval R = A->Range;
  if (Depth == 0)
    return R;
  --Depth;
  auto Const = [](const Int *I) { return I && I->isConstant(); };
  switch (A->Kind) {
  case Atom::Op::Div:
    if (Const(A->B) && A->B->constant() > 0) {
      Interval X = bounds(V, A->A, Depth);
      int64_t C = A->B->constant();
      if (X.Lo != INT64_MIN)
        R.Lo = std::max(R.Lo, X.Lo / C);
      if (X.Hi != INT64_MAX)
        R.Hi = std::min(R.Hi, X.Hi / C);
    }
    break;
  case Atom::Op::Lt: {
    Interval X = bounds(V, A->A, Depth);
    if (X.Hi < 0)
      R.Lo = 1;
    else if (X.Lo >= 0)
      R.Hi = 0;
    break;
  }
  case Atom::Op::Eq: {
    Interval X = bounds(V, A->A, Depth);
    if (X == Interval{0, 0})
      R.Lo = 1;
    else if (X.Lo > 0 || X.Hi < 0)
      R.Hi = 0;
    break;
  }
  case Atom::Op::Min: {
    Interval X = bounds(V, A->A, Depth), Y = bounds(V, A->B, Depth);
    R = intersect(R, {std::min(X.Lo, Y.Lo), std::min(X.Hi, Y.Hi)});
    break;
  }
  case Atom::Op::Max: {
    Interval X = bounds(V, A->A, Depth), Y = bounds(V, A->B, Depth);
    R = intersect(R, {std::max(X.Lo, Y.Lo), std::max(X.Hi, Y.Hi)});
    break;
  }
  case Atom::Op::Select: {
    Interval X = bounds(V, A->B, Depth), Y = bounds(V, A->C, Depth);
    const Interval If = bounds(V, A->A, Depth);
    narrowBy(V, A->A, true, A->B, X, Depth);
    narrowBy(V, A->A, false, A->C, Y, Depth);
    // N / M is at least 1 where M divides an N above 0.
    for (const auto &[Holds, Number, R] :
         {std::tuple(true, A->B, &X), std::tuple(false, A->C, &Y)})
      if (const Atom *N = asAtom(Number); N && N->Kind == Atom::Op::Div)
        if (isZeroIf(A->A, Holds, V.apply(Atom::Op::Rem, N->A, N->B)) &&
            bounds(V, N->A, Depth).Lo > 0)
          R->Lo = std::max<int64_t>(R->Lo, 1);
    if (If.Lo > 0 || If.Hi < 0)
      Y = X;
    else if (If == Interval{0, 0})
      X = Y;
    R = intersect(R, {std::min(X.Lo, Y.Lo), std::max(X.Hi, Y.Hi)});
    break;
  }
  default:
    break;
  }
  return R;
}

// What the bounds of a sum say of one of its terms, whatever the others are.
Interval PathCondition::impliedBy(const Bound &B, const Atom *A) {
  const Int::Term *Own = nullptr;
  Interval R = B.Range;
  for (const Int::Term &T : B.Form->terms()) {
    if (T.A == A) {
      Own = &T;
      continue;
    }
    const Interval Other = scaled(T.A->Range, -T.Coefficient->min());
    R.Lo = Other.Lo == INT64_MIN ? INT64_MIN : plus(R.Lo, Other.Lo);
    R.Hi = Other.Hi == INT64_MAX ? INT64_MAX : plus(R.Hi, Other.Hi);
  }
  if (!Own)
    return {};
  if (Own->Coefficient->isUniform(1))
    return R;
  return Own->Coefficient->isUniform(-1) ? scaled(R, -1) : Interval();
}

Interval PathCondition::formBounds(ValueContext &V, const Int *Form,
                                   unsigned Depth) const {
  Interval R{0, 0};
  for (const Int::Term &T : Form->terms()) {
    Interval A = atomBounds(V, T.A, Depth);
    if (Form->terms().size() > 1)
      for (const Bound &B : Bounds)
        if (asAtom(B.Form) == T.A)
          A = intersect(A, B.Range);
    A = scaled(A, T.Coefficient->min());
    R = {plus(R.Lo, A.Lo), plus(R.Hi, A.Hi)};
    if (A.Lo == INT64_MIN)
      R.Lo = INT64_MIN;
    if (A.Hi == INT64_MAX)
      R.Hi = INT64_MAX;
  }
  const Atom *Single = Depth ? asAtom(Form) : nullptr;
  for (const Bound &B : Bounds)
    if (B.Form == Form)
      R = intersect(R, B.Range);
    else if (Single)
      R = intersect(R, impliedBy(B, Single));
  // M - X % M is at least 1.
  for (const Int::Term &T : Form->terms()) {
    const int64_t Times = -T.Coefficient->min();
    if (Depth == 0 || T.A->Kind != Atom::Op::Rem || Times <= 0 ||
        T.A->B->isKnown())
      continue;
    const Int *Rest =
        V.sub(Form, V.mul(V.sub(T.A->B, T.A->Alone), V.constant(Times)));
    if (Rest->terms().size() < Form->terms().size())
      R.Lo = std::max(R.Lo, plus(bounds(V, Rest, Depth - 1).Lo, Times));
  }
  return R;
}

Interval PathCondition::bounds(ValueContext &V, const Int *I,
                               unsigned Depth) const {
  if (I->isKnown())
    return {I->base()->min(), I->base()->max()};
  if (!hasUniformCoefficients(I))
    return {};
  int64_t Factor;
  const Int *Form = canonicalForm(V, I, Factor);
  Interval R = scaled(formBounds(V, Form, Depth), Factor);
  return {plus(R.Lo, I->base()->min()), plus(R.Hi, I->base()->max())};
}

// Truth of "lane value + [Lo, Hi] satisfies Test at both ends".
template <typename Fn>
static const Lanes *lanesWhere(ValueContext &V, const Lanes *Base, Fn Test) {
  LanesContext &L = V.lanes();
  if (Base->isUniform())
    return L.uniform(Test(Base->min()));
  std::vector<int64_t> R(L.threads());
  for (unsigned T = 0; T < L.threads(); ++T)
    R[T] = Test((*Base)[T]);
  return L.perThread(R);
}

Truth PathCondition::Choice::truth(LanesContext &L) const {
  const Lanes *Where = OnlyIn ? OnlyIn : L.all();
  const Lanes *Elsewhere = L.except(L.all(), Where);
  return Holds ? Truth{Where, Elsewhere} : Truth{Elsewhere, Where};
}

static Truth negated(Truth T) { return {T.False, T.True}; }

Truth PathCondition::decide(ValueContext &V, const Int *C) const {
  LanesContext &L = V.lanes();
  Truth Unknown{L.none(), L.none()};
  if (C->isKnown()) {
    const Lanes *T = L.apply(LaneOp::Ne, C->base(), L.uniform(0));
    return {T, L.except(L.all(), T)};
  }
  const Atom *A = asAtom(C);
  if (!A) {
    return negated(decide(V, V.isZero(C)));
  }
  for (const Choice &K : Choices)
    if (K.Condition == C)
      return K.truth(L);
  switch (A->Kind) {
  case Atom::Op::LAnd: {
    Truth X = decide(V, A->A), Y = decide(V, A->B);
    return {L.both(X.True, Y.True), L.either(X.False, Y.False)};
  }
  case Atom::Op::LOr: {
    Truth X = decide(V, A->A), Y = decide(V, A->B);
    return {L.either(X.True, Y.True), L.both(X.False, Y.False)};
  }
  case Atom::Op::Any: {
    const Truth X = decide(V, A->A);
    const Lanes *Voters = A->B->base();
    auto Some = [&](const Lanes *Mask) {
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
        for (const Choice &K : Choices)
          if (K.Condition == D)
            return negated(K.truth(L));
      }
    if (!hasUniformCoefficients(D))
      return Unknown;
    Interval R = bounds(V, V.sub(D, V.known(D->base())));
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
    return {lanesWhere(V, D->base(), True), lanesWhere(V, D->base(), False)};
  }
  default: {
    const Int *Zero = V.isZero(C);
    for (const Choice &K : Choices)
      if (K.Condition == Zero)
        return negated(K.truth(L));
    Interval R = bounds(V, C);
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
  if (canonicalForm(V, A->A, Factor) != Form)
    return std::nullopt;
  const int64_t Base = A->A->base()->min();
  if (Base % Factor != 0)
    return std::nullopt;
  return -Base / Factor;
}

bool PathCondition::narrow(ValueContext &V, const Int *Form, Interval To) {
  Interval R = intersect(formBounds(V, Form, MaxDepth), To);
  // Excluded values at the ends; each may uncover the next one.
  llvm::SmallVector<int64_t, 2> Excluded;
  for (const Choice &K : Choices)
    if (std::optional<int64_t> Value = excludedValue(V, K, Form))
      Excluded.push_back(*Value);
  while (!R.isEmpty() && llvm::is_contained(Excluded, R.Lo))
    ++R.Lo;
  while (!R.isEmpty() && llvm::is_contained(Excluded, R.Hi))
    --R.Hi;
  if (R.isEmpty())
    return false;
  auto I =
      llvm::lower_bound(Bounds, Form->id(), [](const Bound &B, unsigned Id) {
        return B.Form->id() < Id;
      });
  if (I != Bounds.end() && I->Form == Form)
    I->Range = R;
  else
    Bounds.insert(I, Bound{Form, R});
  const Atom *A = asAtom(Form);
  // A condition whose value is known holds, or does not.
  if (A && R.isPoint() && A->isUniform() &&
      (A->Kind == Atom::Op::Lt || A->Kind == Atom::Op::Eq))
    return assume(V, A->Alone, R.Lo != 0, V.lanes().all());
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
  return narrow(V, X, XR);
}

bool PathCondition::assume(ValueContext &V, const Int *C, bool Holds,
                           const Lanes *Where) {
  if (C->isKnown()) {
    for (unsigned T = 0; T < V.lanes().threads(); ++T)
      if ((*Where)[T] && ((*C->base())[T] != 0) != Holds)
        return false;
    return true;
  }
  const Atom *A = asAtom(C);
  if (!A)
    return assume(V, V.isZero(C), !Holds, Where);
  auto Choose = [&](const Int *Condition, bool Value) {
    auto I = llvm::lower_bound(
        Choices, Condition->id(),
        [](const Choice &K, unsigned Id) { return K.Condition->id() < Id; });
    if (I != Choices.end() && I->Condition == Condition && I->OnlyIn) {
      const Truth Known = I->truth(V.lanes());
      const Lanes *Agree = Value ? Known.True : Known.False;
      return LanesContext::isEmpty(V.lanes().except(Where, Agree));
    }
    if (I != Choices.end() && I->Condition == Condition)
      return I->Holds == Value;
    Choices.insert(I, Choice{Condition, Value});
    return true;
  };
  switch (A->Kind) {
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
    // Both operands follow from "a && b" and from "!(a || b)".
    if (Holds == (A->Kind == Atom::Op::LAnd))
      return assume(V, A->A, Holds, Where) && assume(V, A->B, Holds, Where);
    // Or it is known that one of them is not to blame.
    for (const auto &[X, Y] : {std::pair(A->A, A->B), std::pair(A->B, A->A)}) {
      const Truth Known = decide(V, X);
      if (LanesContext::isEmpty(
              V.lanes().except(Where, Holds ? Known.False : Known.True)))
        return assume(V, Y, Holds, Where);
    }
    return Choose(C, Holds);
  case Atom::Op::Any: {
    // "In none" says it of each; "in some" does not say in which.
    const Lanes *Voters = V.lanes().both(Where, A->B->base());
    return Choose(C, Holds) && (Holds || LanesContext::isEmpty(Voters) ||
                                assume(V, A->A, false, Voters));
  }
  case Atom::Op::Eq:
  case Atom::Op::Lt: {
    const Int *D = A->A;
    if (A->Kind == Atom::Op::Eq)
      if (const Atom *Inner = asAtom(D)) {
        if (Inner->Range == Interval{0, 1})
          return assume(V, D, !Holds, Where);
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
    if (A->Kind == Atom::Op::Lt) {
      if (Holds)
        To.Hi = plus(-Max, -1);
      else
        To.Lo = -Min;
    } else if (Holds) {
      if (Min != Max)
        return Choose(C, Holds);
      To = {-Min, -Min};
    } else {
      Interval Now = bounds(V, V.sub(D, V.known(D->base())));
      if (Min != Max || (Now.Lo != -Min && Now.Hi != -Min))
        return Choose(C, Holds);
      if (Now.Lo == -Min)
        To.Lo = -Min + 1;
      else
        To.Hi = -Min - 1;
    }
    int64_t Factor;
    const Int *Form = canonicalForm(V, D, Factor);
    // Factor * form in To: divide, rounding inwards.
    if (Factor < 0) {
      To = scaled(To, -1);
      Factor = -Factor;
    }
    auto Floor = [&](int64_t X) {
      return X >= 0 ? X / Factor : -((-X + Factor - 1) / Factor);
    };
    if (To.Lo != INT64_MIN)
      To.Lo = -Floor(-To.Lo);
    if (To.Hi != INT64_MAX)
      To.Hi = Floor(To.Hi);
    return narrow(V, Form, To);
  }
  default:
    return Choose(C, Holds);
  }
}

bool PathCondition::assumeOnlyIn(ValueContext &V, const Int *C,
                                 const Lanes *In) {
  LanesContext &L = V.lanes();
  const Lanes *Others = L.except(L.all(), In);
  const Truth Known = decide(V, C);
  if (!LanesContext::isEmpty(L.both(Known.True, Others)) ||
      !LanesContext::isEmpty(L.both(Known.False, In)))
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
                 Choice{C, true, In});
  return true;
}

const Int *PathCondition::simplify(ValueContext &V, const Int *I,
                                   const Lanes *Where, unsigned Depth) const {
  if (!I || I->isKnown() || Depth == 0)
    return I;
  LanesContext &L = V.lanes();
  const Int *R = V.known(I->base());
  for (const Int::Term &T : I->terms()) {
    const Int *Atomic = T.A->Alone, *New = Atomic;
    Interval B = bounds(V, Atomic);
    if (B.isPoint()) {
      New = V.constant(B.Lo);
    } else if (T.A->Kind == Atom::Op::Select) {
      Truth Known = decide(V, T.A->A);
      if (LanesContext::isEmpty(L.except(Where, Known.True)))
        New = simplify(V, T.A->B, Where, Depth - 1);
      else if (LanesContext::isEmpty(L.except(Where, Known.False)))
        New = simplify(V, T.A->C, Where, Depth - 1);
    } else if (T.A->Kind >= Atom::Op::Eq && T.A->Kind <= Atom::Op::LOr) {
      Truth Known = decide(V, Atomic);
      if (LanesContext::isEmpty(L.except(Where, Known.True)))
        New = V.constant(1);
      else if (LanesContext::isEmpty(L.except(Where, Known.False)))
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
  if (!I || Depth == 0)
    return nullptr;
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
