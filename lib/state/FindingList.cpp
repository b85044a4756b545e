//===- FindingList.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/FindingList.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/state/MemoizedCalls.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace cpasync;

std::string cpasync::textOfNumbers(llvm::ArrayRef<NamedNumber> Numbers) {
  std::string Text;
  for (const NamedNumber &N : Numbers)
    Text +=
        (Text.empty() ? "" : ", ") + N.Name + " = " + std::to_string(N.Value);
  return Text;
}

// The place that one edit would repair: two findings with one are the same.
static SourceLocation editPlace(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
    switch (F.Cause) {
    case InFlightCause::NeverWaited:
      return F.At.Commit.isValid() ? F.At.Commit : F.At.Read;
    case InFlightCause::Divergent:
    case InFlightCause::Entangled:
    case InFlightCause::OtherKind:
      return F.At.Commit.isValid() ? F.At.Commit : F.At.Wait;
    case InFlightCause::NotCommitted:
    case InFlightCause::WaitBeforeCommit:
    case InFlightCause::WaitTooWeak:
      return F.At.Wait;
    case InFlightCause::LeftOut:
      break;
    }
    break;
  case FindingKind::UnwrittenRead:
    return F.Cause == InFlightCause::Divergent ? F.At.Operand
           : F.Cause == InFlightCause::LeftOut ? F.At.Copy
                                               : F.At.Read;
  case FindingKind::ReadBeforeCopy:
    return F.At.Read;
  case FindingKind::BadOperand:
  case FindingKind::WaitCountRange:
    return F.At.Operand;
  case FindingKind::Misaligned:
  case FindingKind::WrongSpace:
  case FindingKind::MapSpace:
  case FindingKind::UncommittedAtEnd:
    return F.At.Copy;
  case FindingKind::OverWait:
  case FindingKind::StuckPhase:
  case FindingKind::StuckStage:
  case FindingKind::StuckBarrier:
    return F.At.Wait;
  case FindingKind::ExtraArrivals:
  case FindingKind::UnorderedInit:
  case FindingKind::EndedBlock:
  case FindingKind::MissingBlock:
    return F.At.Operand;
  case FindingKind::MissingFence:
  case FindingKind::UnorderedSource:
  case FindingKind::PartialGroup:
    return F.At.Copy;
  case FindingKind::UnsynchronizedRead:
    return F.At.Wait.isValid() ? F.At.Wait : F.At.Read;
  case FindingKind::Overwrite:
    if (F.Overwritten == OverwriteCause::BulkReadOtherKind)
      return F.At.Commit.isValid() ? F.At.Commit : F.At.Wait;
    if (F.Overwritten != OverwriteCause::InFlight && F.At.Barrier.isValid())
      return F.At.Barrier;
    return F.At.Copy.isValid() ? F.At.Copy : F.At.Write;
  }
  return F.At.Copy;
}

// Of the same read, in the same iteration.
static bool isSameWitness(const Finding &A, const Finding &B) {
  return FindingList::areSame(A, B) && A.At.Read == B.At.Read &&
         A.Path.Iteration == B.Path.Iteration;
}

bool FindingList::isConfirmed(const Finding &F) const {
  return llvm::none_of(Unconfirmed,
                       [&](const Finding &X) { return isSameWitness(X, F); });
}

void FindingList::tellTiles(Finding &F) const {
  if (F.Kind == FindingKind::MapSpace)
    return;
  llvm::SmallVector<SourceLocation, 4> Copies{F.At.Copy, F.At.Write};
  for (const TraceStep &Step : F.Trace)
    if (Step.K == TraceStep::Kind::CopyIssued)
      Copies.push_back(Step.Loc);
  for (const SourceLocation Copy : Copies) {
    const auto At = Run.CopySizes.OfTiles.find(Copy);
    if (At == Run.CopySizes.OfTiles.end())
      continue;
    const TraceStep &Told = At->second;
    if (llvm::none_of(F.Trace, [&](const TraceStep &Step) {
          return Step.K == Told.K && Step.Loc == Told.Loc && Step.N == Told.N;
        }))
      F.Trace.insert(F.Trace.begin(), Told);
  }
}

void FindingList::nameBlocks(Finding &F) const {
  if (F.Byte >= 0)
    F.Byte = Run.Blocks.byteOf(F.Byte);
  if (Shape.RunsCluster)
    F.Path.ThreadsOfBlock = Shape.threadsOfBlock();
  if (Shape.Y > 1 || Shape.Z > 1) {
    F.Path.BlockX = Shape.X;
    F.Path.BlockY = Shape.Y;
  }
}

