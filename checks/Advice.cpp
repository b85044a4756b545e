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

/// Advice at the access \p At, or at the call that it is blamed on; \p Text
/// speaks of "this" and has LineMark for the line of \p Mentioned.
static Note atAccess(const Finding &F, clang::SourceLocation At,
                     llvm::StringRef What, std::string Text,
                     clang::SourceLocation Mentioned = {}) {
  const bool IsCall = F.At.Call.isValid();
  const std::string Place = "this " + (IsCall ? "call" : What).str();
  const size_t From = Text.find("$here");
  Text.replace(From, 5, Place);
  Note N{IsCall ? F.At.Call : At, std::move(Text)};
  N.Mentioned = Mentioned;
  return N;
}

static Note withLine(clang::SourceLocation At, std::string Text,
                     clang::SourceLocation Mentioned) {
  Note N{At, std::move(Text)};
  N.Mentioned = Mentioned;
  return N;
}

/// Where the first step of \p K in the trace is; invalid: there is none.
static clang::SourceLocation stepAt(const Finding &F, TraceStep::Kind K) {
  const auto Step =
      llvm::find_if(F.Trace, [&](const TraceStep &S) { return S.K == K; });
  return Step == F.Trace.end() ? clang::SourceLocation() : Step->Loc;
}

/// " in a later iteration", if the last access is in another than the first.
static llvm::StringRef inLaterIteration(const Finding &F) {
  llvm::SmallVector<clang::SourceLocation, 4> Before;
  bool IsBehind = false;
  for (const TraceStep &Step : F.Trace) {
    if (Step.K == TraceStep::Kind::Iteration) {
      if (IsBehind && llvm::is_contained(Before, Step.Loc))
        return " in a later iteration";
      Before.push_back(Step.Loc);
    }
    IsBehind |= Step.K == TraceStep::Kind::Read ||
                Step.K == TraceStep::Kind::Stored ||
                Step.K == TraceStep::Kind::WaitDone;
  }
  return "";
}

static Note onReadInFlight(const Finding &F) {
  switch (F.Cause) {
  case InFlightCause::NeverWaited:
    return atAccess(
        F, F.At.Read, "read",
        F.Thread >= 0 && F.Thread == F.Reader
            ? "a wait for the copy belongs before $here, and a barrier where "
              "others copied"
            : "a wait for the copy and a barrier belong before $here");
  case InFlightCause::NotCommitted:
    return withLine(F.At.Wait,
                    "a commit belongs between the copy in line $ and this wait",
                    F.At.Copy);
  case InFlightCause::WaitBeforeCommit:
    return withLine(F.At.Wait, "this wait belongs behind the commit in line $",
                    F.At.Commit);
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
  case InFlightCause::LeftOut:
    break; // of no read in flight
  }
  llvm_unreachable("all causes have advice");
}

/// The call that the trace names around its first access, which is at \p First,
/// in the function that makes the call of the second; invalid: none.
static clang::SourceLocation callAround(const Finding &F,
                                        clang::SourceLocation First) {
  const auto Then = llvm::find_if(F.Trace, [&](const TraceStep &Step) {
    return Step.K == TraceStep::Kind::Called && Step.Loc == F.At.Call;
  });
  const unsigned Level = Then == F.Trace.end() ? 0 : Then->Depth;
  llvm::SmallVector<clang::SourceLocation, 4> Open;
  for (const TraceStep &Step : F.Trace) {
    if (Step.K == TraceStep::Kind::InstanceOf || Step.Depth > Open.size())
      continue;
    Open.resize(Step.Depth);
    if (Step.K == TraceStep::Kind::Called)
      Open.push_back(Step.Loc);
    else if (Step.Loc == First)
      break;
  }
  return Open.size() > Level ? Open[Level] : clang::SourceLocation();
}

/// The groups that the wait left in flight, the one that matters among them; 0:
/// it is none for bulk copies.
static int64_t leftByBulkWait(const Finding &F) {
  for (const TraceStep &Step : F.Trace)
    if (Step.K == TraceStep::Kind::BulkWaited && Step.Loc == F.At.Wait)
      return Step.N;
  return 0;
}

/// What orders the threads of which it speaks.
static std::string barrierFor(const Finding &F) {
  return F.Path.OfLanes ? "'__syncwarp'" : "a barrier";
}

/// What has to come between the first access and the overwrite.
static Note barrierBefore(const Finding &F, llvm::StringRef What,
                          clang::SourceLocation First) {
  if (F.At.Call.isValid())
    if (const clang::SourceLocation Call = callAround(F, First);
        Call.isValid() && Call != F.At.Call) {
      What = "call";
      First = Call;
    }
  const bool IsKnown = First.isValid() && First != F.At.Write;
  return atAccess(F, F.At.Write, "overwrite",
                  barrierFor(F) + " belongs between the " + What.str() +
                      (IsKnown ? " in line $" : "") + " and $here" +
                      inLaterIteration(F).str(),
                  IsKnown ? First : clang::SourceLocation());
}

