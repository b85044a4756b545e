//===- SubsumptionTest.cpp - Which paths end where others were ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/Subsumption.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

/// Paths that have decided about one number, Tiles, and have written to one
/// object. States are told apart by the places that stand for their digests.
class SubsumptionTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 64;

  SubsumptionTest()
      : V(Threads), Footprints(V), Written(Footprints),
        Met(Facts, Written, Events) {}

  const Int *isBelow(int64_t X) {
    return V.isNegative(V.sub(Tiles, V.constant(X)));
  }
  State path() {
    State S(V.lanes(), Written);
    S.Condition = PathCondition(&Facts);
    return S;
  }
  State path(bool IsBelowTen) {
    State S = path();
    EXPECT_TRUE(
        S.Condition.assume(V, isBelow(10), IsBelowTen, V.lanes().all()));
    return S;
  }
  State pathThatWrote(llvm::ArrayRef<const Footprint *> Bytes) {
    State S = path();
    for (const Footprint *F : Bytes)
      S.Copies.store(Written, F);
    return S;
  }
  State pathThatRead(llvm::ArrayRef<const Footprint *> Bytes) {
    State S = path();
    for (const Footprint *F : Bytes) {
      Event E{Event::Kind::Read, nullptr, {}};
      E.Bytes = F;
      S.Copies.unordered().add(V.lanes(), Events, Events.intern(std::move(E)),
                               0, F);
    }
    return S;
  }
  void ask(const State &S, int64_t X = 10) {
    S.Condition.decide(V, isBelow(X));
  }
  const Footprint *bytesAt(const Int *Offset) {
    return Footprints.get(Buffer, Offset, 4, V.lanes().all());
  }

  bool ends(State &S, uint64_t Place, size_t Waiting = 0) {
    return Met.before({Place, Place}, S, Waiting, Spots++).has_value();
  }
  bool ends(State &&S, uint64_t Place) { return ends(S, Place); }

  ValueContext V;
  FootprintTable Footprints;
  WrittenBytesTable Written;
  FactTable Facts;
  EventTable Events;
  Subsumption Met;
  const Object *const Buffer = V.object(Object{Object::Kind::Shared});
  const Int *const Tiles = V.symbol(&Threads, 0, Uniformity::Block);
  const Footprint *const First = bytesAt(V.constant(0));
  const Footprint *const Second = bytesAt(V.constant(64));
  Spot Spots = 0;
};

TEST_F(SubsumptionTest, SaysWhereThePathWas) {
  State S = path(true), Same = S, Elsewhere = S, Later = S;
  EXPECT_FALSE(Met.before({1, 1}, S, 0, 7));
  EXPECT_EQ(Met.before({1, 1}, Same, 0, 8), std::optional<Spot>(7));
  EXPECT_FALSE(Met.before({1, 2}, Elsewhere, 0, 9));
  EXPECT_EQ(Met.before({1, 2}, Later, 0, 10), std::optional<Spot>(9));
  Met.forgetAll();
  State Anew = path(true);
  EXPECT_FALSE(Met.before({1, 1}, Anew, 0, 11));
}

TEST_F(SubsumptionTest, WhoHadMoreAccessesDidAllThatOneWithFewerDoes) {
  State One = pathThatRead({First}), Both = pathThatRead({First, Second}),
        Other = pathThatRead({Second}), Turned = pathThatRead({Second, First});
  ASSERT_EQ(Both.Copies.unordered().size(), 2u);
  EXPECT_FALSE(Met.before({1, 1}, One, 0, 7, /*ButUnordered=*/true));
  EXPECT_FALSE(Met.before({1, 1}, Both, 0, 8, /*ButUnordered=*/true));
  EXPECT_TRUE(Met.before({1, 1}, Other, 0, 9, /*ButUnordered=*/true));
  EXPECT_TRUE(Met.before({1, 1}, Turned, 0, 10, /*ButUnordered=*/true));
}

TEST_F(SubsumptionTest, EachAccessMayHaveBeenThatOfAnotherPath) {
  State One = pathThatRead({First}), Other = pathThatRead({Second}),
        Both = pathThatRead({First, Second}),
        More = pathThatRead({First, Second, bytesAt(V.constant(128))});
  EXPECT_FALSE(Met.before({1, 1}, One, 0, 7, /*ButUnordered=*/true));
  EXPECT_FALSE(Met.before({1, 1}, Other, 0, 8, /*ButUnordered=*/true));
  EXPECT_FALSE(Met.before({1, 1}, More, 0, 9, /*ButUnordered=*/true));
  EXPECT_TRUE(Met.before({1, 1}, Both, 0, 10, /*ButUnordered=*/true));
  // Of paths that decided otherwise nothing is known.
  State Apart = Both;
  ASSERT_TRUE(Apart.Condition.assume(V, isBelow(10), true, V.lanes().all()));
  State NotBelow = path(false);
  NotBelow.Copies.unordered() = One.Copies.unordered();
  EXPECT_FALSE(Met.before({2, 2}, NotBelow, 0, 11, /*ButUnordered=*/true));
  EXPECT_FALSE(Met.before({2, 2}, Apart, 0, 12, /*ButUnordered=*/true));
}

