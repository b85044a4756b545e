//===- FindingListTest.cpp - Which findings are one -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/FindingList.h"
#include "gtest/gtest.h"

using namespace cpasync;
using clang::SourceLocation;
using Places = Finding::Places;
using Field = SourceLocation Places::*;

static SourceLocation line(unsigned N) {
  return SourceLocation::getFromRawEncoding(N);
}

TEST(FindingList, BarriersThatExpectDifferentNumbersAreTwoMistakes) {
  Finding A, B;
  A.Kind = B.Kind = FindingKind::StuckPhase;
  A.Limit = B.Limit = 2;
  EXPECT_TRUE(FindingList::haveSameCause(A, B));
  B.Limit = 3;
  EXPECT_FALSE(FindingList::haveSameCause(A, B));
  A.Kind = B.Kind = FindingKind::ExtraArrivals;
  EXPECT_TRUE(FindingList::haveSameCause(A, B));
}

TEST(FindingList, WhatWaitsBeforeARepairsItInAllKernels) {
  Finding A, B;
  A.Kind = B.Kind = FindingKind::UnsynchronizedRead;
  A.At.Read = B.At.Read = line(9);
  A.Kernel.Loc = line(1);
  B.Kernel.Loc = line(2);
  EXPECT_TRUE(FindingList::haveSameCause(A, B));
  B.At.Read = line(10);
  EXPECT_FALSE(FindingList::haveSameCause(A, B));
}

namespace {

constexpr Field AllFields[] = {
    &Places::Copy,  &Places::Commit,  &Places::Wait,   &Places::Read,
    &Places::Write, &Places::Operand, &Places::Barrier};

/// A finding with all places, in lines 10 to 16.
Finding withPlaces(FindingKind Kind, InFlightCause Cause = {},
                   OverwriteCause Overwritten = {}) {
  Finding F;
  F.Kind = Kind;
  F.Cause = Cause;
  F.Overwritten = Overwritten;
  unsigned Line = 10;
  for (Field Each : AllFields)
    F.At.*Each = line(Line++);
  return F;
}

/// Two findings like \p F are one mistake if they have \p Edit in common, told
/// once if \p Told as well.
void expectPlaces(const Finding &F, Field Edit, Field Told = nullptr) {
  for (Field Each : AllFields) {
    if (!(F.At.*Each).isValid())
      continue;
    Finding Other = F;
    Other.At.*Each = line(99);
    const std::string Which = "kind " + std::to_string(int(F.Kind)) +
                              ", cause " + std::to_string(int(F.Cause)) +
                              ", overwrite " +
                              std::to_string(int(F.Overwritten)) + ", line " +
                              std::to_string((F.At.*Each).getRawEncoding());
    EXPECT_EQ(FindingList::haveSameCause(F, Other), Each != Edit) << Which;
    EXPECT_EQ(FindingList::areSame(F, Other), Each != Edit && Each != Told)
        << Which;
  }
}

Finding without(Finding F, Field Which) {
  F.At.*Which = SourceLocation();
  return F;
}

} // namespace

TEST(FindingList, ReadsInFlightAreRepairedWhereTheWaitIsOrBelongs) {
  const auto Of = [](InFlightCause Cause) {
    return withPlaces(FindingKind::ReadInFlight, Cause);
  };
  const Finding Never = Of(InFlightCause::NeverWaited);
  expectPlaces(Never, &Places::Commit, &Places::Read);
  expectPlaces(without(Never, &Places::Commit), &Places::Read);
  for (auto Cause : {InFlightCause::Divergent, InFlightCause::Entangled,
                     InFlightCause::OtherKind}) {
    expectPlaces(Of(Cause), &Places::Commit);
    expectPlaces(without(Of(Cause), &Places::Commit), &Places::Wait);
  }
  expectPlaces(Of(InFlightCause::NotCommitted), &Places::Wait, &Places::Copy);
  expectPlaces(Of(InFlightCause::WaitBeforeCommit), &Places::Wait);
  expectPlaces(Of(InFlightCause::WaitTooWeak), &Places::Wait);
}

TEST(FindingList, OthersAreRepairedAtTheirOwnPlace) {
  using Kind = FindingKind;
  for (const auto &[K, Edit] : std::initializer_list<std::pair<Kind, Field>>{
           {Kind::ReadBeforeCopy, &Places::Read},
           {Kind::UnwrittenRead, &Places::Read},
           {Kind::BadOperand, &Places::Operand},
           {Kind::WaitCountRange, &Places::Operand},
           {Kind::Misaligned, &Places::Copy},
           {Kind::WrongSpace, &Places::Copy},
           {Kind::MapSpace, &Places::Copy},
           {Kind::UncommittedAtEnd, &Places::Copy},
           {Kind::OverWait, &Places::Wait},
           {Kind::StuckPhase, &Places::Wait},
           {Kind::StuckStage, &Places::Wait},
           {Kind::StuckBarrier, &Places::Wait},
           {Kind::ExtraArrivals, &Places::Operand},
           {Kind::UnorderedInit, &Places::Operand},
           {Kind::EndedBlock, &Places::Operand},
           {Kind::MissingBlock, &Places::Operand},
           {Kind::PartialGroup, &Places::Copy},
           {Kind::MissingFence, &Places::Copy},
           {Kind::UnorderedSource, &Places::Copy}})
    expectPlaces(withPlaces(K), Edit);
  expectPlaces(withPlaces(Kind::UnwrittenRead, InFlightCause::Divergent),
               &Places::Operand);
  const Finding Read = withPlaces(Kind::UnsynchronizedRead);
  expectPlaces(Read, &Places::Wait, &Places::Read);
  expectPlaces(without(Read, &Places::Wait), &Places::Read);
}

