//===- Executor.h - Run a kernel on every path ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path-sensitive execution of one kernel over clang::CFG, by a whole block of
// threads at once (State.h): the work list, blocks, returns. What statements do
// is the interpreter's (interp/).
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_EXECUTOR_H
#define CPASYNC_LIB_ENGINE_EXECUTOR_H

#include "lib/engine/Branches.h"
#include "lib/engine/CanonicalStates.h"
#include "lib/engine/Loops.h"
#include "lib/engine/Schedule.h"
#include "lib/support/Budget.h"
#include <deque>

namespace cpasync {

/// Runs one kernel on every path.
class Executor : InterpPart, public PathControl {
public:
  /// \p Cost: of all runs of this kernel.
  Executor(Interpreter &Interp, Budget &Cost);

  /// Runs \p Root and fills \p Report; appends to \p Findings. False, with
  /// neither of use, if the kernel does not go together with the shape of its
  /// block, or a premise comes late.
  bool run(const clang::FunctionDecl *Root, KernelReport &Report,
           std::vector<Finding> &Findings);
  /// After run().
  const RunAssumptions &premises() const { return Interp.Known; }
  const ShapeClues &clues() const { return Run.Clues; }
  /// What was found hangs on which threads were elected, if any.
  bool usedElection() const { return Warps.UsedElection; }

  /// A budget was exceeded, or a loop did not settle: there is more to see.
  bool isCutShort() const { return Run.CutShort; }
  FindingList &findings() { return Findings; }
  ReadLiveness &reads() { return Reads; }
  /// After run(): watches the reads that it made findings about, and runs again
  /// from where these began. False: that cannot tell, another executor has to
  /// watch all and run from the beginning.
  bool confirm(const clang::FunctionDecl *Root,
               llvm::ArrayRef<Finding> ToConfirm, KernelReport &Report,
               std::vector<Finding> &Findings);

  // PathControl
  Step enter(State &S, const clang::CFGBlock *B) override;
  void executeStmt(State &S, const clang::Stmt *St) override;

  Branches Branching;
  Loops Looping;
  Schedule Others;
  std::deque<State> Work; ///< states are large: none is moved
  /// What some path came to, of functions that copy or order.
  llvm::DenseSet<const clang::CFGBlock *> Reached;

private:
  State initialState(const clang::FunctionDecl *Root);
  /// What a parameter, or a member of an object, holds at first.
  void give(State &S, const clang::ParmVarDecl *Parm);
  void give(State &S, Value To, const clang::NamedDecl *What,
            clang::QualType T);
  /// Of a member function the object, and what parameters refer to; \p S is at
  /// the first block.
  void makeObjects(State &S);
  Value objectOf(State &S, const clang::CXXRecordDecl *Class);
  void runPaths();
  bool leavesMuchToSizes(const State &S) const;
  /// What budget a step of \p Path exceeds; empty: none.
  std::string exceeded(const State &Path);
  /// No path came to the end of the kernel.
  void sayStopped();
  Step step(State &S);
  void execute(State &S, const clang::CFGElement &E);
  /// \p Done was run: if it is a full expression, nothing uses its parts again.
  void dropTemps(State &S, const clang::Stmt *Done);
  Step returnFromCall(State &S);
  /// Another path was in this state, had no fewer blanks, and needed nothing
  /// decided that this one has not.
  bool alreadySeen(State &S, Spot Here);
  /// Why \p F, which has a body, has no control-flow graph.
  llvm::StringRef whyNotRun(const clang::FunctionDecl *F);

  /// There is no use in going on.
  bool isRefuted() const {
    return Interp.Known.cameLate() ||
           (Run.Clues.Against && !Interp.Known.IsLast);
  }

  Budget &Cost;
  /// For a run that leaves numbers open which others may choose.
  std::optional<Budget> TimeForOpen;
  bool CameToEnd = false; ///< some path, of the kernel
  CanonicalStates Canonical;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_EXECUTOR_H
