//===- Calls.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Deeper than any wrapper stack seen in public code; stops runaway templates.
static constexpr unsigned MaxCallDepth = 64;

void Executor::setTemp(State &S, const Expr *E, Value Val) {
  E = E->IgnoreParens();
  for (auto &[Known, Old] : S.frame().Temps)
    if (Known == E) {
      Old = Val;
      return;
    }
  S.frame().Temps.push_back({E, Val});
}

const Value *Executor::findTemp(const State &S, const Expr *E) const {
  for (const auto &[Known, Val] : S.frame().Temps)
    if (Known == E)
      return &Val;
  return nullptr;
}

bool Executor::canFollow(State &S, const FunctionDecl *Callee,
                         SourceLocation Loc) {
  for (const Frame &F : S.Frames)
    if (F.Fn->decl() == Callee) {
      gap(S, Loc, "recursive call of '" + Callee->getNameAsString() + "'");
      return false;
    }
  if (S.Frames.size() < MaxCallDepth && P.function(Callee).cfg())
    return true;
  gap(S, Loc, "call of '" + Callee->getNameAsString() + "' is not followed");
  return false;
}

void Executor::pushFrame(State &S, const FunctionDecl *Callee, const Expr *Call,
                         llvm::ArrayRef<const Expr *> Args, Value This) {
  if (!canFollow(S, Callee, Call->getBeginLoc())) {
    unknownCall(S, Args, Call);
    return;
  }
  // Arguments are the caller's; where they go is the callee's.
  llvm::SmallVector<Value, 8> Values;
  for (unsigned I = 0; I < Callee->getNumParams() && I < Args.size(); ++I)
    Values.push_back(Callee->getParamDecl(I)->getType()->isReferenceType() ||
                             Args[I]->isGLValue()
                         ? address(S, Args[I])
                         : eval(S, Args[I]));
  pushFrame(S, Callee, Call, Values, This);
}

void Executor::pushFrame(State &S, const FunctionDecl *Callee, const Expr *Call,
                         llvm::ArrayRef<Value> Args, Value This) {
  const FunctionInfo &Info = P.function(Callee);
  Frame New;
  New.Fn = &Info;
  New.Call = Call;
  New.CallLoc = Call->getBeginLoc();
  New.This = This;
  New.Number = S.Role * CallsPerRole + S.Frames.size();
  S.Frames.push_back(std::move(New));
  for (auto [Parm, Val] : llvm::zip(Callee->parameters(), Args)) {
    QualType T = Parm->getType();
    const Object *O = local(S, Parm, nameOf(Parm), sizeOf(T));
    Value To = Value::pointer(O, V.constant(0));
    if (T->isReferenceType())
      storeBytes(S, To, 8, Val, nullptr);
    else
      store(S, To, Val, T, nullptr);
  }
  if (enter(S, &Info.cfg()->getEntry()) == Step::PathEnds)
    gap(S, Call->getBeginLoc(),
        "call of '" + Callee->getNameAsString() + "' does not return");
}

// An inherited constructor hands on the parameters it was given.
void Executor::inheritConstructor(State &S, const CXXInheritedCtorInitExpr *E,
                                  Value This) {
  const FunctionDecl *Body = nullptr;
  if (!E->getConstructor()->hasBody(Body) ||
      !canFollow(S, Body, E->getBeginLoc()))
    return;
  llvm::SmallVector<Value, 4> Values;
  for (const ParmVarDecl *Parm : S.frame().Fn->decl()->parameters()) {
    Value Place = variable(S, Parm, nullptr);
    QualType T = Parm->getType();
    Values.push_back(T->isReferenceType() ? Place : load(S, Place, T, E));
  }
  pushFrame(S, Body, E, Values, This);
}

