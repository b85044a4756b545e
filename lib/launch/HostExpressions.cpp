//===- HostExpressions.cpp - What host expressions are --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostRun.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace cpasync;

static std::optional<int64_t> compute(BinaryOperatorKind Op, int64_t A,
                                      int64_t B) {
  int64_t R = 0;
  switch (Op) {
  case BO_Add:
    return llvm::AddOverflow(A, B, R) ? std::nullopt : std::optional(R);
  case BO_Sub:
    return llvm::SubOverflow(A, B, R) ? std::nullopt : std::optional(R);
  case BO_Mul:
    return llvm::MulOverflow(A, B, R) ? std::nullopt : std::optional(R);
  case BO_Div:
    return B > 0 ? std::optional(A / B) : std::nullopt;
  case BO_Rem:
    return B > 0 ? std::optional(A % B) : std::nullopt;
  case BO_Shl:
    return A >= 0 && A < 1 << 30 && B >= 0 && B < 32 ? std::optional(A << B)
                                                     : std::nullopt;
  case BO_Shr:
    return A >= 0 && B >= 0 && B < 63 ? std::optional(A >> B) : std::nullopt;
  case BO_And:
    return A & B;
  case BO_Or:
    return A | B;
  case BO_Xor:
    return A ^ B;
  case BO_LT:
    return A < B;
  case BO_GT:
    return A > B;
  case BO_LE:
    return A <= B;
  case BO_GE:
    return A >= B;
  case BO_EQ:
    return A == B;
  case BO_NE:
    return A != B;
  default:
    return std::nullopt;
  }
}

static HostValue compute(BinaryOperatorKind Op, const HostValue &A,
                         const HostValue &B) {
  const auto X = A.number(), Y = B.number();
  if (A.K == HostValue::Kind::Address && Y && (Op == BO_Add || Op == BO_Sub)) {
    const auto At = A.pointee(Op == BO_Add ? *Y : -*Y);
    return At ? HostValue::address(*At) : HostValue();
  }
  const auto R = X && Y ? compute(Op, *X, *Y) : std::nullopt;
  return R ? HostValue::integer(*R) : HostValue();
}

HostRun::Outcomes HostRun::evaluate(const Expr *E, HostWorld World) {
  E = withoutTemporaries(E);
  if (isSpent() || E->isInstantiationDependent())
    return {{std::move(World), {}}};
  const llvm::SaveAndRestore Deeper(Nested, Nested + 1);
  if (const auto N = Constants.integer(E))
    return {{std::move(World), HostValue::integer(int64Of(*N))}};
  if (const auto *X = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(X->getReplacement(), std::move(World));
  if (const auto *X = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(X->getExpr(), std::move(World));
  if (const auto *X = dyn_cast<CXXDefaultInitExpr>(E))
    return evaluate(X->getExpr(), std::move(World));
  if (const auto *X = dyn_cast<CastExpr>(E))
    return evaluateCast(X, std::move(World));
  if (const auto *X = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(X, std::move(World));
  if (const auto *X = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(X, std::move(World));
  if (const auto *X = dyn_cast<ConditionalOperator>(E))
    return evaluateChoice(X, std::move(World));
  if (const auto *X = dyn_cast<MemberExpr>(E))
    return evaluateMember(X, std::move(World));
  if (const auto *X = dyn_cast<ArraySubscriptExpr>(E))
    return evaluateElement(X, std::move(World));
  if (const auto *X = dyn_cast<InitListExpr>(E))
    return evaluateList(X, std::move(World));
  if (const auto *X = dyn_cast<CallExpr>(E))
    return call(X, std::move(World));
  if (const auto *X = dyn_cast<CXXConstructExpr>(E))
    return construct(X, std::move(World));
  HostValue Value;
  if (const auto *X = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *F = dyn_cast<FunctionDecl>(X->getDecl()))
      Value = HostValue::function(definitionOf(F));
    else if (const auto *V = dyn_cast<VarDecl>(X->getDecl()))
      Value = valueOf(V, World);
  } else if (const auto *X = dyn_cast<CXXThisExpr>(E)) {
    Value = objectOfMethod(X, World);
  } else if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E)) {
    if (E->getType()->isIntegralOrEnumerationType())
      Value = HostValue::integer(0);
  }
  return {{std::move(World), std::move(Value)}};
}

HostValue HostRun::only(const Expr *E, const HostWorld &World) {
  Outcomes Values = evaluate(E, World);
  return Values.size() == 1 ? std::move(Values.front().Value) : HostValue();
}

HostValue HostRun::valueOf(const VarDecl *V, const HostWorld &World) {
  if (World.holds(V)) {
    HostValue Value = World.read({V, {}});
    return V->getType()->isReferenceType() &&
                   Value.K == HostValue::Kind::Address
               ? World.read(Value.At)
               : Value;
  }
  // Of a variable that was not come by, such as one around a lambda that
  // somebody else calls.
  const Expr *Init = V->getAnyInitializer();
  if (!Init || isa<ParmVarDecl>(V) || Facts.isAssigned(V) ||
      !Initialising.insert(V).second)
    return {};
  HostValue Value = only(Init, World);
  Initialising.erase(V);
  return Value;
}

HostValue HostRun::load(const HostPlace &At, const HostWorld &World) {
  const auto *D = At.Variable.dyn_cast<const Decl *>();
  const auto *V = dyn_cast_if_present<VarDecl>(D);
  return V && !World.holds(V) ? valueOf(V, World).part(At) : World.read(At);
}

HostValue HostRun::objectOfMethod(const CXXThisExpr *E,
                                  const HostWorld &World) const {
  const CXXRecordDecl *Class = E->getType()->getPointeeCXXRecordDecl();
  for (const FunctionDecl *F : llvm::reverse(Stack))
    if (const auto *M = dyn_cast<CXXMethodDecl>(F);
        M && M->getParent() == Class)
      return World.read({M, {}});
  return {};
}

std::optional<HostPlace> HostRun::placeOf(const Expr *E,
                                          const HostWorld &World) {
  E = E->IgnoreParenCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || (V->getType()->isReferenceType() && !World.holds(V)))
      return std::nullopt;
    const HostValue Value = World.read({V, {}});
    const bool Refers =
        V->getType()->isReferenceType() && Value.K == HostValue::Kind::Address;
    return Refers ? Value.At : HostPlace{V, {}};
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!Field)
      return std::nullopt;
    const auto Object = M->isArrow() ? only(M->getBase(), World).pointee(0)
                                     : placeOf(M->getBase(), World);
    return Object ? std::optional(Object->member(Field->getFieldIndex()))
                  : std::nullopt;
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const auto Index = only(A->getIdx(), World).number();
    return Index ? only(A->getBase(), World).pointee(*Index) : std::nullopt;
  }
  const auto *U = dyn_cast<UnaryOperator>(E);
  return U && U->getOpcode() == UO_Deref
             ? only(U->getSubExpr(), World).pointee(0)
             : std::nullopt;
}

