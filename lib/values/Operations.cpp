//===- Operations.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations give, simplified as far as the operands are known.
//
//===----------------------------------------------------------------------===//

#include "lib/values/BoundedCounts.h"
#include "lib/values/Value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cpasync;

static std::optional<LaneOp> laneOp(Atom::Op Op) {
  switch (Op) {
  case Atom::Op::Mul:
    return LaneOp::Mul;
  case Atom::Op::Div:
    return LaneOp::Div;
  case Atom::Op::Rem:
    return LaneOp::Rem;
  case Atom::Op::Shl:
    return LaneOp::Shl;
  case Atom::Op::Shr:
    return LaneOp::AShr;
  case Atom::Op::And:
    return LaneOp::And;
  case Atom::Op::Or:
    return LaneOp::Or;
  case Atom::Op::Xor:
    return LaneOp::Xor;
  case Atom::Op::Min:
    return LaneOp::Min;
  case Atom::Op::Max:
    return LaneOp::Max;
  default:
    return std::nullopt;
  }
}

// Whether \p A is 0 or 1 in every thread.
static bool isTruth(const Int *A) {
  if (A->isKnown())
    return A->base()->min() >= 0 && A->base()->max() <= 1;
  return A->terms().size() == 1 && A->base()->isUniform(0) &&
         A->terms()[0].Coefficient->isUniform(1) &&
         A->terms()[0].A->Range.Lo >= 0 && A->terms()[0].A->Range.Hi <= 1;
}

const Int *ValueContext::apply(Atom::Op Op, const Int *A, const Int *B) {
  Uses.note(A);
  Uses.note(B);
  if (A->isKnown() && B->isKnown())
    return known(L.apply(*laneOp(Op), A->Base, B->Base));
  bool BConst = B->isConstant();
  int64_t C = BConst ? B->constant() : 0;
  switch (Op) {
  case Atom::Op::Mul:
    return mul(A, B);
  case Atom::Op::Shl:
    if (BConst && C >= 0 && C < 63)
      return scale(A, L.uniform(int64_t(1) << C));
    break;
  case Atom::Op::Shr:
    if (BConst && C >= 0 && C < 63)
      return apply(Atom::Op::Div, A, constant(int64_t(1) << C));
    break;
  case Atom::Op::Div:
    if (BConst && C == 1)
      return A;
    if (BConst && C > 0)
      if (const Int *Q = divideExactly(A, C, /*WantRemainder=*/false))
        return Q;
    break;
  case Atom::Op::Rem:
    if (BConst && C == 1)
      return constant(0);
    if (BConst && C > 0)
      if (const Int *R = divideExactly(A, C, /*WantRemainder=*/true))
        return R;
    if (BConst && C == 2)
      return parity(A);
    if (BConst && C > 2)
      return operation(Op, residue(A, C), B);
    break;
  case Atom::Op::And:
    if (isTruth(A) && isTruth(B))
      return logicalAnd(A, B);
    if (A->isConstant())
      return apply(Op, B, A);
    if (BConst && C == 0)
      return B;
    if (BConst && C == -1)
      return A;
    if (BConst && C > 0 && llvm::isPowerOf2_64(C + 1))
      return apply(Atom::Op::Rem, A, constant(C + 1));
    // x & ~(2^n - 1)
    if (BConst && C < 0 && llvm::isPowerOf2_64(-C))
      return sub(A, apply(Atom::Op::Rem, A, constant(-C)));
    break;
  case Atom::Op::Or:
    if (isTruth(A) && isTruth(B))
      return logicalOr(A, B);
    [[fallthrough]];
  case Atom::Op::Xor:
    if (A->isConstant(0))
      return B;
    if (BConst && C == 0)
      return A;
    break;
  case Atom::Op::Min:
  case Atom::Op::Max: {
    const Int *D = sub(A, B);
    if (D->isConstant())
      return ((D->constant() <= 0) == (Op == Atom::Op::Min)) ? A : B;
    break;
  }
  default:
    break;
  }
  return operation(Op, A, B);
}

