//===- ValueTest.cpp - The values of a block ------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random expressions, built through ValueContext and evaluated beside it; laws
// that addresses rely on.
//
//===----------------------------------------------------------------------===//

#include "lib/values/Value.h"
#include "lib/values/PathCondition.h"
#include "lib/values/Substitution.h"
#include "gtest/gtest.h"
#include <array>
#include <map>
#include <random>

using namespace cpasync;

namespace {

constexpr unsigned Threads = 8;
using Numbers = std::array<int64_t, Threads>;
using Assignment = std::map<const void *, int64_t>;

// What an Int is once its symbols have values.
int64_t evaluate(const Int *I, const Assignment &Symbols, unsigned Thread);

int64_t evaluate(const Atom *A, const Assignment &Symbols, unsigned Thread) {
  auto Operand = [&](const Int *I) { return evaluate(I, Symbols, Thread); };
  switch (A->Kind) {
  case Atom::Op::Symbol:
    return Symbols.at(A->Origin);
  case Atom::Op::Mul:
    return Operand(A->A) * Operand(A->B);
  case Atom::Op::Div:
    return applyLaneOp(LaneOp::Div, Operand(A->A), Operand(A->B));
  case Atom::Op::Rem:
    return applyLaneOp(LaneOp::Rem, Operand(A->A), Operand(A->B));
  case Atom::Op::Shl:
    return applyLaneOp(LaneOp::Shl, Operand(A->A), Operand(A->B));
  case Atom::Op::Shr:
    return applyLaneOp(LaneOp::AShr, Operand(A->A), Operand(A->B));
  case Atom::Op::And:
    return Operand(A->A) & Operand(A->B);
  case Atom::Op::Or:
    return Operand(A->A) | Operand(A->B);
  case Atom::Op::Xor:
    return Operand(A->A) ^ Operand(A->B);
  case Atom::Op::Min:
    return std::min(Operand(A->A), Operand(A->B));
  case Atom::Op::Max:
    return std::max(Operand(A->A), Operand(A->B));
  case Atom::Op::Cast:
    return applyLaneOp(LaneOp::Wrap, Operand(A->A), Operand(A->B));
  case Atom::Op::Within:
    return Operand(A->A);
  case Atom::Op::Eq:
    return Operand(A->A) == 0;
  case Atom::Op::Lt:
    return Operand(A->A) < 0;
  case Atom::Op::LAnd:
    return Operand(A->A) && Operand(A->B);
  case Atom::Op::LOr:
    return Operand(A->A) || Operand(A->B);
  case Atom::Op::Any: {
    const unsigned Count = A->C->constant(), Begin = Thread / Count * Count;
    for (unsigned T = Begin; T < std::min(Begin + Count, Threads); ++T)
      if (evaluate(A->B, Symbols, T) && evaluate(A->A, Symbols, T))
        return 1;
    return 0;
  }
  case Atom::Op::Select:
    return Operand(A->A) ? Operand(A->B) : Operand(A->C);
  case Atom::Op::Load: // a table in which each number is another
    return 7 * Operand(A->A) + 3;
  }
  return 0;
}

int64_t evaluate(const Int *I, const Assignment &Symbols, unsigned Thread) {
  int64_t R = (*I->base())[Thread];
  for (const Int::Term &T : I->terms())
    R += (*T.Coefficient)[Thread] * evaluate(T.A, Symbols, Thread);
  return R;
}

class ValueTest : public ::testing::Test {
protected:
  ValueContext V{Threads};
  const Int *Tid = V.known(V.lanes().perThread({0, 1, 2, 3, 4, 5, 6, 7}));
  int NameK = 0, NameN = 0;
  const Int *K = V.symbol(&NameK, 0, Uniformity::Block, {0, INT64_MAX});
  const Int *N = V.symbol(&NameN, 0, Uniformity::Block);
  const Int *c(int64_t X) { return V.constant(X); }
};

TEST_F(ValueTest, EqualValuesAreOnePointer) {
  EXPECT_EQ(V.add(K, Tid), V.add(Tid, K));
  EXPECT_EQ(V.sub(V.add(K, c(4)), K), c(4));
  EXPECT_EQ(V.mul(V.add(K, c(1)), c(32)), V.add(V.mul(c(32), K), c(32)));
  EXPECT_NE(K, N);
}

TEST_F(ValueTest, WhatARoleAsksIsANumberOfTheBlock) {
  // Thread 7 has come two steps of N further than the others.
  const PerThread *Last = V.lanes().perThread({0, 0, 0, 0, 0, 0, 0, 1});
  const PerThread *Others = V.lanes().except(V.lanes().all(), Last);
  const Int *At = V.add(K, V.mul(N, V.mul(V.known(Last), c(2))));
  EXPECT_EQ(asIn(V, At, Last), V.add(K, V.mul(N, c(2))));
  EXPECT_EQ(asIn(V, At, Others), K);
  EXPECT_EQ(asIn(V, V.isNegative(At), Others), V.isNegative(K));
  // Not one number.
  EXPECT_EQ(asIn(V, At, V.lanes().all()), At);
  EXPECT_EQ(asIn(V, At, V.lanes().none()), At);
  EXPECT_EQ(asIn(V, K, Others), K);
}

TEST_F(ValueTest, WhatARoleAsksByThreadIsTakenApart) {
  const PerThread *Last = V.lanes().perThread({0, 0, 0, 0, 0, 0, 0, 1});
  const PerThread *Others = V.lanes().except(V.lanes().all(), Last);
  const Int *At = V.add(K, V.mul(N, V.known(Last)));
  auto Left = [&](const Int *Of) {
    return V.sub(Tid, V.apply(Atom::Op::Min, c(64), Of));
  };
  EXPECT_EQ(asIn(V, Left(At), Others), Left(K));
  EXPECT_EQ(asIn(V, Left(At), Last),
            V.sub(c(7), V.apply(Atom::Op::Min, c(64), V.add(K, N))));
  EXPECT_EQ(asIn(V, Left(V.add(At, Tid)), Others), Left(V.add(K, Tid)));
  EXPECT_EQ(asIn(V, Left(At), V.lanes().all()), Left(At));
}

TEST_F(ValueTest, WhatIsTakenToStayWithinHasBounds) {
  const Int *Row = V.mul(K, c(512));
  const Int *Place = V.add(Row, V.mul(V.within(N, 128), c(4)));
  EXPECT_EQ(V.plain(Place), V.add(Row, V.mul(N, c(4))));
  EXPECT_EQ(V.plain(Row), Row);
  EXPECT_EQ(PathCondition().bounds(V, V.sub(Place, Row)),
            (Interval{0, 127 * 4}));
  EXPECT_EQ(V.within(Tid, 128), Tid);
}

TEST_F(ValueTest, ATableHoldsOneNumberAtAPlace) {
  const Object *Table = V.object({Object::Kind::Global, 0, &NameK}),
               *Other = V.object({Object::Kind::Global, 0, &NameN});
  const Int *At = V.mul(K, c(4)), *Held = V.load(Table, At, -32);
  EXPECT_EQ(V.load(Table, V.mul(c(4), K), -32), Held);
  EXPECT_NE(V.load(Table, V.add(At, c(4)), -32), Held);
  EXPECT_NE(V.load(Table, At, 32), Held);
  EXPECT_NE(V.load(Other, At, -32), Held);
  EXPECT_TRUE(Held->isUniform());
  EXPECT_FALSE(isStable(Held));
  EXPECT_TRUE(dependsOn(Held, K->terms()[0].A));
  EXPECT_TRUE(isFromTable(V.isNegative(V.sub(N, Held))));
  EXPECT_FALSE(isFromTable(V.isNegative(V.sub(N, K))));
  PathCondition P;
  EXPECT_EQ(P.bounds(V, V.load(Table, At, 8)), (Interval{0, 255}));
  EXPECT_EQ(P.bounds(V, V.load(Table, At, 1)), (Interval{0, 1}));
  EXPECT_EQ(P.bounds(V, V.load(Table, At, 64)), (Interval{0, INT64_MAX}));
  EXPECT_EQ(P.bounds(V, Held), Interval());
}

// What is put in for a symbol is what the whole is computed from.
TEST_F(ValueTest, ReplacingASymbolIsComputingWithTheOther) {
  const Object *Table = V.object({Object::Kind::Global, 0, &NameK});
  const Atom *Old = K->terms()[0].A;
  const Int *New = V.sub(V.mul(N, c(3)), Tid);
  const PerThread *Even = V.lanes().perThread({1, 0, 1, 0, 1, 0, 1, 0});
  const Int *Held = V.load(Table, V.add(V.mul(K, c(4)), c(8)), -32);
  const Int *Sum = V.add(V.mul(K, V.known(Even)), c(5));
  const Int *Below = V.isNegative(V.sub(K, c(9)));
  auto Of = [&](Atom::Op Op, const Int *A, const Int *B) {
    return V.apply(Op, A, B);
  };
  for (const Int *I :
       {N, K, Sum, Held, V.sub(Held, K), Of(Atom::Op::Min, Held, c(40)),
        Of(Atom::Op::Div, Sum, c(4)), Of(Atom::Op::Rem, Sum, c(3)),
        Of(Atom::Op::Xor, K, N), V.isZero(V.sub(K, N)), Below,
        V.logicalAnd(Below, V.isZero(Held)), V.within(Sum, 16),
        V.logicalOr(Below, V.isZero(Held)), V.cast(K, 8),
        V.select(Below, K, Held), V.any(Below, Even, 4)}) {
    const Int *R = replaced(V, I, Old, New);
    EXPECT_FALSE(dependsOn(R, Old));
    for (int64_t OfN = 0; OfN < 8; ++OfN)
      for (unsigned T = 0; T < Threads; ++T) {
        const int64_t OfK = evaluate(New, {{&NameN, OfN}}, T);
        // A vote is of several threads, each with a number of its own.
        if (OfK >= 0 && I->terms()[0].A->Kind != Atom::Op::Any)
          EXPECT_EQ(evaluate(R, {{&NameN, OfN}}, T),
                    evaluate(I, {{&NameN, OfN}, {&NameK, OfK}}, T));
      }
  }
}

TEST_F(ValueTest, AddressesSplitAtTheirUnknownPart) {
  // (K * 32 + tid) % 32 == tid, (K * 32 + tid) / 32 == K
  const Int *Address = V.add(V.mul(K, c(32)), Tid);
  EXPECT_EQ(V.apply(Atom::Op::Rem, Address, c(32)), Tid);
  EXPECT_EQ(V.apply(Atom::Op::Div, Address, c(32)), K);
  EXPECT_EQ(V.apply(Atom::Op::And, Address, c(31)), Tid);
  EXPECT_EQ(V.apply(Atom::Op::Shr, Address, c(5)), K);
  EXPECT_EQ(V.apply(Atom::Op::And, Address, c(-32)), V.mul(K, c(32)));
}

TEST_F(ValueTest, WrapsKnownIntegersOnly) {
  EXPECT_EQ(V.cast(c(-1), 32), c(0xffffffff));
  EXPECT_EQ(V.cast(c(0xffffffff), -32), c(-1));
  EXPECT_EQ(V.cast(c(300), 8), c(44));
  EXPECT_EQ(V.cast(K, 32), K);
  EXPECT_FALSE(V.isZero(K)->isKnown());
  EXPECT_EQ(V.isZero(V.isZero(V.isZero(K))), V.isZero(K));
}

TEST_F(ValueTest, OfConditionsOneIsLeftWhereTheOtherIsKnown) {
  EXPECT_EQ(V.logicalAnd(c(0), N), c(0));
  EXPECT_EQ(V.logicalAnd(N, c(0)), c(0));
  EXPECT_EQ(V.logicalAnd(c(1), N), N);
  EXPECT_EQ(V.logicalAnd(N, c(1)), N);
  EXPECT_EQ(V.logicalOr(c(1), N), c(1));
  EXPECT_EQ(V.logicalOr(N, c(1)), c(1));
  EXPECT_EQ(V.logicalOr(c(0), N), N);
  EXPECT_EQ(V.logicalOr(N, c(0)), N);
}

TEST_F(ValueTest, AComparisonWithAnExtremeIsOneWithWhatItIsOf) {
  auto IsLess = [&](const Int *X, const Int *Y) {
    return V.isNegative(V.sub(X, Y));
  };
  for (const bool IsSwapped : {false, true}) {
    auto Of = [&](Atom::Op Op) {
      return IsSwapped ? V.apply(Op, c(8), N) : V.apply(Op, N, c(8));
    };
    const Int *Min = Of(Atom::Op::Min), *Max = Of(Atom::Op::Max);
    EXPECT_EQ(IsLess(c(7), Min), IsLess(c(7), N));
    EXPECT_EQ(IsLess(c(8), Min), c(0));
    EXPECT_EQ(IsLess(Min, c(8)), IsLess(N, c(8)));
    EXPECT_EQ(IsLess(Min, c(9)), c(1));
    EXPECT_EQ(IsLess(c(8), Max), IsLess(c(8), N));
    EXPECT_EQ(IsLess(c(7), Max), c(1));
    EXPECT_EQ(IsLess(Max, c(9)), IsLess(N, c(9)));
    EXPECT_EQ(IsLess(Max, c(8)), c(0));
  }
  // Of two that nobody knows it says nothing of either.
  const Int *Min = V.apply(Atom::Op::Min, N, K);
  EXPECT_NE(IsLess(Min, c(8)), IsLess(N, c(8)));
  EXPECT_NE(IsLess(Min, c(8)), IsLess(K, c(8)));
}

TEST_F(ValueTest, SelectsThreadByThread) {
  const Int *Even = V.isZero(V.apply(Atom::Op::Rem, Tid, c(2)));
  const Int *S = V.select(Even, V.add(K, Tid), K);
  // The unknown part is the same on both sides: only lanes are blended.
  EXPECT_EQ(V.sub(S, K)->terms().size(), 0u);
  EXPECT_EQ((*V.sub(S, K)->base())[3], 0);
  EXPECT_EQ((*V.sub(S, K)->base())[4], 4);
  EXPECT_EQ(V.select(V.isNegative(N), K, K), K);
  EXPECT_NE(V.select(V.isNegative(N), K, Tid), K);
}

TEST_F(ValueTest, VotesTellOfTheirVoters) {
  PerThreadContext &L = V.lanes();
  const Int *Mine = V.isZero(V.sub(Tid, c(5)));
  EXPECT_EQ(V.any(Mine, L.all(), 4),
            V.known(L.perThread({0, 0, 0, 0, 1, 1, 1, 1})));
  EXPECT_EQ(V.any(Mine, L.perThread({1, 1, 1, 1, 1, 0, 1, 1}), 4), c(0));
  // Uniform over the block: they all vote alike.
  EXPECT_EQ(V.any(N, L.all(), 4), V.isZero(V.isZero(N)));

  int NameFlag = 0;
  const Int *Flag = V.symbol(&NameFlag, 0, Uniformity::Thread, {0, 1});
  EXPECT_EQ(Flag->sharing(), Uniformity::Thread);
  const Int *Any = V.any(Flag, L.all(), Threads);
  EXPECT_EQ(Any->sharing(), Uniformity::Block);
  PathCondition None;
  ASSERT_TRUE(None.assume(V, Any, false, L.all()));
  EXPECT_TRUE(None.decide(V, Flag).False->isUniform(1));
  PathCondition Some;
  ASSERT_TRUE(Some.assume(V, Any, true, L.all()));
  EXPECT_TRUE(Some.decide(V, Any).True->isUniform(1));
  EXPECT_TRUE(PerThreadContext::isEmpty(Some.decide(V, Flag).True));
  PathCondition Each;
  ASSERT_TRUE(Each.assume(V, Flag, true, L.all()));
  EXPECT_TRUE(Each.decide(V, Any).True->isUniform(1));
  // Bits of a ballot are zero where nobody voted for it.
  int NameBits = 0;
  const Int *Bits = V.symbol(&NameBits, 0, Uniformity::Warp, {1, UINT32_MAX});
  EXPECT_EQ(V.isZero(V.select(Any, Bits, c(0))), V.isZero(Any));
}

// Eight threads are a part of one warp.
TEST_F(ValueTest, OneWarpIsTheBlock) {
  int Name = 0;
  EXPECT_TRUE(V.symbol(&Name, 0, Uniformity::Warp)->isUniform());
}

// Every operation agrees with plain arithmetic on values that are not negative
// and do not overflow: what Value.h promises.
TEST_F(ValueTest, RandomExpressionsEvaluateAsWritten) {
  std::mt19937 Random(20260711);
  auto Pick = [&](int Below) { return int(Random() % Below); };
  for (int Round = 0; Round < 3000; ++Round) {
    Assignment Symbols{{&NameK, Pick(50)}, {&NameN, Pick(50)}};
    struct Node {
      const Int *I;
      Numbers Expected;
    };
    auto Leaf = [&]() -> Node {
      Node R{};
      switch (Pick(4)) {
      case 0:
        R = {K, {}};
        R.Expected.fill(Symbols[&NameK]);
        return R;
      case 1:
        R = {N, {}};
        R.Expected.fill(Symbols[&NameN]);
        return R;
      case 2:
        R = {Tid, {0, 1, 2, 3, 4, 5, 6, 7}};
        return R;
      default: {
        int64_t X = Pick(40);
        R = {c(X), {}};
        R.Expected.fill(X);
        return R;
      }
      }
    };
    std::vector<Node> Nodes{Leaf(), Leaf(), Leaf()};
    for (int Step = 0; Step < 6; ++Step) {
      const Node A = Nodes[Pick(Nodes.size())], B = Nodes[Pick(Nodes.size())];
      int64_t Constant = 1 + Pick(33);
      Node R = A;
      int Which = Pick(10);
      for (unsigned T = 0; T < Threads; ++T) {
        int64_t X = A.Expected[T], Y = B.Expected[T];
        const int64_t Results[] = {X + Y,
                                   X * Constant,
                                   X / Constant,
                                   X % Constant,
                                   X ^ Y,
                                   X & Constant,
                                   std::min(X, Y),
                                   std::max(X, Y),
                                   X < Y ? X : Y + 1,
                                   X << (Constant % 4)};
        R.Expected[T] = Results[Which];
      }
      switch (Which) {
      case 0:
        R.I = V.add(A.I, B.I);
        break;
      case 1:
        R.I = V.mul(A.I, c(Constant));
        break;
      case 2:
        R.I = V.apply(Atom::Op::Div, A.I, c(Constant));
        break;
      case 3:
        R.I = V.apply(Atom::Op::Rem, A.I, c(Constant));
        break;
      case 4:
        R.I = V.apply(Atom::Op::Xor, A.I, B.I);
        break;
      case 5:
        R.I = V.apply(Atom::Op::And, A.I, c(Constant));
        break;
      case 6:
        R.I = V.apply(Atom::Op::Min, A.I, B.I);
        break;
      case 7:
        R.I = V.apply(Atom::Op::Max, A.I, B.I);
        break;
      case 8:
        R.I = V.select(V.isNegative(V.sub(A.I, B.I)), A.I, V.add(B.I, c(1)));
        break;
      default:
        R.I = V.apply(Atom::Op::Shl, A.I, c(Constant % 4));
        break;
      }
      if (R.Expected[0] > (1 << 20) || R.Expected[7] > (1 << 20))
        break;
      for (unsigned T = 0; T < Threads; ++T)
        ASSERT_EQ(evaluate(R.I, Symbols, T), R.Expected[T])
            << "round " << Round << " step " << Step << " operation " << Which
            << " thread " << T;
      Nodes.push_back(R);
    }
  }
}

} // namespace
