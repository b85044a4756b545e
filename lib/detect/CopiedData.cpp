//===- CopiedData.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/CopiedData.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

CopiedData::Same CopiedData::compareData(const State &S, const Int *From,
                                         unsigned X, const Int *To,
                                         unsigned Y) {
  if (From->terms() != To->terms())
    return Same::No;
  const Int *Apart = V.constant((*From->base())[X] - (*To->base())[Y]);
  const Uniformity Needed = X == Y ? Uniformity::Thread
                            : X / WarpThreads == Y / WarpThreads
                                ? Uniformity::Warp
                                : Uniformity::Block;
  for (const Int::Term &T : From->terms()) {
    if (T.A->Same < Needed)
      return Same::NotKnown;
    Apart = V.add(Apart, V.mul(T.A->Alone, V.constant((*T.Coefficient)[X] -
                                                      (*T.Coefficient)[Y])));
  }
  return S.Condition.bounds(V, Apart) == Interval{0, 0} ? Same::Yes : Same::No;
}

const TraceNode *CopiedData::issueOf(const State &S, EventId Copy) {
  // The path of the last question, or one that goes on from there.
  const TraceNode *Newest = S.Trace ? S.Trace->Copied : nullptr;
  llvm::SmallVector<const TraceNode *, 16> New;
  const TraceNode *N = Newest;
  while (N && N != NewestIssue) {
    New.push_back(N);
    N = N->Prev ? N->Prev->Copied : nullptr;
  }
  if (N != NewestIssue)
    Issues.clear();
  NewestIssue = Newest;
  for (const TraceNode *Issue : llvm::reverse(New))
    Issues[Issue->Event] = Issue;
  return Issues.lookup(Copy);
}

// Threads that copy one global byte to one shared byte do each other no harm:
// a tile whose last rows are clamped, halos that overlap.
bool CopiedData::copiesSameData(const State &S, const TraceNode &Then,
                                unsigned Other, EventId New, unsigned Thread,
                                Value Source, const PerThread *Part) {
  const Footprint *From = Events[Then.Event].Bytes, *To = Events[New].Bytes;
  if (!Then.Part != !Part)
    return false;
  if (Part) {
    if ((*Then.Part)[Other] != (*Part)[Thread])
      return false;
    if ((*Part)[Thread] == 0)
      return true; // zeros are zeros
  }
  auto Compare = [&] {
    if (!Then.Source.isPtr() || !Source.isPtr() || !Then.Source.I ||
        !Source.I || !From->Offset || !To->Offset)
      return Thread == Other ? Same::No : Same::NotKnown;
    if (Then.Source.Obj != Source.Obj)
      return Same::No;
    return compareData(S, V.sub(Then.Source.I, From->Offset), Other,
                       V.sub(Source.I, To->Offset), Thread);
  };
  const Same Brought = Compare();
  if (Brought == Same::NotKnown)
    Run.gap(Events[New].Loc,
            "source of a copy over that of another thread is not known");
  return Brought != Same::No;
}
