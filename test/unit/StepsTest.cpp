//===- StepsTest.cpp - Words of the way to a finding ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeUpFindings.h"

using namespace cpasync;
using Kind = TraceStep::Kind;

TEST(Steps, TraceInOrderWithAssumptionsAndWitnessLast) {
  Finding F = readInFlight(InFlightCause::WaitTooWeak);
  F.Value = 1;
  F.Reader = 5;
  F.Thread = 4;
  F.Byte = 20;
  F.Trace = {{Kind::AssumedThreads, loc(7), "128 threads"},
             {Kind::CopyIssued, loc(1), "Tile"},
             {Kind::Committed, loc(2)},
             {Kind::Waited, loc(3), "", 1},
             {Kind::Read, loc(4), "Tile"}};
  EXPECT_EQ(texts(traceNotes(F, loc(3))),
            (std::vector<std::string>{
                "copy issued here", "committed here as the newest group",
                "assuming blocks of 128 threads",
                "thread 5 reads byte 20 of 'Tile' here, copied by thread 4"}));
  // The wait is the warning; where another one is, it is told.
  EXPECT_EQ(texts(traceNotes(F, loc(9)))[2],
            "wait leaves up to 1 group in flight");
}

TEST(Steps, CopyAfterTheReadIsToldAfterIt) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Kind = FindingKind::ReadBeforeCopy;
  F.Reader = 5;
  F.Byte = 20;
  F.Trace = {{Kind::AssumedThreads, loc(7), "128 threads"},
             {Kind::Iteration, loc(8), "", 0},
             {Kind::Read, loc(4), "Tile"},
             {Kind::CopyOfLaterSlot, loc(1), "Tile"}};
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            (std::vector<std::string>{"in the first iteration of this loop",
                                      "thread 5 reads byte 20 of 'Tile' here",
                                      "first copy into these bytes issued here",
                                      "assuming blocks of 128 threads"}));
}

TEST(Steps, CopyOfTheWarningIsToldBetweenIterations) {
  Finding F = readInFlight(InFlightCause::NotCommitted);
  F.Trace = {{Kind::Iteration, loc(8), "", 0},
             {Kind::CopyIssued, loc(1), "Tile"},
             {Kind::Waited, loc(3), "", 0}};
  EXPECT_EQ(texts(traceNotes(F, loc(1))),
            (std::vector<std::string>{"in the first iteration of this loop",
                                      "wait for all groups is here"}));
  F.Trace.insert(F.Trace.begin() + 2, {Kind::Iteration, loc(8), "", 1});
  EXPECT_EQ(texts(traceNotes(F, loc(1)))[1], "copy issued here");
}

static TraceStep withNumbers(std::vector<NamedNumber> Numbers, bool IsFound) {
  TraceStep Step{TraceStep::Kind::WithNumbers, loc(1)};
  Step.Numbers = std::move(Numbers);
  Step.Flag = IsFound;
  return Step;
}

