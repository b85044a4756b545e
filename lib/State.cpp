//===- State.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

static auto entryFor(auto &Entries, const Object *O) {
  return llvm::lower_bound(
      Entries, O->Id,
      [](const Memory::Entry &E, unsigned Id) { return E.first->Id < Id; });
}

const Contents *Memory::find(const Object *O) const {
  auto I = entryFor(Entries, O);
  return I != Entries.end() && I->first == O ? I->second : nullptr;
}

void Memory::set(const Object *O, const Contents *C) {
  auto I = entryFor(Entries, O);
  if (I != Entries.end() && I->first == O)
    I->second = C;
  else
    Entries.insert(I, Entry(O, C));
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
  llvm::FoldingSetNodeID ID;
  ID.AddPointer(Active);
  ID.AddInteger(Splits.size());
  for (const Frame &F : Frames) {
    ID.AddPointer(F.Fn);
    ID.AddPointer(F.Block);
    ID.AddInteger(F.Element);
  }
  for (const auto &[O, Bytes] : Mem.entries()) {
    ID.AddPointer(O);
    ID.AddPointer(Bytes);
  }
  for (const PathCondition::Bound &B : Condition.bounds()) {
    ID.AddPointer(B.Form);
    ID.AddInteger(B.Range.Lo);
    ID.AddInteger(B.Range.Hi);
  }
  for (const PathCondition::Choice &C : Condition.choices()) {
    ID.AddPointer(C.Condition);
    ID.AddBoolean(C.Holds);
  }
  Copies.profile(ID);
  return ID.ComputeHash();
}
