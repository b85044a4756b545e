//===- BulkLoads.cpp - One thread loads, all wait -------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkBuilder.h"

using namespace oracle;

namespace {

class LoadsBuilder : BulkBuilder {
public:
  explicit LoadsBuilder(Random &R) : BulkBuilder(R, "bulk loads") {}
  Kernel build();

private:
  Block fetch(const ExprRef &Slot, const ExprRef &Tile, const ExprRef &If);
  Block await(const ExprRef &Slot, const ExprRef &Parity);

  unsigned Full = 0, Ahead = 1;
  bool AllArrive = false; ///< each thread, in each phase
  bool OneWaits = false;  ///< and a barrier tells the others
};

} // namespace

Block LoadsBuilder::fetch(const ExprRef &Slot, const ExprRef &Tile,
                          const ExprRef &If) {
  Block B, Others;
  if (AllArrive)
    Others.push_back(on(Stmt::Kind::Arrive, {Full, Slot}));
  if (!If || AllArrive)
    B.push_back(branch(isElected(), fill(Full, Slot, Tile), Others));
  else if (R.percent(50))
    B.push_back(
        branch(binary(isElected(), Op::Both, If), fill(Full, Slot, Tile)));
  else
    B.push_back(byElected({branch(If, fill(Full, Slot, Tile))}));
  if (AllArrive && If)
    return {branch(If, std::move(B))};
  return B;
}

Block LoadsBuilder::await(const ExprRef &Slot, const ExprRef &Parity) {
  const Stmt Wait = on(Stmt::Kind::WaitPhase, {Full, Slot}, Parity);
  if (OneWaits)
    return {byElected({Wait}), barrier()};
  return {Wait};
}

Kernel LoadsBuilder::build() {
  addRing(/*MaxSlots=*/4);
  Full = addMbarriers();
  AllArrive = R.percent(20);
  OneWaits = R.percent(10);
  initialise(Full, AllArrive ? K.Threads : 1);
  endInitialisation();
  const Reader Who = anyReader();
  if (R.percent(15)) { // a tile
    append(K.Body, fetch(number(0), number(0), nullptr));
    append(K.Body, await(number(0), number(0)));
    K.Body.push_back(touch(Stmt::Kind::Read, number(0), Who));
    return std::move(K);
  }
  const bool FetchesFirst = Slots > 1 && R.percent(40);
  Ahead = FetchesFirst ? Slots - 1 : Slots;
  const unsigned First = newVariable(/*IsLoop=*/true);
  K.Body.push_back(loop(First, number(0), number(Ahead),
                        fetch(variable(First), variable(First),
                              binary(variable(First), Op::Less, Tiles))));
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  const Turn T = newTurn(variable(Tile));
  ExprRef Next = binary(variable(Tile), Op::Add, Ahead);
  const Block Fetch = fetch(FetchesFirst ? slotOf(Next) : T.Slot, Next,
                            binary(Next, Op::Less, Tiles));
  Block Body;
  if (FetchesFirst)
    append(Body, Fetch);
  append(Body, await(T.Slot, T.Parity));
  Body.push_back(touch(Stmt::Kind::Read, T.Slot, Who));
  Body.push_back(barrier());
  if (!FetchesFirst)
    append(Body, Fetch);
  append(Body, T.Next);
  K.Body.push_back(loop(Tile, number(0), Tiles, std::move(Body)));
  return std::move(K);
}

Kernel oracle::bulkLoads(Random &R) { return LoadsBuilder(R).build(); }
