//===- Arithmetic.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Arithmetic.h"
#include "lib/interp/Interpreter.h"
#include "lib/interp/MatrixDescriptors.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

const Int *Arithmetic::truth(Value Val) {
  if (Val.isInt())
    return Val.I;
  if (Val.isPtr() && Val.Obj->K != Object::Kind::Choice)
    return V.constant(1); // an object that exists
  return nullptr;
}

Value Arithmetic::lighten(State &S, const Expr *E, Value Val) {
  if (!Val.I || Val.I->weight() <= Int::MaxWeight)
    return Val;
  // Where global data lies matters for its alignment only.
  if (Val.isPtr())
    return Val.Obj->isShared() ? Val : Value::pointer(Val.Obj, nullptr);
  llvm::SmallVector<FactId, 4> Because;
  const Interval Known = S.Condition.bounds(V, Val.I, Because);
  Value Name = Names.freshSymbol(S, E, Val.I->sharing());
  Names.keepBounds(S, Name, Known, Names.inAnyRound(Val.I), Because);
  return Name;
}

// Width of an integer type in bits, negative if signed; 0 for other types.
static int integerBits(const ASTContext &Ctx, QualType T) {
  if (!T->isIntegralOrEnumerationType())
    return 0;
  int Bits = Ctx.getIntWidth(T);
  return T->isSignedIntegerOrEnumerationType() ? -Bits : Bits;
}

Value Arithmetic::convert(Value Val, QualType To) {
  if (To->isBooleanType()) {
    const Int *T = truth(Val);
    return T ? Value::integer(V.isZero(V.isZero(T))) : Value::unknown();
  }
  if (Val.isInt() && !To->isRealFloatingType()) {
    const int Bits = integerBits(Ctx, To);
    if (!Val.I->isKnown() && (Bits >= 32 || Bits < -32))
      Run.Shared.Origins.wraps(Val.I);
    if (std::abs(Bits) < 14 || !holdsDescriptorAddress(Val.I))
      return Value::integer(V.cast(Val.I, Bits));
  }
  return Val; // addresses keep their object whatever type they travel in
}

Value Arithmetic::offsetBy(Value Pointer, const Int *Bytes) {
  if (!Pointer.isPtr() || !Pointer.I || !Bytes)
    return Pointer.isPtr() ? Value::pointer(Pointer.Obj, nullptr) : Pointer;
  return Value::pointer(Pointer.Obj, V.add(Pointer.I, Bytes));
}

Value Arithmetic::compare(State &S, BinaryOperatorKind Op, Value A, Value B) {
  if (A.isPtr() != B.isPtr() && (A.isInt() || B.isInt())) {
    const Int *Other = A.isInt() ? A.I : B.I;
    const Value &Place = A.isPtr() ? A : B;
    bool Null = Other->isConstant(0) && (Op == BO_EQ || Op == BO_NE) &&
                Place.Obj->K != Object::Kind::Choice;
    return Null ? Value::integer(V.constant(Op == BO_NE)) : Value::unknown();
  }
  if (A.K != B.K || A.isUnknown() || A.Obj != B.Obj || !A.I || !B.I)
    return Value::unknown();
  const Int *D = V.sub(A.I, B.I);
  Comparisons.note(S, D);
  switch (Op) {
  case BO_LT:
    return Value::integer(V.isNegative(D));
  case BO_GT:
    return Value::integer(V.isNegative(V.sub(B.I, A.I)));
  case BO_LE:
    return Value::integer(V.isZero(V.isNegative(V.sub(B.I, A.I))));
  case BO_GE:
    return Value::integer(V.isZero(V.isNegative(D)));
  case BO_EQ:
    return Value::integer(V.isZero(D));
  case BO_NE:
    return Value::integer(V.isZero(V.isZero(D)));
  default:
    return Value::unknown();
  }
}

