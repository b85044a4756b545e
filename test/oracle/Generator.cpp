//===- Generator.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include <algorithm>

using namespace oracle;
using Op = Expr::Op;

namespace {

/// What the families share.
class Builder {
public:
  Builder(Random &R, const char *Family) : R(R) {
    K.Family = Family;
    K.Threads = R.percent(80) ? 64 : 128;
    K.Spelled = R.oneOf({Kernel::Spelling::Ptx, Kernel::Spelling::PtxOfWrappers,
                         Kernel::Spelling::Pipeline});
  }

protected:
  static Stmt simple(Stmt::Kind Kind) {
    Stmt S;
    S.K = Kind;
    return S;
  }
  static Stmt commit() { return simple(Stmt::Kind::Commit); }
  static Stmt barrier() { return simple(Stmt::Kind::Barrier); }
  static Stmt wait(int64_t N) {
    Stmt S = simple(Stmt::Kind::Wait);
    S.N = std::max<int64_t>(0, N);
    return S;
  }
  static Stmt assign(unsigned Variable, ExprRef Value) {
    Stmt S = simple(Stmt::Kind::Assign);
    S.Variable = Variable;
    S.Value = std::move(Value);
    return S;
  }
  static Stmt branch(ExprRef If, Block Then, Block Else = {}) {
    Stmt S = simple(Stmt::Kind::If);
    S.Value = std::move(If);
    S.Body = std::move(Then);
    S.Else = std::move(Else);
    return S;
  }
  static Stmt loop(unsigned Variable, ExprRef From, ExprRef Bound, Block Body) {
    Stmt S = simple(Stmt::Kind::For);
    S.Variable = Variable;
    S.Value = std::move(From);
    S.Bound = std::move(Bound);
    S.Body = std::move(Body);
    return S;
  }
  unsigned newVariable(bool IsLoop) {
    K.IsLoopVariable.push_back(IsLoop);
    return K.IsLoopVariable.size() - 1;
  }
  unsigned newParameter(int64_t Limit) {
    K.ParameterLimit.push_back(Limit);
    return K.ParameterLimit.size() - 1;
  }
  /// For one access of \p Bytes by every thread to each slot.
  unsigned newArray(unsigned Bytes, unsigned Slots) {
    Array A;
    A.ElementBytes = R.percent(80) ? Bytes : 4;
    A.Slots = Slots;
    A.Width = K.Threads * Bytes / A.ElementBytes;
    K.Arrays.push_back(A);
    return K.Arrays.size() - 1;
  }
  /// The access of the thread \p Who.
  Place place(unsigned Array, unsigned Bytes, ExprRef Slot, ExprRef Who) {
    const unsigned Scale = Bytes / K.Arrays[Array].ElementBytes;
    return {Array, std::move(Slot),
            Scale == 1 ? Who : binary(Who, Op::Mul, Scale), Bytes};
  }
  static Stmt access(Stmt::Kind Kind, Place P) {
    Stmt S = simple(Kind);
    S.At = std::move(P);
    return S;
  }
  /// The element of thread \p Who in tile number \p Tile of the input.
  Stmt copy(Place To, const ExprRef &Tile, ExprRef Who) const {
    Stmt S = access(Stmt::Kind::Copy, std::move(To));
    S.Source =
        binary(binary(Tile, Op::Mul, K.Threads), Op::Add, std::move(Who));
    return S;
  }

  /// Whose element a thread reads.
  enum class Reader { Own, Pair, OtherWarp, Next, Reversed };
  Reader anyReader() {
    return R.percent(45) ? Reader::Own
                         : R.oneOf({Reader::Pair, Reader::OtherWarp,
                                    Reader::Next, Reader::Reversed});
  }
  ExprRef whose(Reader Who) const {
    switch (Who) {
    case Reader::Own:
      return thread();
    case Reader::Pair:
      return binary(thread(), Op::Xor, 1);
    case Reader::OtherWarp:
      return binary(thread(), Op::Xor, 32);
    case Reader::Next:
      return binary(binary(thread(), Op::Add, 1), Op::Rem, K.Threads);
    case Reader::Reversed:
      return binary(number(K.Threads - 1), Op::Sub, thread());
    }
  }

