//===- Coordinates.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Coordinates.h"
#include "lib/source/Expressions.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

namespace {
/// What becomes of a number.
struct Sink {
  bool Counts = false;           ///< something that is analysed
  const VarDecl *Into = nullptr; ///< what that variable is used for
};
constexpr Sink Nothing = {}, Something = {/*Counts=*/true};

/// The variables of one function that are used for more than coordinates.
class UsedVariables {
public:
  UsedVariables(Program &P, Coordinates &Of) : P(P), Of(Of) {}

  void visit(const Stmt *S, Sink To);
  /// Once all is visited: with what they are computed from.
  llvm::DenseSet<const VarDecl *> close() &&;

private:
  void visitExpr(const Expr *E, Sink To);
  void visitCall(const CallExpr *C, Sink To);
  void visitAssignment(const Expr *Left, const Expr *Right, Sink To);
  void visitChildren(const Stmt *S, Sink To) {
    for (const Stmt *Child : S->children())
      visit(Child, To);
  }
  void use(const VarDecl *V, Sink To) {
    if (To.Counts)
      Used.insert(V);
    else if (To.Into)
      ComputedFrom[To.Into].push_back(V);
  }

  Program &P;
  Coordinates &Of;
  llvm::DenseSet<const VarDecl *> Used;
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<const VarDecl *, 4>>
      ComputedFrom;
};
} // namespace

// Holds numbers and nothing else that a copy or the end of its life does.
static bool isPlain(QualType T) {
  if (const auto *A = T->getAsArrayTypeUnsafe())
    return isPlain(A->getElementType());
  if (T->isIntegralOrEnumerationType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  return R && !R->isUnion() && R->hasTrivialDestructor() &&
         llvm::all_of(
             R->fields(),
             [](const FieldDecl *F) { return isPlain(F->getType()); }) &&
         llvm::all_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return isPlain(B.getType());
         });
}

// The local variable that \p Place is, or is part of; one that it is read
// through may be a reference.
static const VarDecl *plainVariable(const Expr *Place, bool ToRead = false) {
  Place = Place->IgnoreParenImpCasts();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Place))
    return plainVariable(A->getBase(), ToRead);
  if (const auto *M = dyn_cast<MemberExpr>(Place))
    return M->isArrow() ? nullptr : plainVariable(M->getBase(), ToRead);
  const auto *D = dyn_cast<DeclRefExpr>(Place);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->hasLocalStorage())
    return nullptr;
  const QualType T = V->getType();
  return isPlain(ToRead ? T.getNonReferenceType() : T) ? V : nullptr;
}

void UsedVariables::visit(const Stmt *S, Sink To) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    return visitExpr(E, To);
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X))
        visit(V->getInit(), V->hasLocalStorage() && isPlain(V->getType())
                                ? Sink{false, V}
                                : Something);
    return;
  }
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0, N = A->getNumOutputs(); I < N; ++I)
      visit(A->getOutputExpr(I), Something);
    for (unsigned I = 0, N = A->getNumInputs(); I < N; ++I)
      visit(A->getInputExpr(I),
            Of.isOnly(A, A->getNumOutputs() + I) ? Nothing : Something);
    return;
  }
  if (const auto *F = dyn_cast<ForStmt>(S)) {
    visit(F->getInit(), Nothing);
    visit(F->getCond(), Something);
    visit(F->getInc(), Nothing);
    return visit(F->getBody(), Nothing);
  }
  const bool IsKnown = isa<CompoundStmt, LabelStmt, AttributedStmt, SwitchCase,
                           IfStmt, WhileStmt, DoStmt, SwitchStmt>(S);
  const Stmt *Condition = conditionOf(S);
  if (const auto *If = dyn_cast<IfStmt>(S))
    Condition = If->getCond();
  else if (const auto *Of = dyn_cast<SwitchStmt>(S))
    Condition = Of->getCond();
  for (const Stmt *Child : S->children())
    visit(Child, IsKnown && Child != Condition ? Nothing : Something);
}

void UsedVariables::visitAssignment(const Expr *Left, const Expr *Right,
                                    Sink To) {
  const VarDecl *V = plainVariable(Left);
  if (!V) {
    visit(Left, Something);
    return visit(Right, Something);
  }
  use(V, To); // the result of the assignment
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Left->IgnoreParens()))
    visit(A->getIdx(), Something);
  visit(Right, {false, V});
}

