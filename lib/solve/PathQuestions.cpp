//===- PathQuestions.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/solve/PathQuestions.h"
#include "lib/solve/Solver.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

PathQuestions::PathQuestions(const clang::ASTContext &Ctx, SharedValues &Shared,
                             llvm::SMTSolver &Solver)
    : Shared(Shared), Solver(Solver),
      Now(std::in_place, Solver, Ctx, Shared.Origins) {
  Solver.reset();
}

void PathQuestions::enter(const PastDecision *Decision) {
  Given.push_back({Decision, *Now});
  Solver.push();
  Now->take(*Decision, Shared.V.lanes(), {});
}

void PathQuestions::leave(size_t Kept) {
  if (Kept >= Given.size())
    return;
  Now.emplace(Given[Kept].Before);
  Solver.pop(Given.size() - Kept);
  while (Given.size() > Kept)
    Given.pop_back();
}

bool PathQuestions::isImpossible(unsigned Decided) {
  const auto All = Shared.History.upTo(Decided);
  const auto Steps = llvm::ArrayRef(All).take_back(MaxDecisions);
  size_t Kept = 0;
  while (Kept < Steps.size() && Kept < Given.size() &&
         Steps[Kept] == Given[Kept].Decision)
    ++Kept;
  leave(Kept);
  for (const PastDecision *New : Steps.drop_front(Kept))
    enter(New);
  return check(Solver) == std::optional(false);
}
