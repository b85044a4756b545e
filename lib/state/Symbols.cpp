//===- Symbols.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/Symbols.h"
#include "lib/state/MemoizedCalls.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

const char Symbols::Grid[] = "in grid";

bool Symbols::isInGrid(const Atom *Symbol) {
  return Symbol->Origin >= Grid && Symbol->Origin <= Grid + ClusterSize;
}

bool Symbols::isBlockIndex(const Atom *Symbol) {
  return Symbol->Origin == Grid + BlockIndex;
}

std::optional<int64_t> Symbols::ifOneBlock(const Atom *Symbol) {
  if (!isInGrid(Symbol))
    return std::nullopt;
  const auto What = static_cast<const char *>(Symbol->Origin) - Grid;
  return What >= BlockCount;
}

bool Symbols::isBlockOf(const Atom *Index, const Atom *Count) {
  return isBlockIndex(Index) && Count->Origin == Grid + BlockCount &&
         Index->Number == Count->Number;
}

// \p I is computed from the kernel's parameters, and not from which block runs.
bool Symbols::isGiven(const Int *I) {
  return llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.A->isName()
               ? T.A->Stable && !isBlockIndex(T.A) &&
                     T.A->Origin != Grid + ClusterIndex &&
                     T.A->Origin != Grid + ClusterRank
               : llvm::all_of(std::array{T.A->A, T.A->B, T.A->C},
                              [](const Int *X) { return !X || isGiven(X); });
  });
}

void Symbols::hold(const Int *I) {
  if (!I || I->isKnown() || !HeldIntegers.insert(I).second)
    return;
  for (const Int::Term &T : I->terms()) {
    if (T.A->Kind == Atom::Op::Symbol)
      HeldSymbols.insert(T.A);
    for (const Int *Part : {T.A->A, T.A->B, T.A->C})
      hold(Part);
  }
}

const Int *Symbols::freshName(State &S, const void *Origin, int64_t Number,
                              Uniformity Same, Interval Range) {
  Run.Effects.note();
  const Int *Sym = V.symbol(Origin, Number, Same, Range);
  rename(S, {}, Sym->terms()[0].A);
  return Sym;
}

Value Symbols::freshSymbol(State &S, const Expr *E, Uniformity Same) {
  Interval Range;
  QualType T = E->getType();
  if (T->isBooleanType())
    Range = {0, 1};
  else if (T->isUnsignedIntegerOrEnumerationType()) {
    Range.Lo = 0;
    if (const uint64_t Bits = Ctx.getIntWidth(T); Bits <= 32)
      Range.Hi = (int64_t(1) << Bits) - 1;
  }
  const Int *Name = freshName(S, E, S.frame().Number, Same, Range);
  Run.Shared.Origins.named(Name, {nullptr, E, T});
  return Value::integer(Name);
}
