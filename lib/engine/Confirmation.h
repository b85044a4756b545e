//===- Confirmation.h - Findings that a run shows ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PathCondition reasons in intervals: of several conditions it may not see that
// they cannot be together. What a path decided that comes to a finding is given
// to a solver. If no run decides all that, the function is run again, and paths
// end where the solver says that no run takes them: another path may have ended
// where this one had been, and come to the same. What is not found again is
// refuted. For the others the solver has numbers; the function is run once more
// with these decided, and what is found again is confirmed.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_CONFIRMATION_H
#define CPASYNC_LIB_ENGINE_CONFIRMATION_H

#include "lib/engine/Runs.h"
#include "lib/solve/Feasibility.h"

namespace cpasync {

class Confirmation {
public:
  /// Of what \p F was found to do by runs with these \p Values.
  Confirmation(Program &P, const AnalysisOptions &Options,
               const RunAssumptions &Known, Budget &Cost,
               const clang::FunctionDecl *F, SharedValues &Values);

  /// Drops findings that no run shows, and tells of the others the numbers that
  /// a run shows them with.
  void confirm(RunResult &R);

private:
  Confirmation(Program &P, const AnalysisOptions &Options,
               const RunAssumptions &Known, Budget &Cost,
               const clang::FunctionDecl *F, SharedValues &Values,
               const llvm::SMTSolverRef &Solver);
  using Answer = Feasibility::Answer;
  std::vector<Answer> answersTo(llvm::ArrayRef<Finding> Findings);
  /// Those of \p R are what is left; false: that cannot be said.
  bool dropRefuted(RunResult &R, llvm::ArrayRef<Answer> Answers);
  void tellNumbers(Finding &X, const std::vector<GivenNumber> &Numbers);
  bool isFoundWith(const std::vector<GivenNumber> &Numbers, const Finding &X);

  Program &P;
  const AnalysisOptions Options;
  const RunAssumptions Known;
  Budget &Cost;
  const clang::FunctionDecl *F;
  SharedValues &Values;
  Feasibility Paths;
  const bool HasSolver;
  /// What was found with numbers decided, by the words for these.
  std::map<std::string, std::vector<Finding>> FoundWith;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_CONFIRMATION_H
