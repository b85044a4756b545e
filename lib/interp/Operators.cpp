//===- Operators.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts and operators, and assignments among them.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Evaluator.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

/// As in `assert(N > 0 && "text")`.
static bool isText(const Expr *E) {
  return isa<StringLiteral, PredefinedExpr>(E->IgnoreParenImpCasts());
}

// A floating-point number, where it is compared: known if it is followed, or
// zero. The zero of a variable is not kept: sums begin with it.
Value Evaluator::comparedAs(const Expr *E, Value Is) {
  if (P.layouts().isFloatingZero(E))
    return Value::integer(V.constant(0));
  return P.compared().isOne(E) ? Is : Value::unknown();
}

// Another number, which all have who have the operands.
Value Evaluator::computed(State &S, const Expr *E, Value A, Value B) {
  if (!A.isInt() || !B.isInt())
    return Value::unknown();
  return Names.freshSymbol(S, E, std::min(A.I->sharing(), B.I->sharing()));
}

// To a base of the class, or back.
Value Evaluator::evalClassCast(State &S, const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  Value Val = Sub->isGLValue() ? address(S, Sub) : eval(S, Sub);
  bool Down = E->getCastKind() == CK_BaseToDerived;
  QualType T = Down ? E->getType() : Sub->getType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *D = T->getAsCXXRecordDecl();
  int64_t Offset = 0;
  for (const CXXBaseSpecifier *B : E->path()) {
    if (B->isVirtual() || !D)
      return Value::unknown();
    const CXXRecordDecl *Base = B->getType()->getAsCXXRecordDecl();
    const auto InD = P.layouts().offsetOf(Base, D);
    if (!InD)
      return Store.noLayout(S, D);
    Offset += *InD;
    D = Base;
  }
  return Math.offsetBy(Val, V.constant(Down ? -Offset : Offset));
}

// `(A < B ? A : B)` is a place, of one variable or the other.
Value Evaluator::loadEither(State &S, const AbstractConditionalOperator *C,
                            const CastExpr *E) {
  const Int *T = Math.truth(eval(S, C->getCond()));
  if (const Expr *Taken = T ? sideTaken(S, C, T) : nullptr)
    return Store.load(S, address(S, Taken), E->getType(), E);
  const Value A = address(S, C->getTrueExpr()),
              B = address(S, C->getFalseExpr());
  // In shared memory it counts who reads what.
  auto IsElsewhere = [](Value Place) {
    return Place.isPtr() && !Place.Obj->isShared();
  };
  const Int *Cond =
      IsElsewhere(A) && IsElsewhere(B) && A.Obj != B.Obj ? T : nullptr;
  if (!Cond)
    return Store.load(S, address(S, C), E->getType(), E);
  return Math.lighten(S, C,
                      V.select(Cond, Store.load(S, A, E->getType(), E),
                               Store.load(S, B, E->getType(), E)));
}