// X is less or greater than a number in no run; unless that is known.
void Arithmetic::assumeNot(State &S, const Int *X, BinaryOperatorKind Op,
                           int64_t Than) {
  if (X->isKnown() || !X->isUniform())
    return;
  const Int *Number = V.constant(Than);
  const Int *Is =
      V.isNegative(Op == BO_LT ? V.sub(X, Number) : V.sub(Number, X));
  const Truth Known = S.Condition.decide(V, Is);
  if (!PerThreadContext::isEmpty(L.either(Known.True, Known.False)))
    return;
  Run.Effects.note();
  S.Condition.assume(V, Is, false, L.all());
  Run.Shared.Origins.compared(V, Op, X, Number, Ctx.LongLongTy);
  Run.decided(S, Is, false, L.all(), SourceLocation());
}

// The kernel divides by it, and sizes and counts are not negative.
void Arithmetic::assumePositive(State &S, const Int *Divisor) {
  assumeNot(S, Divisor, BO_LT, 1);
}

void Arithmetic::assumeAtMost(State &S, const Int *X, int64_t Most) {
  if (S.May.empty())
    assumeNot(S, X, BO_GT, Most);
}

void Arithmetic::assumeNotNegative(State &S, const Int *X) {
  if (S.May.empty())
    assumeNot(S, X, BO_LT, 0);
}

// Shared memory has 256 KiB at most.
static constexpr int64_t LastSharedAddress = 0x3ffff;

// An integer that holds an address. Shared objects are taken to start at a
// multiple of anything that is masked or swizzled.
Value Arithmetic::ofAddress(BinaryOperatorKind Op, Value A, Value B) {
  if (!A.isPtr() && Op != BO_Sub)
    std::swap(A, B);
  if (A.isPtr() && B.isPtr()) {
    if (Op == BO_Sub && A.Obj == B.Obj && A.I && B.I)
      return Value::integer(V.sub(A.I, B.I));
    return Value::unknown();
  }
  if (!A.isPtr() || !B.isInt() || !A.I)
    return A.isPtr() ? Value::pointer(A.Obj, nullptr) : Value::unknown();
  switch (Op) {
  case BO_Add:
    return offsetBy(A, B.I);
  case BO_Sub:
    return offsetBy(A, V.sub(V.constant(0), B.I));
  case BO_Xor:
    return Value::pointer(A.Obj, V.apply(Atom::Op::Xor, A.I, B.I));
  case BO_Or:
    return Value::pointer(A.Obj, V.apply(Atom::Op::Or, A.I, B.I));
  case BO_And:
    // All bits that a shared address has.
    if (A.Obj->isShared() && B.I->isConstant() &&
        (B.I->constant() & LastSharedAddress) == LastSharedAddress)
      return A;
    // Aligning down keeps the object; picking low bits gives an integer.
    if (B.I->isConstant() && B.I->constant() < 0)
      return Value::pointer(A.Obj, V.apply(Atom::Op::And, A.I, B.I));
    if (B.I->isConstant() && B.I->constant() > 0xffff)
      return Value::pointer(A.Obj,
                            V.apply(Atom::Op::And, A.I, V.cast(B.I, -32)));
    return Value::integer(V.apply(Atom::Op::And, A.I, B.I));
  case BO_Rem:
    return Value::integer(V.apply(Atom::Op::Rem, A.I, B.I));
  case BO_Shr:
  case BO_Div:
    if (A.Obj->isShared() && A.Obj->K != Object::Kind::Choice &&
        B.I->isConstant(Op == BO_Shr ? 4 : DescriptorUnit))
      return Value::integer(descriptorAddress(V, A));
    return Value::integer(
        V.apply(Op == BO_Shr ? Atom::Op::Shr : Atom::Op::Div, A.I, B.I));
  default:
    return Value::unknown();
  }
}

// What lacks to a multiple: -Address & 1023.
Value Arithmetic::negated(Value Address) {
  return Address.Obj->isShared() && Address.Obj->K != Object::Kind::Choice &&
                 Address.I
             ? Value::integer(V.sub(V.constant(0), Address.I))
             : Value::unknown();
}