TEST_F(SubsumptionTest, OtherDecisionsDoNotCountIfNothingAsked) {
  State S = path(true);
  ask(S); // before it came there
  EXPECT_FALSE(ends(S, 1));
  Met.close(0);
  EXPECT_TRUE(ends(path(false), 1));
  EXPECT_TRUE(ends(path(), 1));
}

TEST_F(SubsumptionTest, WhereTheBudgetIsSpentNothingFollows) {
  Budget Cost({.Seconds = 1, .Megabytes = 0});
  while (!Cost.isSpentNow())
    ;
  State S = path(true);
  ask(S);
  EXPECT_FALSE(ends(S, 1));
  Met.close(0, &Cost);
  EXPECT_FALSE(ends(path(false), 1));
}

TEST_F(SubsumptionTest, OtherDecisionsCountIfSomethingAsked) {
  State S = path(true);
  EXPECT_FALSE(ends(S, 1));
  ask(S);
  Met.close(0);
  EXPECT_TRUE(ends(path(true), 1));
  EXPECT_FALSE(ends(path(false), 1));
}

TEST_F(SubsumptionTest, AnEndThatNothingAskedForDoesNotCount) {
  State S = path(true);
  ASSERT_TRUE(S.Condition.assume(V, isBelow(0), false, V.lanes().all()));
  EXPECT_FALSE(ends(S, 1));
  ask(S, 20);
  Met.close(0);
  EXPECT_TRUE(ends(path(true), 1));
  State NotNegative = path();
  ASSERT_TRUE(
      NotNegative.Condition.assume(V, isBelow(0), false, V.lanes().all()));
  EXPECT_FALSE(ends(NotNegative, 1));
}

TEST_F(SubsumptionTest, DecisionsCountUntilAllThatFollowsHasRun) {
  State S = path(true);
  EXPECT_FALSE(ends(S, 1, /*Waiting=*/2));
  Met.close(3);
  State Early = path(false), Same = path(true);
  EXPECT_TRUE(ends(Same, 1));
  EXPECT_FALSE(ends(Early, 1, /*Waiting=*/2));
  Met.close(2);
  EXPECT_TRUE(ends(path(), 1));
}

// What a path asks after it met another is asked after both meetings.
TEST_F(SubsumptionTest, WhatIsAskedLaterCountsBefore) {
  State S = path(true);
  EXPECT_FALSE(ends(S, 1));
  EXPECT_FALSE(ends(S, 2));
  ask(S);
  EXPECT_FALSE(ends(S, 3));
  Met.close(0);
  EXPECT_FALSE(ends(path(false), 1));
  EXPECT_FALSE(ends(path(false), 2));
  EXPECT_TRUE(ends(path(false), 3));
}

// A path that ends needs what the one before it did.
TEST_F(SubsumptionTest, AnEndNeedsWhatWasNeededThere) {
  State S = path(true), Next = S;
  EXPECT_FALSE(ends(S, 1));
  ask(S);
  Met.close(0);
  EXPECT_FALSE(ends(Next, 2));
  EXPECT_TRUE(ends(Next, 1));
  Met.close(0);
  EXPECT_FALSE(ends(path(false), 2));
}

TEST_F(SubsumptionTest, ALoopIsKnownTogether) {
  for (const bool IsLoop : {false, true}) {
    Met.forgetAll();
    State S = path(true);
    const Spot Head = Spots;
    EXPECT_FALSE(ends(S, 1));
    ask(S);
    EXPECT_FALSE(ends(S, 2));
    if (IsLoop)
      Met.repeat(Head, S);
    Met.close(0);
    EXPECT_EQ(ends(path(false), 2), !IsLoop);
  }
}

// The inner path ended at the head before anybody asked.
TEST_F(SubsumptionTest, ALoopIsNotKnownBeforeItsHead) {
  for (const bool Asks : {false, true}) {
    Met.forgetAll();
    State S = path(true);
    EXPECT_FALSE(ends(S, 1, /*Waiting=*/0));
    State Inner = S;
    EXPECT_FALSE(ends(Inner, 2, /*Waiting=*/1));
    EXPECT_TRUE(ends(Inner, 1, /*Waiting=*/1));
    Met.close(1);
    if (Asks)
      ask(S);
    Met.close(0);
    EXPECT_EQ(ends(path(false), 2), !Asks);
  }
}

TEST_F(SubsumptionTest, RepeatsOfWhatIsNotKnownNeedAll) {
  State S = path(true);
  S.Copies.store(Written, First);
  EXPECT_FALSE(ends(S, 1));
  Met.repeat(/*Before=*/1000, S);
  Met.close(0);
  State Other = path(false), Less = path(true), Same = path(true);
  Other.Copies.store(Written, First);
  Same.Copies.store(Written, First);
  EXPECT_TRUE(ends(Same, 1));
  EXPECT_FALSE(ends(Other, 1));
  EXPECT_FALSE(ends(Less, 1));
}

