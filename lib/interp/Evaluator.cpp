//===- Evaluator.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Evaluator.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

Value Evaluator::evalConstant(const Expr *E) {
  auto [I, New] = ConstantValues.try_emplace(E);
  if (New)
    if (const auto N = P.layouts().integer(E))
      I->second = Value::integer(V.constant(int64Of(*N)));
  return I->second;
}

Value Evaluator::placeOutside(const VarDecl *D) {
  auto [I, New] = PlacesOutside.try_emplace(D);
  if (!New)
    return I->second;
  const QualType T = D->getType();
  Object O{Object::Kind::Device};
  O.Origin = D->getCanonicalDecl();
  O.Name = Run.nameOf(D);
  O.Size = P.sizeOf(T);
  if (D->hasAttr<CUDASharedAttr>()) {
    // Every extern __shared__ array is the same memory.
    O.K = Object::Kind::Shared;
    if (D->hasExternalStorage()) {
      O.K = Object::Kind::Dynamic;
      O.Origin = nullptr;
      O.Size = 0;
      if (Run.DynamicName.empty())
        Run.DynamicName = O.Name;
    }
    if (D->hasAttr<AlignedAttr>())
      O.Alignment = P.layouts().alignmentOf(D);
    return I->second = Value::pointer(V.object(O), V.constant(0));
  }
  O.Alignment = P.layouts().alignmentOf(D);
  const Object *Obj = V.object(O);
  const VarDecl *Def = D->getDefinition();
  if (!Def)
    Def = D->getInitializingDeclaration();
  // Clang makes constants that device code uses __constant__ by itself.
  const auto *Constant = D->getAttr<CUDAConstantAttr>();
  if (!Store.Constants.find(Obj) && Def && !T->isReferenceType() &&
      (D->isConstexpr() ||
       (T.isConstQualified() && (!Constant || Constant->isImplicit()))) &&
      Def->getAnyInitializer())
    if (const APValue *A = P.layouts().initialValue(Def))
      Store.fillFromConstant(Store.Constants, Obj, 0, *A, T);
  return PlacesOutside[D] = Value::pointer(Obj, V.constant(0));
}

Value Evaluator::variable(State &S, const VarDecl *D, const Expr *E) {
  QualType T = D->getType();
  if (D->hasAttr<CUDASharedAttr>())
    return placeOutside(D);
  Value Place;
  if (D->hasLocalStorage()) {
    // A captured variable is a field of the closure.
    const auto *Ref = dyn_cast_if_present<DeclRefExpr>(E);
    const auto *M = dyn_cast<CXXMethodDecl>(S.frame().Fn->decl());
    if (Ref && Ref->refersToEnclosingVariableOrCapture() && M &&
        M->getParent()->isLambda() && S.frame().This.isPtr()) {
      auto [Fields, New] = Captures.try_emplace(M->getParent());
      FieldDecl *ThisCapture = nullptr;
      if (New)
        M->getParent()->getCaptureFields(Fields->second, ThisCapture);
      if (const FieldDecl *F = Fields->second.lookup(D)) {
        Place = Store.memberOf(S, S.frame().This, F);
        if (F->getType()->isReferenceType())
          return Store.load(
              S, Place, Ctx.getPointerType(F->getType().getNonReferenceType()),
              E);
        return Place;
      }
    }
    const Object *O = Run.local(S, D, Run.nameOf(D), P.sizeOf(T));
    Place = Value::pointer(O, V.constant(0));
    // A constant that a lambda uses without capturing it.
    if (!S.Mem.find(O) && !T->isReferenceType() && T.isConstQualified())
      if (const APValue *A = P.layouts().initialValue(D))
        Store.fillFromConstant(S.Mem, O, 0, *A, T);
  } else {
    Place = placeOutside(D);
  }
  if (T->isReferenceType())
    return Store.load(S, Place, Ctx.getPointerType(T.getNonReferenceType()), E);
  return Place;
}

