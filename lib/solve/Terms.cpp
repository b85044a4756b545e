//===- Terms.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/solve/Terms.h"
#include "lib/state/Symbols.h"
#include "lib/values/Bounds.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace cpasync;
using Expr = llvm::SMTExprRef;

static constexpr unsigned Word = 32, Bits = 64;
/// Of a table, older entries that one is compared with.
static constexpr unsigned MaxPairs = 16;
/// What a kernel is given, and blocks of a grid in one direction: with more,
/// sums that say what is next go beyond 32 bits, and nobody means that.
static constexpr int64_t MaxAmount = 1 << 30, MaxBlocks = 1 << 24;

llvm::SMTExprRef Terms::constant(int64_t N) {
  const llvm::APInt Value(Bits, static_cast<uint64_t>(N));
  return Solver.mkBitvector(llvm::APSInt(Value, /*isUnsigned=*/false), Bits);
}

llvm::SMTExprRef Terms::fresh() {
  return Solver.mkSymbol(("n" + std::to_string(Names++)).c_str(),
                         Solver.getBitvectorSort(Bits));
}

llvm::SMTExprRef Terms::low(const Expr &X) {
  return Solver.mkBVExtract(Word - 1, 0, X);
}

llvm::SMTExprRef Terms::isPlain(const Expr &X) {
  return isBetween(X, 0, INT32_MAX);
}

llvm::SMTExprRef Terms::isBetween(const Expr &X, int64_t Lo, int64_t Hi) {
  return Solver.mkAnd(Solver.mkBVSle(constant(Lo), X),
                      Solver.mkBVSle(X, constant(Hi)));
}

void Terms::renew(const Atom *Symbol) {
  ++Renewals[Symbol];
  for (auto I = Known.begin(), E = Known.end(); I != E; ++I)
    if (dependsOn(I->first.first->Alone, Symbol))
      Known.erase(I);
}

void Terms::take(const PastDecision &Decision, PerThreadContext &L,
                 llvm::ArrayRef<int> Witnesses) {
  if (Decision.Renewed)
    return renew(Decision.Renewed);
  const PerThread &Where = *Decision.Where;
  const int First = L.first(&Where);
  if (First < 0)
    return;
  const Int *Of = Decision.Condition;
  llvm::SmallSetVector<int, 8> Some;
  Some.insert(First);
  if (!Of->isUniform()) {
    int Last = L.threads() - 1;
    while (!Where[Last])
      --Last;
    Some.insert(Last);
    for (const int W : Witnesses)
      if (W >= 0 && W < int(L.threads()) && Where[W])
        Some.insert(W);
  }
  for (const int T : Some)
    Solver.addConstraint(implied(Decision.Condition, Decision.Holds, T));
}

// A table holds one number at a place, whatever the place was called when it
// was looked at.
llvm::SMTExprRef Terms::loaded(const Atom *A, unsigned Thread) {
  const Expr Is = fresh();
  addRange(Is, A);
  if (isStable(A->A))
    Uniform[{A, 0}] = Is;
  if (const SymbolOrigin *From = Origins.of(A)) {
    const auto [First, IsNew] = LookedAt.try_emplace(From->E, A);
    if (First->second != A || !isStable(A->A))
      First->second = nullptr;
  }
  const llvm::SaveAndRestore Loading(IsLoading, true);
  const Expr At = value(A->A, Thread);
  unsigned Pairs = 0;
  for (const TableEntry &Old : llvm::reverse(Entries))
    if (Old.Table == A->Origin && Old.Bits == A->Number && ++Pairs <= MaxPairs)
      Solver.addConstraint(Solver.mkOr(Solver.mkNot(Solver.mkEqual(Old.At, At)),
                                       Solver.mkEqual(Old.Is, Is)));
  Entries.push_back({A->Origin, A->Number, At, Is});
  return Is;
}

// A type's width, and whether it is signed; wide if nothing is known.
static std::pair<unsigned, bool> shapeOf(const ASTContext &Ctx,
                                         const SymbolOrigin *From) {
  if (!From || From->Type.isNull() ||
      !From->Type->isIntegralOrEnumerationType())
    return {64, true};
  return {Ctx.getIntWidth(From->Type),
          From->Type->isSignedIntegerOrEnumerationType()};
}

