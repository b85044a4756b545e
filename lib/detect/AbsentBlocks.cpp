//===- AbsentBlocks.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/AbsentBlocks.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/report/PathNotes.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace cpasync;

/// Of the block in whose memory a byte lies; below 0: in none.
static int64_t blockAt(int64_t Place) {
  return Place < 0 ? -1 : IndexedPlace::byteAt(Place) / BlockShape::SharedSpan;
}

void AbsentBlocks::checkReach(State &S, const Footprint *Bytes,
                              SourceLocation At) {
  if (!Run.Blocks.areAllRun() || !Bytes->Offset || !Bytes->Obj->isShared())
    return;
  const PerThread *Places = Bytes->Offset->base();
  // A block alone reaches another only by what asks for one.
  if (!Shape.RunsCluster &&
      ((blockAt(Places->min()) == 0 && blockAt(Places->max()) == 0) ||
       !(P.effects(S.Frames[0].Fn->decl()) & EffectOtherBlocks)))
    return;
  const PerThread *Living = Run.livingThreads(S);
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    const int64_t Block = blockAt((*Places)[T]);
    if (!(*Bytes->Mask)[T] || Block == Run.Blocks.blockOf(T))
      continue;
    Run.Clues.ReachesBlocks = true;
    if (Block < 0 || Block >= Shape.blocks())
      return tellMissing(S, Bytes->Obj, Block, Bytes->Mask, At);
    if (PerThreadContext::isEmpty(
            L.both(Living, Run.Blocks.threadsOf(unsigned(Block)))))
      return tellEnded(S, Bytes->Obj, Block, T, At);
  }
}

Finding AbsentBlocks::reached(const State &S, FindingKind Kind, const Object *O,
                              int64_t Block, unsigned Thread,
                              SourceLocation At) {
  Finding F;
  F.Kind = Kind;
  F.Object = Run.nameOf(O).str();
  F.At.Operand = At;
  F.Value = Block;
  F.Limit = Shape.blocks();
  F.Thread = int(Thread);
  F.OnEveryPath = isUnconditional(S.Trace);
  return F;
}

void AbsentBlocks::tellMissing(State &S, const Object *O, int64_t Block,
                               const PerThread *Threads, SourceLocation At) {
  if (S.May.empty())
    Findings.add(S, reached(S, FindingKind::MissingBlock, O, Block,
                            L.first(Threads), At));
}

void AbsentBlocks::tellEnded(State &S, const Object *O, int64_t Block,
                             unsigned Thread, SourceLocation At) {
  if (!S.May.empty())
    return;
  Finding F = reached(S, FindingKind::EndedBlock, O, Block, Thread, At);
  const SourceLocation End = Ctx.getSourceManager().getExpansionLoc(
      S.Frames[0].Fn->decl()->getEndLoc());
  F.Trace = {{TraceStep::Kind::BlockReached, At, F.Object},
             {TraceStep::Kind::KernelEnd, End}};
  Findings.add(S, std::move(F));
}

void AbsentBlocks::checkEnd(State &S) {
  if (!Shape.RunsCluster)
    return;
  for (const PhaseBarrier &B : S.Copies.phases())
    if (B.Foreign)
      tellEnded(S, B.Obj, blockAt(B.Offset), L.first(B.Foreign), B.At.Foreign);
  auto CheckReach = [&](EventId Id, const Footprint *Bytes,
                        const PerThread *After) {
    const Event &Of = Events[Id];
    if (!Bytes->Offset || !Of.May.empty())
      return;
    for (unsigned T = 0; T < Shape.threads(); ++T) {
      const int64_t Block = blockAt((*Bytes->Offset->base())[T]);
      if ((*Bytes->Mask)[T] && Block != Run.Blocks.blockOf(T) && Block >= 0 &&
          Block < Shape.blocks() &&
          PerThreadContext::isEmpty(
              L.both(After, Run.Blocks.threadsOf(unsigned(Block)))))
        return tellEnded(S, Bytes->Obj, Block, T, Of.Loc);
    }
  };
  S.Copies.unordered().forEach(
      [&](Access &A) { CheckReach(A.Event, A.Bytes, A.After); });
  // What is in flight comes before nothing that anybody does.
  for (const BlockCopies::ThreadClass &C : S.Copies.classes())
    for (const Group &G : C.Queue.groups())
      for (EventId Copy : G.Copies)
        CheckReach(Copy, Footprints.restrict(Events[Copy].Bytes, C.Mask),
                   L.none());
}
