//===- UnorderedReads.cpp - Reads of what another thread copied -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy is complete for its own thread, and no barrier has told the one that
// reads.
//
//===----------------------------------------------------------------------===//

#include "lib/detect/Conflicts.h"

using namespace clang;
using namespace cpasync;

std::optional<Overlap> Conflicts::clashOfRead(const State &S,
                                              const Footprint *Read,
                                              const Footprint *Copy,
                                              CopiedData::Carried Brings) {
  return Footprints.clash(
      Read, Copy, /*AcrossWarps=*/true, [&](unsigned Reader, unsigned Copier) {
        Brings.Thread = Copier;
        return !Copied.isWhatOwnWarpCopied(S, Read, Reader, Brings);
      });
}

void Conflicts::checkOrderOfRead(State &S, EventId Read) {
  const Footprint *Bytes = Events[Read].Bytes;
  for (const Access *Old :
       S.Copies.unordered().rivals(Footprints, Bytes, /*OnlyCopies=*/true)) {
    const Access &A = *Old;
    if (Exclusive.areExclusive(S, A.Event, Read) ||
        S.Copies.notes().isBlamed(A.Event))
      continue;
    const Footprint *Exposed =
        Footprints.restrict(Bytes, L.except(Bytes->Mask, A.After));
    Overlap Clash = Exclusive.overlapOnPath(S, Exposed, A.Bytes,
                                            /*AcrossWarps=*/!A.OfPhase);
    if (Clash.K == Overlap::Kind::Unknown) {
      Clash = Rows.ofUnordered(S, A.Event, A.Bytes, Read, Exposed);
      std::swap(Clash.Thread, Clash.Other);
    }
    if (Clash.K == Overlap::Kind::Unknown)
      Run.gap(Events[Read].Loc,
              "address of a read of '" + Run.nameOf(Bytes->Obj).str() +
                  "' is not known before a barrier after the copies into it");
    if (Clash.K != Overlap::Kind::Clash)
      continue;
    const TraceNode *Then = A.OfPhase ? nullptr : Copied.issueOf(S, A.Event);
    if (Then) {
      const CopiedData::Carried Brings = {A.Event, unsigned(Clash.Other),
                                          Then->Source, Then->Part, Then};
      if (Copied.isWhatOwnWarpCopied(S, Exposed, Clash.Thread, Brings)) {
        const auto Harmful = clashOfRead(S, Exposed, A.Bytes, Brings);
        if (!Harmful)
          continue;
        Clash = *Harmful;
      }
    }
    Finding F;
    F.Kind = FindingKind::UnsynchronizedRead;
    F.At.Copy = Events[A.Event].Loc;
    F.At.Wait = A.Wait ? Events[A.Wait].Loc : SourceLocation();
    F.At.Read = Events[Read].Loc;
    F.Copied = Events[A.Event].Bytes->Size;
    F.Thread = Clash.Other;
    F.Reader = Clash.Thread;
    reportConflict(S, std::move(F), A, Read, Clash);
    return;
  }
}

// Not by the thread that writes, and no barrier or phase between: it may come
// later as well.
static bool mayComeLater(const State &S, const EventTable &Events, EventId Read,
                         const PerThread *Writers, PerThreadContext &L) {
  if (!PerThreadContext::isEmpty(L.both(Events[Read].Bytes->Mask, Writers)))
    return false;
  return S.Copies.history().isOrderLost() ||
         S.Copies.unordered().any([&](const Access &A) {
           return Events[A.Event].Loc == Events[Read].Loc &&
                  !PerThreadContext::isEmpty(L.except(Writers, A.After));
         });
}

void Conflicts::checkReadsBefore(State &S, EventId Write) {
  const Event &W = Events[Write];
  const SmallVector<EventId, 4> Blind(S.Copies.history().blindReads());
  for (EventId Read : Blind) {
    const Overlap &Clash = Footprints.overlap(Events[Read].Bytes, W.Bytes);
    if (Clash.K == Overlap::Kind::Disjoint)
      continue;
    if (mayComeLater(S, Events, Read, W.Bytes->Mask, L))
      S.Copies.history().forgetRead(Read);
    else if (Clash.K == Overlap::Kind::Clash && W.K == Event::Kind::Copy)
      Witnesses.reportReadBeforeCopy(S, Read, Write, Clash);
  }
}