TEST(Steps, EveryStepHasWords) {
  const std::pair<TraceStep, const char *> Steps[] = {
      {{Kind::CopyIssued, loc(1), "Tile"}, "copy issued here"},
      {{Kind::CopyOfLaterSlot, loc(1), "Tile"},
       "first copy into these bytes issued here"},
      {{Kind::Committed, loc(1)}, "committed here"},
      {{Kind::CommitSkipped, loc(1)}, "commit runs here without the copy"},
      {{Kind::CommitSkipped, loc(1), "0-31, 64"},
       "committed here only by threads 0-31, 64"},
      {{Kind::CommitSkipped, loc(1), "5"}, "committed here only by thread 5"},
      {{Kind::WaitSkipped, loc(1), "0-31"},
       "waited for here only by threads 0-31"},
      {{Kind::Waited, loc(1), "", 2}, "wait leaves up to 2 groups in flight"},
      {{Kind::WaitedAll, loc(1)}, "wait for all copies is here"},
      {{Kind::TriedOnce, loc(1)},
       "this may return before the phase is complete, and nothing asks"},
      {{Kind::TriedOnce, loc(1), "", 0, true},
       "when this gives up before the phase is complete"},
      {{Kind::WaitedEarly, loc(1), "", 1},
       "wait may return at once: parity 1 is that of the phase before"},
      {{Kind::BranchTaken, loc(1), "", 0, true},
       "taken when this condition is true"},
      {{Kind::BranchTaken, loc(1), "", 0, false},
       "taken when this condition is false"},
      {{Kind::CaseTaken, loc(1), "", 0, true}, "taken in this case"},
      {{Kind::CaseTaken, loc(1), "", 0, false}, "taken when no case matches"},
      {{Kind::LoopEntered, loc(1), "", 1, false}, "loop run for 1 iteration"},
      {{Kind::LoopEntered, loc(1), "", 0, true}, "loop skipped here"},
      {{Kind::LoopEntered, loc(1), "", -1, false},
       "loop run for a number of iterations that is not known"},
      {{Kind::Iteration, loc(1), "", 2}, "in the third iteration of this loop"},
      {{Kind::Iteration, loc(1), "", 11}, "in the 12th iteration of this loop"},
      {{Kind::Iteration, loc(1), "", 21}, "in the 22nd iteration of this loop"},
      {{Kind::Iteration, loc(1), "", -1}, "in a later iteration of this loop"},
      {{Kind::Iteration, loc(1), "k", 0, false, 2},
       "in the iteration of this loop with k = 2"},
      {{Kind::Iteration, loc(1), "k", 0, true, -2},
       "in the iteration of this loop that begins with k = -2"},
      {{Kind::LoopLeft, loc(1)}, "after the last iteration of this loop"},
      {{Kind::Barrier, loc(1)}, "barrier is here"},
      {{Kind::KernelEnd, loc(1)}, "kernel ends here"},
      {{Kind::Read, loc(1)}, "read here"},
      {{Kind::CalledFrom, loc(1), "stage"},
       "while analysing the call to 'stage' here"},
      {{Kind::AssumedThreads, loc(1), "128 threads"},
       "assuming blocks of 128 threads"},
      {{Kind::AssumedAligned, loc(1), "In", 16},
       "assuming that 'In' is aligned to 16 bytes"},
      {{Kind::MadeUpArguments, loc(1), "T = float, Stages = 2"},
       "instantiated with T = float, Stages = 2, as nothing in this file does"},
      {{Kind::MadeUpArguments, loc(1)},
       "instantiated with its defaults, as nothing in this file does"},
      {{Kind::LaunchedWith, loc(1), "96 threads", 0, true},
       "launched here with blocks of 96 threads"},
      {{Kind::LaunchedWith, loc(1), "96 threads", 0, false},
       "launched elsewhere with blocks of 96 threads"},
      {{Kind::TileSize, loc(1), "", 8192, true},
       "the box of this tensor map has 8192 bytes"},
      {{Kind::TileSize, loc(1), "", 8192, false},
       "a tile has 8192 bytes by what is announced here"},
      {{Kind::TileRoom, loc(1), "", 8192},
       "a tile that is copied here has room for 8192 bytes"},
      {{Kind::TilesTogether, loc(1), "", 4096},
       "the tiles of a phase have 4096 bytes together by what is announced "
       "here"},
      {withNumbers({{"N", 64}, {"Tiles", 1}}, true), "with N = 64, Tiles = 1"},
      {withNumbers({{"N", 64}}, false),
       "with N = 64 it is not confirmed within the budget"},
      {{Kind::WithNumbers, loc(1)},
       "whether a run takes this path is not decided within the budget"},
      {{Kind::AssumedHarmless, loc(1)},
       "assuming that this code, which does not compile, does not matter"},
  };
  for (const auto &[Step, Text] : Steps) {
    Finding F = readInFlight(InFlightCause::NeverWaited);
    F.Trace = {Step};
    EXPECT_EQ(texts(traceNotes(F, loc(9))), std::vector<std::string>{Text});
  }
}

TEST(Steps, ReadIsNotRepeated) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Trace = {{Kind::CopyIssued, loc(1), "Tile"}, {Kind::Read, loc(4), "Tile"}};
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            std::vector<std::string>{"copy issued here"});
  EXPECT_EQ(texts(traceNotes(F, loc(1))),
            (std::vector<std::string>{"copy issued here", "read here"}));
}

