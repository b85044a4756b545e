//===- PathNotesTest.cpp - Which steps of a path are told -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/PathNotes.h"
#include "gtest/gtest.h"
#include <deque>

using namespace cpasync;
using clang::SourceLocation;
using Kind = TraceStep::Kind;

namespace {

class PathNotesTest : public testing::Test {
protected:
  PathNotesTest() : L(64) {}

  static SourceLocation line(unsigned N) {
    return SourceLocation::getFromRawEncoding(N);
  }
  /// Appends a step that stands in that line.
  TraceNode *step(Kind K, unsigned Line) {
    TraceNode &N = Path.emplace_back();
    N.K = K;
    N.Loc = line(Line);
    N.Mask = L.all();
    N.Prev = Newest;
    N.Place = Path.size();
    N.Decided = Newest ? Newest->Decided : nullptr;
    if (N.isDecision())
      N.Decided = &N;
    Newest = &N;
    return &N;
  }
  TraceNode *decision(unsigned Line, bool Holds) {
    TraceNode *N = step(Kind::BranchTaken, Line);
    N->Flag = Holds;
    N->Effects = EffectGroup;
    return N;
  }
  std::string ranges(const std::vector<unsigned> &Threads) {
    std::vector<int64_t> Mask(64);
    for (unsigned T : Threads)
      Mask[T] = 1;
    return threadRanges(L.perThread(Mask), Shape);
  }
  /// The lines of what is told.
  static std::vector<unsigned> lines(const Finding &F) {
    std::vector<unsigned> Lines;
    for (const TraceStep &Step : F.Trace)
      Lines.push_back(Step.Loc.getRawEncoding());
    return Lines;
  }

  PerThreadContext L;
  BlockShape Shape{64};
  std::deque<TraceNode> Path;
  TraceNode *Newest = nullptr;
};

TEST_F(PathNotesTest, ThreadsAreRanges) {
  EXPECT_EQ(ranges({}), "");
  EXPECT_EQ(ranges({7}), "7");
  EXPECT_EQ(ranges({0, 1, 2, 63}), "0-2, 63");
  EXPECT_EQ(ranges({0, 2, 4, 6}), "0, 2, 4, 6");
  EXPECT_EQ(ranges({0, 2, 4, 6, 8}), "0, 2, 4, 6, ...");
}

TEST_F(PathNotesTest, ThreadsOfAClusterAreThoseOfABlock) {
  Shape = {32};
  Shape.Cluster = {2, 1, 1};
  Shape.RunsCluster = true;
  EXPECT_EQ(ranges({5}), "5 of block 0");
  EXPECT_EQ(ranges({30, 31, 32, 40}),
            "30-31 of block 0, 0 of block 1, 8 of block 1");
}

TEST_F(PathNotesTest, WithoutADecisionEveryRunGetsThere) {
  step(Kind::CopyIssued, 1);
  EXPECT_TRUE(isUnconditional(Newest));
  decision(2, true)->May = true; // both sides run
  EXPECT_TRUE(isUnconditional(Newest));
  decision(3, true);
  step(Kind::Read, 4);
  EXPECT_FALSE(isUnconditional(Newest));
}

TEST_F(PathNotesTest, DecisionsThatCouldHaveWaited) {
  const TraceNode *Copy = step(Kind::CopyIssued, 1);
  const TraceNode *Waits = decision(2, true);
  TraceNode *Other = decision(3, true);
  Other->Effects = EffectNone; // nothing between its sides matters
  const TraceNode *Again = decision(2, false);
  EXPECT_EQ(decisionsFor(Copy, {Waits, Other, Again}, nullptr, /*First=*/true),
            (Decisions{Waits}));
  EXPECT_EQ(decisionsFor(Copy, {Waits, Other, Again}, nullptr, /*First=*/false),
            (Decisions{Again}));
  // What is decided behind the wait that was too weak comes too late.
  EXPECT_EQ(decisionsFor(Copy, {Waits, Other, Again}, Other, /*First=*/false),
            (Decisions{Waits}));
}

TEST_F(PathNotesTest, DecisionsThatTheCopyHangsOn) {
  TraceNode *Outer = decision(1, true);
  TraceNode *Inner = decision(2, false);
  Inner->Within = Outer;
  TraceNode *Copy = step(Kind::CopyIssued, 3);
  Copy->Within = Inner;
  EXPECT_EQ(decisionsFor(Copy, {}, nullptr, true), (Decisions{Outer, Inner}));
  EXPECT_EQ(decisionsAround({Copy}), (Decisions{Inner, Outer}));
}

TEST_F(PathNotesTest, NewestDecisionsOncePerPlace) {
  decision(1, true);
  const TraceNode *Second = decision(2, true);
  const TraceNode *First = decision(1, false);
  decision(3, true)->May = true;
  EXPECT_EQ(newestDecisions(Newest, 8), (Decisions{First, Second}));
  EXPECT_EQ(newestDecisions(Newest, 1), (Decisions{First}));
}

TEST_F(PathNotesTest, ToldInTheOrderOfThePath) {
  const TraceNode *Copy = step(Kind::CopyIssued, 1);
  const TraceNode *Commit = step(Kind::Committed, 2);
  const TraceNode *Taken = decision(3, true);
  Finding F;
  std::vector<ToldStep> Steps;
  Steps.push_back({{Kind::Read, line(4), "Tile"}, nullptr, nullptr});
  addDecision(Steps, Taken);
  Steps.push_back({{Kind::Committed, line(2), ""}, nullptr, Commit});
  Steps.push_back({{Kind::CopyIssued, line(1), "Tile"}, nullptr, Copy});
  tell(F, Steps, Newest, EffectGroup);
  EXPECT_EQ(lines(F), (std::vector<unsigned>{1, 2, 3, 4}));
}

TEST_F(PathNotesTest, AnIterationIsToldOnce) {
  TraceNode *Round = step(Kind::Iteration, 10);
  Round->N = 3;
  Round->Effects = EffectGroup;
  TraceNode *Copy = step(Kind::CopyIssued, 11), *Wait = step(Kind::Waited, 12);
  Copy->InLoop = Wait->InLoop = Round;
  Finding F;
  tell(F,
       {{{Kind::CopyIssued, line(11), "Tile"}, Round, Copy},
        {{Kind::Waited, line(12), ""}, Round, Wait}},
       Newest, EffectGroup);
  EXPECT_EQ(lines(F), (std::vector<unsigned>{10, 11, 12}));
  EXPECT_EQ(F.Trace[0].N, 3);
  // What comes behind the loop is not in it.
  F.Trace.clear();
  TraceNode *Later = step(Kind::Read, 13);
  tell(F,
       {{{Kind::CopyIssued, line(11), "Tile"}, Round, Copy},
        {{Kind::Read, line(13), "Tile"}, nullptr, Later}},
       Newest, EffectGroup);
  EXPECT_EQ(lines(F), (std::vector<unsigned>{10, 11, 10, 13}));
  EXPECT_EQ(F.Trace[2].K, Kind::LoopLeft);
  // Of a loop that does nothing of the kind, nobody wants to know.
  F.Trace.clear();
  tell(F, {{{Kind::CopyIssued, line(11), "Tile"}, Round, Copy}}, Newest,
       EffectBarrier);
  EXPECT_EQ(lines(F), (std::vector<unsigned>{11}));
}

} // namespace
