//===- Provenance.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Provenance.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace cpasync;

FactId FactTable::add(llvm::ArrayRef<FactId> From) {
  Fact &New = Facts.emplace_back();
  for (FactId F : From)
    if (F && !llvm::is_contained(New.From, F))
      New.From.push_back(F);
  return Facts.size() - 1;
}

void FactTable::note(FactId F, uint64_t At, Moments Fact::*To) {
  llvm::SmallVector<FactId, 8> Work = {F};
  while (!Work.empty()) {
    Fact &X = Facts[Work.pop_back_val()];
    Moments &Known = X.*To;
    auto *I = llvm::lower_bound(Known, At);
    if (I != Known.end() && *I == At)
      continue;
    Known.insert(I, At);
    Work.append(X.From.begin(), X.From.end());
  }
}

void FactTable::forgetMayUse(FactId F, uint64_t At) {
  llvm::SmallVector<FactId, 8> Work = {F};
  while (!Work.empty()) {
    Fact &X = Facts[Work.pop_back_val()];
    auto *I = llvm::lower_bound(X.MayUses, At);
    if (I == X.MayUses.end() || *I != At)
      continue;
    X.MayUses.erase(I);
    Work.append(X.From.begin(), X.From.end());
  }
}

bool FactTable::isNoted(const Moments &M, uint64_t Begin, uint64_t End) {
  const auto *I = llvm::lower_bound(M, Begin);
  return I != M.end() && *I <= End;
}

void FactTable::mention(FactId F, End Of) {
  if (!F || !Questions)
    return;
  if (Sign == 0)
    Of = End::Any;
  else if (Sign < 0 && Of != End::Any)
    Of = Of == End::Low ? End::High : End::Low;
  Mentioned.push_back({F, Of});
}

FactTable::Question::Question(FactTable *T) : T(T) {
  if (!T)
    return;
  ++T->Questions;
  First = T->Mentioned.size();
  OuterSign = std::exchange(T->Sign, 1);
}

FactTable::Question::~Question() {
  if (!T)
    return;
  T->Sign = OuterSign;
  if (--T->Questions == 0)
    T->Mentioned.clear();
}

void FactTable::Question::dismiss() {
  if (T)
    T->Mentioned.resize(First);
}

void FactTable::Question::answer(End Ends) {
  if (!T)
    return;
  const llvm::SmallVector<FactId, 4> On = take(Ends);
  T->Mentioned.resize(First);
  for (FactId F : On)
    if (T->Questions > 1)
      T->Mentioned.push_back({F, End::Any});
    else
      T->use(F);
}

llvm::SmallVector<FactId, 4> FactTable::Question::take(End Ends) const {
  llvm::SmallVector<FactId, 4> On;
  if (T)
    for (const Mention &M : llvm::ArrayRef(T->Mentioned).drop_front(First))
      if (Ends == End::Any || M.Of == End::Any || M.Of == Ends)
        On.push_back(M.F);
  return On;
}

FactTable::Turn::Turn(FactTable *T, int Sign) : T(T) {
  if (!T)
    return;
  First = T->Mentioned.size();
  OuterSign = T->Sign;
  T->Sign *= Sign;
}

FactTable::Turn::~Turn() {
  if (T)
    T->Sign = OuterSign;
}

void FactTable::Turn::dismiss() {
  if (T)
    T->Mentioned.resize(First);
}
