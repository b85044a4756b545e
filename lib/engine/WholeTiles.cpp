//===- WholeTiles.cpp - One of several numbers, decided before its use ----===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The length of a tile is a constant, or what is left for the last one. Once
// the path has decided which, a loop over it has as many rounds as it says, and
// the loop over whole tiles repeats.
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Branches.h"
#include "lib/engine/Executor.h"
#include "lib/inference/ShortTiles.h"
#include "lib/source/Expressions.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace clang;
using namespace cpasync;

// Of a condition: it asks for the length of a whole tile, which is
// known, or of what is left.
static bool mayBeWhole(const Int *I, unsigned Depth = PathCondition::MaxDepth) {
  auto IsConstant = [](const Int *X) { return X && X->isConstant(); };
  return Depth > 0 && llvm::any_of(I->terms(), [&](const Int::Term &T) {
           const bool Chooses = T.A->Kind == Atom::Op::Min ||
                                T.A->Kind == Atom::Op::Max ||
                                T.A->Kind == Atom::Op::Select;
           const Int *X = T.A->Kind == Atom::Op::Select ? T.A->C : T.A->A;
           return (Chooses && (IsConstant(X) || IsConstant(T.A->B))) ||
                  llvm::any_of(std::array{T.A->A, T.A->B, T.A->C},
                               [&](const Int *Operand) {
                                 return Operand &&
                                        mayBeWhole(Operand, Depth - 1);
                               });
         });
}

std::optional<PathCondition::Selection> Branches::openLength(State &S,
                                                             const Int *Of) {
  const Int *Asked = asIn(V, Of, S.Active);
  return mayBeWhole(Asked) ? S.Condition.undecidedSelection(V, Asked)
                           : std::nullopt;
}

// `R < Rows`, where that is `min(8, Left)`, is no more than `R < Left` as long
// as R is less than eight.
std::optional<PathCondition::Selection> Branches::comparedTile(State &S,
                                                               const Expr *E) {
  const auto *Comparison = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  if (!Comparison || !Comparison->isComparisonOp() || !S.hangsOnTables())
    return std::nullopt;
  for (const Expr *Side : {Comparison->getRHS(), Comparison->getLHS()})
    if (const VarDecl *Rows = namedVariable(Side->IgnoreParenImpCasts());
        Rows && Rows->hasLocalStorage() && !Rows->getType()->isReferenceType())
      if (const Value X = Eval.eval(S, Side); X.isInt())
        if (const auto First = openLength(S, X.I)) {
          Interp.Known.FoundTiles = true;
          return First;
        }
  return std::nullopt;
}

std::optional<PathCondition::Selection>
Branches::wholeOrRest(State &S, const Expr *E, const Int *Condition,
                      bool IsLoop) {
  const bool IsShort = Interp.Known.ShortTiles;
  if (IsLoop || IsShort)
    if (const auto First = openLength(S, Condition))
      return First;
  if (!IsShort && Interp.Known.FoundTiles) // nothing else is asked of them
    return std::nullopt;
  const auto Tile = comparedTile(S, E);
  return IsShort ? Tile : std::nullopt;
}

// What was decided of a number that is one of several, while nobody knew of
// which, may not be so of the one that is chosen.
static bool contradictsItself(ValueContext &V, const PathCondition &Decided) {
  auto Now = [&](const Int *I) {
    return Decided.simplify(V, I, V.lanes().all());
  };
  return llvm::any_of(Decided.bounds(),
                      [&](const PathCondition::Bound &B) {
                        const Int *I = Now(B.Form);
                        return I->isConstant() && (I->constant() < B.Range.Lo ||
                                                   I->constant() > B.Range.Hi);
                      }) ||
         llvm::any_of(Decided.choices(), [&](const PathCondition::Choice &K) {
           const Int *I = Now(K.Condition);
           return !K.OnlyIn && I->isConstant() &&
                  (I->constant() != 0) != K.Holds;
         });
}

void Branches::shorten(State &Path, const Int *Rest, const Int *Whole,
                       SourceLocation Loc) {
  const Int *IsShort = shortTile(V, Path.Condition, Rest, Whole);
  if (!IsShort)
    return;
  Interp.Known.FoundTiles |= Path.hangsOnTables();
  if (!Interp.Known.ShortTiles)
    return;
  PathCondition Short = Path.Condition;
  if (!Short.assume(V, IsShort, true, L.all()) || contradictsItself(V, Short))
    return;
  Path.Condition = std::move(Short);
  Run.decided(Path, IsShort, true, L.all(), Loc);
}

Step Branches::forkOn(State &S, const PathCondition::Selection &Of,
                      SourceLocation Loc) {
  fork(S);
  const Int *C = Of.By;
  auto Known = ConditionLocs.find(C);
  Loc = Known != ConditionLocs.end() ? Known->second : Run.userLoc(S, Loc);
  auto Go = [&](State &Path, bool Holds) {
    if (!Path.Condition.assume(V, C, Holds, L.all()) ||
        contradictsItself(V, Path.Condition) ||
        !Run.decided(Path, C, Holds, L.all(), Loc))
      return Step::PathEnds;
    shorten(Path, Holds ? Of.IfSo : Of.IfNot, Holds ? Of.IfNot : Of.IfSo, Loc);
    TraceNode N{TraceStep::Kind::BranchTaken, Loc};
    N.Flag = Holds;
    Run.trace(Path, N);
    return Step::Continue;
  };
  State Other = S;
  if (Go(Other, false) == Step::Continue)
    Paths.Work.push_back(std::move(Other));
  return Go(S, true);
}
