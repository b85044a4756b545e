//===- Branches.h - Where paths and threads part ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_BRANCHES_H
#define CPASYNC_LIB_ENGINE_BRANCHES_H

#include "lib/engine/EnginePart.h"

namespace cpasync {

/// Conditions: fork the path, split the block, or run both sides.
class Branches : EnginePart {
public:
  using EnginePart::EnginePart;

  Step branch(State &S);
  /// The sides of the innermost decision have met.
  static void closeDecision(State &S);
  /// Handles splits that meet at \p B; returns where to go on instead, or \p B,
  /// or null if other threads run now.
  const clang::CFGBlock *joinAt(State &S, const clang::CFGBlock *B);
  /// Goes on from here twice, with either number of \p Of.
  Step forkOn(State &S, const PathCondition::Selection &Of,
              clang::SourceLocation Loc);

  unsigned Forks = 0; ///< of paths, so far
  /// A path ended where the kernel stops, as a failed assertion does it.
  clang::SourceLocation StopLoc;

private:
  /// Of \p Condition, which \p E is, and of a loop if \p IsLoop: whether a tile
  /// is a whole one, if that is open and decided first.
  std::optional<PathCondition::Selection> wholeOrRest(State &S,
                                                      const clang::Expr *E,
                                                      const Int *Condition,
                                                      bool IsLoop);
  std::optional<PathCondition::Selection> openLength(State &S, const Int *Of);
  /// Of a tile whose rows \p E compares with. It is noted that there is one.
  std::optional<PathCondition::Selection> comparedTile(State &S,
                                                       const clang::Expr *E);
  /// \p Path has chosen \p Rest instead of \p Whole: if those are the rows of a
  /// tile, there is one in a run with short tiles.
  void shorten(State &Path, const Int *Rest, const Int *Whole,
               clang::SourceLocation Loc);
  bool isFromNonZero(const State &S, const Int *I);
  /// What the loop that goes on while \p C holds is for, and what is above 0 if
  /// there is any; null: nothing is known of it.
  const Int *workFor(const State &S, const clang::CFGBlock *B, const Int *C,
                     const clang::CFGBlock *OnTrue,
                     const clang::CFGBlock *OnFalse);
  /// There is \p Work, as far as that is open. False if that contradicts the
  /// path of \p S.
  bool takeWork(State &S, const Int *Work, const PerThread *In,
                clang::SourceLocation Loc);
  /// The numbers of the threads are compared with how many there are of
  /// something, `lane < n`.
  struct ThreadCount {
    const Int *IsBelow, *Difference;
    bool Holds; ///< for those below
  };
  /// As \p C does it; empty: not so.
  static std::optional<ThreadCount> countIn(const Int *C);
  /// Where it hangs on that how many bytes are to come, goes on from here where
  /// \p C holds for the first of those threads alone that it is open for. False
  /// if not.
  bool forkOnOne(const State &S, const clang::CFGBlock *B, const Int *C,
                 const PerThread *True, const PerThread *False,
                 const clang::CFGBlock *OnTrue, const clang::CFGBlock *OnFalse,
                 clang::SourceLocation Loc);
  /// A condition, with what the path knows put in, and without.
  struct Question {
    const Int *Condition, *Written;
  };
  Step branchOn(State &S, const clang::CFGBlock *B, Question On,
                const clang::CFGBlock *OnTrue, const clang::CFGBlock *OnFalse,
                clang::SourceLocation Loc);
  /// Nobody launches a kernel to see it stop: what it asserts, holds. \p Known:
  /// for which threads.
  Step goOn(State &S, const clang::CFGBlock *To, bool Holds, Question On,
            const Truth &Known, clang::SourceLocation Loc);
  /// The true side is the one to run first.
  bool endsSooner(const State &S, const clang::CFGBlock *B,
                  const clang::CFGBlock *OnTrue,
                  const clang::CFGBlock *OnFalse);
  Step splitThreads(State &S, const clang::CFGBlock *B, const PerThread *True,
                    const PerThread *False, const clang::CFGBlock *OnTrue,
                    const clang::CFGBlock *OnFalse);
  /// \p Others, of those that are active, begin at \p Side when the others have
  /// come to where the sides of \p B meet.
  void setAside(State &S, const clang::CFGBlock *B, const PerThread *Others,
                const clang::CFGBlock *Side);
  Step runBothSides(State &S, const clang::CFGBlock *B, const Int *Condition,
                    const PerThread *True, const PerThread *False,
                    const clang::CFGBlock *OnTrue,
                    const clang::CFGBlock *OnFalse, clang::SourceLocation Loc);
  /// Records that \p B goes one way; what follows is within that decision.
  void traceDecision(State &S, const clang::CFGBlock *B, TraceNode N);
  void traceSide(State &S, const Split &Both, bool Holds);
  /// Threads that leave something early while others go on.
  void traceLeaving(State &S, const clang::CFGBlock *B);
  TraceNode::LoopRole loopRole(const State &S, const clang::CFGBlock *B,
                               const clang::CFGBlock *Next);
  /// Threads that leave by that side, as far as is known before.
  const PerThread *leaving(const State &S, const DivergentExits::Exit &To);
  void part(const State &S, const clang::CFGBlock *B, const Int *C,
            const PerThread *Open, const clang::CFGBlock *OnTrue,
            const clang::CFGBlock *OnFalse, clang::SourceLocation Loc);
  void fork(State &S); ///< counts it
  /// At the end of \p B: is there a temporary to destroy?
  Step branchOnMade(State &S, const clang::CFGBlock *B);
  struct CaseBlock;
  static bool coversAll(Interval Values, llvm::ArrayRef<CaseBlock> Cases);
  Step splitByCase(State &S, const clang::CFGBlock *B, const PerThread *On,
                   llvm::ArrayRef<CaseBlock> Cases,
                   const clang::CFGBlock *Default);
  Step switchOn(State &S, const clang::CFGBlock *B);

  /// Where conditions stand that values were selected by.
  llvm::DenseMap<const Int *, clang::SourceLocation> ConditionLocs;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_BRANCHES_H
