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
// with these decided, and what is found again is confirmed. A path may go by
// names that tell the solver too little: where such runs come to their end and
// to nothing, a few other numbers are tried, and then it is not told.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_CONFIRMATION_H
#define CPASYNC_LIB_ENGINE_CONFIRMATION_H

#include "lib/engine/Runs.h"
#include "lib/solve/Feasibility.h"
#include "llvm/ADT/StringRef.h"

namespace cpasync {

/// Of a gap: something may be wrong.
inline constexpr llvm::StringLiteral NotShown =
    "a finding is not told: no run that was tried shows it";

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
  Answer answerTo(const Finding &X, int64_t Least = 0);
  std::vector<Answer> answersTo(llvm::ArrayRef<Finding> Findings);
  /// Those of \p R are what is left; false: that cannot be said.
  bool dropRefuted(RunResult &R, llvm::ArrayRef<Answer> Answers);
  /// Whether a run with these numbers comes to it, and is told then if it has
  /// other rounds; none: it did not end.
  std::optional<bool> isFoundWith(const std::vector<GivenNumber> &Numbers,
                                  Finding &X);
  /// Tells the numbers of \p First, or others where those do not show it.
  /// False: runs with several do not.
  bool tellNumbers(Finding &X, const Answer &First);

  Program &P;
  const AnalysisOptions Options;
  const RunAssumptions Known;
  Budget &Cost;
  const clang::FunctionDecl *F;
  SharedValues &Values;
  const llvm::SMTSolverRef Solver; ///< null: there is none
  Feasibility Paths;
  struct Trial {
    std::vector<Finding> Findings;
    bool IsWhole = false; ///< there was nothing that it did not see
  };
  std::map<std::string, Trial> Trials; ///< by the words for the numbers
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_CONFIRMATION_H
