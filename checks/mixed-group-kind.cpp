//===- mixed-group-kind.cpp - Groups of the other kind
//---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies and bulk copies are committed and waited for by instructions of their
// own; neither sees the other's groups. PTX ISA, "cp.async.bulk.commit_group":
// bulk and non-bulk operations are in separate groups.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

static bool isBulk(const Finding &F) {
  return F.Kind == FindingKind::Overwrite;
}

bool MixedGroupKind::owns(const Finding &F) {
  return isBulk(F) ? F.Overwritten == OverwriteCause::BulkReadOtherKind
                   : F.Kind == FindingKind::ReadInFlight &&
                         F.Cause == InFlightCause::OtherKind;
}

Primary MixedGroupKind::describe(const Finding &F) {
  const bool IsCommit = F.At.Commit.isValid();
  const std::string Copy = isBulk(F) ? "the bulk copy from " + objectName(F)
                                     : "the copy into " + objectName(F);
  const std::string Kind = isBulk(F) ? "" : "bulk ";
  if (IsCommit)
    return {F.At.Commit,
            "commit of " + Kind + "copies does not commit " + Copy};
  return {F.At.Wait, "wait for " + Kind + "copies does not wait for " + Copy};
}