HostRun::Outcomes HostRun::decay(const Expr *Array, HostWorld World) {
  if (const auto At = placeOf(Array, World))
    return {{std::move(World), HostValue::address(At->element(0))}};
  return evaluate(Array, std::move(World));
}

HostRun::Outcomes HostRun::evaluateCast(const CastExpr *E, HostWorld World) {
  if (E->getCastKind() == CK_ArrayToPointerDecay)
    return decay(E->getSubExpr(), std::move(World));
  Outcomes R = evaluate(E->getSubExpr(), std::move(World));
  for (auto &[After, Value] : R)
    if (E->getCastKind() == CK_IntegralToBoolean && Value.number())
      Value.Number = Value.Number != 0;
    else if (E->getCastKind() == CK_DerivedToBase ||
             E->getCastKind() == CK_UncheckedDerivedToBase ||
             E->getCastKind() == CK_FloatingToIntegral)
      Value = {};
  return R;
}

HostRun::Outcomes HostRun::evaluateUnary(const UnaryOperator *E,
                                         HostWorld World) {
  const Expr *Of = E->getSubExpr();
  if (E->getOpcode() == UO_AddrOf) {
    if (const auto At = placeOf(Of, World))
      return {{std::move(World), HostValue::address(*At)}};
    return evaluate(Of, std::move(World)); // a function
  }
  Outcomes R = evaluate(Of, std::move(World));
  for (auto &[After, Value] : R) {
    const HostValue Old = std::move(Value);
    const auto One = HostValue::integer(1), Zero = HostValue::integer(0);
    switch (E->getOpcode()) {
    case UO_PreInc:
    case UO_PostInc:
    case UO_PreDec:
    case UO_PostDec: {
      const HostValue New =
          compute(E->isIncrementOp() ? BO_Add : BO_Sub, Old, One);
      write(Of, New, After);
      Value = E->isPrefix() ? New : Old;
      break;
    }
    case UO_Deref:
      Value = Old.K == HostValue::Kind::Address ? load(Old.At, After) : Old;
      break;
    case UO_Plus:
      Value = Old;
      break;
    case UO_Minus:
      Value = compute(BO_Sub, Zero, Old);
      break;
    case UO_LNot:
      Value = compute(BO_EQ, Old, Zero);
      break;
    default:
      Value = {};
    }
  }
  return R;
}

void HostRun::write(const Expr *To, const HostValue &New, HostWorld &World) {
  if (const auto At = placeOf(To, World))
    return World.write(*At, New);
  // One of its elements.
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(To->IgnoreParenCasts()))
    if (const auto At = only(A->getBase(), World).pointee(0))
      World.write(At->whole(), {});
}

HostRun::Outcomes HostRun::assign(const Expr *To, const Expr *From,
                                  HostWorld World) {
  Outcomes R = evaluate(From, std::move(World));
  for (auto &[After, Value] : R)
    write(To, Value, After);
  return R;
}

