//===- Calls.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Calls.h"
#include "lib/interp/ApiCall.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Deeper than any wrapper stack seen in public code; stops runaway templates.
static constexpr unsigned MaxCallDepth = 64;

// Calls of one function within each other: as many as a helper has that walks
// the levels of a tree, or that issues the copies of one stage after the other.
static constexpr unsigned MaxRecursion = 16;

void Calls::setTemp(State &S, const Expr *E, Value Val) {
  E = E->IgnoreParens();
  if (const Expr *Maker = withoutCasts(E); S.frame().Fn->mayBeMade(Maker))
    Life.noteMade(S, Maker);
  for (auto &[Known, Old] : S.frame().Temps)
    if (Known == E) {
      Old = Val;
      return;
    }
  S.frame().Temps.push_back({E, Val});
}

const Value *Calls::findTemp(const State &S, const Expr *E) const {
  for (const auto &[Known, Val] : S.frame().Temps)
    if (Known == E)
      return &Val;
  return nullptr;
}

bool Calls::canFollow(State &S, const FunctionDecl *Callee,
                      SourceLocation Loc) {
  if (llvm::count_if(S.Frames, [&](const Frame &F) {
        return F.Fn->decl() == Callee;
      }) >= MaxRecursion) {
    Run.gap(Loc, "recursive call of '" + Callee->getNameAsString() + "'");
    return false;
  }
  if (S.Frames.size() < MaxCallDepth && P.function(Callee).cfg())
    return true;
  Run.gap(Loc, "call of '" + Callee->getNameAsString() + "' is not followed" +
                   (P.isTooDeep(Callee) ? ": nested too deeply" : ""));
  return false;
}

// Whoever goes on after a call that was not followed must not depend on what it
// copied, committed or waited for.
void Calls::leaveOut(const FunctionDecl *Callee) {
  if (!(P.effects(Callee) & (EffectCopy | EffectGroup | EffectBarrier)))
    return;
  Asked.endPath();
  Run.CutShort = true;
}

void Calls::pushFrame(State &S, const FunctionDecl *Callee, const Expr *Call,
                      llvm::ArrayRef<const Expr *> Args, Value This) {
  if (!canFollow(S, Callee, Call->getBeginLoc())) {
    leaveOut(Callee);
    Reads.useReached(S, This);
    unknownCall(S, Args, Call);
    return;
  }
  // Arguments are the caller's; where they go is the callee's.
  llvm::SmallVector<Value, 8> Values;
  std::vector<LoadedParts> Parts;
  for (unsigned I = 0; I < Callee->getNumParams() && I < Args.size(); ++I) {
    LoadedParts Made;
    Values.push_back(Callee->getParamDecl(I)->getType()->isReferenceType() ||
                             Args[I]->isGLValue()
                         ? Eval.address(S, Args[I])
                     : Reads.followsSums() ? Eval.evalToStore(S, Args[I], Made)
                                           : Eval.eval(S, Args[I]));
    Parts.push_back(std::move(Made));
  }
  pushFrame(S, Callee, Call, Values, This, Parts);
}

void Calls::pushFrame(State &S, const FunctionDecl *Callee, const Expr *Call,
                      llvm::ArrayRef<Value> Args, Value This,
                      llvm::ArrayRef<LoadedParts> Parts) {
  if (Memo.recallCall(S, Callee, Call, Args, This))
    return;
  beginFrame(S, Callee, Call, Call->getBeginLoc(), This);
  for (auto [I, Parm, Val] :
       llvm::enumerate(Callee->parameters().take_front(Args.size()),
                       Args.take_front(Callee->getNumParams()))) {
    QualType T = Parm->getType();
    const Object *O = Run.local(S, Parm, Run.nameOf(Parm), P.sizeOf(T));
    Value To = Value::pointer(O, V.constant(0));
    if (S.Mem.find(O) && !S.hasOthersIn(S.frame()))
      S.Mem.erase(O); // of a call before
    if (T->isReferenceType())
      Store.storeBytes(S, To, 8, Val, nullptr);
    else
      Store.store(S, To, Val, T, nullptr);
    if (Reads.followsSums() && I < Parts.size())
      Reads.place(S, To, Parts[I]);
  }
  enterFrame(S);
}

void Calls::beginFrame(State &S, const FunctionDecl *Callee, const Expr *Call,
                       SourceLocation Loc, Value This) {
  Frame New;
  New.Fn = &P.function(Callee);
  New.Call = Call;
  New.CallLoc = Loc;
  New.This = This;
  New.Number = S.Role * CallsPerRole + S.Frames.size();
  S.Frames.push_back(std::move(New));
  Life.setClass(S);
}

