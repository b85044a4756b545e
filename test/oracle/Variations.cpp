//===- Variations.cpp - The same kernel with a twist ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace oracle;
using Op = Expr::Op;
using Kind = Stmt::Kind;

namespace {
/// A block, and the loop around it.
struct Part {
  Block *In;
  ExprRef Loop; ///< its variable; null: none
};
} // namespace

static void collect(Block &B, const ExprRef &Loop, std::vector<Part> &Parts) {
  Parts.push_back({&B, Loop});
  for (Stmt &S : B) {
    if (!S.Body.empty())
      collect(S.Body, S.K == Kind::For ? variable(S.Variable) : Loop, Parts);
    if (!S.Else.empty())
      collect(S.Else, Loop, Parts);
  }
}

static std::vector<Part> partsOf(Kernel &K) {
  std::vector<Part> Parts;
  collect(K.Body, nullptr, Parts);
  return Parts;
}

static bool hasBarrier(const Stmt &S) {
  return S.K == Kind::Barrier || S.K == Kind::VoteBarrier ||
         S.K == Kind::NamedBarrier || S.K == Kind::NamedArrive ||
         llvm::any_of(S.Body, hasBarrier) || llvm::any_of(S.Else, hasBarrier);
}

//===----------------------------------------------------------------------===//
// Conditions that nobody can know
//===----------------------------------------------------------------------===//

/// What was loaded.
static ExprRef whatIsLoaded(Random &R, Kernel &K, const ExprRef &Loop,
                            bool ForAll);

/// Threads up to a parameter, or what was loaded.
static ExprRef unknown(Random &R, Kernel &K, const ExprRef &Loop, bool ForAll) {
  if (!ForAll && R.percent(30) && K.ParameterLimit.size() < 2) {
    K.ParameterLimit.push_back(K.Threads / 16);
    ExprRef Index = thread();
    if (Loop && R.percent(50))
      Index = binary(Index, Op::Add, binary(Loop, Op::Mul, 32));
    return binary(Index, Op::Less,
                  binary(parameter(K.ParameterLimit.size() - 1), Op::Mul, 16));
  }
  return whatIsLoaded(R, K, Loop, ForAll);
}

static ExprRef whatIsLoaded(Random &R, Kernel &K, const ExprRef &Loop,
                            bool ForAll) {
  unsigned Which = K.Loads.size();
  for (unsigned I = 0; I < K.Loads.size(); ++I)
    if (!K.Loads[I].EachTile &&
        (K.Loads[I].SameFor == Load::Of::Block) == ForAll)
      Which = I;
  if (Which == K.Loads.size() || (K.Loads.size() < 2 && R.percent(60))) {
    Which = K.Loads.size();
    Load L;
    L.SameFor = ForAll          ? Load::Of::Block
                : R.percent(75) ? Load::Of::Thread
                                : Load::Of::Warp;
    L.EachTile = Loop && R.percent(50);
    K.Loads.push_back(L);
  }
  const Load &L = K.Loads[Which];
  ExprRef Value = L.EachTile ? loaded(Which, Loop, L.who()) : loaded(Which);
  const bool Holds = R.percent(50);
  if (Which % 2)
    return Holds ? binary(number(0), Op::Less, Value)
                 : binary(Value, Op::Less, 1);
  return Holds ? Value : binary(Value, Op::Equal, 0);
}

// Some statements only if it holds.
static void guardSome(Random &R, Kernel &K, const Part &P) {
  Block &B = *P.In;
  if (B.empty())
    return;
  const size_t First = R.between(0, B.size() - 1);
  const size_t Last = std::min<size_t>(B.size(), First + R.between(1, 3));
  const bool ForAll =
      std::any_of(B.begin() + First, B.begin() + Last, hasBarrier);
  Stmt If;
  If.K = Kind::If;
  If.Value = unknown(R, K, P.Loop, ForAll);
  If.Body.assign(B.begin() + First, B.begin() + Last);
  if (R.percent(15))
    If.Else.push_back(B[First]);
  B.erase(B.begin() + First, B.begin() + Last);
  B.insert(B.begin() + First, std::move(If));
}

/// Threads up to a parameter, or from there on.
static ExprRef upToParameter(Random &R, Kernel &K, const ExprRef &Loop) {
  const int64_t Step = R.oneOf({16, 11, 32});
  unsigned P = K.ParameterLimit.size();
  if (P < 2)
    K.ParameterLimit.push_back(K.Threads / Step);
  else
    P = R.between(0, 1);
  ExprRef Index = thread();
  if (Loop && R.percent(30))
    Index = binary(Index, Op::Add, binary(Loop, Op::Mul, 32));
  ExprRef Bound = binary(parameter(P), Op::Mul, Step);
  return R.percent(50) ? binary(Index, Op::Less, Bound)
                       : binary(binary(Bound, Op::Sub, 1), Op::Less, Index);
}

/// Threads that are known: warps, some lanes.
static ExprRef someThreads(Random &R) {
  return R.percent(70)
             ? binary(thread(), Op::Less, R.oneOf({32, 32, 40, 1, 64}))
             : binary(number(R.oneOf({31, 15, 63})), Op::Less, thread());
}

