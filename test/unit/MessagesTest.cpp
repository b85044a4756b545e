//===- MessagesTest.cpp - Words of every check ----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeUpFindings.h"

using namespace cpasync;
using Kind = TraceStep::Kind;

TEST(Messages, ReadsInFlight) {
  expectPrimary(
      readInFlight(InFlightCause::NeverWaited),
      {"unwaited-read", 4,
       "'Tile' is read before the asynchronous copy into it has completed",
       "'Tile' may be read before the asynchronous copy into it has "
       "completed"});
  expectPrimary(
      readInFlight(InFlightCause::NotCommitted),
      {"uncommitted-copy", 1,
       "asynchronous copy into 'Tile' is uncommitted at the wait",
       "asynchronous copy into 'Tile' may be uncommitted at the wait"});
  expectPrimary(readInFlight(InFlightCause::WaitBeforeCommit),
                {"wrong-wait-group", 3,
                 "wait runs before the copy into 'Tile' is committed",
                 "wait may run before the copy into 'Tile' is committed"});
  Finding F = readInFlight(InFlightCause::WaitTooWeak);
  F.Value = 1;
  expectPrimary(F, {"wrong-wait-group", 3,
                    "wait leaves 1 group in flight, but 'Tile' was copied in "
                    "the newest one",
                    "wait leaves 1 group in flight, but 'Tile' may be in the "
                    "newest one"});
  F.Value = -1; // acts as 63
  F.NewerGroups = 2;
  expectPrimary(F, {"wrong-wait-group", 3,
                    "wait leaves 63 groups in flight, but only 2 are newer "
                    "than the copy into 'Tile'",
                    "wait leaves 63 groups in flight, but only 2 may be newer "
                    "than the copy into 'Tile'"});
}

TEST(Messages, Divergence) {
  Finding F = readInFlight(InFlightCause::Divergent);
  expectPrimary(F, {"divergent-commit", 3,
                    "wait is run by only some of the threads that copy into "
                    "'Tile'",
                    "wait may be run by only some of the threads that copy "
                    "into 'Tile'"});
  F.Trace.push_back({Kind::CommitSkipped, loc(9), "0-31"});
  EXPECT_EQ(owner(F).Describe(F).Loc, loc(9));
  EXPECT_EQ(owner(F).Describe(F).Text,
            "commit is run by only some of the threads that copy into 'Tile'");
  EXPECT_EQ(F.Split, Divergence::Threads);
  F.Split = Divergence::Warps;
  EXPECT_EQ(owner(F).Describe(F).Text,
            "commit is run by only some of the warps that copy into 'Tile'");
  F.Split = Divergence::Lanes;
  EXPECT_EQ(owner(F).Describe(F).Text,
            "commit is run by only some lanes of a warp that copies into "
            "'Tile'");
}

TEST(Messages, Entanglement) {
  Finding F = readInFlight(InFlightCause::Entangled);
  F.At.Commit = loc(2);
  expectPrimary(F, {"warp-entanglement", 2,
                    "commit by lanes of a warp serves the others that copy "
                    "into 'Tile'",
                    "commit by lanes of a warp may serve the others that copy "
                    "into 'Tile'"});
  F.Kind = FindingKind::OverWait;
  F.Limit = 4;
  F.NewerGroups = 2;
  expectPrimary(F, {"warp-entanglement", 3,
                    "wait counts 4 groups of the warp, of which a thread "
                    "committed only 2",
                    "wait may count 4 groups of the warp, of which a thread "
                    "committed only 2"});
}

TEST(Messages, UncopiedReads) {
  Finding F = readInFlight(InFlightCause::Divergent);
  F.Kind = FindingKind::UnwrittenRead;
  expectPrimary(F, {"uncopied-read", 5,
                    "some threads may leave here before they copy what others "
                    "read of 'Tile'",
                    "some threads may leave here before they copy what others "
                    "read of 'Tile'"});
}

