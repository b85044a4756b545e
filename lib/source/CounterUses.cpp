//===- CounterUses.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/CounterUses.h"
#include "lib/source/Expressions.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>
#include <set>

using namespace clang;
using namespace cpasync;

// Functions that call each other, and operators within each other.
static constexpr unsigned MaxDepth = 8;

static std::optional<int64_t> constant(Program &P, const Expr *E) {
  const auto N = P.layouts().integer(E->IgnoreParenCasts());
  return N ? N->trySExtValue() : std::nullopt;
}

// Of two periods; all that are too long are one.
static int64_t together(int64_t X, int64_t Y) {
  constexpr int64_t Most = CounterUses::LongestPeriod + 1;
  return std::min(std::lcm(std::min(X, Most), std::min(Y, Most)), Most);
}

// By how much E divides before its remainder is asked for.
static int64_t divisor(Program &P, const Expr *E, unsigned Depth = 0) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenCasts());
  if (!B || Depth > MaxDepth)
    return 1;
  const int64_t Left = divisor(P, B->getLHS(), Depth + 1);
  const auto By = constant(P, B->getRHS());
  int64_t Here = 1;
  if (B->getOpcode() == BO_Div && By && *By > 0 &&
      *By <= CounterUses::LongestPeriod)
    Here = *By;
  if (B->getOpcode() == BO_Shr && By && *By >= 0 && *By < 8)
    Here = int64_t(1) << *By;
  return together(Left * Here, divisor(P, B->getRHS(), Depth + 1));
}

// The period of E by itself; 1: it has none.
static int64_t period(Program &P, const Stmt *E) {
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B)
    return 1;
  auto By = constant(P, B->getRHS());
  switch (B->getOpcode()) {
  case BO_RemAssign:
  case BO_Rem:
    break;
  case BO_AndAssign:
  case BO_And:
    if (By && *By >= 0)
      ++*By;
    break;
  default:
    return 1;
  }
  return By && *By > 1 && *By <= CounterUses::LongestPeriod
             ? *By * divisor(P, B->getLHS())
             : 1;
}

// All of them together are at least as far as any is from the counter.
static int64_t constantsIn(Program &P, const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  if (E && !E->isGLValue() && E->getType()->isIntegralOrEnumerationType())
    if (const auto N = constant(P, E))
      return *N == INT64_MIN ? INT64_MAX : std::abs(*N);
  uint64_t All = 0;
  for (const Stmt *Child : S->children())
    if (Child)
      All = llvm::SaturatingAdd(All, uint64_t(constantsIn(P, Child)));
  return std::min(All, uint64_t(INT64_MAX));
}

// `Rows[K]`, where that is no array of the function's own: whatever was stored
// there does not go along with K.
static bool isLoadThroughPointer(const Stmt *S) {
  const auto *Load = dyn_cast<ImplicitCastExpr>(S);
  if (!Load || Load->getCastKind() != CK_LValueToRValue)
    return false;
  const Expr *E = Load->getSubExpr()->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return A->getBase()->IgnoreParenImpCasts()->getType()->isPointerType();
  const auto *U = dyn_cast<UnaryOperator>(E);
  return U && U->getOpcode() == UO_Deref &&
         isa<BinaryOperator>(U->getSubExpr()->IgnoreParenImpCasts());
}

namespace {
class UsesFinder {
public:
  UsesFinder(Program &P, llvm::ArrayRef<const VarDecl *> Counters) : P(P) {
    Moving.insert(Counters.begin(), Counters.end());
  }

  void visit(const Stmt *S, unsigned Depth) {
    if (!S)
      return;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Each : D->decls())
        if (const auto *Var = dyn_cast<VarDecl>(Each);
            Var && moves(Var->getInit()))
          Moving.insert(Var);
    if (const int64_t Each = period(P, S); Each > 1 && moves(S))
      Period = together(Period, Each);
    if (const auto *B = dyn_cast<BinaryOperator>(S)) {
      if (B->isComparisonOp() && moves(S))
        compare(S);
      if (const VarDecl *Var = namedVariable(B->getLHS());
          Var && B->isAssignmentOp() && moves(B->getRHS()))
        Moving.insert(Var);
    }
    if (const auto *Choice = dyn_cast<SwitchStmt>(S);
        Choice && moves(Choice->getCond()))
      for (const SwitchCase *C = Choice->getSwitchCaseList(); C;
           C = C->getNextSwitchCase())
        if (const auto *Case = dyn_cast<CaseStmt>(C))
          for (const Expr *End : {Case->getLHS(), Case->getRHS()})
            if (End)
              compare(End);
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Depth < MaxDepth)
      enter(Call, Depth);
    for (const Stmt *Child : S->children())
      visit(Child, Depth);
  }
  CounterUses found() const {
    return {Period <= CounterUses::LongestPeriod ? Period : 0, LargestCompared};
  }

