//===- Generator.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

using namespace oracle;
using Op = Expr::Op;

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

static Kernel generateAny(Random &R) {
  const int64_t Dice = R.between(0, 99);
  if (Dice < 38)
    return ring(R);
  if (Dice < 50)
    return SoupBuilder(R, /*Straight=*/true).build();
  if (Dice < 72)
    return SoupBuilder(R, /*Straight=*/false).build();
  if (Dice < 81)
    return RolesBuilder(R).build();
  if (Dice < 90)
    return handover(R);
  return TailBuilder(R).build();
}

Kernel oracle::generate(Random &R) {
  Kernel K = generateAny(R);
  if (R.percent(50))
    vary(R, K);
  return K;
}
