//===- wrong-state-space.cpp - Neither global nor shared
//-------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy goes from global to shared memory and nowhere else. PTX ISA,
// "cp.async": the destination is in .shared, the source in .global; with a
// generic address the instruction cannot see the difference, the hardware does.
// The map of a tensor copy is a parameter of the kernel, constant or global.
// PTX ISA, "cp.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool WrongStateSpace::owns(const Finding &F) {
  return F.Kind == FindingKind::WrongSpace || F.Kind == FindingKind::MapSpace;
}

Primary WrongStateSpace::describe(const Finding &F) {
  const std::string Name = F.Object.empty() ? "" : " " + objectName(F);
  if (F.Kind == FindingKind::MapSpace)
    return {F.At.Copy, "tensor map" + Name + " " + isOrMayBe(F).str() + " in " +
                           F.Text +
                           " memory, where a tensor copy cannot read it"};
  return {F.At.Copy, (F.IsSource ? "source" : "destination") + Name +
                         " of the asynchronous copy " + isOrMayBe(F).str() +
                         " in " + F.Text + " memory, not in " +
                         (F.IsSource ? "global" : "shared") + " memory"};
}
