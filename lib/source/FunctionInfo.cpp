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

// A structured binding lives in the variable that its declaration makes.
static const VarDecl *variableOf(const DeclRefExpr *D) {
  if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
    return dyn_cast<VarDecl>(B->getDecomposedDecl());
  return dyn_cast<VarDecl>(D->getDecl());
}

namespace {
void collectVariables(const Stmt *S,
                      llvm::SmallVectorImpl<const VarDecl *> &To) {
  if (!S)
    return;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    if (const VarDecl *V = variableOf(D))
      To.push_back(V);
  for (const Stmt *Child : S->children())
    collectVariables(Child, To);
}

// The variable an lvalue lives in, if it is plain to see.
const VarDecl *rootVariable(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E))
      E = M->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
      E = U->getSubExpr();
    else
      break;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? variableOf(D) : nullptr;
}

/// What a statement itself (not its children) may change.
struct Targets {
  llvm::SmallVector<const VarDecl *, 2> Variables;
  bool Elsewhere = false; ///< what a call is given that is no variable

  explicit Targets(Program &P) : P(P) {}
  void add(const Stmt *S);

private:
  void addVariable(const Expr *E) {
    if (const VarDecl *V = rootVariable(E))
      Variables.push_back(V);
  }
  void addCall(const CallExpr *C);
  void addGiven(const Expr *E, QualType As);
  void addCaptures(const CXXRecordDecl *Lambda);

  Program &P;
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> Lambdas;
};

void Targets::add(const Stmt *S) {
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->isAssignmentOp())
      addVariable(B->getLHS());
  } else if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (U->isIncrementDecrementOp())
      addVariable(U->getSubExpr());
  } else if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I < A->getNumOutputs(); ++I)
      addVariable(A->getOutputExpr(I));
  } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X))
        Variables.push_back(V);
  } else if (const auto *C = dyn_cast<CallExpr>(S)) {
    addCall(C);
  }
}

void Targets::addCall(const CallExpr *C) {
  const FunctionDecl *Callee = C->getDirectCallee();
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
  const auto *OfObject = dyn_cast<CXXMemberCallExpr>(C);
  const bool ObjectIsFirst =
      isa<CXXOperatorCallExpr>(C) && Method && Method->isInstance();
  if (OfObject)
    addVariable(OfObject->getImplicitObjectArgument());
  for (const Expr *A : C->arguments())
    if (A->isLValue() || A->getType()->isPointerType())
      addVariable(A);
  if (!Callee || !P.stores(Callee))
    return;
  // A lambda changes what it captured by reference, and const members change
  // what theirs refer to.
  if (OfObject)
    addGiven(OfObject->getImplicitObjectArgument(), QualType());
  for (unsigned I = 0; I < C->getNumArgs(); ++I) {
    const unsigned Parm = I - ObjectIsFirst;
    addGiven(C->getArg(I), Parm < Callee->getNumParams()
                               ? Callee->getParamDecl(Parm)->getType()
                               : QualType());
  }
}

// E is given to a call that stores something, as a parameter of type As (null:
// as its object).
void Targets::addGiven(const Expr *E, QualType As) {
  E = withoutCopies(E);
  const CXXRecordDecl *R = E->getType()->getAsCXXRecordDecl();
  if (R && R->isLambda())
    return addCaptures(R);
  const bool IsPlace =
      As.isNull() || (As->isPointerOrReferenceType() &&
                      !As->getPointeeType().isConstQualified() &&
                      !P.isPayload(As->getPointeeType()));
  Elsewhere |= IsPlace && !rootVariable(E);
}

void Targets::addCaptures(const CXXRecordDecl *Lambda) {
  if (!Lambdas.insert(Lambda).second)
    return;
  for (const LambdaCapture &Capture : Lambda->captures()) {
    Elsewhere |= Capture.capturesThis();
    const auto *V = Capture.capturesVariable()
                        ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                        : nullptr;
    if (!V)
      continue;
    if (Capture.getCaptureKind() == LCK_ByRef)
      Variables.push_back(V);
    const CXXRecordDecl *R =
        V->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (R && R->isLambda())
      addCaptures(R);
  }
}
} // namespace

