//===- SharedSizes.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/SharedSizes.h"
#include "lib/inference/Divisors.h"
#include "lib/source/RootObject.h"
#include "lib/state/MemoizedCalls.h"
#include "lib/state/Symbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace cpasync;

namespace {
/// What the program does with the symbols in its numbers.
class UseOfSymbols {
public:
  /// Whatever \p I is computed from.
  void addressed(const Int *I) {
    each(I, All, [&](const Atom *A) { Addressed.insert(A); });
  }
  /// \p I is compared with, or divides, what threads have their own of.
  void meetsThreads(const Int *I) {
    each(I, Summands, [&](const Atom *A) { OfThreads.insert(A); });
  }
  void meetsAll(const Int *I) {
    each(I, Summands, [&](const Atom *A) { OfAll.insert(A); });
  }
  void boundsThreads(const Int *I) {
    each(I, Summands, [&](const Atom *A) { Extents.insert(A); });
    meetsThreads(I);
  }
  void copied(const Int *I) {
    each(I, All, [&](const Atom *A) { Copied.insert(A); });
  }
  void decidesRounds(const Int *I) {
    each(I, All, [&](const Atom *A) { InRounds.insert(A); });
    Units.note(I, Divisors::Of::Sums);
  }
  llvm::SetVector<const Atom *> Addressed, Copied, Extents, InRounds;
  llvm::DenseSet<const Atom *> OfThreads, OfAll;
  Divisors Units;

private:
  /// Summands: not how often something is taken, or what is taken off, as the
  /// rounds so far are of a length.
  enum Which { All, Summands };
  /// Which of a few cells it is hangs on \p A, not where they lie.
  static bool isIndex(const Atom &A) {
    const bool WrapsAround = A.Kind == Atom::Op::Rem || A.Kind == Atom::Op::And;
    return WrapsAround && A.B->isConstant() && A.B->constant() >= 0;
  }
  template <typename Fn> void each(const Int *I, Which Those, Fn Visit) {
    for (const Int::Term &T : I->terms()) {
      if (Those == Summands &&
          (T.Coefficient->min() < 0 || T.A->Kind == Atom::Op::Mul))
        continue;
      if (Those == All && isIndex(*T.A))
        continue;
      if (T.A->isName()) {
        Visit(T.A);
        continue;
      }
      for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
        if (Operand)
          each(Operand, Those, Visit);
    }
  }
};
} // namespace

/// What the address \p I multiplies and divides by.
static void addFactors(UseOfSymbols &Uses, const Int *I) {
  for (const Int::Term &T : I->terms()) {
    const Atom &A = *T.A;
    // A row for each: a pitch.
    if (!T.Coefficient->isUniform())
      Uses.meetsThreads(A.Alone);
    if (llvm::is_contained(
            {Atom::Op::Div, Atom::Op::Rem, Atom::Op::Shl, Atom::Op::Shr},
            A.Kind)) {
      const bool IsShift = A.Kind == Atom::Op::Shl || A.Kind == Atom::Op::Shr;
      if (IsShift || A.A->isUniform())
        Uses.meetsAll(A.B);
      else
        Uses.meetsThreads(A.B);
    }
    for (const Int *Operand : {A.A, A.B, A.C})
      if (Operand)
        addFactors(Uses, Operand);
  }
}

std::vector<SharedSize> cpasync::sharedSizes(const KernelRun &Run,
                                             const FunctionDecl *F) {
  const TermOrigins &Origins = Run.Shared.Origins;
  UseOfSymbols Uses;
  for (const Event &E : Run.Events.all())
    if (const Footprint *B = E.Bytes;
        B && B->Obj->isShared() && B->Offset && !B->Offset->isKnown()) {
      Uses.addressed(B->Offset);
      addFactors(Uses, B->Offset);
    }
  for (const Int *Size : Run.CopySizes.Open)
    Uses.copied(Size);
  const bool HaveSizes = !Uses.Addressed.empty() || !Uses.Copied.empty();
  // A path may know how long a ring is: no address has it by its name.
  for (const Atom *Modulus : Origins.moduli())
    if (Modulus->Kind == Atom::Op::Symbol && HaveSizes) {
      if (Uses.Addressed.empty())
        Uses.copied(Modulus->Alone);
      else
        Uses.addressed(Modulus->Alone);
      Uses.meetsAll(Modulus->Alone);
    }
  Origins.forEachBound([&](const Int *Bound, bool OfThreads) {
    if (OfThreads)
      Uses.boundsThreads(Bound);
    else
      Uses.meetsAll(Bound);
    Uses.decidesRounds(Bound);
  });
  auto IsGiven = [&](const Atom *A) {
    const SymbolOrigin *From = Origins.of(A);
    return From && isGivenToRoot(F, A->Origin) && From->Type->isIntegerType() &&
           !From->Type->isBooleanType();
  };
  using Kind = SharedSize::Kind;
  auto KindOf = [&](const Atom *A) {
    return !Uses.OfAll.contains(A)      ? Kind::Size
           : Uses.OfThreads.contains(A) ? Kind::Either
                                        : Kind::Count;
  };
  std::vector<SharedSize> Sizes;
  llvm::DenseSet<const Atom *> Added;
  auto Add = [&](const Atom *A, Kind Of, SharedSize::Use In) {
    if (IsGiven(A) && Added.insert(A).second)
      Sizes.push_back({A, Of, Uses.Extents.contains(A), In, Uses.Units.of(A)});
  };
  for (const Atom *A : Uses.Addressed)
    Add(A, KindOf(A), SharedSize::Use::Address);
  for (const Atom *A : Uses.Copied)
    Add(A, KindOf(A), SharedSize::Use::Copy);
  if (!Sizes.empty())
    for (const Atom *A : Uses.Extents)
      Add(A, Kind::Size, SharedSize::Use::Comparison);
  // Elements are data.
  for (const Atom *A : Uses.InRounds)
    if (IsGiven(A) && Run.Ctx.getIntWidth(Origins.of(A)->Type) >= 32)
      Add(A, Kind::Count, SharedSize::Use::Rounds);
  if (Run.Shape.blocks() == 1)
    for (const Atom *A : Uses.InRounds)
      if (const auto Is = Symbols::ifOneBlock(A))
        Sizes.push_back({A, Kind::Count, false, SharedSize::Use::Grid, *Is});
  llvm::sort(Sizes, [](const SharedSize &A, const SharedSize &B) {
    return A.Number->Id < B.Number->Id;
  });
  return Sizes;
}