void FindingList::noteDecisions(const State &S, Finding &F, EventId A,
                                int ThreadOfA, EventId B, int ThreadOfB) {
  const PastDecision *Decided = S.Decided;
  for (const auto &[E, Thread] : {std::pair(A, ThreadOfA), {B, ThreadOfB}}) {
    Decided = Run.decidedUnder(Decided, Events[E].May, Thread, Events[E].Loc);
    F.Path.HangsOnThreads |=
        llvm::any_of(Events[E].May, [](const MayCondition &C) {
          return !C.first->isUniform();
        });
  }
  F.Path.Decided = Decided ? Decided->Number : 0;
}

// In so many rounds a ring of 16 slots has been round twice: a loop that brings
// something new only after that has lost what its numbers had to do with each
// other.
static constexpr unsigned MaxTellingRounds = 32;

static bool isInLateRound(const Context &C) {
  return llvm::any_of(C.Loops, [](const LoopVisit &Loop) {
    return Loop.OpenEnd && Loop.Visits - Loop.Counted > MaxTellingRounds;
  });
}

// A role that follows another has its rounds decided by that.
static bool isSomebodyInLateRound(const State &S) {
  return isInLateRound(S) || llvm::any_of(S.Stopped, isInLateRound);
}

void FindingList::add(State &S, Finding F) {
  std::optional<Finding> Told = complete(S, std::move(F));
  if (!Told)
    return;
  llvm::erase_if(Unconfirmed,
                 [&](const Finding &X) { return isSameWitness(X, *Told); });
  merge(*To, std::move(*Told));
}

std::optional<Finding> FindingList::complete(State &S, Finding F) {
  if (Run.Replay.fail())
    return std::nullopt;
  if (isSomebodyInLateRound(S)) {
    if (!contains(*To, F))
      Run.gap(S, F.place(),
              "what is wrong here is seen only in a late round "
              "of a loop that does not settle");
    return std::nullopt;
  }
  if (S.GaveUpOn.isPtr() && F.Kind != FindingKind::ReadInFlight)
    return std::nullopt;
  if (!F.Path.Length)
    F.Path.Length = S.Length;
  F.Path.OrderIsGuessed = S.OrderIsGuessed;
  if (!F.Path.Decided)
    if (const PastDecision *Decided =
            Run.decidedUnder(S.Decided, S.May, -1, F.place()))
      F.Path.Decided = Decided->Number;
  if (Run.Shared.History.IsPossible &&
      !Run.Shared.History.IsPossible(F.Path.Decided))
    return std::nullopt;
  F.Byte = IndexedPlace::byteAt(F.Byte);
  nameBlocks(F);
  // Threads that copy over each other in one instruction are too many, or lie
  // otherwise.
  if (Shape.Open && F.Kind == FindingKind::Overwrite &&
      F.At.Copy == F.At.Write && F.Thread >= 0 && F.Other >= 0 &&
      F.Thread != F.Other)
    Run.Clues.contradict(F.At.Copy,
                         "threads " + std::to_string(F.Other) + " and " +
                             std::to_string(F.Thread) +
                             " copy to the same bytes",
                         /*MayBeDefect=*/true);
  if (((Shape.Assumed && Run.ThreadUses.Index > 0) || Shape.Cluster.Assumed) &&
      (F.Thread >= 0 || F.Reader >= 0))
    F.Trace.insert(F.Trace.begin(),
                   {TraceStep::Kind::AssumedThreads,
                    S.Frames[0].Fn->decl()->getLocation(), Shape.text()});
  tellTiles(F);
  return F;
}

// The read or store before which something is missing: in each kernel of those
// that call one function. Invalid if the finding is repaired elsewhere.
static SourceLocation repairedAccess(const Finding &F) {
  if (F.Kind == FindingKind::UnsynchronizedRead ||
      (F.Kind == FindingKind::ReadInFlight &&
       F.Cause == InFlightCause::NeverWaited))
    return F.At.Read;
  return F.Kind == FindingKind::Overwrite && F.ByStore ? F.At.Write
                                                       : SourceLocation();
}

bool FindingList::haveSameCause(const Finding &A, const Finding &B) {
  if (A.Kernel.Loc != B.Kernel.Loc && repairedAccess(A) != repairedAccess(B))
    return false;
  // One barrier that expects too many, another that nobody arrives at.
  if (A.Kind == FindingKind::StuckPhase && A.Limit != B.Limit)
    return false;
  return A.Kind == B.Kind && A.Cause == B.Cause && A.Rule == B.Rule &&
         A.Overwritten == B.Overwritten && A.ByStore == B.ByStore &&
         A.IsSource == B.IsSource && editPlace(A) == editPlace(B);
}

bool FindingList::contains(llvm::ArrayRef<Finding> All, const Finding &X) {
  return llvm::any_of(All,
                      [&](const Finding &Y) { return haveSameCause(X, Y); });
}

