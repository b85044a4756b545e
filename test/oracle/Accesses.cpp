//===- Accesses.cpp - What an access meets --------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

using namespace oracle;
using Kind = Defect::Kind;

void Run::defect(Defect D, unsigned Earlier, unsigned Later, unsigned W,
                 bool InFlight) {
  if (!Judges)
    return;
  if (Ended) {
    V.Beyond.insert(D);
    return;
  }
  const bool AcrossWarps =
      InFlight || Earlier == Later || Earlier / WarpSize != Later / WarpSize;
  const bool InStep = Given.K.InBulk ? When.ByWarps : AcrossWarps;
  const auto [Known, IsNew] = V.Defects.try_emplace(D);
  const Witness New = {Given.In,      Earlier, Later,          W,
                       Given.HasWork, InStep,  Given.IsUniform};
  if (IsNew || New.isBetterThan(Known->second))
    Known->second = New;
}

void Run::note(std::vector<Access> &Accesses, Access A) {
  for (Access &Old : Accesses)
    if (Old.Thread == A.Thread && Old.Line == A.Line) {
      Old.At = A.At;
      return;
    }
  Accesses.push_back(A);
}

void Run::write(const Copy &C) {
  for (unsigned W = C.Word; W < C.Word + C.Words; ++W)
    Memory[W].Holds = C.sourceOf(W);
}

void Run::copy(unsigned T, const ThreadStep &O) {
  if (O.K == Stmt::Kind::BulkLoad && !isInitialised(T, O))
    return;
  const unsigned Id = Copies.size();
  Copies.push_back({T, O.Line, O.Word, O.Words, O.Filled, O.Source, now(T)});
  V.Copies += Judges;
  if (O.K == Stmt::Kind::BulkLoad) {
    Copies[Id].Mbarrier = O.Mbarrier;
    Flying.push_back(Id);
  } else {
    Threads[T].Async.Open.push_back(Id);
  }
  for (unsigned W = O.Word; W < O.Word + O.Words; ++W) {
    copyOver(T, Copies[Id], W);
    Memory[W].Copies.push_back(Id);
  }
  if (When.Lands != Timing::Early)
    return;
  if (O.K == Stmt::Kind::BulkLoad)
    land(Id);
  else
    write(Copies[Id]);
}

void Run::copyOver(unsigned T, const Copy &C, unsigned W) {
  if (!Judges)
    return;
  for (unsigned Id : Memory[W].Copies) {
    const Copy &Old = Copies[Id];
    if (!complete(Old, T) && Old.sourceOf(W) != C.sourceOf(W))
      defect({Kind::CopyOverCopy, Old.Line, C.Line}, Old.Thread, T, W,
             !Old.Completed);
  }
  for (const Access &R : Memory[W].Reads)
    if (!before(R.Thread, R.At, T))
      defect({Kind::CopyOverRead, R.Line, C.Line}, R.Thread, T, W);
  for (const Access &S : Memory[W].Stores)
    if (!before(S.Thread, S.At, T))
      defect({Kind::CopyOverStore, S.Line, C.Line}, S.Thread, T, W);
  for (const Access &R : Memory[W].Blind)
    if (before(R.Thread, R.At, T))
      defect({Kind::ReadBeforeCopy, R.Line, C.Line}, R.Thread, T, W);
  overBulkStores(Kind::CopyOverBulkStore, T, C.Line, W);
}

bool Run::meetsCopies(unsigned T, const ThreadStep &O, unsigned W) {
  bool IsIssued = false;
  for (unsigned Id : Memory[W].Copies) {
    const Copy &Old = Copies[Id];
    const bool IsComplete = complete(Old, T);
    IsIssued |= IsComplete || before(Old.Thread, Old.Issued, T);
    if (!IsComplete)
      defect({Old.Thread == T  ? Kind::OwnReadInFlight
              : !Old.Completed ? Kind::ReadInFlight
                               : Kind::Unsynchronized,
              Old.Line, O.Line},
             Old.Thread, T, W, !Old.Completed);
  }
  return IsIssued;
}

