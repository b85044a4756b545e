//===- MbarrierOps.h - cuda::barrier and cuda::pipeline ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_MBARRIEROPS_H
#define CPASYNC_LIB_INTERP_MBARRIEROPS_H

#include "lib/inference/FirstAccesses.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/InterpPart.h"

namespace cpasync {

/// What threads do to a barrier in memory, however it is spelled.
struct PhaseRequest {
  ApiKind Kind; ///< one of Phase*
  const void *Site;
  clang::SourceLocation At;
  /// Arrivals, a parity, or the parity of a phase that somebody arrived in.
  const Int *Given;
  /// Announced before all else; null: not known.
  const Int *Bytes = nullptr;
  bool Announces = false; ///< Bytes
  /// They have been copied, instead: mbarrier.complete_tx.
  bool Completes = false;
  /// A wait that may give up, with a result that says so: the call or the asm
  /// statement; null: it waits until the phase is complete.
  const clang::Stmt *Try = nullptr;
};

/// Operations on barriers in memory; their state: MbarrierPhases.h.
class MbarrierOps : InterpPart {
public:
  explicit MbarrierOps(Interpreter &Interp) : InterpPart(Interp), Ahead(P, L) {}
  bool HasPassed = false; ///< a wait found its phase complete

  void callOfBarrier(State &S, const clang::CallExpr *E, ApiKind K);
  void makePipeline(State &S, const clang::CallExpr *E);
  /// False if nothing is known of the pipeline.
  bool callOfPipeline(State &S, const clang::CallExpr *E, ApiKind K);
  /// Whether the phase that \p R waits for is complete when it returns. If that
  /// is not decided yet, nothing is to be done.
  enum class WaitOutcome { Complete, GaveUp, Undecided };
  WaitOutcome outcomeOf(State &S, const PhaseRequest &R, Value Place);
  /// On the barrier at \p Place; false if it is not known which that is.
  /// \p Token: the parity of the phase that each thread did it in.
  bool operate(State &S, const PhaseRequest &R, Value Place,
               std::vector<int64_t> &Token);
  /// The active threads have issued the bulk copy \p Copy, which completes
  /// with a phase of the barrier at \p Place. False as above.
  bool issueLoad(State &S, const CopyRequest &R, EventId Copy);
  /// Copies of the active threads that are in flight arrive at \p Place once
  /// they are complete. \p Counts: as one of the arrivals that are expected.
  /// False as above. PTX ISA, "cp.async.mbarrier.arrive".
  bool arriveWithCopies(State &S, const void *Site, clang::SourceLocation At,
                        Value Place, bool Counts);
  /// Phases that somebody waits for and that lack nothing are complete.
  void completeReady(State &S);
  /// Closes a group of the active threads whose copies are complete with the
  /// phase of the barrier at \p Place; false if it is not known which it is.
  bool commitTo(State &S, const clang::CallExpr *E, Value Place);
  /// The copies of the active threads that are in no group yet are complete
  /// with the phase of the barrier at \p Place that these threads arrive in
  /// next; \p InBulk: each by itself. False as above.
  bool copyTo(State &S, Value Place, bool InBulk);
  /// Those of the active threads are copied with the phase that collects
  /// arrivals, whether anybody arrives or not.
  void bindCopies(State &S, const void *Site, clang::SourceLocation Loc);
  /// The barrier of the cluster, as far as threads of this block go: what other
  /// blocks do, they are taken to do at the same time. \p Ordered: not
  /// .relaxed. PTX ISA, "barrier.cluster".
  void arriveAtCluster(State &S, clang::SourceLocation At, bool Ordered);
  void waitForCluster(State &S, const void *Site, clang::SourceLocation At);
  /// The same place as \p Address in the block of that \p Rank of the cluster.
  /// PTX ISA, "mapa".
  Value mapTo(State &S, clang::SourceLocation At, Value Address, Value Rank);
  /// Calls \p Do with what \p Address is in each block of the cluster that has
  /// a bit in \p Mask, while those threads are active; false if it is not
  /// known.
  bool forEachBlock(State &S, Value Mask, Value Address,
                    llvm::function_ref<void(Value)> Do);
  /// \p Forced: nobody will ever complete it.
  void completePhase(State &S, MbarrierIndex Barrier, bool Forced);

private:
  /// On the barrier at \p Offset of \p O, by the threads that are \p Here. Sets
  /// their parts of \p Token, which is the phase's parity.
  void operate(State &S, const PhaseRequest &R, const Object *O, int64_t Offset,
               const PerThread *Here, std::vector<int64_t> &Token);
  /// False if no more arrive than the phase expects: nothing is done.
  bool arriveInTurn(State &S, const PhaseRequest &R, const Object *O,
                    int64_t Offset, const PerThread *Here,
                    std::vector<int64_t> &Token);
  /// \p Threads announce as many \p Bytes each, null: not known, or copy them.
  void announce(State &S, PhaseBarrier &B, const PerThread *Threads,
                const Int *Bytes, bool IsCopied);
  /// The active threads initialise the barriers at \p Place, or use them.
  void noteUse(State &S, const void *Site, clang::SourceLocation At,
               Value Place, bool IsInit);
  /// Who asks whether \p Try, of the innermost function, came in time.
  ResultUse useOf(const State &S, const clang::Stmt *Try);
  /// What its tiles have together shows how large they are.
  void tellTiles(const State &S, const PhaseBarrier &B);
  bool hasArrived(const State &S, const PhaseBarrier &B);
  /// It lacks nothing; of bytes, as far as anybody \p Knows.
  bool isReady(State &S, const PhaseBarrier &B, bool Knows);
  /// Somebody uses it again: the phase before is complete if it lacks nothing.
  /// \p New: who is about to wait; null: nobody.
  void completeIfReady(State &S, MbarrierIndex Barrier, bool Knows,
                       const PhaseBarrier::Waiter *New = nullptr);
  /// Where users look for it: the call of a helper that does nothing else.
  clang::SourceLocation placeOf(const State &S, clang::SourceLocation At);
  /// Those of \p Threads are, of threads that have not arrived in it.
  void bindCopies(State &S, MbarrierIndex Barrier, const PerThread *Threads,
                  const void *Site, clang::SourceLocation Loc);
  /// An event that closes a group of \p Threads on \p Barrier.
  EventId closing(State &S, const void *Site, clang::SourceLocation Loc,
                  MbarrierIndex Barrier, const PerThread *Threads,
                  bool IsLoad = false);
  /// Of threads that are \p Here and arrive, each \p Each times, those that the
  /// phase still expects, in their order; null if it expects all, or if not all
  /// of them need come.
  const PerThread *expected(State &S, const PhaseBarrier &B,
                            const PerThread *Here, const PerThread *Each);
  /// Copies of \p Late that nothing orders before the others' arrivals: those
  /// threads may issue them when the phase is complete.
  llvm::SmallVector<PhaseBarrier::Bound, 2>
  takeLate(State &S, PhaseBarrier &B, const PerThread *Late,
           clang::SourceLocation Arrival);
  /// \p Do with each barrier that a pointer of the active threads may mean, and
  /// those of them that mean it; false if it is not known which it is.
  bool
  forEachBarrier(State &S, Value Place,
                 llvm::function_ref<void(MbarrierIndex, const PerThread *)> Do);
  MbarrierIndex phaseBarrier(State &S, const Object *O, int64_t Offset,
                             unsigned Part = 0);
  /// \p Orders: what they did comes before.
  void arrive(State &S, MbarrierIndex Barrier, const PerThread *Threads,
              int64_t Count, bool Orders = true);
  /// Those who \p Came and are of another block than \p B.
  void noteForeign(PhaseBarrier &B, const PerThread *Came);
  void settleForeign(State &S, MbarrierIndex Barrier, const PerThread *Waits);
  void waitForPhase(State &S, MbarrierIndex Barrier,
                    const PhaseBarrier::Waiter &W, bool Parity);
  void passEarly(State &S, MbarrierIndex Barrier, const PhaseBarrier::Waiter &W,
                 bool Parity);
  /// \p Waiting, and those of their warps that do not overtake them.
  const PerThread *heldBack(const State &S, const PerThread *Waiting);
  /// \p W goes on after the phases that are complete; \p Early: but for the
  /// newest.
  void passPhase(State &S, MbarrierIndex Barrier, const PhaseBarrier::Waiter &W,
                 bool Forced, bool Early = false);

  FirstAccesses Ahead;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_MBARRIEROPS_H
