//===- NoWork.cpp - Loops that a kernel is launched for -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Branches.h"
#include "lib/engine/Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// The path has found a number that I is computed from to be other than 0.
bool Branches::isFromNonZero(const State &S, const Int *I) {
  const Truth IsZero = S.Condition.decide(V, V.isZero(I));
  if (PerThreadContext::isEmpty(L.except(S.Active, IsZero.False)))
    return true;
  if (I->terms().size() != 1)
    return false;
  const Atom *A = I->terms()[0].A;
  return !A->isName() &&
         llvm::any_of(std::array{A->A, A->B, A->C}, [&](const Int *X) {
           return X && !X->isKnown() && isFromNonZero(S, X);
         });
}

/// A number that the kernel was given, or how many parts of one size, which is
/// known, that has.
static bool isGivenAmount(const Atom *A) {
  if (Symbols::isGiven(A->Alone))
    return true;
  return A->Kind == Atom::Op::Div && A->B->isConstant() &&
         A->B->constant() > 0 && A->A->terms().size() == 1 &&
         A->A->terms()[0].Coefficient->min() > 0 &&
         isGivenAmount(A->A->terms()[0].A);
}

/// Of what is left for a block of something given, of which those before it
/// take a fixed part each, the term that is the whole: of N - 64 * blockIdx.x,
/// or what is that below 0, N. Null: it is none.
static const Int::Term *wholeOf(ArrayRef<Int::Term> Left) {
  if (Left.size() != 2)
    return nullptr;
  const bool IndexFirst = Symbols::isBlockIndex(Left[0].A);
  const Int::Term &Index = Left[IndexFirst ? 0 : 1];
  const Int::Term &Whole = Left[IndexFirst ? 1 : 0];
  const int64_t Part = Index.Coefficient->min(), Of = Whole.Coefficient->min();
  return Symbols::isBlockIndex(Index.A) && isGivenAmount(Whole.A) &&
                 std::abs(Of) == 1 && std::abs(Part) > 1 &&
                 (Of < 0) != (Part < 0)
             ? &Whole
             : nullptr;
}

// Nobody launches a kernel for no work, nor blocks behind the last that has
// some: a loop that runs no round only if a number that the kernel was given,
// or the block's share of it, is 0 or less is taken to run one. So is one whose
// number the kernel has compared with 0, as counts are, and not with less. A
// block that goes through a list that others go through, too, and finds nothing
// left is another matter, as is a loop whose first rounds were run ahead of it;
// and only what waits or synchronises in its rounds is written with that in
// mind.
const Int *Branches::workFor(const State &S, const CFGBlock *B, const Int *C,
                             const CFGBlock *OnTrue, const CFGBlock *OnFalse) {
  using Role = TraceNode::LoopRole;
  constexpr unsigned Orders = EffectGroup | EffectBarrier;
  const bool Stays = loopRole(S, B, OnTrue) == Role::Stays;
  if (!Stays || isa<DoStmt>(B->getTerminatorStmt()) ||
      !(S.frame().Fn->region(B).Effects & Orders) ||
      loopRole(S, B, OnFalse) != Role::Leaves || S.Loops.back().Visits != 1 ||
      C->terms().size() != 1)
    return nullptr;
  const Atom *A = C->terms()[0].A;
  bool Holds = true;
  for (; A->Kind == Atom::Op::Eq && A->A->terms().size() == 1;
       A = A->A->terms()[0].A)
    Holds = !Holds;
  if (A->Kind != Atom::Op::Lt || !A->A->base()->isUniform() ||
      llvm::any_of(A->A->terms(), [](const Int::Term &T) {
        return !T.Coefficient->isUniform();
      }))
    return nullptr;
  // It stays while base + factor * work is below 0, or is not.
  const Int::Term *T = wholeOf(A->A->terms());
  const Int *Work = nullptr;
  if (T) {
    Work = V.mul(V.sub(A->A, V.known(A->A->base())), V.known(T->Coefficient));
  } else if (A->A->terms().size() == 1) {
    T = A->A->terms().begin();
    if (isGivenAmount(T->A) || isFromNonZero(S, T->A->Alone))
      Work = T->A->Alone;
  }
  if (!Work)
    return nullptr;
  const int64_t Base = A->A->base()->min(), Factor = T->Coefficient->min();
  return (Holds ? Factor < 0 && Base < -Factor : Factor > 0 && Base >= -Factor)
             ? Work
             : nullptr;
}

bool Branches::takeWork(State &S, const Int *Work, const PerThread *In,
                        SourceLocation Loc) {
  const Int *IsNone = V.isNegative(V.sub(Work, V.constant(1)));
  const Truth Known = S.Condition.decide(V, IsNone);
  const PerThread *Open = L.except(In, L.either(Known.True, Known.False));
  return PerThreadContext::isEmpty(Open) ||
         (S.Condition.assume(V, IsNone, /*Holds=*/false, Open) &&
          Run.decided(S, IsNone, /*Holds=*/false, Open, Loc));
}