TEST(Messages, MismatchedPhases) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Kind = FindingKind::StuckPhase;
  F.Object = "Full";
  F.Value = 3;
  F.Limit = 96;
  expectPrimary(F, {"mismatched-phase", 3,
                    "phase of 'Full' waited for here never completes: 3 of 96 "
                    "arrivals came",
                    "phase of 'Full' waited for here may never complete: 3 of "
                    "96 arrivals came"});
  F.Value = F.Limit = 1;
  F.Copied = 2048;
  expectPrimary(F, {"mismatched-phase", 3,
                    "phase of 'Full' waited for here never completes: 2048 "
                    "bytes more announced than copied",
                    "phase of 'Full' waited for here may never complete: 2048 "
                    "bytes more announced than copied"});
  F.Path.LeavesOpen = true;
  expectPrimary(F, {"mismatched-phase", 3,
                    "phase of 'Full' waited for here never completes: at least "
                    "2048 bytes more announced than copied",
                    "phase of 'Full' waited for here may never complete: at "
                    "least 2048 bytes more announced than copied"});
  F.Copied = -16;
  expectPrimary(F, {"mismatched-phase", 3,
                    "phase of 'Full' waited for here never completes: at least "
                    "16 bytes more copied than announced",
                    "phase of 'Full' waited for here may never complete: at "
                    "least 16 bytes more copied than announced"});
  F.Path.LeavesOpen = false;
  F.Copied = -1;
  F.Object = "";
  expectPrimary(F, {"mismatched-phase", 3,
                    "phase of an mbarrier waited for here never completes: 1 "
                    "byte more copied than announced",
                    "phase of an mbarrier waited for here may never complete: "
                    "1 byte more copied than announced"});
  F.Kind = FindingKind::StuckStage;
  F.Object = "State";
  F.Value = 0;
  F.Limit = 96;
  expectPrimary(F, {"mismatched-phase", 3,
                    "stage of 'State' acquired here is never free: 0 of 96 "
                    "threads released it",
                    "stage of 'State' acquired here may never be free: 0 of 96 "
                    "threads released it"});
  F.Object = "";
  F.Kind = FindingKind::StuckBarrier;
  F.Text = "1";
  F.Value = 128;
  F.Limit = 160;
  expectPrimary(F, {"mismatched-phase", 3,
                    "barrier 1 waited for here never completes: 128 of 160 "
                    "threads came",
                    "barrier 1 waited for here may never complete: 128 of 160 "
                    "threads came"});
  F.Limit = 96;
  expectPrimary(F, {"mismatched-phase", 3,
                    "128 threads at once at barrier 1 that waits for 96",
                    "128 threads at once at barrier 1 that waits for 96"});
  F.Limit = 1;
  F.Kind = FindingKind::ExtraArrivals;
  F.Value = 96;
  expectPrimary(F, {"mismatched-phase", 5,
                    "96 arrivals at once in a phase of an mbarrier that waits "
                    "for 1",
                    "96 arrivals at once in a phase of an mbarrier that waits "
                    "for 1"});
  F.Kind = FindingKind::UnorderedInit;
  F.Thread = 32;
  F.Other = 0;
  expectPrimary(F, {"mismatched-phase", 5,
                    "an mbarrier may be used by thread 32 before thread 0 has "
                    "initialised it",
                    "an mbarrier may be used by thread 32 before thread 0 has "
                    "initialised it"});
}

TEST(Messages, BlocksThatAreNotThere) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Kind = FindingKind::EndedBlock;
  F.Object = "Told";
  F.Value = 1;
  F.Thread = 64;
  F.Path.ThreadsOfBlock = 128;
  F.Trace = {{Kind::BlockReached, loc(6), "Told"}, {Kind::KernelEnd, loc(9)}};
  const std::string Ended =
      "'Told' of block 1 may be reached here after that block has ended";
  expectPrimary(F, {"absent-block", 5, Ended.c_str(), Ended.c_str()});
  EXPECT_EQ(texts(traceNotes(F, loc(5))),
            (std::vector<std::string>{
                "'Told' of another block reached here", "kernel ends here",
                "thread 64 of block 0 reaches block 1 here"}));
  F.Kind = FindingKind::MissingBlock;
  F.Limit = 1;
  F.Trace = {};
  expectPrimary(F, {"absent-block", 5,
                    "'Told' of block 1 is reached here in a cluster of 1 block",
                    "'Told' of block 1 may be reached here in a cluster of 1 "
                    "block"});
}

