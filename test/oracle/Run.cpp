//===- Run.cpp - Who goes next, and who waits -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

using namespace oracle;

static bool storesInBulk(const Block &B) {
  return std::ranges::any_of(B, [](const Stmt &S) {
    return S.K == Stmt::Kind::BulkStore || storesInBulk(S.Body) ||
           storesInBulk(S.Else);
  });
}

Run::Run(const Launch &L, Timing When, bool Judges, Verdict &V)
    : Ops(L.Ops), Given(L), When(When), Judges(Judges), V(V), Dice(When.Seed),
      Memory(L.Words), Threads(Ops.size()),
      Agents(When.ByWarps ? Ops.size() / WarpSize : Ops.size()),
      Waiting(Agents.size(), 0),
      Mbarriers(std::accumulate(L.K.Mbarriers.begin(), L.K.Mbarriers.end(), 0)),
      Seen(Ops.size()) {
  const Clock Nothing(Agents.size() + Mbarriers.size(), 0);
  Knowledge None = {Nothing, storesInBulk(L.K.Body) ? Nothing : Clock()};
  for (unsigned A = 0; A < Agents.size(); ++A) {
    Agents[A] = None;
    Agents[A].Sees[A] = 1;
  }
  for (Mbarrier &M : Mbarriers)
    M.Arrived = M.Released = None;
}

void Run::setWaits(unsigned T, bool Waits) {
  if (Threads[T].Waits != Waits)
    Waiting[agentOf(T)] += Waits ? 1 : -1;
  Threads[T].Waits = Waits;
  Threads[T].Alone = false;
}

// The lanes of a warp come together behind a branch, if they can.
bool Run::isHeld(unsigned T) const {
  if (!When.ByWarps || Threads[T].Alone || !Waiting[agentOf(T)])
    return false;
  const Position &At = Ops[T][Threads[T].Next].At;
  const unsigned First = T / WarpSize * WarpSize;
  for (unsigned I = First; I < First + WarpSize; ++I)
    if (waitsForPhase(I) && Ops[I][Threads[I].Next].At < At)
      return true;
  return false;
}

// PTX ISA, "Independent thread scheduling": lanes that wait do not hold others
// for ever. False if none was held.
bool Run::letLanesGo() {
  bool Any = false;
  for (unsigned T = 0; T < Threads.size(); ++T)
    if (!Threads[T].Waits && !hasLeft(T) && isHeld(T))
      Any = Threads[T].Alone = true;
  return Any;
}

// The next operation of a thread; at a barrier it stays there.
void Run::step(unsigned T) {
  using Kind = Stmt::Kind;
  const ThreadStep &O = Ops[T][Threads[T].Next];
  Thread &X = Threads[T];
  switch (O.K) {
  case Kind::Copy:
  case Kind::BulkLoad:
    copy(T, O);
    break;
  case Kind::Commit:
    X.Async.commit();
    break;
  case Kind::Wait:
    wait(T, X.Async, O.N);
    break;
  case Kind::WaitAll:
    complete(T, X.Async.Open);
    wait(T, X.Async, 0);
    break;
  case Kind::BulkStore:
    bulkStore(T, O);
    break;
  case Kind::BulkCommit:
    X.Bulk.commit();
    break;
  case Kind::BulkWait:
    wait(T, X.Bulk, O.N);
    break;
  case Kind::Fence:
    knows(T).fence();
    release(T);
    break;
  case Kind::Read:
    for (unsigned W = O.Word; W < O.Word + O.Words; ++W)
      read(T, O, W);
    break;
  case Kind::Store:
    for (unsigned W = O.Word; W < O.Word + O.Words; ++W)
      store(T, O, W);
    break;
  case Kind::NamedArrive:
    arrive(T, {O.N, O.Threads});
    break;
  case Kind::Init:
  case Kind::Arrive:
  case Kind::Announce:
  case Kind::ArriveWith:
    phase(T, O);
    break;
  case Kind::WaitPhase:
    if (!passPhase(T))
      setWaits(T, true);
    return;
  default: // a barrier; branches and loops are unrolled
    X.Waits = true;
    X.Alone = false;
    return;
  }
  ++X.Next;
}

