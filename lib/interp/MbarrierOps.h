//===- MbarrierOps.h - cuda::barrier and cuda::pipeline ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_MBARRIEROPS_H
#define CPASYNC_LIB_INTERP_MBARRIEROPS_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// Operations on barriers in memory; their state: MbarrierPhases.h.
class MbarrierOps : InterpPart {
public:
  using InterpPart::InterpPart;

  void callOfBarrier(State &S, const clang::CallExpr *E, ApiKind K);
  void makePipeline(State &S, const clang::CallExpr *E);
  /// False if nothing is known of the pipeline.
  bool callOfPipeline(State &S, const clang::CallExpr *E, ApiKind K);
  /// Closes a group of the active threads whose copies are complete with the
  /// phase of the barrier at \p Place; false if it is not known which it is.
  bool commitTo(State &S, const clang::CallExpr *E, Value Place, bool Told);
  /// The barrier of the cluster, as far as threads of this block go: what other
  /// blocks do, they are taken to do at the same time. \p Ordered: not
  /// .relaxed. PTX ISA, "barrier.cluster".
  void arriveAtCluster(State &S, clang::SourceLocation At, bool Ordered);
  void waitForCluster(State &S, const void *Site, clang::SourceLocation At);
  /// \p Forced: nobody will ever complete it.
  void completePhase(State &S, MbarrierIndex Barrier, bool Forced);

private:
  /// On the barrier at \p Offset of \p O, by the threads that are \p Here. Sets
  /// their parts of \p Token, which is the phase's parity.
  void operate(State &S, const clang::CallExpr *E, ApiKind K, const Object *O,
               int64_t Offset, const PerThread *Here, const Int *Given,
               std::vector<int64_t> &Token);
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
  MbarrierIndex phaseBarrier(State &S, const Object *O, int64_t Offset,
                             unsigned Part = 0);
  void arrive(State &S, MbarrierIndex Barrier, const PerThread *Threads,
              int64_t Count);
  void waitForPhase(State &S, MbarrierIndex Barrier,
                    const PhaseBarrier::Waiter &W, bool Parity);
  void passEarly(State &S, MbarrierIndex Barrier, const PhaseBarrier::Waiter &W,
                 bool Parity);
  /// \p W goes on after the phases that are complete.
  void passPhase(State &S, MbarrierIndex Barrier, const PhaseBarrier::Waiter &W,
                 bool Forced);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_MBARRIEROPS_H
