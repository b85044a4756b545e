//===- Conflicts.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses of the same bytes with nothing that orders them, one of them a
// copy's write, or touching what a copy wrote. A copy writes from the moment it
// is issued until a wait of its own thread has completed it.
//
//===----------------------------------------------------------------------===//

#include "lib/detect/Conflicts.h"
#include "lib/report/Elements.h"
#include "lib/report/PathNotes.h"
#include "lib/report/PipelineNotes.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

std::optional<Overlap>
Conflicts::clashOfCopies(const State &S, EventId Old, const Footprint *OldBytes,
                         EventId New, const Footprint *NewBytes, Value Source,
                         const PerThread *Part, bool AcrossWarps) {
  if (Events[Old].Reduces && Events[New].Reduces)
    return std::nullopt; // each in one step
  const TraceNode *Then = Copied.issueOf(S, Old);
  // One symbol, but not one number.
  if (Then && Then->Source.Obj == Source.Obj &&
      CopiedData::isRenewedSince(S, Then, Then->Source.I, Source.I))
    Source = Value();
  return Footprints.clash(
      NewBytes, OldBytes, AcrossWarps, [&](unsigned Thread, unsigned Other) {
        return !Then || !Copied.copiesSameData(S, *Then, Other, New, Thread,
                                               Source, Part);
      });
}

bool Conflicts::isCopied(const State &S, const Footprint *Bytes) {
  const TraceNode *N = S.Trace ? S.Trace->Copied : nullptr;
  while (N && Footprints.overlap(Events[N->Event].Bytes, Bytes).K !=
                  Overlap::Kind::Clash)
    N = N->Prev ? N->Prev->Copied : nullptr;
  return N;
}

const Footprint *Conflicts::ofThread(const Footprint *Bytes, unsigned Thread) {
  std::vector<int64_t> Only(Shape.threads(), 0);
  Only[Thread] = 1;
  return Footprints.restrict(Bytes, L.perThread(Only));
}

// Of the threads that touch something a copy has filled.
const Footprint *Conflicts::copiedPart(const State &S, const Footprint *Bytes) {
  std::vector<int64_t> Mask(Shape.threads(), 0);
  if (isCopied(S, Bytes))
    for (unsigned T = 0; T < Shape.threads(); ++T)
      Mask[T] = (*Bytes->Mask)[T] && isCopied(S, ofThread(Bytes, T));
  return Footprints.restrict(Bytes, L.perThread(Mask));
}

void Conflicts::notKnown(const Event &W, llvm::StringRef While) {
  Run.gap(W.Loc, "address of a write to '" + Run.nameOf(W.Bytes->Obj).str() +
                     "' is not known while " + While.str());
}

bool Conflicts::checkOverwrite(State &S, EventId Write, Value Source,
                               const PerThread *Part) {
  const Event &W = Events[Write];
  PendingWrite New{S, Write, Source, Part, {}};
  New.F.Kind = FindingKind::Overwrite;
  New.F.At.Write = W.Loc;
  New.F.ByStore = W.K != Event::Kind::Copy;
  if (!New.F.ByStore)
    New.F.Copied = W.Bytes->Size;
  if (!meetsCopyInFlight(New) && !meetsAsyncRead(New))
    meetUnordered(New);
  return New.Overran;
}

namespace {
/// The last copy of a class that a new one does no harm to.
struct Harmless {
  bool IsApart;
  Value Source;
  const PerThread *Part;
};
} // namespace