  Random &R;
  Kernel K;
};

//===----------------------------------------------------------------------===//
// Rings: a prologue, a loop that reads one slot and fills another, an epilogue
//===----------------------------------------------------------------------===//

class RingBuilder : Builder {
public:
  explicit RingBuilder(Random &R) : Builder(R, "ring") {}
  Kernel build();

private:
  enum class Order { WaitFirst, FetchFirst, FetchLast };
  enum class SlotStyle { Remainder, Mask, Wrap, WrapSelect, Toggle };

  ExprRef slotOf(ExprRef Tile) const {
    if (Slots == 1)
      return number(0);
    return Style == SlotStyle::Mask ? binary(Tile, Op::And, Slots - 1)
                                    : binary(Tile, Op::Rem, Slots);
  }
  void chooseSlots();
  Block fetch(ExprRef Slot, ExprRef From, ExprRef Guard);
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
  Slots = R.between(1, 4);
  Ahead = Slots == 1 ? R.between(0, 1) : Slots - 1;
  if (R.percent(15))
    Ahead = R.between(0, Slots);
  Style = R.oneOf({SlotStyle::Remainder, SlotStyle::Wrap, SlotStyle::Remainder,
                   SlotStyle::WrapSelect});
  if ((Slots == 2 || Slots == 4) && R.percent(30))
    Style = SlotStyle::Mask;
  if (Slots == 2 && Ahead == 1 && R.percent(50))
    Style = SlotStyle::Toggle;
}

// The copies of the tile From; the commit in or after the guard.
Block RingBuilder::fetch(ExprRef Slot, ExprRef From, ExprRef Guard) {
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
  const bool Shared = std::any_of(Readers.begin(), Readers.end(),
                                  [](Reader W) { return W != Reader::Own; });
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

//===----------------------------------------------------------------------===//
// Soup: operations in any order, under branches and loops
//===----------------------------------------------------------------------===//

namespace {

class SoupBuilder : Builder {
public:
  SoupBuilder(Random &R, bool Straight)
      : Builder(R, Straight ? "straight" : "soup"), Straight(Straight) {}
  Kernel build();

private:
  Block block(unsigned Length, unsigned Depth, bool Uniform);
  Stmt any(unsigned Depth, bool Uniform);
  Place anyPlace(Reader Who);
  Stmt copyAny();
  ExprRef condition(bool &Uniform);

  bool Straight;
  std::vector<unsigned> Sizes; ///< by array
  std::vector<unsigned> Loops; ///< variables of the loops around
};

} // namespace

Place SoupBuilder::anyPlace(Reader Who) {
  const unsigned A = R.between(0, Sizes.size() - 1);
  const unsigned Slots = K.Arrays[A].Slots;
  ExprRef Slot = number(R.between(0, Slots - 1));
  if (!Loops.empty() && Slots > 1 && R.percent(70)) {
    ExprRef V = variable(Loops[R.between(0, Loops.size() - 1)]);
    if (R.percent(40))
      V = binary(V, Op::Add, R.between(1, Slots));
    Slot = binary(V, Op::Rem, Slots);
  }
  return place(A, Sizes[A], Slot, whose(Who));
}

// The tile of a loop, or one of two.
Stmt SoupBuilder::copyAny() {
  ExprRef From = number(R.between(0, 1));
  if (!Loops.empty() && R.percent(80))
    From = variable(Loops[R.between(0, Loops.size() - 1)]);
  const Reader Who = R.percent(90) ? Reader::Own : anyReader();
  return copy(anyPlace(Who), From, R.percent(70) ? whose(Who) : thread());
}

// Warps, lanes, parameters, loop counters.
ExprRef SoupBuilder::condition(bool &Uniform) {
  if (!Loops.empty() && R.percent(30)) {
    ExprRef V = variable(Loops[R.between(0, Loops.size() - 1)]);
    switch (R.between(0, 2)) {
    case 0:
      return binary(V, Op::Less, R.between(1, 3));
    case 1:
      return binary(number(R.between(0, 2)), Op::Less, V);
    default:
      return binary(binary(V, Op::Rem, 2), Op::Equal, R.between(0, 1));
    }
  }
  if (R.percent(50)) {
    if (K.ParameterLimit.empty() ||
        (K.ParameterLimit.size() < 2 && R.percent(40)))
      newParameter(3);
    ExprRef P = parameter(R.between(0, K.ParameterLimit.size() - 1));
    return binary(P, R.oneOf({Op::Less, Op::Equal}), R.between(1, 2));
  }
  Uniform = false;
  switch (R.between(0, 4)) {
  case 0:
    return binary(thread(), Op::Less, R.oneOf({32, 32, 40, 1, 50}));
  case 1:
    return binary(binary(thread(), Op::Div, WarpSize), Op::Equal,
                  R.between(0, 1));
  case 2:
    return binary(binary(thread(), Op::Rem, R.oneOf({2, 32, 4})), Op::Equal, 0);
  case 3:
    return binary(thread(), Op::And, R.oneOf({1, 32}));
  default:
    return binary(number(R.oneOf({31, 15, 47})), Op::Less, thread());
  }
}

Stmt SoupBuilder::any(unsigned Depth, bool Uniform) {
  if (!Straight && Depth < 3 && R.percent(22)) {
    bool Same = true;
    ExprRef If = condition(Same);
    Block Then = block(R.between(1, 3), Depth + 1, Uniform && Same), Else;
    if (R.percent(40))
      Else = block(R.between(1, 3), Depth + 1, Uniform && Same);
    return branch(std::move(If), std::move(Then), std::move(Else));
  }
  if (!Straight && Loops.size() < 2 && R.percent(10)) {
    ExprRef Bound = number(R.between(1, 4));
    if (R.percent(60)) {
      if (K.ParameterLimit.size() < 2)
        newParameter(4);
      const unsigned P = R.between(0, K.ParameterLimit.size() - 1);
      K.ParameterLimit[P] = std::max<int64_t>(K.ParameterLimit[P], 5);
      Bound = parameter(P);
    }
    const unsigned V = newVariable(/*IsLoop=*/true);
    Loops.push_back(V);
    Block Body = block(R.between(2, 6), Depth + 1, Uniform);
    Loops.pop_back();
    return loop(V, number(0), std::move(Bound), std::move(Body));
  }
  const int64_t Dice = R.between(0, 99);
  if (Dice < 26)
    return copyAny();
  if (Dice < 46)
    return commit();
  if (Dice < 60)
    return R.percent(10) ? simple(Stmt::Kind::WaitAll)
                         : wait(R.percent(50) ? 0 : R.between(0, 3));
  if (Dice < 72 && Uniform)
    return barrier();
  if (Dice < 76 && Uniform)
    return simple(Stmt::Kind::WarpBarrier);
  if (Dice < 82)
    return access(Stmt::Kind::Store, anyPlace(anyReader()));
  return access(Stmt::Kind::Read, anyPlace(anyReader()));
}

Block SoupBuilder::block(unsigned Length, unsigned Depth, bool Uniform) {
  Block B;
  for (unsigned I = 0; I < Length; ++I) {
    B.push_back(any(Depth, Uniform));
    if (B.back().K == Stmt::Kind::Copy && R.percent(60))
      B.push_back(commit());
    if (B.back().K == Stmt::Kind::Wait && Uniform && R.percent(50))
      B.push_back(barrier());
  }
  return B;
}

Kernel SoupBuilder::build() {
  for (int64_t I = R.between(1, 2); I > 0; --I) {
    Sizes.push_back(R.oneOf({4U, 8U, 16U}));
    newArray(Sizes.back(), R.between(1, 3));
  }
  K.Body = block(R.between(4, 10), 0, /*Uniform=*/true);
  // Something to lose.
  K.Body.push_back(access(Stmt::Kind::Read, anyPlace(anyReader())));
  return std::move(K);
}

//===----------------------------------------------------------------------===//
// Roles: some warps copy for all
//===----------------------------------------------------------------------===//

namespace {

class RolesBuilder : Builder {
public:
  explicit RolesBuilder(Random &R) : Builder(R, "roles") {}
  Kernel build();

private:
  Block fetch(const ExprRef &Slot, const ExprRef &From);

  unsigned Producers = 32, Bytes = 16, Ring = 0;
};

} // namespace

// Each producer copies for several threads.
Block RolesBuilder::fetch(const ExprRef &Slot, const ExprRef &From) {
  Block B;
  for (unsigned First = 0; First < K.Threads; First += Producers) {
    ExprRef Who = First ? binary(thread(), Op::Add, First) : thread();
    B.push_back(copy(place(Ring, Bytes, Slot, Who), From, Who));
  }
  return B;
}

Kernel RolesBuilder::build() {
  Producers = R.percent(70) ? 32 : K.Threads / 2;
  Bytes = R.oneOf({4U, 8U, 16U});
  const unsigned Slots = R.between(1, 3);
  Ring = newArray(Bytes, Slots);
  ExprRef Producer = binary(thread(), Op::Less, Producers);
  ExprRef Tiles = R.percent(60) ? parameter(newParameter(2 * Slots + 2))
                                : number(R.between(1, 5));
  const unsigned Tile = newVariable(/*IsLoop=*/true);
  ExprRef Slot =
      Slots == 1 ? number(0) : binary(variable(Tile), Op::Rem, Slots);

  Block Role = fetch(Slot, variable(Tile)), Outside;
  const bool WaitsInside = R.percent(60);
  if (R.percent(75))
    Role.push_back(commit());
  else
    Outside.push_back(commit());
  (WaitsInside ? Role : Outside).push_back(wait(0));
  Block Body;
  if (R.percent(25)) // the wait is done by those who copied nothing
    Body.push_back(branch(Producer, fetch(Slot, variable(Tile)), {wait(0)}));
  else
    Body.push_back(branch(Producer, std::move(Role)));
  Body.insert(Body.end(), Outside.begin(), Outside.end());
  if (R.percent(90))
    Body.push_back(barrier());
  Stmt Read =
      access(Stmt::Kind::Read, place(Ring, Bytes, Slot, whose(anyReader())));
  if (R.percent(50))
    Body.push_back(Read);
  else
    Body.push_back(
        branch(binary(number(Producers - 1), Op::Less, thread()), {Read}));
  if (R.percent(85))
    Body.push_back(barrier());
  K.Body.push_back(loop(Tile, number(0), Tiles, std::move(Body)));
  return std::move(K);
}

//===----------------------------------------------------------------------===//
// Tails: a tile that only some threads copy, the rest is cleared
//===----------------------------------------------------------------------===//

namespace {

class TailBuilder : Builder {
public:
  explicit TailBuilder(Random &R) : Builder(R, "tail") {}
  Kernel build();
};

} // namespace

Kernel TailBuilder::build() {
  const unsigned Bytes = R.oneOf({4U, 8U, 16U});
  const unsigned Tile = newArray(Bytes, 1);
  auto At = [&](Reader Who) { return place(Tile, Bytes, nullptr, whose(Who)); };
  ExprRef Inside = binary(thread(), Op::Less, R.oneOf({32, 40, 17, 63}));
  const unsigned V = newVariable(/*IsLoop=*/true);
  const bool Loops = R.percent(50);
  Block Copy = {
      copy(At(Reader::Own), Loops ? variable(V) : number(0), thread())};
  Block Clear = {access(Stmt::Kind::Store, At(Reader::Own))};
  Block Body;
  switch (R.between(0, 3)) {
  case 0:
    Body.push_back(branch(Inside, Copy, Clear));
    break;
  case 1: // clears everything first
    Body.push_back(Clear.front());
    if (R.percent(30))
      Body.push_back(barrier());
    Body.push_back(branch(Inside, Copy));
    break;
  case 2: // clears too late
    Body.push_back(Copy.front());
    Body.push_back(branch(Inside, Clear));
    break;
  default:
    Body.push_back(branch(Inside, Copy));
    break;
  }
  if (R.percent(20))
    Body.push_back(branch(Inside, {commit()}));
  else
    Body.push_back(commit());
  Body.push_back(wait(R.percent(85) ? 0 : 1));
  const Reader Who = anyReader();
  if (Who != Reader::Own || R.percent(40))
    Body.push_back(barrier());
  Stmt Read = access(Stmt::Kind::Read, At(Who));
  Body.push_back(R.percent(30) ? branch(Inside, {Read}) : Read);
  if (Loops) {
    if (R.percent(80))
      Body.push_back(barrier());
    ExprRef Bound =
        R.percent(60) ? parameter(newParameter(4)) : number(R.between(1, 3));
    K.Body.push_back(loop(V, number(0), Bound, std::move(Body)));
  } else {
    K.Body = std::move(Body);
  }
  return std::move(K);
}

Kernel oracle::generate(Random &R) {
  const int64_t Dice = R.between(0, 99);
  if (Dice < 40)
    return RingBuilder(R).build();
  if (Dice < 55)
    return SoupBuilder(R, /*Straight=*/true).build();
  if (Dice < 80)
    return SoupBuilder(R, /*Straight=*/false).build();
  if (Dice < 90)
    return RolesBuilder(R).build();
  return TailBuilder(R).build();
}