void Calls::enterFrame(State &S) {
  const Frame &New = S.frame();
  if (Paths.enter(S, &New.Fn->cfg()->getEntry()) == Step::PathEnds)
    Run.gap(New.CallLoc, "call of '" + New.Fn->decl()->getNameAsString() +
                             "' does not return");
}

void Calls::finishCall(State &S, const Expr *Call, const FunctionDecl *F,
                       const Contents *Returned) {
  const QualType T = F->getReturnType();
  if (T->isRecordType()) {
    const Object *To = Run.local(S, Call, "", P.sizeOf(T));
    if (Returned)
      S.Mem.set(To, Returned);
    else
      S.Mem.erase(To);
    setTemp(S, Call, Value::pointer(To, V.constant(0)));
  } else if (!T->isVoidType()) {
    setTemp(S, Call,
            Returned && Returned->size() == 1 ? (*Returned)[0].V
                                              : Value::unknown());
  }
}

// An inherited constructor hands on the parameters it was given.
void Calls::inheritConstructor(State &S, const CXXInheritedCtorInitExpr *E,
                               Value This) {
  const FunctionDecl *Body = nullptr;
  if (!E->getConstructor()->hasBody(Body) ||
      !canFollow(S, Body, E->getBeginLoc()))
    return;
  llvm::SmallVector<Value, 4> Values;
  for (const ParmVarDecl *Parm : S.frame().Fn->decl()->parameters()) {
    Value Place = Eval.variable(S, Parm, nullptr);
    QualType T = Parm->getType();
    Values.push_back(T->isReferenceType() ? Place : Store.load(S, Place, T, E));
  }
  pushFrame(S, Body, E, Values, This);
}

void Calls::unknownCall(State &S, llvm::ArrayRef<const Expr *> Args,
                        const Expr *Call) {
  Run.Effects.note();
  Eval.passOn(S, Args, Call);
  for (const Expr *A : Args) {
    Value Val = A->isGLValue() ? Eval.address(S, A) : Eval.eval(S, A);
    QualType T = A->getType();
    const auto *Of = dyn_cast<UnaryOperator>(A->IgnoreParenCasts());
    const bool IsWhole = Of && Of->getOpcode() == UO_AddrOf &&
                         isa<DeclRefExpr>(Of->getSubExpr()->IgnoreParens());
    if (A->isGLValue() && !Val.isPtr())
      Reads.useAll(S);
    Reads.useReached(S, Val,
                     A->isGLValue() ? P.sizeOf(T)
                     : IsWhole      ? P.sizeOf(Of->getSubExpr()->getType())
                                    : 0);
    bool Const = A->isGLValue()       ? T.isConstQualified()
                 : T->isPointerType() ? T->getPointeeType().isConstQualified()
                                      : true;
    if (!Val.isPtr() || Const)
      continue;
    // A pointer to a number may lead to several.
    const QualType Given = A->IgnoreParenCasts()->getType();
    if (A->isGLValue() || Given->isArrayType())
      Store.forgetTarget(S, Val, Given);
    else if (Given->isPointerType() && Given->getPointeeType()->isRecordType())
      Store.forgetTarget(S, Val, Given->getPointeeType());
    else
      Store.forgetTarget(S, Val);
  }
  QualType T = Call->getType();
  if (T->isRecordType() && Call->isPRValue()) {
    const Object *O = Run.local(S, Call, "", P.sizeOf(T));
    S.Mem.erase(O);
    setTemp(S, Call, Value::pointer(O, V.constant(0)));
  } else if (T->isIntegralOrEnumerationType() && Call->isPRValue()) {
    setTemp(S, Call, Names.freshSymbol(S, Call, Uniformity::Thread));
  } else if (Reads.followsSums() && !T->isVoidType() && Call->isPRValue()) {
    setTemp(S, Call, Value::unknown()); // it is what it is made of
  }
}

const Expr *Calls::firstToRun(const State &S, const Stmt *In) {
  if (!In || isa<LambdaExpr>(In))
    return nullptr;
  for (const Stmt *Child : In->children())
    if (const Expr *E = firstToRun(S, Child))
      return E;
  const auto *E = dyn_cast<Expr>(In);
  return isa<CallExpr, CXXConstructExpr>(In) && !findTemp(S, E) ? E : nullptr;
}

bool Calls::runDefaultArguments(State &S, const Expr *Call) {
  for (const Stmt *Child : Call->children()) {
    const auto *Argument = dyn_cast_if_present<CXXDefaultArgExpr>(Child);
    while (const Expr *E =
               Argument ? firstToRun(S, Argument->getExpr()) : nullptr) {
      const unsigned Depth = S.depth();
      Paths.executeStmt(S, E);
      if (S.depth() != Depth)
        --S.Frames[Depth].Element;
      if (S.depth() != Depth || Asked.isUndecided())
        return true;
      if (!findTemp(S, E))
        setTemp(S, E, Value::unknown());
    }
  }
  return false;
}