void UsedVariables::visitExpr(const Expr *E, Sink To) {
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp())
      return visitAssignment(B->getLHS(), B->getRHS(), To);
    if (B->getOpcode() == BO_Comma) {
      visit(B->getLHS(), Nothing);
      return visit(B->getRHS(), To);
    }
    return visitChildren(B, To);
  }
  if (const VarDecl *V = variableBehind(E))
    return use(V, To);
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    const bool IsPlace =
        U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref;
    return visit(U->getSubExpr(), IsPlace ? Something : To);
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return visitCall(C, To);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    const bool IsCopy = C->getConstructor()->isTrivial();
    return visitChildren(C, IsCopy ? To : Something);
  }
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return visit(M->getBase(), M->isArrow() ? Something : To);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return visitChildren(A, plainVariable(A, /*ToRead=*/true) ? To : Something);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    visit(C->getCond(), To);
    visit(C->getTrueExpr(), To);
    return visit(C->getFalseExpr(), To);
  }
  visitChildren(E, isa<CastExpr, ParenExpr, InitListExpr, ExprWithCleanups,
                       MaterializeTemporaryExpr>(E)
                       ? To
                       : Something);
}

void UsedVariables::visitCall(const CallExpr *C, Sink To) {
  const FunctionDecl *Callee = C->getDirectCallee();
  // Of a function that does nothing else the result is all there is.
  const bool IsPure = Callee && Callee->hasBody() && P.changesNothing(Callee);
  visit(C->getCallee(), IsPure ? To : Something);
  for (unsigned I = 0, N = C->getNumArgs(); I < N; ++I)
    visit(C->getArg(I), IsPure ? To : Of.isOnly(C, I) ? Nothing : Something);
}

llvm::DenseSet<const VarDecl *> UsedVariables::close() && {
  llvm::SmallVector<const VarDecl *, 16> Work(Used.begin(), Used.end());
  while (!Work.empty())
    for (const VarDecl *From : ComputedFrom.lookup(Work.pop_back_val()))
      if (Used.insert(From).second)
        Work.push_back(From);
  return std::move(Used);
}

std::vector<bool> Coordinates::usedParameters(const FunctionDecl *Body) {
  return Used.of(Body, [&] {
    UsedVariables Of(P, *this);
    Of.visit(Body->getBody(), Nothing);
    const llvm::DenseSet<const VarDecl *> Found = std::move(Of).close();
    std::vector<bool> Result;
    for (const ParmVarDecl *Parm : Body->parameters())
      Result.push_back(!isPlain(Parm->getType().getNonReferenceType()) ||
                       Found.contains(Parm));
    return Result;
  });
}

bool Coordinates::isOnly(const CallExpr *C, unsigned I) {
  const FunctionDecl *Callee = C->getDirectCallee(), *Body = nullptr;
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
  if (!Callee || P.recognizer().api(Callee) != ApiKind::None ||
      (Method && (Method->isVirtual() || isa<CXXOperatorCallExpr>(C))) ||
      !Callee->hasBody(Body) || P.isTooDeep(Body) || I >= Body->getNumParams())
    return false;
  const QualType T = Body->getParamDecl(I)->getType();
  if (T->isReferenceType() && !T->getPointeeType().isConstQualified())
    return false;
  const std::vector<bool> Parameters = usedParameters(Body);
  // Of a function that calls itself nothing is known yet in the first round.
  return Parameters.empty() || !Parameters[I];
}

namespace {
/// Where an operand of an asm statement is named.
struct OperandMentions {
  bool AsCoordinate = false, Otherwise = false;

  void add(const PtxOperand &Op, int Index, bool IsCoordinate) {
    if (Op.AsmIndex == Index || Op.OffsetIndex == Index)
      (IsCoordinate ? AsCoordinate : Otherwise) = true;
    for (const PtxOperand &Element : Op.Elements)
      add(Element, Index, IsCoordinate);
    for (const PtxOperand &Second : Op.Paired)
      add(Second, Index, false);
  }
};
} // namespace

static bool copiesTensor(const PtxInstruction &I) {
  return I.has("tensor") && (I.startsWith("cp.async.bulk") ||
                             I.startsWith("cp.reduce.async.bulk"));
}

bool Coordinates::isOnly(const GCCAsmStmt *A, unsigned I) {
  const auto &Text = P.recognizer().inlineAsm(A).Template.Instructions;
  if (llvm::none_of(Text, copiesTensor))
    return false;
  OperandMentions Found;
  for (const PtxInstruction &Inst : Text) {
    for (const PtxOperand &Guard : Inst.Guard)
      Found.add(Guard, I, false);
    for (const PtxOperand &Op : Inst.Operands) {
      // [map, {coordinates}]
      const bool IsPlace = copiesTensor(Inst) && Op.Elements.size() > 1 &&
                           Op.K == PtxOperand::Kind::Address;
      if (!IsPlace) {
        Found.add(Op, I, false);
        continue;
      }
      Found.add(Op.Elements[0], I, false);
      for (const PtxOperand &Place : llvm::drop_begin(Op.Elements))
        Found.add(Place, I, true);
      Found.Otherwise |= Op.OffsetIndex == int(I);
    }
  }
  return Found.AsCoordinate && !Found.Otherwise;
}
