//===- Substitution.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Substitution.h"

using namespace cpasync;

static const Int *replacedIn(ValueContext &V, const Atom &Of, const Atom *Old,
                             const Int *New) {
  const Int *A = replaced(V, Of.A, Old, New), *B = replaced(V, Of.B, Old, New),
            *C = replaced(V, Of.C, Old, New);
  switch (Of.Kind) {
  case Atom::Op::Symbol:
    return Of.Alone;
  case Atom::Op::Load:
    return V.load(static_cast<const Object *>(Of.Origin), A,
                  static_cast<int>(Of.Number));
  case Atom::Op::Cast:
    return V.cast(A, static_cast<int>(B->constant()));
  case Atom::Op::Within:
    return V.within(A, B->constant());
  case Atom::Op::Eq:
    return V.isZero(A);
  case Atom::Op::Lt:
    return V.isNegative(A);
  case Atom::Op::LAnd:
    return V.logicalAnd(A, B);
  case Atom::Op::LOr:
    return V.logicalOr(A, B);
  case Atom::Op::Select:
    return V.select(A, B, C);
  case Atom::Op::Any:
    return V.any(A, B->base(), static_cast<unsigned>(C->constant()));
  default:
    return V.apply(Of.Kind, A, B);
  }
}

const Int *cpasync::replaced(ValueContext &V, const Int *I, const Atom *Old,
                             const Int *New) {
  if (!dependsOn(I, Old))
    return I;
  const Int *R = V.known(I->base());
  for (const Int::Term &T : I->terms()) {
    const Int *Term = T.A == Old ? New
                      : dependsOn(T.A->Alone, Old)
                          ? replacedIn(V, *T.A, Old, New)
                          : T.A->Alone;
    R = V.add(R, V.mul(Term, V.known(T.Coefficient)));
  }
  return R;
}
