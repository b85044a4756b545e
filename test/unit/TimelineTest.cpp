//===- TimelineTest.cpp - Pictures of traces made by hand -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Timeline.h"
#include "tool/report/FileReport.h"
#include "tool/report/TimelineText.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace cpasync;
using Bar = Timeline::Bar;
using DrawnStep = ReportedPipeline::Step;

namespace {

/// A finding whose path did what is called, in that order.
class TraceByHand {
public:
  TraceByHand() { Around.Owner = "thread 0"; }

  TraceByHand &round(const std::string &Variable, int64_t Value,
                     int Outer = -1) {
    Around.Rounds.push_back({{}, Variable, Value, 0, Outer});
    Round = int(Around.Rounds.size()) - 1;
    return *this;
  }
  TraceByHand &outside() {
    Round = -1;
    return *this;
  }
  /// Into the bytes of slot \p Number, 64 each.
  TraceByHand &copy(int Number, std::optional<unsigned> Group,
                    bool Clashes = false) {
    return access("copy-issued", Number, Group, Clashes);
  }
  TraceByHand &read(int Number, bool Clashes = false) {
    return access("read", Number, std::nullopt, Clashes);
  }
  TraceByHand &commit(unsigned Group) {
    add("committed").Group = Group;
    return *this;
  }
  TraceByHand &wait(int64_t N, std::optional<unsigned> InFlight = std::nullopt,
                    std::optional<unsigned> Completes = std::nullopt) {
    DrawnStep &S = add("waited");
    S.N = N;
    S.InFlight = InFlight;
    S.Completes = Completes;
    return *this;
  }
  TraceByHand &barrier() {
    add("barrier");
    return *this;
  }
  /// The path tells the newest step.
  TraceByHand &told() {
    F.Path.push_back({{}, "message", Around.Steps.back().Kind});
    F.Path.back().At = Around.Steps.back().At;
    return *this;
  }
  DrawnStep &last() { return Around.Steps.back(); }

  ReportedFinding F;
  ReportedPipeline &Around = F.Around;

private:
  DrawnStep &add(const std::string &Kind) {
    DrawnStep &S = Around.Steps.emplace_back();
    S.Kind = Kind;
    S.Round = Round;
    S.At = S.LastAt = Around.Steps.size();
    return S;
  }
  TraceByHand &access(const std::string &Kind, int Number,
                      std::optional<unsigned> Group, bool Clashes) {
    DrawnStep &S = add(Kind);
    S.Slot = "Slot[" + std::to_string(Number) + "]";
    S.Begin = Number * 64;
    S.End = S.Begin + 64;
    S.Group = Group;
    S.Clashes = Clashes;
    return *this;
  }

  int Round = -1;
};

} // namespace

/// "Slot[0]: 0+1=3; threads": of each bar its begin, commit and end, with "="
/// if it is complete there, ">" if it is in flight and "?" if that is not
/// known.
static std::string bars(const Timeline &T) {
  std::string Text;
  for (const Timeline::Lane &L : T.Lanes) {
    if (!L.IsSlot)
      continue;
    Text += (Text.empty() ? "" : "; ") + L.Name + ":";
    for (const Bar &B : L.Bars)
      Text += " " + std::to_string(B.Begin) +
              (B.Commit ? "+" + std::to_string(*B.Commit) : "") +
              (B.How == Bar::Ending::Complete   ? "="
               : B.How == Bar::Ending::InFlight ? ">"
                                                : "?") +
              std::to_string(B.End) + (B.Clashes ? "!" : "");
  }
  return Text;
}

static std::string columns(const Timeline &T) {
  std::string Text;
  for (const Timeline::Column &C : T.Columns)
    Text += (Text.empty() ? "" : "; ") +
            (C.Hidden ? "..." + std::to_string(C.Hidden) : C.Label) + " " +
            std::to_string(C.Begin) + "-" + std::to_string(C.End);
  return Text;
}

static std::string rows(const Timeline &T) {
  std::string Text;
  for (const Timeline::Row &R : T.Rows)
    Text += (Text.empty() ? "" : "; ") + R.What + "|" + R.Slots + "|" +
            (R.InFlight ? std::to_string(*R.InFlight) : "") + "|" + R.Does;
  return Text;
}

