//===- Rings.cpp - Pipelines over a ring of slots -------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "llvm/ADT/STLExtras.h"

using namespace oracle;
using Op = Expr::Op;

namespace {

class RingBuilder : Builder {
public:
  explicit RingBuilder(Random &R) : Builder(R, "ring") {}
  Kernel build();

private:
  enum class Order { WaitFirst, FetchFirst, FetchLast };
  enum class SlotStyle { Remainder, Mask, Wrap, WrapSelect, Toggle };

  ExprRef slotOf(const ExprRef &Tile) const {
    if (Slots == 1)
      return number(0);
    return Style == SlotStyle::Mask ? binary(Tile, Op::And, Slots - 1)
                                    : binary(Tile, Op::Rem, Slots);
  }
  void chooseSlots();
  Block fetch(const ExprRef &Slot, const ExprRef &From, ExprRef Guard);
  Block prologue();
  Block readAll(const ExprRef &Slot);
  void advance(Block &Body, unsigned Variable);
  Block epilogue();

  unsigned Slots = 0, Ahead = 0;
  SlotStyle Style = SlotStyle::Remainder;
  std::vector<unsigned> Arrays, Bytes;
  std::vector<Reader> Readers;
  ExprRef Tiles; ///< how many
  bool Guarded = true, CommitPerArray = false, CommitInGuard = false;
};

} // namespace

void RingBuilder::chooseSlots() {
  Slots = R.between(1, 5);
  Ahead = Slots == 1 ? R.between(0, 1) : Slots - 1;
  if (R.percent(15))
    Ahead = R.between(0, Slots);
  else if (R.percent(5))
    Ahead = Slots + 1;
  Style = R.oneOf({SlotStyle::Remainder, SlotStyle::Wrap, SlotStyle::Remainder,
                   SlotStyle::WrapSelect});
  if ((Slots == 2 || Slots == 4) && R.percent(30))
    Style = SlotStyle::Mask;
  if (Slots == 2 && Ahead == 1 && R.percent(50))
    Style = SlotStyle::Toggle;
}

// The copies of the tile From; the commit in or after the guard.
Block RingBuilder::fetch(const ExprRef &Slot, const ExprRef &From,
                         ExprRef Guard) {
  Block Copies, Commits;
  for (size_t I = 0; I < Arrays.size(); ++I) {
    Copies.push_back(
        copy(place(Arrays[I], Bytes[I], Slot, thread()), From, thread()));
    if (CommitPerArray || I + 1 == Arrays.size())
      (CommitPerArray || (CommitInGuard && Guard) ? Copies : Commits)
          .push_back(commit());
  }
  Block Result;
  if (Guard)
    Result.push_back(branch(std::move(Guard), std::move(Copies)));
  else
    Result = std::move(Copies);
  Result.insert(Result.end(), Commits.begin(), Commits.end());
  return Result;
}

Block RingBuilder::prologue() {
  Block Result;
  if (Ahead > 1 && R.percent(60)) {
    const unsigned S = newVariable(/*IsLoop=*/true);
    ExprRef Guard = Guarded ? binary(variable(S), Op::Less, Tiles) : ExprRef();
    ExprRef Slot = Ahead > Slots ? slotOf(variable(S)) : variable(S);
    Result.push_back(
        loop(S, number(0), number(Ahead), fetch(Slot, variable(S), Guard)));
    return Result;
  }
  for (unsigned S = 0; S < Ahead; ++S) {
    ExprRef Guard = Guarded ? binary(number(S), Op::Less, Tiles) : ExprRef();
    Block One = fetch(number(S % Slots), number(S), Guard);
    Result.insert(Result.end(), One.begin(), One.end());
  }
  return Result;
}

Block RingBuilder::readAll(const ExprRef &Slot) {
  Block Result;
  for (size_t I = 0; I < Arrays.size(); ++I)
    Result.push_back(access(
        Stmt::Kind::Read, place(Arrays[I], Bytes[I], Slot, whose(Readers[I]))));
  return Result;
}

// if (++V == Slots) V = 0; and other spellings.
void RingBuilder::advance(Block &Body, unsigned V) {
  ExprRef Plus = binary(variable(V), Op::Add, 1);
  if (Style == SlotStyle::Toggle) {
    Body.push_back(assign(V, binary(variable(V), Op::Xor, 1)));
  } else if (Style == SlotStyle::WrapSelect) {
    Body.push_back(
        assign(V, select(binary(Plus, Op::Equal, Slots), number(0), Plus)));
  } else {
    Body.push_back(assign(V, Plus));
    Body.push_back(
        branch(binary(variable(V), Op::Equal, Slots), {assign(V, number(0))}));
  }
}

