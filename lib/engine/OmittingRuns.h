//===- OmittingRuns.h - Runs that leave copies out --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_OMITTINGRUNS_H
#define CPASYNC_LIB_ENGINE_OMITTINGRUNS_H

#include "lib/detect/OmittedCopies.h"
#include "lib/engine/Runs.h"
#include "lib/solve/Feasibility.h"

namespace cpasync {

/// Runs a kernel with numbers with which it leaves out copies that \p Noted
/// names. What is made of bytes that nobody wrote and leaves the block is a
/// finding.
class OmittingRuns {
public:
  OmittingRuns(Program &P, const AnalysisOptions &Options,
               const RunAssumptions &Found, const Budget &Cost,
               const clang::FunctionDecl *F, SharedValues &Values);
  std::vector<Finding> run(const OmittedCopies::Found &Noted);
  /// All came to their end, with nothing left out.
  bool areWhole() const { return AreWhole; }

private:
  using Numbers = std::vector<GivenNumber>;
  /// Lets what the path divides be multiples of what it divides by.
  void takeWhole(unsigned Decided, Numbers &Given) const;
  /// Adds what is found with \p Given.
  void runWith(const Numbers &Given, const OmittedCopies::Found &Noted,
               std::vector<Finding> &To);

  Program &P;
  AnalysisOptions Options;
  RunAssumptions Known;
  Budget Cost; ///< a part of the function's
  const clang::FunctionDecl *F;
  SharedValues &Values;
  Feasibility Paths;
  bool AreWhole = true;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_OMITTINGRUNS_H
