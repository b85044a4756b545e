//===- uncopied-read.cpp - Reads of bytes that nobody wrote ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory that nothing was written to holds whatever the block before it
// left. PTX ISA, "State Spaces: .shared": it has no initial value. A copy that
// is shorter than what is read behind its wait leaves such bytes.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UncopiedRead::owns(const Finding &F) {
  return F.Kind == FindingKind::UnwrittenRead;
}

Primary UncopiedRead::describe(const Finding &F) {
  if (F.Cause == InFlightCause::Divergent)
    return {F.At.Operand, "some threads may leave here before they copy what "
                          "others read of " +
                              objectName(F)};
  return {F.At.Read, objectName(F) + " " + isOrMayBe(F).str() +
                         " read where no copy or store writes to it"};
}
