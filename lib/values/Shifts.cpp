//===- Shifts.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Shifts.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

/// B says by what A is divided, or what of it is left: no round asks another.
static bool hasFixedOperand(const Atom &A) {
  return llvm::is_contained({Atom::Op::Div, Atom::Op::Rem, Atom::Op::Shl,
                             Atom::Op::Shr, Atom::Op::And, Atom::Op::Within},
                            A.Kind);
}

bool cpasync::isShifted(ValueContext &V, const Int *A, const Int *B,
                        const PerThread *Where) {
  if (A == B)
    return true;
  if (!A || !B)
    return false;
  if (const Int *By = asIn(V, V.sub(B, A), Where);
      By->isUniform() && isStable(By))
    return true;
  auto SameTerm = [&](const Int::Term &X, const Int::Term &Y) {
    if (X == Y)
      return true;
    return X.A->Kind != Atom::Op::Symbol && X.A->Kind == Y.A->Kind &&
           X.A->Origin == Y.A->Origin && X.A->Number == Y.A->Number &&
           X.Coefficient == Y.Coefficient &&
           isShifted(V, X.A->A, Y.A->A, Where) &&
           (X.A->B == Y.A->B ||
            (!hasFixedOperand(*X.A) && isShifted(V, X.A->B, Y.A->B, Where))) &&
           isShifted(V, X.A->C, Y.A->C, Where);
  };
  const Int *By = V.sub(V.known(B->base()), V.known(A->base()));
  return asIn(V, By, Where)->isConstant() &&
         llvm::equal(A->terms(), B->terms(), SameTerm);
}

bool cpasync::isElsewhereWithin(ValueContext &V, const Int *A, const Int *B,
                                const PerThread *Where) {
  auto SameTerm = [&](const Int::Term &X, const Int::Term &Y) {
    return X == Y ||
           (X.Coefficient == Y.Coefficient && X.A->B == Y.A->B &&
            X.A->Kind == Atom::Op::Within && Y.A->Kind == Atom::Op::Within &&
            isShifted(V, X.A->A, Y.A->A, Where));
  };
  return A->base() == B->base() &&
         llvm::equal(A->terms(), B->terms(), SameTerm);
}
