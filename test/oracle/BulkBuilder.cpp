//===- BulkBuilder.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkBuilder.h"

using namespace oracle;

/// Largest element that a thread has.
static constexpr unsigned SourceBytes = 16;

BulkBuilder::BulkBuilder(Random &R, const char *Family) : Builder(R, Family) {
  K.InBulk = true;
}

void BulkBuilder::addRing(unsigned MaxSlots) {
  Slots = R.between(1, MaxSlots);
  Bytes = R.oneOf({4U, 8U, 16U});
  Ring = newArray(Bytes, Slots);
  SlotBytes = K.Arrays[Ring].bytes() / Slots;
  Pieces = R.oneOf({1U, 1U, 1U, 2U});
  Elected = R.percent(80) ? 0 : WarpSize;
  AnnouncesFirst = R.percent(15);
  Tiles = R.percent(70) ? parameter(newParameter(2 * Slots + 2))
                        : number(R.between(1, 2 * Slots + 2));
}

Stmt BulkBuilder::on(Stmt::Kind Kind, Phases On, ExprRef Value) {
  Stmt S = simple(Kind);
  S.On = std::move(On);
  S.Value = std::move(Value);
  return S;
}

Stmt BulkBuilder::bulkWait(int64_t N) {
  Stmt S = simple(Stmt::Kind::BulkWait);
  S.N = std::max<int64_t>(N, 0);
  S.OnlyReads = R.percent(70);
  return S;
}

Block BulkBuilder::fill(unsigned Full, const ExprRef &Slot,
                        const ExprRef &Tile) {
  Block B, Loads;
  const unsigned Each = SlotBytes / Pieces;
  for (unsigned P = 0; P < Pieces; ++P) {
    const unsigned From = P * Each;
    Stmt Load =
        access(Stmt::Kind::BulkLoad,
               {Ring, Slot, number(From / K.Arrays[Ring].ElementBytes), Each});
    Load.On = {Full, Slot};
    ExprRef First = binary(Tile, Op::Mul, SlotBytes / SourceBytes);
    Load.Source = From ? binary(First, Op::Add, From / SourceBytes) : First;
    Loads.push_back(std::move(Load));
  }
  if (!AnnouncesFirst) {
    B.push_back(on(Stmt::Kind::ArriveWith, {Full, Slot}, number(SlotBytes)));
    append(B, Loads);
    return B;
  }
  B.push_back(on(Stmt::Kind::Announce, {Full, Slot}, number(SlotBytes)));
  append(B, Loads);
  B.push_back(on(Stmt::Kind::Arrive, {Full, Slot}));
  return B;
}

Block BulkBuilder::drain(const ExprRef &Slot, const ExprRef &Tile) {
  Stmt Store =
      access(Stmt::Kind::BulkStore, {Ring, Slot, number(0), SlotBytes});
  Store.Source = binary(Tile, Op::Mul, SlotBytes / SourceBytes);
  return {std::move(Store), simple(Stmt::Kind::BulkCommit)};
}

void BulkBuilder::initialise(unsigned Mbarriers, int64_t Count) {
  auto Init = [&](ExprRef Slot) {
    return on(Stmt::Kind::Init, {Mbarriers, std::move(Slot)}, number(Count));
  };
  Block B;
  switch (R.between(0, 2)) {
  case 0: {
    const unsigned S = newVariable(/*IsLoop=*/true);
    B.push_back(loop(S, number(0), number(Slots), {Init(variable(S))}));
    break;
  }
  case 1:
    for (unsigned S = 0; S < Slots; ++S)
      B.push_back(Init(number(S)));
    break;
  default:
    K.Body.push_back(
        branch(binary(thread(), Op::Less, Slots), {Init(thread())}));
    return;
  }
  K.Body.push_back(byElected(std::move(B)));
}

BulkBuilder::Turn BulkBuilder::newTurn(const ExprRef &Tile) {
  if (R.percent(55))
    return {slotOf(Tile), parityOf(Tile), {}};
  const unsigned Parity = newVariable(/*IsLoop=*/false);
  const Stmt Flip = assign(Parity, binary(variable(Parity), Op::Xor, 1));
  if (Slots == 1)
    return {number(0), variable(Parity), {Flip}};
  const unsigned Slot = newVariable(/*IsLoop=*/false);
  ExprRef Plus = binary(variable(Slot), Op::Add, 1);
  return {variable(Slot),
          variable(Parity),
          {assign(Slot, Plus), branch(binary(variable(Slot), Op::Equal, Slots),
                                      {assign(Slot, number(0)), Flip})}};
}

Kernel oracle::generateInBulk(Random &R) {
  const int64_t Dice = R.between(0, 99);
  if (Dice < 30)
    return bulkLoads(R);
  if (Dice < 60)
    return bulkRoles(R);
  if (Dice < 78)
    return bulkStores(R);
  return bulkThrough(R);
}