TEST(Messages, ThreadsOfAClusterAreThoseOfABlock) {
  Finding F;
  EXPECT_EQ(threadName(F, 130), "thread 130");
  F.Path.ThreadsOfBlock = 128;
  EXPECT_EQ(threadName(F, 130), "thread 2 of block 1");
  EXPECT_EQ(threadName(F, 127), "thread 127 of block 0");
}

TEST(Messages, StepsOfWhatIsLeftOut) {
  Finding F;
  F.Kind = FindingKind::UnwrittenRead;
  F.Cause = InFlightCause::LeftOut;
  F.Trace = {{Kind::CopyLeftOut, loc(5), "Tile"},
             {Kind::Read, loc(6), "Tile"},
             {Kind::ResultStored, loc(7)}};
  const std::vector<Note> Notes = traceNotes(F, loc(6));
  ASSERT_EQ(Notes.size(), 2u); // the warning tells of the read
  EXPECT_EQ(Notes[0].Text,
            "left out here where a condition around the copy does not hold");
  EXPECT_EQ(Notes[1].Text, "what is made of it is stored here");
}

TEST(Messages, StepsOfPhases) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Kind = FindingKind::StuckPhase;
  F.Trace = {{Kind::MbarrierInit, loc(5), "Full", 2},
             {Kind::BytesAnnounced, loc(6), "Full"},
             {Kind::MbarrierArrived, loc(7), "Full"},
             {Kind::MbarrierUsed, loc(7), "Full", 32},
             {Kind::PhaseAwaited, loc(8), "Full"},
             {Kind::CopiedInBulk, loc(9), "Tile"}};
  const std::vector<Note> Notes = traceNotes(F, loc(3));
  ASSERT_EQ(Notes.size(), 6u);
  EXPECT_EQ(Notes[3].Text, "thread 32 uses 'Full' here");
  EXPECT_EQ(Notes[0].Text,
            "'Full' initialised here, a phase expects 2 arrivals");
  EXPECT_EQ(Notes[1].Text, "bytes of the phase announced here");
  EXPECT_EQ(Notes[2].Text, "arrived at 'Full' here");
  EXPECT_EQ(Notes[4].Text, "phase of 'Full' waited for here");
  EXPECT_EQ(Notes[5].Text, "copied in bulk here");
}

TEST(Messages, UnfencedBulkCopies) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Kind = FindingKind::MissingFence;
  F.ByStore = true;
  F.Thread = 0;
  F.Other = 5;
  F.Byte = 80;
  expectPrimary(F, {"unfenced-bulk-copy", 1,
                    "'Tile' is copied in bulk with no proxy fence behind the "
                    "stores to it",
                    "'Tile' may be copied in bulk with no proxy fence behind "
                    "the stores to it"});
  EXPECT_EQ(witnessNote(F).Text, "bulk copy of thread 0 reads byte 80 of "
                                 "'Tile' here, stored by thread 5");
  F.Overwritten = OverwriteCause::MatrixRead;
  expectPrimary(F, {"unfenced-bulk-copy", 1,
                    "'Tile' is read by a matrix product with no proxy fence "
                    "behind the stores to it",
                    "'Tile' may be read by a matrix product with no proxy "
                    "fence behind the stores to it"});
  EXPECT_EQ(witnessNote(F).Text, "matrix product of thread 0 reads byte 80 of "
                                 "'Tile' here, stored by thread 5");
  F.Overwritten = OverwriteCause::BulkRead;
  F.Kind = FindingKind::UnorderedSource;
  F.ByStore = false;
  expectPrimary(F, {"unfenced-bulk-copy", 1,
                    "'Tile' is copied in bulk with no barrier behind the "
                    "copies to it",
                    "'Tile' may be copied in bulk with no barrier behind the "
                    "copies to it"});
  EXPECT_EQ(witnessNote(F).Text, "bulk copy of thread 0 reads byte 80 of "
                                 "'Tile' here, copied by thread 5");
}

