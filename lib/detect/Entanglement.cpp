//===- Entanglement.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX gives every thread groups of its own. Measured on an H200, the hardware
// keeps one queue for a warp: a commit by some lanes closes a group of all
// copies that the warp has issued, and a wait counts the groups of all lanes.
// As long as lanes commit together the two agree.
//
//===----------------------------------------------------------------------===//

#include "lib/detect/Entanglement.h"
#include "lib/report/PathNotes.h"

using namespace clang;
using namespace cpasync;

namespace {
/// The groups of the threads of one warp at a wait.
struct WarpGroups {
  size_t Most = 0;                       ///< of one thread
  size_t Least = 0;                      ///< of one that has any
  unsigned Thread = 0;                   ///< one that has the least
  llvm::SmallVector<EventId, 8> Commits; ///< of all: as often as the thread
                                         ///< that ran one most often
};
} // namespace

static void add(WarpGroups &W, const GroupQueue &Q, unsigned Thread) {
  if (Q.groups().empty())
    return;
  W.Most = std::max(W.Most, Q.groups().size());
  if (!W.Least || Q.groups().size() < W.Least) {
    W.Least = Q.groups().size();
    W.Thread = Thread;
  }
  llvm::SmallVector<EventId, 8> Mine;
  for (const Group &G : Q.groups())
    Mine.push_back(G.Commit);
  for (EventId C : Mine)
    if (llvm::count(W.Commits, C) < llvm::count(Mine, C))
      W.Commits.push_back(C);
}

void Entanglement::checkEntanglement(State &S, EventId Wait, uint32_t Count) {
  // A wait for all loses nothing, and one class has nothing to entangle.
  if (Count == 0 || S.Copies.classes().size() < 2)
    return;
  auto OfWarp = [&](unsigned Begin, unsigned End) {
    std::vector<int64_t> Mask(Shape.threads());
    std::fill(Mask.begin() + Begin, Mask.begin() + End, 1);
    return L.both(S.Active, L.perThread(Mask));
  };
  for (unsigned Begin = 0; Begin < Shape.threads(); Begin += WarpThreads) {
    const unsigned End = std::min(Begin + WarpThreads, Shape.threads());
    WarpGroups W;
    for (const BlockCopies::ThreadClass &C : S.Copies.classes())
      for (unsigned T = Begin; T < End; ++T)
        if ((*C.Mask)[T] && (*S.Active)[T]) {
          add(W, C.Queue, T);
          break; // they all have the same
        }
    // Those who commit nothing have nothing to wait for.
    if (W.Commits.size() <= W.Most || W.Commits.size() <= Count)
      continue;
    using Kind = TraceStep::Kind;
    Finding F;
    F.Kind = FindingKind::OverWait;
    F.At.Wait = Events[Wait].Loc;
    F.Value = Events[Wait].N;
    F.Limit = W.Commits.size();
    F.NewerGroups = W.Least;
    F.Thread = W.Thread;
    F.OnEveryPath = isUnconditional(S.Trace);
    std::vector<ToldStep> Steps;
    const TraceNode *First = nullptr;
    llvm::SmallVector<const TraceNode *, 8> Path;
    for (const TraceNode *N = S.Trace; N; N = N->Prev) {
      Path.push_back(N);
      if (N->K != Kind::Committed || !llvm::is_contained(W.Commits, N->Event))
        continue;
      llvm::erase(W.Commits, N->Event);
      First = N;
      const PerThread *Missing = L.except(OfWarp(Begin, End), N->Mask);
      if (PerThreadContext::isEmpty(Missing))
        Steps.push_back({{Kind::Committed, N->Loc}, N->InLoop, N});
      else
        Steps.push_back(
            {{Kind::CommitSkipped, N->Loc, threadRanges(N->Mask, Shape)},
             N->InLoop,
             N});
    }
    Path.resize(llvm::find(Path, First) - Path.begin());
    std::reverse(Path.begin(), Path.end());
    for (const TraceNode *N : decisionsFor(First, Path, nullptr, false))
      addDecision(Steps, N);
    const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
    Steps.push_back(
        {{Kind::Waited, F.At.Wait, "", int64_t(Count)}, Loop, nullptr});
    tell(F, std::move(Steps), S.Trace, EffectGroup, Run.callsAround(S));
    Findings.add(S, std::move(F));
    return;
  }
}