// All that it is computed from is signed, and of 32 bits or less.
bool Terms::isSigned(const Int *I) const {
  return llvm::all_of(I->terms(), [&](const Int::Term &T) {
    if (T.A->isName()) {
      const auto [Width, Signed] = shapeOf(Ctx, Origins.of(T.A));
      return (Width < Word || (Width == Word && Signed)) &&
             !Origins.mayWrap(T.A);
    }
    return llvm::all_of(std::array{T.A->A, T.A->B, T.A->C},
                        [&](const Int *X) { return !X || isSigned(X); });
  });
}

void Terms::addRange(const Expr &X, const Atom *Symbol) {
  Interval R = Symbol->Range;
  const auto [Width, Signed] = shapeOf(Ctx, Origins.of(Symbol));
  if (Width < Bits)
    R = intersect(R, {Signed ? -(int64_t(1) << (Width - 1)) : 0,
                      (int64_t(1) << (Signed ? Width - 1 : Width)) - 1});
  Solver.addConstraint(isBetween(X, R.Lo, R.Hi));
}

void Terms::addUsual(const Expr &X, const Atom *Symbol) {
  if (Symbols::isInGrid(Symbol)) {
    Solver.addConstraint(Solver.mkBVSle(X, constant(MaxBlocks)));
    for (const auto &[Other, Y] : uniform())
      if (Symbols::isBlockOf(Symbol, Other.first))
        Solver.addConstraint(Solver.mkBVSlt(X, Y));
      else if (Symbols::isBlockOf(Other.first, Symbol))
        Solver.addConstraint(Solver.mkBVSlt(Y, X));
    return;
  }
  const SymbolOrigin *From = Origins.of(Symbol);
  if (From && !From->Type.isNull() && From->Type->isIntegerType() &&
      Symbols::isGiven(Symbol->Alone))
    Solver.addConstraint(isBetween(X, Given.Least, MaxAmount));
}

llvm::SMTExprRef Terms::symbol(const Atom *A, unsigned Thread) {
  const Meaning Now = {A, Renewals.lookup(A)};
  if (!IsLoading)
    Loads.erase(A);
  Expr *At = nullptr;
  if (A->isUniform())
    At = &Uniform[Now];
  else
    At = &Others[{Now,
                  A->Same == Uniformity::Warp ? Thread / WarpThreads : Thread}];
  if (!*At) {
    if (IsLoading)
      Loads.insert(A);
    const Expr New = fresh();
    *At = New;
    addRange(New, A);
    if (!Given.IsAny)
      addUsual(New, A);
    if (Given.Parameters && Origins.isParameter(A))
      Solver.addConstraint(Solver.mkEqual(New, constant(*Given.Parameters)));
    return New;
  }
  return *At;
}

llvm::SMTExprRef Terms::value(const Int *I, unsigned Thread) {
  Expr Sum = constant((*I->base())[Thread]);
  for (const Int::Term &T : I->terms()) {
    const int64_t Factor = (*T.Coefficient)[Thread];
    if (Factor == 0)
      continue;
    const Expr X = valueOf(T.A, Thread);
    Sum = Solver.mkBVAdd(Sum,
                         Factor == 1 ? X : Solver.mkBVMul(constant(Factor), X));
  }
  return Sum;
}

llvm::SMTExprRef Terms::valueOf(const Atom *A, unsigned Thread) {
  if (A->Kind == Atom::Op::Symbol)
    return symbol(A, Thread);
  const std::pair Key(A, A->isUniform() ? 0 : Thread);
  if (const Expr Old = Known.lookup(Key))
    return Old;
  const Expr New = newValueOf(A, Thread);
  Known[Key] = New;
  return New;
}