Value Evaluator::address(State &S, const Expr *E) {
  E = E->IgnoreParens();
  if (const Value *Known = Frames.findTemp(S, E))
    return *Known;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *Var = dyn_cast<VarDecl>(D->getDecl()))
      return variable(S, Var, E);
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      return B->getBinding() ? address(S, B->getBinding()) : Value::unknown();
    if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl())) {
      Object O{Object::Kind::Function};
      O.Origin = F;
      O.Name = Run.nameOf(F);
      return Value::pointer(V.object(O), V.constant(0));
    }
    return Value::unknown();
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *Var = dyn_cast<VarDecl>(M->getMemberDecl()))
      return variable(S, Var, E);
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!F)
      return Value::unknown();
    Value Base = M->isArrow() || !M->getBase()->isGLValue()
                     ? eval(S, M->getBase())
                     : address(S, M->getBase());
    Value Place = Store.memberOf(S, Base, F);
    if (F->getType()->isReferenceType())
      return Store.load(
          S, Place, Ctx.getPointerType(F->getType().getNonReferenceType()), E);
    return Place.isPtr() ? Place : Value::unknown();
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Value Base = eval(S, A->getBase());
    Value Index = eval(S, A->getIdx());
    if (!Base.isPtr())
      return Value::unknown();
    if (!Index.isInt())
      return Value::pointer(Base.Obj, nullptr);
    return Bounds.indexed(
        S, A->getBase(), A->getIdx(), Base,
        Math.offsetBy(Base,
                      V.mul(Index.I, V.constant(P.sizeOf(A->getType())))));
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return eval(S, U->getSubExpr());
    if (U->isIncrementDecrementOp())
      return evalUnary(S, U);
    if (U->getOpcode() == UO_Extension)
      return address(S, U->getSubExpr());
    return Value::unknown();
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp())
      return evalBinary(S, B);
    if (B->getOpcode() == BO_Comma)
      return address(S, B->getRHS());
    return Value::unknown();
  }
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_DerivedToBase ||
        C->getCastKind() == CK_UncheckedDerivedToBase ||
        C->getCastKind() == CK_BaseToDerived)
      return evalCast(S, C);
    return C->getSubExpr()->isGLValue() ? address(S, C->getSubExpr())
                                        : eval(S, C->getSubExpr());
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    const Int *Cond = Math.truth(eval(S, C->getCond()));
    if (!Cond)
      useWithin(S, C);
    return Cond ? V.select(Cond, address(S, C->getTrueExpr()),
                           address(S, C->getFalseExpr()))
                : Value::unknown();
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E)) {
    const Expr *Sub = M->getSubExpr();
    if (Sub->getType()->isRecordType())
      return eval(S, Sub);
    const Object *O = Run.local(S, M, "", P.sizeOf(M->getType()));
    Store.initialise(S, Value::pointer(O, V.constant(0)), Sub, M->getType());
    return Value::pointer(O, V.constant(0));
  }
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr() ? address(S, O->getSourceExpr())
                              : Value::unknown();
  if (const auto *F = dyn_cast<FullExpr>(E))
    return address(S, F->getSubExpr());
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return address(S, D->getExpr());
  if (const auto *D = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return address(S, D->getReplacement());
  if (const auto *C = dyn_cast<CompoundLiteralExpr>(E)) {
    const Object *O = Run.local(S, C, "", P.sizeOf(C->getType()));
    Store.initialise(S, Value::pointer(O, V.constant(0)), C->getInitializer(),
                     C->getType());
    return Value::pointer(O, V.constant(0));
  }
  if (isa<CXXThisExpr>(E))
    return eval(S, E);
  useWithin(S, E);
  return Value::unknown();
}

