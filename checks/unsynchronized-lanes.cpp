//===- unsynchronized-lanes.cpp - Lanes that rely on lockstep -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait is for the copies of the lane that runs it, and lanes of a warp may
// run apart. What one copied, another may read or write over when both have
// met: at
// __syncwarp, or at what orders the block. PTX ISA, "bar.warp.sync"; CUDA C++
// Programming Guide, "Independent Thread Scheduling".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UnsynchronizedLanes::owns(const Finding &F) { return F.isBetweenLanes(); }

static llvm::StringRef whatIsBefore(const Finding &F) {
  switch (F.Overwritten) {
  case OverwriteCause::StillRead:
    return "other lanes read it";
  case OverwriteCause::BulkRead:
  case OverwriteCause::BulkReadOtherKind:
    return "the bulk copy that reads it";
  case OverwriteCause::InFlight:
  case OverwriteCause::AfterCopy:
    return "the copy into it";
  case OverwriteCause::AfterStore:
    return "the store to it";
  }
  llvm_unreachable("all causes have words");
}

Primary UnsynchronizedLanes::describe(const Finding &F) {
  const bool IsRead = F.Kind == FindingKind::UnsynchronizedRead;
  const llvm::StringRef Before =
      IsRead ? "the wait for its copy" : whatIsBefore(F);
  return {IsRead ? F.At.Read : F.At.Write,
          objectName(F) + " " + isOrMayBe(F).str() + " " +
              (IsRead ? "read" : "overwritten") +
              " with no barrier of the warp after " + Before.str()};
}
