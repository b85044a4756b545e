//===- AdviceTest.cpp - What to do about every finding --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Advice.h"
#include "Locations.h"
#include <gtest/gtest.h>

using namespace cpasync;

namespace {

Finding finding(FindingKind Kind) {
  Finding F;
  F.Kind = Kind;
  F.At.Copy = loc(1);
  F.At.Wait = loc(3);
  F.At.Read = loc(4);
  F.At.Operand = loc(5);
  F.At.Write = loc(6);
  F.Thread = 1;
  F.Other = 2;
  F.Reader = 3;
  return F;
}

Finding inFlight(InFlightCause Cause) {
  Finding F = finding(FindingKind::ReadInFlight);
  F.Cause = Cause;
  return F;
}

Finding overwrite(OverwriteCause Cause) {
  Finding F = finding(FindingKind::Overwrite);
  F.Overwritten = Cause;
  return F;
}

void expectAdvice(const Finding &F, unsigned At, const char *Text) {
  const Note N = adviceNote(F);
  EXPECT_EQ(N.Loc, loc(At)) << Text;
  EXPECT_EQ(N.Text, Text);
  EXPECT_EQ(N.Fix, nullptr);
}

TEST(Advice, ReadsInFlight) {
  Finding F = inFlight(InFlightCause::NeverWaited);
  expectAdvice(F, 4,
               "a wait for the copy and a barrier belong before this read");
  F.Thread = F.Reader;
  expectAdvice(F, 4,
               "a wait for the copy belongs before this read, and a barrier "
               "where others copied");
  expectAdvice(inFlight(InFlightCause::NotCommitted), 3,
               "a commit belongs between the copy in line $ and this wait");
  expectAdvice(inFlight(InFlightCause::WaitBeforeCommit), 3,
               "this wait belongs behind the commit in line $");
  expectAdvice(inFlight(InFlightCause::Divergent), 3,
               "all threads that copy must come to this wait");
  F = inFlight(InFlightCause::Entangled);
  F.At.Commit = loc(2);
  expectAdvice(F, 2, "all lanes of a warp that copy must come to this commit");
  expectAdvice(inFlight(InFlightCause::OtherKind), 3,
               "copies that are not bulk copies are waited for by "
               "'cp.async.wait_group'");
}

TEST(Advice, AWeakWaitMayMissAnEmptyGroup) {
  Finding F = inFlight(InFlightCause::WaitTooWeak);
  F.Limit = 1;
  expectAdvice(F, 3, "leave at most 1 group in flight here");
  F.Trace = {{TraceStep::Kind::BranchTaken, loc(9)}};
  expectAdvice(F, 3,
               "leave at most 1 group in flight here, or commit also where "
               "nothing is copied");
  F.OnEveryPath = true;
  expectAdvice(F, 3, "leave at most 1 group in flight here");
  F.Limit = 0;
  expectAdvice(F, 3, "leave no group in flight here");
}

TEST(Advice, Overwrites) {
  Finding F = overwrite(OverwriteCause::InFlight);
  expectAdvice(
      F, 6, "a wait for the copy and a barrier belong before this overwrite");
  F.Other = F.Thread;
  expectAdvice(F, 6, "a wait for the copy belongs before this overwrite");
  F.At.Write = F.At.Copy;
  expectAdvice(F, 1, "a wait for the copy belongs before this overwrite");
  F.Other = 9;
  expectAdvice(
      F, 1,
      "threads that copy different data need places of their own, or a "
      "barrier between them");
  expectAdvice(
      overwrite(OverwriteCause::StillRead), 6,
      "a barrier belongs between the read in line $ and this overwrite");
  expectAdvice(
      overwrite(OverwriteCause::AfterCopy), 6,
      "a barrier belongs between the wait for the copy and this overwrite");
  expectAdvice(
      overwrite(OverwriteCause::AfterStore), 6,
      "a barrier belongs between the store in line $ and this overwrite");
  expectAdvice(overwrite(OverwriteCause::BulkRead), 6,
               "a wait by 'cp.async.bulk.wait_group.read' and a barrier belong "
               "before this overwrite");
  expectAdvice(overwrite(OverwriteCause::BulkReadOtherKind), 3,
               "bulk copies are waited for by 'cp.async.bulk.wait_group'");
}

// Which line that is, is known where it is printed.
TEST(Advice, NamesTheLineOfTheOther) {
  EXPECT_EQ(adviceNote(overwrite(OverwriteCause::StillRead)).Mentioned, loc(4));
  EXPECT_EQ(adviceNote(finding(FindingKind::UnsynchronizedRead)).Mentioned,
            loc(3));
  Finding F = overwrite(OverwriteCause::AfterCopy);
  F.Trace = {{TraceStep::Kind::WaitDone, loc(8)}};
  EXPECT_EQ(adviceNote(F).Mentioned, loc(8));
  F = finding(FindingKind::UnsynchronizedRead);
  F.At.Wait = {};
  expectAdvice(F, 4,
               "a barrier belongs between the wait for the copy and this read");
}

TEST(Advice, InALaterIteration) {
  using Kind = TraceStep::Kind;
  Finding F = overwrite(OverwriteCause::StillRead);
  F.Trace = {{Kind::Iteration, loc(2)}, {Kind::Read, loc(4)}};
  expectAdvice(
      F, 6, "a barrier belongs between the read in line $ and this overwrite");
  F.Trace.push_back({Kind::Iteration, loc(2)});
  expectAdvice(F, 6,
               "a barrier belongs between the read in line $ and this "
               "overwrite in a later iteration");
}

TEST(Advice, AtTheCallThatMakesItWrong) {
  Finding F = finding(FindingKind::UnsynchronizedRead);
  F.At.Call = loc(7);
  expectAdvice(F, 7,
               "a barrier belongs between the wait in line $ and this call");
  F = overwrite(OverwriteCause::StillRead);
  F.At.Call = loc(7);
  expectAdvice(F, 7,
               "a barrier belongs between the read in line $ and this call");
}

TEST(Advice, NamesTheCallBesideTheOneThatMakesItWrong) {
  using Kind = TraceStep::Kind;
  const auto At = [](Kind K, unsigned Line, unsigned Depth) {
    TraceStep Step{K, loc(Line)};
    Step.Depth = Depth;
    return Step;
  };
  Finding F = overwrite(OverwriteCause::StillRead);
  F.At.Call = loc(7);
  // The kernel calls a function, which calls two.
  F.Trace = {At(Kind::Called, 9, 0), At(Kind::Called, 8, 1),
             At(Kind::Read, 4, 2), At(Kind::Called, 7, 1),
             At(Kind::Overwritten, 6, 2)};
  expectAdvice(F, 7,
               "a barrier belongs between the call in line $ and this call");
  EXPECT_EQ(adviceNote(F).Mentioned, loc(8));
  // That function reads itself.
  F.Trace.erase(F.Trace.begin() + 1);
  F.Trace[1].Depth = 1;
  expectAdvice(F, 7,
               "a barrier belongs between the read in line $ and this call");
  EXPECT_EQ(adviceNote(F).Mentioned, loc(4));
}

TEST(Advice, Operands) {
  const std::pair<OperandRule, const char *> Rules[] = {
      {OperandRule::CacheGlobalSize, "copy 16 bytes at a time, or with '.ca'"},
      {OperandRule::CopySize, "copy 4, 8 or 16 bytes at a time"},
      {OperandRule::SrcSize, "a source size is from 0 to the copy size"},
      {OperandRule::SrcSizeNegative,
       "a source size is from 0 to the copy size"},
      {OperandRule::ZeroFill, "a zero fill is from 0 to the copy size"},
      {OperandRule::BulkSize, "copy a multiple of 16 bytes"},
      {OperandRule::Malformed, "the PTX ISA lists what the instruction takes"},
  };
  for (const auto &[Rule, Text] : Rules) {
    Finding F = finding(FindingKind::BadOperand);
    F.Rule = Rule;
    expectAdvice(F, 5, Text);
  }
  Finding F = finding(FindingKind::WaitCountRange);
  F.Limit = 63;
  expectAdvice(F, 5, "a count is from 0 to 63 here");
  F = finding(FindingKind::Misaligned);
  F.Limit = 4;
  expectAdvice(F, 1, "align the address to 4 bytes");
  F.Limit = 16;
  expectAdvice(F, 1,
               "align the address to 16 bytes, or copy fewer bytes at a time");
  F = finding(FindingKind::WrongSpace);
  expectAdvice(F, 1,
               "only shared memory is copied into: load and store instead");
  F.IsSource = true;
  expectAdvice(F, 1,
               "only global memory is copied from: load and store instead");
  F = finding(FindingKind::MapSpace);
  expectAdvice(F, 5,
               "pass the map as a 'const __grid_constant__' parameter of the "
               "kernel, and its address from there");
  F.At.Operand = {};
  expectAdvice(F, 1,
               "pass the map as a 'const __grid_constant__' parameter of the "
               "kernel, and its address from there");
}

TEST(Advice, Phases) {
  Finding F = finding(FindingKind::StuckPhase);
  F.Value = 1;
  F.Limit = 2;
  expectAdvice(F, 3,
               "as many must arrive in each phase as the initialisation says");
  F.Value = 2;
  expectAdvice(F, 3, "announce as many bytes as are copied in each phase");
  expectAdvice(finding(FindingKind::StuckStage), 3,
               "a stage must be released before it is acquired again");
  expectAdvice(
      finding(FindingKind::StuckBarrier), 3,
      "give the barrier as many threads as come to it, in whole warps");
  expectAdvice(
      finding(FindingKind::ExtraArrivals), 5,
      "initialise the mbarrier with as many arrivals as come in a phase");
  expectAdvice(
      finding(FindingKind::UnorderedInit), 5,
      "a barrier belongs between the initialisation in line $ and this "
      "use");
  F = finding(FindingKind::UnorderedInit);
  F.Path.ThreadsOfBlock = 64;
  F.Other = 64;
  expectAdvice(F, 5,
               "a barrier of the cluster belongs between the initialisation "
               "in line $ and this use");
}

TEST(Advice, BlocksThatAreNotThere) {
  expectAdvice(finding(FindingKind::MissingBlock), 5,
               "ranks, and the bits of a mask, are those of the blocks that "
               "the cluster has");
  expectAdvice(finding(FindingKind::EndedBlock), 5,
               "a barrier of the cluster belongs between this and the end of "
               "the kernel");
}

TEST(Advice, EverythingElse) {
  expectAdvice(finding(FindingKind::PartialGroup), 1,
               "all threads of the group must come to this copy, or a group of "
               "those that do must share it");
  expectAdvice(finding(FindingKind::ReadBeforeCopy), 4,
               "the copy, a wait for it and a barrier belong before this read");
  expectAdvice(
      finding(FindingKind::UnwrittenRead), 1,
      "all bytes that are read must be copied: a size is in bytes, not "
      "in elements");
  Finding Left = finding(FindingKind::UnwrittenRead);
  Left.Cause = InFlightCause::Divergent;
  expectAdvice(Left, 5,
               "all threads must come to the copies of the block; what they "
               "store may depend on the condition");
  Finding Omitted = finding(FindingKind::UnwrittenRead);
  Omitted.Cause = InFlightCause::LeftOut;
  expectAdvice(Omitted, 1,
               "where there is nothing to copy, a source size of 0 fills with "
               "zeros; or store what is to be read");
  Finding Announced = finding(FindingKind::UnwrittenRead);
  Announced.Trace.push_back({TraceStep::Kind::TilesTogether, loc(7), "", 4096});
  expectAdvice(Announced, 7,
               "announce all bytes that the copies of a phase have: a size is "
               "in bytes, not in elements");
  expectAdvice(finding(FindingKind::UncommittedAtEnd), 1,
               "commit the copy and wait for it, or leave it out");
  expectAdvice(finding(FindingKind::UnsynchronizedRead), 4,
               "a barrier belongs between the wait in line $ and this read");
  expectAdvice(finding(FindingKind::MissingFence), 1,
               "'fence.proxy.async' by the threads that store and a barrier "
               "belong before this copy");
  Finding F = finding(FindingKind::UnorderedSource);
  expectAdvice(
      F, 1, "a barrier belongs between the wait for the copies and this copy");
  F.Path.OfLanes = true;
  expectAdvice(F, 1,
               "'__syncwarp' belongs between the wait for the copies and this "
               "copy");
  F.Path.OfLanes = false;
  F.ByStore = true;
  expectAdvice(F, 1, "a barrier belongs between the stores and this copy");
  expectAdvice(finding(FindingKind::OverWait), 3,
               "commit where all lanes of a warp have come together again");
}

} // namespace
