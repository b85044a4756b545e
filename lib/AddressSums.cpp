//===- AddressSums.cpp - The numbers that an address is the sum of --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the kernel writes them down, through the variables and arguments that they
// come from. What they are on a path, only that path can tell: here is what is
// the same on all, and is looked for once.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Expressions.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

// Names of names are followed so far.
static constexpr unsigned MaxDepth = 12;

// Where its value was written down, if that is still its value.
const Expr *Executor::originOf(const State &S, const VarDecl *Var) {
  if (!P.changes().never(Var))
    return nullptr;
  if (const auto *Parm = dyn_cast<ParmVarDecl>(Var))
    return argumentFor(S, Parm);
  return Var->hasLocalStorage() ? Var->getInit() : nullptr;
}

std::optional<int64_t> Executor::fixedValue(State &S, const Expr *E,
                                            unsigned Depth) {
  if (Depth > MaxDepth)
    return std::nullopt;
  E = E->IgnoreParenCasts();
  if (Expr::EvalResult R; E->EvaluateAsInt(R, Ctx))
    return R.Val.getInt().getExtValue();
  Value Result;
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const Expr *LHS = B->getLHS(), *RHS = B->getRHS();
    const auto X = fixedValue(S, LHS, Depth + 1),
               Y = fixedValue(S, RHS, Depth + 1);
    if (X && Y)
      Result = arithmetic(S, B->getOpcode(), Value::integer(V.constant(*X)),
                          Value::integer(V.constant(*Y)), LHS->getType(),
                          RHS->getType(), B->getType());
  } else if (isa<PseudoObjectExpr>(E)) { // blockDim.x
    Result = eval(S, E);
  } else if (const VarDecl *Var = namedVariable(E)) {
    if (const Expr *Origin = originOf(S, Var))
      return fixedValue(S, Origin, Depth + 1);
  }
  return Result.isInt() && Result.I->isConstant()
             ? std::optional(Result.I->constant())
             : std::nullopt;
}

static bool namesThread(const Stmt *E, unsigned Depth = 0) {
  if (!E || Depth > MaxDepth)
    return false;
  if (isa<PseudoObjectExpr>(E))
    return true;
  if (const VarDecl *Var = namedVariable(E))
    return namesThread(Var->getInit(), Depth + 1);
  return llvm::any_of(E->children(), [&](const Stmt *Child) {
    return namesThread(Child, Depth + 1);
  });
}

// Evaluating it once more does nothing: no access to memory, no change.
static bool isPlain(const Stmt *E) {
  if (!E)
    return true;
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_Deref))
    return false;
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp())
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return isa<CXXThisExpr>(M->getBase()->IgnoreParenCasts()) ||
           isPlain(M->getBase());
  return !isa<ArraySubscriptExpr>(E) &&
         llvm::all_of(E->children(),
                      [](const Stmt *Child) { return isPlain(Child); });
}

// What a function returns, if it says so in one place: at its end.
static const Expr *resultOf(const FunctionDecl *F) {
  const Stmt *Body = F ? F->getBody() : nullptr;
  const auto *All = dyn_cast_if_present<CompoundStmt>(Body);
  const auto *Last = All && !All->body_empty()
                         ? dyn_cast<ReturnStmt>(All->body_back())
                         : nullptr;
  return Last ? Last->getRetValue() : nullptr;
}

class Executor::AddressSplitter {
public:
  AddressSplitter(Executor &X, State &S, llvm::SmallVectorImpl<Addend> &Found)
      : X(X), S(S), Found(Found) {}