TEST(Steps, MiddleIsElided) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  for (unsigned I = 1; I <= 9; ++I)
    F.Trace.push_back({Kind::MbarrierInit, loc(10 + I), "Full", I});
  F.Trace.push_back({Kind::AssumedThreads, loc(7), "32 threads"});
  const auto Told = [](unsigned I) {
    return "'Full' initialised here, a phase expects " + counted(I, "arrival");
  };
  const std::vector<std::string> Texts = texts(traceNotes(F, loc(4)));
  ASSERT_EQ(Texts.size(), MaxTraceNotes + 2);
  EXPECT_EQ(Texts[1], Told(2));
  EXPECT_EQ(Texts[2], "4 steps not shown from here");
  EXPECT_EQ(Texts[3], Told(7));
  EXPECT_EQ(Texts.back(), "assuming blocks of 32 threads");

  // Reports have them all, what was assumed first.
  const std::vector<std::string> All = texts(completeTrace(F));
  ASSERT_EQ(All.size(), 10u);
  EXPECT_EQ(All.front(), "assuming blocks of 32 threads");
  EXPECT_EQ(All.back(), Told(9));

  // A note that hides a single step is no shorter than the step.
  F.Trace.resize(MaxTraceNotes + 1);
  EXPECT_EQ(texts(traceNotes(F, loc(4)))[2], Told(3));
}

TEST(Steps, StepsKeepWhatTheyAreIn) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  for (unsigned I = 0; I < 8; ++I) {
    F.Trace.push_back({Kind::Iteration, loc(9), "k", I, false, I});
    F.Trace.push_back({Kind::Barrier, loc(10 + I)});
  }
  F.Trace.push_back({Kind::Iteration, loc(9), "k", 8, false, 8});
  F.Trace.push_back({Kind::Read, loc(4), "Tile"});
  F.Reader = 5;
  const std::string In = "in the iteration of this loop with k = ";
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            (std::vector<std::string>{
                In + "0", "barrier is here", In + "1", "barrier is here",
                "3 steps not shown from here", In + "5", "barrier is here",
                In + "6", "barrier is here", In + "7", "barrier is here",
                In + "8", "thread 5 reads 'Tile' here"}));
}

TEST(Steps, OfCallsInARowTheFirstAndTheLast) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Trace = {{Kind::Called, loc(10), "a"},
             {Kind::Called, loc(11), "b"},
             {Kind::Called, loc(12), "c"},
             {Kind::Called, loc(13)},
             {Kind::CopyIssued, loc(1), "Tile"}};
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            (std::vector<std::string>{"'a' called here", "lambda called here",
                                      "copy issued here"}));
  EXPECT_EQ(completeTrace(F).size(), 5u);
}

TEST(Steps, ElementsByTheirNames) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Reader = 5;
  F.Byte = 130;
  EXPECT_EQ(witnessNote(F).Text, "thread 5 reads byte 130 of 'Tile' here");
  F.Element = {"Tile[1][0]", 0, false};
  EXPECT_EQ(witnessNote(F).Text, "thread 5 reads 'Tile[1][0]' here");
  F.Element.Byte = 2;
  EXPECT_EQ(witnessNote(F).Text, "thread 5 reads byte 2 of 'Tile[1][0]' here");
  F.Element = {"Row[32]", 0, true};
  EXPECT_EQ(witnessNote(F).Text,
            "thread 5 reads 'Row[32]' (byte 130 of 'Tile') here");
  F.Byte = -1;
  EXPECT_EQ(witnessNote(F).Text, "thread 5 reads 'Tile' here");
}

TEST(Steps, InstancesThatAreWrongInTheSameWay) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Trace = {{Kind::InstanceOf, loc(8), "ring<3, 128>"}};
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            (std::vector<std::string>{"in instantiation of 'ring<3, 128>'"}));
  F.Kernel.Others = {"ring<4, 256>"};
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            (std::vector<std::string>{
                "in instantiation of 'ring<3, 128>' and of 'ring<4, 256>'"}));
  F.Kernel.Others.push_back("ring<5, 256>");
  EXPECT_EQ(texts(traceNotes(F, loc(4))),
            (std::vector<std::string>{
                "in instantiation of 'ring<3, 128>', and in 2 more kernels"}));
}
