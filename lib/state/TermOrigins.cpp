//===- TermOrigins.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/TermOrigins.h"
#include "clang/AST/Decl.h"
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

bool TermOrigins::isParameter(const Atom *Symbol) const {
  const SymbolOrigin *From = of(Symbol);
  return From && isa_and_nonnull<ParmVarDecl>(From->Decl);
}
