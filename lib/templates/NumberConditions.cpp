//===- NumberConditions.cpp -----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/NumberConditions.h"
#include "lib/source/Layouts.h"
#include "lib/templates/Instantiator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace clang;
using namespace cpasync;

/// Of one condition, the constants included that it is made of: whose has more
/// is left to Clang.
static constexpr unsigned MaxOperations = 256;

/// Numbers as mathematics has them: what does not fit is not known.
class NumberConditions::Evaluator {
public:
  Evaluator(const NumberConditions &Of, const Values &Known)
      : Ctx(Of.Ctx), Parameters(Of.Parameters), Known(Known) {}

  /// With no values, which it hangs on is all that is asked for.
  llvm::SmallVector<unsigned, 4> Asked;
  bool HangsOnOthers = false;

  std::optional<int64_t> value(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (++Operations > MaxOperations)
      return other();
    if (!E->isInstantiationDependent()) {
      const auto N = Layouts(Ctx).integer(E);
      return N ? N->tryExtValue() : other();
    }
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return value(D);
    if (const auto *C = dyn_cast<CXXUnresolvedConstructExpr>(E);
        C && C->getNumArgs() == 1)
      return value(C->getArg(0));
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return value(U);
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return value(B);
    if (const auto *C = dyn_cast<ConditionalOperator>(E))
      return value(C);
    if (const auto *S = dyn_cast<UnaryExprOrTypeTraitExpr>(E))
      return sizeOf(S);
    return other();
  }

private:
  std::optional<int64_t> other() {
    HangsOnOthers = true;
    return std::nullopt;
  }
  std::optional<int64_t> parameter(unsigned Depth, unsigned Index) {
    const auto At = Parameters.find({Depth, Index});
    if (At == Parameters.end())
      return other();
    if (!llvm::is_contained(Asked, At->second))
      Asked.push_back(At->second);
    return Known[At->second];
  }
  std::optional<int64_t> value(const DeclRefExpr *E) {
    if (const auto *P = dyn_cast<NonTypeTemplateParmDecl>(E->getDecl()))
      return parameter(P->getDepth(), P->getIndex());
    const auto *V = dyn_cast<VarDecl>(E->getDecl());
    if (!V || !(V->isConstexpr() || V->getType().isConstQualified()) ||
        !V->getInit())
      return other();
    return value(V->getInit());
  }
  std::optional<int64_t> sizeOf(const UnaryExprOrTypeTraitExpr *E) {
    const auto *T = E->getKind() == UETT_SizeOf && E->isArgumentType()
                        ? E->getArgumentType()->getAs<TemplateTypeParmType>()
                        : nullptr;
    return T ? parameter(T->getDepth(), T->getIndex()) : other();
  }
  std::optional<int64_t> value(const UnaryOperator *E) {
    const auto N = value(E->getSubExpr());
    switch (E->getOpcode()) {
    case UO_Plus:
      return N;
    case UO_Minus:
      return N ? llvm::checkedSub<int64_t>(0, *N) : std::nullopt;
    case UO_LNot:
      return N ? std::optional<int64_t>(*N == 0) : std::nullopt;
    default:
      return other();
    }
  }
  std::optional<int64_t> value(const ConditionalOperator *E) {
    const auto C = value(E->getCond()), A = value(E->getTrueExpr()),
               B = value(E->getFalseExpr());
    return !C ? std::nullopt : *C ? A : B;
  }
  // Both sides, for what they hang on.
  std::optional<int64_t> value(const BinaryOperator *E) {
    const auto A = value(E->getLHS()), B = value(E->getRHS());
    const BinaryOperatorKind Op = E->getOpcode();
    // One side is enough here.
    if (Op == BO_LAnd && ((A && !*A) || (B && !*B)))
      return 0;
    if (Op == BO_LOr && ((A && *A) || (B && *B)))
      return 1;
    if (E->isAssignmentOp() || E->isPtrMemOp() || E->isCommaOp() ||
        Op == BO_Cmp)
      return other();
    if (!A || !B)
      return std::nullopt;
    switch (Op) {
    case BO_LAnd:
      return 1;
    case BO_LOr:
      return 0;
    case BO_EQ:
      return *A == *B;
    case BO_NE:
      return *A != *B;
    case BO_LT:
      return *A < *B;
    case BO_LE:
      return *A <= *B;
    case BO_GT:
      return *A > *B;
    case BO_GE:
      return *A >= *B;
    case BO_Add:
      return llvm::checkedAdd(*A, *B);
    case BO_Sub:
      return llvm::checkedSub(*A, *B);
    case BO_Mul:
      return llvm::checkedMul(*A, *B);
    case BO_Div:
      return *B > 0 ? std::optional(*A / *B) : std::nullopt;
    case BO_Rem:
      return *B > 0 ? std::optional(*A % *B) : std::nullopt;
    case BO_Shl:
      return *B >= 0 && *B < 32 ? llvm::checkedMul(*A, int64_t(1) << *B)
                                : std::nullopt;
    case BO_Shr:
      return *A >= 0 && *B >= 0 && *B < 64 ? std::optional(*A >> *B)
                                           : std::nullopt;
    case BO_And:
      return *A & *B;
    case BO_Or:
      return *A | *B;
    case BO_Xor:
      return *A ^ *B;
    default:
      llvm_unreachable("no operator of a constant");
    }
  }

