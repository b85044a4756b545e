//===- KernelRun.h - What all parts of a run share --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_KERNELRUN_H
#define CPASYNC_LIB_STATE_KERNELRUN_H

#include "lib/Options.h"
#include "lib/source/BlockShape.h"
#include "lib/state/CallReplay.h"
#include "lib/state/CallTape.h"
#include "lib/state/ClusterBlocks.h"
#include "lib/state/ShapeClues.h"
#include "lib/state/SideEffects.h"
#include "lib/state/State.h"
#include <deque>
#include <utility>

namespace cpasync {

struct SharedValues;

/// An operation where users see it: a statement or part of one, in a function.
struct UserPlace {
  const clang::Stmt *St = nullptr;
  const clang::FunctionDecl *In = nullptr;
};

/// One run of one kernel: its tables, its report, and what its paths did.
class KernelRun {
public:
  /// While it lives, a path runs whose gaps are not told: what was left out of
  /// it, others have.
  class AsideGuard {
  public:
    AsideGuard(KernelRun &Run, bool IsAside)
        : Run(Run), CutShort(Run.CutShort),
          OrderIsGuessed(Run.Report->OrderIsGuessed) {
      Run.IsAside = IsAside;
    }
    ~AsideGuard() {
      if (!std::exchange(Run.IsAside, false))
        return;
      Run.CutShort = CutShort;
      Run.Report->OrderIsGuessed = OrderIsGuessed;
    }
    AsideGuard(const AsideGuard &) = delete;
    AsideGuard &operator=(const AsideGuard &) = delete;

  private:
    KernelRun &Run;
    const bool CutShort, OrderIsGuessed;
  };

  /// \p Shared: of blocks of that shape.
  KernelRun(Program &P, const AnalysisOptions &Options, SharedValues &Shared);

  void gap(clang::SourceLocation Loc, std::string Reason);
  /// In a system header: where the user called it.
  void gap(const State &S, clang::SourceLocation Loc, std::string Reason);

  /// Something that is not modelled may synchronise here: who waits for whom,
  /// and what is complete, from here on is a guess.
  void guessOrder(State &S);

  /// Appends \p N to what \p S did.
  void trace(State &S, TraceNode N);
  /// \p S has decided that \p Condition is \p Holds in the threads \p Where.
  /// False: somebody has found that no run decides all that it did.
  bool decided(State &S, const Int *Condition, bool Holds,
               const PerThread *Where, clang::SourceLocation Loc);
  /// \p Newest, and what \p Thread does under these conditions; below 0: what
  /// all threads do.
  const PastDecision *decidedUnder(const PastDecision *Newest,
                                   llvm::ArrayRef<MayCondition> May, int Thread,
                                   clang::SourceLocation Loc);
  const TraceNode *loopAround(const State &S) const {
    return Replay.isActive() ? Replay.loop()
           : S.Loops.empty() ? nullptr
                             : S.Loops.back().Newest;
  }
  /// The calls that \p S is inside of; null: none.
  const CallChain *callsAround(const State &S);
  /// The same of a frame of it.
  const CallChain *callsAround(const State &S, size_t Frame);
  Site siteOf(const State &S, const void *Op, clang::SourceLocation At);
  /// Where users look for an operation: the call of a thin wrapper, the
  /// expansion of a macro, never a system header.
  clang::SourceLocation userLoc(const State &S, clang::SourceLocation Loc) {
    return siteOf(S, nullptr, Loc).Loc;
  }
  /// The statement that runs, where users look for it.
  UserPlace userStatement(const State &S) const;
  void notePlace(const State &S, clang::SourceLocation Loc);

  /// Of a structured binding its first name.
  static llvm::StringRef nameOf(const clang::NamedDecl *D);
  /// As this kernel calls it.
  llvm::StringRef nameOf(const Object *O) const;

  /// A local of the call that runs, or a place for what has no name.
  const Object *local(State &S, const void *Origin, llvm::StringRef Name,
                      int64_t Size, int64_t Number = 0);

  /// By what the path has decided.
  Value simplify(const State &S, Value V);
  /// Threads that can still see the locals of the current path.
  const PerThread *livingThreads(const State &S);

  Program &P;
  clang::ASTContext &Ctx;
  const AnalysisOptions &Options;
  SharedValues &Shared;
  const BlockShape Shape;
  ValueContext &V;
  PerThreadContext &L;
  ClusterBlocks Blocks;
  FactTable Facts;
  FootprintTable Footprints;
  WrittenBytesTable Written;
  EventTable Events;
  KernelReport *Report = nullptr;
  /// A budget was exceeded, or a loop did not settle: there is more to see.
  bool CutShort = false;
  SideEffects Effects;
  unsigned Steps = 0; ///< elements executed, whichever calls were remembered
  unsigned MaxSteps;
  struct {
    unsigned Index = 0;   ///< of the thread: asked for so often
    unsigned Running = 0; ///< who runs had a say so often
  } ThreadUses;
  ShapeClues Clues; ///< where the shape is open
  CallReplay Replay;
  /// Of the extern __shared__ arrays, the first one that it uses.
  llvm::StringRef DynamicName;
  /// Waits, barriers and reads by the place that is reported.
  llvm::DenseMap<clang::SourceLocation, UserPlace> Places;
  struct {
    /// By the place of a copy of a tile, what its size is known from.
    llvm::DenseMap<clang::SourceLocation, TraceStep> OfTiles;
    /// Of bulk copies, in bytes: the same in all threads, and not known.
    llvm::SmallSetVector<const Int *, 4> Open;
    /// Numbers with which one of those fills what it goes to; the least.
    llvm::DenseMap<const Atom *, int64_t> Filling;
  } CopySizes;

private:
  std::deque<TraceNode> TraceNodes;
  bool IsAside = false;
};

/// A part of a run: calls by a short name what all of them use.
class RunPart {
protected:
  explicit RunPart(KernelRun &Run)
      : Run(Run), P(Run.P), Ctx(Run.Ctx), Shape(Run.Shape), V(Run.V), L(Run.L),
        Events(Run.Events), Footprints(Run.Footprints) {}

  KernelRun &Run;
  Program &P;
  clang::ASTContext &Ctx;
  const BlockShape &Shape;
  ValueContext &V;
  PerThreadContext &L;
  EventTable &Events;
  FootprintTable &Footprints;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_KERNELRUN_H
