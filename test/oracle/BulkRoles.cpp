//===- BulkRoles.cpp - A warp that loads, others that read ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each slot has an mbarrier that says it is full and one that says it is empty.
//
//===----------------------------------------------------------------------===//

#include "BulkBuilder.h"

using namespace oracle;

namespace {

class BulkRolesBuilder : BulkBuilder {
public:
  explicit BulkRolesBuilder(Random &R) : BulkBuilder(R, "bulk roles") {}
  Kernel build();

private:
  Block produce();
  Block consume();
  Stmt round(unsigned Tile, Block B) {
    return loop(Tile, number(0), Tiles, std::move(B));
  }
  ExprRef isLane(int64_t Lane) const {
    return binary(binary(thread(), Op::Rem, WarpSize), Op::Equal, Lane);
  }

  enum class Release { EachThread, EachWarp, OneOfAll };
  Release Releases = Release::EachThread;
  unsigned Full = 0, Empty = 0, Consumers = 32;
  bool FirstRoundsFree = false; ///< by a condition; else by the parity
};

} // namespace

Block BulkRolesBuilder::produce() {
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  const Turn T = newTurn(variable(Tile));
  Block Body;
  ExprRef Other = binary(T.Parity, Op::Xor, 1);
  Stmt Wait = on(Stmt::Kind::WaitPhase, {Empty, T.Slot}, Other);
  if (FirstRoundsFree)
    Body.push_back(branch(
        binary(number(int64_t(Slots) - 1), Op::Less, variable(Tile)), {Wait}));
  else
    Body.push_back(Wait);
  append(Body, fill(Full, T.Slot, variable(Tile)));
  append(Body, T.Next);
  return {round(Tile, std::move(Body))};
}

Block BulkRolesBuilder::consume() {
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  const Turn T = newTurn(variable(Tile));
  Block Body = {on(Stmt::Kind::WaitPhase, {Full, T.Slot}, T.Parity),
                touch(Stmt::Kind::Read, T.Slot, anyReader())};
  if (R.percent(30))
    Body.push_back(touch(Stmt::Kind::Read, T.Slot, anyReader()));
  const Stmt Arrive = on(Stmt::Kind::Arrive, {Empty, T.Slot});
  switch (Releases) {
  case Release::EachThread:
    Body.push_back(Arrive);
    break;
  case Release::EachWarp:
    if (R.percent(70))
      Body.push_back(simple(Stmt::Kind::WarpBarrier));
    Body.push_back(branch(isLane(0), {Arrive}));
    break;
  case Release::OneOfAll: {
    Stmt Meet = simple(Stmt::Kind::NamedBarrier);
    Meet.N = 1;
    Meet.Threads = Consumers;
    Body.push_back(Meet);
    const int64_t Last = K.Threads - 1; // of a warp that reads
    Body.push_back(
        branch(binary(thread(), Op::Equal, Elected ? 0 : Last), {Arrive}));
    break;
  }
  }
  append(Body, T.Next);
  return {round(Tile, std::move(Body))};
}

Kernel BulkRolesBuilder::build() {
  addRing(/*MaxSlots=*/4);
  Consumers = K.Threads - WarpSize;
  Full = addMbarriers();
  Empty = addMbarriers();
  Releases =
      R.oneOf({Release::EachThread, Release::EachWarp, Release::OneOfAll});
  FirstRoundsFree = R.percent(25);
  initialise(Full, 1);
  initialise(Empty, Releases == Release::EachThread ? Consumers
                    : Releases == Release::EachWarp ? Consumers / WarpSize
                                                    : 1);
  endInitialisation();
  ExprRef Loads = binary(binary(thread(), Op::Div, WarpSize), Op::Equal,
                         Elected / WarpSize);
  Block Producer = produce();
  if (R.percent(60))
    K.Body.push_back(
        branch(Loads, {branch(isLane(0), std::move(Producer))}, consume()));
  else if (R.percent(80))
    K.Body.push_back(branch(binary(Loads, Op::Equal, 0), consume(),
                            {byElected(std::move(Producer))}));
  else {
    K.Body.push_back(byElected(std::move(Producer)));
    K.Body.push_back(branch(binary(Loads, Op::Equal, 0), consume()));
  }
  return std::move(K);
}

Kernel oracle::bulkRoles(Random &R) { return BulkRolesBuilder(R).build(); }
