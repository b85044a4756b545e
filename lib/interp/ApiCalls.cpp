//===- ApiCalls.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ApiCalls.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Analysis/Analyses/ExprMutationAnalyzer.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;
using namespace cpasync;

// A local that may have another value in the next iteration. Known are those
// that do not, or are being asked.
static bool mentionsVariable(const Stmt *S, const FunctionDecl *Kernel,
                             llvm::SmallPtrSetImpl<const VarDecl *> &Known) {
  if (const auto *Ref = dyn_cast_if_present<DeclRefExpr>(S)) {
    const auto *D = dyn_cast<VarDecl>(Ref->getDecl());
    if (!D || !D->isLocalVarDeclOrParm())
      return false;
    if (llvm::is_contained(Kernel->parameters(), D))
      return ExprMutationAnalyzer(*Kernel->getBody(), Kernel->getASTContext())
          .isMutated(D);
    return !D->getType().isConstQualified() ||
           (Known.insert(D).second &&
            mentionsVariable(D->getInit(), Kernel, Known));
  }
  return S && llvm::any_of(S->children(), [&](const Stmt *Child) {
           return mentionsVariable(Child, Kernel, Known);
         });
}

Value ApiCalls::specialRegister(llvm::StringRef Name) {
  auto PerThread = [&](auto Fn) {
    auto [I, New] = Registers.try_emplace(Name);
    if (New) {
      std::vector<int64_t> R(Shape.threads());
      for (unsigned T = 0; T < Shape.threads(); ++T)
        R[T] = Fn(T);
      I->second = V.known(L.perThread(R));
    }
    return Value::integer(I->second);
  };
  if (Name.starts_with("tid."))
    ++Run.ThreadIndexUses;
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
  bool Count = Name.starts_with("nctaid.");
  ++Run.Impure; // the path may know something of it
  if (Count || Name.starts_with("ctaid."))
    return Value::integer(V.symbol(Symbols::GridNames + Count, Name.back(),
                                   Uniformity::Block,
                                   {Count ? 1 : 0, INT32_MAX},
                                   /*Stable=*/true));
  return Value::unknown();
}

Value ApiCalls::arg(State &S, const CallExpr *E, unsigned I) {
  if (I >= E->getNumArgs())
    return Value::unknown();
  const Expr *A = E->getArg(I);
  return A->isGLValue() ? Eval.address(S, A) : Eval.eval(S, A);
}

void ApiCalls::blockBarrier(State &S, const CallExpr *E,
                            const FunctionDecl *F) {
  const SourceLocation Loc = E->getBeginLoc();
  // What it finds out about all threads, it finds out before they go on. Of
  // a comparison with a counter, the next iteration would be another.
  Value Found;
  if (E->getNumArgs() == 1 && Run.livingThreads(S) != S.Active) {
    // One thread may say it for all.
    const llvm::StringRef Name = F->getName();
    const bool All = Name == "__syncthreads_and";
    const Int *Each = Math.truth(Run.simplify(S, arg(S, E, 0)));
    const Truth Known =
        Each ? S.Condition.decide(V, Each) : Truth{L.none(), L.none()};
    if (Name != "__syncthreads_count" &&
        !PerThreadContext::isEmpty(
            L.both(S.Active, All ? Known.False : Known.True)))
      Found = Value::integer(V.constant(!All));
  } else if (E->getNumArgs() == 1) {
    unsigned Known = 0;
    Comparisons.NotDeciding = &Known;
    const Int *Each =
        Eval.condition(S, Run.simplify(S, arg(S, E, 0)), E->getArg(0));
    Comparisons.NotDeciding = nullptr;
    const bool Counts = F->getName() == "__syncthreads_count";
    llvm::SmallPtrSet<const VarDecl *, 8> Fixed;
    const bool MayChange =
        Known && mentionsVariable(E->getArg(0), S.Frames[0].Fn->decl(), Fixed);
    if (!MayChange && Counts && !Each->isKnown() && Each->isUniform())
      Found = Value::integer(
          V.mul(V.isZero(V.isZero(Each)), V.constant(L.count(S.Active))));
    else if (!MayChange && !(Counts && !Each->isKnown()))
      Found =
          Warps.vote(S,
                     F->getName() == "__syncthreads_and" ? WarpOps::Vote::All
                                                         : WarpOps::Vote::Any,
                     Each, Value::unknown(), Shape.threads(), E);
    if (Counts && Each->isKnown() && Found.isInt()) {
      int64_t Holds = 0;
      for (unsigned T = 0; T < Shape.threads(); ++T)
        Holds += (*S.Active)[T] && (*Each->base())[T] != 0;
      Found = Value::integer(V.constant(Holds));
    }
  }
  Barriers.barrier(S, Loc, Value::integer(V.constant(0)), Value::unknown());
  if (!E->getType()->isVoidType())
    Frames.setTemp(
        S, E,
        Found.isUnknown() ? Names.freshSymbol(S, E, Uniformity::Block) : Found);
}