const Int *ValueContext::cast(const Int *A, int Bits) {
  if (A->isKnown()) {
    const Int *R = known(L.apply(LaneOp::Wrap, A->Base, L.uniform(Bits)));
    if (R != A)
      Uses.note(A);
    return R;
  }
  int Width = Bits < 0 ? -Bits : Bits;
  if (Width == 0 || Width >= 32) // a pointer is as wide
    return A;
  Uses.note(A);
  bool Fits = A->terms().size() == 1 && A->Base->isUniform(0) &&
              A->terms()[0].Coefficient->isUniform(1) &&
              A->terms()[0].A->Range.Lo >= 0 &&
              A->terms()[0].A->Range.Hi < (int64_t(1) << (Width - 1));
  return Fits ? A : operation(Atom::Op::Cast, A, constant(Bits));
}

const Int *ValueContext::within(const Int *A, int64_t End) {
  return A->isKnown() ? A : operation(Atom::Op::Within, A, constant(End));
}

const Int *ValueContext::plain(const Int *I) {
  Uses.note(I);
  const auto IsTaken = [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Within;
  };
  if (llvm::none_of(I->terms(), IsTaken))
    return I;
  const Int *R = known(I->base());
  for (const Int::Term &T : I->terms())
    R = add(R, scale(IsTaken(T) ? plain(T.A->A) : T.A->Alone, T.Coefficient));
  return R;
}

const Int *ValueContext::isZero(const Int *A) {
  Uses.note(A);
  if (A->isKnown())
    return known(L.apply(LaneOp::Eq, A->Base, L.uniform(0)));
  // Zero or else positive: as the condition says.
  if (A->Terms.size() == 1 && A->Base->isUniform(0) &&
      A->Terms[0].Coefficient->isUniform(1)) {
    const Atom *T = A->Terms[0].A;
    if (T->Kind == Atom::Op::Select && T->C->isConstant(0) &&
        T->B->terms().size() == 1 && T->B->terms()[0].A->Range.Lo > 0 &&
        T->B == T->B->terms()[0].A->Alone)
      return isZero(T->A);
  }
  // !!x of a truth value is x.
  if (A->Terms.size() == 1 && A->Base->isUniform(0) &&
      A->Terms[0].Coefficient->isUniform(1)) {
    const Atom *T = A->Terms[0].A;
    if (T->Kind == Atom::Op::Eq && T->A->terms().size() == 1) {
      const Atom *Inner = T->A->terms()[0].A;
      if (Inner->Range == Interval{0, 1} && T->A->base()->isUniform(0) &&
          T->A->terms()[0].Coefficient->isUniform(1))
        return T->A;
    }
  }
  return operation(Atom::Op::Eq, A);
}

std::optional<int64_t> ValueContext::commonIn(const Int *I,
                                              const PerThread *In) {
  Uses.note(I);
  if (!I->isKnown())
    return std::nullopt;
  const int64_t First = (*I->base())[L.first(In)];
  const PerThread *Same = L.apply(LaneOp::Eq, I->base(), L.uniform(First));
  return PerThreadContext::isEmpty(L.except(In, Same)) ? std::optional(First)
                                                       : std::nullopt;
}

bool ValueContext::forEachValue(
    const Int *I, const PerThread *In,
    llvm::function_ref<void(int64_t, const PerThread *)> Do) {
  Uses.note(I);
  if (!I || !I->isKnown())
    return false;
  while (!PerThreadContext::isEmpty(In)) {
    const int64_t Value = (*I->base())[L.first(In)];
    const PerThread *Here =
        L.both(In, L.apply(LaneOp::Eq, I->base(), L.uniform(Value)));
    In = L.except(In, Here);
    Do(Value, Here);
  }
  return true;
}

// k < min(c, x) is k < x, or false; as for max. Null: \p A is nothing of it.
static const Int *isNegativeExtreme(ValueContext &V, const Int *A) {
  if (A->terms().size() != 1 || !A->base()->isUniform())
    return nullptr;
  const auto &[Of, Coefficient] = A->terms()[0];
  const bool IsMin = Of->Kind == Atom::Op::Min;
  const bool IsAdded = Coefficient->isUniform(1);
  if ((!IsMin && Of->Kind != Atom::Op::Max) ||
      (!IsAdded && !Coefficient->isUniform(-1)) ||
      Of->A->isConstant() == Of->B->isConstant())
    return nullptr;
  const bool First = Of->A->isConstant();
  const Int *Limit = First ? Of->A : Of->B, *Other = First ? Of->B : Of->A;
  const Int *K = V.known(A->base());
  auto With = [&](const Int *X) { return IsAdded ? V.add(K, X) : V.sub(K, X); };
  const bool Holds = With(Limit)->constant() < 0;
  // One of both is enough for what is below a maximum or has a minimum below.
  const bool Either = IsMin == IsAdded;
  return Holds == Either ? V.constant(Either) : V.isNegative(With(Other));
}