void Executor::unknownCall(State &S, llvm::ArrayRef<const Expr *> Args,
                           const Expr *Call) {
  for (const Expr *A : Args) {
    Value Val = A->isGLValue() ? address(S, A) : eval(S, A);
    QualType T = A->getType();
    bool Const = A->isGLValue()       ? T.isConstQualified()
                 : T->isPointerType() ? T->getPointeeType().isConstQualified()
                                      : true;
    if (Val.isPtr() && !Const)
      forgetTarget(S, Val);
  }
  QualType T = Call->getType();
  if (T->isRecordType() && Call->isPRValue()) {
    const Object *O = local(S, Call, "", sizeOf(T));
    S.Mem.erase(O);
    setTemp(S, Call, Value::pointer(O, V.constant(0)));
  } else if (T->isIntegralOrEnumerationType() && Call->isPRValue()) {
    setTemp(S, Call, freshSymbol(S, Call, /*Uniform=*/false));
  } else {
    setTemp(S, Call, Value::unknown());
  }
}

void Executor::call(State &S, const CallExpr *E) {
  if (isa<CUDAKernelCallExpr>(E))
    return;
  llvm::SmallVector<const Expr *, 8> Args(E->arg_begin(), E->arg_end());
  const FunctionDecl *Callee = E->getDirectCallee();
  if (Value F = Callee ? Value() : eval(S, E->getCallee());
      F.isPtr() && F.Obj->K == Object::Kind::Function)
    Callee = static_cast<const FunctionDecl *>(F.Obj->Origin);
  if (!Callee) {
    unknownCall(S, Args, E);
    return;
  }
  ApiKind K = P.recognizer().api(Callee);
  if (K != ApiKind::None && callApi(S, E, K, Callee))
    return;
  if (Callee->getBuiltinID() != 0) {
    Value Val = evalConstant(E);
    if (Val.isUnknown() && Callee->getName().starts_with("__builtin_expect"))
      Val = eval(S, Args[0]);
    if (!Val.isUnknown()) {
      setTemp(S, E, Val);
      return;
    }
  }
  Value This;
  if (const auto *M = dyn_cast<CXXMethodDecl>(Callee); M && M->isInstance()) {
    if (const auto *MC = dyn_cast<CXXMemberCallExpr>(E)) {
      const Expr *Obj = MC->getImplicitObjectArgument();
      This = Obj->isGLValue() ? address(S, Obj) : eval(S, Obj);
    } else if (isa<CXXOperatorCallExpr>(E) && !Args.empty()) {
      This = Args[0]->isGLValue() ? address(S, Args[0]) : eval(S, Args[0]);
      Args.erase(Args.begin());
    }
    if (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator())
      if (M->isTrivial() && !Args.empty()) {
        Value From =
            Args[0]->isGLValue() ? address(S, Args[0]) : eval(S, Args[0]);
        copyObject(S, This, From, Ctx.getCanonicalTagType(M->getParent()), E);
        setTemp(S, E, This);
        return;
      }
  }
  const FunctionDecl *Body = nullptr;
  if (!Callee->hasBody(Body)) {
    unknownCall(S, Args, E);
    return;
  }
  // Nothing to follow and nothing an address could be made of.
  if (P.effects(Body) == EffectNone) {
    bool TakesPlaces = llvm::any_of(Body->parameters(), [](ParmVarDecl *D) {
      return D->getType()->isReferenceType() || D->getType()->isPointerType();
    });
    QualType T = Body->getReturnType();
    if (!TakesPlaces && !isa<CXXMethodDecl>(Body) &&
        (T->isVoidType() || T->isRealFloatingType())) {
      for (const Expr *A : Args)
        if (A->isGLValue())
          address(S, A);
        else
          eval(S, A);
      setTemp(S, E, Value::unknown());
      return;
    }
  }
  if (std::optional<llvm::APSInt> R = P.constantResult(Body)) {
    setTemp(S, E, Value::integer(V.constant(R->getExtValue())));
    return;
  }
  if (P.isHollow(E->getType()) && E->isPRValue() && P.changesNothing(Body)) {
    setTemp(S, E, Value::pointer(local(S, E, "", 1), V.constant(0)));
    return;
  }
  if (Body->isConstexpr() && !isa<CXXMethodDecl>(Body)) {
    Value Val = evalConstant(E);
    if (!Val.isUnknown()) {
      setTemp(S, E, Val);
      return;
    }
  }
  if (staysInRegisters(S, E, Body, Args, This)) {
    const Object *O = local(S, E, "", sizeOf(E->getType()));
    S.Mem.erase(O);
    setTemp(S, E,
            E->getType()->isRecordType() ? Value::pointer(O, V.constant(0))
                                         : Value::unknown());
    return;
  }
  pushFrame(S, Body, E, Args, This);
}

