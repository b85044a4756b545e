//===- SteadyStates.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/SteadyStates.h"
#include "lib/values/Shifts.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

const Int *cpasync::difference(ValueContext &V, Value A, Value B) {
  if (A == B)
    return V.constant(0);
  if (A.K != B.K || A.Obj != B.Obj || !A.I || !B.I)
    return nullptr;
  return V.sub(B.I, A.I);
}

// The same growth from A to B as from B to C.
static bool valueGrows(ValueContext &V, Value A, Value B, Value C) {
  if (A == B && B == C)
    return true;
  // Where global data lies matters for its alignment only.
  auto IsGlobal = [&](Value X) {
    return X.isPtr() && X.Obj == A.Obj && !X.Obj->isShared() &&
           X.Obj->K != Object::Kind::Local;
  };
  if (IsGlobal(A) && IsGlobal(B) && IsGlobal(C))
    return true;
  const Int *D1 = difference(V, A, B), *D2 = difference(V, B, C);
  return D1 && D1 == D2;
}

bool cpasync::growsSteadily(ValueContext &V, const Memory &A, const Memory &B,
                            const Memory &C) {
  if (A.unused() != B.unused() || B.unused() != C.unused())
    return false;
  auto EA = A.entries(), EB = B.entries(), EC = C.entries();
  if (EA.size() != EB.size() || EB.size() != EC.size())
    return false;
  for (size_t I = 0; I < EA.size(); ++I) {
    if (EA[I].first != EB[I].first || EB[I].first != EC[I].first)
      return false;
    const Contents &CA = *EA[I].second, &CB = *EB[I].second,
                   &CC = *EC[I].second;
    if (&CA == &CB && &CB == &CC)
      continue;
    if (CA.size() != CB.size() || CB.size() != CC.size())
      return false;
    for (size_t J = 0; J < CA.size(); ++J)
      if (CA[J].Offset != CB[J].Offset || CB[J].Offset != CC[J].Offset ||
          CA[J].Size != CB[J].Size || CB[J].Size != CC[J].Size ||
          !valueGrows(V, CA[J].V, CB[J].V, CC[J].V))
        return false;
  }
  return true;
}

/// The same fact, or one about what the number is in a later round.
template <typename Fact, typename Fn>
static const Fact *laterOf(ValueContext &V, const Int *Number,
                           llvm::ArrayRef<Fact> Later, Fn NumberOf,
                           const PerThread *Where) {
  const auto Same = llvm::find_if(
      Later, [&](const Fact &X) { return NumberOf(X) == Number; });
  if (Same != Later.end())
    return &*Same;
  const auto Shifted = llvm::find_if(Later, [&](const Fact &X) {
    return isShifted(V, Number, NumberOf(X), Where);
  });
  return Shifted == Later.end() ? nullptr : &*Shifted;
}

bool cpasync::growsSteadily(ValueContext &V, const PathCondition &A,
                            const PathCondition &B, const PathCondition &C,
                            const PerThread *Where) {
  using Bound = PathCondition::Bound;
  using Choice = PathCondition::Choice;
  auto Steady = [](int64_t X, int64_t Y, int64_t Z) {
    auto Infinite = [](int64_t N) { return N == INT64_MAX || N == INT64_MIN; };
    if (Infinite(X) || Infinite(Y) || Infinite(Z))
      return X == Y && Y == Z;
    return Y - X == Z - Y;
  };
  auto Grows = [](size_t X, size_t Y, size_t Z) {
    return X <= Y && Y - X == Z - Y;
  };
  if (!Grows(A.choices().size(), B.choices().size(), C.choices().size()) ||
      !Grows(A.bounds().size(), B.bounds().size(), C.bounds().size()))
    return false;
  auto Decides = [&](const PathCondition &P, const Choice &X) {
    const Choice *Now = laterOf(
        V, X.Condition, llvm::ArrayRef<Choice>(P.choices()),
        [](const Choice &O) { return O.Condition; }, Where);
    return Now && Now->Holds == X.Holds && Now->OnlyIn == X.OnlyIn;
  };
  auto BoundOf = [&](const PathCondition &P, const Bound &X) {
    return laterOf(
        V, X.Form, llvm::ArrayRef<Bound>(P.bounds()),
        [](const Bound &O) { return O.Form; }, Where);
  };
  return llvm::all_of(
             A.choices(),
             [&](const Choice &X) { return Decides(B, X) && Decides(C, X); }) &&
         llvm::all_of(A.bounds(), [&](const Bound &X) {
           const Bound *Y = BoundOf(B, X), *Z = BoundOf(C, X);
           return Y && Z && Steady(X.Range.Lo, Y->Range.Lo, Z->Range.Lo) &&
                  Steady(X.Range.Hi, Y->Range.Hi, Z->Range.Hi);
         });
}