bool Conflicts::meetsCopyInFlight(PendingWrite &New) {
  State &S = New.S;
  const Event &W = Events[New.Write];
  const bool IsCopy = W.K == Event::Kind::Copy;
  RowsInFlight::Meeting InRow{New.Write};
  bool Reported = false;
  // By bytes: there may be many like it.
  llvm::SmallDenseMap<const Footprint *, Harmless, 8> Seen;
  const bool IsRenewed =
      New.Source.I && llvm::any_of(S.Renewed, [&](const auto &R) {
        return dependsOn(New.Source.I, R.first);
      });
  auto IsLikeLast = [&](EventId Copy) {
    const auto Last = Seen.find(Events[Copy].Bytes);
    if (Last == Seen.end() || Last->second.IsApart)
      return Last != Seen.end();
    if (!Events[Copy].May.empty() || S.Copies.notes().isBlamed(Copy))
      return false;
    const TraceNode *Then = Copied.issueOf(S, Copy);
    return Then && Then->Source == Last->second.Source &&
           Then->Part == Last->second.Part;
  };
  auto InFlight = [&](const BlockCopies::ThreadClass &C, EventId Copy) {
    if (Reported || IsLikeLast(Copy))
      return;
    if (Footprints.overlap(W.Bytes, Events[Copy].Bytes).K ==
        Overlap::Kind::Disjoint) {
      Seen[Events[Copy].Bytes] = {/*IsApart=*/true, {}, nullptr};
      return;
    }
    if (Exclusive.areExclusive(S, Copy, New.Write))
      return;
    const Footprint *Old = Footprints.restrict(Events[Copy].Bytes, C.Mask);
    Overlap Clash = Exclusive.overlapOnPath(S, W.Bytes, Old);
    const bool IsTold = S.Copies.notes().isBlamed(Copy);
    if (Clash.K == Overlap::Kind::Unknown && !IsCopy)
      Clash = Rows.clash(S, InRow, Old);
    if (Clash.K == Overlap::Kind::Unknown && !IsTold)
      notKnown(W, "copies into it are in flight");
    if (Clash.K != Overlap::Kind::Clash)
      return;
    if (!IsTold && IsCopy) {
      const auto Differs =
          clashOfCopies(S, Copy, Old, New.Write, W.Bytes, New.Source, New.Part,
                        /*AcrossWarps=*/false);
      if (!Differs) {
        const TraceNode *Then = Copied.issueOf(S, Copy);
        if (Then && Events[Copy].May.empty() && !IsRenewed)
          Seen[Events[Copy].Bytes] = {/*IsApart=*/false, Then->Source,
                                      Then->Part};
        return;
      }
      Clash = *Differs;
    }
    New.Overran = true;
    if (IsTold)
      return;
    New.F.Overwritten = OverwriteCause::InFlight;
    New.F.At.Copy = Events[Copy].Loc;
    New.F.Thread = Clash.Thread;
    New.F.Other = Clash.Other;
    reportConflict(S, New.F, {Copy, 0, Old, L.none()}, New.Write, Clash);
    Reported = true;
  };
  if (S.Copies.mayBeInFlight(W.Bytes))
    for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
      Seen.clear();
      for (const Group &G : C.Queue.groups())
        for (EventId Copy : G.Copies)
          InFlight(C, Copy);
      for (EventId Copy : C.Queue.open())
        InFlight(C, Copy);
    }
  return Reported;
}

/// Of an asynchronous read.
static OverwriteCause causeOf(const Event &Read) {
  if (Read.K != Event::Kind::BulkStore)
    return OverwriteCause::MatrixRead;
  return Read.OfPhase ? OverwriteCause::SentRead : OverwriteCause::BulkRead;
}

bool Conflicts::meetsAsyncRead(PendingWrite &New) {
  State &S = New.S;
  const EventId Write = New.Write;
  const Event &W = Events[Write];
  bool Reported = false;
  auto StillReads = [&](const BlockCopies::ThreadClass &C, EventId Copy,
                        bool Committed) {
    if (Reported || S.Copies.notes().isBlamed(Copy) ||
        Footprints.overlap(W.Bytes, Events[Copy].Bytes).K ==
            Overlap::Kind::Disjoint ||
        Exclusive.areExclusive(S, Copy, Write))
      return;
    const bool IsBulk = Events[Copy].K == Event::Kind::BulkStore;
    const Footprint *Old = Footprints.restrict(Events[Copy].Bytes, C.Mask);
    const Overlap &Clash = Footprints.overlap(W.Bytes, Old);
    if (Clash.K == Overlap::Kind::Unknown)
      notKnown(W,
               IsBulk ? "a bulk copy reads it" : "a matrix product reads it");
    if (Clash.K != Overlap::Kind::Clash)
      return;
    New.F.Thread = Clash.Thread;
    New.F.Other = Clash.Other;
    New.F.At.Copy = Events[Copy].Loc;
    New.F.Overwritten = causeOf(Events[Copy]);
    const bool IsGrouped = IsBulk && !Events[Copy].OfPhase;
    llvm::SmallVector<const TraceNode *, 16> Since;
    for (const TraceNode *N = S.Trace; N && N->Event != Copy; N = N->Prev)
      Since.push_back(N);
    const TraceNode *Wrong =
        !IsGrouped ? nullptr
        : Committed
            ? FlightPaths::waitOfOtherKind(Since, Clash.Other, /*Bulk=*/true)
            : FlightPaths::commitOfOtherKind(Since, Clash.Other, /*Bulk=*/true);
    if (Wrong) {
      New.F.Overwritten = OverwriteCause::BulkReadOtherKind;
      (Committed ? New.F.At.Wait : New.F.At.Commit) = Wrong->Loc;
    } else if (IsGrouped && Committed) {
      if (const TraceNode *Weak =
              FlightPaths::newestBulkWait(Since, Clash.Other))
        New.F.At.Wait = Weak->Loc;
    }
    reportConflict(S, New.F, {Copy, 0, Old, L.none()}, Write, Clash);
    S.Copies.notes().blame(Copy);
    Reported = true;
  };
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    for (const GroupQueue *Q : {&C.Bulk, &C.Wgmma}) {
      for (const Group &G : Q->groups())
        for (EventId Read : G.Copies)
          StillReads(C, Read, /*Committed=*/true);
      for (EventId Read : Q->open())
        StillReads(C, Read, /*Committed=*/false);
    }
  }
  return Reported;
}

