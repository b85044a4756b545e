//===- Mutator.cpp - Break a kernel in one place --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "Spots.h"
#include <algorithm>

using namespace oracle;
using Op = Expr::Op;

static bool isBarrier(const Stmt &S) {
  return S.K == Stmt::Kind::Barrier || S.K == Stmt::Kind::VoteBarrier ||
         S.K == Stmt::Kind::WarpBarrier || S.K == Stmt::Kind::NamedBarrier ||
         S.K == Stmt::Kind::NamedArrive;
}

static bool isSync(const Stmt &S) {
  return S.K == Stmt::Kind::Commit || S.K == Stmt::Kind::Wait ||
         S.K == Stmt::Kind::WaitAll || isBarrier(S);
}

static bool isAccess(const Stmt &S) {
  return S.K == Stmt::Kind::Copy || S.K == Stmt::Kind::Read ||
         S.K == Stmt::Kind::Store;
}

static void guard(Random &R, Kernel &K, Spot S) {
  Stmt If;
  If.K = Stmt::Kind::If;
  switch (R.between(0, 3)) {
  case 0:
    If.Value = binary(thread(), Op::Less, 32);
    break;
  case 1:
    If.Value = binary(binary(thread(), Op::Rem, 2), Op::Equal, 0);
    break;
  case 2:
    If.Value = binary(binary(thread(), Op::Div, WarpSize), Op::Equal, 1);
    break;
  default:
    if (K.ParameterLimit.empty())
      K.ParameterLimit.push_back(3);
    If.Value = binary(number(R.between(0, 2)), Op::Less,
                      parameter(R.between(0, K.ParameterLimit.size() - 1)));
    break;
  }
  If.Body.push_back(std::move(S.stmt()));
  S.stmt() = std::move(If);
}

static bool mutateAt(Random &R, Kernel &K, Spot S) {
  Stmt &X = S.stmt();
  switch (R.between(0, 6)) {
  case 0: // drop it
    if (!isSync(X))
      return false;
    S.In->erase(S.In->begin() + S.I);
    return true;
  case 1: // a wait that leaves one more or one less
    if (X.K != Stmt::Kind::Wait)
      return false;
    X.N = std::max<int64_t>(0, X.N + (R.percent(70) ? 1 : -1));
    return true;
  case 2: // too early or too late
    if (!isSync(X) && X.K != Stmt::Kind::Copy && X.K != Stmt::Kind::If)
      return false;
    if (S.In->size() < 2)
      return false;
    if (S.I + 1 < S.In->size() && R.percent(50))
      std::swap(X, (*S.In)[S.I + 1]);
    else if (S.I > 0)
      std::swap(X, (*S.In)[S.I - 1]);
    return true;
  case 3: // under a condition
    if (isBarrier(X) || X.K == Stmt::Kind::Assign || X.K == Stmt::Kind::For)
      return false;
    guard(R, K, S);
    return true;
  case 4: { // another slot
    if (!isAccess(X) || !X.At.Slot || K.Arrays[X.At.Array].Slots < 2)
      return false;
    X.At.Slot = binary(binary(X.At.Slot, Op::Add, 1), Op::Rem,
                       K.Arrays[X.At.Array].Slots);
    return true;
  }
  case 5: // without its condition
    if (X.K != Stmt::Kind::If || X.Body.empty())
      return false;
    {
      Block Body = std::move(X.Body);
      S.In->erase(S.In->begin() + S.I);
      S.In->insert(S.In->begin() + S.I, Body.begin(), Body.end());
    }
    return true;
  default: // once more
    if (!isSync(X))
      return false;
    S.In->insert(S.In->begin() + S.I, Stmt(X));
    return true;
  }
}

void oracle::mutate(Random &R, Kernel &K) {
  for (unsigned Tries = 0; Tries < 50; ++Tries) {
    std::vector<Spot> Spots;
    collect(K.Body, Spots);
    if (Spots.empty() || mutateAt(R, K, Spots[R.between(0, Spots.size() - 1)]))
      return;
  }
}