llvm::SMTExprRef Terms::newValueOf(const Atom *A, unsigned Thread) {
  auto Of = [&](const Int *I) { return value(I, Thread); };
  switch (A->Kind) {
  case Atom::Op::Mul:
    return Solver.mkBVMul(Of(A->A), Of(A->B));
  case Atom::Op::And:
    return Solver.mkBVAnd(Of(A->A), Of(A->B));
  case Atom::Op::Or:
    return Solver.mkBVOr(Of(A->A), Of(A->B));
  case Atom::Op::Xor:
    return Solver.mkBVXor(Of(A->A), Of(A->B));
  case Atom::Op::Div:
  case Atom::Op::Rem:
    return divided(A, Thread);
  case Atom::Op::Min:
  case Atom::Op::Max:
    return extreme(A, Thread);
  case Atom::Op::Cast:
    return narrowed(Of(A->A), A->B->constant());
  case Atom::Op::Within:
    return Of(A->A);
  case Atom::Op::Select:
    return Solver.mkIte(decided(A->A, Thread), Of(A->B), Of(A->C));
  case Atom::Op::Eq:
  case Atom::Op::Lt:
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
    return Solver.mkIte(decided(A->Alone, Thread), constant(1), constant(0));
  case Atom::Op::Load:
    return loaded(A, Thread);
  case Atom::Op::Symbol:
  case Atom::Op::Shl:
  case Atom::Op::Shr:
  case Atom::Op::Any:
    break;
  }
  const Expr Unknown = fresh();
  addRange(Unknown, A);
  return Unknown;
}

// On words: a solver takes its time for a wide division.
llvm::SMTExprRef Terms::divided(const Atom *A, unsigned Thread) {
  const Expr X = value(A->A, Thread), Y = value(A->B, Thread), Other = fresh();
  const Expr IsKnown = Solver.mkAnd(
      isPlain(X),
      Solver.mkAnd(isPlain(Y), Solver.mkNot(Solver.mkEqual(Y, constant(0)))));
  if (Given.Parameters)
    Solver.addConstraint(IsKnown);
  auto Widened = [&](const Expr &E) {
    return Solver.mkBVZeroExt(Bits - Word, E);
  };
  if (A->Kind == Atom::Op::Div)
    return Solver.mkIte(IsKnown, Widened(Solver.mkBVUDiv(low(X), low(Y))),
                        Other);
  if (A->B->isConstant() && A->B->constant() > 0) {
    const int64_t By = A->B->constant();
    Solver.addConstraint(isBetween(Other, 1 - By, By - 1));
    // A multiple leaves nothing, whichever sign and type it has.
    const Expr IsNone = Solver.mkEqual(Other, constant(0));
    if (llvm::isPowerOf2_64(By))
      Solver.addConstraint(Solver.mkEqual(
          IsNone,
          Solver.mkEqual(Solver.mkBVAnd(X, constant(By - 1)), constant(0))));
    else if (isSigned(A->A))
      Solver.addConstraint(Solver.mkOr(
          Solver.mkNot(isBetween(X, INT32_MIN, INT32_MAX)),
          Solver.mkEqual(IsNone, Solver.mkEqual(Solver.mkBVSRem(low(X), low(Y)),
                                                low(constant(0))))));
  }
  return Solver.mkIte(IsKnown, Widened(Solver.mkBVURem(low(X), low(Y))), Other);
}

llvm::SMTExprRef Terms::extreme(const Atom *A, unsigned Thread) {
  const Expr X = value(A->A, Thread), Y = value(A->B, Thread);
  const Expr Less = Solver.mkBVSlt(X, Y);
  const Expr First = A->Kind == Atom::Op::Min ? Less : Solver.mkNot(Less);
  const Expr IsKnown =
      isSigned(A->A) && isSigned(A->B)
          ? Solver.mkAnd(doesNotOverflow(A->A, X), doesNotOverflow(A->B, Y))
          : Solver.mkAnd(isPlain(X), isPlain(Y));
  return Solver.mkIte(IsKnown, Solver.mkIte(First, X, Y), fresh());
}

llvm::SMTExprRef Terms::narrowed(Expr X, int ToBits) {
  const unsigned Width = std::abs(ToBits);
  if (Width >= Word)
    return X;
  const Expr Part = Solver.mkBVExtract(Width - 1, 0, X);
  return ToBits < 0 ? Solver.mkBVSignExt(Bits - Width, Part)
                    : Solver.mkBVZeroExt(Bits - Width, Part);
}

llvm::SMTExprRef Terms::decided(const Int *Condition, unsigned Thread) {
  const Expr Is = Solver.mkEqual(fresh(), constant(0));
  const Expr Not = Solver.mkNot(Is);
  Solver.addConstraint(Solver.mkOr(Not, implied(Condition, true, Thread)));
  Solver.addConstraint(Solver.mkOr(Is, implied(Condition, false, Thread)));
  return Is;
}

