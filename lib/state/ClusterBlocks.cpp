//===- ClusterBlocks.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/ClusterBlocks.h"
#include "llvm/Support/MathExtras.h"

using namespace cpasync;

ClusterBlocks::ClusterBlocks(ValueContext &V, const BlockShape &Shape)
    : V(V), Shape(Shape) {
  PerThreadContext &L = V.lanes();
  std::vector<int64_t> Ranks(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T)
    Ranks[T] = blockOf(T);
  Rank = V.known(L.perThread(Ranks));
  Begin = V.mul(Rank, V.constant(BlockShape::SharedSpan));
  for (unsigned Block = 0; Block < Shape.blocks(); ++Block)
    Threads.push_back(L.apply(LaneOp::Eq, Rank->base(), L.uniform(Block)));
}

bool ClusterBlocks::areAllRun() const {
  return Shape.RunsCluster || Shape.Cluster.blocks() == 1;
}

std::string ClusterBlocks::whyNotAll() const {
  if (!Shape.Cluster.blocks())
    return "how many blocks a cluster has is not known";
  return "cluster of " + std::to_string(Shape.Cluster.blocks()) +
         " blocks of " + Shape.text() + " is not analysed";
}

std::optional<Value> ClusterBlocks::mapTo(Value Address, const Int *OfRank) {
  if (!areAllRun() || !Address.isPtr() || !Address.I || !OfRank ||
      !OfRank->isKnown())
    return std::nullopt;
  // It may lie in another block already.
  PerThreadContext &L = V.lanes();
  std::vector<int64_t> Apart(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    const int64_t To = (*OfRank->base())[T] - (*Rank->base())[T];
    const int64_t At = (*Address.I->base())[T];
    Apart[T] = (To - llvm::divideFloorSigned(At, BlockShape::SharedSpan)) *
               BlockShape::SharedSpan;
  }
  return Value::pointer(Address.Obj,
                        V.add(Address.I, V.known(L.perThread(Apart))));
}

Value ClusterBlocks::placeOf(Value Address) {
  if (!Shape.RunsCluster || !Address.isPtr() || !Address.I ||
      !Address.Obj->isShared())
    return Address;
  return Value::pointer(Address.Obj, V.add(Address.I, Begin));
}

int64_t ClusterBlocks::blockOf(Value Address, unsigned Thread) {
  return blockOf(Thread) + llvm::divideFloorSigned((*Address.I->base())[Thread],
                                                   BlockShape::SharedSpan);
}

const PerThread *ClusterBlocks::threadsAt(int64_t Place) const {
  const int64_t Block = Place / BlockShape::SharedSpan;
  return Threads[Block >= 0 && Block < int64_t(Threads.size()) ? Block : 0];
}
