//===- Subobjects.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/Subobjects.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

void Subobjects::point(const void *By, int64_t At, const Object *Obj,
                       int64_t Begin) {
  const Beginning New{Obj, Begin};
  auto [I, IsNew] = Pointers.try_emplace({By, At}, New);
  if (!IsNew && (I->second == New || !I->second.Obj))
    return;
  if (!IsNew)
    I->second.Obj = nullptr;
  update();
}

void Subobjects::pointElsewhere(const void *By, int64_t At) {
  auto I = Pointers.find({By, At});
  if (I == Pointers.end() || !I->second.Obj)
    return;
  I->second.Obj = nullptr;
  update();
}

void Subobjects::update() {
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

std::optional<Subobject> Subobjects::around(const Object *Obj, int64_t Lo,
                                            int64_t Hi) const {
  auto I = Beginnings.find(Obj);
  if (I == Beginnings.end())
    return std::nullopt;
  const std::vector<int64_t> &List = I->second;
  const auto Next = llvm::upper_bound(List, Lo);
  if (Next == List.end() || Hi >= *Next)
    return std::nullopt;
  return Subobject{Next == List.begin() ? 0 : *std::prev(Next), *Next};
}