// Finds the object of a method's call and takes it from \p Args. True if the
// call is done: it was an assignment that copies.
bool Calls::takeObject(State &S, const CallExpr *E, const FunctionDecl *Callee,
                       llvm::SmallVectorImpl<const Expr *> &Args, Value &This) {
  const auto *M = dyn_cast<CXXMethodDecl>(Callee);
  if (!M || !M->isInstance())
    return false;
  if (const auto *MC = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Obj = MC->getImplicitObjectArgument();
    This = Obj->isGLValue() ? Eval.address(S, Obj) : Eval.eval(S, Obj);
  } else if (isa<CXXOperatorCallExpr>(E) && !Args.empty()) {
    This =
        Args[0]->isGLValue() ? Eval.address(S, Args[0]) : Eval.eval(S, Args[0]);
    Args.erase(Args.begin());
  }
  if (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator())
    if (M->isTrivial() && !Args.empty()) {
      Value From = Args[0]->isGLValue() ? Eval.address(S, Args[0])
                                        : Eval.eval(S, Args[0]);
      Store.copyObject(S, This, From, Ctx.getCanonicalTagType(M->getParent()),
                       E);
      setTemp(S, E, This);
      return true;
    }
  return false;
}

// What the call gives is known without running it.
bool Calls::isKnownCall(State &S, const CallExpr *E, const FunctionDecl *Body,
                        llvm::ArrayRef<const Expr *> Args, Value This) {
  // Nothing to follow and nothing an address could be made of.
  if (!Reads.followsSums() && P.effects(Body) == EffectNone) {
    bool TakesPlaces = llvm::any_of(Body->parameters(), [](ParmVarDecl *D) {
      return D->getType()->isReferenceType() || D->getType()->isPointerType();
    });
    QualType T = Body->getReturnType();
    if (!TakesPlaces && !P.stores(Body) && !isa<CXXMethodDecl>(Body) &&
        (T->isVoidType() || T->isRealFloatingType())) {
      for (const Expr *A : Args)
        Reads.useReached(S,
                         A->isGLValue() ? Eval.address(S, A) : Eval.eval(S, A));
      setTemp(S, E, Value::unknown());
      return true;
    }
  }
  if (std::optional<llvm::APSInt> R = P.constantResult(Body)) {
    setTemp(S, E, Value::integer(V.constant(int64Of(*R))));
    return true;
  }
  if (P.isHollow(E->getType()) && E->isPRValue() && P.changesNothing(Body)) {
    setTemp(S, E, Value::pointer(Run.local(S, E, "", 1), V.constant(0)));
    return true;
  }
  if (Body->isConstexpr() && !isa<CXXMethodDecl>(Body)) {
    Value Val = Eval.evalConstant(E);
    if (!Val.isUnknown()) {
      setTemp(S, E, Val);
      return true;
    }
  }
  QualType T = E->getType();
  const bool ReturnsThis = E->isGLValue() && P.returnsThis(Body);
  if (!Reads.followsSums() &&
      (ReturnsThis || (E->isPRValue() &&
                       (T->isVoidType() || P.isPayload(T) || P.isHollow(T)))) &&
      staysInRegisters(S, Body, Args, This)) {
    if (ReturnsThis) {
      setTemp(S, E, This);
      return true;
    }
    const Object *O = Run.local(S, E, "", P.sizeOf(T));
    S.Mem.erase(O);
    setTemp(S, E,
            T->isRecordType() ? Value::pointer(O, V.constant(0))
                              : Value::unknown());
    return true;
  }
  return false;
}

void Calls::call(State &S, const CallExpr *E) {
  if (isa<CUDAKernelCallExpr>(E))
    return;
  llvm::SmallVector<const Expr *, 8> Args(E->arg_begin(), E->arg_end());
  const FunctionDecl *Callee = E->getDirectCallee();
  if (Value F = Callee ? Value() : Eval.eval(S, E->getCallee());
      F.isPtr() && F.Obj->K == Object::Kind::Function)
    Callee = static_cast<const FunctionDecl *>(F.Obj->Origin);
  if (!Callee) {
    Eval.useWithin(S, E);
    unknownCall(S, Args, E);
    return;
  }
  ApiKind K = P.recognizer().api(Callee);
  if (effectsOf(K) != EffectNone)
    Run.Effects.note();
  if (K != ApiKind::None && K != ApiKind::Address && K != ApiKind::MatrixLoad)
    for (const Expr *A : Args)
      Eval.useWithin(S, A);
  if (K != ApiKind::None)
    Eval.passOn(S, Args, E);
  if (K != ApiKind::None && apis::run({Interp, S, E, Callee, K}))
    return;
  if (Callee->getBuiltinID() != 0) {
    Value Val = Eval.evalConstant(E);
    if (Val.isUnknown() && Callee->getName().starts_with("__builtin_expect"))
      Val = Eval.eval(S, Args[0]);
    if (!Val.isUnknown()) {
      setTemp(S, E, Val);
      return;
    }
  }
  Value This;
  if (takeObject(S, E, Callee, Args, This))
    return;
  if (const CXXMethodDecl *Named = VirtualCalls::openCallee(E)) {
    Callee = Life.finalOverrider(S, Named, This);
    if (!Callee) {
      Run.gap(E->getBeginLoc(), "virtual call of '" + Named->getNameAsString() +
                                    "': which function it runs is not known");
      leaveOut(Named);
    }
  }
  const FunctionDecl *Body = nullptr;
  if (!Callee || !Callee->hasBody(Body)) {
    Reads.useReached(S, This);
    unknownCall(S, Args, E);
    return;
  }
  if (!isKnownCall(S, E, Body, Args, This))
    pushFrame(S, Body, E, Args, This);
}