std::optional<Overlap> Conflicts::clashWithRead(PendingWrite &New,
                                                const Footprint *Read,
                                                const Footprint *Copy,
                                                Overlap Clash) {
  const CopiedData::Carried Brings = {New.Write, unsigned(Clash.Thread),
                                      New.Source, New.Part, nullptr};
  if (!Copied.isWhatOwnWarpCopied(New.S, Read, Clash.Other, Brings))
    return Clash;
  auto Harmful = clashOfRead(New.S, Read, Copy, Brings);
  if (Harmful)
    std::swap(Harmful->Thread, Harmful->Other); // the write comes first here
  return Harmful;
}

Overlap Conflicts::clashWithOlder(PendingWrite &New, const Access &A,
                                  const Footprint *Exposed) {
  State &S = New.S;
  const Event &W = Events[New.Write], &Old = Events[A.Event];
  const bool IsCopy = W.K == Event::Kind::Copy;
  Overlap Clash = Exclusive.overlapOnPath(S, Exposed, A.Bytes,
                                          /*AcrossWarps=*/IsCopy || !A.OfPhase);
  if (Clash.K == Overlap::Kind::Unknown && IsCopy && Old.K == Event::Kind::Read)
    Clash = Rows.ofUnordered(S, New.Write, Exposed, A.Event, A.Bytes);
  if (Clash.K == Overlap::Kind::Unknown)
    OpenQuestions.try_emplace(
        {Old.Loc, W.Loc},
        "address of a write to '" + Run.nameOf(W.Bytes->Obj).str() +
            "' is not known while nothing orders it after another access");
  // A store over what no copy has filled is ordinary memory traffic.
  if (Clash.K == Overlap::Kind::Clash && Old.K == Event::Kind::Read &&
      !IsCopy && !isCopied(S, ofThread(A.Bytes, Clash.Other)))
    Clash = Footprints.overlapAcrossWarps(Exposed, copiedPart(S, A.Bytes));
  return Clash;
}

