//===- Bounds.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace cpasync;

static constexpr int64_t Infinite = INT64_MAX / 4;
// Tiles are not larger; forms times two such numbers are far from the ends.
static constexpr int64_t MaxDivisor = 1 << 20;

int64_t cpasync::saturate(__int128 V) {
  if (V >= Infinite)
    return INT64_MAX;
  if (V <= -Infinite)
    return INT64_MIN;
  return static_cast<int64_t>(V);
}

Interval cpasync::scaled(Interval R, int64_t By) {
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

int64_t cpasync::plus(int64_t A, int64_t B) {
  if (A == INT64_MAX || A == INT64_MIN)
    return A;
  if (B == INT64_MAX || B == INT64_MIN)
    return B;
  return saturate(static_cast<__int128>(A) + B);
}

Interval cpasync::intersect(Interval A, Interval B) {
  return {std::max(A.Lo, B.Lo), std::min(A.Hi, B.Hi)};
}

const Atom *cpasync::asAtom(const Int *I) {
  if (I->terms().size() != 1 || !I->base()->isUniform(0) ||
      !I->terms()[0].Coefficient->isUniform(1))
    return nullptr;
  return I->terms()[0].A;
}

bool cpasync::hasUniformCoefficients(const Int *I) {
  return llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.Coefficient->isUniform();
  });
}

