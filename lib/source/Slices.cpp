//===- Slices.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which variables matter: those that an operation, an address or a branch
// around one hangs on.
//
//===----------------------------------------------------------------------===//

#include "lib/source/Expressions.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

static bool isPayload(Program &P, const VarDecl *V) {
  return P.isPayload(V->getType()) && !P.compared().contains(V);
}

namespace {
// But those that only become coordinates of a tensor copy.
void collectVariables(Program &P, const Stmt *S,
                      llvm::SmallVectorImpl<const VarDecl *> &To) {
  if (!S)
    return;
  if (const VarDecl *V = variableBehind(S))
    To.push_back(V);
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    collectVariables(P, C->getCallee(), To);
    for (unsigned I = 0, N = C->getNumArgs(); I < N; ++I)
      if (!P.coordinates().isOnly(C, I))
        collectVariables(P, C->getArg(I), To);
    return;
  }
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0, N = A->getNumOutputs(); I < N; ++I)
      collectVariables(P, A->getOutputExpr(I), To);
    for (unsigned I = 0, N = A->getNumInputs(); I < N; ++I)
      if (!P.coordinates().isOnly(A, A->getNumOutputs() + I))
        collectVariables(P, A->getInputExpr(I), To);
    return;
  }
  for (const Stmt *Child : S->children())
    collectVariables(P, Child, To);
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
  return variableBehind(E);
}

/// What a statement itself (not its children) may change.
struct Targets {
  llvm::SmallVector<const VarDecl *, 2> Variables;
  bool Elsewhere = false; ///< what a call is given that is no variable
  /// Not the variable itself: global memory that it leads to.
  bool IsGlobal = false;

  explicit Targets(Program &P) : P(P) {}
  void add(const Stmt *S);

private:
  void addVariable(const Expr *E) {
    if (const VarDecl *V = rootVariable(E))
      Variables.push_back(V);
  }
  void addCall(const CallExpr *C);
  void addConstruction(const CXXConstructExpr *C);
  bool isToWrite(QualType As) const;
  void addGiven(const Expr *E, QualType As);
  void addCaptures(const CXXRecordDecl *Lambda);

  Program &P;
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> Lambdas;
};

void Targets::add(const Stmt *S) {
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->isAssignmentOp()) {
      addVariable(B->getLHS());
      IsGlobal = P.globals().isBehindGlobal(B->getLHS());
    }
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
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    addConstruction(C);
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

// Most objects are made of what they only copy.
void Targets::addConstruction(const CXXConstructExpr *C) {
  const CXXConstructorDecl *Constructor = C->getConstructor();
  if (!P.stores(Constructor))
    return;
  for (unsigned I = 0;
       I < std::min(C->getNumArgs(), Constructor->getNumParams()); ++I) {
    const QualType As = Constructor->getParamDecl(I)->getType();
    if (isToWrite(As))
      addVariable(C->getArg(I));
    addGiven(C->getArg(I), As);
  }
}

/// Whether numbers may be stored through a parameter of type As.
bool Targets::isToWrite(QualType As) const {
  return As->isPointerOrReferenceType() &&
         !As->getPointeeType().isConstQualified() &&
         !P.isPayload(As->getPointeeType());
}

// E is given to a call that stores something, as a parameter of type As (null:
// as its object).
void Targets::addGiven(const Expr *E, QualType As) {
  E = withoutCopies(E);
  const CXXRecordDecl *R = E->getType()->getAsCXXRecordDecl();
  if (R && R->isLambda())
    return addCaptures(R);
  Elsewhere |= (As.isNull() || isToWrite(As)) && !rootVariable(E);
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
         !isPayload(P, V);
}

namespace {
/// Facts about each statement, gathered once; then a fixed point over
/// variables: a condition matters if it controls something that does.
class RelevantVariables {
public:
  RelevantVariables(Program &P, const FunctionInfo &Fn,
                    llvm::DenseSet<const VarDecl *> &To)
      : P(P), Fn(Fn), To(To) {}

  void visit(const Stmt *S);
  void markAll(const Stmt *S);
  /// What the variables found so far are computed from.
  void close();

private:
  struct Assignment {
    llvm::SmallVector<const VarDecl *, 2> Written;
    llvm::SmallVector<const VarDecl *, 4> Read;
    const Stmt *Innermost; ///< control flow around it; null: none
  };

  void mark(const VarDecl *V);
  void noteAssignment(const Stmt *S);
  void control(const Stmt *S);
  /// All control flow from there outwards.
  void controlFrom(const Stmt *S);
  bool containsJump(const Stmt *S);

  Program &P;
  const FunctionInfo &Fn;
  llvm::DenseSet<const VarDecl *> &To;
  std::vector<Assignment> Assignments;
  llvm::SmallVector<const VarDecl *, 32> Work;
  llvm::DenseSet<const Stmt *> ControlSeen, AllSeen;
  llvm::DenseMap<const Stmt *, bool> Jumps;         ///< of control flow
  llvm::DenseMap<const Stmt *, const Stmt *> Outer; ///< of control flow
  const Stmt *Innermost = nullptr;
};
} // namespace

static llvm::SmallVector<const Stmt *, 2> conditionsOf(const Stmt *S) {
  if (const auto *I = dyn_cast<IfStmt>(S))
    return {I->getCond()};
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return {W->getCond()};
  if (const auto *D = dyn_cast<DoStmt>(S))
    return {D->getCond()};
  if (const auto *L = dyn_cast<ForStmt>(S))
    return {L->getCond(), L->getInc()};
  if (const auto *L = dyn_cast<CXXForRangeStmt>(S))
    return {L->getCond(), L->getInc()};
  if (const auto *W = dyn_cast<SwitchStmt>(S))
    return {W->getCond()};
  return {};
}

