//===- Indexing.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes an index leads to, where it is not known who or how often
// (Parts.h). Told apart from a mistake of the kernel's own, which stays one:
// some threads of an access under an open condition are beyond the part, or all
// of them, and the index grows with the rounds of a loop whose end is not
// known. A ring with one slot too few does neither.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void Executor::notePart(const Object *Local, int64_t At, Value To) {
  if (Local->Name.empty() || !To.isPtr() || !To.Obj->isShared() ||
      isa<ParmVarDecl>(static_cast<const VarDecl *>(Local->Origin)))
    return;
  if (To.I && To.I->isConstant())
    Divided.point(Local->Origin, At, To.Obj, To.I->constant());
  else
    Divided.pointElsewhere(Local->Origin, At);
}

bool Executor::hangsOnUnknowns(const State &S) {
  return !S.May.empty() || llvm::any_of(S.Loops, [](const LoopVisit &Loop) {
    return Loop.OpenEnd;
  });
}

static bool mentions(const Stmt *S, const VarDecl *Var) {
  if (!S)
    return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(S); D && D->getDecl() == Var)
    return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *C) { return mentions(C, Var); });
}

static const Expr *conditionOf(const Stmt *Loop) {
  if (const auto *F = dyn_cast_if_present<ForStmt>(Loop))
    return F->getCond();
  if (const auto *W = dyn_cast_if_present<WhileStmt>(Loop))
    return W->getCond();
  if (const auto *D = dyn_cast_if_present<DoStmt>(Loop))
    return D->getCond();
  return nullptr;
}

static bool isVariable(const Expr *E, const VarDecl *Var) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D && D->getDecl() == Var;
}

namespace {
/// How a statement changes a variable.
struct Changes {
  unsigned Additions = 0, Others = 0;

  void collect(const Stmt *S, const VarDecl *Var) {
    if (!S)
      return;
    if (const auto *U = dyn_cast<UnaryOperator>(S);
        U && isVariable(U->getSubExpr(), Var)) {
      Additions += U->isIncrementDecrementOp();
      Others += U->getOpcode() == UO_AddrOf;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(S);
        B && B->isAssignmentOp() && isVariable(B->getLHS(), Var))
      ++(B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign
             ? Additions
             : Others);
    if (const auto *D = dyn_cast<DeclStmt>(S)) // begins anew
      Others += llvm::is_contained(D->decls(), Var);
    for (const Stmt *Child : S->children())
      collect(Child, Var);
  }
};
} // namespace

// Further and further, with each round of the loop.
static bool movesOnIn(const Stmt *Loop, const VarDecl *Var) {
  if (!Loop || mentions(conditionOf(Loop), Var))
    return Loop;
  Changes Of;
  for (const Stmt *Part : Loop->children())
    if (const auto *F = dyn_cast<ForStmt>(Loop); !F || Part != F->getInit())
      Of.collect(Part, Var);
  return Of.Additions == 1 && Of.Others == 0;
}

// Rounds whose number is not known take it further and further.
bool Executor::movesOn(const State &S, const Expr *E, unsigned Depth) {
  static constexpr unsigned MaxDepth = 12;
  if (!E || Depth > MaxDepth)
    return false;
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return movesOn(S, U->getSubExpr(), Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const BinaryOperatorKind Op = B->getOpcode();
    return (Op == BO_Add || Op == BO_Sub || Op == BO_Mul || Op == BO_Div ||
            Op == BO_Shl || Op == BO_Shr || Op == BO_Or || Op == BO_Xor) &&
           (movesOn(S, B->getLHS(), Depth + 1) ||
            movesOn(S, B->getRHS(), Depth + 1));
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *Var = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!Var)
    return false;
  for (const LoopVisit &Loop : S.Loops)
    if (Loop.OpenEnd && movesOnIn(FunctionInfo::loopStmt(Loop.Head), Var))
      return true;
  if (const auto *Parm = dyn_cast<ParmVarDecl>(Var)) {
    for (const Frame &F : llvm::reverse(S.Frames)) {
      const auto *C = dyn_cast_if_present<CallExpr>(F.Call);
      const unsigned Index = Parm->getFunctionScopeIndex() +
                             (isa_and_present<CXXOperatorCallExpr>(C) ? 1 : 0);
      if (C && Parm->getDeclContext() == F.Fn->decl() &&
          Index < C->getNumArgs())
        return movesOn(S, C->getArg(Index), Depth + 1);
    }
    return false;
  }
  return movesOn(S, Var->getInit(), Depth + 1);
}

// What the array that E is part of is declared as; none for a variable, which
// ends where its object does.
static const Expr *declaredArray(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (!A->getType()->isArrayType())
      return nullptr;
    E = A->getBase()->IgnoreParenImpCasts();
  }
  if (!E->getType()->isConstantArrayType())
    return nullptr;
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return isa<MemberExpr>(E) || (D && D->getDecl()->getType()->isReferenceType())
             ? E
             : nullptr;
}

// The address of all of the memory, to be divided.
static bool isRaw(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const QualType T = E->getType();
  if (!T->isIntegerType() && !T->isVoidPointerType() &&
      !(T->isPointerType() && (T->getPointeeType()->isCharType() ||
                               T->getPointeeType()->isStdByteType())))
    return false;
  auto IsShared = [](const Stmt *S, auto &Self) -> bool {
    const auto *D = dyn_cast_if_present<DeclRefExpr>(S);
    if (D && D->getDecl()->hasAttr<CUDASharedAttr>())
      return true;
    return S && llvm::any_of(S->children(),
                             [&](const Stmt *C) { return Self(C, Self); });
  };
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *Var = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return !Var || !Var->getInit() || IsShared(Var->getInit(), IsShared);
}

std::optional<Part> Executor::partOf(State &S, const Expr *Base, Value From) {
  if (const Expr *Array = declaredArray(Base)) {
    const Value Whole = address(S, Array);
    if (!Whole.isPtr() || Whole.Obj != From.Obj || !Whole.I ||
        !Whole.I->isConstant())
      return std::nullopt;
    const int64_t Begin = Whole.I->constant();
    return Part{Begin, Begin + sizeOf(Array->getType())};
  }
  const int64_t Lo = From.I->base()->min(), Hi = From.I->base()->max();
  if (Base->IgnoreParenCasts()->getType()->isArrayType() ||
      (Hi == 0 && isRaw(Base)))
    return std::nullopt;
  return Divided.around(From.Obj, Lo, Hi);
}

Value Executor::stayInPart(State &S, const Expr *Base, const Expr *Index,
                           Value From, Value To) {
  if (!To.isPtr() || !To.Obj->isShared() || !hangsOnUnknowns(S) || !From.I ||
      !To.I || !From.I->isKnown() || !To.I->isKnown())
    return To;
  const std::optional<Part> P = partOf(S, Base, From);
  const Lanes &Bytes = *To.I->base();
  if (!P || Bytes.max() < P->End)
    return To;
  bool SomeInside = false, SomeBeyond = false;
  std::vector<int64_t> R(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    R[T] = P->place(Bytes[T]);
    if ((*S.Active)[T])
      (Bytes[T] < P->End ? SomeInside : SomeBeyond) = true;
  }
  const bool SomeThreads = SomeInside && !S.May.empty();
  if (!SomeBeyond || (!SomeThreads && !movesOn(S, Index)))
    return To;
  ++Noise;                 // others come by here under other conditions
  S.Copies.unknownStore(); // what is in a room now may be read elsewhere
  return Value::pointer(To.Obj, V.known(L.perThread(R)));
}