Value Evaluator::eval(State &S, const Expr *E) {
  E = E->IgnoreParens();
  if (const Value *Known = Frames.findTemp(S, E)) {
    if (const auto *C = dyn_cast<CallExpr>(E); C && S.Mem.unused().any())
      loadResult(S, C);
    return *Known;
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return evalCast(S, C);
  if (const auto *I = dyn_cast<IntegerLiteral>(E))
    return Value::integer(
        V.constant(I->getType()->isUnsignedIntegerType()
                       ? static_cast<int64_t>(I->getValue().getZExtValue())
                       : I->getValue().getSExtValue()));
  if (const auto *B = dyn_cast<CXXBoolLiteralExpr>(E))
    return Value::integer(V.constant(B->getValue()));
  if (const auto *C = dyn_cast<CharacterLiteral>(E))
    return Value::integer(V.constant(C->getValue()));
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr, ImplicitValueInitExpr,
          CXXScalarValueInitExpr>(E))
    return E->getType()->isRecordType() ? Value::unknown()
                                        : Value::integer(V.constant(0));
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (isa<EnumConstantDecl>(D->getDecl()))
      return evalConstant(E);
    return E->isGLValue() ? address(S, E) : Value::unknown();
  }
  // The object an enumerator is named through need not be known.
  if (const auto *M = dyn_cast<MemberExpr>(E))
    if (const auto *C = dyn_cast<EnumConstantDecl>(M->getMemberDecl()))
      return Value::integer(V.constant(int64Of(C->getInitVal())));
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return evalUnary(S, U);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return evalBinary(S, B);
  if (const auto *N = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return Math.convert(eval(S, N->getReplacement()), N->getType());
  if (const auto *C = dyn_cast<ConstantExpr>(E)) {
    Value Val = evalConstant(C);
    return Val.isUnknown() ? eval(S, C->getSubExpr()) : Val;
  }
  if (const auto *F = dyn_cast<FullExpr>(E))
    return eval(S, F->getSubExpr());
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return eval(S, B->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return address(S, M);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return eval(S, D->getExpr());
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return eval(S, D->getExpr());
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    return P->getResultExpr() ? eval(S, P->getResultExpr()) : Value::unknown();
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr() ? eval(S, O->getSourceExpr()) : Value::unknown();
  if (isa<CXXThisExpr>(E)) {
    // In a lambda, the enclosing object is a capture.
    const auto *M = dyn_cast<CXXMethodDecl>(S.frame().Fn->decl());
    if (M && M->getParent()->isLambda()) {
      llvm::DenseMap<const ValueDecl *, FieldDecl *> Captures;
      FieldDecl *ThisCapture = nullptr;
      M->getParent()->getCaptureFields(Captures, ThisCapture);
      if (!ThisCapture)
        return Value::unknown();
      Value Place = Store.memberOf(S, S.frame().This, ThisCapture);
      return ThisCapture->getType()->isPointerType()
                 ? Store.load(S, Place, ThisCapture->getType(), E)
                 : Place;
    }
    return S.frame().This;
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Value Cond = eval(S, C->getCond());
    const Int *T = Math.truth(Cond);
    if (!T) {
      useWithin(S, C);
      return Value::unknown();
    }
    // Only the side that runs may have been executed.
    Truth Known = S.Condition.decide(V, T);
    if (PerThreadContext::isEmpty(L.except(S.Active, Known.True)))
      return eval(S, C->getTrueExpr());
    if (PerThreadContext::isEmpty(L.except(S.Active, Known.False)))
      return eval(S, C->getFalseExpr());
    return Math.lighten(
        S, C,
        V.select(T, eval(S, C->getTrueExpr()), eval(S, C->getFalseExpr())));
  }
  if (isa<UnaryExprOrTypeTraitExpr, OffsetOfExpr, SizeOfPackExpr, TypeTraitExpr,
          ArrayTypeTraitExpr, CXXNoexceptExpr>(E))
    return evalConstant(E);
  if (isa<InitListExpr, LambdaExpr, CXXStdInitializerListExpr>(E)) {
    if (const auto *I = dyn_cast<InitListExpr>(E);
        I && !E->getType()->isRecordType() && I->getNumInits() == 1)
      return eval(S, I->getInit(0));
    const Object *O = Run.local(S, E, "", P.sizeOf(E->getType()));
    S.Mem.erase(O);
    Value To = Value::pointer(O, V.constant(0));
    Store.initialise(S, To, E, E->getType());
    return To;
  }
  if (const auto *St = dyn_cast<StmtExpr>(E)) {
    const CompoundStmt *Body = St->getSubStmt();
    const auto *Last =
        Body->body_empty() ? nullptr : dyn_cast<Expr>(Body->body_back());
    const Value *Known = Last ? Frames.findTemp(S, Last) : nullptr;
    return Known ? *Known : Value::unknown();
  }
  if (E->isGLValue())
    return address(S, E);
  // Default arguments are not part of the caller's graph.
  if (isa<CXXConstructExpr, CallExpr>(E))
    return evalUnvisited(S, E);
  useWithin(S, E);
  return Value::unknown();
}

Value Evaluator::evalUnvisited(State &S, const Expr *E) {
  QualType T = E->getType();
  if (const auto *C = dyn_cast<CallExpr>(E); C && C->getDirectCallee())
    if (const llvm::StringRef Name =
            P.recognizer().specialRegister(C->getDirectCallee());
        !Name.empty())
      return Apis.specialRegister(Name);
  if (!T->isRecordType())
    return evalConstant(E);
  const Object *O = Run.local(S, E, "", P.sizeOf(T));
  S.Mem.erase(O);
  if (const auto R = P.isHollow(T) ? std::nullopt : P.layouts().structure(E))
    Store.fillFromConstant(S.Mem, O, 0, *R, T);
  return Value::pointer(O, V.constant(0));
}

Value Evaluator::evalCast(State &S, const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
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
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
    return Math.convert(eval(S, Sub), E->getType());
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived: {
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
                : Old.isInt()
                    ? Math.convert(Value::integer(V.add(Old.I, V.constant(By))),
                                   Sub->getType())
                    : Value::unknown();
    Store.store(S, Place, New, Sub->getType(), E);
    if (E->isPrefix())
      return E->isGLValue() ? Place : New;
    return Old;
  }
  default:
    useWithin(S, Sub);
    return Value::unknown();
  }
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
    Store.store(S, Place, Val, LHS->getType(), E);
    Reads.place(S, Place, Loaded);
    return E->isGLValue() ? Place : Val;
  }
  if (const auto *C = dyn_cast<CompoundAssignOperator>(E)) {
    Value B = eval(S, RHS);
    Value Place = address(S, LHS);
    Value A = Store.load(S, Place, LHS->getType(), LHS);
    BinaryOperatorKind Plain = BinaryOperator::getOpForCompoundAssignment(Op);
    Value R = Math.arithmetic(
        S, Plain, Math.convert(A, C->getComputationLHSType()), B,
        LHS->getType(), RHS->getType(), C->getComputationResultType());
    if (Plain == BO_Add && A.isPtr())
      R = Bounds.indexed(S, LHS, LHS, A, R);
    R = Math.lighten(S, E, Math.convert(R, LHS->getType()));
    Store.store(S, Place, R, LHS->getType(), E);
    return E->isGLValue() ? Place : R;
  }
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
  if (E->isComparisonOp()) {
    if (A.isInt() && B.isInt() &&
        A.I->weight() + B.I->weight() >= Int::MaxWeight) {
      A = nameVariable(S, LHS, A);
      B = nameVariable(S, RHS, B);
    }
    return Math.lighten(S, E, Math.compare(S, Op, A, B));
  }
  if (E->getType()->isRealFloatingType())
    return Value::unknown();
  const Value R = Math.arithmetic(S, Op, A, B, LHS->getType(), RHS->getType(),
                                  E->getType());
  if (Op == BO_Add && R.isPtr())
    return A.isPtr() ? Bounds.indexed(S, LHS, RHS, A, R)
                     : Bounds.indexed(S, RHS, LHS, B, R);
  return Math.lighten(S, E, R);
}

Value Evaluator::nameVariable(State &S, const Expr *E, Value Val) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  if (!Ref || Val.I->weight() <= Int::MaxWeight / 2)
    return Val;
  const Value Place = address(S, Ref);
  if (!Place.isPtr() || Place.Obj->K != Object::Kind::Local || !Place.I ||
      !Place.I->isConstant() || !S.Mem.find(Place.Obj))
    return Val;
  Names.rename(S, {Symbols::CellRef(Place.Obj, Place.I->constant())});
  return Math.convert(Store.load(S, Place, Ref->getType(), Ref), E->getType());
}
