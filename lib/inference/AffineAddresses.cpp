//===- AffineAddresses.cpp - The numbers that an address is the sum of ----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/AffineAddresses.h"
#include "lib/source/Expressions.h"
#include "lib/state/State.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <set>

using namespace clang;
using namespace cpasync;

static constexpr unsigned MaxDepth = DefUse::MaxDepth;
// In a slot, at least: one for each thread of a warp. `Tile[Begin * 4 + I]` has
// none.
static constexpr int64_t MinPlaces = 32;

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

// Of a pointer, each element counts.
static int64_t unitOf(QualType T, Program &P) {
  return T->isPointerType() ? P.sizeOf(T->getPointeeType()) : 1;
}

namespace {
class AddressSplitter {
public:
  AddressSplitter(const DefUse &From, const Context &C, Program &P,
                  llvm::SmallVectorImpl<Addend> &Found)
      : From(From), C(C), P(P), Found(Found) {}

  /// \p E, a number or an address, \p Factor times. \p IsHere: it stands in the
  /// function that runs.
  void add(const Expr *E, int64_t Factor, bool IsHere = true,
           unsigned Depth = 0) {
    Addend A{E, Factor};
    if (!E->isGLValue() && P.layouts().integer(E)) {
      A.IsConstant = true;
    } else {
      const size_t Before = Found.size();
      if (Depth < MaxDepth && addPartsOf(E, Factor, IsHere, Depth + 1))
        return;
      Found.truncate(Before);
      A.HangsOnThread = namesThread(E);
    }
    const bool IsNumber =
        !E->isGLValue() && E->getType()->isIntegralOrEnumerationType();
    A.CanAsk = IsHere && IsNumber && isPlain(E);
    A.IsLoaded = IsNumber && !isPlain(E);
    Found.push_back(A);
  }

private:
  bool addPartsOf(const Expr *E, int64_t Factor, bool IsHere, unsigned Depth) {
    auto Add = [&](const Expr *Part, int64_t Times) {
      const auto All = llvm::checkedMul(Factor, Times);
      if (All && *All != INT64_MIN)
        add(Part, *All, IsHere, Depth);
      return All && *All != INT64_MIN;
    };
    auto AddOriginOf = [&](const VarDecl *Var) {
      const Expr *Origin = Var ? From.originOf(C, Var) : nullptr;
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
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return Cast->getCastKind() == CK_LValueToRValue
                 ? AddOriginOf(
                       namedVariable(Cast->getSubExpr()->IgnoreParens()))
                 : Add(Cast->getSubExpr(), 1);
    if (const auto *Inner = dyn_cast<ParenExpr>(E))
      return Add(Inner->getSubExpr(), 1);
    if (const auto *F = dyn_cast<FullExpr>(E))
      return Add(F->getSubExpr(), 1);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return Add(A->getBase(), 1) && Add(A->getIdx(), P.sizeOf(A->getType()));
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref) &&
             Add(U->getSubExpr(), 1);
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return !M->isArrow() && M->getBase()->isGLValue() && Add(M->getBase(), 1);
    if (const VarDecl *Var = namedVariable(E))
      return Var->getType()->isReferenceType() && AddOriginOf(Var);
    if (const auto *Call = dyn_cast<CallExpr>(E))
      if (const Expr *Result = resultOf(Call->getDirectCallee())) {
        add(Result, Factor, /*IsHere=*/false, Depth);
        return true;
      }
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return false;
    const Expr *LHS = B->getLHS(), *RHS = B->getRHS();
    switch (B->getOpcode()) {
    case BO_Add:
      return Add(LHS, unitOf(RHS->getType(), P)) &&
             Add(RHS, unitOf(LHS->getType(), P));
    case BO_Sub:
      return !RHS->getType()->isPointerType() && Add(LHS, 1) &&
             Add(RHS, -unitOf(LHS->getType(), P));
    case BO_Mul:
      if (const auto Right = From.fixedValue(C, RHS))
        return Add(LHS, *Right);
      if (const auto Left = From.fixedValue(C, LHS))
        return Add(RHS, *Left);
      return false;
    case BO_Shl:
      if (const auto By = From.fixedValue(C, RHS); By && *By >= 0 && *By < 32)
        return Add(LHS, int64_t(1) << *By);
      return false;
    default:
      return false;
    }
  }

