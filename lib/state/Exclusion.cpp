//===- Exclusion.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/Exclusion.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

const PerThread *Exclusion::mayHaveDone(const PathCondition &Decided,
                                        EventId E) {
  const PerThread *R = Events[E].Bytes->Mask;
  if (Events[E].May.empty())
    return R;
  PathCondition All = Decided;
  for (const auto &[Condition, Holds] : Events[E].May) {
    const Truth Known = All.decide(V, Condition);
    R = L.except(R, Holds ? Known.False : Known.True);
    const PerThread *Open = L.except(R, Holds ? Known.True : Known.False);
    if (!PerThreadContext::isEmpty(Open) &&
        !All.assume(V, Condition, Holds, Open))
      return L.none();
  }
  return R;
}

bool Exclusion::areExclusive(const State &S, EventId A, EventId B) {
  if (PerThreadContext::isEmpty(mayHaveDone(S.Condition, A)) ||
      PerThreadContext::isEmpty(mayHaveDone(S.Condition, B)))
    return true;
  // Taken together, with what the path has decided since.
  if (!Events[A].May.empty() || !Events[B].May.empty()) {
    PathCondition Both = S.Condition;
    for (EventId E : {A, B})
      for (const auto &[Condition, Holds] : Events[E].May) {
        const Truth Known = Both.decide(V, Condition);
        // No thread of it took that way.
        if (PerThreadContext::isEmpty(L.except(
                Events[E].Bytes->Mask, Holds ? Known.False : Known.True)))
          return true;
        if (!Condition->isUniform())
          continue;
        if (!(Holds ? Known.True : Known.False)->isUniform(1) &&
            !Both.assume(V, Condition, Holds, L.all()))
          return true;
      }
  }
  for (const MayCondition &X : Events[A].May)
    for (const MayCondition &Y : Events[B].May) {
      if (X.first == Y.first && X.second != Y.second)
        return true;
      if (X.second == Y.second &&
          (V.isZero(X.first) == Y.first || V.isZero(Y.first) == X.first))
        return true;
    }
  return false;
}

// What the path has decided may say where bytes are that were accessed before.
Overlap Exclusion::overlapOnPath(const State &S, const Footprint *A,
                                 const Footprint *B, Pairs Of) {
  const auto Compare = [&](const Footprint *X, const Footprint *Y) {
    return Footprints.overlap(X, Y, Of);
  };
  const auto OnPath = [&](const Footprint *F) {
    return F->Offset->isKnown()
               ? F
               : Footprints.get(F->Obj,
                                S.Condition.simplify(V, F->Offset, F->Mask),
                                F->Size, F->Mask);
  };
  const Overlap R = Compare(A, B);
  if (R.K != Overlap::Kind::Unknown || !A->Offset || !B->Offset)
    return R;
  const Footprint *NowA = OnPath(A), *NowB = OnPath(B);
  return NowA == A && NowB == B ? R : Compare(NowA, NowB);
}