llvm::SMTExprRef Terms::implied(const Int *C, bool Holds, unsigned Thread) {
  if (C->isKnown())
    return truth(((*C->base())[Thread] != 0) == Holds);
  if (const Atom *A = asAtom(C))
    return impliedByAtom(A, Holds, Thread);
  return impliedByEqual(C, !Holds, Thread);
}

llvm::SMTExprRef Terms::impliedByAtom(const Atom *A, bool Holds,
                                      unsigned Thread) {
  auto Of = [&](const Int *I, bool B) { return implied(I, B, Thread); };
  switch (A->Kind) {
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
    return Holds == (A->Kind == Atom::Op::LAnd)
               ? Solver.mkAnd(Of(A->A, Holds), Of(A->B, Holds))
               : Solver.mkOr(Of(A->A, Holds), Of(A->B, Holds));
  case Atom::Op::Select:
    return Solver.mkOr(Solver.mkAnd(Of(A->A, true), Of(A->B, Holds)),
                       Solver.mkAnd(Of(A->A, false), Of(A->C, Holds)));
  case Atom::Op::Lt:
    return impliedByLess(A->A, Holds, Thread);
  case Atom::Op::Eq:
    if (const Atom *Inner = asAtom(A->A);
        Inner && Inner->Range == Interval{0, 1})
      return Of(A->A, !Holds);
    return impliedByEqual(A->A, Holds, Thread);
  case Atom::Op::Any:
    return truth(true);
  default:
    return impliedByEqual(A->Alone, !Holds, Thread);
  }
}

llvm::SMTExprRef Terms::doesNotOverflow(const Int *I, const Expr &X) {
  return isSigned(I) ? isBetween(X, INT32_MIN, INT32_MAX) : truth(true);
}

// In one of the ways in which it may have been compared.
llvm::SMTExprRef Terms::anyOf(const Int *Difference, unsigned Thread,
                              llvm::function_ref<Expr(const Pair &)> Follows) {
  Expr Any = truth(false);
  for (const Comparands &C : Origins.comparands(Difference)) {
    Pair P = {value(C.Left, Thread), value(C.Right, Thread),
              Ctx.getIntWidth(C.Type),
              C.Type->isSignedIntegerOrEnumerationType()};
    Expr Fits = truth(true);
    if (P.Width <= Word && P.IsSigned)
      Fits = Solver.mkAnd(doesNotOverflow(C.Left, P.Left),
                          doesNotOverflow(C.Right, P.Right));
    Any = Solver.mkOr(Any, Solver.mkAnd(Fits, Follows(P)));
  }
  return Any;
}

// Equal numbers are modulo 2^32, too. Numbers that differ may not where they
// are wider.
llvm::SMTExprRef Terms::impliedByEqual(const Int *Difference, bool Holds,
                                       unsigned Thread) {
  const Expr X = value(Difference, Thread);
  const Expr Is = Holds ? Solver.mkEqual(low(X), low(constant(0)))
                        : Solver.mkNot(Solver.mkEqual(X, constant(0)));
  if (Origins.comparands(Difference).empty())
    return Is;
  return anyOf(Difference, Thread, [&](const Pair &P) {
    return Holds || P.Width > Word
               ? Is
               : Solver.mkNot(Solver.mkEqual(low(P.Left), low(P.Right)));
  });
}

llvm::SMTExprRef Terms::impliedByLess(const Int *Difference, bool Holds,
                                      unsigned Thread) {
  if (Origins.comparands(Difference).empty())
    return truth(true);
  return anyOf(Difference, Thread, [&](const Pair &P) {
    const bool IsWide = P.Width > Word;
    const Expr X = IsWide ? P.Left : low(P.Left),
               Y = IsWide ? P.Right : low(P.Right);
    const Expr Less = P.IsSigned ? Solver.mkBVSlt(X, Y) : Solver.mkBVUlt(X, Y);
    const Expr Is = Holds ? Less : Solver.mkNot(Less);
    return IsWide ? Solver.mkOr(
                        Solver.mkNot(Solver.mkAnd(isPlain(X), isPlain(Y))), Is)
                  : Is;
  });
}