  const DefUse &From;
  const Context &C;
  Program &P;
  llvm::SmallVectorImpl<Addend> &Found;
};
} // namespace

llvm::SmallVector<Addend, 6> AffineAddresses::addends(const Context &C,
                                                      const Expr *Base,
                                                      const Expr *Index) const {
  llvm::SmallVector<Addend, 6> Sum;
  AddressSplitter Split(From, C, P, Sum);
  Split.add(Base, 1);
  if (Index)
    Split.add(Index, unitOf(Base->getType(), P));
  return Sum;
}

AffineAddress::Level AffineAddresses::level(const Context &C, int64_t Unit,
                                            llvm::ArrayRef<Addend> Sum) const {
  AffineAddress::Level Level;
  Level.Unit = Unit;
  int64_t Step = 0;
  for (const Addend &A : Sum) {
    if (!A.CanAsk || std::abs(A.Factor) != Unit)
      continue;
    Level.Addends.push_back(A);
    if (const Stmt *Loop = From.movingLoop(C, A.E)) {
      Level.Goes = true;
      Level.Limit = From.givenNumber(C, conditionOf(Loop));
      Step = llvm::checkedMul(From.stepOf(C, A.E), Unit).value_or(0);
    }
  }
  // Threads may lie apart as rows do, and all go on beyond them together. Who
  // leaves a row with each step has more places in it than `Begin * 4 + I`.
  for (const Addend &Row : Sum)
    if (const int64_t By = std::abs(Row.Factor);
        !Row.IsConstant && By > Unit &&
        (Level.Pitch == 0 || By < Level.Pitch) &&
        (!Level.Goes || (Step > 0 && Step < By) ||
         (!Row.HangsOnThread && (Step == 0 || By >= MinPlaces * Unit)))) {
      Level.Pitch = By;
      Level.IsRowOfAll = !Row.HangsOnThread;
    }
  return Level;
}

const AffineAddress &AffineAddresses::of(const Context &C, const Expr *Base,
                                         const Expr *Index) {
  Fingerprint F;
  F.add(Base);
  F.add(Index);
  for (const Frame &Caller : C.Frames)
    F.add(Caller.Call);
  for (const LoopVisit &Loop : C.Loops)
    if (Loop.mayGoOn())
      F.add(Loop.Head);
  std::unique_ptr<AffineAddress> &Found = Known[F.digest()];
  if (Found)
    return *Found;
  Found = std::make_unique<AffineAddress>();
  const auto Sum = addends(C, Base, Index);
  std::set<int64_t> Units;
  for (const Addend &A : Sum) {
    const int64_t Unit = std::abs(A.Factor);
    if (Unit != 0 && A.CanAsk)
      Units.insert(Unit);
    if (Unit != 0 && !A.IsConstant &&
        A.E->getType()->isIntegralOrEnumerationType() &&
        (Found->Least == 0 || Unit < Found->Least))
      Found->Least = Unit;
  }
  // The smallest, such that something is a place in them.
  const auto IsNumber = [](const Addend &A) {
    return A.E->getType()->isIntegralOrEnumerationType();
  };
  for (const Addend &A : Sum)
    if (const int64_t By = std::abs(A.Factor);
        IsNumber(A) && !A.IsConstant && !A.HangsOnThread && !A.IsLoaded &&
        By >= MinPlaces * Found->Least && (!Found->Slot || By < Found->Slot) &&
        !From.movingLoop(C, A.E) && From.stepOf(C, A.E) == 0)
      Found->Slot = By;
  Found->HasParts = llvm::all_of(Sum, [&](const Addend &A) {
    return !IsNumber(A) || std::abs(A.Factor) >= Found->Slot || A.CanAsk ||
           A.IsConstant || A.IsLoaded;
  });
  for (const int64_t Unit : Units)
    Found->Levels.push_back(level(C, Unit, Sum));
  while (!Found->Levels.empty() &&
         llvm::all_of(Found->Levels.back().Addends,
                      [](const Addend &A) { return A.IsConstant; }))
    Found->Levels.pop_back();
  Found->IndexGoes = From.movingLoop(C, Index);
  Found->Goes =
      Found->IndexGoes ||
      llvm::any_of(Found->Levels, [](const AffineAddress::Level &Level) {
        return Level.Goes;
      });
  return *Found;
}