// Nothing but payload is computed, out of locals and into locals: matrix
// multiplication on registers, for one.
bool Calls::staysInRegisters(State &S, const FunctionDecl *Body,
                             llvm::ArrayRef<const Expr *> Args, Value This) {
  unsigned Stores = 0;
  auto Harmless = [&](const FunctionDecl *F) {
    Stores |= P.stores(F);
    return !(P.effects(F) & ~(EffectMemory | EffectReferred)) &&
           !(Stores & Program::StoresNumbers);
  };
  if (!Harmless(Body))
    return false;
  // Everything it can get at from what it is given.
  llvm::SmallVector<const Object *, 16> Work;
  llvm::DenseSet<const Object *> Seen;
  auto Reaches = [&](Value Val) {
    if (!Val.isPtr() || !Seen.insert(Val.Obj).second)
      return true;
    if (Val.Obj->K == Object::Kind::Function)
      return Harmless(static_cast<const FunctionDecl *>(Val.Obj->Origin));
    Work.push_back(Val.Obj);
    return !Val.Obj->isShared() && Val.Obj->K != Object::Kind::Opaque;
  };
  auto Given = [&](const Expr *A) {
    Value Val = A->isGLValue() ? Eval.address(S, A) : Eval.eval(S, A);
    bool Place = A->isGLValue() || A->getType()->isPointerType() ||
                 A->getType()->isRecordType();
    return (Val.isPtr() || !Place) && Reaches(Val);
  };
  if (!Reaches(This) || !llvm::all_of(Args, Given))
    return false;
  while (!Work.empty())
    if (const Contents *Bytes = S.Mem.find(Work.pop_back_val()))
      for (const Cell &C : *Bytes)
        if (!Reaches(C.V))
          return false;
  if (llvm::any_of(Seen,
                   [&](const Object *O) { return S.Mem.unused().isHeldBy(O); }))
    return false; // which of it is used has to be seen
  if (Stores & Program::StoresUnknown)
    for (const Object *O : Seen)
      if (const Contents *Bytes = S.Mem.find(O);
          Bytes && O->K == Object::Kind::Local) {
        llvm::SmallVector<Cell, 8> Left;
        for (const Cell &C : *Bytes)
          if (C.V.isPtr())
            Left.push_back(C);
        S.Mem.set(O, V.contents(Left));
      }
  return true;
}

void Calls::construct(State &S, const CXXConstructExpr *E) {
  const CXXConstructorDecl *C = E->getConstructor();
  const Object *O = Run.local(S, E, "", P.sizeOf(E->getType()));
  Value This = Value::pointer(O, V.constant(0));
  S.Mem.erase(O);
  if (P.isHollow(E->getType()) && (C->isTrivial() || P.changesNothing(C))) {
    setTemp(S, E, This);
    return;
  }
  if (C->isCopyOrMoveConstructor() && C->isTrivial()) {
    const Expr *From = E->getArg(0);
    Value Place =
        From->isGLValue() ? Eval.address(S, From) : Eval.eval(S, From);
    Store.copyObject(S, This, Place, E->getType(), E);
    setTemp(S, E, This);
    return;
  }
  setTemp(S, E, This);
  const FunctionDecl *Body = nullptr;
  if (!C->hasBody(Body)) {
    for (const Expr *A : E->arguments())
      Reads.useReached(S,
                       A->isGLValue() ? Eval.address(S, A) : Eval.eval(S, A));
    return;
  }
  llvm::SmallVector<const Expr *, 4> Args(E->arg_begin(), E->arg_end());
  if (!Reads.followsSums() && P.isPayload(E->getType()) &&
      staysInRegisters(S, Body, Args, This))
    return;
  pushFrame(S, Body, E, Args, This);
}