  ASTContext &Ctx;
  const Places &Parameters;
  const Values &Known;
  unsigned Operations = 0;
};

// Of what is joined by '&&', each.
void NumberConditions::add(const Expr *E, bool IsAsserted) {
  E = E->IgnoreParenImpCasts();
  while (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->getOpcode() != BO_LAnd)
      break;
    add(B->getRHS(), IsAsserted);
    E = B->getLHS()->IgnoreParenImpCasts();
  }
  const Values None(Parameters.size());
  Evaluator Reads(*this, None);
  Reads.value(E);
  if (Reads.HangsOnOthers || Reads.Asked.empty())
    return;
  llvm::sort(Reads.Asked);
  Conditions.push_back({E, Reads.Asked, IsAsserted});
}

NumberConditions::NumberConditions(const TemplateLevels &Of)
    : Ctx(Of.Pattern->getASTContext()) {
  for (const NamedDecl *P : Of.parameters()) {
    const unsigned Place = Parameters.size();
    if (const auto *N = dyn_cast<NonTypeTemplateParmDecl>(P))
      Parameters[{N->getDepth(), N->getIndex()}] = Place;
    else if (const auto *T = dyn_cast<TemplateTypeParmDecl>(P))
      Parameters[{T->getDepth(), T->getIndex()}] = Place;
    else if (const auto *T = dyn_cast<TemplateTemplateParmDecl>(P))
      Parameters[{T->getDepth(), T->getIndex()}] = Place;
  }
  struct Reader : RecursiveASTVisitor<Reader> {
    explicit Reader(NumberConditions &To) : To(To) {}
    bool VisitStaticAssertDecl(StaticAssertDecl *D) {
      To.add(D->getAssertExpr(), /*IsAsserted=*/true);
      return true;
    }
    bool VisitVarDecl(VarDecl *D) {
      if (D->isConstexpr() && D->isStaticDataMember() && D->getInit())
        To.add(D->getInit(), /*IsAsserted=*/false);
      return true;
    }
    // Those of other members do not count, but those around it do.
    bool TraverseFunctionDecl(FunctionDecl *F) {
      return Inside != F || RecursiveASTVisitor::TraverseFunctionDecl(F);
    }
    bool TraverseCXXMethodDecl(CXXMethodDecl *F) {
      return Inside != F || RecursiveASTVisitor::TraverseCXXMethodDecl(F);
    }
    const Decl *Inside = nullptr;
    NumberConditions &To;
  };
  Reader R(*this);
  R.Inside = Of.Pattern;
  for (const auto *D = Of.Pattern; D && D->isTemplated();
       D = dyn_cast<NamedDecl>(D->getDeclContext()))
    R.TraverseDecl(const_cast<NamedDecl *>(D));
}