TEST(Messages, WhoLeftAndWhoCame) {
  Finding F = readInFlight(InFlightCause::Divergent);
  F.Trace = {{Kind::Left, loc(5), "64-127", LeftKernel},
             {Kind::Left, loc(6), "5", LeftIteration},
             {Kind::Left, loc(7), "5", LeftLoop},
             {Kind::Left, loc(8), "5", LeftFunction},
             {Kind::BarrierSkipped, loc(9), "0-63"}};
  const std::vector<Note> Notes = traceNotes(F, loc(3));
  ASSERT_GE(Notes.size(), 5u);
  EXPECT_EQ(Notes[0].Text, "kernel left here by threads 64-127");
  EXPECT_EQ(Notes[1].Text, "iteration left here by thread 5");
  EXPECT_EQ(Notes[2].Text, "loop left here by thread 5");
  EXPECT_EQ(Notes[3].Text, "function left here by thread 5");
  EXPECT_EQ(Notes[4].Text, "barrier reached here only by threads 0-63");
  F.Trace = {{Kind::BarrierSkipped, loc(9), "0-95", 0, /*AreTooMany=*/true}};
  ASSERT_FALSE(traceNotes(F, loc(3)).empty());
  EXPECT_EQ(traceNotes(F, loc(3))[0].Text,
            "barrier reached here by threads 0-95");
}

TEST(Messages, OtherKinds) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Kind = FindingKind::ReadBeforeCopy;
  expectPrimary(F, {"unwaited-read", 4,
                    "'Tile' is read before any copy into it is issued",
                    "'Tile' may be read before any copy into it is issued"});
  F.Kind = FindingKind::Misaligned;
  F.Value = 4;
  F.Limit = 16;
  expectPrimary(F, {"misaligned-copy", 1,
                    "destination 'Tile' of the asynchronous copy is 4 bytes "
                    "past a multiple of 16",
                    "destination 'Tile' of the asynchronous copy may be 4 "
                    "bytes past a multiple of 16"});
  F.Kind = FindingKind::UncommittedAtEnd;
  expectPrimary(F, {"uncommitted-copy", 1,
                    "asynchronous copy into 'Tile' is uncommitted at the end "
                    "of the kernel",
                    "asynchronous copy into 'Tile' may be uncommitted at the "
                    "end of the kernel"});
  F.Kind = FindingKind::WaitCountRange;
  F.Text = "cp.async.wait_group";
  F.Value = -1;
  const char *Count = "'cp.async.wait_group' takes the count -1 for 63";
  expectPrimary(F, {"wrong-wait-group", 3, Count, Count});
  F.Text = "__pipeline_wait_prior";
  F.Value = 12;
  Count = "'__pipeline_wait_prior' takes the count 12 for 8";
  expectPrimary(F, {"wrong-wait-group", 3, Count, Count});
}

TEST(Messages, EveryOperandRule) {
  const std::pair<OperandRule, const char *> Rules[] = {
      {OperandRule::CacheGlobalSize,
       "copy size 8 is not 16, the only one '.cg' takes"},
      {OperandRule::CopySize, "copy size 8 is not 4, 8 or 16"},
      {OperandRule::SrcSize, "source size 8 is larger than the copy size 4"},
      {OperandRule::SrcSizeNegative, "source size 8 is negative"},
      {OperandRule::BulkSize, "bulk copy size 8 is not a multiple of 16"},
      {OperandRule::ZeroFill,
       "zero fill of 8 bytes is larger than the copy size 4"},
      {OperandRule::Malformed, "instruction is not valid PTX: no '.global'"},
  };
  for (const auto &[Rule, Text] : Rules) {
    Finding F = readInFlight(InFlightCause::NeverWaited);
    F.Kind = FindingKind::BadOperand;
    F.Rule = Rule;
    F.Value = 8;
    F.Limit = 4;
    F.Text = "no '.global'";
    expectPrimary(F, {"invalid-copy-size", 5, Text, Text});
  }
}

