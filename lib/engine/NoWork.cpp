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

// Nobody launches a kernel for no work: a loop that runs no round only if a
// number that the kernel was given is 0 or less is taken to run one. So is one
// whose number the kernel has compared with 0, as counts are, and not with
// less. A block that finds nothing left to do is another matter, as is a loop
// whose first rounds were run ahead of it; and only what waits or synchronises
// in its rounds is written with that in mind.
bool Branches::isForNoWork(const State &S, const CFGBlock *B, const Int *C,
                           const CFGBlock *OnTrue, const CFGBlock *OnFalse) {
  using Role = TraceNode::LoopRole;
  constexpr unsigned Orders = EffectGroup | EffectBarrier;
  const bool Stays = loopRole(S, B, OnTrue) == Role::Stays;
  if (!Stays || isa<DoStmt>(B->getTerminatorStmt()) ||
      !(S.frame().Fn->region(B).Effects & Orders) ||
      loopRole(S, B, OnFalse) != Role::Leaves || S.Loops.back().Visits != 1 ||
      C->terms().size() != 1)
    return false;
  const Atom *A = C->terms()[0].A;
  bool Holds = true;
  for (; A->Kind == Atom::Op::Eq && A->A->terms().size() == 1;
       A = A->A->terms()[0].A)
    Holds = !Holds;
  if (A->Kind != Atom::Op::Lt || A->A->terms().size() != 1)
    return false;
  // It stays while base + coefficient * number is below 0, or is not.
  const Int::Term &T = A->A->terms()[0];
  if (!T.Coefficient->isUniform() || !A->A->base()->isUniform() ||
      (!isGivenAmount(T.A) && !isFromNonZero(S, T.A->Alone)))
    return false;
  const int64_t Base = A->A->base()->min(), Factor = T.Coefficient->min();
  return Holds ? Factor < 0 && Base < -Factor : Factor > 0 && Base >= -Factor;
}
