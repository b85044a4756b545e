//===- FirstAccesses.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/FirstAccesses.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

FirstAccesses::First FirstAccesses::firstIn(const CFGBlock *B,
                                            unsigned Element) {
  constexpr unsigned Accesses =
      EffectCopy | EffectMemory | EffectShared | EffectUnknown;
  for (unsigned I = Element; I < B->size(); ++I)
    if (auto S = (*B)[I].getAs<CFGStmt>()) {
      const unsigned Does = P.effects(S->getStmt());
      if (Does & Accesses)
        return {/*Accesses=*/true, /*Ends=*/false};
      if (Does & EffectBarrier)
        return {};
    }
  return {/*Accesses=*/false, /*Ends=*/true};
}

FirstAccesses::First FirstAccesses::firstFrom(const CFGBlock *B) {
  auto [I, New] = FirstFrom.try_emplace(B);
  if (!New)
    return I->second;
  First Found;
  llvm::DenseSet<const CFGBlock *> Seen = {B};
  llvm::SmallVector<const CFGBlock *, 16> Work = {B};
  while (!Work.empty() && !Found.Accesses) {
    const CFGBlock *X = Work.pop_back_val();
    const First Of = firstIn(X, 0);
    Found.Accesses = Of.Accesses;
    if (!Of.Ends)
      continue;
    Found.Ends |= X->succ_empty();
    for (const CFGBlock *S : X->succs())
      if (S && Seen.insert(S).second)
        Work.push_back(S);
  }
  return FirstFrom[B] = Found;
}

const PerThread *FirstAccesses::among(const Context &C,
                                      const PerThread *Threads) {
  const auto MayAccess = [&](unsigned Depth, const CFGBlock *B) {
    First Of = firstFrom(B);
    // Behind the calls that it is in.
    while (Of.Ends && !Of.Accesses && Depth > 0) {
      const Frame &F = C.Frames[--Depth];
      Of = firstIn(F.Block, F.Element);
      if (!Of.Ends)
        break;
      Of.Ends = false;
      for (const CFGBlock *S : F.Block->succs())
        if (S) {
          const First Behind = firstFrom(S);
          Of.Accesses |= Behind.Accesses;
          Of.Ends |= Behind.Ends;
        }
    }
    return Of.Accesses;
  };
  const PerThread *Found = L.none();
  for (const Split &Sp : llvm::reverse(C.Splits)) {
    const PerThread *Here = L.both(Threads, Sp.JoinMask);
    if (PerThreadContext::isEmpty(Here))
      continue;
    const PerThread *Others = Sp.Other ? L.both(Here, Sp.OtherMask) : L.none();
    if (!PerThreadContext::isEmpty(Others) && MayAccess(Sp.Depth, Sp.Other))
      Found = L.either(Found, Others);
    if (MayAccess(Sp.Depth, Sp.Join))
      Found = L.either(Found, Here);
    Threads = L.except(Threads, Here);
  }
  return L.either(Found, Threads); // who is elsewhere
}