TEST(Messages, ObjectWithoutName) {
  Finding F = readInFlight(InFlightCause::NeverWaited);
  F.Object.clear();
  EXPECT_EQ(owner(F).Describe(F).Text,
            "shared memory is read before the asynchronous copy into it has "
            "completed");
}

TEST(Messages, EveryRepairSaysItsEffect) {
  Finding F;
  F.Repairs = {
      {Repair::Kind::WaitForAll, loc(1), {}, "0", 0},
      {Repair::Kind::WaitForAll, loc(1), {}, "1", 1},
      {Repair::Kind::WaitForAll, loc(1), {}, "2", 2},
      {Repair::Kind::InsertCommit, loc(1), {}, "commit();\n  ", 0},
      {Repair::Kind::InsertWait, loc(1), {}, "wait(); ", 0},
      {Repair::Kind::UseCacheAll, loc(1), {}, "", 0},
      {Repair::Kind::CommitAlways, loc(1), {}, " else {\n    commit();\n  }"}};
  const std::vector<Note> Notes = repairNotes(F);
  EXPECT_EQ(
      texts(Notes),
      (std::vector<std::string>{
          "wait for all groups", "wait until at most 1 group is in flight",
          "wait until at most 2 groups are in flight",
          "commit the copy: insert 'commit();'",
          "wait for all copies: insert 'wait();'",
          "copy with '.ca', which takes 4, 8 or 16 bytes",
          "commit also where nothing is copied: insert 'else { commit(); }'"}));
  EXPECT_EQ(Notes[1].Fix, &F.Repairs[1]);
}

TEST(Messages, WhatIsSlowComesLastAndSaysWhatIsBetter) {
  using Slowness = Repair::Slowness;
  const std::pair<Slowness, const char *> Reasons[] = {
      {Slowness::ByCommits, "commit also where nothing is copied"},
      {Slowness::ByLoopEnd, "wait for all groups behind the loop"},
      {Slowness::ByStart, "commit each copy before the loop by itself"}};
  for (const auto &[Slow, Better] : Reasons) {
    Finding F;
    F.Repairs = {
        {Repair::Kind::WaitForAll, loc(1), {}, "0", 0, Slow},
        {Repair::Kind::InsertWait, loc(2), {}, "wait();", 0, Slowness::None}};
    EXPECT_EQ(texts(repairNotes(F)),
              (std::vector<std::string>{
                  "wait for all copies: insert 'wait();'",
                  std::string("wait for all groups; slow: better ") + Better}));
  }
}

TEST(Messages, OtherReads) {
  Finding F;
  EXPECT_TRUE(alsoReadNotes(F).empty());
  F.At.OtherReads = {loc(1), loc(2)};
  EXPECT_EQ(texts(alsoReadNotes(F)),
            (std::vector<std::string>{"also read here", "also read here"}));
  F.At.OtherReads = {loc(1), loc(2), loc(3), loc(4), loc(5), loc(6)};
  EXPECT_EQ(texts(alsoReadNotes(F)).back(),
            "also read here, and in 2 more places");
}

TEST(Messages, AThreadOfABlockThatIsNoRow) {
  Finding F;
  EXPECT_EQ(threadName(F, 37), "thread 37");
  F.Path.BlockX = 16;
  F.Path.BlockY = 8;
  EXPECT_EQ(threadName(F, 37), "thread 37 (5, 2)");
  EXPECT_EQ(threadName(F, 165), "thread 165 (5, 2, 1)");
  F.Path.ThreadsOfBlock = 128;
  EXPECT_EQ(threadName(F, 165), "thread 37 (5, 2) of block 1");
}

