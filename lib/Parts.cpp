//===- Parts.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Lanes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

int64_t IndexedPlace::inRooms() const {
  int64_t Room = 0;
  for (int64_t Begin : llvm::reverse(llvm::ArrayRef(Left).take_back(MaxRooms)))
    Room = (Room + Begin + 1) << RoomBits;
  return Byte + Room;
}

bool IndexedPlace::areOneStep(const Lanes &Between, unsigned Threads) {
  constexpr int64_t Mask = (int64_t(1) << RoomBits) - 1;
  for (unsigned T = 1; T < Threads; ++T)
    if ((Between[T] & Mask) != (Between[0] & Mask))
      return false;
  return true;
}

void Parts::point(const void *By, int64_t At, const Object *Obj,
                  int64_t Begin) {
  const Beginning New{Obj, Begin};
  auto [I, IsNew] = Pointers.try_emplace({By, At}, New);
  if (!IsNew && (I->second == New || !I->second.Obj))
    return;
  if (!IsNew)
    I->second.Obj = nullptr;
  update();
}

void Parts::pointElsewhere(const void *By, int64_t At) {
  auto I = Pointers.find({By, At});
  if (I == Pointers.end() || !I->second.Obj)
    return;
  I->second.Obj = nullptr;
  update();
}

void Parts::update() {
  Beginnings.clear();
  Hash = 0;
  for (const auto &[By, To] : Pointers)
    if (To.Obj)
      Beginnings[To.Obj].push_back(To.Begin);
  for (auto &[Obj, List] : Beginnings) {
    llvm::sort(List);
    List.erase(llvm::unique(List), List.end());
    // The order of the objects does not count.
    Hash += llvm::hash_combine(Obj, llvm::hash_combine_range(List));
  }
}

std::optional<Part> Parts::around(const Object *Obj, int64_t Lo,
                                  int64_t Hi) const {
  auto I = Beginnings.find(Obj);
  if (I == Beginnings.end())
    return std::nullopt;
  const std::vector<int64_t> &List = I->second;
  const auto Next = llvm::upper_bound(List, Lo);
  if (Next == List.end() || Hi >= *Next)
    return std::nullopt;
  return Part{Next == List.begin() ? 0 : *std::prev(Next), *Next};
}
