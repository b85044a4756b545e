//===- LoadedValues.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which expressions carry on what they load, and which use it (ReadLiveness.h).
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Evaluator.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

static const Expr *loadIn(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    if (const auto *F = dyn_cast<FullExpr>(E)) {
      E = F->getSubExpr();
      continue;
    }
    const auto *C = dyn_cast<CastExpr>(E);
    if (!C)
      return isa<CallExpr>(E) && !E->isGLValue() ? E : nullptr;
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
      return C;
    case CK_NoOp:
    case CK_IntegralCast:
    case CK_FloatingCast:
      E = C->getSubExpr();
      continue;
    default:
      return nullptr;
    }
  }
}

/// Each byte of a sum hangs on all that it is made of.
static void spread(LoadedParts &Parts, int64_t Size) {
  for (LoadedPart &Part : Parts) {
    Part.From += Part.End - Part.Begin - Size;
    Part.Begin = 0;
    Part.End = Size;
  }
}

// The load, or the call of something that may load, whose value an expression
// has.

Value Evaluator::evalToStore(State &S, const Expr *E, LoadedParts &To) {
  const auto Outer = std::exchange(Stored, {loadIn(E), &To});
  Value Val = eval(S, E);
  Stored = Outer;
  if (Reads.followsSums())
    spread(To, P.sizeOf(E->getType()));
  return Val;
}

// Through a pointer, it may be stored: `atomicAdd(&Out[I], Sum)`.
void Evaluator::passOn(State &S, llvm::ArrayRef<const Expr *> Args,
                       const Expr *Call) {
  if (!Reads.followsSums() ||
      Call->HasSideEffects(Ctx, /*IncludePossibleEffects=*/false))
    return;
  LoadedParts Parts;
  llvm::SmallVector<Value, 2> Places;
  for (const Expr *A : Args) {
    if (A->isGLValue()) {
      Reads.loadUnused(S, address(S, A), P.sizeOf(A->getType()), &Parts);
      continue;
    }
    const Value Val = evalToStore(S, A, Parts);
    if (A->getType()->isPointerType())
      Places.push_back(Val);
  }
  for (const Value &Place : Places)
    Detect.Omitted.noteStore(S, Place, Parts, Call->getExprLoc());
  const QualType T = Call->getType();
  if (T->isVoidType() || Call->isGLValue())
    return;
  keepResult(S, Call, std::move(Parts));
}

void Evaluator::keepResult(State &S, const Expr *E, LoadedParts Parts) {
  const int64_t Size = P.sizeOf(E->getType());
  const Object *O = Run.local(S, E, "", Size);
  S.Mem.unused().overwrite(L, O, 0, Size, S.Active);
  spread(Parts, Size);
  Reads.place(S, Value::pointer(O, V.constant(0)), Parts);
}

Value Evaluator::evalElement(State &S, const Expr *E) {
  if (E->isGLValue())
    return address(S, E);
  if (!Reads.followsSums() || !E->getType()->isScalarType())
    return eval(S, E);
  LoadedParts Parts;
  const Value Val = evalToStore(S, E, Parts);
  keepResult(S, E, std::move(Parts));
  return Val;
}

void Evaluator::place(State &S, Value Place, llvm::ArrayRef<LoadedPart> Parts,
                      SourceLocation At) {
  Detect.Omitted.noteStore(S, Place, Parts, At);
  Reads.place(S, Place, Parts);
}

void Evaluator::loadResult(State &S, const Expr *E) {
  const QualType T = E->getType();
  if (T->isRecordType() || E->isGLValue())
    return; // by its place
  const int64_t Size = P.sizeOf(T);
  Reads.loadUnused(S, Value::pointer(Run.local(S, E, "", Size), V.constant(0)),
                   Size, partsToStore(E));
}

void Evaluator::useWithin(State &S, const Stmt *E) {
  if (!S.Mem.unused().any() || !E)
    return;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *Var = dyn_cast<VarDecl>(D->getDecl())) {
      const Value At = variable(S, Var, D);
      if (At.isPtr())
        Reads.useReached(S, At);
      else
        Reads.useAll(S);
    } else if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      useWithin(S, B->getBinding());
  } else if (isa<CXXThisExpr>(E)) {
    Reads.useReached(S, S.frame().This);
  } else if (const auto *C = dyn_cast<CallExpr>(E)) {
    loadResult(S, C);
  } else if (const auto *O = dyn_cast<OpaqueValueExpr>(E)) {
    useWithin(S, O->getSourceExpr());
  }
  for (const Stmt *Child : E->children())
    useWithin(S, Child);
}

// A symbol for a condition that nothing is known about, so that the path can
// remember how it went.
const Int *Evaluator::condition(State &S, Value Val, const Expr *E) {
  if (const Int *T = Math.truth(Val))
    return T;
  // What has an error in it is most likely a constant or a parameter whose
  // declaration is missing.
  Value Sym = Names.freshSymbol(
      S, E, E->containsErrors() ? Uniformity::Block : Uniformity::Thread);
  return Sym.I;
}
