//===- TermOrigins.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/TermOrigins.h"
#include "lib/state/Symbols.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void TermOrigins::compared(ValueContext &V, BinaryOperatorKind Op, const Int *A,
                           const Int *B, QualType Type, const Expr *By) {
  // As Arithmetic asks: a > b is b < a.
  if (Op == BO_GT || Op == BO_LE)
    std::swap(A, B);
  const Int *Difference = V.sub(A, B);
  for (const Int::Term &T : Difference->terms())
    if (const void *Number = numberOf(T.A); Number && By)
      AskedBy[Number].insert(By);
  auto &Known = Compared[Difference];
  const Comparands New = {A, B, Type.getCanonicalType()};
  if (llvm::is_contained(Known, New))
    return;
  Known.push_back(New);
  // Less than the least of two is less than each: isNegative() asks so.
  auto InTurn = [&](const Int *Side, llvm::function_ref<void(const Int *)> Do) {
    for (const Int::Term &T : Side->terms())
      if ((T.A->Kind == Atom::Op::Min || T.A->Kind == Atom::Op::Max) &&
          T.Coefficient->isUniform(1))
        for (const Int *One : {T.A->A, T.A->B})
          Do(V.add(V.sub(Side, T.A->Alone), One));
  };
  InTurn(A, [&](const Int *One) { compared(V, BO_LT, One, B, Type, By); });
  InTurn(B, [&](const Int *One) { compared(V, BO_LT, A, One, Type, By); });
}

void TermOrigins::simplified(
    ValueContext &V, const Int *Written, const Int *Now,
    llvm::function_ref<const Int *(const Int *)> Simplify) {
  if (Written == Now)
    return;
  for (const Int::Term &T : Written->terms()) {
    const Atom &A = *T.A;
    if (A.Kind == Atom::Op::LAnd || A.Kind == Atom::Op::LOr) {
      simplified(V, A.A, Now, Simplify);
      simplified(V, A.B, Now, Simplify);
    } else if (A.Kind == Atom::Op::Lt || A.Kind == Atom::Op::Eq) {
      const std::vector<Comparands> Old = comparands(A.A).vec();
      for (const Comparands &C : Old)
        compared(V, BO_LT, Simplify(C.Left), Simplify(C.Right), C.Type);
      simplified(V, A.A, Now, Simplify);
    }
  }
}

llvm::ArrayRef<Comparands>
TermOrigins::comparands(const Int *Difference) const {
  const auto I = Compared.find(Difference);
  return I == Compared.end() ? llvm::ArrayRef<Comparands>() : I->second;
}

bool TermOrigins::isParameter(const Atom *Symbol) const {
  const SymbolOrigin *From = of(Symbol);
  return From && isa_and_nonnull<ParmVarDecl>(From->Decl);
}

bool TermOrigins::isElement(const Atom *Name) const {
  const SymbolOrigin *From = of(Name);
  return Name->Kind == Atom::Op::Load ||
         (From && From->E &&
          isa<ArraySubscriptExpr>(From->E->IgnoreParenImpCasts()));
}

const void *TermOrigins::numberOf(const Atom *A) {
  if (A->Kind == Atom::Op::Load)
    return A->Origin;
  return Symbols::isOfPlace(A) || Symbols::isInGrid(A) ? nullptr : A;
}

bool TermOrigins::isAskedTwice(const void *Number) const {
  const auto I = AskedBy.find(Number);
  return !Number || (I != AskedBy.end() && I->second.size() > 1);
}