  /// \p E, a number or an address, \p Factor times. \p IsHere: it stands in the
  /// function that runs.
  void add(const Expr *E, int64_t Factor, bool IsHere = true,
           unsigned Depth = 0) {
    Addend A{E, Factor};
    if (Expr::EvalResult R; !E->isGLValue() &&
                            E->getType()->isIntegralOrEnumerationType() &&
                            E->EvaluateAsInt(R, X.Ctx)) {
      A.IsConstant = true;
    } else {
      if (Depth < MaxDepth && addPartsOf(E, Factor, IsHere, Depth + 1))
        return;
      A.HangsOnThread = namesThread(E);
    }
    A.CanAsk = IsHere && !E->isGLValue() &&
               E->getType()->isIntegralOrEnumerationType() && isPlain(E);
    Found.push_back(A);
  }

private:
  bool addPartsOf(const Expr *E, int64_t Factor, bool IsHere, unsigned Depth) {
    auto Add = [&](const Expr *Part, int64_t Times) {
      add(Part, Factor * Times, IsHere, Depth);
      return true;
    };
    auto AddOriginOf = [&](const VarDecl *Var) {
      const Expr *Origin = Var ? X.originOf(S, Var) : nullptr;
      if (!Origin)
        return false;
      const size_t Before = Found.size();
      add(Origin, Factor, IsHere && !isa<ParmVarDecl>(Var), Depth);
      // One number of the caller is known here by the name it has here.
      const bool IsOne = Found.size() == Before + 1 && isa<ParmVarDecl>(Var) &&
                         Found.back().Factor == Factor &&
                         !Found.back().IsConstant;
      if (IsOne)
        Found.pop_back();
      return !IsOne;
    };
    // Of a pointer, each element counts.
    auto SizeOf = [&](QualType T) {
      return T->isPointerType() ? X.sizeOf(T->getPointeeType()) : 1;
    };
    if (const auto *C = dyn_cast<CastExpr>(E))
      return C->getCastKind() == CK_LValueToRValue
                 ? AddOriginOf(namedVariable(C->getSubExpr()->IgnoreParens()))
                 : Add(C->getSubExpr(), 1);
    if (const auto *P = dyn_cast<ParenExpr>(E))
      return Add(P->getSubExpr(), 1);
    if (const auto *F = dyn_cast<FullExpr>(E))
      return Add(F->getSubExpr(), 1);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return Add(A->getBase(), 1) && Add(A->getIdx(), X.sizeOf(A->getType()));
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref) &&
             Add(U->getSubExpr(), 1);
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return !M->isArrow() && M->getBase()->isGLValue() && Add(M->getBase(), 1);
    if (const VarDecl *Var = namedVariable(E))
      return Var->getType()->isReferenceType() && AddOriginOf(Var);
    if (const auto *C = dyn_cast<CallExpr>(E))
      if (const Expr *Result = resultOf(C->getDirectCallee())) {
        add(Result, Factor, /*IsHere=*/false, Depth);
        return true;
      }
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return false;
    const Expr *LHS = B->getLHS(), *RHS = B->getRHS();
    switch (B->getOpcode()) {
    case BO_Add:
      return Add(LHS, SizeOf(RHS->getType())) &&
             Add(RHS, SizeOf(LHS->getType()));
    case BO_Sub:
      return !RHS->getType()->isPointerType() && Add(LHS, 1) &&
             Add(RHS, -SizeOf(LHS->getType()));
    case BO_Mul:
      if (const auto Right = X.fixedValue(S, RHS))
        return Add(LHS, *Right);
      if (const auto Left = X.fixedValue(S, LHS))
        return Add(RHS, *Left);
      return false;
    case BO_Shl:
      if (const auto By = X.fixedValue(S, RHS); By && *By >= 0 && *By < 32)
        return Add(LHS, int64_t(1) << *By);
      return false;
    default:
      return false;
    }
  }

  Executor &X;
  State &S;
  llvm::SmallVectorImpl<Addend> &Found;
};

// By how much each round takes it on; 0 if that is not known.
int64_t Executor::stepOf(State &S, const Expr *E, unsigned Depth) {
  const VarDecl *Var = namedVariable(E->IgnoreParenCasts());
  if (!Var || Depth > MaxDepth)
    return 0;
  for (const LoopVisit &Loop : S.Loops)
    if (const Stmt *St = FunctionInfo::loopStmt(Loop.Head))
      if (const Changes In = P.changes().in(St, Var); In.isOneStep())
        return In.Step ? fixedValue(S, In.Step).value_or(0) : 1;
  const Expr *Origin = originOf(S, Var);
  return Origin ? stepOf(S, Origin, Depth + 1) : 0;
}

const Executor::Indexing &Executor::indexing(State &S, const Expr *Base,
                                             const Expr *Index) {
  Fingerprint F;
  F.add(Base);
  F.add(Index);
  for (const Frame &Caller : S.Frames)
    F.add(Caller.Call);
  for (const LoopVisit &Loop : S.Loops)
    if (Loop.mayGoOn())
      F.add(Loop.Head);
  const Fingerprint::Digest Key = F.digest();
  if (auto Known = Indexings.find(Key); Known != Indexings.end())
    return *Known->second;
  auto Found = std::make_unique<Indexing>();
  llvm::SmallVector<Addend, 6> Sum;
  AddressSplitter Split(*this, S, Sum);
  const QualType T = Base->getType();
  Split.add(Base, 1);
  if (Index)
    Split.add(Index, T->isPointerType() ? sizeOf(T->getPointeeType()) : 1);
  std::map<int64_t, Indexing::Level> Levels;
  for (const Addend &A : Sum)
    if (A.CanAsk && A.Factor != 0)
      Levels[std::abs(A.Factor)].Addends.push_back(A);
  for (const Addend &A : Sum)
    if (!A.IsConstant && A.E->getType()->isIntegralOrEnumerationType() &&
        A.Factor != 0 &&
        (Found->Least == 0 || std::abs(A.Factor) < Found->Least))
      Found->Least = std::abs(A.Factor);
  Found->IndexGoes = movingLoop(S, Index);
  for (auto &[Unit, Level] : Levels) {
    Level.Unit = Unit;
    int64_t Step = 0;
    for (const Addend &A : Level.Addends)
      if (const Stmt *Loop = movingLoop(S, A.E)) {
        Level.Goes = true;
        Level.Limit = givenNumber(S, conditionOf(Loop));
        Step = stepOf(S, A.E) * Unit;
      }
    // Threads may lie apart as rows do, and all go on beyond them together.
    for (const Addend &Row : Sum)
      if (const int64_t By = std::abs(Row.Factor);
          !Row.IsConstant && By > Unit &&
          (Level.Pitch == 0 || By < Level.Pitch) &&
          (!Level.Goes || (Step > 0 && Step < By) || !Row.HangsOnThread)) {
        Level.Pitch = By;
        Level.IsRowOfAll = !Row.HangsOnThread;
      }
    Found->Levels.push_back(Level);
  }
  while (!Found->Levels.empty() &&
         llvm::all_of(Found->Levels.back().Addends,
                      [](const Addend &A) { return A.IsConstant; }))
    Found->Levels.pop_back();
  Found->Goes = Found->IndexGoes ||
                llvm::any_of(Found->Levels, [](const Indexing::Level &Level) {
                  return Level.Goes;
                });
  return *(Indexings[Key] = std::move(Found));
}
