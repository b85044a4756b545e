//===- ResultUses.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/ResultUses.h"
#include "lib/source/Expressions.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace cpasync;

namespace {
class Walk {
public:
  explicit Walk(const Stmt *Result) : Result(Result) {}

  /// What a pass says counts if no variable came to hold it.
  void visitAll(const Stmt *Body) {
    Use = ResultUse::None;
    visit(Body, ResultUse::None);
  }
  /// Variables come to hold it; \p Body is to be visited again.
  bool hasGrown() { return std::exchange(Grown, false); }
  ResultUse use() const { return Use; }

private:
  /// \p From: what is done with the value of \p S.
  void visit(const Stmt *S, ResultUse From);
  void note(ResultUse New) { Use = std::max(Use, New); }
  void hold(const Expr *Place) {
    const VarDecl *V = variableBehind(Place->IgnoreParenCasts());
    if (V && V->hasLocalStorage() && !V->getType()->isReferenceType())
      Grown |= Holders.insert(V).second;
    else
      note(ResultUse::Some);
  }
  /// The value of \p E is the result, or says whether it is a certain one.
  bool holds(const Expr *E) const;

  const Stmt *Result;
  llvm::SmallPtrSet<const VarDecl *, 2> Holders;
  bool Grown = false;
  ResultUse Use = ResultUse::None;
};
} // namespace

/// Without what only converts it.
static const Expr *bare(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *C = dyn_cast<FullExpr>(E))
    return bare(C->getSubExpr());
  return E;
}

/// By another way than its condition.
static bool mayLeave(const Stmt *Loop) {
  return llvm::any_of(Loop->children(), [](const Stmt *Child) {
    return Child && !isa<LambdaExpr>(Child) &&
           (isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(Child) ||
            mayLeave(Child));
  });
}

bool Walk::holds(const Expr *E) const {
  E = bare(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_LNot && holds(U->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isEqualityOp() && (holds(B->getLHS()) || holds(B->getRHS()));
  return E == Result || llvm::is_contained(Holders, variableBehind(E));
}

void Walk::visit(const Stmt *S, ResultUse From) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (holds(E))
      note(From);
    S = bare(E);
    // What is compared has been noted.
    if (const auto *U = dyn_cast<UnaryOperator>(S); U && holds(U))
      return;
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && holds(B))
      return;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S))
    return visit(R->getRetValue(), ResultUse::Returned);
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X); V && V->getInit()) {
        const bool Holds = holds(V->getInit());
        if (Holds && !V->getType()->isReferenceType() && V->hasLocalStorage())
          Grown |= Holders.insert(V).second;
        else
          visit(V->getInit(), ResultUse::Some);
      }
    return;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(S);
      B && B->getOpcode() == BO_Assign) {
    if (holds(B->getRHS()))
      hold(B->getLHS());
    else
      visit(B->getRHS(), ResultUse::Some);
    if (!variableBehind(bare(B->getLHS())))
      visit(B->getLHS(), ResultUse::Some);
    return;
  }
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I < A->getNumOutputs(); ++I) {
      if (A == Result)
        hold(A->getOutputExpr(I));
      else if (A->isOutputPlusConstraint(I))
        visit(A->getOutputExpr(I), ResultUse::Some);
    }
    for (unsigned I = 0; I < A->getNumInputs(); ++I)
      visit(A->getInputExpr(I), ResultUse::Some);
    return;
  }
  const Stmt *Asked = conditionOf(S);
  if (Asked && holds(conditionOf(S)) && !mayLeave(S)) {
    note(ResultUse::Repeats);
    Asked = nullptr;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    Asked = If->getCond();
  else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    Asked = Switch->getCond();
  for (const Stmt *Child : S->children())
    visit(Child,
          isa<Expr>(S) || Child == Asked ? ResultUse::Some : ResultUse::None);
}

ResultUse ResultUses::of(const FunctionDecl *F, const Stmt *Of) {
  const auto [At, New] = Known.try_emplace(Of, ResultUse::Some);
  if (!New)
    return At->second;
  Walk Through(Of);
  do
    Through.visitAll(F->getBody());
  while (Through.hasGrown());
  return Known[Of] = Through.use();
}