/// Two slots that take turns: the wait leaves the group that is read.
static TraceByHand twoSlots() {
  TraceByHand T;
  T.copy(0, 0).commit(0).round("K", 0).copy(1, 1).commit(1).wait(1, 2, 1);
  T.read(0).round("K", 1).wait(1, 1, 0);
  T.Around.Steps[2].Clashes = true;
  T.read(1, true);
  T.Around.IsInFlight = true;
  return T;
}

TEST(Timeline, BarsEndAtTheWaitThatCompletesThem) {
  const Timeline T = makeTimeline(twoSlots().F);
  EXPECT_EQ(bars(T), "Slot[0]: 0+1=4; Slot[1]: 2+3>7!");
  EXPECT_EQ(columns(T), "before the loop 0-2; K = 0 2-6; K = 1 6-8");
  EXPECT_EQ(rows(T), "wait 1|Slot[0]|2|group 1; wait 1||1|nothing; "
                     "read|Slot[1]|1|group 2 is in flight");
  EXPECT_EQ(T.Lanes.back().Name, "all threads");
  EXPECT_EQ(T.Owner, "thread 0");
}

TEST(Timeline, WhatIsNotKnownIsLeftOut) {
  // A wait that does not say what it completes.
  TraceByHand T;
  T.copy(0, 0).commit(0).wait(1).read(0);
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0+1?1");
  EXPECT_EQ(rows(makeTimeline(T.F)), "wait 1|||");
  // The copy that clashes is in flight all the same.
  T.Around.Steps[0].Clashes = true;
  T.Around.IsInFlight = true;
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0+1>3!");
  // Copies of other threads have no groups here.
  T.Around.Steps[0].IsOwn = false;
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]:");
}

TEST(Timeline, CopiesInNoGroup) {
  TraceByHand T;
  T.copy(0, std::nullopt).wait(0, 0, 0).read(0);
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]:");
  T.Around.Steps[0].Clashes = T.Around.IsInFlight = true;
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0>2!");
}

TEST(Timeline, AWaitForAllCompletesWhatIsInNoGroup) {
  TraceByHand T;
  T.copy(0, 0).commit(0).copy(1, std::nullopt).wait(0, 1, 1);
  T.last().Kind = "waited-all";
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0+1=3; Slot[1]: 2=3");
  EXPECT_EQ(rows(makeTimeline(T.F)),
            "wait all|Slot[0], Slot[1]|1|group 1 and copies in no group");
  T.last().Kind = "waited";
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0+1=3; Slot[1]:");
}

TEST(Timeline, CopiesThatNeedNoCommit) {
  TraceByHand T;
  T.copy(0, std::nullopt, true).barrier().read(0, true);
  T.Around.IsInFlight = T.Around.IsAlone = true;
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0+0>2!");
}

TEST(Timeline, GroupsThatCameBeforeTheSteps) {
  // Three are in flight, and the steps show the newest.
  TraceByHand T;
  T.Around.Before = 7;
  T.copy(0, 5).commit(5).wait(1, 3, 2).wait(0, 1, 1);
  const Timeline Picture = makeTimeline(T.F);
  EXPECT_EQ(columns(Picture), "...7 0-1;  1-5");
  EXPECT_EQ(bars(Picture), "Slot[0]: 1+2=4");
  EXPECT_EQ(rows(Picture),
            "wait 1||3|earlier groups; wait 0|Slot[0]|1|group 6");
}

TEST(Timeline, SlotsThatShareBytesAreOne) {
  TraceByHand T;
  T.copy(0, 0).copy(1, 0).commit(0).read(0);
  DrawnStep Wide = T.last();
  Wide.Slot = "Slot[0..1]";
  Wide.End = 128;
  T.Around.Steps.push_back(Wide);
  // A read of both is in both.
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0]: 0+2?2; Slot[1]: 1+2?2");
  // A copy into both makes them one.
  T.last().Kind = "copy-issued";
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot[0..1]: 0+2?2");
  // Where it is not known, it is none of them.
  T.last().Begin = -1;
  T.last().Slot = "Slot";
  EXPECT_EQ(bars(makeTimeline(T.F)), "Slot:; Slot[0]: 0+2?2; Slot[1]: 1+2?2");
}

