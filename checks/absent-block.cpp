//===- absent-block.cpp - Blocks that are not there -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared memory of a block is there as long as the block. Who copies to it
// from another block of the cluster, arrives at its mbarriers, reads or stores,
// has to know that it has not ended. PTX ISA, "Cluster of Cooperative Thread
// Arrays", "mapa", "cp.async.bulk": ".multicast::cluster".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool AbsentBlock::owns(const Finding &F) {
  return F.Kind == FindingKind::MissingBlock ||
         F.Kind == FindingKind::EndedBlock;
}

Primary AbsentBlock::describe(const Finding &F) {
  const std::string Where =
      (F.Object.empty() ? "shared memory" : objectName(F)) + " of block " +
      std::to_string(F.Value);
  if (F.Kind == FindingKind::EndedBlock)
    return {F.At.Operand,
            Where + " may be reached here after that block has ended"};
  return {F.At.Operand, Where + " " + isOrMayBe(F).str() +
                            " reached here in a cluster of " +
                            counted(F.Limit, "block")};
}
