//===- OmittedCopies.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/OmittedCopies.h"
#include "lib/report/Elements.h"
#include "lib/report/PathNotes.h"
#include "lib/state/MemoizedCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Ways to leave one out that are noted.
static constexpr size_t MaxWays = 8;

// The first threads may lie before the edge of what there is, and the last
// behind it.
void OmittedCopies::noteCopy(const State &S, EventId Copy) {
  const Event &Issued = Events[Copy];
  const CopyPlace Place = {Issued.Bytes->Obj, Issued.Loc};
  if (Follows || !Place.To->isShared() ||
      !S.Frames[0].Fn->decl()->hasAttr<CUDAGlobalAttr>())
    return;
  if (!llvm::is_contained(Known.Places, Place))
    Known.Places.push_back(Place);
  if (S.May.empty() || Known.Copies.size() >= MaxWays ||
      !Noted.insert(Issued.Loc).second)
    return;
  int Last = -1;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T])
      Last = T;
  const auto [Condition, Holds] = S.May.back();
  for (const int Thread : {Last, L.first(S.Active)}) {
    const PastDecision *Newest = Run.decidedUnder(
        S.Decided, llvm::ArrayRef(S.May).drop_back(), Thread, Issued.Loc);
    std::vector<int64_t> One(L.threads(), 0);
    One[Thread] = 1;
    Run.Shared.History.decide(Newest, Condition, !Holds, L.perThread(One),
                              Issued.Loc);
    if (Newest)
      Known.Copies.push_back({Thread, Newest->Number});
  }
}

void OmittedCopies::noteUnwritten(const State &S, EventId Read) {
  const Event &R = Events[Read];
  if (newestCopyTo(S.Trace, Events, R.Bytes->Obj) && S.Decided &&
      Known.Copies.size() < MaxWays && Noted.insert(R.Loc).second)
    Known.Copies.push_back({L.first(S.Active), S.Decided->Number});
}

void OmittedCopies::follow(Found Noted) {
  Known = std::move(Noted);
  Follows = true;
  Reads.followSums();
}

void OmittedCopies::check(State &S, EventId Read, bool Whole, LoadedParts *To) {
  const Footprint *Bytes = Events[Read].Bytes;
  const Object *Obj = Bytes->Obj;
  if (!To || S.ChoseNotToCopy || !Obj->isShared() ||
      llvm::none_of(Known.Places,
                    [&](const CopyPlace &X) { return X.To == Obj; }))
    return;
  const PerThread *LeftOut = L.none();
  if (!Known.Blank.contains(Events[Read].Loc) &&
      S.Copies.history().leavesOut(Run.Written, Bytes)) {
    const auto [Of, IsNew] = Candidates.try_emplace(
        Read, Candidate{S.Copies.history().written(), {}});
    LeftOut = L.both(
        S.Active, Run.Written.threadsLeftOut(Of->second.Written, Bytes, Whole));
    if (IsNew && !PerThreadContext::isEmpty(LeftOut))
      Of->second.F = describe(S, Read);
  }
  To->push_back(
      {writtenPart(Obj), 0, Bytes->Size, L.except(S.Active, LeftOut)});
  To->push_back({Read, 0, Bytes->Size, LeftOut});
  llvm::erase_if(*To, [](const LoadedPart &Part) {
    return PerThreadContext::isEmpty(Part.Threads);
  });
}

EventId OmittedCopies::writtenPart(const Object *Of) {
  Event All{Event::Kind::Read, Of, SourceLocation()};
  All.Bytes = Footprints.get(Of, nullptr, /*Size=*/1, L.all());
  return Events.intern(std::move(All));
}

SourceLocation OmittedCopies::copyBeside(const State &S,
                                         const Object *To) const {
  llvm::DenseSet<SourceLocation> OnPath;
  for (const TraceNode *N = S.Trace ? S.Trace->Copied : nullptr; N;
       N = N->Prev ? N->Prev->Copied : nullptr)
    OnPath.insert(N->Loc);
  SourceLocation First;
  for (const CopyPlace &X : Known.Places) {
    if (X.To != To)
      continue;
    if (!OnPath.contains(X.At))
      return X.At;
    if (First.isInvalid())
      First = X.At;
  }
  return First;
}

Finding OmittedCopies::describe(State &S, EventId Read) {
  const Event &R = Events[Read];
  Finding F;
  F.Kind = FindingKind::UnwrittenRead;
  F.Cause = InFlightCause::LeftOut;
  F.Object = Run.nameOf(R.Bytes->Obj).str();
  F.At.Copy = copyBeside(S, R.Bytes->Obj);
  F.At.Read = R.Loc;
  const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
  if (Loop)
    F.Path.Iteration = Loop->N;
  F.Trace.push_back({TraceStep::Kind::CopyLeftOut, F.At.Copy, F.Object});
  tell(F, {{{TraceStep::Kind::Read, R.Loc, F.Object}, Loop, nullptr}}, S.Trace,
       EffectGroup | EffectCopy, Run.callsAround(S));
  return F;
}

/// What is stored there leaves the block.
static bool isOutside(Value Place) {
  return !Place.isPtr() || Place.Obj->K == Object::Kind::Global ||
         Place.Obj->K == Object::Kind::Opaque ||
         Place.Obj->K == Object::Kind::Device;
}

void OmittedCopies::noteStore(State &S, Value Place,
                              llvm::ArrayRef<LoadedPart> Parts,
                              SourceLocation At) {
  if (!Follows || !isOutside(Place))
    return;
  const auto HaveWritten = [&](const Object *Obj) {
    const PerThread *Threads = L.none();
    for (const LoadedPart &Part : Parts)
      if (Part.Read == writtenPart(Obj))
        Threads = L.either(Threads, Part.Threads);
    return Threads;
  };
  for (const LoadedPart &Part : Parts) {
    const auto Of = Candidates.find(Part.Read);
    if (Of == Candidates.end())
      continue;
    const Footprint *Bytes = Events[Part.Read].Bytes;
    const PerThread *Threads =
        L.both(L.both(Part.Threads, S.Active), HaveWritten(Bytes->Obj));
    if (PerThreadContext::isEmpty(Threads))
      continue;
    Finding F = Of->second.F;
    F.Reader = L.first(Threads);
    F.Byte = Run.Written.firstByteLeftOut(Of->second.Written, Bytes, F.Reader);
    if (const PastDecision *D =
            Run.decidedUnder(S.Decided, S.May, F.Reader, At))
      F.Path.Decided = D->Number;
    Elements(Run).name(F, Bytes);
    F.Trace.push_back({TraceStep::Kind::ResultStored, Run.userLoc(S, At)});
    Findings.add(S, std::move(F));
  }
}
