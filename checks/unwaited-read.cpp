//===- unwaited-read.cpp - Reads without a wait ---------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes an asynchronous copy writes are undefined until a wait has covered
// it; a barrier does not complete copies. PTX ISA, "Data Movement and
// Conversion Instructions: Asynchronous copy". A slot that nothing has filled
// at all, and that a later copy on the same path fills, is the same mistake one
// stage early.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UnwaitedRead::owns(const Finding &F) {
  return F.Kind == FindingKind::ReadBeforeCopy ||
         (F.Kind == FindingKind::ReadInFlight &&
          F.Cause == InFlightCause::NeverWaited);
}

Primary UnwaitedRead::describe(const Finding &F) {
  std::string Text = objectName(F) + " " + isOrMayBe(F).str() + " read before ";
  if (F.Kind == FindingKind::ReadBeforeCopy)
    return {F.At.Read, Text + "any copy into it is issued"};
  return {F.At.Read, Text + "the asynchronous copy into it has completed"};
}
