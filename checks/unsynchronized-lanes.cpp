//===- unsynchronized-lanes.cpp - Lanes without __syncwarp ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait makes data visible to the thread that executes it, and lanes of a warp
// have counters of their own for where they are. What one lane has copied,
// read or stored comes before what another does only behind __syncwarp(), or a
// barrier. CUDA C++ Programming Guide, "Independent Thread Scheduling"; PTX
// ISA, "bar.warp.sync".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool UnsynchronizedLanes::owns(const Finding &F) {
  return F.Path.OfLanes && (F.Kind == FindingKind::UnsynchronizedRead ||
                            F.Kind == FindingKind::UnorderedSource ||
                            F.Kind == FindingKind::Overwrite);
}

Primary UnsynchronizedLanes::describe(const Finding &F) {
  const std::string What = objectName(F) + " " + isOrMayBe(F).str();
  if (F.Kind == FindingKind::UnsynchronizedRead)
    return {F.At.Read,
            What + " read with no '__syncwarp' after the wait of another lane"};
  if (F.Kind == FindingKind::UnorderedSource)
    return {F.At.Copy,
            What + " copied in bulk with no '__syncwarp' behind the stores of "
                   "other lanes"};
  return {F.At.Write, What + " overwritten with no '__syncwarp' behind what "
                             "another lane does with it"};
}
