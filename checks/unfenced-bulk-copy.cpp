//===- unfenced-bulk-copy.cpp - Bulk copies of unfinished data ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies read shared memory through the async proxy, which sees what
// threads wrote only behind a fence.proxy.async of theirs; and another thread's
// writes only behind a barrier. PTX ISA, "Async proxy".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UnfencedBulkCopy::owns(const Finding &F) {
  return F.Kind == FindingKind::MissingFence ||
         F.Kind == FindingKind::UnorderedSource;
}

Primary UnfencedBulkCopy::describe(const Finding &F) {
  const bool Ordered = F.Kind == FindingKind::MissingFence;
  return {F.At.Copy, objectName(F) + " " + isOrMayBe(F).str() +
                         (F.Overwritten == OverwriteCause::MatrixRead
                              ? " read by a matrix product"
                              : " copied in bulk") +
                         " with no " + (Ordered ? "proxy fence" : "barrier") +
                         " behind the " + (F.ByStore ? "stores" : "copies") +
                         " to it"};
}
