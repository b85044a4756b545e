//===- Advice.cpp - What to do about a finding ----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Advice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace cpasync;

static clang::SourceLocation commitOrWait(const Finding &F) {
  return F.At.Commit.isValid() ? F.At.Commit : F.At.Wait;
}

static llvm::StringRef commitOrWaitWord(const Finding &F) {
  return F.At.Commit.isValid() ? "commit" : "wait";
}

/// How to commit or wait where the other kind of group is meant.
static std::string ofRightKind(const Finding &F, const std::string &Copies,
                               const std::string &Prefix) {
  return F.At.Commit.isValid()
             ? Copies + " are committed by '" + Prefix + ".commit_group'"
             : Copies + " are waited for by '" + Prefix + ".wait_group'";
}

static Note onWeakWait(const Finding &F) {
  std::string Text =
      F.Limit == 0
          ? "leave no group in flight here"
          : "leave at most " + counted(F.Limit, "group") + " in flight here";
  // A last iteration that copies nothing commits nothing either.
  const bool HangsOnBranch = llvm::any_of(F.Trace, [](const TraceStep &Step) {
    return Step.K == TraceStep::Kind::BranchTaken;
  });
  if (HangsOnBranch && !F.OnEveryPath)
    Text += ", or commit also where nothing is copied";
  return {F.At.Wait, std::move(Text)};
}

static Note onReadInFlight(const Finding &F) {
  switch (F.Cause) {
  case InFlightCause::NeverWaited:
    return {F.At.Read,
            F.Thread >= 0 && F.Thread == F.Reader
                ? "a wait for the copy belongs before this read, and a "
                  "barrier where others copied"
                : "a wait for the copy and a barrier belong before this read"};
  case InFlightCause::NotCommitted:
    return {F.At.Wait, "a commit belongs between the copy and this wait"};
  case InFlightCause::WaitBeforeCommit:
    return {F.At.Wait, "this wait belongs behind the commit of the copy"};
  case InFlightCause::WaitTooWeak:
    return onWeakWait(F);
  case InFlightCause::Divergent:
    return {commitOrWait(F), "all threads that copy must come to this " +
                                 commitOrWaitWord(F).str()};
  case InFlightCause::Entangled:
    return {commitOrWait(F),
            "all lanes of a warp that copy must come to this " +
                commitOrWaitWord(F).str()};
  case InFlightCause::OtherKind:
    return {commitOrWait(F),
            ofRightKind(F, "copies that are not bulk copies", "cp.async")};
  }
  llvm_unreachable("all causes have advice");
}

static Note onOverwrite(const Finding &F) {
  switch (F.Overwritten) {
  case OverwriteCause::InFlight:
    // One instruction, two threads.
    if (F.At.Copy == F.At.Write && F.Thread != F.Other)
      return {F.At.Write, "threads that copy different data need places of "
                          "their own, or a barrier between them"};
    return {F.At.Write,
            F.Thread == F.Other
                ? "a wait for the copy belongs before this overwrite"
                : "a wait for the copy and a barrier belong before this "
                  "overwrite"};
  case OverwriteCause::StillRead:
    return {F.At.Write,
            "a barrier belongs between the read and this overwrite"};
  case OverwriteCause::AfterCopy:
    return {F.At.Write, "a barrier belongs between the wait for the copy and "
                        "this overwrite"};
  case OverwriteCause::AfterStore:
    return {F.At.Write,
            "a barrier belongs between the store and this overwrite"};
  case OverwriteCause::BulkRead:
    return {F.At.Write,
            "a wait by 'cp.async.bulk.wait_group.read' and a barrier belong "
            "before this overwrite"};
  case OverwriteCause::MatrixRead:
    return {F.At.Write, "a 'wgmma.wait_group' for the product, and a barrier "
                        "or an arrival, belong before this overwrite"};
  case OverwriteCause::BulkReadOtherKind:
    return {commitOrWait(F), ofRightKind(F, "bulk copies", "cp.async.bulk")};
  }
  llvm_unreachable("all causes have advice");
}

