//===- OpenBytes.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/OpenBytes.h"
#include "lib/state/MemoizedCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Of a bulk copy. PTX ISA, "cp.async.bulk": a multiple of 16.
static constexpr int64_t LeastCopy = 16;

/// A constant was announced, and copies bring what is taken off.
static bool isConstantLessCopies(const Int *Missing) {
  return Missing->isUniform() && Missing->base()->min() > LeastCopy &&
         !Missing->terms().empty() &&
         llvm::all_of(Missing->terms(),
                      [](auto &T) { return T.Coefficient->max() < 0; });
}

bool OpenBytes::assumeLess(State &S, const Int *Less, const Int *More,
                           SourceLocation At) {
  Run.Shared.Origins.compared(V, BO_LT, Less, More, Run.Ctx.LongLongTy);
  const Int *IsLess = V.isNegative(V.sub(Less, More));
  return S.Condition.assume(V, IsLess, true, L.all()) &&
         Run.decided(S, IsLess, true, L.all(), At);
}

void OpenBytes::check(const State &S, const PhaseBarrier &B,
                      const PhaseBarrier::Waiter &W) {
  if (!B.Bytes || B.isBelieved())
    return;
  const Int *Missing = Run.simplify(S, Value::integer(B.Bytes)).I;
  if (!isConstantLessCopies(Missing) || !Seen.insert({W.Loc, Missing}).second)
    return;
  State Apart = S;
  const Int *None = V.constant(0),
            *Most = V.constant(Missing->base()->min() - LeastCopy + 1);
  if (!assumeLess(Apart, None, Missing, W.Loc) ||
      !assumeLess(Apart, Missing, Most, W.Loc))
    return;
  PhaseBarrier Asked = B;
  Asked.Waiting = {W};
  std::optional<Finding> F = Stuck.findStuck(Apart, Asked);
  if (!F)
    return;
  F->OnEveryPath = false;
  if (std::optional<Finding> Told = Findings.complete(Apart, std::move(*F)))
    Candidates.push_back({Missing, std::move(*Told)});
}

bool OpenBytes::isAskedByThreads(const Atom *A) const {
  if (!A->isName())
    return llvm::any_of(llvm::ArrayRef{A->A, A->B, A->C}, [&](const Int *I) {
      return I && llvm::any_of(I->terms(), [&](const Int::Term &T) {
               return isAskedByThreads(T.A);
             });
    });
  bool IsAsked = false;
  Run.Shared.Origins.forEachBound([&](const Int *Bound, bool OfThreads) {
    IsAsked |= OfThreads && Bound->isUniform() && dependsOn(Bound, A);
  });
  return IsAsked;
}

void OpenBytes::report() {
  for (Candidate &C : Candidates)
    if (llvm::any_of(C.Missing->terms(),
                     [&](auto &T) { return isAskedByThreads(T.A); }))
      FindingList::merge(*Findings.To, std::move(C.F));
}
