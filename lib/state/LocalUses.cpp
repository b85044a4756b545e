//===- LocalUses.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/LocalUses.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

static const Frame *callOf(const Context &C, const Object *Local) {
  const auto F = llvm::find_if(
      C.Frames, [&](const Frame &X) { return X.Number == Local->Call; });
  return F == C.Frames.end() ? nullptr : &*F;
}

static bool isUsedIn(const Frame &F, const Object *Local) {
  return !F.Block || !F.Fn->isDeadWithin(Local->Origin, F.Block);
}

bool cpasync::usesLocal(const Context &C, const Object *Local) {
  const Frame *F = Local->K == Object::Kind::Local ? callOf(C, Local) : nullptr;
  return F && isUsedIn(*F, Local);
}

const PerThread *cpasync::threadsThatUse(const State &S, PerThreadContext &L,
                                         const Object *Local) {
  const PerThread *Using = L.none();
  auto Add = [&](const Context &C) {
    const Frame *F = callOf(C, Local);
    if (!F)
      return;
    const size_t Depth = F - C.Frames.data();
    const bool IsBefore = F == &S.frame();
    const bool IsUsedHere = IsBefore ? !F->Fn->isDead(Local->Origin, F->Block)
                                     : isUsedIn(*F, Local);
    auto IsUsedFrom = [&](const Split &X, const CFGBlock *B) {
      return X.Depth > Depth
                 ? IsUsedHere
                 : X.Depth == Depth && !F->Fn->isDead(Local->Origin, B);
    };
    if (IsUsedHere)
      Using = L.either(Using, C.Active);
    for (const Split &X : C.Splits) {
      if (IsUsedFrom(X, X.Join))
        Using = L.either(Using, X.JoinMask);
      if (X.Other && IsUsedFrom(X, X.Other))
        Using = L.either(Using, X.OtherMask);
    }
  };
  Add(S);
  llvm::for_each(S.Stopped, Add);
  return Using;
}
