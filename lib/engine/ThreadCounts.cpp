//===- ThreadCounts.cpp - As many threads copy as there are rows ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Branches.h"
#include "lib/engine/Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

std::optional<Branches::ThreadCount> Branches::countIn(const Int *C) {
  bool Holds = true;
  const Atom *A = C->terms().size() == 1 ? C->terms()[0].A : nullptr;
  while (A && A->Kind == Atom::Op::Eq && A->A->terms().size() == 1 &&
         A->A == A->A->terms()[0].A->Alone) {
    Holds = !Holds;
    A = A->A->terms()[0].A;
  }
  if (!A || A->Kind != Atom::Op::Lt || A->A->base()->isUniform() ||
      A->A->terms().size() != 1)
    return std::nullopt;
  const Int::Term &Count = A->A->terms()[0];
  if (!Count.A->isUniform() || !Count.Coefficient->isUniform())
    return std::nullopt;
  return ThreadCount{A->Alone, A->A, Holds};
}

bool Branches::forkOnOne(const State &S, const CFGBlock *B, const Int *C,
                         const PerThread *True, const PerThread *False,
                         const CFGBlock *OnTrue, const CFGBlock *OnFalse,
                         SourceLocation Loc) {
  constexpr unsigned OfRows = EffectCopy | EffectGroup;
  const unsigned Effects = S.frame().Fn->region(B).Effects;
  const auto Found = (Effects & OfRows) == OfRows ? countIn(C) : std::nullopt;
  if (!Found)
    return false;
  const ThreadCount &Count = *Found;
  const PerThread *Open = L.except(S.Active, L.either(True, False));
  const PerThread &Numbers = *Count.Difference->base();
  int64_t Least = INT64_MAX;
  for (unsigned T = 0; T < L.threads(); ++T)
    if ((*Open)[T])
      Least = std::min(Least, Numbers[T]);
  const PerThread *Below =
      L.both(Open, L.apply(LaneOp::Eq, &Numbers, L.uniform(Least)));
  const PerThread *Above = L.except(Open, Below);
  State Apart = S;
  if (PerThreadContext::isEmpty(Above) ||
      !Apart.Condition.assume(V, Count.IsBelow, true, Below) ||
      !Apart.Condition.assume(V, Count.IsBelow, false, Above) ||
      !Run.decided(Apart, Count.IsBelow, true, Below, Loc) ||
      !Run.decided(Apart, Count.IsBelow, false, Above, Loc))
    return false;
  fork(Apart);
  TraceNode N{TraceStep::Kind::BranchTaken, Loc};
  N.Flag = Count.Holds;
  N.OnlyIn = Below;
  N.Condition = Count.IsBelow;
  N.N = Shape.threads();
  N.Effects = Effects;
  traceDecision(Apart, B, N);
  if (splitThreads(Apart, B, L.either(True, Count.Holds ? Below : Above),
                   L.either(False, Count.Holds ? Above : Below), OnTrue,
                   OnFalse) == Step::Continue)
    Paths.Work.push_back(std::move(Apart));
  return true;
}