const Int *cpasync::canonicalForm(ValueContext &V, const Int *I,
                                  int64_t &Factor) {
  Factor = 0;
  for (const Int::Term &T : I->terms())
    Factor = std::gcd(Factor, T.Coefficient->min());
  if (I->terms()[0].Coefficient->min() < 0)
    Factor = -Factor;
  return V.primitive(I, Factor);
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
  const bool Grows = A->Kind == Atom::Op::Div || A->Kind == Atom::Op::Min ||
                     A->Kind == Atom::Op::Max || A->Kind == Atom::Op::Within;
  FactTable::Turn Part(Facts, Grows ? 1 : 0);
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
  case Atom::Op::Within: {
    const Interval X = intersect(R, bounds(V, A->A, Depth));
    if (!X.isEmpty())
      R = X;
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
  if (R == A->Range)
    Part.dismiss();
  return R;
}

void PathCondition::tighten(Interval &R, const Bound &B, Interval Range,
                            bool IsNegated) const {
  using End = FactTable::End;
  if (Range.Lo > R.Lo) {
    R.Lo = Range.Lo;
    mention(IsNegated ? B.Hi : B.Lo, End::Low);
  }
  if (Range.Hi < R.Hi) {
    R.Hi = Range.Hi;
    mention(IsNegated ? B.Lo : B.Hi, End::High);
  }
}

// What the bounds of a sum say of one of its terms, whatever the others are.
Interval PathCondition::impliedBy(const Bound &B, const Atom *A,
                                  bool &IsNegated) {
  const auto *Own = llvm::find_if(B.Form->terms(),
                                  [&](const Int::Term &T) { return T.A == A; });
  if (Own == B.Form->terms().end())
    return {};
  Interval R = B.Range;
  for (const Int::Term &T : B.Form->terms()) {
    if (&T == Own)
      continue;
    const Interval Other = scaled(T.A->Range, -T.Coefficient->min());
    R.Lo = Other.Lo == INT64_MIN ? INT64_MIN : plus(R.Lo, Other.Lo);
    R.Hi = Other.Hi == INT64_MAX ? INT64_MAX : plus(R.Hi, Other.Hi);
    if (R.Lo == INT64_MIN && R.Hi == INT64_MAX)
      return {};
  }
  if (Own->Coefficient->isUniform(1))
    return R;
  IsNegated = true;
  return Own->Coefficient->isUniform(-1) ? scaled(R, -1) : Interval();
}

namespace {
/// An atom and how often it is added.
struct Addition {
  const Atom *A;
  int64_t Times;
};
} // namespace

// What has to be added to Sign times Of to get Form, if that is one atom and
// they have others in common.
static std::optional<Addition> oneApart(const Int *Form, const Int *Of,
                                        int Sign) {
  const size_t Long = Form->terms().size(), Short = Of->terms().size();
  if (Long > Short + 1 || Short > Long + 1)
    return std::nullopt;
  std::optional<Addition> Found;
  bool IsClose = false;
  auto X = Form->terms().begin(), XEnd = Form->terms().end();
  auto Y = Of->terms().begin(), YEnd = Of->terms().end();
  while (X != XEnd || Y != YEnd) {
    const bool HasX = X != XEnd && (Y == YEnd || X->A->Id <= Y->A->Id),
               HasY = Y != YEnd && (X == XEnd || Y->A->Id <= X->A->Id);
    const Atom *A = HasX ? X->A : Y->A;
    const __int128 Times =
        (HasX ? static_cast<__int128>(X++->Coefficient->min()) : 0) -
        (HasY ? Sign * static_cast<__int128>(Y++->Coefficient->min()) : 0);
    if (Times == 0)
      IsClose = true;
    else if (Found || Times != static_cast<int64_t>(Times))
      return std::nullopt;
    else
      Found = {A, static_cast<int64_t>(Times)};
  }
  return IsClose ? Found : std::nullopt;
}

Interval PathCondition::atomOrKnown(ValueContext &V, const Atom *A,
                                    unsigned Depth) const {
  Interval R = atomBounds(V, A, Depth);
  if (const Bound *B = find(A->Alone))
    tighten(R, *B, B->Range, /*IsNegated=*/false);
  return R;
}

// From the first multiple in R to the last one.
static Interval multiplesIn(Interval R, int64_t Of) {
  const auto Down = [&](int64_t X) {
    return X >= 0 ? X / Of * Of : -((-X + Of - 1) / Of * Of);
  };
  if (R.Lo != INT64_MIN)
    R.Lo = -Down(-R.Lo);
  if (R.Hi != INT64_MAX)
    R.Hi = Down(R.Hi);
  return R;
}

// M - X % M is at least 1.
void PathCondition::raiseByRemainders(ValueContext &V, const Int *Form,
                                      unsigned Depth, Interval &R) const {
  for (const Int::Term &T : Form->terms()) {
    const int64_t Times = -T.Coefficient->min();
    if (T.A->Kind != Atom::Op::Rem || Times <= 0 || T.A->B->isKnown())
      continue;
    const Int *Rest =
        V.sub(Form, V.mul(V.sub(T.A->B, T.A->Alone), V.constant(Times)));
    if (Rest->terms().size() >= Form->terms().size())
      continue;
    FactTable::Turn Part(Facts, 1);
    const int64_t Lo = plus(bounds(V, Rest, Depth - 1).Lo, Times);
    if (Lo > R.Lo)
      R.Lo = Lo;
    else
      Part.dismiss();
  }
}

// Of X / M, M times which is X less what is left over: from 0 to M - 1, where X
// is not negative.
void PathCondition::narrowByQuotients(ValueContext &V, const Int *Form,
                                      unsigned Depth, Interval &R) const {
  for (const Int::Term &T : Form->terms()) {
    const int64_t By = T.A->Kind == Atom::Op::Div && T.A->B->isConstant()
                           ? T.A->B->constant()
                           : 0;
    const int64_t Times = T.Coefficient->min();
    if (By <= 1 || By > MaxDivisor || std::abs(Times) > MaxDivisor)
      continue;
    // What is known of M times the form, with X in it, says as much of the
    // form. Asked on the way that would take long.
    const bool IsMultiple = Times % By == 0;
    if (!IsMultiple && Depth < MaxDepth)
      continue;
    const Int *Others = V.sub(Form, V.mul(T.A->Alone, V.constant(Times)));
    const int64_t Scale = IsMultiple ? 1 : By, Part = Times * Scale / By;
    const Int *Scaled = V.add(V.mul(T.A->A, V.constant(Part)),
                              V.mul(Others, V.constant(Scale)));
    if (IsMultiple && Scaled->terms().size() >= Form->terms().size())
      continue;
    FactTable::Turn OfPart(Facts, 1);
    auto IsPositive = [&] {
      FactTable::Turn Sign(Facts, 0);
      const Interval Rest = bounds(V, Others, Depth - 1);
      return bounds(V, T.A->A, Depth - 1).Lo >= 0 ||
             bounds(V, T.A->Alone, Depth - 1).Lo > 0 ||
             (Times > 0 ? R.Lo != INT64_MIN && Rest.Hi < R.Lo
                        : R.Hi != INT64_MAX && Rest.Lo > R.Hi);
    };
    const int64_t Least = IsPositive() ? 0 : 1 - By;
    const Interval Left = scaled({Least, By - 1}, -Part);
    Interval Of = bounds(V, Scaled, Depth - 1);
    Of = multiplesIn({plus(Of.Lo, Left.Lo), plus(Of.Hi, Left.Hi)}, Scale);
    if (Of.Lo != INT64_MIN)
      Of.Lo /= Scale;
    if (Of.Hi != INT64_MAX)
      Of.Hi /= Scale;
    if (Of.Lo > R.Lo || Of.Hi < R.Hi)
      R = {std::max(R.Lo, Of.Lo), std::min(R.Hi, Of.Hi)};
    else
      OfPart.dismiss();
  }
}

/// What \p B, of a sum with the quotient \p Of in it, says of \p Form, which is
/// that sum with the dividend in its place, M times as much: what is left over
/// is less than M. And whether \p Form is the negative of it.
static std::optional<std::pair<Interval, bool>>
byDividend(ValueContext &V, const PathCondition::Bound &B, const Int::Term &Of,
           const Int *Form,
           llvm::function_ref<Interval(const Int *)> BoundsOf) {
  const int64_t Times = Of.Coefficient->min();
  if (Of.A->Kind != Atom::Op::Div || !Of.A->B->isConstant() ||
      std::abs(Times) != 1 || Of.A->A->terms().empty())
    return std::nullopt;
  const int64_t By = Of.A->B->constant();
  const Atom *Some = Of.A->A->terms()[0].A;
  if (By <= 1 || By > MaxDivisor ||
      llvm::none_of(Form->terms(),
                    [&](const Int::Term &T) { return T.A == Some; }))
    return std::nullopt;
  const Int *Others = V.sub(B.Form, V.mul(Of.A->Alone, V.constant(Times)));
  const Int *Sum =
      V.add(V.mul(Of.A->A, V.constant(Times)), V.mul(Others, V.constant(By)));
  const Int *Apart = V.sub(Form, Sum), *Together = V.add(Form, Sum);
  const bool IsNegated = !Apart->isConstant();
  if (IsNegated && !Together->isConstant())
    return std::nullopt;
  // The quotient is not 0, nor negative, and so its dividend.
  const Interval Rest = BoundsOf(Others);
  if (Times > 0 ? B.Range.Lo == INT64_MIN || Rest.Hi >= B.Range.Lo
                : B.Range.Hi == INT64_MAX || Rest.Lo <= B.Range.Hi)
    return std::nullopt;
  const Interval Left = scaled({0, By - 1}, Times), All = scaled(B.Range, By);
  const Interval OfSum = scaled({plus(All.Lo, Left.Lo), plus(All.Hi, Left.Hi)},
                                IsNegated ? -1 : 1);
  const int64_t More = (IsNegated ? Together : Apart)->constant();
  return std::pair(Interval{plus(OfSum.Lo, More), plus(OfSum.Hi, More)},
                   IsNegated);
}

Interval PathCondition::formBounds(ValueContext &V, const Int *Form,
                                   unsigned Depth) const {
  Interval R{0, 0};
  for (const Int::Term &T : Form->terms()) {
    const int64_t Times = T.Coefficient->min();
    FactTable::Turn Part(Facts, Times < 0 ? -1 : 1);
    Interval A = Form->terms().size() > 1 ? atomOrKnown(V, T.A, Depth)
                                          : atomBounds(V, T.A, Depth);
    A = scaled(A, Times);
    R = {plus(R.Lo, A.Lo), plus(R.Hi, A.Hi)};
    if (A.Lo == INT64_MIN)
      R.Lo = INT64_MIN;
    if (A.Hi == INT64_MAX)
      R.Hi = INT64_MAX;
  }
  const Atom *Single = Depth ? asAtom(Form) : nullptr;
  if (const Bound *B = find(Form))
    tighten(R, *B, B->Range, /*IsNegated=*/false);
  if (Single)
    for (const Bound &B : Bounds) {
      bool IsNegated = false;
      if (B.Form != Form && !(Form->symbols() & ~B.Form->symbols()))
        tighten(R, B, impliedBy(B, Single, IsNegated), IsNegated);
    }
  // X % M is 0: the ends are multiples.
  if (Single)
    for (const Bound &B : Bounds)
      if (const Atom *A = asAtom(B.Form);
          A && A->Kind == Atom::Op::Rem && A->A == Form && A->B->isConstant() &&
          A->B->constant() > 0 && B.Range == Interval{0, 0})
        tighten(R, B, multiplesIn(R, A->B->constant()), /*IsNegated=*/false);
  // Of a sum that is known, one more or one less of something.
  if (Depth > 0 && Form->terms().size() > 1)
    for (const Bound &B : Bounds)
      for (const int Sign : {1, -1})
        if (const auto More = oneApart(Form, B.Form, Sign)) {
          FactTable::Turn Part(Facts, 1);
          Interval Rest;
          {
            FactTable::Turn OfRest(Facts, More->Times < 0 ? -1 : 1);
            Rest = scaled(atomOrKnown(V, More->A, 0), More->Times);
          }
          const Interval Sum = scaled(B.Range, Sign);
          const Interval Of = {plus(Sum.Lo, Rest.Lo), plus(Sum.Hi, Rest.Hi)};
          if (Of.Lo > R.Lo || Of.Hi < R.Hi)
            tighten(R, B, Of, Sign < 0);
          else
            Part.dismiss();
        }
  auto BoundsOf = [&](const Int *I) {
    FactTable::Turn Part(Facts, 0);
    return bounds(V, I, Depth - 1);
  };
  if (Depth == MaxDepth)
    for (const Bound &B : Bounds)
      for (const Int::Term &T : B.Form->terms())
        if (const auto Of = byDividend(V, B, T, Form, BoundsOf)) {
          // The quotient's sign hangs on the one end, whichever this is.
          const auto [Range, IsNegated] = *Of;
          if (Range.Lo > R.Lo || Range.Hi < R.Hi)
            mention(T.Coefficient->min() > 0 ? B.Lo : B.Hi);
          tighten(R, B, Range, IsNegated);
        }
  if (Depth > 0) {
    raiseByRemainders(V, Form, Depth, R);
    narrowByQuotients(V, Form, Depth, R);
  }
  // One end, and then the other. Asked on the way that would take long.
  if (Depth + 1 >= MaxDepth)
    R = cutOff(V, Facts, Form, R,
               [&](const Int *I) { return bounds(V, I, Depth - 1); });
  return R;
}

Interval PathCondition::bounds(ValueContext &V, const Int *I,
                               unsigned Depth) const {
  if (I->isKnown())
    return {I->base()->min(), I->base()->max()};
  ++Asked.Times;
  if (!hasUniformCoefficients(I))
    return {};
  int64_t Factor;
  const Int *Form = canonicalForm(V, I, Factor);
  FactTable::Turn Part(Facts, Factor < 0 ? -1 : 1);
  Interval R = scaled(formBounds(V, Form, Depth), Factor);
  return {plus(R.Lo, I->base()->min()), plus(R.Hi, I->base()->max())};
}

Interval PathCondition::bounds(ValueContext &V, const Int *I) const {
  FactTable::Question Q(Facts);
  const Interval R = bounds(V, I, MaxDepth);
  Q.answer();
  return R;
}

Interval PathCondition::bounds(ValueContext &V, const Int *I,
                               llvm::SmallVectorImpl<FactId> &Because) const {
  FactTable::Question Q(Facts);
  const Interval R = bounds(V, I, MaxDepth);
  Because.append(Q.take());
  Q.dismiss();
  return R;
}
