//===- TermOrigins.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/TermOrigins.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void TermOrigins::compared(ValueContext &V, BinaryOperatorKind Op, const Int *A,
                           const Int *B, QualType Type) {
  // As Arithmetic asks: a > b is b < a.
  if (Op == BO_GT || Op == BO_LE)
    std::swap(A, B);
  auto &Known = Compared[V.sub(A, B)];
  const Comparands New = {A, B, Type.getCanonicalType()};
  if (!llvm::is_contained(Known, New))
    Known.push_back(New);
}

llvm::ArrayRef<Comparands>
TermOrigins::comparands(const Int *Difference) const {
  const auto I = Compared.find(Difference);
  return I == Compared.end() ? llvm::ArrayRef<Comparands>() : I->second;
}

static void collectSymbols(const Int *I, llvm::DenseSet<const Atom *> &To,
                           llvm::DenseSet<const Int *> &Seen) {
  if (!I || I->isKnown() || !Seen.insert(I).second)
    return;
  for (const Int::Term &T : I->terms()) {
    if (T.A->Kind == Atom::Op::Symbol)
      To.insert(T.A);
    for (const Int *Part : {T.A->A, T.A->B, T.A->C})
      collectSymbols(Part, To, Seen);
  }
}

bool TermOrigins::mayWrap(const Atom *Symbol) const {
  if (SeenOfWrapping != Wrapping.size())
    for (const Int *I : Wrapping)
      collectSymbols(I, WrappingSymbols, Seen);
  SeenOfWrapping = Wrapping.size();
  return WrappingSymbols.contains(Symbol);
}
