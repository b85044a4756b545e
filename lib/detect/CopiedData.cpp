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

CopiedData::Same CopiedData::compareCopies(const State &S,
                                           const TraceNode &Then,
                                           unsigned Other, const Carried &New) {
  const Footprint *From = Events[Then.Event].Bytes,
                  *To = Events[New.Copy].Bytes;
  if (!Then.Part != !New.Part)
    return Same::No;
  if (New.Part) {
    if ((*Then.Part)[Other] != (*New.Part)[New.Thread])
      return Same::No;
    if ((*New.Part)[New.Thread] == 0)
      return Same::Yes; // zeros are zeros
  }
  if (!Then.Source.isPtr() || !New.Source.isPtr() || !Then.Source.I ||
      !New.Source.I || !From->Offset || !To->Offset)
    return New.Thread == Other ? Same::No : Same::NotKnown;
  if (Then.Source.Obj != New.Source.Obj)
    return Same::No;
  return compareData(S, V.sub(Then.Source.I, From->Offset), Other,
                     V.sub(New.Source.I, To->Offset), New.Thread);
}

// Threads that copy one global byte to one shared byte do each other no harm:
// a tile whose last rows are clamped, halos that overlap.
bool CopiedData::copiesSameData(const State &S, const TraceNode &Then,
                                unsigned Other, EventId New, unsigned Thread,
                                Value Source, const PerThread *Part) {
  const Same Brought =
      compareCopies(S, Then, Other, {New, Thread, Source, Part, nullptr});
  if (Brought == Same::NotKnown)
    Run.gap(Events[New].Loc,
            "source of a copy over that of another thread is not known");
  return Brought != Same::No;
}

// On the way from \p Begin to \p End, both included.
static bool isSince(const TraceNode *N, const TraceNode *Begin,
                    const TraceNode *End) {
  while (End != N && End != Begin)
    End = End->Prev;
  return End == N;
}

bool CopiedData::isRenewedSince(const State &S, const TraceNode *Then,
                                const Int *A, const Int *B) {
  return llvm::any_of(S.Renewed, [&](const auto &R) {
    return dependsOn(A, R.first) && dependsOn(B, R.first) &&
           isSince(R.second, Then, S.Trace);
  });
}

// From where a pointer to constants points that the kernel was given: nothing
// is stored there while it runs.
static bool isFromConstants(const State &S, const Value &Source) {
  return Source.isPtr() &&
         llvm::any_of(
             S.Frames[0].Fn->decl()->parameters(), [&](const ParmVarDecl *P) {
               const QualType T = P->getType();
               return static_cast<const NamedDecl *>(P) == Source.Obj->Origin &&
                      T->isPointerType() &&
                      T->getPointeeType().isConstQualified();
             });
}

// What threads have in common cancels in their addresses.
static bool areComparable(const Footprint *A, const Footprint *B) {
  return A->Obj == B->Obj && A->Offset && B->Offset &&
         A->Offset->terms() == B->Offset->terms() &&
         llvm::all_of(A->Offset->terms(), [](const Int::Term &T) {
           return T.A->isUniform() && T.Coefficient->isUniform();
         });
}

bool CopiedData::isWhatOwnWarpCopied(const State &S, const Footprint *Read,
                                     unsigned Reader, const Carried &Theirs) {
  const Footprint *To = Events[Theirs.Copy].Bytes;
  if (!isFromConstants(S, Theirs.Source) || !Theirs.Part ||
      !areComparable(Read, To))
    return false;
  const auto Place = [](const Footprint *F, unsigned Thread) {
    return (*F->Offset->base())[Thread];
  };
  const int64_t Lo = std::max(Place(Read, Reader), Place(To, Theirs.Thread)),
                Hi = std::min(Place(Read, Reader) + Read->Size,
                              Place(To, Theirs.Thread) + To->Size);
  const unsigned Warp = Reader / WarpThreads * WarpThreads;
  for (const Access *Own :
       S.Copies.unordered().rivals(Footprints, Read, /*OnlyCopies=*/true)) {
    const Footprint *Bytes = Own->Bytes;
    const TraceNode *Issue = issueOf(S, Own->Event);
    if (!Issue || !Events[Own->Event].May.empty() ||
        Events[Own->Event].Shared || !areComparable(Bytes, Read))
      continue;
    const TraceNode *First = Theirs.Issue && Theirs.Issue->Place < Issue->Place
                                 ? Theirs.Issue
                                 : Issue;
    if (isRenewedSince(S, First, Issue->Source.I, Theirs.Source.I))
      continue;
    for (unsigned T = Warp; T < std::min(Warp + WarpThreads, Shape.threads());
         ++T)
      if ((*Bytes->Mask)[T] &&
          (T / L.inStep() == Reader / L.inStep() || (*Own->After)[Reader]) &&
          Place(Bytes, T) <= Lo && Hi <= Place(Bytes, T) + Bytes->Size &&
          compareCopies(S, *Issue, T, Theirs) == Same::Yes)
        return true;
  }
  return false;
}
