//===- ClusterOps.cpp - mbarriers and barriers of a cluster ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of mbarriers, what only other blocks of the cluster bring with them; and the
// barrier of the cluster. PTX ISA, "mapa", "barrier.cluster".
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"
#include "lib/interp/MbarrierOps.h"

using namespace clang;
using namespace cpasync;

// It has phases as one in memory, at no address. Before a relaxed arrival there
// may be a fence for the mbarriers that were initialised, which are all that is
// there as a rule.
void MbarrierOps::arriveAtCluster(State &S, SourceLocation At, bool Ordered) {
  Ordered |= S.Copies.notes().areInitsFenced();
  if (!Ordered && !Shape.RunsCluster) {
    if (!S.Copies.isIdle())
      Run.gap(S, At, "what a relaxed cluster barrier orders is not known");
    Barriers.unknownOrder(S);
  }
  arrive(S, phaseBarrier(S, nullptr, 0), S.Active, L.count(S.Active), Ordered);
}

Value MbarrierOps::mapTo(State &S, SourceLocation At, Value Address,
                         Value Rank) {
  Rank = Run.simplify(S, Rank);
  if (auto To = Run.Blocks.mapTo(Run.simplify(S, Address),
                                 Rank.isInt() ? Rank.I : nullptr))
    return *To;
  Run.gap(S, At,
          Run.Blocks.areAllRun() ? "which block this is in is not known"
                                 : Run.Blocks.whyNotAll());
  return Value::unknown();
}

bool MbarrierOps::forEachBlock(State &S, Value Mask, Value Address,
                               llvm::function_ref<void(Value)> Do) {
  Mask = Run.simplify(S, Mask);
  Address = Run.simplify(S, Address);
  if (!Mask.isInt() || !Mask.I->isKnown() ||
      !Run.Blocks.mapTo(Address, Run.Blocks.rank()))
    return false;
  const PerThread *All = S.Active;
  for (unsigned Block = 0; Block < ClusterShape::MaxBlocks; ++Block) {
    const Int *Bit = V.apply(Atom::Op::And, Mask.I, V.constant(1 << Block));
    S.Active = L.both(All, L.apply(LaneOp::Ne, Bit->base(), L.uniform(0)));
    if (!PerThreadContext::isEmpty(S.Active))
      Do(*Run.Blocks.mapTo(Address, V.constant(Block)));
  }
  S.Active = All;
  return true;
}

void MbarrierOps::waitForCluster(State &S, const void *Site,
                                 SourceLocation At) {
  const SourceLocation Loc = Run.userLoc(S, At);
  Run.trace(S, {TraceStep::Kind::Barrier, Loc, 0, S.Active});
  const MbarrierIndex Index = phaseBarrier(S, nullptr, 0);
  const PerThread *Joined = S.Copies.phase(Index).Joined;
  const PerThread *Here = S.Active;
  for (bool Parity : {false, true}) {
    const PerThread *Threads =
        Joined ? L.both(Here, L.apply(LaneOp::Eq, Joined, L.uniform(Parity)))
               : L.none();
    if (!PerThreadContext::isEmpty(Threads))
      waitForPhase(S, Index, {Threads, Site, Loc, /*Consumes=*/false}, Parity);
  }
}

void MbarrierOps::noteForeign(PhaseBarrier &B, const PerThread *Came) {
  if (!Shape.RunsCluster)
    return;
  const PerThread *Others = L.except(Came, Run.Blocks.threadsAt(B.Offset));
  if (PerThreadContext::isEmpty(Others))
    return;
  B.Foreign = B.Foreign ? L.either(B.Foreign, Others) : Others;
  B.At.Foreign = B.At.Arrival;
}

// What came before an own thread waited, or all met, comes before its block
// ends.
void MbarrierOps::settleForeign(State &S, MbarrierIndex Barrier,
                                const PerThread *Waits) {
  if (!Shape.RunsCluster)
    return;
  PhaseBarrier &B = S.Copies.phase(Barrier);
  if (!B.Obj) {
    for (PhaseBarrier &Each : S.Copies.phases())
      Each.Foreign = nullptr;
    return;
  }
  if (PerThreadContext::isEmpty(L.both(Waits, Run.Blocks.threadsAt(B.Offset))))
    return;
  B.Foreign = nullptr;
  noteForeign(B, B.Came);
}
