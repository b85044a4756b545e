//===- PhaseMistakes.cpp - What people get wrong about phases -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "Spots.h"

using namespace oracle;
using Op = Expr::Op;
using Kind = Stmt::Kind;

static bool isSync(const Stmt &S) {
  return (S.K >= Kind::Barrier && S.K <= Kind::BulkWait) || S.K == Kind::Init;
}

static bool isOnPhase(const Stmt &S) {
  return (S.K >= Kind::Arrive && S.K <= Kind::WaitPhase) ||
         S.K == Kind::BulkLoad;
}

// Of the one behind, or of the one before.
static bool otherSlot(Random &R, const Kernel &K, Stmt &S) {
  auto Move = [&](ExprRef &Slot, unsigned Slots) {
    if (!Slot || Slots < 2)
      return false;
    Slot = binary(binary(Slot, Op::Add, R.oneOf({1, int(Slots) - 1})), Op::Rem,
                  Slots);
    return true;
  };
  if (isOnPhase(S) && R.percent(60))
    return Move(S.On.Slot, K.Mbarriers[S.On.Array]);
  if (S.K == Kind::BulkLoad || S.K == Kind::BulkStore || S.K == Kind::Read ||
      S.K == Kind::Store)
    return Move(S.At.Slot, K.Arrays[S.At.Array].Slots);
  return false;
}

// Bytes, parities, counts.
static bool otherNumber(Random &R, Stmt &S) {
  switch (S.K) {
  case Kind::ArriveWith:
  case Kind::Announce:
    S.Value = binary(S.Value, R.oneOf({Op::Add, Op::Sub}),
                     R.oneOf<int64_t>({16, S.Value->Value / 2}));
    return true;
  case Kind::WaitPhase:
    S.Value = R.percent(70) ? binary(S.Value, Op::Xor, 1) : number(0);
    return true;
  case Kind::Init:
    S.Value = R.percent(50) ? binary(S.Value, Op::Add, 1)
                            : number(R.oneOf({1, 2, 32, 64}));
    return true;
  case Kind::BulkWait:
    S.N += 1;
    return true;
  case Kind::BulkLoad:
    if (S.At.Bytes < 32)
      return false;
    S.At.Bytes -= R.percent(50) ? 16 : S.At.Bytes / 2 / 16 * 16;
    return true;
  default:
    return false;
  }
}

// The parity of a ring as if it had one slot.
static bool eachRound(Stmt &S) {
  if (S.K != Kind::WaitPhase || S.Value->K != Expr::Kind::Binary)
    return false;
  ExprRef Round = S.Value->Left;
  const bool IsOther = S.Value->O == Op::Xor;
  if (IsOther)
    Round = Round->Left;
  if (!Round || Round->K != Expr::Kind::Binary || Round->O != Op::Div)
    return false;
  S.Value = binary(Round->Left, Op::And, 1);
  if (IsOther)
    S.Value = binary(S.Value, Op::Xor, 1);
  return true;
}

static bool mistakeAt(Random &R, const Kernel &K, const Spot &S) {
  Stmt &X = S.stmt();
  switch (R.between(0, 8)) {
  case 0:
  case 1:
    return otherNumber(R, X);
  case 2:
    return otherSlot(R, K, X);
  case 3: // forgotten
    if (!isSync(X))
      return false;
    S.erase();
    return true;
  case 4: // too early or too late
    if (S.I + 1 == S.In->size() || X.K == Kind::For)
      return false;
    std::swap(X, (*S.In)[S.I + 1]);
    return true;
  case 5: // by all
    if (X.K != Kind::If || X.Body.empty() || !X.Else.empty())
      return false;
    {
      const Block Body = std::move(X.Body);
      S.erase();
      S.insert(Body);
    }
    return true;
  case 6: // by some
    if (!isSync(X) || X.K <= Kind::NamedArrive)
      return false;
    {
      Stmt If;
      If.K = Kind::If;
      If.Value = R.percent(50)
                     ? binary(thread(), Op::Less, 32)
                     : binary(binary(thread(), Op::Rem, 32), Op::Equal, 0);
      If.Body.push_back(std::move(X));
      X = std::move(If);
    }
    return true;
  case 7: // without its bytes
    if (X.K != Kind::ArriveWith)
      return eachRound(X);
    X.K = Kind::Arrive;
    X.Value = nullptr;
    return true;
  default: // once more
    if (!isSync(X) || X.K == Kind::Init)
      return false;
    S.insert({Stmt(X)});
    return true;
  }
}

void oracle::makeMistake(Random &R, Kernel &K) {
  for (unsigned Tries = 0; Tries < 100; ++Tries) {
    std::vector<Spot> Spots;
    collect(K.Body, Spots);
    if (Spots.empty() || mistakeAt(R, K, Spots[R.between(0, Spots.size() - 1)]))
      return;
  }
}
