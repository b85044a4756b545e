//===- BoundedCounts.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/BoundedCounts.h"
#include "lib/values/Bounds.h"

using namespace cpasync;

/// Steps that are told apart; a ring has fewer slots.
static constexpr int64_t MaxSteps = 256;

const Int *BoundedCount::value(ValueContext &V) const {
  const Int *Steps =
      Step == 1 ? Left
                : V.apply(Atom::Op::Div, V.add(Left, V.constant(Step - 1)),
                          V.constant(Step));
  const Int *R = V.apply(Atom::Op::Min, V.constant(Most), Steps);
  return MayHaveNone ? V.apply(Atom::Op::Max, V.constant(0), R) : R;
}

namespace {
/// Of a least or greatest of two, one of which is known.
struct Extreme {
  int64_t Known;
  const Int *Other;
};
} // namespace

static std::optional<Extreme> extreme(const Atom *A, Atom::Op Op) {
  if (!A || A->Kind != Op || A->A->isConstant() == A->B->isConstant())
    return std::nullopt;
  return A->A->isConstant() ? Extreme{A->A->constant(), A->B}
                            : Extreme{A->B->constant(), A->A};
}

std::optional<BoundedCount> cpasync::asBoundedCount(ValueContext &V,
                                                    const Atom *A) {
  const auto Outer = extreme(A, Atom::Op::Max);
  const auto Inner = extreme(
      Outer && Outer->Known == 0 ? asAtom(Outer->Other) : A, Atom::Op::Min);
  if (!Inner || Inner->Known <= 0)
    return std::nullopt;
  const Atom *Quotient = asAtom(Inner->Other);
  if (!Quotient || Quotient->Kind != Atom::Op::Div ||
      !Quotient->B->isConstant() || Quotient->B->constant() <= 0)
    return BoundedCount{Inner->Other, 1, Inner->Known, Outer.has_value()};
  const int64_t Step = Quotient->B->constant();
  return BoundedCount{V.sub(Quotient->A, V.constant(Step - 1)), Step,
                      Inner->Known, Outer.has_value()};
}

const Int *cpasync::withoutEnds(ValueContext &V, const Int *I) {
  const Int *R = I;
  for (const Int::Term &T : I->terms())
    if (const auto Count = asBoundedCount(V, T.A))
      R = V.add(R, V.mul(V.sub(V.constant(Count->Most), T.A->Alone),
                         V.known(T.Coefficient)));
  return R;
}

/// What all threads go on by that go on at all, by \p By; 0: they differ.
static int64_t stepOf(const PerThread &By) {
  const int64_t Most = By.max() > 0 ? By.max() : By.min();
  const bool IsOne =
      llvm::all_of(By.key(), [&](int64_t X) { return X == 0 || X == Most; });
  return IsOne ? Most : 0;
}

const Int *cpasync::stepIf(ValueContext &V, const Int *Condition, const Int *A,
                           const Int *B) {
  const Atom *C = asAtom(Condition);
  while (C && C->Kind == Atom::Op::Eq && asAtom(C->A)) {
    C = asAtom(C->A);
    std::swap(A, B);
  }
  const Int *By = V.sub(A, B);
  if (!C || C->Kind != Atom::Op::Lt || !By->isKnown())
    return nullptr;
  const int64_t Step = std::abs(stepOf(*By->base()));
  if (Step == 0 || Step > MaxSteps)
    return nullptr;
  for (const Int::Term &T : B->terms()) {
    auto Count =
        T.Coefficient == By->base() ? asBoundedCount(V, T.A) : std::nullopt;
    if (!Count || Count->Step != Step || Count->Most >= MaxSteps ||
        !V.add(C->A, Count->Left)->isConstant(Step * Count->Most))
      continue;
    ++Count->Most;
    return V.add(B, V.mul(V.sub(Count->value(V), T.A->Alone), By));
  }
  const BoundedCount First = {V.sub(V.constant(0), C->A), Step, 1};
  return V.add(B, V.mul(First.value(V), By));
}

const Int *cpasync::isNegativeByCount(ValueContext &V, const Int *I) {
  for (const Int::Term &T : I->terms()) {
    const auto Count = asBoundedCount(V, T.A);
    if (!Count)
      continue;
    const bool IsBelow = T.Coefficient->isUniform(Count->Step);
    if (!IsBelow && !T.Coefficient->isUniform(-Count->Step))
      continue;
    // Otherwise it is the end that the count, and one, is above.
    const Int *Compared =
        IsBelow ? I : V.sub(V.constant(-1), I); // negative if I is not
    const Int *Others =
        V.add(V.sub(Compared, V.mul(T.A->Alone, V.constant(Count->Step))),
              Count->Left);
    if (!Others->isConstant() || Others->constant() < 0)
      continue;
    const Int *Holds = V.isNegative(
        V.sub(V.constant(Count->Step * Count->Most + Others->constant()),
              Count->Left));
    return IsBelow ? Holds : V.isZero(Holds);
  }
  return nullptr;
}
