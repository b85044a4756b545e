//===- Runs.h - All runs of one function ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_RUNS_H
#define CPASYNC_LIB_ENGINE_RUNS_H

#include "lib/engine/Executor.h"
#include "lib/inference/SharedSizes.h"
#include <memory>

namespace cpasync {

/// A program, and what the runs of its functions so far know.
class AnalysedProgram {
public:
  explicit AnalysedProgram(clang::ASTContext &Ctx)
      : P(Ctx), MostBytes(Ctx.getASTAllocatedMemory() / PartOfTree) {}
  /// Where the shape is open, of one kernel: what its calls show of it counts.
  SharedValues &valuesFor(BlockShape Shape) {
    if (!Values || Shape.Open || Values->Shape != Shape)
      Values = std::make_unique<SharedValues>(Shape);
    return *Values;
  }
  /// Between runs: forgets values that take too much room.
  void trim() {
    if (Values && Values->bytes() > MostBytes)
      Values.reset();
  }

  /// \p F may be run with copies left out: so were few instances of its
  /// template, and these came to their end.
  bool mayOmit(const clang::FunctionDecl *F);
  void neverOmit(const clang::FunctionDecl *F) {
    Omitting[F->getLocation()].IsInVain = true;
  }

  Program P;
  /// What another instance of the same template was found to do.
  std::vector<Finding> Told;

private:
  /// Values are forgotten when they take more than this part of the memory
  /// that the syntax tree takes.
  static constexpr size_t PartOfTree = 8;
  const size_t MostBytes;
  std::unique_ptr<SharedValues> Values;
  struct Instances {
    llvm::SmallPtrSet<const clang::FunctionDecl *, 2> Run;
    bool IsInVain = false;
  };
  llvm::DenseMap<clang::SourceLocation, Instances> Omitting; ///< by template
};

/// A number that addresses in shared memory hang on, whatever becomes of the
/// run that showed it.
struct OpenSize {
  DecidedNumber Number;
  SharedSize::Kind Of;
  bool IsExtent;
  SharedSize::Use In;
  int64_t Unit;     ///< as SharedSize::Unit
  std::string Name; ///< the author's; empty: there is none
  /// With this a bulk copy fills what it goes to.
  std::optional<int64_t> Filling;
  /// It is chosen in another run, be there extents with it or not.
  bool IsChosen = false;
};

/// What a function is found to do, for blocks of one shape.
struct RunResult {
  KernelReport Report;
  std::vector<Finding> Findings; ///< of reads, those whose value is used
  ShapeClues Clues; ///< if these contradict the shape, there is nothing else
  bool UsesThreads = false;    ///< it asks which thread it is
  bool IsCutShort = false;     ///< a path was not followed to its end
  bool FitsNoShape = false;    ///< of those that were tried; there is a gap
  std::vector<OpenSize> Sizes; ///< that were not chosen
  /// How far bulk copies go was not known: of a piece of each it is known that
  /// it is right.
  bool KnowsPieces = false;
  /// Loops with a round that leaves an array, and one behind it that does not.
  RunAssumptions::LoopHeads Rings;
  /// What some path came to.
  llvm::DenseSet<const clang::CFGBlock *> Reached;
};

/// What \p Of, another run of the root, could not see is left out of \p To,
/// too.
void addWhatIsLeftOut(KernelReport &To, const KernelReport &Of);

/// Runs \p F, and again with what showed on the way; then what tells whether
/// the reads that are found are used, and whether another elected thread does
/// the same. Where the shape of \p Known is open, one that does not fit ends
/// it.
RunResult runFunction(AnalysedProgram &P, const AnalysisOptions &Options,
                      const RunAssumptions &Known, Budget &Cost,
                      const clang::FunctionDecl *F, const KernelReport &Empty);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_RUNS_H
