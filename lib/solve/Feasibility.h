//===- Feasibility.h - Whether a run can take a path ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOLVE_FEASIBILITY_H
#define CPASYNC_LIB_SOLVE_FEASIBILITY_H

#include "lib/solve/Terms.h"
#include "lib/state/MemoizedCalls.h"

namespace cpasync {

/// A number that the kernel is given, or finds in memory.
struct GivenNumber {
  const Atom *Symbol;
  int64_t Value;
  std::string Name; ///< the author's
};

/// As the author writes it; empty: there is no name.
std::string nameOfNumber(clang::ASTContext &Ctx, const TermOrigins &Origins,
                         const Atom *Symbol);

/// Gives what paths decided to a solver. Integers that a kernel is given are
/// amounts, mostly: a run for less than nothing, or for so much that indices go
/// beyond their type, is none that anybody means.
class Feasibility {
public:
  /// \p Solver: null: there is none, and nothing is known.
  Feasibility(clang::ASTContext &Ctx, SharedValues &Shared,
              llvm::SMTSolverRef Solver)
      : Ctx(Ctx), Shared(Shared), Solver(std::move(Solver)) {}

  struct Answer {
    enum class Kind { Unknown, Impossible, Possible } K = Kind::Unknown;
    /// Possible: with these, as small as can be, and the same in all threads.
    std::vector<GivenNumber> Numbers;
  };
  /// Parameters are \p Least at least, if it is above 0.
  /// Of what differs by thread some threads are asked, \p Witnesses among them.
  Answer solve(unsigned Decided, llvm::ArrayRef<int> Witnesses,
               int64_t Least = 0);
  /// Of what is impossible: it is not, if what is given may be any number.
  bool takesUnusual(unsigned Decided, llvm::ArrayRef<int> Witnesses);
  /// Of what is impossible: where some of it was decided that cannot be
  /// together; no less would do.
  std::vector<clang::SourceLocation>
  contradiction(unsigned Decided, llvm::ArrayRef<int> Witnesses);

private:
  using Steps = llvm::ArrayRef<const PastDecision *>;
  Terms begin(unsigned Decided, llvm::ArrayRef<int> Witnesses,
              GivenRange Given = {});
  Terms give(Steps Decisions, llvm::ArrayRef<int> Witnesses,
             GivenRange Given = {});
  std::vector<GivenNumber> numbers(Terms &Of,
                                   std::optional<int64_t> Parameters);
  /// What has a name, and what the solver knows it by.
  struct NamedTerm {
    const Atom *Symbol;
    llvm::SMTExprRef Is;
    std::string Name;
  };
  bool hasNewest(Terms &Of, llvm::ArrayRef<NamedTerm> Named);
  const GivenNumber *newest(const Atom *Symbol) const;
  /// The least that \p X can be.
  std::optional<int64_t> least(Terms &Of, const llvm::SMTExprRef &X);
  std::optional<int64_t> between(Terms &Of, const llvm::SMTExprRef &X,
                                 int64_t Lo, int64_t Hi);

  clang::ASTContext &Ctx;
  SharedValues &Shared;
  llvm::SMTSolverRef Solver;
  unsigned Checks = 0;             ///< of this path
  std::vector<GivenNumber> Newest; ///< of the path that was asked for last
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOLVE_FEASIBILITY_H