// Every cause has words of its own, in the warning and in the witness.
TEST(Messages, WhatAWriteIsNotOrderedAfter) {
  const std::vector<std::pair<OverwriteCause, std::string>> Witnesses = {
      {OverwriteCause::InFlight, "copied"},
      {OverwriteCause::StillRead, "read"},
      {OverwriteCause::AfterCopy, "copied"},
      {OverwriteCause::AfterStore, "stored"},
      {OverwriteCause::BulkRead, "copied in bulk"},
      {OverwriteCause::MatrixRead, "used in a matrix product"},
      {OverwriteCause::BulkReadOtherKind, "copied in bulk"}};
  for (const auto &[Cause, Access] : Witnesses) {
    Finding F;
    F.Kind = FindingKind::Overwrite;
    F.Overwritten = Cause;
    F.Object = "Tile";
    F.At.Write = loc(2);
    F.Thread = 1;
    F.Other = 40;
    F.Byte = 16;
    EXPECT_EQ(witnessNote(F).Text,
              "thread 1 overwrites byte 16 of 'Tile' here, " + Access +
                  " by thread 40");
    unsigned Owners = 0;
    for (const CheckInfo &Check : allChecks())
      if (Check.Owns(F)) {
        ++Owners;
        EXPECT_FALSE(Check.Describe(F).Text.empty());
      }
    EXPECT_EQ(Owners, 1u);
  }
}

TEST(Messages, StepsAroundABarrier) {
  using Kind = TraceStep::Kind;
  Finding F;
  F.Kind = FindingKind::Overwrite;
  F.Trace = {{Kind::Stored, loc(1)},
             {Kind::WaitDone, loc(2)},
             {Kind::BulkCommitted, loc(3)},
             {Kind::BulkWaited, loc(4)},
             {Kind::Overwritten, loc(9)}}; // the warning itself
  EXPECT_EQ(texts(traceNotes(F, loc(9))),
            (std::vector<std::string>{
                "stored here", "its thread waits for the copy here",
                "bulk copies committed here", "bulk copies waited for here"}));
  F.Trace = {{Kind::MatrixRead, loc(5)},
             {Kind::MatricesCommitted, loc(6)},
             {Kind::MatricesWaited, loc(7)}};
  EXPECT_EQ(texts(traceNotes(F, loc(9))),
            (std::vector<std::string>{"matrix product issued here",
                                      "matrix products committed here",
                                      "matrix products waited for here"}));
}

TEST(Messages, WhereATensorMapIs) {
  Finding F;
  F.Kind = FindingKind::MapSpace;
  F.Text = "shared";
  for (const CheckInfo &Check : allChecks()) {
    if (!Check.Owns(F))
      continue;
    F.OnEveryPath = true;
    EXPECT_EQ(
        Check.Describe(F).Text,
        "tensor map is in shared memory, where a tensor copy cannot read it");
    F.Object = "Map";
    F.OnEveryPath = false;
    EXPECT_EQ(Check.Describe(F).Text,
              "tensor map 'Map' may be in shared memory, where a tensor copy "
              "cannot read it");
  }
}

// Without a name, the copy is told by its operand.
TEST(Messages, WhereAnOperandIs) {
  Finding F;
  F.Kind = FindingKind::WrongSpace;
  F.Text = "local";
  for (const CheckInfo &Check : allChecks()) {
    if (!Check.Owns(F))
      continue;
    F.OnEveryPath = true;
    EXPECT_EQ(Check.Describe(F).Text,
              "destination of the asynchronous copy is in local memory, not in "
              "shared memory");
    F.IsSource = true;
    EXPECT_EQ(Check.Describe(F).Text,
              "source of the asynchronous copy is in local memory, not in "
              "global memory");
  }
}

TEST(Messages, WhoseCommitAndWhoseWait) {
  Finding F;
  F.Kind = FindingKind::ReadInFlight;
  F.Cause = InFlightCause::OtherKind;
  F.Object = "Tile";
  for (const CheckInfo &Check : allChecks()) {
    if (!Check.Owns(F))
      continue;
    F.At.Commit = loc(1);
    EXPECT_EQ(Check.Describe(F).Text,
              "commit of bulk copies does not commit the copy into 'Tile'");
    F.At.Commit = {};
    F.At.Wait = loc(2);
    EXPECT_EQ(Check.Describe(F).Text,
              "wait for bulk copies does not wait for the copy into 'Tile'");
  }
}