static bool isControl(const Stmt *S) {
  return isa<IfStmt, WhileStmt, DoStmt, ForStmt, SwitchStmt, CXXForRangeStmt>(
      S);
}

void RelevantVariables::mark(const VarDecl *V) {
  if ((V->getType()->isReferenceType() || !isPayload(P, V)) &&
      To.insert(V).second)
    Work.push_back(V);
}

void RelevantVariables::markAll(const Stmt *S) {
  llvm::SmallVector<const VarDecl *, 8> Found;
  collectVariables(P, S, Found);
  for (const VarDecl *V : Found)
    mark(V);
}

void RelevantVariables::control(const Stmt *S) {
  if (ControlSeen.insert(S).second)
    for (const Stmt *C : conditionsOf(S))
      if (C)
        markAll(C);
}

bool RelevantVariables::containsJump(const Stmt *S) {
  if (!S)
    return false;
  if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(S))
    return true;
  const bool IsKept = isControl(S);
  if (auto I = Jumps.find(S); IsKept && I != Jumps.end())
    return I->second;
  const bool Found = llvm::any_of(
      S->children(), [&](const Stmt *C) { return containsJump(C); });
  if (IsKept)
    Jumps[S] = Found;
  return Found;
}

void RelevantVariables::controlFrom(const Stmt *S) {
  for (; S && AllSeen.insert(S).second; S = Outer.lookup(S))
    control(S);
}

void RelevantVariables::noteAssignment(const Stmt *S) {
  Assignment A;
  Targets Of(P);
  Of.add(S);
  A.Written = std::move(Of.Variables);
  bool IsDestroyed = false;
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X);
          V && P.destructorOf(V->getType())) {
        mark(V);
        IsDestroyed = true;
      }
  bool IsSeen = IsDestroyed || Of.Elsewhere ||
                (A.Written.empty() && Fn.storesSomewhere(S));
  if (!isa<DeclStmt>(S))
    for (const VarDecl *V : A.Written)
      IsSeen |= !Of.IsGlobal && Fn.isSeenOutside(V);
  if (IsSeen) {
    markAll(S);
    controlFrom(Innermost);
  }
  // A reference to payload is bound once; what is stored there is payload.
  if (!isa<DeclStmt>(S))
    llvm::erase_if(A.Written,
                   [&](const VarDecl *V) { return isPayload(P, V); });
  if (!A.Written.empty()) {
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X); V && V->hasInit())
          collectVariables(P, V->getInit(), A.Read);
    } else {
      collectVariables(P, S, A.Read);
    }
    A.Innermost = Innermost;
    Assignments.push_back(std::move(A));
  }
}

// Plain control flow and compound statements are containers; the statements in
// them are judged one by one.
void RelevantVariables::visit(const Stmt *S) {
  if (!S)
    return;
  const bool Controls = isControl(S);
  if (Controls && (P.matters(S) || containsJump(S)))
    control(S);
  bool IsContainer =
      Controls || isa<CompoundStmt, LabelStmt, SwitchCase, AttributedStmt>(S);
  if (!IsContainer && P.matters(S)) {
    markAll(S);
    controlFrom(Innermost);
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S))
    if (R->getRetValue() && !P.isPayload(R->getRetValue()->getType()))
      markAll(R);
  noteAssignment(S);
  const Stmt *const Around = Innermost;
  if (Controls) {
    Outer[S] = Around;
    Innermost = S;
  }
  if (!isa<LambdaExpr>(S))
    for (const Stmt *Child : S->children())
      visit(Child);
  Innermost = Around;
}

void RelevantVariables::close() {
  std::map<const VarDecl *, llvm::SmallVector<const Assignment *, 2>> Writers;
  for (const Assignment &A : Assignments)
    for (const VarDecl *V : A.Written)
      Writers[V].push_back(&A);
  while (!Work.empty()) {
    const VarDecl *V = Work.pop_back_val();
    for (const Assignment *A : Writers[V]) {
      for (const VarDecl *R : A->Read)
        mark(R);
      controlFrom(A->Innermost);
    }
  }
}

void FunctionInfo::findRelevantVariables(Slice &To) const {
  RelevantVariables Found(P, *this, To.Variables);
  Found.visit(F->getBody());
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : C->inits())
      Found.markAll(Init->getInit());
  Found.close();
}

FunctionInfo::Slice &FunctionInfo::slice() const {
  const unsigned Watch = P.watchNumber();
  if (Newest && Newest->Watch == Watch)
    return *Newest;
  std::optional<Slice> &Mine = !Watch ? Plain
                               : P.watchedBesides() == Program::Matters::Nothing
                                   ? OfUses
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
  return To && (P.compared().isOne(To) || !P.isPayload(To->getType()));
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
      return (Of.IsGlobal ? slice().Variables.contains(V) : isRelevant(V)) &&
             (isa<DeclStmt>(S) || !isPayload(P, V));
    });
    R |= Of.Elsewhere || (Of.Variables.empty() &&
                          (P.watchedBesides() == Program::Matters::Nothing
                               ? storesSomewhere(S)
                               : assigned(S) != nullptr));
  }
  if (!R && !isa<LambdaExpr>(S))
    for (const Stmt *Child : S->children())
      if (Child && isRelevant(Child)) {
        R = true;
        break;
      }
  return Relevance[S] = R;
}
