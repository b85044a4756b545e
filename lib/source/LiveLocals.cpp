//===- LiveLocals.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/LiveLocals.h"
#include "lib/source/Expressions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"
#include "llvm/ADT/BitVector.h"

using namespace clang;
using namespace cpasync;

static const VarDecl *namedLocal(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *B = D ? dyn_cast<BindingDecl>(D->getDecl()) : nullptr;
  // Of what is like a tuple, each name has a variable.
  const VarDecl *V = B   ? B->getHoldingVar()
                     : D ? dyn_cast<VarDecl>(D->getDecl())
                         : nullptr;
  return V && V->hasLocalStorage() ? V : nullptr;
}

namespace {
/// The locals of a function that only their names lead to, and which of them a
/// statement reads or writes.
class LocalMentions {
public:
  LocalMentions(const FunctionDecl *F, const CFG &Graph) {
    for (const ParmVarDecl *P : F->parameters())
      declare(P);
    for (const CFGBlock *B : Graph)
      for (const CFGElement &E : *B)
        if (auto S = E.getAs<CFGStmt>())
          if (const auto *D = dyn_cast<DeclStmt>(S->getStmt()))
            for (const Decl *X : D->decls())
              if (const auto *V = dyn_cast<VarDecl>(X))
                declare(V);
    find(F->getBody());
    if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *I : C->inits())
        find(I->getInit());
  }

  size_t size() const { return Locals.size(); }
  const VarDecl *local(unsigned I) const { return Locals[I]; }
  bool isReachable(unsigned I) const { return Reachable.test(I); }

  /// Takes what \p S writes out of \p Live and adds what it reads.
  void before(const Stmt *S, llvm::SparseBitVector<> &Live) const {
    if (const auto *B = dyn_cast<BinaryOperator>(S);
        B && B->getOpcode() == BO_Assign) {
      if (std::optional<unsigned> I = number(namedLocal(B->getLHS())))
        Live.reset(*I);
    } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          if (std::optional<unsigned> I = number(V))
            Live.reset(*I);
    }
    addRead(S, Live);
  }
  void addRead(const VarDecl *V, llvm::SparseBitVector<> &Live) const {
    if (std::optional<unsigned> I = number(V))
      Live.set(*I);
  }
  void addRead(const Stmt *S, llvm::SparseBitVector<> &Live) const {
    if (!S)
      return;
    if (const auto *E = dyn_cast<DeclRefExpr>(S))
      if (std::optional<unsigned> I = number(namedLocal(E)))
        Live.set(*I);
    if (const auto *O = dyn_cast<OpaqueValueExpr>(S))
      addRead(O->getSourceExpr(), Live);
    const auto *B = dyn_cast<BinaryOperator>(S);
    const bool Overwrites =
        B && B->getOpcode() == BO_Assign && namedLocal(B->getLHS());
    for (const Stmt *Child : S->children())
      if (!Overwrites || Child != B->getLHS())
        addRead(Child, Live);
  }

