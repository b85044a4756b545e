//===- State.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

static auto entryFor(auto &Entries, const Object *O) {
  return llvm::lower_bound(
      Entries, O->Id,
      [](const Memory::Entry &E, unsigned Id) { return E.first->Id < Id; });
}

const Contents *Memory::find(const Object *O) const {
  auto I = entryFor(Entries, O);
  return I != Entries.end() && I->first == O ? I->second.get() : nullptr;
}

void Memory::set(const Object *O, Contents C) {
  auto I = entryFor(Entries, O);
  auto New = std::make_shared<const Contents>(std::move(C));
  if (I != Entries.end() && I->first == O)
    I->second = std::move(New);
  else
    Entries.insert(I, Entry(O, std::move(New)));
}

void Memory::erase(const Object *O) {
  auto I = entryFor(Entries, O);
  if (I != Entries.end() && I->first == O)
    Entries.erase(I);
}

void Memory::pop(unsigned Number) {
  llvm::erase_if(Entries, [&](const Entry &E) {
    return E.first->K == Object::Kind::Local && E.first->Call >= Number &&
           E.first->Call / CallsPerRole == Number / CallsPerRole;
  });
}

bool Memory::operator==(const Memory &O) const {
  return llvm::equal(Entries, O.Entries, [](const Entry &A, const Entry &B) {
    return A.first == B.first &&
           (A.second == B.second || *A.second == *B.second);
  });
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

bool State::sameFuture(const State &O) const {
  return Context::sameFuture(O) && sameOthers(O.Stopped) &&
         Arrivals == O.Arrivals && Mem == O.Mem && Condition == O.Condition &&
         Copies == O.Copies;
}

size_t State::hash() const {
  size_t H =
      llvm::hash_combine(Active, Frames.size(), Splits.size(), Copies.hash());
  for (const Frame &F : Frames)
    H = llvm::hash_combine(H, F.Fn, F.Block, F.Element);
  for (const Memory::Entry &E : Mem.entries())
    for (const Cell &C : *E.second)
      H = llvm::hash_combine(H, E.first, C.Offset, C.V.Obj, C.V.I);
  for (const PathCondition::Bound &B : Condition.bounds())
    H = llvm::hash_combine(H, B.Form, B.Range.Lo, B.Range.Hi);
  for (const PathCondition::Choice &C : Condition.choices())
    H = llvm::hash_combine(H, C.Condition, C.Holds);
  return H;
}
