//===- InRows.cpp - Rows that an index stays in ---------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address is a sum. Where one addend goes on with rounds or threads whose
// number the caller gives, and another counts by more bytes than it, the first
// is a place in a row and the second is the row's number (RowPitch.h):
// `Ring[Slot * 64 + I]`, however it is spelled.
//
//===----------------------------------------------------------------------===//

#include "lib/inference/InBounds.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void InBounds::stayInRows(State &S, const AffineAddress &How, Value To,
                          std::vector<IndexedPlace> &Places) {
  if (S.May.empty() && !How.Goes)
    return;
  const Int *Offset = V.constant(0); // in the row
  for (const AffineAddress::Level &Level : How.Levels) {
    for (const Addend &A : Level.Addends) {
      const Value X = Eval.eval(S, A.E);
      if (X.isPtr())
        continue; // where the array is
      if (!X.isInt())
        return;
      // A long way is to where the rows begin.
      if (!A.IsConstant || std::abs(X.I->constant()) * Level.Unit < Level.Pitch)
        Offset = V.add(Offset, V.mul(X.I, V.constant(A.Factor)));
    }
    Offset = Run.simplify(S, Value::integer(Offset)).I;
    if (!Offset->isKnown())
      return;
    if (Level.Goes || (!S.May.empty() && !Offset->isConstant()))
      stayInRow(S, Level, To, *Offset->base(), Places);
  }
}

// What the newest condition that nobody knows hangs on.
static const void *limitOf(const State &S) {
  if (S.May.empty())
    return nullptr;
  llvm::SmallVector<const Int *, 8> Work = {S.May.back().first};
  while (!Work.empty())
    for (const Int::Term &T : Work.pop_back_val()->terms()) {
      if (T.A->Kind == Atom::Op::Symbol && T.A->Stable)
        return T.A->Origin;
      if (T.A->isName())
        continue;
      for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
        if (Operand)
          Work.push_back(Operand);
    }
  return nullptr;
}

const void *InBounds::memberOf(const Object *O,
                               const RowPitches::Places &Begins) {
  if (O->K != Object::Kind::Shared || !O->Origin)
    return nullptr;
  const QualType T = static_cast<const VarDecl *>(O->Origin)->getType();
  const FieldDecl *First = P.layouts().memberAt(T, Begins.front());
  return llvm::all_of(
             Begins,
             [&](int64_t At) { return P.layouts().memberAt(T, At) == First; })
             ? First
             : nullptr;
}

void InBounds::stayInRow(State &S, const AffineAddress::Level &Level, Value To,
                         const PerThread &Offset,
                         std::vector<IndexedPlace> &Places) {
  const PerThread &Bytes = *To.I->base();
  auto Begin = [&](unsigned T) { return Bytes[T] - Offset[T]; };
  // From there; less if it goes beyond a row within this one.
  auto Distance = [&](unsigned T) {
    return Places.empty() ? Offset[T] : Places[T].within() - Begin(T);
  };
  RowPitches::Places Begins;
  int64_t Nearest = INT64_MAX, Farthest = 0;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T]) {
      Begins.push_back(Begin(T));
      Nearest = std::min(Nearest, Distance(T));
      Farthest = std::max(Farthest, Distance(T));
    }
  llvm::sort(Begins);
  Begins.erase(llvm::unique(Begins), Begins.end());
  if (Begins.empty() || Begins.front() < 0)
    return;
  int64_t Pitch = Level.Pitch;
  if (const RowPitches::Array Of = {To.Obj,
                                    Level.Goes ? Level.Limit : limitOf(S),
                                    memberOf(To.Obj, Begins)};
      Of.Limit) {
    if (Pitch && Level.IsRowOfAll)
      Known.Lengths.add(Of, Begins, Pitch);
    if (const int64_t Length =
            Known.Lengths.lengthAt(Of, Begins, Level.Unit, Farthest);
        Length && (Pitch == 0 || Length < Pitch))
      Pitch = Length;
  }
  if (Pitch == 0 || Farthest < Pitch)
    return;
  Run.Effects.note(); // who calls has a say in it
  if (!Level.Goes && Nearest >= Pitch)
    return;
  begin(Places, Bytes);
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if (Begin(T) >= 0 && Distance(T) >= Pitch)
      Places[T].leave(Begin(T));
}

int64_t InBounds::rowAt(State &S, const Expr *E, Value To, const void *Limit) {
  if (!Limit || !To.isPtr() || !To.Obj->isShared() || !To.I ||
      !To.I->isConstant() || To.I->constant() < 0)
    return 0;
  const RowPitches::Places Begin = {To.I->constant()};
  const RowPitches::Array Of = {To.Obj, Limit, memberOf(To.Obj, Begin)};
  const int64_t Pitch = Sums.of(S, E, nullptr).Least;
  if (Pitch > 1)
    Known.Lengths.add(Of, Begin, Pitch);
  return Known.Lengths.lengthAt(Of, Begin, /*Unit=*/1, /*Far=*/INT64_MAX);
}
