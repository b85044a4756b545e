//===- BulkSources.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/BulkSources.h"
#include "lib/report/Elements.h"
#include "lib/report/PathNotes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void BulkSources::check(State &S, EventId Read) {
  const Footprint *Source = Events[Read].Bytes;
  const bool ForMatrix = Events[Read].K == Event::Kind::Wgmma;
  for (const Access *A : S.Copies.unordered().rivals(Footprints, Source,
                                                     /*OnlyCopies=*/false)) {
    const Event &Write = Events[A->Event];
    // A copy that a matrix product meets is found where any read meets it.
    if (Write.K != Event::Kind::Store &&
        (ForMatrix || Write.K != Event::Kind::Copy))
      continue;
    const PerThread *Before = L.except(Source->Mask, A->After);
    if (PerThreadContext::isEmpty(Before))
      continue;
    const Overlap Clash = Footprints.overlapAcrossWarps(
        Footprints.restrict(Source, Before), A->Bytes);
    if (Clash.K != Overlap::Kind::Clash)
      continue;
    report(S, FindingKind::UnorderedSource, Read, A->Event, Clash);
    return; // a fence comes before a barrier
  }
  for (const CopyNotes::Unfenced &U : S.Copies.notes().unfenced()) {
    const Overlap Clash = Footprints.overlap(Source, U.Bytes);
    if (Clash.K != Overlap::Kind::Clash)
      continue;
    report(S, FindingKind::MissingFence, Read, U.Store, Clash);
    return;
  }
}

void BulkSources::report(State &S, FindingKind K, EventId Read, EventId Write,
                         const Overlap &Clash) {
  const Event &C = Events[Read], &W = Events[Write];
  if (!W.May.empty() || !C.May.empty())
    return;
  Finding F;
  F.Kind = K;
  F.Object = Run.nameOf(C.Bytes->Obj).str();
  F.At.Copy = C.Loc;
  F.At.Write = W.Loc;
  F.ByStore = W.K == Event::Kind::Store;
  F.Copied = C.Bytes->Size;
  F.Overwritten = C.K == Event::Kind::Wgmma ? OverwriteCause::MatrixRead
                                            : OverwriteCause::BulkRead;
  F.Thread = Clash.Thread;
  F.Other = Clash.Other;
  F.Byte = Clash.Byte;
  Elements(Run).nameNow(F, S, C.Bytes, F.Thread);
  F.OnEveryPath = isUnconditional(S.Trace);
  const TraceNode *Wrote = S.Trace;
  while (Wrote && Wrote->Event != Write)
    Wrote = Wrote->Prev;
  std::vector<ToldStep> Steps;
  Steps.push_back(
      {{F.ByStore ? TraceStep::Kind::Stored : TraceStep::Kind::CopyIssued,
        W.Loc, F.Object},
       Wrote ? Wrote->InLoop : nullptr,
       Wrote});
  const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
  Steps.push_back({{F.Overwritten == OverwriteCause::MatrixRead
                        ? TraceStep::Kind::MatrixRead
                        : TraceStep::Kind::CopiedInBulk,
                    C.Loc, F.Object},
                   Loop,
                   nullptr});
  tell(F, std::move(Steps), S.Trace, EffectCopy, Run.callsAround(S));
  Findings.add(S, std::move(F));
}
