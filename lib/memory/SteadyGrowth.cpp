//===- SteadyGrowth.cpp - What is staged and not waited for ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounds of a loop that do the same again, at addresses that move on by a
// constant.
//
//===----------------------------------------------------------------------===//

#include "lib/memory/BlockCopies.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/values/Shifts.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

namespace {
// Y is X again, perhaps elsewhere in its part, or under the conditions of
// another iteration: `if (Row < Rows)` where Row grows.
bool isRepeated(ValueContext &V, const EventTable &E, EventId X, EventId Y) {
  if (X == Y)
    return true;
  Event A = E[X], B = E[Y];
  auto SameCondition = [&](const MayCondition &C, const MayCondition &D) {
    return C.second == D.second &&
           isShifted(V, C.first, D.first,
                     A.Bytes ? A.Bytes->Mask : V.lanes().all());
  };
  if (!llvm::equal(A.May, B.May, SameCondition))
    return false;
  A.May.clear();
  B.May.clear();
  if (A.Bytes && B.Bytes && A.Bytes->Obj == B.Bytes->Obj &&
      A.Bytes->Size == B.Bytes->Size && A.Bytes->Mask == B.Bytes->Mask &&
      A.Bytes->Offset && B.Bytes->Offset &&
      isElsewhereWithin(V, A.Bytes->Offset, B.Bytes->Offset, A.Bytes->Mask))
    B.Bytes = A.Bytes;
  return A == B;
}

// Y is X again, at an address that differs by a constant.
bool isMovedBy(ValueContext &V, const EventTable &E, EventId X, EventId Y) {
  const Event &A = E[X], &B = E[Y];
  if (A.K != B.K || A.Site != B.Site || A.Loc != B.Loc || A.Mask != B.Mask ||
      A.N != B.N || A.May.size() != B.May.size())
    return false;
  if (!A.Bytes || !B.Bytes)
    return A.Bytes == B.Bytes;
  if (A.Bytes->Obj != B.Bytes->Obj || A.Bytes->Size != B.Bytes->Size)
    return false;
  if (A.Bytes->Offset == B.Bytes->Offset)
    return true;
  if (!A.Bytes->Offset || !B.Bytes->Offset)
    return false;
  // Others may not have come to that round.
  const Int *By =
      asIn(V, V.sub(B.Bytes->Offset, A.Bytes->Offset), A.Bytes->Mask);
  return By->isConstant() ||
         isElsewhereWithin(V, A.Bytes->Offset, B.Bytes->Offset,
                           A.Bytes->Mask) ||
         (By->isKnown() &&
          IndexedPlace::areOneStep(*By->base(), V.lanes().threads()));
}

// B repeats A with more at the end, C repeats B with as much more, moved.
template <typename Range, typename Fn, typename Gn>
bool growsAtEnd(const Range &A, const Range &B, const Range &C, Fn Repeated,
                Gn Moved) {
  if (B.size() < A.size() || C.size() - B.size() != B.size() - A.size() ||
      C.size() < B.size() ||
      !std::equal(A.begin(), A.end(), B.begin(), Repeated) ||
      !std::equal(B.begin(), B.end(), C.begin(), Repeated))
    return false;
  for (size_t I = 0, N = C.size() - B.size(); I < N; ++I)
    if (!Moved(B[A.size() + I], C[B.size() + I]))
      return false;
  return true;
}

// What is announced or copied for a phase is more in each round, and how much
// lacks hangs on what the kernel was given: no round makes it complete.
bool phaseGrows(ValueContext &V, const PhaseBarrier &A, const PhaseBarrier &B,
                const PhaseBarrier &C) {
  if (A == B && B == C)
    return true;
  if (!A.Bytes || !B.Bytes || !C.Bytes || C.Bytes->isKnown())
    return false;
  PhaseBarrier First = A, Second = B;
  First.Bytes = Second.Bytes = C.Bytes;
  const Int *By = V.sub(C.Bytes, B.Bytes);
  return First == C && Second == C && By == V.sub(B.Bytes, A.Bytes) &&
         isStable(By);
}

bool phasesGrow(ValueContext &V, const PhaseBarriers &A, const PhaseBarriers &B,
                const PhaseBarriers &C) {
  if (A.size() != B.size() || B.size() != C.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (!phaseGrows(V, A[I], B[I], C[I]))
      return false;
  return true;
}
} // namespace

bool BlockCopies::growSteadily(ValueContext &V, const EventTable &E,
                               const BlockCopies &A, const BlockCopies &B,
                               const BlockCopies &C) {
  auto Repeated = [&](EventId X, EventId Y) { return isRepeated(V, E, X, Y); };
  auto Moved = [&](EventId X, EventId Y) { return isMovedBy(V, E, X, Y); };
  auto SameGroup = [](const Group &X, const Group &Y) {
    return X.Commit == Y.Commit && X.LastWait == Y.LastWait &&
           X.EarlyWait == Y.EarlyWait && X.Alone == Y.Alone;
  };
  auto Groups = [&](auto Same) {
    return [&, Same](const Group &X, const Group &Y) {
      return SameGroup(X, Y) && llvm::equal(X.Copies, Y.Copies, Same);
    };
  };
  // Copies that one phase waits for are in one group.
  auto EachGroupGrows = [&](auto X, auto Y, auto Z) {
    if (X.size() != Y.size() || Y.size() != Z.size())
      return false;
    for (size_t I = 0; I < X.size(); ++I)
      if (!SameGroup(X[I], Y[I]) || !SameGroup(Y[I], Z[I]) ||
          !growsAtEnd(X[I].Copies, Y[I].Copies, Z[I].Copies, Repeated, Moved))
        return false;
    return true;
  };
  auto Blind = [](const BlockCopies &X) {
    return X.History.blindReads().size();
  };
  if (A.Classes.size() != B.Classes.size() ||
      B.Classes.size() != C.Classes.size() ||
      !A.History.isFilledAs(B.History) || !B.History.isFilledAs(C.History) ||
      !A.Notes.isSameButBlamed(C.Notes) ||
      !phasesGrow(V, A.Phases, B.Phases, C.Phases) ||
      Blind(C) - Blind(B) != Blind(B) - Blind(A))
    return false;
  auto QueueGrows = [&](const GroupQueue &X, const GroupQueue &Y,
                        const GroupQueue &Z) {
    return X.openLastWait() == Y.openLastWait() &&
           Y.openLastWait() == Z.openLastWait() &&
           (growsAtEnd(X.groups(), Y.groups(), Z.groups(), Groups(Repeated),
                       Groups(Moved)) ||
            EachGroupGrows(X.groups(), Y.groups(), Z.groups())) &&
           growsAtEnd(X.open(), Y.open(), Z.open(), Repeated, Moved);
  };
  auto Accesses = [](auto Same) {
    return [Same](const Access &X, const Access &Y) {
      return X.Wait == Y.Wait && X.After == Y.After && X.Before == Y.Before &&
             X.Bytes->Mask == Y.Bytes->Mask && Same(X.Event, Y.Event);
    };
  };
  // Where nothing is copied to, an access may be elsewhere in every round.
  auto IsApart = [&](const Access &X, const Access &Y) {
    return Accesses(Repeated)(X, Y) ||
           (Accesses(Moved)(X, Y) && !E.isCopied(E[X.Event].Bytes->Obj));
  };
  // Lists of thousands are only made where the last of each moved on.
  const Access *Last = B.Unordered.newest(), *Next = C.Unordered.newest();
  if (B.Unordered.size() < C.Unordered.size() && Last && Next &&
      !Accesses(Moved)(*Last, *Next))
    return false;
  const auto Old = A.Unordered.inOrder(), Now = B.Unordered.inOrder(),
             New = C.Unordered.inOrder();
  if (!growsAtEnd(A.Notes.blamed(), B.Notes.blamed(), C.Notes.blamed(),
                  Repeated, Moved) ||
      !(growsAtEnd(Old, Now, New, Accesses(Repeated), Accesses(Moved)) ||
        (llvm::equal(Old, Now, IsApart) && llvm::equal(Now, New, IsApart))))
    return false;
  for (size_t I = 0; I < A.Classes.size(); ++I) {
    const ThreadClass &X = A.Classes[I], &Y = B.Classes[I], &Z = C.Classes[I];
    if (X.Mask != Y.Mask || Y.Mask != Z.Mask ||
        !QueueGrows(X.Queue, Y.Queue, Z.Queue) ||
        !QueueGrows(X.Bulk, Y.Bulk, Z.Bulk) ||
        !QueueGrows(X.Wgmma, Y.Wgmma, Z.Wgmma))
      return false;
  }
  return true;
}

void BlockCopies::repeatAccesses(FootprintTable &F, ValueContext &V,
                                 EventTable &E, const BlockCopies &Before,
                                 int64_t Periods) {
  const auto Now = Unordered.inOrder();
  const size_t Old = Before.Unordered.size(), New = Now.size() - Old;
  for (int64_t P = 1; P <= Periods; ++P)
    for (size_t I = Old; I < Old + New; ++I) {
      const Access &A = Now[I];
      Event Moved = E[A.Event];
      const Int *At = Moved.Bytes->Offset,
                *Then = E[Now[I - New].Event].Bytes->Offset;
      if (!At || At == Then)
        continue;
      const Int *Step = V.sub(At, Then);
      if (!Step->isKnown()) // elsewhere within its part, that is all it tells
        continue;
      At = V.add(At, V.mul(Step, V.constant(P)));
      Moved.Bytes =
          F.get(Moved.Bytes->Obj, At, Moved.Bytes->Size, Moved.Bytes->Mask);
      const Footprint *Bytes = F.restrict(Moved.Bytes, A.Bytes->Mask);
      const EventId Id = E.intern(std::move(Moved));
      Unordered.add(V.lanes(), E, Id, A.Wait, Bytes);
    }
}