TEST(FindingList, OverwritesAreRepairedByABarrierIfThereIsOneTooEarly) {
  const auto Of = [](OverwriteCause Cause) {
    return withPlaces(FindingKind::Overwrite, {}, Cause);
  };
  for (auto Cause : {OverwriteCause::StillRead, OverwriteCause::AfterCopy,
                     OverwriteCause::AfterStore, OverwriteCause::BulkRead,
                     OverwriteCause::MatrixRead}) {
    const Finding Unordered = without(Of(Cause), &Places::Barrier);
    expectPlaces(Of(Cause), &Places::Barrier, &Places::Write);
    expectPlaces(Unordered, &Places::Copy, &Places::Write);
    expectPlaces(without(Unordered, &Places::Copy), &Places::Write);
  }
  const Finding InFlight = Of(OverwriteCause::InFlight);
  expectPlaces(InFlight, &Places::Copy, &Places::Write);
  expectPlaces(without(InFlight, &Places::Copy), &Places::Write);
  const Finding OtherKind = Of(OverwriteCause::BulkReadOtherKind);
  expectPlaces(OtherKind, &Places::Commit);
  expectPlaces(without(OtherKind, &Places::Commit), &Places::Wait);
}

TEST(FindingList, WhatGoesWrongInAnotherWayIsAnotherMistake) {
  const Finding F = withPlaces(FindingKind::Overwrite);
  Finding Others[6];
  llvm::fill(Others, F);
  Others[0].Kind = FindingKind::MissingFence;
  Others[1].Cause = InFlightCause::Entangled;
  Others[2].Overwritten = OverwriteCause::AfterStore;
  Others[3].ByStore = true;
  Others[4].IsSource = true;
  Others[5].Kernel.Loc = line(3);
  for (const Finding &Other : Others) {
    EXPECT_EQ(FindingList::haveSameCause(F, Other), &Other == &Others[5]);
    EXPECT_EQ(FindingList::haveSameCause(Other, F), &Other == &Others[5]);
  }
}

namespace {

/// \p A, then \p B; both orders tell the same.
std::vector<Finding> merged(const Finding &A, const Finding &B) {
  std::vector<Finding> To;
  FindingList::merge(To, A);
  FindingList::merge(To, B);
  return To;
}

} // namespace

TEST(FindingList, TheShortestPathIsTold) {
  Finding A = withPlaces(FindingKind::OverWait), B = A;
  A.Path.Length = 7;
  B.Path.Length = 5;
  A.Thread = 7;
  B.Thread = 5;
  A.Kernel.Name = "long";
  B.Kernel.Name = "short";
  for (const auto &All : {merged(A, B), merged(B, A)}) {
    ASSERT_EQ(All.size(), 1u);
    EXPECT_EQ(All[0].Path.Length, 5u);
    EXPECT_EQ(All[0].Thread, B.Thread);
    EXPECT_EQ(All[0].Kernel.Name, "short");
    EXPECT_EQ(All[0].Kernel.Others, std::vector<std::string>{"long"});
  }
  // Of two as long the first.
  A.Path.Length = 5;
  EXPECT_EQ(merged(A, B)[0].Kernel.Name, "long");
  B.At.Wait = line(50);
  EXPECT_EQ(merged(A, B).size(), 2u);
}

TEST(FindingList, TheProofIsToldAndNotWhatItProves) {
  Finding Proof = withPlaces(FindingKind::Overwrite), Like = Proof;
  Proof.Path.Length = 7;
  Proof.Kernel.Name = "proved";
  // Not even where the proof needs numbers that no run has confirmed.
  Proof.Trace.push_back({TraceStep::Kind::WithNumbers, line(1)});
  Like.Path.Length = 5;
  Like.Kernel.Name = "alike";
  Like.Kernel.IsTold = true;
  EXPECT_FALSE(FindingList::isShown(Proof));
  EXPECT_TRUE(FindingList::isShown(Like));
  for (const auto &All : {merged(Proof, Like), merged(Like, Proof)}) {
    ASSERT_EQ(All.size(), 1u);
    EXPECT_EQ(All[0].Kernel.Name, "proved");
    EXPECT_EQ(All[0].Kernel.Others, std::vector<std::string>{"alike"});
  }
}

