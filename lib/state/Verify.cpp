//===- Verify.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is true of every state between two steps.
//
//===----------------------------------------------------------------------===//

#include "lib/state/State.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

static bool isWithin(PerThreadContext &L, const PerThread *A,
                     const PerThread *B) {
  return PerThreadContext::isEmpty(L.except(A, B));
}

static llvm::StringRef broken(PerThreadContext &L, const Context &C) {
  if (C.Frames.empty())
    return "no frame";
  const PerThread *Around = nullptr;
  unsigned Depth = 0;
  for (const Split &Sp : C.Splits) {
    if (Sp.Depth < Depth || Sp.Depth >= C.Frames.size())
      return "a split of a frame that is not there";
    if (Around && !isWithin(L, Sp.JoinMask, Around))
      return "a split of threads that the one around it has not";
    if (Sp.Other && !isWithin(L, Sp.OtherMask, Sp.JoinMask))
      return "a side of a split that its join has not";
    Around = Sp.JoinMask;
    Depth = Sp.Depth;
  }
  if (Around && !isWithin(L, C.Active, Around))
    return "threads that run and will not meet where they parted";
  Depth = 0;
  for (const LoopVisit &Loop : C.Loops) {
    if (Loop.Depth < Depth || Loop.Depth >= C.Frames.size())
      return "a loop of a frame that is not there";
    Depth = Loop.Depth;
  }
  return {};
}

static llvm::StringRef broken(PerThreadContext &L, const BlockCopies &Copies) {
  const PerThread *Seen = L.none();
  for (const BlockCopies::ThreadClass &C : Copies.classes()) {
    if (PerThreadContext::isEmpty(C.Mask))
      return "a class of no threads";
    if (!PerThreadContext::isEmpty(L.both(Seen, C.Mask)))
      return "a thread in two classes";
    Seen = L.either(Seen, C.Mask);
  }
  return Seen == L.all() ? "" : "a thread in no class";
}

llvm::StringRef State::broken(PerThreadContext &L) const {
  if (const auto What = ::broken(L, *this); !What.empty())
    return What;
  const PerThread *Running = Active;
  for (const Context &C : Stopped) {
    if (const auto What = ::broken(L, C); !What.empty())
      return What;
    if (!PerThreadContext::isEmpty(L.both(Running, C.Active)))
      return "a thread in two places";
    Running = L.either(Running, C.Active);
  }
  if (const auto What = ::broken(L, Copies); !What.empty())
    return What;
  if (!llvm::is_sorted(Mem.entries(), [](const auto &A, const auto &B) {
        return A.first->Id < B.first->Id;
      }))
    return "objects that are not sorted";
  if (Length != (Trace ? Trace->Place : 0))
    return "a history that is not as long as it says";
  return {};
}