private:
  void declare(const VarDecl *V) {
    // What a structured binding names has no name of its own.
    if (V->hasLocalStorage() && !isa<DecompositionDecl>(V) &&
        Numbers.try_emplace(V, Locals.size()).second)
      Locals.push_back(V);
  }
  std::optional<unsigned> number(const VarDecl *V) const {
    auto I = V ? Numbers.find(V) : Numbers.end();
    return I == Numbers.end() ? std::nullopt : std::optional(I->second);
  }
  /// Looks for whatever else leads to a local.
  void find(const Stmt *S) {
    Reachable.resize(Locals.size());
    if (!S)
      return;
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const LambdaCapture &C : L->captures())
        if (C.capturesVariable())
          if (auto I = number(dyn_cast<VarDecl>(C.getCapturedVar())))
            Reachable.set(*I);
      return;
    }
    if (const auto *O = dyn_cast<OpaqueValueExpr>(S)) {
      if (std::optional<unsigned> I =
              O->getSourceExpr() ? number(namedLocal(O->getSourceExpr()))
                                 : std::nullopt)
        Reachable.set(*I);
      find(O->getSourceExpr());
    }
    for (const Stmt *Child : S->children()) {
      if (const auto *E = dyn_cast_if_present<Expr>(Child))
        if (std::optional<unsigned> I = number(namedLocal(E)))
          if (!isPlainUse(S, E))
            Reachable.set(*I);
      find(Child);
    }
  }
  /// \p Parent reads or writes the scalar that \p E names.
  static bool isPlainUse(const Stmt *Parent, const Expr *E) {
    if (const auto *C = dyn_cast<CastExpr>(Parent))
      return C->getCastKind() == CK_LValueToRValue ||
             C->getCastKind() == CK_ToVoid;
    if (const auto *B = dyn_cast<BinaryOperator>(Parent))
      return B->isAssignmentOp() && B->getLHS() == E &&
             E->getType()->isScalarType();
    if (const auto *U = dyn_cast<UnaryOperator>(Parent))
      return U->isIncrementDecrementOp();
    return isa<ParenExpr>(Parent) || isa<GCCAsmStmt>(Parent);
  }

  llvm::SmallVector<const VarDecl *, 16> Locals;
  llvm::DenseMap<const VarDecl *, unsigned> Numbers;
  llvm::BitVector Reachable;
};
} // namespace

LiveLocals::LiveLocals(const FunctionDecl *F, const CFG &Graph)
    : NeededAt(Graph.getNumBlockIDs()), NeededWithin(NeededAt) {
  const LocalMentions All(F, Graph);
  // Each block after those that follow it, a switch after all of its cases.
  PostOrderCFGView Order(&Graph);
  DataflowWorklistBase<PostOrderCFGView::BlockOrderCompare, 32> Work(
      Graph, Order.getComparator());
  for (const CFGBlock *B : Graph)
    Work.enqueueBlock(B);
  while (const CFGBlock *B = Work.dequeue()) {
    Set Live, Within;
    for (const CFGBlock *Next : B->succs())
      if (Next)
        Live |= NeededAt[Next->getBlockID()];
    const Stmt *Condition = B->getTerminatorCondition(/*StripParens=*/false);
    if (const auto *E = dyn_cast_if_present<Expr>(Condition))
      Condition = decidedBy(B, E);
    All.addRead(Condition, Live);
    Within = Live;
    for (const CFGElement &E : llvm::reverse(*B)) {
      if (auto S = E.getAs<CFGStmt>())
        All.before(S->getStmt(), Live);
      else if (auto I = E.getAs<CFGInitializer>())
        All.addRead(I->getInitializer()->getInit(), Live);
      else if (auto D = E.getAs<CFGAutomaticObjDtor>())
        All.addRead(D->getVarDecl(), Live);
      Within |= Live;
    }
    NeededWithin[B->getBlockID()] = std::move(Within);
    if (Live == NeededAt[B->getBlockID()])
      continue;
    NeededAt[B->getBlockID()] = std::move(Live);
    for (const CFGBlock *Before : B->preds())
      Work.enqueueBlock(Before);
  }
  for (unsigned I = 0; I < All.size(); ++I)
    if (!All.isReachable(I))
      Numbers[All.local(I)] = I;
}

bool LiveLocals::isNoneOf(const void *Local, const Set &Needed) const {
  auto I = Numbers.find(Local);
  return I != Numbers.end() && !Needed.test(I->second);
}

bool LiveLocals::isDead(const void *Local, const CFGBlock *B) const {
  return isNoneOf(Local, NeededAt[B->getBlockID()]);
}

bool LiveLocals::isDeadWithin(const void *Local, const CFGBlock *B) const {
  return isNoneOf(Local, NeededWithin[B->getBlockID()]);
}