// Some leave the kernel, the loop or the iteration.
static void leaveEarly(Random &R, Kernel &K, const Part &P) {
  Block &B = *P.In;
  Stmt If, Leave;
  Leave.K = !P.Loop ? Kind::Return
                    : R.oneOf({Kind::Return, Kind::Break, Kind::Continue});
  // Those that leave the kernel count at barriers; others have to come, unless
  // a loop is the last thing they do.
  const bool ForAll = Leave.K != Kind::Return && llvm::any_of(B, hasBarrier) &&
                      (Leave.K == Kind::Continue || R.percent(60));
  If.K = Kind::If;
  switch (ForAll ? 0 : R.between(0, 3)) {
  case 0:
  case 1:
    If.Value = whatIsLoaded(R, K, P.Loop, ForAll);
    break;
  case 2:
    If.Value = upToParameter(R, K, P.Loop);
    break;
  default:
    If.Value = someThreads(R);
    break;
  }
  If.Body.push_back(std::move(Leave));
  B.insert(B.begin() + R.between(0, B.size()), std::move(If));
}

static void narrowCondition(Random &R, Kernel &K, const Part &P) {
  for (Stmt &S : *P.In)
    if (S.K == Kind::If && R.percent(50))
      S.Value = binary(S.Value, Op::Both, unknown(R, K, P.Loop, hasBarrier(S)));
}

//===----------------------------------------------------------------------===//
// Copies that fill the rest with zeros, or do nothing
//===----------------------------------------------------------------------===//

static void changeCopies(Random &R, Kernel &K, const Part &P) {
  for (Stmt &S : *P.In) {
    if (S.K != Kind::Copy || !R.percent(60))
      continue;
    ExprRef Holds =
        R.percent(40) ? unknown(R, K, P.Loop, R.percent(30))
        : R.percent(50)
            ? binary(thread(), Op::Less, R.oneOf({32, 40, 7}))
            : binary(number(1), Op::Less, P.Loop ? P.Loop : thread());
    switch (R.between(0, 3)) {
    case 0:
      S.Ignore = Holds;
      break;
    case 1:
      S.Guard = Holds;
      break;
    case 2:
      S.Size = number(4 * R.between(0, S.At.Bytes / 4));
      break;
    default:
      S.Size = select(Holds, number(S.At.Bytes), number(0));
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Other barriers
//===----------------------------------------------------------------------===//

// Half a block, a warp, or a part of one.
static void narrowBarriers(Random &R, Kernel &K) {
  const bool Halves = K.Threads == 128 && R.percent(50);
  const unsigned Lanes = R.oneOf({0U, 0U, 16U, 8U});
  const bool All = R.percent(70);
  for (const Part &P : partsOf(K))
    for (Stmt &S : *P.In) {
      if (S.K != Kind::Barrier || !(All || R.percent(50)))
        continue;
      S.K = Halves ? Kind::NamedBarrier : Kind::WarpBarrier;
      S.Threads = Halves ? K.Threads / 2 : Lanes;
      S.N = Halves ? 3 : 0;
      if (Halves)
        S.Value = binary(thread(), Op::Div, K.Threads / 2);
    }
}

static void nameBarriers(Random &R, Kernel &K) {
  for (const Part &P : partsOf(K))
    for (Stmt &S : *P.In)
      if (S.K == Kind::Barrier && R.percent(70)) {
        S.K = Kind::NamedBarrier;
        S.N = R.between(1, 2);
        S.Threads = K.Threads;
      }
}

// The barrier says something about all threads, and some listen.
static void vote(Random &R, Kernel &K) {
  for (const Part &P : partsOf(K))
    for (size_t I = 0; I < P.In->size(); ++I) {
      Stmt &S = (*P.In)[I];
      if (S.K != Kind::Barrier || !R.percent(50))
        continue;
      S.K = Kind::VoteBarrier;
      S.N = R.between(0, 2);
      S.Variable = K.IsLoopVariable.size();
      K.IsLoopVariable.push_back(false);
      switch (R.between(0, 2)) {
      case 0:
        if (K.ParameterLimit.empty())
          K.ParameterLimit.push_back(3);
        S.Value = binary(parameter(0), Op::Less, R.between(0, 2));
        break;
      case 1:
        S.Value = binary(thread(), Op::Less, R.oneOf({0, 32, 40, 128}));
        break;
      default:
        S.Value = unknown(R, K, nullptr, R.percent(50));
        break;
      }
      const size_t Next = I + 1;
      if (Next == P.In->size() || !R.percent(60))
        continue;
      Stmt If;
      If.K = Kind::If;
      If.Value = binary(number(0), Op::Less, variable(S.Variable));
      If.Body.push_back((*P.In)[Next]);
      (*P.In)[Next] = std::move(If);
    }
}

void oracle::vary(Random &R, Kernel &K) {
  if (R.percent(20))
    narrowBarriers(R, K);
  if (R.percent(10))
    nameBarriers(R, K);
  if (R.percent(20))
    vote(R, K);
  for (int64_t Times = R.oneOf({0, 1, 1, 1, 2}); Times > 0; --Times) {
    std::vector<Part> Parts = partsOf(K);
    const Part &P = Parts[R.between(0, Parts.size() - 1)];
    switch (R.between(0, 4)) {
    case 0:
    case 1:
      leaveEarly(R, K, P);
      break;
    case 2:
      narrowCondition(R, K, P);
      break;
    default:
      guardSome(R, K, P);
      break;
    }
  }
  if (R.percent(35))
    for (const Part &P : partsOf(K))
      changeCopies(R, K, P);
}
