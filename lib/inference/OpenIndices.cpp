//===- OpenIndices.cpp - Indices that nobody knows ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `Ring[Slot][Perm[T]]`, `Ring[Slot * 128 + Perm[T]]`: what was loaded is taken
// to be a column of the slot that the other terms name. In a flat array that is
// a row of the whole block, counted by a number that does not just go on with a
// loop: `Tile[Start[T] + I * 128]` may begin anywhere.
//
//===----------------------------------------------------------------------===//

#include "lib/inference/InBounds.h"
#include "lib/source/Expressions.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;
using namespace cpasync;

// The first row by name may be meant as the whole array.
static bool isFirstByName(const Expr *Row) {
  const auto *A = dyn_cast<ArraySubscriptExpr>(Row->IgnoreParenImpCasts());
  const auto *N =
      A ? dyn_cast<IntegerLiteral>(A->getIdx()->IgnoreParenImpCasts())
        : nullptr;
  return N && N->getValue().isZero();
}

const Expr *InBounds::arrayAt(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *Address = dyn_cast<UnaryOperator>(E);
  if (Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr()->IgnoreParenImpCasts();
  while (isFirstByName(E))
    E = cast<ArraySubscriptExpr>(E)->getBase()->IgnoreParenImpCasts();
  return E;
}

// It counts by so many bytes.
static int64_t unitOf(const Int *Bytes) {
  int64_t Unit = 0;
  for (const Int::Term &T : Bytes->terms())
    Unit =
        std::gcd(Unit, T.Coefficient->isUniform() ? T.Coefficient->min() : 1);
  return Unit;
}

int64_t InBounds::roomFor(State &S, const Int *Bytes, const Expr *Array,
                          Value To) {
  // Several rows go where rows are counted by so many, and where the size is
  // counted in rows.
  const QualType T = Array->IgnoreParenImpCasts()->getType();
  if (T->isConstantArrayType())
    if (const int64_t Row =
            std::max<int64_t>(P.sizeOf(T), Sums.of(S, Array, nullptr).Least);
        !Bytes || unitOf(Bytes) < Row)
      return Row;
  return To.I && To.I->isConstant() && To.Obj->Size
             ? To.Obj->Size - To.I->constant()
             : 0;
}

// What is left of Place beside terms that count by rows.
static const Int *inRow(ValueContext &V, const Int *Place, int64_t Pitch) {
  const Int *R = V.constant(0);
  for (const Int::Term &T : Place->terms())
    if (!T.Coefficient->isUniform() || T.Coefficient->min() % Pitch != 0)
      R = V.add(R, V.mul(T.A->Alone, V.known(T.Coefficient)));
  return R;
}

std::optional<InBounds::OpenPlace> InBounds::openPlace(State &S,
                                                       const Expr *Base,
                                                       const Expr *Index,
                                                       Value From, Value To) {
  const Expr *Array = Base->IgnoreParenImpCasts();
  const bool IsDeclared =
      Array->getType()->isConstantArrayType() && !isFirstByName(Array);
  const int64_t Declared = IsDeclared ? P.sizeOf(Array->getType()) : INT64_MAX;
  const AffineAddress &How = Sums.of(S, Base, Index);
  if (!How.Slot || !How.HasParts || How.Slot >= Declared) {
    if (!From.I)
      return std::nullopt;
    const Int *Place = V.sub(V.plain(To.I), V.plain(From.I));
    if (IsDeclared)
      return OpenPlace{From.I, Place, Declared};
    const Interval R = S.Condition.bounds(V, Place);
    if (R.Lo != INT64_MIN || R.Hi == INT64_MAX || R.Hi < 0)
      return std::nullopt;
    return OpenPlace{From.I, Place, R.Hi + 1};
  }
  const Int *All = V.plain(To.I), *Place = V.constant(0);
  for (const AffineAddress::Level &Level : How.Levels)
    for (const Addend &A : Level.Addends) {
      const Value X = Level.Unit < How.Slot ? Eval.eval(S, A.E) : Value();
      if (X.isInt() &&
          (!A.IsConstant || std::abs(X.I->constant()) * Level.Unit < How.Slot))
        Place = V.add(Place, V.mul(X.I, V.constant(A.Factor)));
    }
  Place = Run.simplify(S, Value::integer(Place)).I;
  Place = V.add(Place, inRow(V, V.sub(All, Place), How.Slot));
  return OpenPlace{V.sub(All, Place), Place, How.Slot};
}

Value InBounds::withinPart(State &S, const Expr *Base, const Expr *Index,
                           Value From, Value To) {
  const auto At = openPlace(S, Base, Index, From, To);
  if (!At || At->Place->isKnown())
    return To;
  // In units of what it counts by.
  int64_t Unit = 0;
  for (const Int::Term &T : At->Place->terms()) {
    if (!T.Coefficient->isUniform())
      return To;
    Unit = std::gcd(Unit, T.Coefficient->min());
  }
  const PerThread *Known = At->Place->base();
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T])
      Unit = std::gcd(Unit, (*Known)[T]);
  const int64_t Places = llvm::divideCeil(At->Bytes, Unit);
  const Int *Number = V.apply(Atom::Op::Div, At->Place, V.constant(Unit));
  const Interval R = PathCondition().bounds(V, Number);
  if ((R.Lo >= 0 && R.Hi < Places) || Known->max() - Known->min() >= At->Bytes)
    return To; // it says so itself, or is no place in there
  return Value::pointer(To.Obj, V.add(At->Begin, V.mul(V.within(Number, Places),
                                                       V.constant(Unit))));
}
