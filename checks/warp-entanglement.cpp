//===- warp-entanglement.cpp - Lanes of a warp that commit apart ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX gives each thread groups of its own, the hardware each warp. Where lanes
// of a warp commit apart, a wait counts more groups than any of them committed
// and waits for more than it has to; and a commit by some lanes serves the
// others too, which nothing promises. CUDA C++ Programming Guide, "Warp
// Entanglement: Commit"; PTX ISA, "cp.async.commit_group".
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool WarpEntanglement::owns(const Finding &F) {
  return F.Kind == FindingKind::OverWait ||
         (F.Kind == FindingKind::ReadInFlight &&
          F.Cause == InFlightCause::Entangled);
}

Primary WarpEntanglement::describe(const Finding &F) {
  if (F.Kind == FindingKind::OverWait)
    return {F.At.Wait,
            "wait " + std::string(F.OnEveryPath ? "counts " : "may count ") +
                counted(F.Limit, "group") +
                " of the warp, of which a thread committed only " +
                std::to_string(F.NewerGroups)};
  const bool IsCommit = F.At.Commit.isValid();
  return {IsCommit ? F.At.Commit : F.At.Wait,
          std::string(IsCommit ? "commit" : "wait") + " by lanes of a warp " +
              (F.OnEveryPath ? "serves" : "may serve") +
              " the others that copy into " + objectName(F)};
}
