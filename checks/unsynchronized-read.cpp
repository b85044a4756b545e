//===- unsynchronized-read.cpp - Reads without a barrier ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait makes the data visible to the waiting thread only. Other threads may
// read them after a barrier that comes after the wait. PTX ISA,
// "cp.async.wait_group / cp.async.wait_all": the writes are made visible to the
// executing thread.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UnsynchronizedRead::owns(const Finding &F) {
  return F.Kind == FindingKind::UnsynchronizedRead;
}

Primary UnsynchronizedRead::describe(const Finding &F) {
  return {F.At.Read, objectName(F) + " " + isOrMayBe(F).str() +
                         " read with no barrier after the wait for its copy"};
}
