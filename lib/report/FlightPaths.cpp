//===- FlightPaths.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/FlightPaths.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

const TraceNode *cpasync::newestWait(const FlightPath &P) {
  for (const TraceNode *N : llvm::reverse(P.Steps))
    if (P.Wait && N->Event == P.Wait && N->K == TraceStep::Kind::Waited)
      return N;
  return nullptr;
}

bool cpasync::isInLoop(const TraceNode *Step, SourceLocation Loop) {
  for (const TraceNode *N = Step->InLoop; N; N = N->InLoop)
    if (N->Loc == Loop)
      return true;
  return false;
}

FlightPath FlightPaths::flightPath(const State &S, EventId Copy, int Issuer,
                                   bool Committed) {
  FlightPath P;
  const TraceNode *N = S.Trace;
  for (; N; N = N->Prev) {
    if (N->K == TraceStep::Kind::CopyIssued &&
        (N->Event == Copy || (!Events[Copy].Bytes->Offset &&
                              Events[N->Event].Site == Events[Copy].Site)))
      break;
    P.Steps.push_back(N);
  }
  P.Issue = N;
  // A commit or wait that other issuers of this copy executed and the witness
  // did not, or a branch that differs by thread around one; the oldest. Where
  // threads parted, it is known who did not. A committed copy lacks a wait: one
  // that others come to says more than a branch.
  const bool Parted =
      llvm::any_of(P.Steps, [](const TraceNode *X) { return X->OnlyIn; });
  const TraceNode *Skipped = nullptr;
  for (const TraceNode *X : P.Steps) {
    bool Waits =
        X->K == TraceStep::Kind::Waited || X->K == TraceStep::Kind::WaitedAll;
    bool Orders = Waits || X->K == TraceStep::Kind::Committed;
    if (Orders && !has(X, Issuer) &&
        !PerThreadContext::isEmpty(L.both(X->Mask, Events[Copy].Bytes->Mask))) {
      P.Excluding = X;
      if (Waits && Committed)
        Skipped = X;
    }
    // One more round for all of them leaves nobody behind.
    if (X->K == TraceStep::Kind::BranchTaken && X->isDivergent() &&
        X->Role != TraceNode::LoopRole::Stays && (X->Effects & EffectGroup) &&
        !Parted)
      P.Excluding = X;
  }
  if (Skipped && P.Excluding->K == TraceStep::Kind::BranchTaken)
    P.Excluding = Skipped;
  // A wait of its own after the commit would have done, had it waited for more.
  const bool IsWaitedFor =
      Committed && llvm::any_of(P.Steps, [&](const TraceNode *X) {
        return X->K == TraceStep::Kind::Waited && has(X, Issuer);
      });
  if (IsWaitedFor && P.Excluding &&
      P.Excluding->K == TraceStep::Kind::BranchTaken)
    P.Excluding = nullptr;
  std::reverse(P.Steps.begin(), P.Steps.end());
  if (P.Excluding || !Committed || !S.Trace || !S.Trace->Uneven)
    return P;
  // Lanes of its warp that committed more often: the newest such commit.
  const int Warp = Issuer / 32 * 32;
  const int End = std::min<int>(Warp + 32, Shape.threads());
  std::vector<int64_t> Commits(End - Warp);
  for (const TraceNode *X = S.Trace; X; X = X->Prev)
    if (X->K == TraceStep::Kind::Committed)
      for (int T = Warp; T < End; ++T)
        Commits[T - Warp] += has(X, T);
  int Mate = llvm::max_element(Commits) - Commits.begin() + Warp;
  if (Commits[Mate - Warp] > Commits[Issuer - Warp])
    for (const TraceNode *X = S.Trace; X && !P.Excluding; X = X->Prev)
      if (X->K == TraceStep::Kind::Committed && !has(X, Issuer) && has(X, Mate))
        P.Excluding = X;
  return P;
}

const TraceNode *FlightPaths::leavingBefore(const TraceNode *Skipped,
                                            const TraceNode *Begin,
                                            const TraceNode *End, int Thread) {
  for (const TraceNode *N = End; N && N != Begin; N = N->Prev) {
    if (N->K != TraceStep::Kind::Left || !has(N, Thread) ||
        Skipped->depth() < N->depth())
      continue;
    if (N->N == LeftKernel || N->N == LeftFunction ||
        N->InLoop == Skipped->InLoop)
      return N;
  }
  return nullptr;
}

Divergence FlightPaths::divergenceAt(const TraceNode *X, int Thread) {
  if (X->K == TraceStep::Kind::BranchTaken)
    return X->Condition && X->Condition->sharing() >= Uniformity::Warp
               ? Divergence::Warps
               : Divergence::Threads;
  const int Warp = Thread / WarpThreads * WarpThreads;
  const int End = std::min<int>(Warp + WarpThreads, Shape.threads());
  for (int T = Warp; T < End; ++T)
    if (has(X, T))
      return Divergence::Lanes;
  return Divergence::Warps;
}

// Measured on an H200: the groups of a warp are one queue. A commit by some
// lanes closes a group of all copies that the warp issued before; the mate was
// in step with Thread when it copied and when it waited, so that its commits in
// between came in between for Thread too. Commits of other lanes may have come
// earlier and do not count.
bool FlightPaths::isCommittedByWarp(const FlightPath &P, int Thread) {
  if (!P.Issue)
    return false;
  const int Warp = Thread / WarpThreads * WarpThreads;
  const int End = std::min<int>(Warp + WarpThreads, Shape.threads());
  for (int Mate = Warp; Mate < End; ++Mate) {
    int64_t Commits = 0;
    if (Mate == Thread || !has(P.Issue, Mate))
      continue;
    for (const TraceNode *X : P.Steps) {
      if (!has(X, Mate))
        continue;
      if (X->K == TraceStep::Kind::Committed)
        ++Commits;
      const bool Waits = X->K == TraceStep::Kind::Waited;
      if (Waits && has(X, Thread) && Commits > X->N)
        return true;
    }
  }
  return false;
}

static const TraceNode *oldest(llvm::ArrayRef<const TraceNode *> Path,
                               int Thread, TraceStep::Kind K) {
  for (const TraceNode *N : llvm::reverse(Path))
    if (N->K == K && !N->Flag && N->Mask && (*N->Mask)[Thread])
      return N;
  return nullptr;
}

const TraceNode *
FlightPaths::commitOfOtherKind(llvm::ArrayRef<const TraceNode *> Path,
                               int Thread, bool Bulk) {
  return oldest(Path, Thread,
                Bulk ? TraceStep::Kind::Committed
                     : TraceStep::Kind::BulkCommitted);
}

const TraceNode *
FlightPaths::newestBulkWait(llvm::ArrayRef<const TraceNode *> NewestFirst,
                            int Thread) {
  const auto *At = llvm::find_if(NewestFirst, [&](const TraceNode *N) {
    return N->K == TraceStep::Kind::BulkWaited && has(N, Thread);
  });
  return At == NewestFirst.end() ? nullptr : *At;
}

const TraceNode *
FlightPaths::waitOfOtherKind(llvm::ArrayRef<const TraceNode *> Path, int Thread,
                             bool Bulk) {
  if (!Bulk)
    return oldest(Path, Thread, TraceStep::Kind::BulkWaited);
  if (newestBulkWait(Path, Thread)) // it leaves too many
    return nullptr;
  const TraceNode *N = oldest(Path, Thread, TraceStep::Kind::Waited);
  return N ? N : oldest(Path, Thread, TraceStep::Kind::WaitedAll);
}