// Of several that one edit would repair, each of these is told by itself: a
// comment that silences one is not about the others.
static SourceLocation toldAt(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
    return F.Cause == InFlightCause::NeverWaited    ? F.At.Read
           : F.Cause == InFlightCause::NotCommitted ? F.At.Copy
                                                    : SourceLocation();
  case FindingKind::UnsynchronizedRead:
    return F.At.Read;
  case FindingKind::Overwrite:
    return F.Overwritten == OverwriteCause::BulkReadOtherKind ? SourceLocation()
                                                              : F.At.Write;
  default:
    return {};
  }
}

bool FindingList::areSame(const Finding &A, const Finding &B) {
  return haveSameCause(A, B) && toldAt(A) == toldAt(B);
}

// Both are what \p Told tells: the reads that it does not show, and the calls
// that both are inside of.
static void uniteWitnesses(Finding &Told, const Finding &Other) {
  std::vector<SourceLocation> Reads = Other.At.OtherReads;
  Reads.push_back(Other.At.Read);
  for (const SourceLocation Read : Reads)
    if (toldAt(Told) != Told.At.Read && Read.isValid() &&
        Read != Told.At.Read && !llvm::is_contained(Told.At.OtherReads, Read))
      Told.At.OtherReads.push_back(Read);
  size_t Same = 0;
  const std::vector<SourceLocation> &A = Told.Path.Calls, &B = Other.Path.Calls;
  while (Same < std::min(A.size(), B.size()) && A[Same] == B[Same])
    ++Same;
  Told.Path.Calls.resize(Same);
}

// What does for both; none if neither does.
static std::optional<Repair> repairOfBoth(const Repair &A, const Repair &B) {
  const auto IsNumber = [](const Repair &R) {
    return R.K == Repair::Kind::WaitForAll &&
           llvm::all_of(R.Code, llvm::isDigit);
  };
  if (A.K != B.K || A.Range.getBegin() != B.Range.getBegin() ||
      A.Range.getEnd() != B.Range.getEnd() ||
      (A.Code != B.Code && A.N != B.N && !(IsNumber(A) && IsNumber(B))))
    return std::nullopt;
  if (A.K != Repair::Kind::WaitForAll && A.Code != B.Code)
    return std::nullopt;
  // The smaller count covers both. One that some path always needs is not slow.
  const bool IsOfB =
      B.N < A.N || (B.N == A.N && A.Slow != Repair::Slowness::None);
  Repair Both = IsOfB ? B : A;
  if (A.Slow == Repair::Slowness::None || B.Slow == Repair::Slowness::None)
    Both.Slow = Repair::Slowness::None;
  return Both;
}

void FindingList::mergeRepairs(Finding &Old, Finding &New) {
  std::vector<Repair> Both;
  for (const Repair &A : Old.Repairs)
    for (const Repair &B : New.Repairs)
      if (const auto R = repairOfBoth(A, B))
        Both.push_back(*R);
  Old.Repairs = Both;
  New.Repairs = std::move(Both);
}

bool FindingList::isShown(const Finding &X) {
  return llvm::none_of(X.Trace, [](const TraceStep &Step) {
    return Step.K == TraceStep::Kind::WithNumbers && !Step.Flag;
  });
}

static bool isClearer(const Finding &X, const Finding &Y) {
  if (X.Path.OrderIsGuessed != Y.Path.OrderIsGuessed)
    return Y.Path.OrderIsGuessed;
  // Of those that are told as they were proved elsewhere, that is the proof.
  if (X.Kernel.IsTold != Y.Kernel.IsTold)
    return Y.Kernel.IsTold;
  return FindingList::isShown(X) != FindingList::isShown(Y)
             ? FindingList::isShown(X)
             : X.Path.Length < Y.Path.Length;
}

void FindingList::merge(std::vector<Finding> &To, Finding F) {
  // The same fact once; the shortest path makes the clearest witness.
  for (Finding &Old : To)
    if (haveSameCause(Old, F))
      mergeRepairs(Old, F);
  for (Finding &Old : To)
    if (areSame(Old, F)) {
      std::vector<std::string> Others = std::move(Old.Kernel.Others);
      Finding &Told = isClearer(F, Old) ? F : Old;
      for (const Finding *X : {&Old, &F})
        if (X->Kernel.Name != Told.Kernel.Name &&
            !llvm::is_contained(Others, X->Kernel.Name))
          Others.push_back(X->Kernel.Name);
      llvm::erase(Others, Told.Kernel.Name);
      Told.Kernel.Others = std::move(Others);
      uniteWitnesses(Told, &Told == &F ? Old : F);
      if (&Told == &F)
        Old = std::move(F);
      return;
    }
  To.push_back(std::move(F));
}