static Note onOverwrite(const Finding &F) {
  switch (F.Overwritten) {
  case OverwriteCause::InFlight:
    // One instruction, two threads.
    if (F.At.Copy == F.At.Write && F.Thread != F.Other)
      return {F.At.Write, "threads that copy different data need places of "
                          "their own, or a barrier between them"};
    return atAccess(F, F.At.Write, "overwrite",
                    F.Thread == F.Other
                        ? "a wait for the copy belongs before $here"
                        : "a wait for the copy and a barrier belong before "
                          "$here");
  case OverwriteCause::StillRead:
    return barrierBefore(F, "read", F.At.Read);
  case OverwriteCause::AfterCopy:
    return barrierBefore(F, "wait for the copy",
                         stepAt(F, TraceStep::Kind::WaitDone));
  case OverwriteCause::AfterStore:
    return barrierBefore(F, "store", F.At.Read);
  case OverwriteCause::BulkRead:
    if (const int64_t Left = leftByBulkWait(F))
      return {F.At.Wait, "leave fewer than " + counted(Left, "group") +
                             " of bulk copies in flight here"};
    return atAccess(F, F.At.Write, "overwrite",
                    "a wait by 'cp.async.bulk.wait_group.read' and a barrier "
                    "belong before $here");
  case OverwriteCause::SentRead:
    return atAccess(F, F.At.Write, "overwrite",
                    "a wait in the block that gets it and then a barrier of "
                    "the cluster belong before $here");
  case OverwriteCause::MatrixRead:
    return atAccess(F, F.At.Write, "overwrite",
                    "a 'wgmma.wait_group' for the product, and a barrier or an "
                    "arrival, belong before $here");
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

static Note onUnwrittenRead(const Finding &F) {
  if (F.Cause == InFlightCause::Divergent)
    return {F.At.Operand, "all threads must come to the copies of the block; "
                          "what they store may depend on the condition"};
  if (F.Cause == InFlightCause::LeftOut)
    return {F.At.Copy, "where there is nothing to copy, a source size of 0 "
                       "fills with zeros; or store what is to be read"};
  for (const TraceStep &Step : F.Trace)
    if (Step.K == TraceStep::Kind::TilesTogether ||
        (Step.K == TraceStep::Kind::TileSize && !Step.Flag))
      return {Step.Loc, "announce all bytes that the copies of a phase have: "
                        "a size is in bytes, not in elements"};
  return {F.At.Copy, "all bytes that are read must be copied: a size is in "
                     "bytes, not in elements"};
}

Note cpasync::adviceNote(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
    return onReadInFlight(F);
  case FindingKind::ReadBeforeCopy:
    return {F.At.Read,
            "the copy, a wait for it and a barrier belong before this read"};
  case FindingKind::UnwrittenRead:
    return onUnwrittenRead(F);
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
    return atAccess(F, F.At.Read, "read",
                    barrierFor(F) + (F.At.Wait.isValid()
                                         ? " belongs between the wait in line "
                                           "$ and $here"
                                         : " belongs between the wait for the "
                                           "copy and $here"),
                    F.At.Wait);
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
  case FindingKind::StuckStage:
    return {F.At.Wait, "a stage must be released before it is acquired again"};
  case FindingKind::StuckBarrier:
    return {F.At.Wait, "give the barrier as many threads as come to it, in "
                       "whole warps"};
  case FindingKind::ExtraArrivals:
    return {F.At.Operand, "initialise the mbarrier with as many arrivals as "
                          "come in a phase"};
  case FindingKind::UnorderedInit:
    return withLine(
        F.At.Operand,
        std::string(isOfOneBlock(F) ? "a barrier"
                                    : "a barrier of the cluster") +
            " belongs between the initialisation in line $ and this use",
        F.At.Write);
  case FindingKind::MissingBlock:
    return {F.At.Operand, "ranks, and the bits of a mask, are those of the "
                          "blocks that the cluster has"};
  case FindingKind::EndedBlock:
    return {F.At.Operand, "a barrier of the cluster belongs between this and "
                          "the end of the kernel"};
  case FindingKind::PartialGroup:
    return {F.At.Copy, "all threads of the group must come to this copy, or a "
                       "group of those that do must share it"};
  case FindingKind::MissingFence:
    return {F.At.Copy, "'fence.proxy.async' by the threads that store and a "
                       "barrier belong before this " +
                           readerOf(F).str()};
  case FindingKind::UnorderedSource:
    return {F.At.Copy,
            barrierFor(F) +
                (F.ByStore ? " belongs between the stores and this "
                           : " belongs between the wait for the copies and "
                             "this ") +
                readerOf(F).str()};
  case FindingKind::OverWait:
    return {F.At.Wait,
            "commit where all lanes of a warp have come together again"};
  }
  llvm_unreachable("all findings have advice");
}