TEST(Timeline, RolesHaveLanes) {
  TraceByHand T;
  T.copy(0, 0).commit(0).barrier();
  T.last().Threads = "0-31";
  T.barrier();
  T.last().Threads = "32";
  T.read(0);
  const Timeline Picture = makeTimeline(T.F);
  ASSERT_EQ(Picture.Lanes.size(), 4u);
  EXPECT_EQ(Picture.Lanes[1].Name, "all threads");
  EXPECT_EQ(Picture.Lanes[2].Name, "threads 0-31");
  EXPECT_EQ(Picture.Lanes[3].Name, "thread 32");
}

TEST(Timeline, LongPathsKeepWhatIsTold) {
  TraceByHand T;
  T.copy(0, 0).told().commit(0);
  for (int I = 0; I < 100; ++I)
    T.round("K", I).barrier();
  T.read(0, true).told();
  const Timeline Picture = makeTimeline(T.F);
  EXPECT_EQ(Picture.Moments, Timeline::MaxMoments + 1); // one for the gap
  EXPECT_EQ(Picture.Columns[1].Hidden, 103 - Timeline::MaxMoments);
  EXPECT_EQ(Picture.Lanes[0].Marks.front().Step, 1u);
  EXPECT_EQ(Picture.Lanes[0].Marks.back().Step, 2u);
  // The commit is in the gap.
  EXPECT_EQ(bars(Picture), "Slot[0]: 0+1?1");
}

TEST(Timeline, IterationsAreNamedFromOutside) {
  TraceByHand T;
  T.round("Tile", 2).barrier().round("K", 5, /*Outer=*/0).barrier();
  T.outside().barrier();
  T.Around.Rounds.push_back({{}, "", 0, 6, -1});
  T.barrier();
  T.last().Round = 2;
  T.Around.Rounds.push_back({{}, "", 0, -1, -1});
  T.barrier();
  T.last().Round = 3;
  EXPECT_EQ(columns(makeTimeline(T.F)),
            "Tile = 2 0-1; Tile = 2, K = 5 1-2; between loops 2-3; iteration 7 "
            "3-4; a later iteration 4-5");
}

TEST(Timeline, OfAPathAlone) {
  ReportedFinding F;
  F.Object = "Tile";
  EXPECT_TRUE(makeTimeline(F).isEmpty());
  const auto Add = [&](const char *Kind, unsigned Offset) {
    F.Path.push_back({{"k.cu", Offset, 1, 1, 1}, "message", Kind});
  };
  Add("copy-issued", 10);
  EXPECT_TRUE(makeTimeline(F).isEmpty()); // no picture of one moment
  Add("branch-taken", 20);
  Add("iteration", 25);
  F.Path.back().Values["K"] = 3;
  Add("waited", 30);
  Add("read", 40);
  F.Where = F.Path.back().Where;
  const Timeline T = makeTimeline(F);
  EXPECT_EQ(columns(T), "before the loop 0-1; K = 3 1-3");
  EXPECT_EQ(bars(T), "Tile:"); // nothing says that it is in flight
  EXPECT_TRUE(T.Rows[0].Does.empty());
  EXPECT_EQ(T.Lanes[0].Marks.back().Step, 5u);
  EXPECT_TRUE(T.Lanes[0].Marks.back().Clashes);
  EXPECT_EQ(T.Lanes[1].Name, "operations");
}

TEST(Timeline, OfAPhase) {
  ReportedFinding F;
  F.Object = "Full";
  for (const char *Kind : {"mbarrier-init", "copy-issued", "phase-awaited"})
    F.Path.push_back({{}, "message", Kind});
  const Timeline T = makeTimeline(F);
  ASSERT_EQ(T.Lanes.size(), 1u);
  EXPECT_EQ(T.Lanes[0].Name, "Full");
  EXPECT_FALSE(T.Lanes[0].IsSlot);
}

