//===- Named.cpp - Warps that copy for others -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each slot has a barrier that says it is full and one that says it is empty.
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

using namespace oracle;
using Op = Expr::Op;

namespace {

class HandoverBuilder : Builder {
public:
  explicit HandoverBuilder(Random &R) : Builder(R, "handover") {}
  Kernel build();

private:
  Stmt meet(unsigned First, const ExprRef &Slot, bool Waits) const;
  Block produce(const ExprRef &Tile);
  Block consume(const ExprRef &Tile);
  ExprRef slotOf(const ExprRef &Tile) const {
    return Slots == 1 ? number(0) : binary(Tile, Op::Rem, Slots);
  }

  unsigned Slots = 1, Producers = 32, Bytes = 16, Ring = 0;
  int64_t Left = 0;
  bool ProducersWait = false, ConsumersWait = false; ///< where they need not
  bool HasEmpty = true, OneBarrier = false;
  Reader Who = Reader::Own;
};

} // namespace

// Barrier 0 belongs to __syncthreads.
Stmt HandoverBuilder::meet(unsigned First, const ExprRef &Slot,
                           bool Waits) const {
  Stmt S = simple(Waits ? Stmt::Kind::NamedBarrier : Stmt::Kind::NamedArrive);
  S.N = 1 + First;
  S.Threads = K.Threads;
  if (Slots > 1 && !OneBarrier)
    S.Value = Slot;
  return S;
}

Block HandoverBuilder::produce(const ExprRef &Tile) {
  Block B;
  if (HasEmpty)
    B.push_back(meet(Slots, slotOf(Tile), /*Waits=*/true));
  for (unsigned First = 0; First < K.Threads; First += Producers) {
    ExprRef By = First ? binary(thread(), Op::Add, First) : thread();
    B.push_back(copy(place(Ring, Bytes, slotOf(Tile), By), Tile, By));
  }
  B.push_back(commit());
  if (R.percent(92))
    B.push_back(wait(Left));
  B.push_back(meet(0, slotOf(Tile), ProducersWait));
  return B;
}

Block HandoverBuilder::consume(const ExprRef &Tile) {
  Block B = {
      meet(0, slotOf(Tile), /*Waits=*/true),
      access(Stmt::Kind::Read, place(Ring, Bytes, slotOf(Tile), whose(Who)))};
  if (HasEmpty)
    B.push_back(meet(Slots, slotOf(Tile), ConsumersWait));
  if (R.percent(10))
    std::swap(B[0], B[1]);
  return B;
}

Kernel HandoverBuilder::build() {
  Slots = R.between(1, 3);
  Producers = R.percent(70) ? 32 : K.Threads / 2;
  Bytes = R.oneOf({4U, 8U, 16U});
  Ring = newArray(Bytes, Slots);
  Left = R.percent(85) ? 0 : 1;
  HasEmpty = R.percent(85);
  OneBarrier = Slots == 1 || R.percent(20);
  Who = anyReader();
  const bool Together = R.percent(25); // everybody waits everywhere
  ProducersWait = Together || R.percent(20);
  ConsumersWait = Together;
  ExprRef IsProducer = binary(thread(), Op::Less, Producers);
  ExprRef Tiles = R.percent(60) ? parameter(newParameter(2 * Slots + 2))
                                : number(R.between(1, 5));
  // All slots are empty when it begins.
  if (HasEmpty && !ConsumersWait && R.percent(95)) {
    Block Empty;
    for (unsigned S = 0; S < (OneBarrier ? 1 : Slots); ++S)
      Empty.push_back(meet(Slots, number(S), /*Waits=*/false));
    K.Body.push_back(branch(IsProducer, {}, std::move(Empty)));
  }
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  Block Copies, Reads;
  if (ConsumersWait) { // for the slot to be filled next, after it was read
    HasEmpty = false;
    Copies = produce(variable(Tile));
    Reads = consume(variable(Tile));
    Copies.push_back(meet(Slots, slotOf(variable(Tile)), /*Waits=*/true));
    Reads.push_back(meet(Slots, slotOf(variable(Tile)), /*Waits=*/true));
  } else {
    Copies = produce(variable(Tile));
    Reads = consume(variable(Tile));
  }
  auto Loop = [&](Block Body) {
    return loop(Tile, number(0), Tiles, std::move(Body));
  };
  if (R.percent(50))
    K.Body.push_back(branch(IsProducer, {Loop(std::move(Copies))},
                            {Loop(std::move(Reads))}));
  else
    K.Body.push_back(
        Loop({branch(IsProducer, std::move(Copies), std::move(Reads))}));
  return std::move(K);
}

Kernel oracle::handover(Random &R) { return HandoverBuilder(R).build(); }
