//===- StepNames.cpp - Steps of a trace, as machines read them ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Messages.h"

using namespace cpasync;
using Kind = TraceStep::Kind;

llvm::StringRef cpasync::stepKindName(TraceStep::Kind K) {
  switch (K) {
  case Kind::CopyIssued:
    return "copy-issued";
  case Kind::CopyOfLaterSlot:
    return "copy-of-later-slot";
  case Kind::Committed:
    return "committed";
  case Kind::CommitSkipped:
    return "commit-skipped";
  case Kind::Waited:
    return "waited";
  case Kind::WaitedAll:
    return "waited-all";
  case Kind::TriedOnce:
    return "tried-once";
  case Kind::WaitedEarly:
    return "waited-early";
  case Kind::WaitSkipped:
    return "wait-skipped";
  case Kind::BarrierSkipped:
    return "barrier-skipped";
  case Kind::Left:
    return "left";
  case Kind::CaseTaken:
    return "case-taken";
  case Kind::BulkCommitted:
    return "bulk-committed";
  case Kind::BulkWaited:
    return "bulk-waited";
  case Kind::MbarrierInit:
    return "mbarrier-init";
  case Kind::MbarrierArrived:
    return "mbarrier-arrived";
  case Kind::CopyLeftOut:
    return "copy-left-out";
  case Kind::ResultStored:
    return "result-stored";
  case Kind::MbarrierUsed:
    return "mbarrier-used";
  case Kind::BlockReached:
    return "block-reached";
  case Kind::BytesAnnounced:
    return "bytes-announced";
  case Kind::PhaseAwaited:
    return "phase-awaited";
  case Kind::CopiedInBulk:
    return "copied-in-bulk";
  case Kind::MatrixRead:
    return "matrix-read";
  case Kind::MatricesCommitted:
    return "matrices-committed";
  case Kind::MatricesWaited:
    return "matrices-waited";
  case Kind::KernelEnd:
    return "kernel-end";
  case Kind::WaitDone:
    return "wait-done";
  case Kind::BranchTaken:
    return "branch-taken";
  case Kind::LoopEntered:
    return "loop-entered";
  case Kind::Iteration:
    return "iteration";
  case Kind::LoopLeft:
    return "loop-left";
  case Kind::Barrier:
    return "barrier";
  case Kind::Read:
    return "read";
  case Kind::Stored:
    return "stored";
  case Kind::Overwritten:
    return "overwritten";
  case Kind::CalledFrom:
    return "called-from";
  case Kind::Called:
    return "called";
  case Kind::InstanceOf:
    return "instance-of";
  case Kind::AssumedThreads:
    return "assumed-threads";
  case Kind::MadeUpArguments:
    return "made-up-arguments";
  case Kind::LaunchedWith:
    return "launched-with";
  case Kind::AssumedAligned:
    return "assumed-aligned";
  case Kind::TileSize:
    return "tile-size";
  case Kind::TileRoom:
    return "tile-room";
  case Kind::TilesTogether:
    return "tiles-together";
  case Kind::WithNumbers:
    return "with-numbers";
  case Kind::AssumedHarmless:
    return "assumed-harmless";
  }
  llvm_unreachable("all steps have names");
}