Value Evaluator::evalCast(State &S, const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
    if (const auto *C =
            dyn_cast<AbstractConditionalOperator>(Sub->IgnoreParens()))
      return loadEither(S, C, E);
    return Store.load(S, address(S, Sub), E->getType(), E);
  case CK_ArrayToPointerDecay:
  case CK_FunctionToPointerDecay:
    return address(S, Sub);
  case CK_BuiltinFnToFnPtr:
    return Value::unknown();
  case CK_NullToPointer:
    return Value::integer(V.constant(0));
  case CK_ToVoid:
    if (Sub->isGLValue())
      address(S, Sub);
    else
      eval(S, Sub);
    return Value::unknown();
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral:
  case CK_PointerToBoolean:
    if (isText(Sub))
      return Value::integer(V.constant(1));
    [[fallthrough]];
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
    return Math.convert(eval(S, Sub), E->getType());
  case CK_FloatingCast:
    // A wider number is the same number.
    if (Value Number = eval(S, Sub);
        P.sizeOf(Sub->getType()) <= P.sizeOf(E->getType()))
      return Number;
    return Value::unknown();
  case CK_FloatingToIntegral: {
    const Value Number = eval(S, Sub);
    return Names.freshSymbol(
        S, E, Number.isInt() ? Number.I->sharing() : Uniformity::Thread);
  }
  case CK_FloatingToBoolean:
  case CK_IntegralToBoolean: {
    // Where it comes to 0, a loop ends.
    Value Number = eval(S, Sub);
    if (E->getCastKind() == CK_FloatingToBoolean)
      Number = comparedAs(Sub, Number);
    return Number.isInt()
               ? Math.compare(S, BO_NE, Number, Value::integer(V.constant(0)))
               : Math.convert(Number, E->getType());
  }
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
    return evalClassCast(S, E);
  case CK_NoOp:
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_AddressSpaceConversion:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_Dynamic:
  case CK_ReinterpretMemberPointer:
  case CK_AtomicToNonAtomic:
  case CK_NonAtomicToAtomic:
    return Sub->isGLValue() ? address(S, Sub) : eval(S, Sub);
  case CK_LValueToRValueBitCast: {
    Value At = address(S, Sub);
    Reads.useReached(S, At, P.sizeOf(Sub->getType()));
    return At;
  }
  default:
    if (Sub->isPRValue())
      eval(S, Sub); // for its reads
    else
      useWithin(S, Sub);
    return Value::unknown();
  }
}

Value Evaluator::evalUnary(State &S, const UnaryOperator *E) {
  const Expr *Sub = E->getSubExpr();
  QualType T = E->getType();
  switch (E->getOpcode()) {
  case UO_AddrOf:
    return address(S, Sub);
  case UO_Deref:
    return eval(S, Sub);
  case UO_Plus:
  case UO_Extension:
    return eval(S, Sub);
  case UO_Minus: {
    Value Val = eval(S, Sub);
    if (T->isRealFloatingType())
      return computed(S, E, Val, Val);
    if (Val.isPtr())
      return Math.convert(Math.negated(Val), T);
    return Val.isInt()
               ? Math.convert(Value::integer(V.sub(V.constant(0), Val.I)), T)
               : Value::unknown();
  }
  case UO_Not: {
    Value Val = eval(S, Sub);
    return Val.isInt()
               ? Math.convert(Value::integer(V.sub(V.constant(-1), Val.I)), T)
               : Value::unknown();
  }
  case UO_LNot: {
    const Int *C = Math.truth(eval(S, Sub));
    return C ? Value::integer(V.isZero(C)) : Value::unknown();
  }
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Value Place = address(S, Sub);
    Value Old = Store.load(S, Place, Sub->getType(), Sub);
    int64_t By = Sub->getType()->isPointerType()
                     ? P.sizeOf(Sub->getType()->getPointeeType())
                     : 1;
    if (E->isDecrementOp())
      By = -By;
    Value New = Old.isPtr() ? Bounds.indexed(S, Sub, Sub, Old,
                                             Math.offsetBy(Old, V.constant(By)))
                : T->isRealFloatingType() ? computed(S, E, Old, Old)
                : Old.isInt()
                    ? Math.convert(Value::integer(V.add(Old.I, V.constant(By))),
                                   Sub->getType())
                    : Value::unknown();
    storeTo(S, Sub, Place, New, E);
    if (E->isPrefix())
      return E->isGLValue() ? Place : New;
    return Old;
  }
  default:
    useWithin(S, Sub);
    return Value::unknown();
  }
}

void Evaluator::storeTo(State &S, const Expr *To, Value Place, Value Val,
                        const Expr *E) {
  if (const FieldDecl *F = To->getSourceBitField())
    Store.storeMember(S, Place, F, Val, E);
  else
    Store.store(S, Place, Val, To->getType(), E);
}