bool FunctionInfo::isSeenOutside(const VarDecl *V) const {
  return (V->getType()->isReferenceType() ||
          V->getParentFunctionOrMethod() != F) &&
         !P.isPayload(V->getType());
}

void FunctionInfo::findRelevantVariables(Slice &To) const {
  // Facts about each statement, gathered once; then a fixed point over
  // variables: a condition matters if it controls something that does.
  struct Assignment {
    llvm::SmallVector<const VarDecl *, 2> Written;
    llvm::SmallVector<const VarDecl *, 4> Read;
    const Stmt *Innermost; ///< control flow around it; null: none
  };
  std::vector<Assignment> Assignments;
  llvm::SmallVector<const VarDecl *, 32> Work;
  llvm::DenseSet<const Stmt *> ControlSeen;

  auto Mark = [&](const VarDecl *V) {
    if ((V->getType()->isReferenceType() || !P.isPayload(V->getType())) &&
        To.Variables.insert(V).second)
      Work.push_back(V);
  };
  auto MarkAll = [&](const Stmt *S) {
    llvm::SmallVector<const VarDecl *, 8> Found;
    collectVariables(S, Found);
    for (const VarDecl *V : Found)
      Mark(V);
  };
  auto Condition = [](const Stmt *S) -> llvm::SmallVector<const Stmt *, 2> {
    if (const auto *I = dyn_cast<IfStmt>(S))
      return {I->getCond()};
    if (const auto *W = dyn_cast<WhileStmt>(S))
      return {W->getCond()};
    if (const auto *D = dyn_cast<DoStmt>(S))
      return {D->getCond()};
    if (const auto *L = dyn_cast<ForStmt>(S))
      return {L->getCond(), L->getInc()};
    if (const auto *W = dyn_cast<SwitchStmt>(S))
      return {W->getCond()};
    return {};
  };
  auto Control = [&](const Stmt *S) {
    if (ControlSeen.insert(S).second)
      for (const Stmt *C : Condition(S))
        if (C)
          MarkAll(C);
  };
  auto IsControl = [](const Stmt *S) {
    return isa<IfStmt, WhileStmt, DoStmt, ForStmt, SwitchStmt, CXXForRangeStmt>(
        S);
  };
  llvm::DenseMap<const Stmt *, bool> Jumps; // of control flow
  auto ContainsJump = [&](const Stmt *S, auto &Self) -> bool {
    if (!S)
      return false;
    if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(S))
      return true;
    const bool IsKept = IsControl(S);
    if (auto I = Jumps.find(S); IsKept && I != Jumps.end())
      return I->second;
    const bool Found = llvm::any_of(
        S->children(), [&](const Stmt *C) { return Self(C, Self); });
    if (IsKept)
      Jumps[S] = Found;
    return Found;
  };
  // Plain control flow and compound statements are containers; the statements
  // in them are judged one by one.
  const Stmt *Innermost = nullptr;
  llvm::DenseMap<const Stmt *, const Stmt *> Outer; // of control flow
  llvm::DenseSet<const Stmt *> AllSeen;
  // All control flow from there outwards.
  auto ControlFrom = [&](const Stmt *S) {
    for (; S && AllSeen.insert(S).second; S = Outer.lookup(S))
      Control(S);
  };
  auto Visit = [&](const Stmt *S, auto &Self) -> void {
    if (!S)
      return;
    const bool Controls = IsControl(S);
    if (Controls && (P.matters(S) || ContainsJump(S, ContainsJump)))
      Control(S);
    bool IsContainer =
        Controls || isa<CompoundStmt, LabelStmt, SwitchCase, AttributedStmt>(S);
    if (!IsContainer && P.matters(S)) {
      MarkAll(S);
      ControlFrom(Innermost);
    }
    if (const auto *R = dyn_cast<ReturnStmt>(S))
      if (R->getRetValue() && !P.isPayload(R->getRetValue()->getType()))
        MarkAll(R);
    Assignment A;
    Targets Of(P);
    Of.add(S);
    A.Written = std::move(Of.Variables);
    bool IsDestroyed = false;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X);
            V && P.destructorOf(V->getType())) {
          Mark(V);
          IsDestroyed = true;
        }
    bool IsSeen = IsDestroyed || Of.Elsewhere ||
                  (A.Written.empty() && storesSomewhere(S));
    if (!isa<DeclStmt>(S))
      for (const VarDecl *V : A.Written)
        IsSeen |= isSeenOutside(V);
    if (IsSeen) {
      MarkAll(S);
      ControlFrom(Innermost);
    }
    // A reference to payload is bound once; what is stored there is payload.
    if (!isa<DeclStmt>(S))
      llvm::erase_if(A.Written, [&](const VarDecl *V) {
        return P.isPayload(V->getType());
      });
    if (!A.Written.empty()) {
      if (const auto *D = dyn_cast<DeclStmt>(S)) {
        for (const Decl *X : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(X); V && V->hasInit())
            collectVariables(V->getInit(), A.Read);
      } else {
        collectVariables(S, A.Read);
      }
      A.Innermost = Innermost;
      Assignments.push_back(std::move(A));
    }
    const Stmt *const Around = Innermost;
    if (Controls) {
      Outer[S] = Around;
      Innermost = S;
    }
    if (!isa<LambdaExpr>(S))
      for (const Stmt *Child : S->children())
        Self(Child, Self);
    Innermost = Around;
  };
  Visit(F->getBody(), Visit);
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : C->inits())
      MarkAll(Init->getInit());

  std::map<const VarDecl *, llvm::SmallVector<const Assignment *, 2>> Writers;
  for (const Assignment &A : Assignments)
    for (const VarDecl *V : A.Written)
      Writers[V].push_back(&A);
  while (!Work.empty()) {
    const VarDecl *V = Work.pop_back_val();
    for (const Assignment *A : Writers[V]) {
      for (const VarDecl *R : A->Read)
        Mark(R);
      ControlFrom(A->Innermost);
    }
  }
}