// Everything that they did comes before everything they do from now on.
void Run::meet(const std::vector<unsigned> &Who,
               const std::vector<Arrival> &Others) {
  Knowledge Joined = knows(Who.front());
  for (unsigned T : Who)
    Joined.join(knows(T));
  for (const Arrival &A : Others)
    Joined.join(A.Knows);
  for (unsigned T : Who) {
    knows(T) = Joined;
    release(T);
    Threads[T].Waits = false;
    ++Threads[T].Next;
  }
}

void Run::arrive(unsigned T, BarrierId At) {
  for (const Arrival &A : Arrived[At])
    if (A.Thread == T)
      V.Invalid = "a thread arrives twice before the barrier is complete";
  Arrived[At].push_back({T, knows(T)});
  release(T);
  V.Arrives = true;
}

// PTX ISA, "bar": arrivals are those of whole warps.
bool Run::areWholeWarps(const std::vector<unsigned> &Who,
                        const std::vector<Arrival> &Others) const {
  std::vector<unsigned> Came(Threads.size() / WarpSize, 0);
  for (unsigned T : Who)
    ++Came[T / WarpSize];
  for (const Arrival &A : Others)
    ++Came[A.Thread / WarpSize];
  return std::all_of(Came.begin(), Came.end(), [](unsigned Lanes) {
    return Lanes == 0 || Lanes == WarpSize;
  });
}

// Lanes that wait for their neighbours.
bool Run::passLanes(const std::vector<Arrival> &Gone) {
  std::map<std::array<unsigned, 3>, std::vector<unsigned>> Lanes;
  for (unsigned T = 0; T < Threads.size(); ++T) {
    if (!Threads[T].Waits)
      continue;
    const ThreadStep &O = Ops[T][Threads[T].Next];
    const unsigned Size = O.Threads ? O.Threads : WarpSize;
    if (O.K == Stmt::Kind::WarpBarrier)
      Lanes[{T / Size, Size, O.Line}].push_back(T);
  }
  bool Any = false;
  for (const auto &[Which, Who] : Lanes) {
    const unsigned Size = Which[1];
    std::vector<Arrival> Left;
    std::copy_if(Gone.begin(), Gone.end(), std::back_inserter(Left),
                 [&](const Arrival &A) { return A.Thread / Size == Which[0]; });
    if (Who.size() + Left.size() != Size)
      continue;
    meet(Who, Left);
    Any = true;
  }
  return Any;
}

// Lets those go on whose barrier or phase is complete; false if there are none.
// All threads that have not left the kernel have to meet at the same
// __syncthreads; that hardware forgives those that came to another one is
// nothing to rely on. Those who left are done with what they did.
bool Run::passBarriers() {
  std::map<BarrierId, std::vector<unsigned>> Waiting;
  std::vector<Arrival> Gone;
  bool Any = false;
  for (unsigned T = 0; T < Threads.size(); ++T) {
    if (hasLeft(T))
      Gone.push_back({T, knows(T)});
    if (!Threads[T].Waits)
      continue;
    const ThreadStep &O = Ops[T][Threads[T].Next];
    if (O.K == Stmt::Kind::WaitPhase)
      Any |= passPhase(T);
    else if (O.K == Stmt::Kind::NamedBarrier)
      Waiting[{O.N, O.Threads}].push_back(T);
    else if (O.K != Stmt::Kind::WarpBarrier)
      Waiting[{-int64_t(O.Line), 0}].push_back(T);
  }
  Any |= passLanes(Gone);
  for (const auto &[Which, Who] : Waiting) {
    const bool IsNamed = Which.second != 0;
    std::vector<Arrival> Others = IsNamed ? Arrived[Which] : Gone;
    const size_t Needed = IsNamed ? Which.second : Threads.size();
    if (Who.size() + Others.size() > Needed)
      V.Invalid = "more threads at a barrier than it is for";
    if (Who.size() + Others.size() != Needed)
      continue;
    if (IsNamed && !areWholeWarps(Who, Others))
      V.Invalid = "part of a warp at a barrier of its own";
    Arrived.erase(Which);
    meet(Who, Others);
    Any = true;
  }
  return Any;
}