Value Evaluator::evalCompound(State &S, const CompoundAssignOperator *E) {
  const Expr *LHS = E->getLHS(), *RHS = E->getRHS();
  LoadedParts Loaded;
  const bool Sums = Reads.followsSums();
  Value B = Sums ? evalToStore(S, RHS, Loaded) : eval(S, RHS);
  Value Place = address(S, LHS);
  Value A = Store.load(S, Place, LHS->getType(), LHS);
  if (Sums)
    Reads.loadUnused(S, Place, P.sizeOf(LHS->getType()), &Loaded);
  if (E->getOpcode() == BO_AddAssign)
    Registers.Uses.advance(A, RHS);
  BinaryOperatorKind Plain =
      BinaryOperator::getOpForCompoundAssignment(E->getOpcode());
  Value R = Math.arithmetic(
      S, Plain, Math.convert(A, E->getComputationLHSType()), B, LHS->getType(),
      RHS->getType(), E->getComputationResultType());
  if (LHS->getType()->isRealFloatingType())
    R = computed(S, E, A, B);
  if (Plain == BO_Add && A.isPtr())
    R = Bounds.indexed(S, LHS, LHS, A, R);
  R = Math.lighten(S, E, Math.convert(R, LHS->getType()));
  storeTo(S, LHS, Place, R, E);
  this->place(S, Place, Loaded, E->getExprLoc());
  return E->isGLValue() ? Place : R;
}

Value Evaluator::evalBinary(State &S, const BinaryOperator *E) {
  const Expr *LHS = E->getLHS(), *RHS = E->getRHS();
  BinaryOperatorKind Op = E->getOpcode();
  if (Op == BO_Comma) {
    if (LHS->isGLValue())
      address(S, LHS);
    else
      eval(S, LHS);
    return RHS->isGLValue() ? address(S, RHS) : eval(S, RHS);
  }
  if (Op == BO_Assign) {
    LoadedParts Loaded;
    Value Val = evalToStore(S, RHS, Loaded);
    Value Place = address(S, LHS);
    storeTo(S, LHS, Place, Val, E);
    this->place(S, Place, Loaded, E->getExprLoc());
    return E->isGLValue() ? Place : Val;
  }
  if (const auto *C = dyn_cast<CompoundAssignOperator>(E))
    return evalCompound(S, C);
  if (Op == BO_LAnd || Op == BO_LOr) {
    const Int *A = Math.truth(eval(S, LHS));
    if (A) {
      Truth Known = S.Condition.decide(V, A);
      const PerThread *Short = Op == BO_LAnd ? Known.False : Known.True;
      if (PerThreadContext::isEmpty(L.except(S.Active, Short)))
        return Value::integer(V.constant(Op == BO_LOr));
    }
    const Int *B = Math.truth(eval(S, RHS));
    if (!A || !B)
      return Value::unknown();
    return Value::integer(Op == BO_LAnd ? V.logicalAnd(A, B)
                                        : V.logicalOr(A, B));
  }
  Value A = eval(S, LHS), B = eval(S, RHS);
  Registers.Uses.binary(E, A, B);
  if (E->isComparisonOp()) {
    if (LHS->getType()->isRealFloatingType()) {
      A = comparedAs(LHS, A);
      B = comparedAs(RHS, B);
      // One that is not a number is not itself.
      if (!E->isEqualityOp() || (A == B && A.isInt() && !A.I->isConstant()))
        return Value::unknown();
    }
    if (A.isInt() && B.isInt() &&
        A.I->weight() + B.I->weight() >= Int::MaxWeight) {
      A = nameVariable(S, LHS, A);
      B = nameVariable(S, RHS, B);
    }
    const Value R = Math.compare(S, Op, A, B);
    if (A.isInt() && R.isInt() && !R.I->isKnown())
      Run.Shared.Origins.compared(V, Op, A.I, B.I, LHS->getType(), E);
    return Math.lighten(S, E, R);
  }
  if (E->getType()->isRealFloatingType())
    return computed(S, E, A, B);
  const Value R = Math.arithmetic(S, Op, A, B, LHS->getType(), RHS->getType(),
                                  E->getType());
  if (Op == BO_Add && R.isPtr())
    return A.isPtr() ? Bounds.indexed(S, LHS, RHS, A, R)
                     : Bounds.indexed(S, RHS, LHS, B, R);
  return Math.lighten(S, E, R);
}