static std::string onOperand(const Finding &F) {
  switch (F.Rule) {
  case OperandRule::CacheGlobalSize:
    return "copy 16 bytes at a time, or with '.ca'";
  case OperandRule::CopySize:
    return "copy 4, 8 or 16 bytes at a time";
  case OperandRule::SrcSize:
  case OperandRule::SrcSizeNegative:
    return "a source size is from 0 to the copy size";
  case OperandRule::ZeroFill:
    return "a zero fill is from 0 to the copy size";
  case OperandRule::BulkSize:
    return "copy a multiple of 16 bytes";
  case OperandRule::Malformed:
    return "the PTX ISA lists what the instruction takes";
  }
  llvm_unreachable("all rules have advice");
}

static std::string onWrongSpace(const Finding &F) {
  return F.IsSource
             ? "only global memory is copied from: load and store instead"
             : "only shared memory is copied into: load and store instead";
}

static std::string onMisaligned(const Finding &F) {
  std::string Text = "align the address to " + counted(F.Limit, "byte");
  if (F.Limit > 4)
    Text += ", or copy fewer bytes at a time";
  return Text;
}

/// Of what was not fenced or ordered.
static llvm::StringRef readerOf(const Finding &F) {
  return F.Overwritten == OverwriteCause::MatrixRead ? "product" : "copy";
}

/// Both threads are.
static bool isOfOneBlock(const Finding &F) {
  const int OfBlock = int(F.Path.ThreadsOfBlock);
  return !OfBlock || F.Thread / OfBlock == F.Other / OfBlock;
}

Note cpasync::adviceNote(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
    return onReadInFlight(F);
  case FindingKind::ReadBeforeCopy:
    return {F.At.Read,
            "the copy, a wait for it and a barrier belong before this read"};
  case FindingKind::UnwrittenRead:
    return {F.At.Copy, "all bytes that are read must be copied: a size is in "
                       "bytes, not in elements"};
  case FindingKind::BadOperand:
    return {F.At.Operand, onOperand(F)};
  case FindingKind::WaitCountRange:
    return {F.At.Operand,
            "a count is from 0 to " + std::to_string(F.Limit) + " here"};
  case FindingKind::UncommittedAtEnd:
    return {F.At.Copy, "commit the copy and wait for it, or leave it out"};
  case FindingKind::Misaligned:
    return {F.At.Copy, onMisaligned(F)};
  case FindingKind::UnsynchronizedRead:
    return {F.At.Read,
            "a barrier belongs between the wait for the copy and this read"};
  case FindingKind::WrongSpace:
    return {F.At.Copy, onWrongSpace(F)};
  case FindingKind::MapSpace:
    return {F.At.Operand.isValid() ? F.At.Operand : F.At.Copy,
            "pass the map as a 'const __grid_constant__' parameter of the "
            "kernel, and its address from there"};
  case FindingKind::Overwrite:
    return onOverwrite(F);
  case FindingKind::StuckPhase:
    return {F.At.Wait,
            F.Value >= F.Limit
                ? "announce as many bytes as are copied in each phase"
                : "as many must arrive in each phase as the "
                  "initialisation says"};
  case FindingKind::ExtraArrivals:
    return {F.At.Operand, "initialise the mbarrier with as many arrivals as "
                          "come in a phase"};
  case FindingKind::UnorderedInit:
    return {F.At.Operand,
            isOfOneBlock(F)
                ? "a barrier belongs between the initialisation and this use"
                : "a barrier of the cluster belongs between the initialisation "
                  "and this use"};
  case FindingKind::MissingBlock:
    return {F.At.Operand, "ranks, and the bits of a mask, are those of the "
                          "blocks that the cluster has"};
  case FindingKind::EndedBlock:
    return {F.At.Operand, "a barrier of the cluster belongs between this and "
                          "the end of the kernel"};
  case FindingKind::MissingFence:
    return {F.At.Copy, "'fence.proxy.async' by the threads that store and a "
                       "barrier belong before this " +
                           readerOf(F).str()};
  case FindingKind::UnorderedSource:
    return {F.At.Copy,
            (F.ByStore ? "a barrier belongs between the stores and this "
                       : "a barrier belongs between the wait for the copies "
                         "and this ") +
                readerOf(F).str()};
  case FindingKind::OverWait:
    return {F.At.Wait,
            "commit where all lanes of a warp have come together again"};
  }
  llvm_unreachable("all findings have advice");
}