TEST_F(SubsumptionTest, BlindReadsThatNobodyMadeCount) {
  State S = path(), More = path();
  S.Copies.history().addBlindRead(1);
  EXPECT_FALSE(ends(S, 1));
  Met.close(0);
  EXPECT_TRUE(ends(path(), 1));
  More.Copies.history().addBlindRead(1);
  More.Copies.history().addBlindRead(2);
  EXPECT_FALSE(ends(More, 1));
}

TEST_F(SubsumptionTest, BytesThatNobodyReadDoNotCount) {
  State S = pathThatWrote({First});
  EXPECT_FALSE(ends(S, 1));
  EXPECT_TRUE(ends(pathThatWrote({First, Second}), 1));
  EXPECT_FALSE(ends(pathThatWrote({Second}), 1)) << "not known yet";
  Met.close(0);
  EXPECT_TRUE(ends(path(), 1));
}

TEST_F(SubsumptionTest, BytesThatWereReadCount) {
  State S = pathThatWrote({First, Second});
  EXPECT_FALSE(ends(S, 1));
  Met.need(S, Second);
  Met.close(0);
  EXPECT_TRUE(ends(pathThatWrote({Second}), 1));
  EXPECT_FALSE(ends(pathThatWrote({First}), 1));
}

TEST_F(SubsumptionTest, BytesThatWereReadSomewhereAllCount) {
  State S = pathThatWrote({First, Second});
  EXPECT_FALSE(ends(S, 1));
  Met.need(S, bytesAt(Tiles));
  Met.close(0);
  EXPECT_TRUE(ends(pathThatWrote({First, Second}), 1));
  EXPECT_FALSE(ends(pathThatWrote({First}), 1));
}

TEST_F(SubsumptionTest, BytesWrittenSinceAreNotNeededBefore) {
  State S = pathThatWrote({First});
  EXPECT_FALSE(ends(S, 1));
  EXPECT_FALSE(ends(S, 2));
  S.Copies.store(Written, Second);
  EXPECT_FALSE(ends(S, 3));
  Met.need(S, Second);
  Met.close(0);
  EXPECT_TRUE(ends(path(), 1));
  EXPECT_TRUE(ends(path(), 2));
  EXPECT_FALSE(ends(path(), 3));
}

TEST_F(SubsumptionTest, BytesAreNeededBackToWhereTheyWereWritten) {
  State S = pathThatWrote({First});
  EXPECT_FALSE(ends(S, 1));
  EXPECT_FALSE(ends(S, 2));
  Met.need(S, First);
  Met.close(0);
  EXPECT_FALSE(ends(path(), 1));
  EXPECT_FALSE(ends(path(), 2));
}

// Whether they are read before or after a path ended in front of the read.
TEST_F(SubsumptionTest, BytesAreNeededByPathsThatEnded) {
  enum Read { Never, Before, After };
  for (const Read When : {Never, Before, After}) {
    Met.forgetAll();
    State S = pathThatWrote({First});
    EXPECT_FALSE(ends(S, 1, /*Waiting=*/0));
    State Inner = S;
    if (When == Before)
      Met.need(S, First);
    EXPECT_FALSE(ends(Inner, 2, /*Waiting=*/1));
    EXPECT_TRUE(ends(Inner, 1, /*Waiting=*/1));
    Met.close(1);
    if (When == After)
      Met.need(S, First);
    Met.close(0);
    EXPECT_EQ(ends(path(), 2), When == Never);
  }
}

// Who chose not to copy makes no blind reads.
TEST_F(SubsumptionTest, BytesDoNotCountAfterADecisionAgainstACopy) {
  State S = pathThatWrote({First}), Chose = path();
  EXPECT_FALSE(ends(S, 1));
  Met.need(S, First);
  Met.close(0);
  Chose.ChoseNotToCopy = 1;
  EXPECT_TRUE(ends(Chose, 1));
  EXPECT_FALSE(ends(path(), 1));
  // The first one there had decided so, and others have not.
  EXPECT_FALSE(ends(Chose, 2));
  Met.close(0);
  EXPECT_TRUE(ends(Chose, 2));
  EXPECT_FALSE(ends(path(), 2));
}

// Others that come by there will decide so, too.
TEST_F(SubsumptionTest, BytesAreNotNeededFromBeforeADecisionAgainstACopy) {
  for (const unsigned DecidedAt : {0, 5}) {
    Met.forgetAll();
    State S = pathThatWrote({First});
    S.Length = 3;
    EXPECT_FALSE(ends(S, 1));
    S.ChoseNotToCopy = DecidedAt;
    Met.need(S, First);
    Met.close(0);
    EXPECT_EQ(ends(path(), 1), DecidedAt == 5);
  }
}

TEST_F(SubsumptionTest, OneOfTwoConditionsThatFailsIsWhatWasAsked) {
  State S = path(false);
  EXPECT_FALSE(ends(S, 1));
  const Int *Other = V.isNegative(V.symbol(&Threads, 1, Uniformity::Block));
  S.Condition.decide(V, V.logicalAnd(isBelow(10), Other));
  Met.close(0);
  EXPECT_TRUE(ends(path(false), 1));
  EXPECT_FALSE(ends(path(true), 1));
}

} // namespace