void Conflicts::meetUnordered(PendingWrite &New) {
  State &S = New.S;
  const EventId Write = New.Write;
  const Event &W = Events[Write];
  const bool IsCopy = W.K == Event::Kind::Copy;
  const Finding Plain = New.F;
  bool Told = false;
  for (const Access *First :
       S.Copies.unordered().rivals(Footprints, W.Bytes, /*OnlyCopies=*/false)) {
    const Access &A = *First;
    const Event &Old = Events[A.Event];
    if (Exclusive.areExclusive(S, A.Event, Write) ||
        S.Copies.notes().isBlamed(A.Event) ||
        (Old.K == Event::Kind::Store && !IsCopy))
      continue;
    const Footprint *Exposed =
        Footprints.restrict(W.Bytes, L.except(W.Bytes->Mask, A.After));
    Overlap Clash = clashWithOlder(New, A, Exposed);
    if (Clash.K != Overlap::Kind::Clash)
      continue;
    if (Told) {
      if (Old.K == Event::Kind::Read)
        Reads.noteDoubt(S, A.Event);
      continue;
    }
    switch (Old.K) {
    case Event::Kind::BulkStore:
    case Event::Kind::Wgmma:
      New.F.Overwritten = causeOf(Old);
      New.F.At.Copy = Old.Loc;
      break;
    case Event::Kind::Read:
      if (IsCopy) {
        const auto Harmful = clashWithRead(New, A.Bytes, Exposed, Clash);
        if (!Harmful)
          continue;
        Clash = *Harmful;
      }
      New.F.Overwritten = OverwriteCause::StillRead;
      New.F.At.Read = Old.Loc;
      break;
    case Event::Kind::Copy:
      if (IsCopy) {
        const auto Differs =
            clashOfCopies(S, A.Event, A.Bytes, Write, Exposed, New.Source,
                          New.Part, /*AcrossWarps=*/true);
        if (!Differs)
          continue;
        Clash = *Differs;
      }
      New.F.Overwritten = OverwriteCause::AfterCopy;
      New.F.At.Copy = Old.Loc;
      break;
    default:
      New.F.Overwritten = OverwriteCause::AfterStore;
      New.F.At.Read = Old.Loc;
      break;
    }
    New.F.Thread = Clash.Thread;
    New.F.Other = Clash.Other;
    reportConflict(S, New.F, A, Write, Clash);
    // What was read may never be used: others count all the same.
    if (ReadLiveness::isHeldBack(S, A.Event, /*AtRead=*/false))
      New.F = Plain;
    else if (Old.K == Event::Kind::Read && Reads.isDoubtful(A.Event))
      Told = true;
    else
      return;
  }
}

void Conflicts::answerOpenQuestions() {
  // Where a finding says that nothing orders the first access, it does not
  // matter what else comes after it.
  for (const auto &[Sites, Reason] : OpenQuestions)
    if (!Unordered.contains(Sites.first))
      Run.gap(Sites.second, Reason);
}

// Back to the newest time that the thread did it; iterations that were skipped
// over leave no trace of their own.
const TraceNode *Conflicts::newestOf(const State &S, EventId Event, int Thread,
                                     int64_t Byte) {
  auto Newest = [&](auto IsIt) {
    const TraceNode *N = S.Trace;
    while (N && !(N->Event && N->Mask && (*N->Mask)[Thread] && IsIt(N)))
      N = N->Prev;
    return N;
  };
  if (const TraceNode *It = Newest([&](auto *N) { return N->Event == Event; }))
    return It;
  // It may be all of a row that was read piece by piece.
  auto IsOfIt = [&](const TraceNode *N) {
    return Events[N->Event].Site == Events[Event].Site;
  };
  const TraceNode *Piece = Newest([&](auto *N) {
    const Footprint *Bytes = Events[N->Event].Bytes;
    if (!IsOfIt(N) || !Bytes || !Bytes->Offset || !Bytes->Offset->isKnown())
      return false;
    const int64_t Begin = (*Bytes->Offset->base())[Thread];
    return Begin <= Byte && Byte < Begin + Bytes->Size;
  });
  return Piece ? Piece : Newest(IsOfIt);
}

/// What threads do there at the mbarrier itself.
static bool isOfPhase(TraceStep::Kind K) {
  using Kind = TraceStep::Kind;
  return K == Kind::MbarrierInit || K == Kind::MbarrierArrived ||
         K == Kind::BytesAnnounced || K == Kind::PhaseAwaited;
}

std::vector<ToldStep>
Conflicts::stepsBetween(const Finding &F, const Access &First,
                        const Overlap &Clash, const TraceNode *Begin,
                        llvm::ArrayRef<const TraceNode *> Path) {
  using Kind = TraceStep::Kind;
  std::vector<ToldStep> Steps;
  auto Add = [&](Kind K, const TraceNode *N) {
    Steps.push_back({{K, N->Loc, F.Object}, N->InLoop, N});
  };
  if (Begin)
    Add(Begin->K, Begin);
  const TraceNode *Weak = nullptr;
  for (const TraceNode *N : Path)
    if (N->K == Kind::BulkWaited && N->Loc == F.At.Wait)
      Weak = N;
  for (const TraceNode *N : Path) {
    const bool Waits = N->K == Kind::Waited || N->K == Kind::WaitedAll;
    if (Waits && N->Event == First.Wait && N->Mask && (*N->Mask)[Clash.Other])
      Add(Kind::WaitDone, N);
    else if (N->K == Kind::Barrier && N->Flag &&
             !(has(N, Clash.Other) && has(N, Clash.Thread)))
      Steps.push_back(
          {{Kind::BarrierSkipped, N->Loc, threadRanges(N->Mask, Shape)},
           N->InLoop,
           N});
    else if (N->K == Kind::Barrier && First.Wait)
      Add(Kind::Barrier, N);
    else if (N->K == Kind::BulkWaited &&
             F.Overwritten == OverwriteCause::BulkRead && N != Weak)
      continue; // an older one left others
    else if ((N->Loc == F.At.Commit || N->Loc == F.At.Wait) && !isOfPhase(N->K))
      Steps.push_back({{N->K, N->Loc, F.Object, N->N}, N->InLoop, N});
  }
  return Steps;
}

