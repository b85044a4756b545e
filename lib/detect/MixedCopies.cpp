//===- MixedCopies.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that copy to the same bytes in one instruction, as when an address
// lacks the term of the lane. With the same data that is harmless; with
// different data one of them wins. Bytes that nobody reads afterwards, such as
// a place for what is not wanted, do not matter: the finding is made at a read.
//
//===----------------------------------------------------------------------===//

#include "lib/detect/MixedCopies.h"
#include "lib/report/Elements.h"
#include "lib/report/PathNotes.h"
#include "lib/state/MemoizedCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Such that it can hold in any number of threads together: a bound on something
// uniform, or that each group has of its own in a table, but no `threadIdx.x ==
// Leader`.
static bool canHoldTogether(const TermOrigins &Origins, const Int *C,
                            bool Holds) {
  if (C->isUniform())
    return true;
  if (C->terms().size() != 1 || !C->base()->isUniform(0))
    return false;
  const Atom *A = C->terms()[0].A;
  if (C != A->Alone)
    return false;
  auto OfUniform = [](const Int *I) {
    return llvm::all_of(I->terms(), [](const Int::Term &T) {
      return T.A->isUniform() && T.Coefficient->isUniform();
    });
  };
  switch (A->Kind) {
  case Atom::Op::Lt:
    return llvm::all_of(A->A->terms(), [&](const Int::Term &T) {
      return (T.A->isUniform() || Origins.isElement(T.A)) &&
             T.Coefficient->isUniform();
    });
  case Atom::Op::Eq:
    if (A->A->terms().size() == 1 &&
        A->A->terms()[0].A->Range == Interval{0, 1})
      return canHoldTogether(Origins, A->A, !Holds);
    return !Holds && OfUniform(A->A);
  case Atom::Op::LAnd:
    return Holds && canHoldTogether(Origins, A->A, true) &&
           canHoldTogether(Origins, A->B, true);
  case Atom::Op::LOr:
    return !Holds && canHoldTogether(Origins, A->A, false) &&
           canHoldTogether(Origins, A->B, false);
  default:
    return false;
  }
}

bool MixedCopies::mayAllBeHere(const State &S) {
  for (const TraceNode *N = S.Within; N; N = N->Within)
    if (N->isDivergent() &&
        !(N->Condition &&
          canHoldTogether(Run.Shared.Origins, N->Condition, N->Flag)))
      return false;
  PathCondition All = S.Condition;
  return llvm::all_of(S.May, [&](const MayCondition &C) {
    if (C.first->isUniform())
      return true;
    const Truth Known = All.decide(V, C.first);
    const PerThread *Open =
        L.except(S.Active, L.either(Known.True, Known.False));
    const PerThread *Not = C.second ? Known.False : Known.True;
    return canHoldTogether(Run.Shared.Origins, C.first, C.second) &&
           PerThreadContext::isEmpty(L.both(S.Active, Not)) &&
           (PerThreadContext::isEmpty(Open) ||
            All.assume(V, C.first, C.second, Open));
  });
}

void MixedCopies::forRivals(const State &S, const Footprint *To, Value Source,
                            llvm::function_ref<bool(Rivals)> Found) {
  // What the addresses have in common must cancel.
  if (!To->Offset || llvm::any_of(To->Offset->terms(), [](const Int::Term &T) {
        return !T.A->isUniform() || !T.Coefficient->isUniform();
      }))
    return;
  std::vector<std::pair<int64_t, unsigned>> Sorted;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*To->Mask)[T])
      Sorted.push_back({(*To->Offset->base())[T], T});
  llvm::sort(Sorted);
  const Int *Way =
      Source.isPtr() && Source.I ? V.sub(Source.I, To->Offset) : nullptr;
  for (size_t I = 1; I < Sorted.size(); ++I)
    if (Sorted[I].first < Sorted[I - 1].first + To->Size) {
      const unsigned A = Sorted[I - 1].second, B = Sorted[I].second;
      if (Found({A, B,
                 Way ? Copied.compareData(S, Way, A, Way, B)
                     : CopiedData::Same::NotKnown}))
        return;
    }
}