bool Run::stepAmong(unsigned First, unsigned End) {
  const Position *Behind = nullptr;
  for (unsigned T = First; T < End; ++T)
    if (const ThreadStep *O = next(T); O && (!Behind || O->At < *Behind))
      Behind = &O->At;
  if (!Behind)
    return false;
  ++Step;
  const Position At = *Behind;
  for (unsigned T = First; T < End; ++T)
    if (const ThreadStep *O = next(T); O && O->At == At)
      step(T);
  return true;
}

void Run::runInStep() {
  while (stepAmong(0, Threads.size()))
    passBarriers(); // nobody waits for those that are not expected
}

void Run::runInTurn() {
  const unsigned Size = When.ByWarps ? WarpSize : 1;
  for (unsigned I = 0; I < Threads.size(); I += Size) {
    const unsigned First =
        When.Goes == Timing::Backwards ? Threads.size() - Size - I : I;
    while (stepAmong(First, First + Size)) {
    }
  }
}

void Run::runAlternating() {
  const unsigned Size = When.ByWarps ? WarpSize : 1;
  for (bool Any = true; Any;) {
    Any = false;
    for (unsigned First = 0; First < Threads.size(); First += Size)
      Any |= stepAmong(First, First + Size);
    Any |= passBarriers();
  }
}

// Each for a while; who waits, and what is copied, comes to its end meanwhile.
void Run::runInAnyOrder() {
  const unsigned Size = When.ByWarps ? WarpSize : 1;
  for (;;) {
    std::vector<unsigned> Able;
    for (unsigned T = 0; T < Threads.size(); ++T)
      if (next(T))
        Able.push_back(T / Size * Size);
    if (Able.empty())
      return;
    const unsigned First = Able[Dice.between(0, Able.size() - 1)];
    for (int64_t Steps = Dice.between(1, 12); Steps > 0; --Steps)
      stepAmong(First, First + Size);
    if (Dice.percent(70))
      passBarriers();
    if (Dice.percent(30))
      landOne();
  }
}

// Of the rest, bulk stores read as late as they can.
void Run::tellWhoIsLeft() {
  for (const Thread &X : Threads)
    for (const Groups *G : {&X.Async, &X.Bulk})
      for (unsigned C : G->Open)
        V.OpenAtEnd.insert(Copies[C].Line);
  for (const Copy &C : Copies)
    if (C.IsStore && !C.Completed && When.Lands != Timing::Early)
      look(C);
  for (unsigned T = 0; T < Threads.size(); ++T)
    if (Threads[T].Waits && V.Invalid.empty() && !Ended)
      V.Invalid =
          "deadlock at line " + std::to_string(Ops[T][Threads[T].Next].Line);
}

// Those who wait for a phase go on and know nothing; false if there are none.
bool Run::giveUp() {
  std::vector<unsigned> Stuck;
  for (unsigned T = 0; T < Threads.size(); ++T)
    if (waitsForPhase(T))
      Stuck.push_back(T);
  for (unsigned T : Stuck)
    defect({Defect::Kind::Stuck, 0, Ops[T][Threads[T].Next].Line}, T, T, 0);
  for (unsigned T : Stuck) {
    setWaits(T, false);
    ++Threads[T].Next;
  }
  WasStuck |= !Stuck.empty() && !Ended;
  Ended |= !Stuck.empty();
  return !Stuck.empty();
}

void Run::run() {
  do {
    switch (When.Goes) {
    case Timing::InStep:
      runInStep();
      break;
    case Timing::Alternating:
      runAlternating();
      break;
    case Timing::Forwards:
    case Timing::Backwards:
      runInTurn();
      break;
    case Timing::AnyOrder:
      runInAnyOrder();
      break;
    }
  } while (V.Invalid.empty() && !Undefined &&
           (passBarriers() || landOne() || letLanesGo() || giveUp()));
  if (!Undefined)
    tellWhoIsLeft();
}