// A mask of 32 bits is the same as one of 64 for what has no more than these.
const Int *Arithmetic::maskOf(State &S, const Int *X, const Int *Mask) {
  if (!Mask->isConstant() || Mask->constant() <= INT32_MAX ||
      Mask->constant() > UINT32_MAX || X->isKnown())
    return Mask;
  const Interval Known = S.Condition.bounds(V, X);
  return Known.Lo >= 0 && Known.Hi <= UINT32_MAX
             ? V.constant(int32_t(Mask->constant()))
             : Mask;
}

Value Arithmetic::ofIntegers(State &S, BinaryOperatorKind Op, Value A, Value B,
                             QualType Result) {
  if (!A.isInt() || !B.isInt())
    return Value::unknown();
  const Int *X = A.I, *Y = B.I, *R = nullptr;
  if (Op == BO_Div || Op == BO_Rem)
    assumePositive(S, Y);
  if (Op == BO_Rem && X->isUniform())
    Run.Shared.Origins.modulo(Y);
  // Where a ring goes on is a number, if the path has pinned down what it is
  // computed from. Lengths go by their names: that one is pinned down does not
  // say how what is so long is aligned.
  if (Op == BO_Rem && Y->isConstant())
    if (const Int *Is = S.Condition.simplify(V, X, S.Active); Is->isKnown())
      X = Is;
  switch (Op) {
  case BO_Add:
    R = V.add(X, Y);
    break;
  case BO_Sub:
    R = V.sub(X, Y);
    break;
  case BO_Mul:
    R = V.mul(X, Y);
    break;
  case BO_Div:
    R = V.apply(Atom::Op::Div, X, Y);
    break;
  case BO_Rem:
    R = V.apply(Atom::Op::Rem, X, Y);
    break;
  case BO_Shl:
    R = V.apply(Atom::Op::Shl, X, Y);
    break;
  case BO_Shr:
    R = V.apply(Atom::Op::Shr, X, Y);
    break;
  case BO_And:
    if (Y->isConstant(UINT32_MAX) && P.sizeOf(Result) == 4)
      return A;
    // The address in a matrix descriptor.
    if (holdsDescriptorAddress(X) && Y->isConstant() &&
        Y->constant() % (LastSharedAddress + 1) / DescriptorUnit ==
            LastSharedAddress / DescriptorUnit)
      return A;
    R = V.apply(Atom::Op::And, X, maskOf(S, X, Y));
    break;
  case BO_Or:
    R = withDescriptorFields(V, X, Y, S.Active);
    if (!R)
      R = V.apply(Atom::Op::Or, X, Y);
    break;
  case BO_Xor:
    R = V.apply(Atom::Op::Xor, X, Y);
    break;
  default:
    return Value::unknown();
  }
  return convert(Value::integer(R), Result);
}

Value Arithmetic::arithmetic(State &S, BinaryOperatorKind Op, Value A, Value B,
                             QualType AType, QualType BType, QualType Result) {
  if (Result->isRealFloatingType())
    return Value::unknown();
  // Pointer arithmetic counts elements.
  if (AType->isPointerType() && BType->isPointerType() && Op == BO_Sub) {
    if (!A.isPtr() || !B.isPtr() || A.Obj != B.Obj || !A.I || !B.I)
      return Value::unknown();
    int64_t Size = std::max<int64_t>(1, P.sizeOf(AType->getPointeeType()));
    return Value::integer(
        V.apply(Atom::Op::Div, V.sub(A.I, B.I), V.constant(Size)));
  }
  if ((AType->isPointerType() || BType->isPointerType()) &&
      (Op == BO_Add || Op == BO_Sub)) {
    bool Swapped = BType->isPointerType();
    Value Base = Swapped ? B : A, Index = Swapped ? A : B;
    int64_t Size = P.sizeOf((Swapped ? BType : AType)->getPointeeType());
    if (!Base.isPtr())
      return Value::unknown();
    if (!Index.isInt())
      return Value::pointer(Base.Obj, nullptr);
    const Int *Bytes = V.mul(Index.I, V.constant(Op == BO_Sub ? -Size : Size));
    return offsetBy(Base, Bytes);
  }
  return A.isPtr() || B.isPtr() ? ofAddress(Op, A, B)
                                : ofIntegers(S, Op, A, B, Result);
}