/// One parameter after the other, first those that one condition fixes; back
/// from where nothing goes.
class NumberConditions::Solver {
public:
  Solver(const NumberConditions &Of, const Values &Known,
         const NumberConditions::Candidates &Candidates)
      : Of(Of), Now(Known), Candidates(Candidates) {
    for (unsigned I = 0; I < Now.size(); ++I)
      if (!Candidates[I].empty())
        Now[I] = std::nullopt;
    const auto IsFixed = [&](unsigned I) {
      return llvm::any_of(Of.Conditions, [&](const Condition &C) {
        return C.Parameters.size() == 1 && C.Parameters[0] == I && equation(C);
      });
    };
    for (const bool Fixed : {true, false})
      for (unsigned I = 0; I < Now.size(); ++I)
        if (!Candidates[I].empty() && IsFixed(I) == Fixed)
          Order.push_back(I);
  }
  std::optional<Values> run() {
    return from(0) ? std::optional(Now) : std::nullopt;
  }

private:
  bool from(unsigned At) {
    if (At == Order.size())
      return true;
    const unsigned I = Order[At];
    llvm::SmallVector<int64_t, 16> Tried;
    for (const int64_t N : asked(I))
      if (!llvm::is_contained(Tried, N)) {
        Tried.push_back(N);
        Now[I] = N;
        if (++Tries > MaxTries)
          return false;
        if (holds(I) && from(At + 1))
          return true;
      }
    Now[I] = std::nullopt;
    return false;
  }
  /// All conditions on parameter \p I of which all is known. A division by 0
  /// does not hold.
  bool holds(unsigned I) const {
    return llvm::all_of(Of.Conditions, [&](const Condition &C) {
      if (!isKnown(C, I))
        return true;
      const auto N = value(C.E);
      return N && (*N != 0 || !C.IsAsserted);
    });
  }
  /// \p C is on parameter \p I and otherwise on what has a number.
  bool isKnown(const Condition &C, unsigned I) const {
    return llvm::is_contained(C.Parameters, I) &&
           llvm::all_of(C.Parameters,
                        [&](unsigned P) { return P == I || Now[P]; });
  }
  std::optional<int64_t> value(const Expr *E) const {
    return Evaluator(Of, Now).value(E);
  }
  static const BinaryOperator *comparison(const Condition &C) {
    const auto *B = dyn_cast<BinaryOperator>(C.E->IgnoreParenCasts());
    return C.IsAsserted && B && B->isComparisonOp() ? B : nullptr;
  }
  static const BinaryOperator *equation(const Condition &C) {
    const auto *B = comparison(C);
    return B && B->getOpcode() == BO_EQ ? B : nullptr;
  }
  /// What to try for \p I: where an equation is linear in it, its solution;
  /// then the candidates, and numbers that it is compared with.
  llvm::SmallVector<int64_t, 16> asked(unsigned I) {
    llvm::SmallVector<int64_t, 16> All;
    for (const Condition &C : Of.Conditions)
      if (const BinaryOperator *B = isKnown(C, I) ? equation(C) : nullptr)
        if (const auto N = solution(*B, I))
          All.push_back(*N);
    const auto Divisors = divisors(I);
    // Padding in whole lines, which a swizzle does without.
    if (!Divisors.empty() && llvm::is_contained(Candidates[I], 0))
      All.push_back(0);
    llvm::append_range(All, Candidates[I]);
    llvm::append_range(All, Divisors);
    for (const Condition &C : Of.Conditions)
      if (const auto *B = isKnown(C, I) ? comparison(C) : nullptr)
        for (const Expr *Side : {B->getLHS(), B->getRHS()})
          if (const auto N = value(Side); N && std::abs(*N) < INT32_MAX)
            All.append({*N, *N + 1, *N - 1});
    return All;
  }
  static constexpr int64_t FarAway = 1000003; ///< a prime
  /// What \p I is to be a multiple of, and twice that.
  llvm::SmallVector<int64_t, 4> divisors(unsigned I) const {
    llvm::SmallVector<int64_t, 4> Found;
    for (const Condition &C : Of.Conditions) {
      const BinaryOperator *B = isKnown(C, I) ? equation(C) : nullptr;
      const auto *Rest =
          B ? dyn_cast<BinaryOperator>(B->getLHS()->IgnoreParenCasts())
            : nullptr;
      if (!Rest || Rest->getOpcode() != BO_Rem)
        continue;
      if (const auto N = value(Rest->getRHS()); N && *N > 0 && *N < INT32_MAX)
        Found.append({*N, 2 * *N});
    }
    return Found;
  }
  /// Of how the sides differ at 1 and at 2, as at 0 what it divides has no
  /// value.
  std::optional<int64_t> solution(const BinaryOperator &B, unsigned I) {
    const auto DifferenceAt = [&](int64_t N) -> std::optional<int64_t> {
      Now[I] = N;
      const auto X = value(B.getLHS()), Y = value(B.getRHS());
      Now[I] = std::nullopt;
      return X && Y ? llvm::checkedSub(*X, *Y) : std::nullopt;
    };
    const auto One = DifferenceAt(1), Two = DifferenceAt(2);
    const auto Slope = One && Two ? llvm::checkedSub(*Two, *One) : std::nullopt;
    if (!Slope || *Slope == 0 || *One == INT64_MIN || *One % *Slope != 0)
      return std::nullopt;
    // Small numbers are the rests of their divisions.
    const auto Far = DifferenceAt(FarAway);
    if (!Far || *Far != llvm::checkedMulAdd(*Slope, FarAway - 1, *One))
      return std::nullopt;
    return llvm::checkedSub<int64_t>(1, *One / *Slope);
  }

  const NumberConditions &Of;
  Values Now;
  const NumberConditions::Candidates &Candidates;
  llvm::SmallVector<unsigned, 16> Order;
  unsigned Tries = 0;
};

std::optional<NumberConditions::Values>
NumberConditions::solve(const Values &Known,
                        const Candidates &Candidates) const {
  return Solver(*this, Known, Candidates).run();
}
