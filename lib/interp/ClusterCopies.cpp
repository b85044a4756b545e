//===- ClusterCopies.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies to shared memory of a block of the cluster, which complete with a
// phase of an mbarrier of that block: from shared memory, which they read until
// then, or from registers. PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk",
// "st.async", "red.async".
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/interp/Interpreter.h"

using namespace clang;
using namespace cpasync;

void CopyOps::clusterCopy(State &S, const CopyRequest &Request) {
  CopyRequest R = Request;
  if (!prepare(S, R))
    return;
  if (R.FromShared && !checkBulkSize(S, R, Request.Size))
    return;
  if (!R.Dst.isPtr() || R.Dst.Obj->K == Object::Kind::Choice)
    return unknownDestination(S, R,
                              "destination of the copy is not understood");
  if (!checkSpace(S, R, /*IsSource=*/false))
    return;
  noteSize(S, R);
  const int64_t Unit = R.FromShared ? BulkUnit : R.Bytes;
  bool Aligned = checkAlignment(S, R, Unit, /*IsSource=*/false);
  const SourceLocation Loc = Run.userLoc(S, R.Loc);
  Detect.Absent.checkReach(S, Store.footprint(S, R.Dst, R.Bytes), Loc);
  if (R.FromShared && isSourceKnown(S, R)) {
    Aligned &= checkAlignment(S, R, Unit, /*IsSource=*/true);
    Interp.Known.FoundProxies = true;
    R.Reads = readsOfSource(S, R);
    checkSource(S, R, R.Reads.front());
  }
  // It completes with the mbarrier at that address in the block that it goes
  // to, whatever block was named (H200; compute-sanitizer refuses another one).
  if (Shape.RunsCluster && R.Dst.I && R.Dst.I->isKnown()) {
    std::vector<int64_t> To(Shape.threads());
    for (unsigned T = 0; T < Shape.threads(); ++T)
      To[T] = Run.Blocks.blockOf(R.Dst, T);
    R.Mbarrier =
        Run.Blocks.mapTo(Run.simplify(S, *R.Mbarrier), V.known(L.perThread(To)))
            .value_or(*R.Mbarrier);
  }
  issue(S, R, Loc, R.Bytes, Aligned);
}
