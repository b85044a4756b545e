//===- uncommitted-copy.cpp - Copies in no group at the wait --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait counts groups. A copy that no commit has put into a group yet is not
// waited for, and its destination holds old data when it is read. PTX ISA,
// "cp.async.commit_group": only prior copies become part of the group. A copy
// that nobody waits for and that is still in no group when the kernel ends does
// no harm; that is told on request.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UncommittedCopy::owns(const Finding &F) {
  return F.Kind == FindingKind::UncommittedAtEnd ||
         (F.Kind == FindingKind::ReadInFlight &&
          F.Cause == InFlightCause::NotCommitted);
}

Primary UncommittedCopy::describe(const Finding &F) {
  const bool AtEnd = F.Kind == FindingKind::UncommittedAtEnd;
  return {F.At.Copy, "asynchronous copy into " + objectName(F) + " " +
                         isOrMayBe(F).str() + " uncommitted at the " +
                         (AtEnd ? "end of the kernel" : "wait")};
}
