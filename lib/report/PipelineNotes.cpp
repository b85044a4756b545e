//===- PipelineNotes.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/PipelineNotes.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/report/Elements.h"
#include "lib/report/FlightPaths.h"
#include "lib/report/PathNotes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;
using Kind = TraceStep::Kind;

static bool isAccess(Kind K) {
  return K == Kind::CopyIssued || K == Kind::Read || K == Kind::Stored ||
         K == Kind::CopiedInBulk || K == Kind::MatrixRead;
}

static bool isOfPipeline(Kind K) {
  switch (K) {
  case Kind::Committed:
  case Kind::Waited:
  case Kind::WaitedAll:
  case Kind::WaitedEarly:
  case Kind::TriedOnce:
  case Kind::Barrier:
  case Kind::BulkCommitted:
  case Kind::BulkWaited:
  case Kind::MatricesCommitted:
  case Kind::MatricesWaited:
    return true;
  default:
    return isAccess(K);
  }
}

namespace {

/// The groups of one thread, as the path shows them. After rounds that were
/// skipped there may be older ones, until a wait leaves only those that it
/// shows.
class ShownGroups {
public:
  explicit ShownGroups(std::vector<Pipeline::Step> &Steps) : Steps(Steps) {}

  void skip() {
    IsAll = false;
    Open.clear();
    InFlight.clear();
  }
  void copy(size_t Step) { Open.push_back(Step); }
  void commit(size_t Step) {
    Steps[Step].Group = Groups;
    for (size_t Copy : Open)
      Steps[Copy].Group = Groups;
    Open.clear();
    InFlight.push_back(Groups++);
  }
  void wait(size_t Step, size_t Leaves) {
    if (IsAll) {
      Steps[Step].InFlight = InFlight.size();
      Steps[Step].Completes =
          InFlight.size() - std::min(InFlight.size(), Leaves);
    }
    IsAll |= Leaves <= InFlight.size();
    if (Leaves < InFlight.size())
      InFlight.erase(InFlight.begin(), InFlight.end() - Leaves);
  }
  /// What was not committed is complete as well.
  void waitAll(size_t Step) {
    wait(Step, 0);
    Open.clear();
  }
  /// The path shows what there is.
  bool agreesWith(const GroupQueue &Q) const {
    return IsAll &&
           llvm::none_of(Q.groups(), [](const Group &G) { return G.Alone; }) &&
           Q.groups().size() == InFlight.size();
  }

private:
  std::vector<Pipeline::Step> &Steps;
  bool IsAll = true;
  unsigned Groups = 0;
  llvm::SmallVector<size_t, 8> Open; ///< steps
  llvm::SmallVector<unsigned, 8> InFlight;
};

} // namespace

int PipelineNotes::roundOf(Pipeline &To, const TraceNode *N) {
  while (N && !(N->Effects & (EffectGroup | EffectBarrier)))
    N = N->InLoop;
  if (!N)
    return -1;
  if (const auto Known = Rounds.find(N); Known != Rounds.end())
    return Known->second;
  Pipeline::Round R;
  R.Outer = roundOf(To, N->InLoop);
  R.Loc = N->Loc;
  R.N = N->N;
  if (N->Source.I && N->Source.I->isConstant()) {
    R.Variable = N->Name.str();
    R.Value = N->Source.I->constant();
  }
  To.Rounds.push_back(std::move(R));
  return Rounds[N] = int(To.Rounds.size()) - 1;
}

void PipelineNotes::nameSlot(Pipeline::Step &Step, const Footprint *Bytes,
                             const PerThread *Mask) {
  Step.Slot = Run.nameOf(Bytes->Obj).str();
  if (!Bytes->Offset || !Bytes->Offset->isKnown() || Shape.RunsCluster)
    return;
  const auto [Known, IsNew] = Slots.try_emplace({Bytes, Mask});
  if (!IsNew) {
    std::tie(Step.Slot, Step.Begin, Step.End) = Known->second;
    return;
  }
  int64_t Lo = INT64_MAX, Hi = INT64_MIN;
  for (unsigned T = 0; T < L.threads(); ++T)
    if ((*Mask)[T]) {
      Lo = std::min(Lo, (*Bytes->Offset->base())[T]);
      Hi = std::max(Hi, (*Bytes->Offset->base())[T]);
    }
  // Else nobody knows how far an index goes.
  if (Lo >= 0 && Lo <= Hi && Hi == IndexedPlace::byteAt(Hi)) {
    Step.Begin = Lo;
    Step.End = Hi + Bytes->Size;
    Step.Slot += Elements(Run).partAround(Bytes->Obj, Step.Begin, Step.End);
  }
  Known->second = {Step.Slot, Step.Begin, Step.End};
}

Pipeline::Step PipelineNotes::stepOf(Pipeline &To, const TraceNode *N) {
  Pipeline::Step Step{N->K, N->Loc, N->Place, N->Place};
  Step.Round = roundOf(To, N->InLoop);
  Step.IsOwn = To.Owner >= 0 && N->Mask && has(N, To.Owner);
  if (N->Mask && N->Mask != L.all())
    Step.Threads = threadRanges(N->Mask, Shape);
  Step.N = N->N;
  if ((isAccess(N->K) || N->K == Kind::Overwritten) && N->Event &&
      Events[N->Event].Bytes)
    nameSlot(Step, Events[N->Event].Bytes, N->Mask);
  return Step;
}