TEST(Timeline, BarsDoNotLieOverEachOther) {
  TraceByHand T;
  T.copy(0, 0).commit(0).copy(0, 1).commit(1).wait(1, 2, 1).wait(0, 1, 1);
  T.copy(0, 2).commit(2).wait(0, 1, 1);
  const Timeline Picture = makeTimeline(T.F);
  ASSERT_EQ(Picture.Lanes[0].Bars.size(), 3u);
  EXPECT_EQ(Picture.Lanes[0].Bars[1].Row, 1u);
  EXPECT_EQ(Picture.Lanes[0].Bars[2].Row, 0u);
  EXPECT_EQ(Picture.Lanes[0].barRows(), 2u);
}

TEST(Timeline, InWords) {
  EXPECT_EQ(
      describe(makeTimeline(twoSlots().F)),
      "Slot[0]: group 1: copied (before the loop), committed (before the "
      "loop), complete (K = 0); read (K = 0). Slot[1]: group 2: copied (K = "
      "0), committed (K = 0), in flight where it goes wrong; copy (K = 0), "
      "which goes wrong; read (K = 1), which goes wrong. all threads: commit "
      "(before the loop); commit (K = 0); wait 1 (K = 0); wait 1 (K = 1). ");
}

static std::string text(const ReportedFinding &F, TextStyle Style) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeTimeline(F, Style, OS);
  return Text;
}

TEST(TimelineText, Plain) {
  EXPECT_EQ(text(twoSlots().told().F, {}),
            R"(  timeline, with the groups of thread 0:
               before the loop | K = 0       | K = 1
  step                         |             |    1
  Slot[0]      C..+====================]  R  |
  Slot[1]                      | C!.+=============R!
  all threads     +            |    +  w1    | w1
  C copy  + commit  R read  wN wait for all but N groups
  . not committed  = in flight  ! they clash
  iteration          slot     in flight  N  completes
  K = 0      wait 1  Slot[0]  2          1  group 1
  K = 1      wait 1  -        1          1  nothing
  K = 1      read    Slot[1]  1          -  group 2 is in flight
  steps:
   1  :0:0: message
)");
}

TEST(TimelineText, ColorsTheClash) {
  const std::string Text = text(twoSlots().F, {true, true});
  EXPECT_NE(Text.find("\x1b[1;31mC!┄┿━"), std::string::npos) << Text;
  EXPECT_NE(Text.find("R!\x1b[0m\n"), std::string::npos) << Text;
  EXPECT_EQ(text(twoSlots().F, {true, false}).find('\x1b'), std::string::npos);
}

TEST(TimelineText, BandsAreNotWiderThanATerminal) {
  TraceByHand T;
  for (int I = 0; I < 12; ++I)
    T.round("Iteration", I).barrier().wait(0);
  const std::string Text = text(T.F, {});
  for (llvm::StringRef Line : llvm::split(llvm::StringRef(Text), '\n'))
    EXPECT_LE(Line.size(), 80u) << Line.str();
  EXPECT_EQ(llvm::StringRef(Text).count("  step"), 4u) << Text;
}

TEST(TimelineText, NamesAreEscaped) {
  TraceByHand T = twoSlots();
  for (DrawnStep &S : T.Around.Steps)
    if (!S.Slot.empty())
      S.Slot = "A\x1b[31m";
  T.Around.Rounds[0].Variable = "K\n";
  const std::string Text = text(T.F, {});
  EXPECT_EQ(Text.find('\x1b'), std::string::npos);
  EXPECT_NE(Text.find("A<U+001B>"), std::string::npos) << Text;
  EXPECT_NE(Text.find("K<U+000A> = 0"), std::string::npos) << Text;
}

TEST(Timeline, SurvivesJson) {
  TraceByHand T = twoSlots();
  T.Around.Before = 3;
  T.last().Threads = "0-31";
  T.last().Count = 4;
  FileReport R, Same;
  R.Findings = {T.told().F};
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(llvm::json::Value(R), Same, Root));
  EXPECT_EQ(llvm::json::Value(R), llvm::json::Value(Same));
  EXPECT_EQ(text(R.Findings[0], {}), text(Same.Findings[0], {}));
  EXPECT_TRUE(Same.Findings[0].Around.IsInFlight);
}
