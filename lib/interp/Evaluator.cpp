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

Value Evaluator::placeNamed(State &S, const DeclRefExpr *D) {
  if (const auto *Var = dyn_cast<VarDecl>(D->getDecl()))
    return variable(S, Var, D);
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

Value Evaluator::placeOfMember(State &S, const MemberExpr *M) {
  if (const auto *Var = dyn_cast<VarDecl>(M->getMemberDecl()))
    return variable(S, Var, M);
  const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
  if (!F)
    return Value::unknown();
  Value Base = M->isArrow() || !M->getBase()->isGLValue()
                   ? eval(S, M->getBase())
                   : address(S, M->getBase());
  Value Place = Store.memberOf(S, Base, F);
  if (F->getType()->isReferenceType())
    return Store.load(
        S, Place, Ctx.getPointerType(F->getType().getNonReferenceType()), M);
  return Place.isPtr() ? Place : Value::unknown();
}

Value Evaluator::placeOfElement(State &S, const ArraySubscriptExpr *A) {
  Value Base = eval(S, A->getBase());
  Value Index = eval(S, A->getIdx());
  if (!Base.isPtr())
    return Value::unknown();
  if (!Index.isInt())
    return Value::pointer(Base.Obj, nullptr);
  Registers.Uses.subscript(S, A, Base, Index);
  if (Bounds.decidedTooMany(S, A->getBase(), Base, Index)) {
    Run.Effects.note(); // who calls has a say in it
    Asked.endPath();
  }
  return Bounds.indexed(
      S, A->getBase(), A->getIdx(), Base,
      Math.offsetBy(Base, V.mul(Index.I, V.constant(P.sizeOf(A->getType())))));
}

Value Evaluator::address(State &S, const Expr *E) {
  E = E->IgnoreParens();
  if (const Value *Known = Frames.findTemp(S, E))
    return *Known;
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return placeNamed(S, D);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return placeOfMember(S, M);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return placeOfElement(S, A);
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
    else if (const Expr *Taken = sideTaken(S, C, Cond))
      return address(S, Taken);
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

Value Evaluator::evalThis(State &S, const Expr *E) {
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

const Expr *Evaluator::sideTaken(const State &S,
                                 const AbstractConditionalOperator *C,
                                 const Int *Cond) {
  const Truth Known = S.Condition.decide(V, Cond);
  if (PerThreadContext::isEmpty(L.except(S.Active, Known.True)))
    return C->getTrueExpr();
  if (PerThreadContext::isEmpty(L.except(S.Active, Known.False)))
    return C->getFalseExpr();
  return nullptr;
}

Value Evaluator::evalConditional(State &S,
                                 const AbstractConditionalOperator *C) {
  Value Cond = eval(S, C->getCond());
  const Int *T = Math.truth(Cond);
  if (!T) {
    useWithin(S, C);
    return Value::unknown();
  }
  if (const Expr *Taken = sideTaken(S, C, T))
    return eval(S, Taken);
  const Truth Known = S.Condition.decide(V, T);
  const auto EvalSide = [&](const Expr *Side, const PerThread *Threads) {
    // What is kept of it is of those who ran it last.
    const PerThread *All = S.Active;
    if (Reads.followsSums())
      S.Active = L.both(All, Threads);
    const Value Val = eval(S, Side);
    S.Active = All;
    return Val;
  };
  return Math.lighten(S, C,
                      V.select(T, EvalSide(C->getTrueExpr(), Known.True),
                               EvalSide(C->getFalseExpr(), Known.False)));
}

Value Evaluator::evalList(State &S, const Expr *E) {
  if (const auto *I = dyn_cast<InitListExpr>(E);
      I && !E->getType()->isRecordType()) {
    if (I->getNumInits() == 1)
      return eval(S, I->getInit(0));
    if (E->getType()->isScalarType()) // int{}
      return Value::integer(V.constant(0));
  }
  const Object *O = Run.local(S, E, "", P.sizeOf(E->getType()));
  S.Mem.erase(O);
  Value To = Value::pointer(O, V.constant(0));
  Store.initialise(S, To, E, E->getType());
  return To;
}

Value Evaluator::eval(State &S, const Expr *E) {
  E = E->IgnoreParens();
  if (const Value *Known = Frames.findTemp(S, E)) {
    if (S.Mem.unused().any() && (isa<CallExpr>(E) || Reads.followsSums()))
      loadResult(S, E);
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
  if (isa<CXXThisExpr>(E))
    return evalThis(S, E);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return evalConditional(S, C);
  if (isa<UnaryExprOrTypeTraitExpr, OffsetOfExpr, SizeOfPackExpr, TypeTraitExpr,
          ArrayTypeTraitExpr, CXXNoexceptExpr>(E))
    return evalConstant(E);
  if (isa<InitListExpr, LambdaExpr, CXXStdInitializerListExpr>(E))
    return evalList(S, E);
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
      return Registers.read(Name);
  if (!T->isRecordType())
    return evalConstant(E);
  const Object *O = Run.local(S, E, "", P.sizeOf(T));
  S.Mem.erase(O);
  if (const auto R = P.isHollow(T) ? std::nullopt : P.layouts().structure(E))
    Store.fillFromConstant(S.Mem, O, 0, *R, T);
  return Value::pointer(O, V.constant(0));
}

Value Evaluator::nameVariable(State &S, const Expr *E, Value Val) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  if (!Ref || Val.I->weight() <= Int::MaxWeight / 4)
    return Val;
  const Value Place = address(S, Ref);
  if (!Place.isPtr() || Place.Obj->K != Object::Kind::Local || !Place.I ||
      !Place.I->isConstant() || !S.Mem.find(Place.Obj))
    return Val;
  Names.name(S, {Place.Obj, Place.I->constant()});
  return Math.convert(Store.load(S, Place, Ref->getType(), Ref), E->getType());
}
