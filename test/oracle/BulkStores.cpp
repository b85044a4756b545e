//===- BulkStores.cpp - Tiles that threads fill and one stores ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkBuilder.h"

using namespace oracle;

namespace {

/// Threads fill a slot while bulk copies read the others.
class StoresBuilder : BulkBuilder {
public:
  explicit StoresBuilder(Random &R) : BulkBuilder(R, "bulk stores") {}
  Kernel build();
};

/// Tiles are loaded, changed where they are, and stored.
class ThroughBuilder : BulkBuilder {
public:
  explicit ThroughBuilder(Random &R) : BulkBuilder(R, "bulk through") {}
  Kernel build();
};

} // namespace

Kernel StoresBuilder::build() {
  addRing(/*MaxSlots=*/3);
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  const Turn T = newTurn(variable(Tile));
  const bool WaitsFirst = R.percent(50);
  Block Body;
  if (WaitsFirst) {
    Body.push_back(byElected({bulkWait(int64_t(Slots) - 1)}));
    Body.push_back(barrier());
  }
  Body.push_back(touch(Stmt::Kind::Store, T.Slot, Reader::Own));
  Body.push_back(fence());
  Body.push_back(barrier());
  Block Store = drain(T.Slot, variable(Tile));
  if (!WaitsFirst)
    Store.push_back(bulkWait(int64_t(Slots) - 1));
  Body.push_back(byElected(std::move(Store)));
  if (!WaitsFirst)
    Body.push_back(barrier());
  append(Body, T.Next);
  K.Body.push_back(loop(Tile, number(0), Tiles, std::move(Body)));
  if (R.percent(70))
    K.Body.push_back(byElected({bulkWait(0)}));
  return std::move(K);
}

Kernel ThroughBuilder::build() {
  addRing(/*MaxSlots=*/3);
  const unsigned Full = addMbarriers();
  initialise(Full, 1);
  endInitialisation();
  const unsigned Ahead = Slots == 1 ? 1 : R.between(Slots - 1, Slots);
  const unsigned First = newVariable(/*IsLoop=*/true);
  K.Body.push_back(byElected(
      {loop(First, number(0), number(Ahead),
            {branch(binary(variable(First), Op::Less, Tiles),
                    fill(Full, variable(First), variable(First)))})}));
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  const Turn T = newTurn(variable(Tile));
  Block Body = {on(Stmt::Kind::WaitPhase, {Full, T.Slot}, T.Parity),
                touch(Stmt::Kind::Read, T.Slot, Reader::Own),
                touch(Stmt::Kind::Store, T.Slot, Reader::Own), fence(),
                barrier()};
  Block Move = drain(T.Slot, variable(Tile));
  ExprRef Next = binary(variable(Tile), Op::Add, Ahead);
  Block Refill = {bulkWait(Slots - Ahead)};
  append(Refill, fill(Full, slotOf(Next), Next));
  Move.push_back(branch(binary(Next, Op::Less, Tiles), std::move(Refill)));
  Body.push_back(byElected(std::move(Move)));
  append(Body, T.Next);
  K.Body.push_back(loop(Tile, number(0), Tiles, std::move(Body)));
  K.Body.push_back(byElected({bulkWait(0)}));
  return std::move(K);
}

Kernel oracle::bulkStores(Random &R) { return StoresBuilder(R).build(); }
Kernel oracle::bulkThrough(Random &R) { return ThroughBuilder(R).build(); }