FunctionInfo::Slice &FunctionInfo::slice() const {
  const unsigned Watch = P.watchNumber();
  if (Newest && Newest->Watch == Watch)
    return *Newest;
  std::optional<Slice> &Mine = !Watch                ? Plain
                               : P.watchesOnlyUses() ? OfUses
                                                     : OfWatched;
  const bool Known = Mine && Mine->Watch == Watch;
  if (!Known)
    Mine.emplace().Watch = Watch;
  Newest = &*Mine;
  if (!Known && Graph) {
    findRelevantVariables(*Mine);
    findNeeded(*Mine);
  }
  return *Mine;
}

// What S itself, not a call in it, assigns to.
static const Expr *assigned(const Stmt *S) {
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
    return B->getLHS();
  const auto *U = dyn_cast<UnaryOperator>(S);
  return U && U->isIncrementDecrementOp() ? U->getSubExpr() : nullptr;
}

bool FunctionInfo::storesSomewhere(const Stmt *S) const {
  const Expr *To = assigned(S);
  return To && !P.isPayload(To->getType());
}

bool FunctionInfo::isRelevant(const Stmt *S) const {
  if (!S)
    return false;
  auto &Relevance = slice().Relevance;
  auto [I, New] = Relevance.try_emplace(S, true);
  if (!New)
    return I->second;
  bool R = P.matters(S) || isa<ReturnStmt>(S);
  if (!R) {
    Targets Of(P);
    Of.add(S);
    R = llvm::any_of(Of.Variables, [&](const VarDecl *V) {
      return isRelevant(V) && (isa<DeclStmt>(S) || !P.isPayload(V->getType()));
    });
    R |= Of.Elsewhere ||
         (Of.Variables.empty() &&
          (P.watchesOnlyUses() ? storesSomewhere(S) : assigned(S) != nullptr));
  }
  if (!R && !isa<LambdaExpr>(S))
    for (const Stmt *Child : S->children())
      if (Child && isRelevant(Child)) {
        R = true;
        break;
      }
  return Relevance[S] = R;
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
