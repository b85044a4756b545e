//===- OtherReads.cpp - More than one read is overwritten -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/Conflicts.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

std::vector<SourceLocation>
Conflicts::otherReads(const State &S, const Access &Told, EventId Write) {
  std::vector<SourceLocation> Places;
  const Footprint *Bytes = Events[Write].Bytes;
  for (const Access *A :
       S.Copies.unordered().rivals(Footprints, Bytes, /*OnlyCopies=*/false)) {
    const Event &Old = Events[A->Event];
    if (Old.K != Event::Kind::Read || Old.Loc == Events[Told.Event].Loc ||
        llvm::is_contained(Places, Old.Loc) ||
        ReadLiveness::isHeldBack(S, A->Event, /*AtRead=*/false) ||
        Exclusive.areExclusive(S, A->Event, Write))
      continue;
    const Footprint *Exposed =
        Footprints.restrict(Bytes, L.except(Bytes->Mask, A->After));
    if (Exclusive.overlapOnPath(S, Exposed, A->Bytes, /*AcrossWarps=*/true).K ==
        Overlap::Kind::Clash)
      Places.push_back(Old.Loc);
  }
  return Places;
}