private:
  void compare(const Stmt *S) {
    LargestCompared = std::max(LargestCompared, constantsIn(P, S));
  }

  bool moves(const Stmt *S) {
    if (!S)
      return false;
    if (const VarDecl *Var = variableBehind(S))
      return Moving.contains(Var);
    if (isLoadThroughPointer(S))
      return false;
    return (isa<CXXThisExpr>(S) && ObjectMoves) ||
           llvm::any_of(S->children(), [&](const Stmt *C) { return moves(C); });
  }

  void enter(const CallExpr *Call, unsigned Depth) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !F->hasBody(F) || P.isTooDeep(F))
      return;
    llvm::ArrayRef<const Expr *> Arguments(Call->getArgs(), Call->getNumArgs());
    const Expr *Of = nullptr;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
      Of = Member->getImplicitObjectArgument();
    } else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(F)) {
      Of = Arguments.front();
      Arguments = Arguments.drop_front();
    }
    bool More = false;
    for (const auto [Argument, Parameter] :
         llvm::zip(Arguments, F->parameters()))
      More |= moves(Argument) && Moving.insert(Parameter).second;
    const bool Object = moves(Of);
    if (!Done.insert({F, Object}).second && !More)
      return;
    const llvm::SaveAndRestore Inside(ObjectMoves, Object);
    visit(F->getBody(), Depth + 1);
  }

  Program &P;
  int64_t Period = 1, LargestCompared = 0;
  bool ObjectMoves = false;
  llvm::SmallPtrSet<const VarDecl *, 8> Moving;
  std::set<std::pair<const FunctionDecl *, bool>> Done;
};
} // namespace

namespace {
/// Looks for mentions of a counter where nothing but its periods is asked.
class RingUses {
public:
  RingUses(Program &P, const VarDecl *Counter) : P(P), Counter(Counter) {}

  /// \p S is a statement, or an expression whose value nobody has.
  void visitStatement(const Stmt *S) {
    if (const auto *E = dyn_cast_if_present<Expr>(S)) {
      E = E->IgnoreParens();
      const auto *Comma = dyn_cast<BinaryOperator>(E);
      if (Comma && Comma->getOpcode() == BO_Comma) {
        visitStatement(Comma->getLHS());
        visitStatement(Comma->getRHS());
      } else if (!goesOn(E)) {
        visit(E);
      }
    } else if (const auto *For = dyn_cast_if_present<ForStmt>(S)) {
      visit(For->getInit());
      visit(For->getCond());
      visitStatement(For->getInc());
      visitStatement(For->getBody());
    } else if (const auto *If = dyn_cast_if_present<IfStmt>(S)) {
      visit(If->getInit());
      visit(If->getCond());
      visitStatement(If->getThen());
      visitStatement(If->getElse());
    } else if (isa_and_present<CompoundStmt>(S)) {
      for (const Stmt *Child : S->children())
        visitStatement(Child);
    } else {
      visit(S);
    }
  }
  CounterUses found() const {
    return {HasOthers || Period > CounterUses::LongestPeriod ? 0 : Period,
            Constants};
  }

private:
  bool isCounter(const Expr *E) {
    const auto *Named = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return Named && Named->getDecl() == Counter;
  }
  // By a constant that is above 0.
  bool goesOn(const Expr *E) {
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->isIncrementOp() && isCounter(U->getSubExpr());
    const auto *B = dyn_cast<BinaryOperator>(E);
    const auto By = B && B->getOpcode() == BO_AddAssign
                        ? constant(P, B->getRHS())
                        : std::nullopt;
    return By && *By > 0 && isCounter(B->getLHS());
  }
  // The counter, moved and divided.
  bool isStretch(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return P.context().getIntWidth(Cast->getType()) >= 32 &&
             isStretch(Cast->getSubExpr());
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return isCounter(E);
    switch (B->getOpcode()) {
    case BO_Add:
    case BO_Sub:
    case BO_Div:
    case BO_Shr:
      return constant(P, B->getRHS()) && isStretch(B->getLHS());
    default:
      return false;
    }
  }
  bool isPeriodic(const BinaryOperator *B) {
    if (B->isComparisonOp())
      return constant(P, B->getRHS()) && isStretch(B->getLHS());
    return (B->getOpcode() == BO_Rem || B->getOpcode() == BO_And) &&
           period(P, B) > 1 && isStretch(B->getLHS());
  }
  void visit(const Stmt *S) {
    if (!S)
      return;
    const auto *E = dyn_cast<Expr>(S);
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && isPeriodic(B)) {
      Period = together(Period, period(P, B));
      Constants += std::min<int64_t>(constantsIn(P, B), MaxConstant);
    } else if (E && isCounter(E)) {
      HasOthers = true;
    } else {
      for (const Stmt *Child : S->children())
        isa_and_present<Expr>(Child) ? visit(Child) : visitStatement(Child);
    }
  }

  static constexpr int64_t MaxConstant = 1 << 20;
  Program &P;
  const VarDecl *Counter;
  int64_t Period = 1, Constants = 0;
  bool HasOthers = false;
};
} // namespace

CounterUses CounterUses::ofRing(Program &P, const VarDecl *Counter) {
  const auto *F = dyn_cast<FunctionDecl>(Counter->getDeclContext());
  RingUses Uses(P, Counter);
  if (!F || !F->hasBody(F) || P.isTooDeep(F) ||
      !Counter->getType()->isIntegerType() ||
      P.context().getIntWidth(Counter->getType()) < 32)
    return {/*Period=*/0, 0};
  Uses.visitStatement(F->getBody());
  return Uses.found();
}

CounterUses CounterUses::in(Program &P, const FunctionDecl *F,
                            llvm::ArrayRef<const VarDecl *> Counters) {
  UsesFinder Uses(P, Counters);
  Uses.visit(F->getBody(), 0);
  return Uses.found();
}