/// "Slot[1]" of "Slot[1][0..31]".
static llvm::StringRef outermost(llvm::StringRef Slot) {
  return Slot.take_front(Slot.find(']') + 1);
}

/// The step of \p To that \p New is only more of; null: there is none.
static Pipeline::Step *sameAs(Pipeline &To, const Pipeline::Step &New) {
  if (!isAccess(New.K) || New.Clashes)
    return nullptr;
  for (Pipeline::Step &Old : llvm::reverse(To.Steps)) {
    if (!isAccess(Old.K) || Old.Round != New.Round || Old.Clashes)
      return nullptr;
    if (Old.Slot == New.Slot || (Old.Slot.find(']') != std::string::npos &&
                                 outermost(Old.Slot) == outermost(New.Slot)))
      return Old.K == New.K && Old.Threads == New.Threads ? &Old : nullptr;
  }
  return nullptr;
}

/// Adds \p New; which one of \p To it is now.
static size_t add(Pipeline &To, Pipeline::Step New) {
  Pipeline::Step *Old = sameAs(To, New);
  if (!Old) {
    To.Steps.push_back(std::move(New));
    return To.Steps.size() - 1;
  }
  ++Old->Count;
  Old->LastPlace = New.LastPlace;
  if (Old->Slot != New.Slot)
    Old->Slot = outermost(Old->Slot).str();
  if (Old->Begin >= 0 && New.Begin >= 0) {
    Old->Begin = std::min(Old->Begin, New.Begin);
    Old->End = std::max(Old->End, New.End);
  } else {
    Old->Begin = -1;
  }
  return Old - To.Steps.data();
}

/// Of longer paths only the newest steps are looked at: there may be a finding
/// for every step. A picture shows a quarter of them.
static constexpr size_t MaxNodes = 120;

void PipelineNotes::findFlight(Pipeline &To, const State &S,
                               const TraceNode *First) {
  if (!First || First->K != Kind::CopyIssued || To.Owner < 0)
    return;
  for (const BlockCopies::ThreadClass &Class : S.Copies.classes()) {
    if (!(*Class.Mask)[To.Owner])
      continue;
    To.IsInFlight = llvm::is_contained(Class.Queue.open(), First->Event);
    for (const Group &G : Class.Queue.groups())
      if (llvm::is_contained(G.Copies, First->Event)) {
        To.IsInFlight = true;
        To.IsAlone |= G.Alone;
      }
  }
}

void PipelineNotes::record(Finding &F, const State &S, int Owner,
                           const Clash &C) {
  Pipeline To;
  To.Owner = Owner;
  findFlight(To, S, C.First);
  const bool IsMade = C.As == Kind::CopyIssued; // and not yet made otherwise
  llvm::SmallVector<const TraceNode *, 64> Nodes;
  const TraceNode *Oldest = S.Trace;
  for (; Oldest && Nodes.size() < MaxNodes; Oldest = Oldest->Prev)
    if (const TraceNode *N = Oldest;
        isOfPipeline(N->K) || (N->K == Kind::Iteration && N->N < 0))
      Nodes.push_back(N);
  ShownGroups Groups(To.Steps);
  if (Oldest) {
    To.Before = Oldest->Place;
    Groups.skip();
  }
  for (const TraceNode *N : llvm::reverse(Nodes)) {
    if (N->K == Kind::Iteration) {
      Groups.skip();
      continue;
    }
    if ((N->K == Kind::Read || N->K == Kind::Stored) && N != C.First &&
        !(N->Event && Events.isCopied(Events[N->Event].Bytes->Obj)))
      continue;
    Pipeline::Step New = stepOf(To, N);
    New.Clashes = N == C.First || (N == S.Trace && IsMade);
    const bool IsOwn = New.IsOwn;
    const size_t At = add(To, std::move(New));
    if (!IsOwn)
      continue;
    if (N->K == Kind::CopyIssued)
      Groups.copy(At);
    else if (N->K == Kind::Committed)
      Groups.commit(At);
    else if (N->K == Kind::Waited)
      Groups.wait(At, N->N);
    else if (N->K == Kind::WaitedAll)
      Groups.waitAll(At);
  }
  const bool HasPhases = !S.Copies.phases().empty();
  for (const BlockCopies::ThreadClass &Class : S.Copies.classes())
    if (Owner >= 0 && (*Class.Mask)[Owner] &&
        (HasPhases || !Groups.agreesWith(Class.Queue)))
      for (Pipeline::Step &Step : To.Steps) {
        Step.InFlight = Step.Completes = std::nullopt;
        // It may be for a phase, and what that completes is not said.
        if (HasPhases && Step.K == Kind::Waited)
          Step.K = Kind::WaitDone;
      }
  if (C.Second && !IsMade) {
    TraceNode Last{C.As, Events[C.Second].Loc, C.Second,
                   Events[C.Second].Bytes->Mask};
    Last.InLoop = Run.loopAround(S);
    Last.Place = S.Length + 1;
    Pipeline::Step Step = stepOf(To, &Last);
    Step.Clashes = true;
    add(To, std::move(Step));
  }
  F.Path.Around = std::move(To);
}
