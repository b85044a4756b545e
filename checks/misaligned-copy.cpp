//===- misaligned-copy.cpp - Addresses off their boundary -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both addresses of a copy must be multiples of cp-size, else the kernel stops
// with "misaligned address". PTX ISA, "Addresses as Operands". Only what is
// proved: a constant offset, a row pitch, or one thread's own address.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool MisalignedCopy::owns(const Finding &F) {
  return F.Kind == FindingKind::Misaligned;
}

Primary MisalignedCopy::describe(const Finding &F) {
  std::string End = F.IsSource ? "source" : "destination";
  if (!F.Object.empty())
    End += " '" + F.Object + "'";
  return {F.At.Copy, End + " of the asynchronous copy " + isOrMayBe(F).str() +
                         " " + counted(F.Value, "byte") +
                         " past a multiple of " + std::to_string(F.Limit)};
}