// After the loop: drain and use the ring's memory for something else, or not.
Block RingBuilder::epilogue() {
  Block Result;
  if (R.percent(50))
    return Result;
  if (R.percent(70))
    Result.push_back(R.percent(50) ? simple(Stmt::Kind::WaitAll) : wait(0));
  if (R.percent(70))
    Result.push_back(barrier());
  unsigned To = Arrays.front(), Size = Bytes.front();
  ExprRef Slot = number(R.between(0, Slots - 1));
  if (R.percent(40)) { // staging on top of the ring
    Array Staging;
    Staging.ElementBytes = 4;
    Staging.Width = K.Threads;
    Staging.InPool = true;
    unsigned Offset = 0;
    for (unsigned A : Arrays) {
      K.Arrays[A].InPool = true;
      K.Arrays[A].PoolOffset = Offset;
      Offset += K.Arrays[A].bytes();
    }
    const int64_t Last = (Offset - Staging.bytes()) / 16;
    Staging.PoolOffset = 16 * R.between(0, Last);
    K.Arrays.push_back(Staging);
    To = K.Arrays.size() - 1;
    Size = 4;
    Slot = nullptr;
  }
  if (R.percent(75)) {
    Result.push_back(
        access(Stmt::Kind::Store, place(To, Size, Slot, thread())));
    if (R.percent(75))
      Result.push_back(barrier());
  }
  Result.push_back(
      access(Stmt::Kind::Read, place(To, Size, Slot, whose(anyReader()))));
  return Result;
}

Kernel RingBuilder::build() {
  chooseSlots();
  const unsigned Count = R.percent(75) ? 1 : 2;
  for (unsigned I = 0; I < Count; ++I) {
    Bytes.push_back(R.oneOf({4U, 8U, 16U, 16U}));
    Arrays.push_back(newArray(Bytes[I], Slots));
    Readers.push_back(anyReader());
  }
  const bool Shared =
      llvm::any_of(Readers, [](Reader W) { return W != Reader::Own; });
  if (R.percent(75))
    Tiles = parameter(newParameter(2 * Slots + 3));
  else
    Tiles = number(R.between(1, 8));
  Guarded = R.percent(80);
  CommitPerArray = Count > 1 && R.percent(40);
  CommitInGuard = R.percent(12);

  const Order O =
      R.oneOf({Order::WaitFirst, Order::FetchFirst, Order::FetchLast});
  Block Before = prologue();
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  ExprRef Next =
      Ahead ? binary(variable(Tile), Op::Add, Ahead) : variable(Tile);
  ExprRef ReadSlot = slotOf(variable(Tile)), WriteSlot = slotOf(Next);
  std::vector<unsigned> Counters;
  if (Slots > 1 && Style == SlotStyle::Toggle) {
    Counters = {newVariable(false)};
    ReadSlot = variable(Counters[0]);
    WriteSlot = binary(variable(Counters[0]), Op::Xor, 1);
  } else if (Slots > 1 &&
             (Style == SlotStyle::Wrap || Style == SlotStyle::WrapSelect)) {
    Counters = {newVariable(false), newVariable(false)};
    ReadSlot = variable(Counters[0]);
    WriteSlot = variable(Counters[1]);
    if (Ahead % Slots)
      Before.push_back(assign(Counters[1], number(Ahead % Slots)));
  }
  ExprRef Guard = Guarded ? binary(Next, Op::Less, Tiles) : ExprRef();
  Block Fetch = fetch(WriteSlot, Next, Guard);
  const int64_t PerTile = CommitPerArray ? Count : 1;
  int64_t Left =
      (O == Order::FetchFirst ? Ahead : int64_t(Ahead) - 1) * PerTile;
  if (R.percent(12))
    Left = R.between(0, 3);
  Block Use;
  if (R.percent(95))
    Use.push_back(wait(Left));
  if (Shared ? R.percent(92) : R.percent(30))
    Use.push_back(barrier());

  Block Body;
  auto Append = [&](const Block &B) {
    Body.insert(Body.end(), B.begin(), B.end());
  };
  const bool EndBarrier = Shared ? R.percent(85) : R.percent(20);
  switch (O) {
  case Order::WaitFirst:
    Append(Use);
    if (R.percent(50)) {
      Append(Fetch);
      Append(readAll(ReadSlot));
    } else {
      Append(readAll(ReadSlot));
      Append(Fetch);
    }
    if (R.percent(20))
      Body.push_back(barrier());
    break;
  case Order::FetchFirst:
    Append(Fetch);
    Append(Use);
    Append(readAll(ReadSlot));
    if (EndBarrier)
      Body.push_back(barrier());
    break;
  case Order::FetchLast:
    Append(Use);
    Append(readAll(ReadSlot));
    if (EndBarrier)
      Body.push_back(barrier());
    Append(Fetch);
    break;
  }
  for (unsigned V : Counters)
    advance(Body, V);
  Before.push_back(loop(Tile, number(0), Tiles, std::move(Body)));
  Block After = epilogue();
  K.Body = std::move(Before);
  K.Body.insert(K.Body.end(), After.begin(), After.end());
  return std::move(K);
}

Kernel oracle::ring(Random &R) { return RingBuilder(R).build(); }
