//===- UnwrittenReads.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/UnwrittenReads.h"
#include "lib/report/Elements.h"
#include "lib/report/PathNotes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void UnwrittenReads::check(State &S, EventId Read, bool Whole) {
  if (Reads.isWatching()) {
    findAgain(S, Read);
    return;
  }
  const Event &R = Events[Read];
  // Who calls another function may have written what it reads.
  if (!R.Bytes->Obj->isShared() ||
      !S.Frames[0].Fn->decl()->hasAttr<CUDAGlobalAttr>())
    return;
  if (!S.Copies.history().leavesOut(Run.Written, R.Bytes)) {
    ReadBehindCopies.insert(R.Loc);
    return;
  }
  if (S.ChoseNotToCopy) {
    Omitted.noteUnwritten(S, Read);
    return;
  }
  Omitted.noteBlank(Read);
  if (Shape.Assumed) // there may be more threads that write
    return;
  const TraceNode *Copy = newestCopyTo(S.Trace, Events, R.Bytes->Obj);
  if (!Copy || Run.Replay.fail())
    return;
  Reads.noteDoubt(S, Read);
  if (!Noted.insert(Read).second)
    return;
  Finding F;
  F.Kind = FindingKind::UnwrittenRead;
  F.Object = Run.nameOf(R.Bytes->Obj).str();
  F.At.Copy = Copy->Loc;
  F.At.Read = R.Loc;
  F.Copied = Events[Copy->Event].Bytes->Size;
  F.OnEveryPath = isUnconditional(S.Trace);
  F.Path.Length = S.Length;
  const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
  if (Loop)
    F.Path.Iteration = Loop->N;
  std::vector<ToldStep> Steps;
  const TraceNode *Parting = S.parting();
  if (Parting) {
    F.Cause = InFlightCause::Divergent;
    F.At.Operand = Parting->Loc;
    addDecision(Steps, Parting);
  }
  Steps.push_back(
      {{TraceStep::Kind::CopyIssued, Copy->Loc, F.Object}, Copy->InLoop, Copy});
  if (!F.OnEveryPath)
    for (const TraceNode *N : decisionsAround({Copy, S.Within}))
      addDecision(Steps, N);
  Steps.push_back({{TraceStep::Kind::Read, R.Loc, F.Object}, Loop, nullptr});
  tell(F, std::move(Steps), S.Trace, EffectGroup | EffectCopy,
       Run.callsAround(S));
  // Behind a wait by a guess others may have written it before; of a role that
  // copies for these it is not known how far it has come, of a copy of a part
  // not how large that is.
  const bool IsEarly =
      ReadBehindCopies.contains(R.Loc) && !S.Copies.history().isOrderLost() &&
      !S.Copies.history().mayBeWritten(Run.Written, R.Bytes) &&
      !PerThreadContext::isEmpty(
          L.both(Events[Copy->Event].Bytes->Mask, R.Bytes->Mask));
  Candidates.push_back(
      {Read, Whole, std::move(F), std::nullopt,
       Parting || IsEarly ? S.Copies.history().written() : nullptr});
}

void UnwrittenReads::report(const TileSizes &Tiles) {
  std::set<TileSizes::Tile> ReadBehind;
  llvm::erase_if(Candidates, [&](Candidate &C) {
    const Footprint *Bytes = Events[C.Read].Bytes;
    const WrittenBytes *W = C.Written ? C.Written : Run.Written.ever();
    const PerThread *Threads = Run.Written.threadsLeftOut(W, Bytes, C.Whole);
    if (PerThreadContext::isEmpty(Threads) ||
        (!C.Written && Run.Written.isAnywhere()))
      return true;
    C.F.Reader = L.first(Threads);
    C.F.Byte = Run.Written.firstByteLeftOut(W, Bytes, C.F.Reader);
    C.Sharer = Tiles.sharerAt(Bytes->Obj, C.F.Byte);
    if (C.Sharer)
      ReadBehind.insert(*C.Sharer);
    return false;
  });
  for (Candidate &C : Candidates) {
    // Of tiles that share, one may be longer if another is shorter.
    if (C.Sharer && !llvm::all_of(Tiles.sharersWith(*C.Sharer),
                                  [&](const TileSizes::Tile &T) {
                                    return ReadBehind.contains(T);
                                  }))
      continue;
    Findings.nameBlocks(C.F);
    Findings.tellTiles(C.F);
    Elements(Run).name(C.F, Events[C.Read].Bytes);
    FindingList::merge(*Findings.To, std::move(C.F));
  }
}

void UnwrittenReads::findAgain(State &S, EventId Read) {
  const Event &R = Events[Read];
  if (!R.Bytes->Offset || !R.Bytes->Offset->isKnown())
    return;
  const std::vector<Finding> Known = Findings.Unconfirmed;
  for (const Finding &F : Known) {
    if (F.Kind != FindingKind::UnwrittenRead || F.At.Read != R.Loc ||
        !(*R.Bytes->Mask)[F.Reader])
      continue;
    const int64_t At = Run.Blocks.byteOf((*R.Bytes->Offset->base())[F.Reader]);
    if (At <= F.Byte && F.Byte < At + R.Bytes->Size)
      Reads.reportOfRead(S, F, Read, Read, /*AtRead=*/true, F.Byte - At);
  }
}
