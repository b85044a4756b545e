//===- BlockBarriers.h - Barriers of a block --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_BLOCKBARRIERS_H
#define CPASYNC_LIB_INTERP_BLOCKBARRIERS_H

#include "lib/interp/InterpPart.h"
#include <map>

namespace cpasync {

/// Arrivals and waits at barriers; Schedule says who runs meanwhile.
class BlockBarriers : InterpPart {
public:
  using InterpPart::InterpPart;

  /// One of the barriers with a number: 0 for __syncthreads. Without a count
  /// all living threads take part.
  void barrier(State &S, clang::SourceLocation Loc, Value Id, Value Count,
               bool ArriveOnly = false);
  /// Those who wait at the barrier go on after those who arrived.
  void release(State &S, BarrierId Barrier);
  /// Nobody can run: phases that lack nothing are complete.
  void completeReady(State &S);
  /// Nobody will come any more: those who wait go on.
  void giveUp(State &S, Awaited Barrier);
  void tileBarrier(State &S, const clang::CallExpr *E);
  /// The active lanes of each warp meet.
  void warpBarrier(State &S);
  /// Something that is not modelled synchronised: everything may be ordered.
  void unknownOrder(State &S);
  /// The same of somebody who has been told, or waits in vain.
  void forgetOrder(State &S);

  bool BarrierIsDone = false;

  /// Threads of \p C, which is stopped at a barrier, that need not wait
  /// there as others of it do.
  const PerThread *heldBack(const State &S, const Context &C);

private:
  /// The same of any barrier that threads arrive at.
  void meetAt(State &S, clang::SourceLocation Loc, Value Id, Value Count,
              bool ArriveOnly = false);
  /// \p Needed threads must come to the barrier that has \p Ids; the group is
  /// that of \p Thread.
  void checkShape(clang::SourceLocation At, const PerThread &Ids,
                  unsigned Thread, int64_t Needed);
  /// That of \p Block in its cluster.
  BarrierId barrierOf(const State &S, clang::SourceLocation At, int64_t Number,
                      unsigned Block);

  /// Where a cluster is run: by block and number, in the order of first use.
  std::map<std::pair<unsigned, int64_t>, int64_t> OfBlocks;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_BLOCKBARRIERS_H