void ApiCalls::copyIntrinsic(State &S, const CallExpr *E,
                             const FunctionDecl *F) {
  const SourceLocation Loc = E->getBeginLoc();
  llvm::StringRef Name = F->getName();
  CopyRequest R;
  R.Site = E;
  R.Loc = Loc;
  R.Dst = arg(S, E, 0);
  R.Src = arg(S, E, 1);
  R.CacheGlobal = Name.contains("_cg_");
  int64_t Size = Name.contains("global_16")  ? 16
                 : Name.contains("global_8") ? 8
                                             : 4;
  R.Size = Value::integer(V.constant(Size));
  if (E->getNumArgs() > 2) {
    R.HasSrcSize = true;
    R.SrcSize = arg(S, E, 2);
    R.SrcSizeExpr = E->getArg(2);
  }
  Copies.copy(S, R);
}

void ApiCalls::pipelineCopy(State &S, const CallExpr *E) {
  const SourceLocation Loc = E->getBeginLoc();
  CopyRequest R;
  R.Site = E;
  R.Loc = Loc;
  R.Dst = arg(S, E, 0);
  R.Src = arg(S, E, 1);
  R.Size = arg(S, E, 2);
  R.SizeExpr = E->getNumArgs() > 2 ? E->getArg(2) : nullptr;
  R.Pipeline = true;
  if (E->getNumArgs() > 3 && !isa<CXXDefaultArgExpr>(E->getArg(3))) {
    R.HasSrcSize = true;
    R.SrcSize = arg(S, E, 3);
    R.SrcSizeExpr = E->getArg(3);
  }
  Copies.copy(S, R);
}

void ApiCalls::atomic(State &S, const CallExpr *E) {
  const SourceLocation Loc = E->getBeginLoc();
  const Value Place = arg(S, E, 0);
  const QualType T = E->getArg(0)->getType()->getPointeeType();
  if (Place.isPtr() && Place.Obj->isShared() && !T.isNull())
    Accesses.sharedAtomic(S, E, Loc, Place, P.sizeOf(T));
  else
    Store.forgetTarget(S, Place);
  // What was there before may go to a place of its own.
  for (unsigned I = 1; I < E->getNumArgs(); ++I)
    if (E->getArg(I)->getType()->isPointerType())
      Store.forgetTarget(S, arg(S, E, I));
  Frames.unknownCall(S, {}, E);
}

void ApiCalls::readSpecialRegister(State &S, const CallExpr *E,
                                   const FunctionDecl *F) {
  const llvm::StringRef Name = P.recognizer().specialRegister(F);
  // A header asks for all three to number the threads of any block.
  if (Name.starts_with("tid.") && !Ctx.getSourceManager().isInSystemHeader(
                                      S.frame().Fn->decl()->getLocation())) {
    if (Name == "tid.y" && Shape.isDisprovedByY())
      Interp.Known.RightShape = Shape.withY();
    else if (Name == "tid.z" && Shape.isDisprovedByZ())
      Interp.Known.RightShape = Shape.withZ();
  }
  Value Val = specialRegister(Name);
  if (Val.isUnknown())
    Val = Names.freshSymbol(S, E, Uniformity::Thread);
  Frames.setTemp(S, E, Val);
}