// Nothing but payload is computed, out of locals and into locals: matrix
// multiplication on registers, for one.
bool Executor::staysInRegisters(State &S, const CallExpr *E,
                                const FunctionDecl *Body,
                                llvm::ArrayRef<const Expr *> Args, Value This) {
  QualType T = E->getType();
  unsigned Stores = 0;
  auto Harmless = [&](const FunctionDecl *F) {
    Stores |= P.stores(F);
    return !(P.effects(F) & ~EffectMemory) &&
           !(Stores & Program::StoresNumbers);
  };
  if (E->isGLValue() || !(T->isVoidType() || P.isPayload(T) || P.isHollow(T)) ||
      !Harmless(Body))
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
    Value Val = A->isGLValue() ? address(S, A) : eval(S, A);
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

void Executor::construct(State &S, const CXXConstructExpr *E) {
  const CXXConstructorDecl *C = E->getConstructor();
  const Object *O = local(S, E, "", sizeOf(E->getType()));
  Value This = Value::pointer(O, V.constant(0));
  S.Mem.erase(O);
  if (P.isHollow(E->getType()) && (C->isTrivial() || P.changesNothing(C))) {
    setTemp(S, E, This);
    return;
  }
  if (C->isCopyOrMoveConstructor() && C->isTrivial()) {
    const Expr *From = E->getArg(0);
    Value Place = From->isGLValue() ? address(S, From) : eval(S, From);
    copyObject(S, This, Place, E->getType(), E);
    setTemp(S, E, This);
    return;
  }
  setTemp(S, E, This);
  const FunctionDecl *Body = nullptr;
  if (!C->hasBody(Body)) {
    for (const Expr *A : E->arguments())
      A->isGLValue() ? address(S, A) : eval(S, A);
    return;
  }
  llvm::SmallVector<const Expr *, 4> Args(E->arg_begin(), E->arg_end());
  pushFrame(S, Body, E, Args, This);
}

Value Executor::specialRegister(llvm::StringRef Name) {
  auto PerThread = [&](auto Fn) {
    std::vector<int64_t> R(Shape.threads());
    for (unsigned T = 0; T < Shape.threads(); ++T)
      R[T] = Fn(T);
    return Value::integer(V.known(L.perThread(R)));
  };
  if (Name.starts_with("tid."))
    UsedThreadIndex = true;
  if (Name == "tid.x")
    return PerThread([&](unsigned T) { return T % Shape.X; });
  if (Name == "tid.y")
    return PerThread([&](unsigned T) { return T / Shape.X % Shape.Y; });
  if (Name == "tid.z")
    return PerThread([&](unsigned T) { return T / (Shape.X * Shape.Y); });
  if (Name == "ntid.x")
    return Value::integer(V.constant(Shape.X));
  if (Name == "ntid.y")
    return Value::integer(V.constant(Shape.Y));
  if (Name == "ntid.z")
    return Value::integer(V.constant(Shape.Z));
  if (Name == "laneid")
    return PerThread([](unsigned T) { return T % 32; });
  if (Name == "warpsize")
    return Value::integer(V.constant(32));
  static const char GridNames[] = "grid";
  bool Count = Name.starts_with("nctaid.");
  if (Count || Name.starts_with("ctaid."))
    return Value::integer(V.symbol(GridNames + Count, Name.back(), true,
                                   {Count ? 1 : 0, INT32_MAX}));
  return Value::unknown();
}

bool Executor::callApi(State &S, const CallExpr *E, ApiKind K,
                       const FunctionDecl *F) {
  auto Arg = [&](unsigned I) -> Value {
    if (I >= E->getNumArgs())
      return Value::unknown();
    const Expr *A = E->getArg(I);
    return A->isGLValue() ? address(S, A) : eval(S, A);
  };
  SourceLocation Loc = E->getBeginLoc();
  switch (K) {
  case ApiKind::Address:
    setTemp(S, E, Arg(0));
    return true;
  case ApiKind::Barrier:
    barrier(S, Loc, Value::integer(V.constant(0)), Value::unknown());
    if (!E->getType()->isVoidType())
      setTemp(S, E, freshSymbol(S, E, /*Uniform=*/true));
    return true;
  case ApiKind::NamedBarrier:
    barrier(S, Loc, Arg(0), E->getNumArgs() > 1 ? Arg(1) : Value::unknown());
    return true;
  case ApiKind::WarpBarrier:
    return true;
  case ApiKind::Copy: {
    llvm::StringRef Name = F->getName();
    CopyRequest R;
    R.Site = E;
    R.Loc = Loc;
    R.Dst = Arg(0);
    R.Src = Arg(1);
    R.CacheGlobal = Name.contains("_cg_");
    int64_t Size = Name.contains("global_16")  ? 16
                   : Name.contains("global_8") ? 8
                                               : 4;
    R.Size = Value::integer(V.constant(Size));
    if (E->getNumArgs() > 2) {
      R.HasSrcSize = true;
      R.SrcSize = Arg(2);
      R.SrcSizeExpr = E->getArg(2);
    }
    copy(S, R);
    return true;
  }
  case ApiKind::PipelineCopy: {
    CopyRequest R;
    R.Site = E;
    R.Loc = Loc;
    R.Dst = Arg(0);
    R.Src = Arg(1);
    R.Size = Arg(2);
    R.SizeExpr = E->getNumArgs() > 2 ? E->getArg(2) : nullptr;
    R.Pipeline = true;
    if (E->getNumArgs() > 3 && !isa<CXXDefaultArgExpr>(E->getArg(3))) {
      R.HasSrcSize = true;
      R.SrcSize = Arg(3);
      R.SrcSizeExpr = E->getArg(3);
    }
    copy(S, R);
    return true;
  }
  case ApiKind::Commit:
    commit(S, E, Loc);
    return true;
  case ApiKind::WaitGroup:
  case ApiKind::PipelineWait:
    wait(S, E, Loc, Arg(0), E->getNumArgs() ? E->getArg(0) : nullptr,
         K == ApiKind::PipelineWait);
    return true;
  case ApiKind::WaitAll:
    waitAll(S, E, Loc);
    return true;
  case ApiKind::CopyArrive:
    gap(S, Loc, "completion on an mbarrier is not analysed yet");
    unknownOrder(S);
    return true;
  case ApiKind::Shuffle: {
    Value Val = Arg(1), Lane = Arg(2);
    bool Whole = E->getNumArgs() < 4 || isa<CXXDefaultArgExpr>(E->getArg(3));
    if (Whole && Val.isInt() && Val.I->isKnown() && Lane.isInt() &&
        Lane.I->isKnown()) {
      std::vector<int64_t> R(Shape.threads());
      for (unsigned T = 0; T < Shape.threads(); ++T) {
        unsigned From = T / 32 * 32 + unsigned((*Lane.I->base())[T] & 31);
        R[T] = (*Val.I->base())[std::min(From, Shape.threads() - 1)];
      }
      setTemp(S, E, Value::integer(V.known(L.perThread(R))));
    } else if (Val.isInt() && Val.I->isUniform()) {
      setTemp(S, E, Val);
    } else if (E->getType()->isIntegralOrEnumerationType()) {
      setTemp(S, E, freshSymbol(S, E, /*Uniform=*/false));
    } else {
      setTemp(S, E, Value::unknown());
    }
    return true;
  }
  case ApiKind::MemoryCopy:
  case ApiKind::MemorySet: {
    Value To = Arg(0), Size = Arg(2);
    int64_t Bytes =
        Size.isInt() && Size.I->isConstant() && Size.I->constant() > 0
            ? Size.I->constant()
            : 0;
    if (K == ApiKind::MemoryCopy) {
      Value From = Arg(1);
      if (From.isPtr() && From.Obj->isShared() && Bytes)
        sharedRead(S, E, Loc, From, Bytes);
    }
    if (To.isPtr() && To.Obj->isShared() && Bytes)
      sharedWrite(S, E, Loc, To, Bytes);
    else
      forgetTarget(S, To);
    setTemp(S, E, To);
    return true;
  }
  case ApiKind::MatrixLoad:
  case ApiKind::MatrixStore:
    matrixAccess(S, E, K == ApiKind::MatrixLoad);
    return true;
  case ApiKind::Minimum:
  case ApiKind::Maximum: {
    if (E->getNumArgs() != 2 || !E->getType()->isIntegralOrEnumerationType())
      return false;
    Value A, B;
    if (E->getArg(0)->isGLValue() || E->getArg(1)->isGLValue()) {
      A = load(S, Arg(0), E->getArg(0)->getType(), E->getArg(0));
      B = load(S, Arg(1), E->getArg(1)->getType(), E->getArg(1));
    } else {
      A = Arg(0);
      B = Arg(1);
    }
    Value R;
    if (A.isInt() && B.isInt())
      R = Value::integer(V.apply(
          K == ApiKind::Minimum ? Atom::Op::Min : Atom::Op::Max, A.I, B.I));
    if (E->isGLValue()) { // std::min returns a reference
      const Object *O = local(S, E, "", sizeOf(E->getType()));
      Value Place = Value::pointer(O, V.constant(0));
      storeBytes(S, Place, sizeOf(E->getType()), R, E);
      R = Place;
    }
    setTemp(S, E, R);
    return true;
  }
  case ApiKind::SpecialRegister: {
    Value Val = specialRegister(P.recognizer().specialRegister(F));
    if (Val.isUnknown())
      Val = freshSymbol(S, E, /*Uniform=*/false);
    setTemp(S, E, Val);
    return true;
  }
  case ApiKind::Unmodelled:
    gap(S, Loc, "'" + F->getQualifiedNameAsString() + "' is not analysed yet");
    unknownOrder(S);
    S.Copies.unknownStore();
    unknownCall(S, {}, E);
    return true;
  case ApiKind::None:
    break;
  }
  return false;
}

void Executor::matrixAccess(State &S, const CallExpr *E, bool IsLoad) {
  if (E->getNumArgs() < 3)
    return;
  const Expr *Fragment = E->getArg(IsLoad ? 0 : 1);
  const Expr *Place = E->getArg(IsLoad ? 1 : 0);
  Value At = eval(S, Place);
  Value Pitch = eval(S, E->getArg(2));
  if (!At.isPtr() || !At.Obj->isShared())
    return;
  const auto *T = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Fragment->getType()->getAsCXXRecordDecl());
  int64_t Element = Place->getType()->isPointerType()
                        ? sizeOf(Place->getType()->getPointeeType())
                        : 0;
  if (!T || T->getTemplateArgs().size() < 5 || !Pitch.isInt() || !Element) {
    gap(S, E->getBeginLoc(), "shape of the matrix fragment is not known");
    return;
  }
  const TemplateArgumentList &Args = T->getTemplateArgs();
  auto Name = [&](unsigned I) -> std::string {
    if (I >= Args.size() || Args[I].getKind() != TemplateArgument::Type)
      return "";
    const CXXRecordDecl *D = Args[I].getAsType()->getAsCXXRecordDecl();
    return D ? D->getNameAsString() : "";
  };
  auto Extent = [&](unsigned I) -> int64_t {
    return Args[I].getKind() == TemplateArgument::Integral
               ? Args[I].getAsIntegral().getExtValue()
               : 0;
  };
  int64_t M = Extent(1), N = Extent(2), K = Extent(3);
  std::string Use = Name(0), Layout = Name(5);
  int64_t Rows = Use == "matrix_b" ? K : M;
  int64_t Columns = Use == "matrix_a" ? K : N;
  if (Layout == "col_major")
    std::swap(Rows, Columns);
  for (int64_t R = 0; R < Rows; ++R) {
    Value Row = offsetBy(At, V.mul(Pitch.I, V.constant(R * Element)));
    if (IsLoad)
      sharedRead(S, E, E->getBeginLoc(), Row, Columns * Element);
    else
      sharedWrite(S, E, E->getBeginLoc(), Row, Columns * Element);
  }
}
