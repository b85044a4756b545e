//===- Mbarriers.cpp - Phases of arrivals and bytes -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "mbarrier": a phase is complete when no arrival is pending and as
// many bytes were copied as were announced; the next one begins then. Whoever
// finds it complete comes after those who arrived, and after its copies.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include <algorithm>

using namespace oracle;
using Kind = Defect::Kind;

/// Where the mbarrier \p M is initialised; 0: nowhere.
static unsigned initLine(const Run::Lists &Ops, unsigned M) {
  for (const std::vector<ThreadStep> &List : Ops)
    for (const ThreadStep &O : List)
      if (O.K == Stmt::Kind::Init && O.Mbarrier == M)
        return O.Line;
  return 0;
}

// Not to know of it is a defect; to be there before it means nothing.
bool Run::isInitialised(unsigned T, const ThreadStep &O) {
  const Mbarrier &M = Mbarriers[O.Mbarrier];
  if (M.Count && before(M.InitBy, M.InitAt, T))
    return true;
  if (const unsigned Line = initLine(Ops, O.Mbarrier))
    defect({Kind::UnorderedInit, Line, O.Line}, M.InitBy, T, 0);
  else
    V.Invalid = "an mbarrier is not initialised";
  Undefined |= !M.Count;
  return M.Count;
}

void Run::phase(unsigned T, const ThreadStep &O) {
  Mbarrier &M = Mbarriers[O.Mbarrier];
  if (O.K == Stmt::Kind::Init) {
    if (M.Count || O.N <= 0)
      V.Invalid = "an mbarrier is initialised twice, or for nobody";
    M.Count = M.Pending = O.N;
    M.InitBy = T;
    M.InitAt = now(T);
    return;
  }
  if (!isInitialised(T, O))
    return;
  const bool Arrives = O.K != Stmt::Kind::Announce && isExpected(T, O);
  if (O.K != Stmt::Kind::Arrive) {
    V.AnnouncesLate |= O.K == Stmt::Kind::Announce && M.Pending == 0 &&
                       M.Bytes < bytesOnTheWay(O.Mbarrier);
    M.Bytes += O.N;
  }
  if (Arrives)
    arrive(T, O);
}

// Whether the phase lacks an arrival; if it has them all, and enough bytes are
// on their way, they may have come in time.
bool Run::isExpected(unsigned T, const ThreadStep &O) {
  const Mbarrier &M = Mbarriers[O.Mbarrier];
  if (M.EndedIn == Step) // it has a meaning, though hardly what was meant
    V.Beyond.insert({Kind::ExtraArrivals, 0, O.Line});
  if (M.Pending > 0)
    return true;
  if (M.Bytes > bytesOnTheWay(O.Mbarrier)) {
    defect({Kind::ExtraArrivals, 0, O.Line}, T, T, 0);
    Ended = true;
    return false;
  }
  defect({Kind::ArrivalAhead, 0, O.Line}, T, T, 0);
  while (M.Pending == 0 && bytesOnTheWay(O.Mbarrier))
    land(*std::ranges::find_if(Flying, [&](unsigned C) {
      return Copies[C].Mbarrier == int(O.Mbarrier);
    }));
  Ended |= M.Pending == 0;
  return M.Pending > 0;
}

void Run::arrive(unsigned T, const ThreadStep &O) {
  Mbarrier &M = Mbarriers[O.Mbarrier];
  M.Arrived.join(knows(T));
  release(T);
  if (--M.Pending == 0 && M.Bytes == 0) {
    endPhase(O.Mbarrier);
    M.EndedIn = Step;
  }
}

int64_t Run::bytesOnTheWay(unsigned M) const {
  int64_t Bytes = 0;
  for (unsigned C : Flying)
    if (Copies[C].Mbarrier == int(M))
      Bytes += Copies[C].Words * WordBytes;
  return Bytes;
}

void Run::endPhase(unsigned Id) {
  Mbarrier &M = Mbarriers[Id];
  ++M.Phases;
  M.Pending = M.Count;
  M.Released.join(M.Arrived);
  M.Released.Sees[Agents.size() + Id] = M.Phases;
  for (unsigned C : M.Landed)
    Copies[C].Completed = M.Phases;
  M.Landed.clear();
  if (When.Goes != Timing::InStep && When.Goes != Timing::Alternating)
    return;
  // Who waits already sees every phase.
  for (unsigned T = 0; T < Threads.size(); ++T)
    if (waitsForPhase(T) && Ops[T][Threads[T].Next].Mbarrier == Id)
      passPhase(T);
}

// The parity is that of the phase to be complete, or of the one before it.
bool Run::passPhase(unsigned T) {
  const ThreadStep &O = Ops[T][Threads[T].Next];
  if (!isInitialised(T, O))
    return false;
  const Mbarrier &M = Mbarriers[O.Mbarrier];
  if ((M.Phases & 1) == O.N)
    return false;
  knows(T).join(M.Released);
  setWaits(T, false);
  ++Threads[T].Next;
  return true;
}

void Run::land(unsigned C) {
  std::erase(Flying, C);
  write(Copies[C]);
  Mbarrier &M = Mbarriers[Copies[C].Mbarrier];
  M.Landed.push_back(C);
  M.Bytes -= Copies[C].Words * WordBytes;
  if (M.Pending == 0 && M.Bytes == 0)
    endPhase(Copies[C].Mbarrier);
}

bool Run::landOne() {
  if (Flying.empty())
    return false;
  land(Flying[When.Lands == Timing::Anytime ? Dice.between(0, Flying.size() - 1)
                                            : 0]);
  return true;
}