void Conflicts::reportConflict(State &S, Finding F, const Access &First,
                               EventId Second, const Overlap &Clash) {
  if (Run.Replay.fail())
    return;
  using Kind = TraceStep::Kind;
  const Event &Old = Events[First.Event], &New = Events[Second];
  const bool IsRead = New.K == Event::Kind::Read;
  const EventId Read = IsRead                       ? Second
                       : Old.K == Event::Kind::Read ? First.Event
                                                    : 0;
  Unordered.insert(Old.Loc);
  if (Read)
    Reads.noteDoubt(S, Read);
  ClashKind This = {Old.Loc, New.Loc};
  if (First.Wait)
    This.Wait = Events[First.Wait].Loc;
  This.What = {F.Kind, unsigned(F.Overwritten)};
  This.SameThread = Clash.Thread == Clash.Other;
  if (Witnesses.isToldOften(
          S, This,
          /*Now=*/!ReadLiveness::isHeldBack(S, Read, /*AtRead=*/IsRead)))
    return;
  if (Old.Shared) // by whom is not said
    (IsRead ? F.Thread : F.Other) = -1;
  F.Object = Run.nameOf(New.Bytes->Obj).str();
  F.Byte = Clash.Byte;
  Elements(Run).nameNow(F, S, New.Bytes, Clash.Thread);
  F.OnEveryPath =
      isUnconditional(S.Trace) && Old.May.empty() && New.May.empty();

  const TraceNode *Begin = newestOf(S, First.Event, Clash.Other, Clash.Byte);
  llvm::SmallVector<const TraceNode *, 16> Path;
  for (const TraceNode *N = S.Trace; N && N != Begin; N = N->Prev)
    Path.push_back(N);
  for (const TraceNode *N = Begin ? Begin : S.Trace; N; N = N->Prev)
    if (N->K == Kind::Barrier) {
      F.At.Barrier = N->Loc; // the last one that orders anything before
      break;
    }

  // The longer path to the same is not told.
  if (!Reads.isWatching() &&
      llvm::any_of(*Findings.To, [&](const Finding &Old) {
        return FindingList::areSame(Old, F) && Old.Path.Length <= S.Length;
      }))
    return;

  if (F.Kind == FindingKind::Overwrite &&
      F.Overwritten == OverwriteCause::StillRead)
    F.At.OtherReads = otherReads(S, First, Second);
  std::reverse(Path.begin(), Path.end());
  std::vector<ToldStep> Steps = stepsBetween(F, First, Clash, Begin, Path);
  constexpr unsigned Orders = EffectGroup | EffectBarrier;
  for (const TraceNode *N :
       decisionsFor(Begin, Path, nullptr, /*First=*/false, Orders))
    addDecision(Steps, N);
  const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
  if (Loop)
    F.Path.Iteration = Loop->N;
  Steps.push_back(
      {{IsRead ? Kind::Read : Kind::Overwritten, New.Loc, F.Object}, Loop});
  tell(F, std::move(Steps), S.Trace, Orders | EffectCopy, Run.callsAround(S));
  Findings.noteDecisions(S, F, First.Event, Clash.Other, Second, Clash.Thread);
  const bool IsCopied = Old.K == Event::Kind::Copy;
  PipelineNotes(Run).record(
      F, S, IsCopied ? Clash.Other : Clash.Thread,
      {Begin, Second, IsRead ? Kind::Read : Kind::Overwritten});
  if (Read)
    Reads.reportOfRead(S, std::move(F), Read, IsRead ? First.Event : Second,
                       IsRead);
  else
    Findings.add(S, std::move(F));
}