bool ApiCalls::extremum(State &S, const CallExpr *E, Atom::Op Which) {
  if (E->getNumArgs() != 2 || !E->getType()->isIntegralOrEnumerationType())
    return false;
  Value A, B;
  if (E->getArg(0)->isGLValue() || E->getArg(1)->isGLValue()) {
    A = Store.load(S, arg(S, E, 0), E->getArg(0)->getType(), E->getArg(0));
    B = Store.load(S, arg(S, E, 1), E->getArg(1)->getType(), E->getArg(1));
  } else {
    A = arg(S, E, 0);
    B = arg(S, E, 1);
  }
  Value R;
  if (A.isInt() && B.isInt())
    R = Value::integer(V.apply(Which, A.I, B.I));
  if (E->isGLValue()) { // std::min returns a reference
    const Object *O = Run.local(S, E, "", P.sizeOf(E->getType()));
    Value Place = Value::pointer(O, V.constant(0));
    Store.storeBytes(S, Place, P.sizeOf(E->getType()), R, E);
    R = Place;
  }
  Frames.setTemp(S, E, R);
  return true;
}

void ApiCalls::callOfCopies(State &S, const CallExpr *E, ApiKind K,
                            const FunctionDecl *F) {
  const SourceLocation Loc = E->getBeginLoc();
  switch (K) {
  case ApiKind::Copy:
    copyIntrinsic(S, E, F);
    return;
  case ApiKind::PipelineCopy:
    pipelineCopy(S, E);
    return;
  case ApiKind::Commit:
    Copies.commit(S, E, Loc);
    return;
  case ApiKind::WaitGroup:
  case ApiKind::PipelineWait:
    Copies.wait(S, E, Loc, arg(S, E, 0),
                E->getNumArgs() ? E->getArg(0) : nullptr,
                K == ApiKind::PipelineWait);
    return;
  case ApiKind::WaitAll:
    Copies.waitAll(S, E, Loc);
    return;
  case ApiKind::CopyArrive:
    Run.gap(Loc, "completion on an mbarrier is not analysed yet");
    Barriers.unknownOrder(S);
    return;
  default:
    llvm_unreachable("not one of copies");
  }
}

bool ApiCalls::unmodelled(State &S, const CallExpr *E, const FunctionDecl *F) {
  Run.gap(E->getBeginLoc(),
          "'" + F->getQualifiedNameAsString() + "' is not analysed yet");
  Barriers.unknownOrder(S);
  S.Copies.unknownStore();
  Frames.unknownCall(S, {}, E);
  return true;
}

bool ApiCalls::callApi(State &S, const CallExpr *E, ApiKind K,
                       const FunctionDecl *F) {
  switch (K) {
  case ApiKind::Address: // not std::move of a range
    if (E->getNumArgs() == 1)
      Frames.setTemp(S, E, arg(S, E, 0));
    return E->getNumArgs() == 1;
  case ApiKind::Barrier:
    blockBarrier(S, E, F);
    return true;
  case ApiKind::NamedBarrier:
    Barriers.barrier(S, E->getBeginLoc(), arg(S, E, 0),
                     E->getNumArgs() > 1 ? arg(S, E, 1) : Value::unknown());
    return true;
  case ApiKind::WarpBarrier:
    return true;
  case ApiKind::TileBarrier:
    Barriers.tileBarrier(S, E);
    return true;
  case ApiKind::Copy:
  case ApiKind::PipelineCopy:
  case ApiKind::Commit:
  case ApiKind::WaitGroup:
  case ApiKind::PipelineWait:
  case ApiKind::WaitAll:
  case ApiKind::CopyArrive:
    callOfCopies(S, E, K, F);
    return true;
  case ApiKind::Shuffle:
  case ApiKind::Vote:
  case ApiKind::Matching:
  case ApiKind::Election:
  case ApiKind::OfWarp:
    return Warps.warpOperation(S, E, K, F->getName());
  case ApiKind::Atomic:
    atomic(S, E);
    return true;
  case ApiKind::MemoryCopy:
  case ApiKind::MemorySet:
    moveMemory(S, E, K == ApiKind::MemoryCopy);
    return true;
  case ApiKind::MatrixLoad:
  case ApiKind::MatrixStore:
    matrixAccess(S, E, K == ApiKind::MatrixLoad);
    return true;
  case ApiKind::Minimum:
    return extremum(S, E, Atom::Op::Min);
  case ApiKind::Maximum:
    return extremum(S, E, Atom::Op::Max);
  case ApiKind::SpecialRegister:
    readSpecialRegister(S, E, F);
    return true;
  case ApiKind::GroupCopy:
    return Scoped.groupCopy(S, E) || unmodelled(S, E, F);
  case ApiKind::ScopedCopy:
    return Scoped.scopedCopy(S, E) || unmodelled(S, E, F);
  case ApiKind::PhaseInit:
  case ApiKind::PhaseArrive:
  case ApiKind::PhaseDrop:
  case ApiKind::PhaseSync:
  case ApiKind::PhaseWait:
  case ApiKind::PhaseWaitParity:
  case ApiKind::PhaseCommit:
    Phases.callOfBarrier(S, E, K);
    return true;
  case ApiKind::StagesMake:
    Phases.makePipeline(S, E);
    return true;
  case ApiKind::StageAcquire:
  case ApiKind::StageCommit:
  case ApiKind::StageWait:
  case ApiKind::StageRelease:
    return Phases.callOfPipeline(S, E, K) || unmodelled(S, E, F);
  case ApiKind::Unmodelled:
    return unmodelled(S, E, F);
  case ApiKind::None:
    break;
  }
  return false;
}

