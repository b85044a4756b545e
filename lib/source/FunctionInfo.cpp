//===- FunctionInfo.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/FunctionInfo.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

FunctionInfo::FunctionInfo(Program &P, const FunctionDecl *F) : P(P), F(F) {
  if (P.isTooDeep(F))
    return;
  // Clang asks the bases and members what there is to destroy.
  if (const auto *D = dyn_cast<CXXDestructorDecl>(F);
      D && !P.layouts().isKnown(D->getParent()))
    return;
  CFG::BuildOptions Options;
  Options.AddInitializers = true;
  Options.AddImplicitDtors = true;
  Options.AddTemporaryDtors = true;
  Options.AddCXXDefaultInitExprInCtors = true;
  Options.AddCXXDefaultInitExprInAggregates = true;
  Options.AddLifetime = true;
  Options.PruneTriviallyFalseEdges = true;
  Graph = CFG::buildCFG(F, F->getBody(), &P.context(), Options);
  if (!Graph)
    return;
  PostDominators = std::make_unique<CFGPostDomTree>(Graph.get());
  Live.emplace(F, *Graph);
  findLoops();
  findStops();
  findUses();
  for (const CFGBlock *B : *Graph)
    if (B->getTerminator().isTemporaryDtorsBranch())
      Conditional.insert(withoutCasts(cast<Expr>(B->getTerminatorStmt())));
}

// What is evaluated as a part of S, down to where Do says no. The body of a
// lambda is not.
static void forParts(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Do) {
  auto Visit = [&](const Stmt *Part) {
    if (Part && Do(Part))
      forParts(Part, Do);
  };
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
    llvm::for_each(Lambda->capture_inits(), Visit);
  else if (const auto *Member = dyn_cast<CXXDefaultInitExpr>(S))
    Visit(Member->getExpr());
  else if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(S))
    Visit(Argument->getExpr());
  else
    llvm::for_each(S->children(), Visit);
}

void FunctionInfo::findUses() {
  auto Nest = [&](const Stmt *S) {
    forParts(S, [&](const Stmt *C) { return Nested.insert(C).second; });
  };
  for (const CFGBlock *B : *Graph) {
    for (const CFGElement &E : *B)
      if (auto S = E.getAs<CFGStmt>()) {
        Nest(S->getStmt());
      } else if (auto I = E.getAs<CFGInitializer>()) {
        const Expr *Init = I->getInitializer()->getInit();
        if (Nested.insert(Init).second)
          Nest(Init);
      }
    const Stmt *T = B->getTerminatorStmt();
    if (isa_and_present<AbstractConditionalOperator, BinaryOperator>(T))
      Nest(T);
    if (const Stmt *C = B->getTerminatorCondition(/*StripParens=*/false);
        C && B->succ_size() > 1) {
      auto Record = [&](const Stmt *X) {
        return InCondition.try_emplace(X, B).second;
      };
      if (Record(C))
        forParts(C, Record);
      if (const Expr *Stripped = dyn_cast<Expr>(C))
        Record(Stripped->IgnoreParens());
    }
  }
}

void FunctionInfo::findNeeded(Slice &To) const {
  auto Need = [&](const Stmt *C) { return To.Needed.insert(C).second; };
  for (const CFGBlock *B : *Graph)
    for (const CFGElement &E : *B)
      if (auto S = E.getAs<CFGStmt>()) {
        if (isRelevant(S->getStmt()))
          forParts(S->getStmt(), Need);
      } else if (auto I = E.getAs<CFGInitializer>()) {
        // What a member holds can be asked for anywhere.
        const Expr *Init = I->getInitializer()->getInit();
        if (Need(Init))
          forParts(Init, Need);
      }
}

bool FunctionInfo::shouldRun(const Stmt *S, const CFGBlock *B) const {
  if (isRelevant(S) || slice().Needed.contains(S))
    return true;
  auto I = InCondition.find(S);
  return I != InCondition.end() && (I->second != B || region(B).Relevant);
}

const CFGBlock *FunctionInfo::knownJoin(const CFGBlock *B) const {
  const auto *Node =
      PostDominators->getBase().getNode(const_cast<CFGBlock *>(B));
  const auto *Parent = Node ? Node->getIDom() : nullptr;
  return Parent ? Parent->getBlock() : nullptr;
}

const CFGBlock *FunctionInfo::join(const CFGBlock *B) const {
  const CFGBlock *Join = knownJoin(B);
  return Join ? Join : &Graph->getExit();
}

void FunctionInfo::addTo(Region &R, const CFGBlock *B) const {
  const Slice &Relevant = slice();
  R.Blocks.set(B->getBlockID());
  R.HasLoop |= Loops.count(B) != 0;
  auto AddDestructor = [&](QualType T) {
    if (const CXXDestructorDecl *D = P.destructorOf(T)) {
      R.Relevant = true;
      R.Effects |= P.effects(D);
    }
  };
  for (const CFGElement &E : *B) {
    if (auto S = E.getAs<CFGStmt>()) {
      if (isRelevant(S->getStmt()) || Relevant.Needed.contains(S->getStmt())) {
        R.Relevant = true;
        R.Effects |= P.effects(S->getStmt());
      }
    } else if (auto Init = E.getAs<CFGInitializer>()) {
      R.Relevant = true;
      R.Effects |= P.effects(Init->getInitializer()->getInit());
    } else if (auto Dtor = E.getAs<CFGAutomaticObjDtor>()) {
      AddDestructor(typeOfObject(Dtor->getVarDecl()));
    } else if (auto Dtor = E.getAs<CFGTemporaryDtor>()) {
      AddDestructor(Dtor->getBindTemporaryExpr()->getType());
    }
  }
}

