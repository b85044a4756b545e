//===- in-flight-overwrite.cpp - Slots written too early
//-------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot may be written again when the copy into it has completed and every
// thread that reads it has done so: a barrier after the reads, before the next
// copy or store. Two copies into the same bytes have no order of their own. PTX
// ISA, "Data Movement and Conversion Instructions: Asynchronous copy".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool InFlightOverwrite::owns(const Finding &F) {
  return F.Kind == FindingKind::Overwrite &&
         F.Overwritten != OverwriteCause::BulkReadOtherKind;
}

static llvm::StringRef whatIsWrong(const Finding &F) {
  switch (F.Overwritten) {
  case OverwriteCause::InFlight:
    return "while a copy into it is in flight";
  case OverwriteCause::BulkRead:
  case OverwriteCause::SentRead:
  case OverwriteCause::BulkReadOtherKind:
    return "while a bulk copy still reads it";
  case OverwriteCause::MatrixRead:
    return "while a matrix product still reads it";
  case OverwriteCause::StillRead:
    return "while other threads still read it";
  case OverwriteCause::AfterCopy:
    return "with no barrier after the copy into it";
  case OverwriteCause::AfterStore:
    return "with no barrier after the store to it";
  }
  llvm_unreachable("all causes have words");
}

Primary InFlightOverwrite::describe(const Finding &F) {
  return {F.At.Write, objectName(F) + " " + isOrMayBe(F).str() +
                          " overwritten " + whatIsWrong(F).str()};
}