// What is touched is what is certain: at least a byte, or nobody would ask.
void ApiCalls::moveMemory(State &S, const CallExpr *E, bool IsCopy) {
  const SourceLocation Loc = E->getBeginLoc();
  const Value To = Eval.eval(S, E->getArg(0));
  const Value From = IsCopy ? Eval.eval(S, E->getArg(1)) : Value::unknown();
  const Value Size = Run.simplify(S, Eval.eval(S, E->getArg(2)));
  const bool IsKnown = Size.isInt() && Size.I->isConstant();
  const int64_t Bytes = IsKnown ? Size.I->constant() : 1;
  const auto IsShared = [](const Value &P) {
    return P.isPtr() && P.Obj->isShared();
  };
  if (!IsKnown && (IsShared(To) || IsShared(From)) && !S.Copies.isIdle())
    Run.gap(S, Loc,
            "number of bytes of this access to shared memory is not known");
  if (IsShared(From))
    Accesses.sharedRead(S, E, Loc, From, Bytes);
  if (IsShared(To))
    Accesses.sharedWrite(S, E, Loc, To, Bytes);
  else
    Store.forgetTarget(S, To);
  if (!IsKnown && IsShared(To))
    S.Copies.unknownStore();
  Frames.setTemp(S, E, To);
}

void ApiCalls::matrixAccess(State &S, const CallExpr *E, bool IsLoad) {
  if (E->getNumArgs() < 3)
    return;
  const Expr *Fragment = E->getArg(IsLoad ? 0 : 1);
  const Expr *Place = E->getArg(IsLoad ? 1 : 0);
  Value At = Eval.eval(S, Place);
  Value Pitch = Eval.eval(S, E->getArg(2));
  if (!At.isPtr() || !At.Obj->isShared())
    return;
  const auto *T = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Fragment->getType()->getAsCXXRecordDecl());
  int64_t Element = Place->getType()->isPointerType()
                        ? P.sizeOf(Place->getType()->getPointeeType())
                        : 0;
  if (!T || T->getTemplateArgs().size() < 5 || !Pitch.isInt() || !Element) {
    Run.gap(E->getBeginLoc(), "shape of the matrix fragment is not known");
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
               ? int64Of(Args[I].getAsIntegral())
               : 0;
  };
  int64_t M = Extent(1), N = Extent(2), K = Extent(3);
  std::string Use = Name(0), Layout = Name(5);
  int64_t Rows = Use == "matrix_b" ? K : M;
  int64_t Columns = Use == "matrix_a" ? K : N;
  if (Layout == "col_major")
    std::swap(Rows, Columns);
  LoadedParts Parts;
  const Value To = IsLoad ? Eval.address(S, Fragment) : Value::unknown();
  for (int64_t R = 0; R < Rows; ++R) {
    Value Row = Math.offsetBy(At, V.mul(Pitch.I, V.constant(R * Element)));
    if (IsLoad)
      Accesses.sharedRead(S, E, E->getBeginLoc(), Row, Columns * Element,
                          ReadLiveness::isFollowed(To) ? &Parts : nullptr);
    else
      Accesses.sharedWrite(S, E, E->getBeginLoc(), Row, Columns * Element);
  }
  if (!IsLoad || !ReadLiveness::isFollowed(To))
    return;
  const int64_t Size = P.sizeOf(Fragment->getType());
  Store.storeBytes(S, To, Size, Value::unknown(), E);
  for (LoadedPart &Part : Parts)
    Part.End = Size; // which of it comes from which row is not said
  Reads.place(S, To, Parts);
}
