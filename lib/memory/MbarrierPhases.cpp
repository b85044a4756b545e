//===- MbarrierPhases.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/MbarrierPhases.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

void PhaseBarrier::addTo(Fingerprint &F) const {
  F.add(Obj);
  F.add(Offset);
  F.add(uint64_t(Part) << 1 | Parity);
  F.add(Expects);
  F.add(Arrived);
  F.add(Bytes);
  F.add(uint64_t(IsBelieved) << 1 | WasForced);
  F.addList(Tiles, [&](std::pair<unsigned, int64_t> T) {
    F.add(uint64_t(T.first));
    F.add(T.second);
  });
  F.add(Came);
  F.add(Joined);
  F.add(Copying);
  F.add(CopyInBulk);
  F.add(Foreign);
  F.add(uint64_t(Newest));
  for (const auto *List : {&Binds, &Done})
    F.addList(*List, [&](const Bound &B) {
      F.add(B.Threads);
      F.add(uint64_t(B.Commit) << 1 | B.Alone);
    });
  F.addList(Waiting, [&](const Waiter &W) {
    F.add(W.Threads);
    F.add(W.Site);
    F.add(W.Loc.getRawEncoding());
    F.add(W.Consumes);
  });
}

void PhaseBarrier::copies(PerThreadContext &L, const PerThread *Threads,
                          bool InBulk) {
  CopyInBulk = InBulk && (CopyInBulk || !Copying);
  Copying = Copying ? L.either(Copying, Threads) : Threads;
}

void PhaseBarrier::believe(unsigned Tile, int64_t Count) {
  const auto Number = &std::pair<unsigned, int64_t>::first;
  auto *At = llvm::lower_bound(
      Tiles, Tile, [&](const auto &T, unsigned N) { return T.*Number < N; });
  if (At == Tiles.end() || At->first != Tile)
    At = Tiles.insert(At, {Tile, 0});
  At->second += Count;
}

void cpasync::uniteCopying(PerThreadContext &L, PhaseBarriers &All,
                           const PhaseBarriers &Other) {
  for (const PhaseBarrier &B : Other) {
    auto *Same = llvm::find_if(All, [&](const PhaseBarrier &X) {
      return X.Obj == B.Obj && X.Offset == B.Offset && X.Part == B.Part;
    });
    if (Same == All.end())
      All.push_back(B);
    else if (B.Copying)
      Same->copies(L, B.Copying, B.CopyInBulk);
  }
}
