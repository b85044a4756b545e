//===- ClusterCalls.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "barrier.cluster": the threads of all blocks of a cluster arrive and
// wait. For the threads of one block that is a barrier of the block.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ApiCall.h"

using namespace cpasync;

bool apis::clusterArrive(const ApiCall &C) {
  C.I.Phases.arriveAtCluster(C.S, C.loc(), /*Ordered=*/true);
  return true;
}

bool apis::clusterArriveRelaxed(const ApiCall &C) {
  C.I.Phases.arriveAtCluster(C.S, C.loc(), /*Ordered=*/false);
  return true;
}

bool apis::clusterWait(const ApiCall &C) {
  C.I.Phases.waitForCluster(C.S, C.E, C.loc());
  return true;
}

bool apis::clusterMap(const ApiCall &C) {
  C.setResult(C.I.Phases.mapTo(C.S, C.loc(), C.arg(0), C.arg(1)));
  return true;
}
