//===- State.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/State.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

static auto entryFor(auto &Entries, const Object *O) {
  return llvm::lower_bound(
      Entries, O->Id,
      [](const Memory::Entry &E, unsigned Id) { return E.first->Id < Id; });
}

const Contents *Memory::peek(const Object *O) const {
  auto I = entryFor(Entries, O);
  return I != Entries.end() && I->first == O ? I->second : nullptr;
}

void Memory::set(const Object *O, const Contents *C) {
  Touched = std::min(Touched, O->Call);
  auto I = entryFor(Entries, O);
  if (I != Entries.end() && I->first == O)
    I->second = C;
  else
    Entries.insert(I, Entry(O, C));
}

void Memory::erase(const Object *O) {
  auto I = entryFor(Entries, O);
  if (Unused.any())
    Unused.erase([&](const Object *X) { return X == O; });
  if (I == Entries.end() || I->first != O)
    return;
  Touched = std::min(Touched, O->Call);
  Entries.erase(I);
}

void Memory::pop(unsigned Number) {
  auto Gone = [&](const Object *O) {
    return O->K == Object::Kind::Local && O->Call >= Number &&
           O->Call / CallsPerRole == Number / CallsPerRole;
  };
  eraseIf(Gone);
}

void Memory::eraseIf(llvm::function_ref<bool(const Object *)> Gone) {
  llvm::erase_if(Entries, [&](const Entry &E) {
    const bool Goes = Gone(E.first);
    if (Goes)
      Touched = std::min(Touched, E.first->Call);
    return Goes;
  });
  if (Unused.any())
    Unused.erase(Gone);
}

bool Split::operator==(const Split &O) const {
  auto Same = [](const std::shared_ptr<const Sides> &A,
                 const std::shared_ptr<const Sides> &B) {
    return A == B || (A && B && *A == *B);
  };
  return Depth == O.Depth && Join == O.Join && JoinMask == O.JoinMask &&
         Other == O.Other && OtherMask == O.OtherMask && Role == O.Role &&
         MayCondition == O.MayCondition && Same(Start, O.Start) &&
         Same(First, O.First);
}

bool Context::sameFuture(const Context &O) const {
  return Active == O.Active && Frames == O.Frames && May == O.May &&
         Splits == O.Splits && Role == O.Role && StoppedAt == O.StoppedAt;
}

bool State::sameOthers(llvm::ArrayRef<Context> O) const {
  return llvm::equal(Stopped, O, [](const Context &A, const Context &B) {
    return A.sameFuture(B);
  });
}

const TraceNode *State::parting() const {
  const TraceNode *N = Parted && Trace ? Trace->Decided : nullptr;
  while (N && !N->OnlyIn)
    N = N->Prev ? N->Prev->Decided : nullptr;
  return N;
}

bool State::hangsOnTables() const {
  return llvm::any_of(Condition.bounds(),
                      [](auto &B) { return isFromTable(B.Form); }) ||
         llvm::any_of(Condition.choices(),
                      [](auto &C) { return isFromTable(C.Condition); });
}

bool State::hasOthersIn(const Frame &Call) const {
  return llvm::any_of(Stopped, [&](const Context &C) {
    return llvm::any_of(C.Frames, [&](const Frame &F) {
      return F.Number == Call.Number && F.Fn == Call.Fn;
    });
  });
}

void Memory::addTo(Fingerprint &F) const {
  addTo(F, [](const Entry &E) { return E.second; });
}

void Memory::addTo(Fingerprint &F, Essence Of) const {
  for (const Entry &E : Entries)
    if (const Contents *C = Of(E)) {
      F.add(E.first);
      F.add(C);
    }
  F.add(nullptr);
  Unused.addTo(F);
}

void Frame::addTo(Fingerprint &F) const {
  F.add(Fn);
  F.add(Block);
  F.add(Element);
  F.add(Call);
  F.add(CallLoc.getRawEncoding());
  F.add(Number);
  auto AddValue = [&](const Value &V) {
    F.add(uint64_t(V.K));
    F.add(V.Obj);
    F.add(V.I);
  };
  AddValue(This);
  F.addList(Made, [&](const auto &M) {
    F.add(M.first);
    F.add(M.second);
  });
  F.addList(Temps, [&](const auto &T) {
    F.add(T.first);
    AddValue(T.second);
  });
}

void Split::addTo(Fingerprint &F) const {
  F.add(uint64_t(Depth) << 32 | Role);
  F.add(Join);
  F.add(JoinMask);
  F.add(Other);
  F.add(OtherMask);
  F.add(MayCondition);
  for (const auto &S : {Start, First}) {
    F.add(S != nullptr);
    if (S) {
      S->Mem.addTo(F);
      S->Copies.addTo(F, /*WithBlanks=*/true);
    }
  }
}

void Context::addTo(Fingerprint &F) const {
  F.add(Active);
  F.add(uint64_t(Role) << 1 | StoppedAt.has_value());
  if (StoppedAt) {
    F.add(StoppedAt->index());
    if (const auto *M = std::get_if<MbarrierIndex>(&*StoppedAt))
      F.add(size_t(*M));
    else
      F.add(std::get<BarrierId>(*StoppedAt).index());
  }
  F.addList(Frames, [&](const Frame &X) { X.addTo(F); });
  F.addList(Splits, [&](const Split &X) { X.addTo(F); });
  F.addList(May, [&](const cpasync::MayCondition &X) {
    F.add(X.first);
    F.add(X.second);
  });
}

int64_t Arrival::threads(unsigned Threads) const {
  int64_t Sum = 0;
  for (unsigned Warp = 0; Warp < Threads; Warp += WarpThreads) {
    int64_t Most = 0;
    for (unsigned T = Warp; T < std::min(Warp + WarpThreads, Threads); ++T)
      Most = std::max(Most, (*Times)[T]);
    Sum += Most * WarpThreads;
  }
  return Sum;
}

Fingerprint::Digest State::digest(Memory::Essence Of,
                                  bool WithUnordered) const {
  Fingerprint F;
  Context::addTo(F);
  F.addList(Stopped, [&](const Context &C) { C.addTo(F); });
  F.addList(Arrivals, [&](const Arrival &A) {
    F.add(A.Barrier.index());
    F.add(A.Times);
    F.add(A.Waiting);
    F.add(A.Needed);
  });
  F.add(uint64_t(Parted) << 1 | OnlyUses);
  F.add(GaveUpOn.Obj);
  F.add(GaveUpOn.I);
  Mem.addTo(F, Of);
  Copies.addTo(F, /*WithBlanks=*/false, WithUnordered);
  return F.digest();
}
