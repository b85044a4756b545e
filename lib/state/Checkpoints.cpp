//===- Checkpoints.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/Checkpoints.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

// A checkpoint takes some ten kilobytes.
static constexpr size_t MaxEnds = 4096;

void Checkpoints::add(const Checkpoint &From, llvm::ArrayRef<Spot> Passed) {
  if (!llvm::is_contained(Starts, From))
    Starts.push_back(From);
  Reached.insert_range(Passed);
}

void Checkpoints::addEnd(Spot At, const Checkpoint &From,
                         llvm::ArrayRef<Spot> Passed) {
  TooMany |= Ends.size() >= MaxEnds;
  if (!TooMany)
    Ends.push_back({At, From, llvm::SmallVector<Spot, 4>(Passed)});
}

std::vector<Checkpoints::Checkpoint> Checkpoints::starts() const {
  if (TooMany)
    return {};
  std::vector<Checkpoint> All = Starts;
  llvm::DenseSet<Spot> To = Reached;
  llvm::DenseSet<const State *> Known;
  for (const Checkpoint &C : All)
    Known.insert(C.get());
  std::vector<const End *> Open;
  for (const End &E : Ends)
    Open.push_back(&E);
  for (bool More = true; More;) {
    More = false;
    llvm::erase_if(Open, [&](const End *E) {
      if (!To.contains(E->At))
        return false;
      More = true;
      To.insert_range(E->Passed);
      if (Known.insert(E->From.get()).second)
        All.push_back(E->From);
      return true;
    });
  }
  return All;
}