TEST(FindingList, EachKernelIsNamedOnce) {
  std::vector<Finding> To;
  Finding F = withPlaces(FindingKind::OverWait);
  F.Path.Length = 5;
  for (const char *Name : {"a", "b", "a", "b", "c"}) {
    F.Kernel.Name = Name;
    F.Path.Length -= F.Kernel.Name == "c";
    FindingList::merge(To, F);
  }
  ASSERT_EQ(To.size(), 1u);
  EXPECT_EQ(To[0].Kernel.Name, "c");
  EXPECT_EQ(To[0].Kernel.Others, (std::vector<std::string>{"b", "a"}));
}

TEST(FindingList, CallsThatBothAreInsideOfAreKept) {
  Finding A = withPlaces(FindingKind::OverWait), B = A;
  A.Path.Calls = {line(1), line(2), line(3)};
  B.Path.Calls = {line(1), line(2), line(4), line(5)};
  const std::vector<SourceLocation> Both{line(1), line(2)};
  EXPECT_EQ(merged(A, B)[0].Path.Calls, Both);
  EXPECT_EQ(merged(B, A)[0].Path.Calls, Both);
  B.Path.Calls = Both;
  EXPECT_EQ(merged(A, B)[0].Path.Calls, Both);
  B.Path.Calls = {line(2)};
  EXPECT_TRUE(merged(A, B)[0].Path.Calls.empty());
}

TEST(FindingList, OtherReadsAreKeptWhereTheWarningStandsElsewhere) {
  Finding A = withPlaces(FindingKind::ReadInFlight, InFlightCause::WaitTooWeak),
          B = A, C = A;
  B.At.Read = line(51);
  C.At.Read = line(52);
  std::vector<Finding> To;
  for (const Finding &F : {A, B, C, B, A})
    FindingList::merge(To, F);
  ASSERT_EQ(To.size(), 1u);
  EXPECT_EQ(To[0].At.Read, A.At.Read);
  EXPECT_EQ(To[0].At.OtherReads,
            (std::vector<SourceLocation>{line(51), line(52)}));
  // Where it stands at the read, both are told.
  A.Cause = B.Cause = InFlightCause::NeverWaited;
  const auto Two = merged(A, B);
  ASSERT_EQ(Two.size(), 2u);
  EXPECT_TRUE(Two[0].At.OtherReads.empty());
}

TEST(FindingList, AnEditHasToRepairEveryPath) {
  using Slowness = Repair::Slowness;
  const auto Edit = [](Repair::Kind K, unsigned At, const char *Code, int64_t N,
                       Slowness Slow = Slowness::None) {
    Finding F =
        withPlaces(FindingKind::ReadInFlight, InFlightCause::WaitTooWeak);
    F.Repairs = {{K, line(At),
                  clang::CharSourceRange::getTokenRange(line(At), line(At)),
                  Code, N, Slow}};
    return F;
  };
  /// Code, and whether it is slow, of what repairs both; empty: nothing does.
  const auto Both = [](const Finding &A, const Finding &B) -> std::string {
    const auto All = merged(A, B);
    if (All[0].Repairs.empty())
      return "";
    return All[0].Repairs[0].Code +
           (All[0].Repairs[0].Slow == Slowness::None ? "" : " slow");
  };
  const auto Kind = Repair::Kind::WaitForAll;
  const Finding Zero = Edit(Kind, 12, "0", 0), One = Edit(Kind, 12, "1", 1),
                Slow = Edit(Kind, 12, "0", 0, Slowness::ByLoopEnd),
                Named = Edit(Kind, 12, "Stages - 2", 1),
                Less = Edit(Kind, 12, "Stages - 3", 0);
  EXPECT_EQ(Both(Zero, One), "0");
  EXPECT_EQ(Both(One, Zero), "0");
  EXPECT_EQ(Both(Slow, Slow), "0 slow");
  EXPECT_EQ(Both(Slow, Zero), "0");
  EXPECT_EQ(Both(Zero, Slow), "0");
  EXPECT_EQ(Both(Slow, One), "0");
  EXPECT_EQ(Both(Named, Named), "Stages - 2");
  EXPECT_EQ(Both(Named, One), "Stages - 2");
  EXPECT_EQ(Both(Named, Less), "");
  EXPECT_EQ(Both(Named, Zero), "");
  EXPECT_EQ(Both(Zero, Edit(Kind, 13, "0", 0)), "");
  const auto Insert = Repair::Kind::InsertWait;
  EXPECT_EQ(Both(Edit(Insert, 12, "wait", 0), Edit(Insert, 12, "wait", 0)),
            "wait");
  EXPECT_EQ(Both(Edit(Insert, 12, "wait", 0), Edit(Insert, 12, "drain", 0)),
            "");
  EXPECT_EQ(Both(Edit(Insert, 12, "wait", 0),
                 Edit(Repair::Kind::InsertCommit, 12, "wait", 0)),
            "");
}