const Region &FunctionInfo::region(const CFGBlock *B) const {
  std::map<const CFGBlock *, Region> &Regions = slice().Regions;
  if (auto I = Regions.find(B); I != Regions.end())
    return I->second;
  // Calls \p Each with the blocks of the region of \p Of. Says \p Each of a
  // branch that the region of that one was taken, the walk goes on behind it.
  const auto Walk = [&](const CFGBlock *Of, auto Each) {
    const CFGBlock *Join = join(Of);
    llvm::BitVector Seen(Graph->getNumBlockIDs());
    llvm::SmallVector<const CFGBlock *, 16> Work(Of->succs());
    while (!Work.empty()) {
      const CFGBlock *X = Work.pop_back_val();
      if (!X || X == Join || Seen.test(X->getBlockID()))
        continue;
      Seen.set(X->getBlockID());
      const CFGBlock *Behind = X->succ_size() > 1 ? knownJoin(X) : nullptr;
      if (Each(X, Behind))
        Work.push_back(Behind);
      else
        Work.append(X->succ_begin(), X->succ_end());
    }
  };
  // Regions lie in each other, as those of a long chain of `else if` do: the
  // innermost first, and each block is looked at about once.
  llvm::SmallVector<const CFGBlock *, 16> ToDo = {B};
  Walk(B, [&](const CFGBlock *X, const CFGBlock *Behind) {
    const bool IsDone = Regions.count(X);
    if (Behind && !IsDone && X != B)
      ToDo.push_back(X);
    return Behind && IsDone;
  });
  for (const CFGBlock *Of : llvm::reverse(ToDo)) {
    Region R;
    Walk(Of, [&](const CFGBlock *X, const CFGBlock *Behind) {
      addTo(R, X);
      const auto Inner = Behind ? Regions.find(X) : Regions.end();
      if (Inner == Regions.end())
        return false;
      R.Blocks |= Inner->second.Blocks;
      R.HasLoop |= Inner->second.HasLoop;
      R.Relevant |= Inner->second.Relevant;
      R.Effects |= Inner->second.Effects;
      return true;
    });
    Regions.emplace(Of, std::move(R));
  }
  return Regions.find(B)->second;
}

void FunctionInfo::findLoops() {
  // Back edges of a depth-first search; the natural loop of each is what
  // reaches its source without passing its head.
  llvm::BitVector Seen(Graph->getNumBlockIDs()), OnPath(Seen.size());
  auto Visit = [&](const CFGBlock *B, auto &Self) -> void {
    Seen.set(B->getBlockID());
    OnPath.set(B->getBlockID());
    for (const CFGBlock *S : B->succs()) {
      if (!S)
        continue;
      if (OnPath.test(S->getBlockID())) {
        llvm::SparseBitVector<> &Body = Loops[S];
        Body.set(S->getBlockID());
        llvm::SmallVector<const CFGBlock *, 8> Work{B};
        while (!Work.empty()) {
          const CFGBlock *X = Work.pop_back_val();
          if (Body.test(X->getBlockID()))
            continue;
          Body.set(X->getBlockID());
          for (const CFGBlock *Pred : X->preds())
            if (Pred)
              Work.push_back(Pred);
        }
      } else if (!Seen.test(S->getBlockID())) {
        Self(S, Self);
      }
    }
    OnPath.reset(B->getBlockID());
  };
  Visit(&Graph->getEntry(), Visit);
}

void FunctionInfo::findStops() {
  llvm::SmallVector<const CFGBlock *, 16> Work;
  auto Stop = [&](const CFGBlock *B) {
    if (Stops.test_and_set(B->getBlockID()))
      Work.push_back(B);
  };
  for (const CFGBlock *B : *Graph)
    if (B->hasNoReturnElement() || llvm::any_of(*B, [&](const CFGElement &E) {
          const auto S = E.getAs<CFGStmt>();
          return S && P.recognizer().stopsKernel(S->getStmt());
        }))
      Stop(B);
  // So does what leads nowhere else.
  while (!Work.empty())
    for (const CFGBlock *Pred : Work.pop_back_val()->preds())
      if (Pred && llvm::all_of(Pred->succs(), [&](const CFGBlock *Next) {
            return !Next || Stops.test(Next->getBlockID());
          }))
        Stop(Pred);
}

const llvm::SparseBitVector<> *FunctionInfo::loop(const CFGBlock *Head) const {
  auto I = Loops.find(Head);
  return I == Loops.end() ? nullptr : &I->second;
}

const Stmt *FunctionInfo::loopStmt(const CFGBlock *B) {
  for (const CFGBlock *Pred : B->preds())
    if (Pred && Pred->getLoopTarget())
      return Pred->getLoopTarget();
  return B->getTerminatorStmt();
}