HostRun::Outcomes HostRun::evaluateBinary(const BinaryOperator *E,
                                          HostWorld World) {
  if (E->getOpcode() == BO_Assign)
    return assign(E->getLHS(), E->getRHS(), std::move(World));
  Outcomes R;
  for (auto &[Between, Left] : evaluate(E->getLHS(), std::move(World))) {
    const auto Known = Left.number();
    if (Known && E->isLogicalOp() &&
        (*Known != 0) == (E->getOpcode() == BO_LOr)) {
      R.push_back({std::move(Between), HostValue::integer(*Known != 0)});
      continue;
    }
    for (auto &[After, Right] : evaluate(E->getRHS(), std::move(Between))) {
      if (E->isCommaOp()) {
        R.push_back({std::move(After), std::move(Right)});
        continue;
      }
      HostValue Value;
      if (E->isLogicalOp()) {
        const auto Last = Right.number();
        // It decides if the first did not, or whatever that is.
        if (Last && (Known || (*Last != 0) == (E->getOpcode() == BO_LOr)))
          Value = HostValue::integer(*Last != 0);
      } else if (E->isCompoundAssignmentOp()) {
        Value =
            compute(BinaryOperator::getOpForCompoundAssignment(E->getOpcode()),
                    Left, Right);
        write(E->getLHS(), Value, After);
      } else {
        Value = compute(E->getOpcode(), Left, Right);
      }
      R.push_back({std::move(After), std::move(Value)});
    }
  }
  return R;
}

HostRun::Outcomes HostRun::evaluateChoice(const ConditionalOperator *E,
                                          HostWorld World) {
  Worlds Yes, No;
  decide(E->getCond(), {std::move(World)}, Yes, No);
  Outcomes R;
  for (const auto &[Side, In] :
       {std::pair(E->getTrueExpr(), &Yes), std::pair(E->getFalseExpr(), &No)})
    for (const HostWorld &W : *In)
      llvm::move(evaluate(Side, W), std::back_inserter(R));
  return R;
}

HostRun::Outcomes HostRun::evaluateMember(const MemberExpr *E,
                                          HostWorld World) {
  if (const auto *V = dyn_cast<VarDecl>(E->getMemberDecl())) {
    HostValue Value = valueOf(V, World);
    return {{std::move(World), std::move(Value)}};
  }
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  Outcomes R = evaluate(E->getBase(), std::move(World));
  for (auto &[After, Value] : R) {
    const unsigned Index = Field ? Field->getFieldIndex() : ~0u;
    if (Value.K == HostValue::Kind::Address && Field)
      Value = load(Value.At.member(Index), After);
    else if (Index < Value.Members.size())
      Value = HostValue(Value.Members[Index]);
    else
      Value = {};
  }
  return R;
}

HostRun::Outcomes HostRun::evaluateElement(const ArraySubscriptExpr *E,
                                           HostWorld World) {
  const InitListExpr *List = listOf(E->getBase());
  Outcomes R;
  for (auto &[After, Index] : evaluate(E->getIdx(), std::move(World))) {
    const auto I = Index.number();
    if (const auto At =
            I ? only(E->getBase(), After).pointee(*I) : std::nullopt) {
      HostValue Value = load(*At, After);
      R.push_back({std::move(After), std::move(Value)});
    } else if (!List || List->getNumInits() > MaxElements ||
               (I && (*I < 0 || *I >= List->getNumInits())))
      R.push_back({std::move(After), {}});
    else if (I)
      llvm::move(evaluate(List->getInit(*I), std::move(After)),
                 std::back_inserter(R));
    else // any of them
      for (const Expr *Element : List->inits())
        llvm::move(evaluate(Element, After), std::back_inserter(R));
  }
  return R;
}

HostRun::Outcomes HostRun::evaluateList(const InitListExpr *E,
                                        HostWorld World) {
  const QualType T = E->getType();
  if (!T->isRecordType() && !T->isArrayType() && E->getNumInits() == 1)
    return evaluate(E->getInit(0), std::move(World));
  const auto *Array =
      dyn_cast_if_present<ConstantArrayType>(T->getAsArrayTypeUnsafe());
  if (Array ? Array->getSize().ugt(MaxElements) : !T->isRecordType())
    return {{std::move(World), {}}};
  HostValue New = HostValue::structure(Array ? unsigned(Array->getZExtSize())
                                             : E->getNumInits());
  // Those that the list does not name.
  if (Array && Array->getElementType()->isIntegralOrEnumerationType())
    for (HostValue &Element : New.Members)
      Element = HostValue::integer(0);
  Outcomes R{{std::move(World), std::move(New)}};
  for (const auto &[I, Init] : llvm::enumerate(E->inits())) {
    Outcomes Longer;
    for (auto &[Before, Whole] : R)
      for (auto &[After, Value] : evaluate(Init, std::move(Before))) {
        HostValue Next = Whole;
        Next.Members[I] = std::move(Value);
        Longer.push_back({std::move(After), std::move(Next)});
      }
    R = std::move(Longer);
  }
  return R;
}