const Int *ValueContext::isNegative(const Int *A) {
  Uses.note(A);
  if (A->isKnown())
    return known(L.apply(LaneOp::Lt, A->Base, L.uniform(0)));
  if (const Int *Decided = isNegativeExtreme(*this, A))
    return Decided;
  if (const Int *Decided = isNegativeByCount(*this, A))
    return Decided;
  return operation(Atom::Op::Lt, A);
}

static bool isFalse(const Int *A) { return A->isConstant(0); }
static bool isTrue(const Int *A) {
  return A->isConstant() && A->constant() != 0;
}

const Int *ValueContext::logicalAnd(const Int *A, const Int *B) {
  Uses.note(A);
  Uses.note(B);
  if (isFalse(A) || isTrue(B))
    return A;
  if (isFalse(B) || isTrue(A))
    return B;
  if (A->isKnown() && B->isKnown())
    return known(L.apply(LaneOp::And,
                         L.apply(LaneOp::Ne, A->Base, L.uniform(0)),
                         L.apply(LaneOp::Ne, B->Base, L.uniform(0))));
  return A == B ? A : operation(Atom::Op::LAnd, A, B);
}

const Int *ValueContext::logicalOr(const Int *A, const Int *B) {
  Uses.note(A);
  Uses.note(B);
  if (isTrue(A) || isFalse(B))
    return A;
  if (isTrue(B) || isFalse(A))
    return B;
  if (A->isKnown() && B->isKnown())
    return known(L.apply(LaneOp::Or, L.apply(LaneOp::Ne, A->Base, L.uniform(0)),
                         L.apply(LaneOp::Ne, B->Base, L.uniform(0))));
  return A == B ? A : operation(Atom::Op::LOr, A, B);
}

const Int *ValueContext::select(const Int *Condition, const Int *A,
                                const Int *B) {
  Uses.note(Condition);
  if (A == B || isTrue(Condition))
    return A;
  if (isFalse(Condition))
    return B;
  if (Condition->isKnown()) {
    const Int *D = sub(A, B);
    const PerThread *Mask = L.apply(LaneOp::Ne, Condition->Base, L.uniform(0));
    if (D->isKnown()) // B + (mask ? A - B : 0)
      return add(B, known(L.blend(Mask, D->Base, L.uniform(0))));
    return add(scale(A, Mask), scale(B, L.except(L.all(), Mask)));
  }
  if (!Condition->isUniform())
    if (const Int *Steps = stepIf(*this, Condition, A, B))
      return Steps;
  return operation(Atom::Op::Select, Condition, A, B);
}

const Int *ValueContext::any(const Int *A, const PerThread *Voters,
                             unsigned Neighbours) {
  Uses.note(A);
  if (A->isKnown())
    return known(
        L.anyAmong(L.both(Voters, L.apply(LaneOp::Ne, A->Base, L.uniform(0))),
                   Neighbours));
  if (A->isUniform() && L.anyAmong(Voters, Neighbours)->isUniform(1))
    return isZero(isZero(A));
  return operation(Atom::Op::Any, A, known(Voters), constant(Neighbours));
}

Value ValueContext::select(const Int *Condition, Value A, Value B) {
  Uses.note(Condition);
  if (A == B || isTrue(Condition))
    return A;
  if (isFalse(Condition))
    return B;
  if (A.K != B.K || A.Obj != B.Obj || !A.I || !B.I)
    return choose(Condition, A, B);
  const Int *I = select(Condition, A.I, B.I);
  return A.isPtr() ? Value::pointer(A.Obj, I) : Value::integer(I);
}

Value ValueContext::blend(const PerThread *Mask, Value A, Value B) {
  return select(known(Mask), A, B);
}
