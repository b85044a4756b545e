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
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace clang;
using namespace cpasync;

// Of a loop's condition: it has the rounds of a whole tile, whose length is
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

const Int *Branches::wholeOrRest(State &S, const Int *Condition) {
  const Int *Asked = asIn(V, Condition, S.Active);
  return mayBeWhole(Asked) ? S.Condition.undecidedSelection(V, Asked) : nullptr;
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

Step Branches::forkOn(State &S, const Int *C, SourceLocation Loc) {
  fork(S);
  auto Known = ConditionLocs.find(C);
  Loc = Known != ConditionLocs.end() ? Known->second : Run.userLoc(S, Loc);
  auto Go = [&](State &Path, bool Holds) {
    if (!Path.Condition.assume(V, C, Holds, L.all()) ||
        contradictsItself(V, Path.Condition) ||
        !Run.decided(Path, C, Holds, L.all(), Loc))
      return Step::PathEnds;
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