void MixedCopies::noteMixedCopy(State &S, EventId Copy, Value Source,
                                const PerThread *Part) {
  const Footprint *To = Events[Copy].Bytes;
  // Of zeros that fill there are no two kinds.
  if (!Part || !Part->isUniform(To->Size) || S.Copies.notes().isBlamed(Copy))
    return;
  std::vector<int64_t> AtOdds(Shape.threads());
  bool NotKnown = false;
  forRivals(S, To, Source, [&](Rivals R) {
    NotKnown |= R.Brings == CopiedData::Same::NotKnown;
    if (R.Brings == CopiedData::Same::No)
      AtOdds[R.First] = AtOdds[R.Second] = 1;
    return false;
  });
  const PerThread *Mask = L.perThread(AtOdds);
  if ((!NotKnown && PerThreadContext::isEmpty(Mask)) || !mayAllBeHere(S))
    return;
  if (NotKnown)
    Run.gap(Events[Copy].Loc,
            "source of a copy over that of another thread is not known");
  if (!PerThreadContext::isEmpty(Mask))
    S.Copies.notes().addMixed({Copy, Footprints.restrict(To, Mask)});
}

bool MixedCopies::checkMixedCopies(State &S, EventId Read) {
  using Kind = TraceStep::Kind;
  for (const CopyNotes::MixedCopy &M : S.Copies.notes().mixed()) {
    const Overlap &Clash = Footprints.overlap(Events[Read].Bytes, M.Bytes);
    if (Clash.K != Overlap::Kind::Clash ||
        Exclusive.areExclusive(S, M.Copy, Read) ||
        S.Copies.notes().isBlamed(M.Copy))
      continue;
    const TraceNode *Issue = Copied.issueOf(S, M.Copy);
    if (!Issue)
      continue;
    const Event &Issued = Events[M.Copy];
    Finding F;
    F.Kind = FindingKind::Overwrite;
    F.Overwritten = OverwriteCause::InFlight;
    F.Object = Run.nameOf(Issued.Bytes->Obj).str();
    F.At.Copy = F.At.Write = Issued.Loc;
    F.At.Read = Events[Read].Loc;
    F.Copied = Issued.Bytes->Size;
    // Those whose bytes are read, if one of them is among the pairs.
    const int Wanted = Clash.Other;
    forRivals(S, Issued.Bytes, Issue->Source, [&](Rivals R) {
      if (R.Brings != CopiedData::Same::No)
        return false;
      F.Other = R.First;
      F.Thread = R.Second;
      return int(R.First) == Wanted || int(R.Second) == Wanted;
    });
    if (F.Thread < 0)
      continue;
    if (Issued.Bytes->Offset->isKnown())
      F.Byte = (*Issued.Bytes->Offset->base())[F.Thread];
    Elements(Run).name(F, Issued.Bytes);
    F.OnEveryPath = isUnconditional(S.Trace) && Issued.May.empty() &&
                    Events[Read].May.empty();
    std::vector<ToldStep> Steps;
    Steps.push_back(
        {{Kind::Overwritten, Issued.Loc, F.Object}, Issue->InLoop, Issue});
    const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
    Steps.push_back({{Kind::Read, F.At.Read, F.Object}, Loop, nullptr});
    for (const TraceNode *N : decisionsAround(Issue))
      addDecision(Steps, N);
    tell(F, std::move(Steps), S.Trace, EffectGroup | EffectCopy,
         Run.callsAround(S));
    Reads.blame(S, M.Copy, Read);
    Reads.reportOfRead(S, std::move(F), Read, M.Copy, /*AtRead=*/true);
    return true;
  }
  return false;
}