void Run::read(unsigned T, const ThreadStep &O, unsigned W) {
  Seen[T].push_back(Memory[W].Holds);
  if (!Judges)
    return;
  bool Blind = !meetsCopies(T, O, W);
  for (const Access &S : Memory[W].Stores) {
    if (before(S.Thread, S.At, T)) {
      Blind = false;
      continue;
    }
    V.PlainRace = true;
    if (!Memory[W].Copies.empty())
      defect({Kind::StoreUnderRead, S.Line, O.Line}, S.Thread, T, W);
  }
  const Access A{T, O.Line, now(T)};
  note(Memory[W].Reads, A);
  if (Blind)
    note(Memory[W].Blind, A);
}

void Run::store(unsigned T, const ThreadStep &O, unsigned W) {
  Memory[W].Holds = int64_t(O.Line) << 32 | T << 16 | Threads[T].Next << 1;
  if (!Judges)
    return;
  for (unsigned Id : Memory[W].Copies) {
    const Copy &Old = Copies[Id];
    if (!complete(Old, T))
      defect({Kind::StoreOverCopy, Old.Line, O.Line}, Old.Thread, T, W,
             !Old.Completed);
  }
  for (const Access &R : Memory[W].Reads) {
    if (before(R.Thread, R.At, T))
      continue;
    V.PlainRace = true;
    if (!Memory[W].Copies.empty())
      defect({Kind::StoreOverRead, R.Line, O.Line}, R.Thread, T, W);
  }
  overBulkStores(Kind::StoreOverBulkStore, T, O.Line, W);
  for (const Access &S : Memory[W].Stores)
    V.PlainRace |= !before(S.Thread, S.At, T);
  note(Memory[W].Stores, {T, O.Line, now(T)});
}

//===----------------------------------------------------------------------===//
// Bulk stores
//===----------------------------------------------------------------------===//

void Run::overBulkStores(Kind K, unsigned T, unsigned Line, unsigned W) {
  for (unsigned Id : Memory[W].BulkStores) {
    const Copy &Old = Copies[Id];
    if (!complete(Old, T))
      defect({K, Old.Line, Line}, Old.Thread, T, W, !Old.Completed);
  }
}

// It reads at any time until a wait of its thread. What it saw has its place
// when it is issued.
void Run::bulkStore(unsigned T, const ThreadStep &O) {
  const unsigned Id = Copies.size();
  Copies.push_back({T, O.Line, O.Word, O.Words, 0, 0, now(T)});
  Copies[Id].IsStore = true;
  Copies[Id].SeenAt = Seen[T].size();
  V.Copies += Judges;
  Threads[T].Bulk.Open.push_back(Id);
  for (unsigned W = O.Word; W < O.Word + O.Words; ++W) {
    Seen[T].push_back(Memory[W].Holds);
    if (Judges)
      readInBulk(T, O, W);
    Memory[W].BulkStores.push_back(Id);
  }
}

// PTX ISA, "Causality order": an access through the generic proxy comes before
// one through the async proxy if a proxy fence lies on the way.
void Run::readInBulk(unsigned T, const ThreadStep &O, unsigned W) {
  meetsCopies(T, O, W);
  for (const Access &S : Memory[W].Stores)
    if (!before(S.Thread, S.At, T))
      defect({Kind::UnorderedSource, S.Line, O.Line}, S.Thread, T, W);
    else if (!fenced(S, T))
      defect({Kind::MissingFence, S.Line, O.Line}, S.Thread, T, W);
}

void Run::look(const Copy &C) {
  for (unsigned I = 0; I < C.Words; ++I)
    Seen[C.Thread][C.SeenAt + I] = Memory[C.Word + I].Holds;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void Run::complete(unsigned T, std::vector<unsigned> &Group) {
  for (unsigned Id : Group) {
    Copy &C = Copies[Id];
    C.Completed = now(T);
    if (When.Lands == Timing::Early)
      continue;
    if (C.IsStore)
      look(C);
    else
      write(C);
  }
  Group.clear();
}

// PTX ISA, "cp.async.wait_group", "cp.async.bulk.wait_group": only N or fewer
// of the most recent groups are pending, and all prior groups are complete.
void Run::wait(unsigned T, Groups &Of, size_t N) {
  while (Of.Committed.size() > N) {
    complete(T, Of.Committed.front());
    Of.Committed.erase(Of.Committed.begin());
  }
}
